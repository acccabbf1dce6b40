// Files of the source tree. SOURCE_DIR comes from CMake. Include after cmocka.h.
#ifndef STICTION_TESTS_FILES_H
#define STICTION_TESTS_FILES_H

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The whole file, with NUL behind it; NULL if there is none. To be freed.
static inline char *file_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    size_t length = 0, capacity = 1 << 16;
    char *text = malloc(capacity);
    while (text != NULL) {
        length += fread(text + length, 1, capacity - 1 - length, file);
        if (length < capacity - 1) break;
        text = realloc(text, capacity *= 2);
    }
    fclose(file);
    if (text != NULL) text[length] = '\0';
    return text;
}

static inline char *file_needed(const char *path)
{
    char *text = file_text(path);
    if (text == NULL) print_error("%s cannot be read\n", path);
    assert_non_null(text);
    return text;
}

// All paths that fit a pattern, sorted. To be handed to globfree.
static inline glob_t files_like(const char *pattern)
{
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    return found;
}

#endif
