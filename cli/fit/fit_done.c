#include "fit/fit_done.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/command.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

void fit_done_add(FILE *file, int model, const double *entry, int count)
{
    fprintf(file, "%d %d", model, count);
    for (int i = 0; i < count; ++i) fprintf(file, " %.17g", entry[i]);
    fputc('\n', file);
    fflush(file); // a killed fit has all but the descent that it was in
}

static void append(FitFound *found, const double *entry, int count)
{
    const size_t size = (size_t)(found->count + 1 + count) * sizeof *found->numbers;
    double *longer = realloc(found->numbers, size);
    if (longer == NULL) end_out_of_memory();
    found->numbers = longer;
    longer[found->count] = count;
    memcpy(longer + found->count + 1, entry, (size_t)count * sizeof *entry);
    found->count += 1 + count;
}

// False at the end, and at a line that was not written to its end.
static bool read_entry(FILE *file, FitDone *done)
{
    enum { MOST = 1 << 20 };
    int model, count;
    if (fscanf(file, "%d %d", &model, &count) != 2 || model < 0 || model >= done->count ||
        count < 1 || count > MOST)
        return false;
    double *entry = take((size_t)count, sizeof *entry);
    bool good = true;
    for (int i = 0; good && i < count; ++i) good = fscanf(file, "%lf", &entry[i]) == 1;
    good = good && fgetc(file) == '\n';
    if (good) append(&done->models[model], entry, count);
    free(entry);
    return good;
}

// False if the file is of another fit.
static bool read_all(FILE *file, uint64_t fingerprint, int models, FitDone *done)
{
    uint64_t of = 0;
    if (fscanf(file, "stiction fit %" SCNx64, &of) != 1 || of != fingerprint) return false;
    *done = (FitDone){.models = take((size_t)models, sizeof *done->models), .count = models};
    while (read_entry(file, done)) {}
    return true;
}

static void write_all(FILE *file, uint64_t fingerprint, const FitDone *done)
{
    fprintf(file, "stiction fit %016" PRIx64 "\n", fingerprint);
    for (int m = 0; m < done->count; ++m) {
        const FitFound *found = &done->models[m];
        for (int64_t i = 0; i < found->count; i += 1 + (int64_t)found->numbers[i])
            fit_done_add(file, m, found->numbers + i + 1, (int)found->numbers[i]);
    }
    fflush(file);
}

static int cannot_write(const char *name)
{
    terminal_error("%s: %s", name, strerror(errno));
    return CODE_FILE;
}

// Written anew, so that no half of a line stays in it.
static int begin(const char *name, uint64_t fingerprint, const FitDone *done, FILE **file)
{
    char *draft = text_new("%s.draft", name);
    int code = CODE_GOOD;
    *file = fopen(draft, "w");
    if (*file == NULL) {
        code = cannot_write(draft);
    } else {
        write_all(*file, fingerprint, done);
        if (rename(draft, name) != 0) code = cannot_write(name);
    }
    free(draft);
    return code;
}

int fit_done_open(const char *path, uint64_t fingerprint, int models, bool resume, FitDone *done,
                  FILE **file)
{
    char *name = text_new("%s.progress", path);
    FILE *before = fopen(name, "r");
    int code = CODE_GOOD;
    if (before != NULL && !resume) {
        terminal_error("%s has what a fit found that did not end: --resume goes on with it; or "
                       "remove it",
                       name);
        code = CODE_BAD_INPUT;
    } else if (before != NULL && !read_all(before, fingerprint, models, done)) {
        terminal_error("%s is of another fit: the scene, its logs or the options have changed",
                       name);
        code = CODE_BAD_INPUT;
    }
    if (before != NULL) fclose(before);
    if (code == CODE_GOOD) code = begin(name, fingerprint, done, file);
    free(name);
    return code;
}

void fit_done_release(FitDone *done)
{
    for (int i = 0; i < done->count; ++i) free(done->models[i].numbers);
    free(done->models);
}

void fit_done_forget(const char *path)
{
    char *name = text_new("%s.progress", path);
    unlink(name);
    free(name);
}
