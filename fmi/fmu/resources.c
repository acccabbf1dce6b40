#ifndef _GNU_SOURCE
#define _GNU_SOURCE // dladdr
#endif
#include "fmu/resources.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static int digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// What stands for itself in a URI, and %20.
static char *decoded(const char *text)
{
    char *path = malloc(strlen(text) + 1), *to = path;
    if (path == NULL) return NULL;
    for (; *text != '\0'; ++text) {
        const int high = *text == '%' ? digit(text[1]) : -1, low = high >= 0 ? digit(text[2]) : -1;
        *to++ = low >= 0 ? (char)(16 * high + low) : *text;
        if (low >= 0) text += 2;
    }
    *to = '\0';
    return path;
}

// .../binaries/PLATFORM/NAME.so stands beside .../resources.
static char *beside_binary(void)
{
    static const char binaries[] = "/binaries/", resources[] = "/resources";
    Dl_info about;
    if (dladdr((const void *)&binaries, &about) == 0 || about.dli_fname == NULL) return NULL;
    const char *end = NULL;
    for (const char *at = about.dli_fname; (at = strstr(at, binaries)) != NULL; ++at) end = at;
    if (end == NULL) return NULL;
    const size_t length = (size_t)(end - about.dli_fname);
    char *path = malloc(length + sizeof resources);
    if (path == NULL) return NULL;
    memcpy(path, about.dli_fname, length);
    memcpy(path + length, resources, sizeof resources);
    return path;
}

char *resources_folder(const char *given)
{
    if (given == NULL || given[0] == '\0') return beside_binary();
    if (strncmp(given, "file:", 5) != 0) {
        char *path = malloc(strlen(given) + 1);
        return path != NULL ? strcpy(path, given) : NULL;
    }
    given += 5;
    if (strncmp(given, "//", 2) == 0) { // an authority: empty, or this machine
        given = strchr(given + 2, '/');
        if (given == NULL) return NULL;
    }
    return given[0] == '/' ? decoded(given) : NULL;
}
