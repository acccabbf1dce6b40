// HTTP requests of the page: a method, a path, a host, a short body. Nothing else is understood.
#ifndef STICTION_CLI_VIEW_REQUEST_H
#define STICTION_CLI_VIEW_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

enum { REQUEST_HEAD = 8192, REQUEST_BODY = 1024, REQUEST_MOST = REQUEST_HEAD + REQUEST_BODY };

typedef enum RequestState {
    REQUEST_INCOMPLETE,
    REQUEST_COMPLETE,
    REQUEST_BAD,      // 400
    REQUEST_TOO_LARGE // 413
} RequestState;

typedef struct Request { // all of it lies in the text that was read
    const char *method, *path;
    const char *host; // without its port
    const char *body;
} Request;

// text holds length bytes and has room for one more; it is cut into pieces when it is complete.
RequestState request_read(char *text, size_t length, Request *request);

// Names that lead here without anybody's name server: a page elsewhere whose name was made to point
// here does not have them. address: what the server listens on, where the user said so, or NULL.
bool request_host_is_good(const char *host, const char *address);

#endif
