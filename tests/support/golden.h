// Files, and exactly what is said about them: NAME.yaml must give the lines of NAME.expected. After a change that is
// meant STI_GOLDEN_UPDATE=1 rewrites the expected lines, and git shows the difference. Include after cmocka.h.
#ifndef STICTION_TESTS_GOLDEN_H
#define STICTION_TESTS_GOLDEN_H

#include <unistd.h>

#include "stiction/scene.h"
#include "support/files.h"

// The path with another ending. To be freed.
static inline char *golden_beside(const char *path, const char *ending)
{
    const size_t stem = (size_t)(strrchr(path, '.') - path), size = stem + strlen(ending) + 1;
    char *other = malloc(size);
    snprintf(other, size, "%.*s%s", (int)stem, path, ending);
    return other;
}

static inline char *golden_lines(const StiMessages *messages)
{
    static const char *const severities[] = {"note", "warning", "error"};
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    for (int i = 0; i < sti_messages_count(messages); ++i) {
        const StiMessage *m = sti_messages_at(messages, i);
        fprintf(stream, "%s:", m->file);
        if (m->line > 0) fprintf(stream, "%d:%d:", m->line, m->column);
        fprintf(stream, " %s: %s\n", severities[m->severity], m->text);
    }
    fclose(stream);
    return text;
}

static inline void golden_compare(const char *path, const StiMessages *messages)
{
    char *file_path = golden_beside(path, ".expected");
    char *expected = file_text(file_path), *said = golden_lines(messages);
    const bool same = expected != NULL && strcmp(said, expected) == 0;
    if (!same && getenv("STI_GOLDEN_UPDATE") != NULL) {
        FILE *file = fopen(file_path, "wb");
        assert_non_null(file);
        fputs(said, file);
        fclose(file);
    } else if (!same) {
        print_error("%s\n---- expected\n%s---- said\n%s", file_path,
                    expected != NULL ? expected : "", said);
        fail();
    }
    free(said);
    free(expected);
    free(file_path);
}

// One test per file of the folder that fits the pattern; it gets the path, which names no folder.
static inline int golden_run(const char *folder, const char *pattern, size_t fewest,
                             CMUnitTestFunction test)
{
    if (chdir(folder) != 0) return 2;
    glob_t paths = files_like(pattern);
    struct CMUnitTest *tests = calloc(paths.gl_pathc, sizeof *tests);
    if (tests == NULL || paths.gl_pathc < fewest) return 2;
    for (size_t i = 0; i < paths.gl_pathc; ++i)
        tests[i] = (struct CMUnitTest){.name = paths.gl_pathv[i],
                                       .test_func = test,
                                       .initial_state = paths.gl_pathv[i]};
    const int failed = _cmocka_run_group_tests(folder, tests, paths.gl_pathc, NULL, NULL);
    free(tests);
    globfree(&paths);
    return failed;
}

#endif
