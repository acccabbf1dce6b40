#include "view/view_request.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct Head {
    char *host;
    const char *length;
    int hosts, lengths;
    bool chunked;
} Head;

// Cuts at the first of these characters; NULL if there is none.
static char *cut(char *text, const char *at)
{
    char *end = strstr(text, at);
    if (end == NULL) return NULL;
    *end = '\0';
    return end + strlen(at);
}

static bool read_field(char *line, Head *head)
{
    char *value = cut(line, ":");
    if (value == NULL || line[0] == '\0' || strpbrk(line, " \t") != NULL) return false;
    value += strspn(value, " \t");
    if (strcasecmp(line, "Host") == 0) {
        head->host = value;
        ++head->hosts;
    } else if (strcasecmp(line, "Content-Length") == 0) {
        head->length = value;
        ++head->lengths;
    } else if (strcasecmp(line, "Transfer-Encoding") == 0) {
        head->chunked = true;
    }
    return true;
}

static bool read_fields(char *text, Head *head)
{
    while (*text != '\0') {
        char *next = cut(text, "\r\n");
        if (!read_field(text, head)) return false;
        if (next == NULL) break;
        text = next;
    }
    return head->hosts == 1 && head->lengths <= 1 && !head->chunked;
}

static bool read_first(char *line, Request *request)
{
    char *path = cut(line, " ");
    char *version = path != NULL ? cut(path, " ") : NULL;
    if (version == NULL || path[0] != '/') return false;
    request->method = line;
    request->path = path;
    return strcmp(version, "HTTP/1.1") == 0 || strcmp(version, "HTTP/1.0") == 0;
}

// "[::1]:80" and "localhost:80" lose their port, "[::1]" its brackets.
static const char *without_port(char *host)
{
    if (host[0] == '[') {
        host[strcspn(host, "]")] = '\0';
        return host + 1;
    }
    host[strcspn(host, ":")] = '\0';
    return host;
}

// A second look at the head before the whole is there: the length of the body that belongs to it.
static RequestState body_length(const char *head, size_t head_length, size_t *length)
{
    char copy[REQUEST_HEAD + 1];
    memcpy(copy, head, head_length);
    copy[head_length] = '\0';
    Head fields = {0};
    char *rest = cut(copy, "\r\n");
    *length = 0;
    if (rest == NULL || !read_fields(rest, &fields)) return REQUEST_BAD;
    if (fields.length == NULL) return REQUEST_COMPLETE;
    const size_t digits = strspn(fields.length, "0123456789");
    if (digits == 0 || fields.length[digits] != '\0') return REQUEST_BAD;
    if (digits > 5 || atol(fields.length) > REQUEST_BODY) return REQUEST_TOO_LARGE;
    *length = (size_t)atol(fields.length);
    return REQUEST_COMPLETE;
}

RequestState request_read(char *text, size_t length, Request *request)
{
    text[length] = '\0';
    if (memchr(text, '\0', length) != NULL) return REQUEST_BAD;
    const char *end = strstr(text, "\r\n\r\n");
    if (end == NULL) return length >= REQUEST_HEAD ? REQUEST_TOO_LARGE : REQUEST_INCOMPLETE;
    const size_t head_length = (size_t)(end - text) + 2;
    size_t body = 0;
    if (head_length > REQUEST_HEAD) return REQUEST_TOO_LARGE;
    const RequestState state = body_length(text, head_length, &body);
    if (state != REQUEST_COMPLETE) return state;
    if (length < head_length + 2 + body) return REQUEST_INCOMPLETE;
    Head fields = {0};
    text[head_length] = '\0';
    request->body = text + head_length + 2;
    text[head_length + 2 + body] = '\0';
    char *rest = cut(text, "\r\n");
    if (!read_fields(rest, &fields) || !read_first(text, request)) return REQUEST_BAD;
    request->host = without_port(fields.host);
    return REQUEST_COMPLETE;
}

static bool is_number(const char *host)
{
    struct in6_addr address;
    return inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1;
}

bool request_host_is_good(const char *host, const char *address)
{
    if (strcasecmp(host, "localhost") == 0 || strcmp(host, "127.0.0.1") == 0 ||
        strcmp(host, "::1") == 0)
        return true;
    return address != NULL && (strcasecmp(host, address) == 0 || is_number(host));
}
