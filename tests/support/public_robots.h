// Public robot descriptions that lie beside the project, if they do: ../shared/data/robots.
#ifndef STICTION_TESTS_SUPPORT_PUBLIC_ROBOTS_H
#define STICTION_TESTS_SUPPORT_PUBLIC_ROBOTS_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static inline bool public_robots_are_there(const char *kind)
{
    struct stat about;
    char folder[512];
    snprintf(folder, sizeof folder, "%s/../shared/data/robots/%s", SOURCE_DIR, kind);
    if (stat(folder, &about) == 0) return true;
    printf("skipped: there is no ../shared/data/robots/%s\n", kind);
    return false;
}

// Calls visit for every file whose name ends so, in the order of their names.
static inline void public_robots_in(const char *folder, const char *ending,
                                    void (*visit)(const char *path, void *data), void *data)
{
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; ++i) {
        char path[1024];
        struct stat about;
        const char *name = entries[i]->d_name;
        const size_t length = strlen(name), end = strlen(ending);
        const int needed = snprintf(path, sizeof path, "%s/%s", folder, name);
        if (needed < (int)sizeof path && name[0] != '.' && stat(path, &about) == 0) {
            if (S_ISDIR(about.st_mode))
                public_robots_in(path, ending, visit, data);
            else if (length > end && strcmp(name + length - end, ending) == 0)
                visit(path, data);
        }
        free(entries[i]);
    }
    free(entries);
}

#endif
