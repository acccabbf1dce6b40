#include "text/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE = 2000, FIRST_SIZE = 65536 }; // ms; bytes

// Who opens a pipe must not wait for its other end.
static int open_file(const char *path, const char **why)
{
    struct stat about;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0) {
        *why = strerror(errno);
        return -1;
    }
    const bool known = fstat(file, &about) == 0;
    if (known && (S_ISREG(about.st_mode) || S_ISFIFO(about.st_mode))) return file;
    *why = known && S_ISDIR(about.st_mode) ? strerror(EISDIR) : "it is a device, not a file";
    close(file);
    return -1;
}

// As read, but waits for a pipe; 0 at the end, -1: *why.
static ssize_t read_some(int file, char *to, size_t size, const char **why)
{
    for (;;) {
        struct pollfd waited = {.fd = file, .events = POLLIN};
        const int ready = poll(&waited, 1, PATIENCE);
        if (ready < 0 && errno == EINTR) continue;
        if (ready == 0) {
            *why = "nothing came out of this pipe for 2 s";
            return -1;
        }
        const ssize_t got = ready > 0 ? read(file, to, size) : -1;
        if (got >= 0) return got;
        if (errno == EINTR || errno == EAGAIN) continue;
        *why = strerror(errno);
        return -1;
    }
}

char *scene_file_read(const char *path, size_t most, size_t *length, const char **why)
{
    const int file = open_file(path, why);
    if (file < 0) return NULL;
    char *text = NULL;
    size_t capacity = 0;
    ssize_t got = 1;
    for (*length = 0; got > 0 && *length <= most; *length += got > 0 ? (size_t)got : 0) {
        if (*length + 1 >= capacity) {
            capacity = 2 * capacity + FIRST_SIZE;
            char *more = realloc(text, capacity);
            *why = "out of memory";
            got = more != NULL ? got : -1;
            if (more == NULL) break;
            text = more;
        }
        const size_t room = capacity - *length - 1, left = most + 1 - *length;
        got = read_some(file, text + *length, room < left ? room : left, why);
    }
    close(file);
    if (got >= 0 && text != NULL) {
        text[*length] = '\0';
        return text;
    }
    free(text);
    return NULL;
}
