// Any bytes as an HTTP request: what is complete has all its parts, within what was read.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "view/view_request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_within(const char *part, const char *text, size_t size)
{
    if (part == NULL || part < text || part > text + size) abort();
    if (strlen(part) > size) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > REQUEST_MOST) return 0;
    char *text = malloc(size + 1);
    Request request = {0};
    if (text == NULL) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (request_read(text, size, &request) == REQUEST_COMPLETE) {
        check_within(request.method, text, size);
        check_within(request.path, text, size);
        check_within(request.host, text, size);
        if (request.body != NULL) check_within(request.body, text, size);
        request_host_is_good(request.host, NULL);
        request_host_is_good(request.host, "192.168.1.2");
    }
    free(text);
    return 0;
}
