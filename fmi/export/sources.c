#include "export/sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char sti_fmu_sources[],
    sti_fmu_sources_end[]; // as cmake/pack_sources.cmake writes them

enum { LONGEST_NAME = 200, MOST_FILES = 4000 };

// The next file: its name, and where it stands. NULL after the last.
static const char *next_file(const char *at, char name[LONGEST_NAME], size_t *length)
{
    const size_t left = (size_t)(sti_fmu_sources_end - at);
    const char *end = left > 0 ? memchr(at, '\n', left) : NULL,
               *blank = end != NULL ? memchr(at, ' ', left) : NULL;
    if (end == NULL || blank == NULL || blank - at >= LONGEST_NAME) return NULL;
    memcpy(name, at, (size_t)(blank - at));
    name[blank - at] = '\0';
    *length = strtoul(blank + 1, NULL, 10);
    return end + 1;
}

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

const char **sources_add(int version, Zip *zip)
{
    const char *other = version == 2 ? "fmi3/" : "fmi2/";
    const char **names = calloc(MOST_FILES, sizeof *names);
    char name[LONGEST_NAME], member[LONGEST_NAME + 16];
    size_t length;
    int count = 0;
    for (const char *at = sti_fmu_sources;
         names != NULL && (at = next_file(at, name, &length)) != NULL; at += length) {
        if (begins_with(name, other)) continue;
        snprintf(member, sizeof member, "sources/%s", name);
        zip_add(zip, member, at, length);
        if (strcmp(name + strlen(name) - 2, ".c") != 0 || count + 1 == MOST_FILES) continue;
        char *copy = malloc(strlen(name) + 1);
        if (copy != NULL) names[count++] = strcpy(copy, name);
        zip->bytes.failed = zip->bytes.failed || copy == NULL;
    }
    return names;
}

void sources_release(const char **names)
{
    for (int i = 0; names != NULL && names[i] != NULL; ++i) free((void *)names[i]);
    free(names);
}
