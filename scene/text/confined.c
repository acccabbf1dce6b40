#define _XOPEN_SOURCE 700 // realpath
#include "text/confined.h"

#include <stdlib.h>
#include <string.h>

static bool is_within(const char *folder, const char *path)
{
    const size_t length = strlen(folder);
    if (strcmp(folder, "/") == 0) return true;
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

bool scene_is_confined(const char *folder, const char *path)
{
    if (folder == NULL) return true;
    char *real_folder = realpath(folder, NULL), *file = realpath(path, NULL);
    const bool allowed = real_folder != NULL && file != NULL && is_within(real_folder, file);
    free(real_folder);
    free(file);
    return allowed;
}
