#include "study/sweep_file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <stiction/draft.h>
#include <stiction/version.h>

#include "command/command.h"
#include "files/format.h"
#include "files/table_file.h"
#include "terminal/progress.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

static const double flush_every = 0.5; // s

struct SweepFile {
    const StiStudy *study;
    char *path;
    StiDraft *draft;
    FILE *text;
    double due; // the next flush
};

// ---- the head: what the rows belong to ----------------------------------------------------------------------

static char *head_of(const StiStudy *study, Shard shard)
{
    char *part = shard.count > 1 ? text_new(", part %lld of %lld", (long long)shard.number + 1,
                                            (long long)shard.count)
                                 : text_new("%s", "");
    char *head = text_new("# stiction %s, a study of %lld runs, %016" PRIx64 "%s\n", STI_VERSION,
                          (long long)sti_study_runs(study), sti_study_fingerprint(study), part);
    free(part);
    return head;
}

static void put_columns(FILE *text, const StiDesign *design)
{
    fputs("run,status", text);
    for (int i = 0; i < design->varied_count; ++i) fprintf(text, ",%s", design->varied[i].path);
    for (int i = 0; i < design->measure_count; ++i)
        fprintf(text, strpbrk(design->measures[i].what, ", \"") != NULL ? ",\"%s\"" : ",%s",
                design->measures[i].what);
    fputs(",reason\n", text);
}

// ---- rows ---------------------------------------------------------------------------------------------------

static void put_number(FILE *text, double value)
{
    if (isnan(value))
        fputc(',', text); // whatever its sign and payload
    else
        fprintf(text, ",%.17g", value);
}

static void put_reason(FILE *text, const char *reason)
{
    fputc(',', text);
    if (reason[0] == '\0') return;
    fputc('"', text);
    for (; *reason != '\0'; ++reason)
        fputc(*reason == '"' ? '\'' : (unsigned char)*reason < ' ' ? ' ' : *reason, text);
    fputc('"', text);
}

bool sweep_file_row(SweepFile *file, const StiStudyRow *row)
{
    const StiDesign *design = sti_study_design(file->study);
    fprintf(file->text, "%lld,%d", (long long)row->run, (int)row->status);
    for (int i = 0; i < design->varied_count; ++i) put_number(file->text, row->values[i]);
    for (int i = 0; i < design->measure_count; ++i) put_number(file->text, row->measures[i]);
    put_reason(file->text, row->reason);
    return fputc('\n', file->text) != EOF;
}

bool sweep_file_look_after(SweepFile *file, double now)
{
    if (now < file->due) return true;
    file->due = now + flush_every;
    return fflush(file->text) == 0;
}

// The next number of a line, NaN where the field is empty.
static bool take_number(char **rest, double *value)
{
    char *end = *rest;
    *value = *end == ',' ? NAN : strtod(*rest, &end);
    if (*end != ',') return false;
    *rest = end + 1;
    return true;
}

// A whole line of a file as this program writes it.
static bool parse_row(char *line, const StiDesign *design, double *numbers, StiStudyRow *row)
{
    double run, status;
    if (!take_number(&line, &run) || !take_number(&line, &status)) return false;
    for (int i = 0; i < design->varied_count + design->measure_count; ++i)
        if (!take_number(&line, &numbers[i])) return false;
    *row = (StiStudyRow){.run = (int64_t)run,
                         .status = (StiStatus)status,
                         .values = numbers,
                         .measures = numbers + design->varied_count};
    size_t length = strcspn(line, "\n");
    if (length >= 2 && line[0] == '"') {
        ++line;
        length -= 2;
    }
    snprintf(row->reason, sizeof row->reason, "%.*s", (int)length, line);
    return true;
}

// ---- opening ------------------------------------------------------------------------------------------------

static int cannot(const char *path, const char *what)
{
    terminal_error("%s: %s: %s", path, what, strerror(errno));
    return CODE_FILE;
}

// Takes over whole rows; what is behind the last of them is cut off. The run that is expected at place `done`.
static int take_rows(SweepFile *file, Shard shard, bool (*row)(void *, const StiStudyRow *),
                     void *context, int64_t *done)
{
    const StiDesign *design = sti_study_design(file->study);
    double *numbers =
        take((size_t)design->varied_count + (size_t)design->measure_count, sizeof *numbers);
    char *line = NULL;
    size_t size = 0;
    long good = ftell(file->text);
    int code = CODE_GOOD;
    for (ssize_t length; code == CODE_GOOD && (length = getline(&line, &size, file->text)) > 0;) {
        StiStudyRow taken;
        const int64_t expected = shard.number + *done * shard.count;
        if (line[length - 1] != '\n' || !parse_row(line, design, numbers, &taken) ||
            taken.run != expected)
            break;
        good += length;
        ++*done;
        if (row != NULL && !row(context, &taken)) code = CODE_FILE;
    }
    free(line);
    free(numbers);
    if (fseek(file->text, good, SEEK_SET) != 0 || ftruncate(fileno(file->text), good) != 0)
        return cannot(file->path, "cannot be cut after its last whole row");
    return code;
}

static int resume_file(SweepFile *file, Shard shard, bool (*row)(void *, const StiStudyRow *),
                       void *context, int64_t *done)
{
    file->text = fopen(sti_draft_name(file->draft), "r+");
    if (file->text == NULL) return cannot(sti_draft_name(file->draft), "cannot be read");
    char *head = head_of(file->study, shard), *line = NULL;
    size_t size = 0;
    const bool same = getline(&line, &size, file->text) > 0 && strcmp(line, head) == 0 &&
                      getline(&line, &size, file->text) > 0;
    free(head);
    free(line);
    if (!same) {
        terminal_error("%s belongs to another study (scene, parameters, measures, step, method or "
                       "version differ): remove it, or write to another file",
                       sti_draft_name(file->draft));
        return CODE_BAD_INPUT;
    }
    return take_rows(file, shard, row, context, done);
}

static int begin_file(SweepFile *file, Shard shard)
{
    file->text = fopen(sti_draft_name(file->draft), "w+"); // read again when it is complete
    if (file->text == NULL) return cannot(sti_draft_name(file->draft), "cannot be written");
    char *head = head_of(file->study, shard);
    fputs(head, file->text);
    free(head);
    put_columns(file->text, sti_study_design(file->study));
    return fflush(file->text) == 0 ? CODE_GOOD : cannot(file->path, "cannot be written");
}

static void release(SweepFile *file, StiDraftEnd end)
{
    if (file->text != NULL) fclose(file->text);
    if (file->draft != NULL) sti_draft_close(file->draft, end);
    free(file->path);
    free(file);
}

// An unfinished file is neither overwritten nor taken up unless that is asked for.
static int find_draft(SweepFile *file, bool resume, bool *found)
{
    file->draft = sti_draft_reopen(file->path);
    *found = file->draft != NULL;
    if (*found && !resume) {
        terminal_error("%s holds the rows of a sweep that did not end: --resume goes on with it; or "
                       "remove it",
                       sti_draft_name(file->draft));
        return CODE_FILE;
    }
    if (*found) return CODE_GOOD;
    if (errno == EBUSY) {
        terminal_error("%s.partial is being written by another program", file->path);
        return CODE_FILE;
    }
    file->draft = sti_draft_open(file->path);
    return file->draft != NULL ? CODE_GOOD : cannot(file->path, "cannot be written");
}

int sweep_file_open(const char *path, const StiStudy *study, Shard shard, bool resume,
                    bool (*row)(void *context, const StiStudyRow *row), void *context,
                    SweepFile **opened, int64_t *done)
{
    SweepFile *file = take(1, sizeof *file);
    bool found;
    *file = (SweepFile){.study = study, .path = text_new("%s", path)};
    *opened = NULL;
    *done = 0;
    int code = find_draft(file, resume, &found);
    if (code == CODE_GOOD)
        code = found ? resume_file(file, shard, row, context, done) : begin_file(file, shard);
    if (code == CODE_GOOD)
        *opened = file;
    else
        release(file, STI_DRAFT_KEPT);
    return code;
}

// ---- closing ------------------------------------------------------------------------------------------------

static void find_columns(const StiDesign *design, StiColumn *columns)
{
    columns[0] = (StiColumn){"run", NULL};
    columns[1] = (StiColumn){"status", NULL};
    for (int i = 0; i < design->varied_count; ++i)
        columns[2 + i] = (StiColumn){design->varied[i].path, NULL};
    for (int i = 0; i < design->measure_count; ++i)
        columns[2 + design->varied_count + i] = (StiColumn){design->measures[i].what, NULL};
}

static bool copy_rows(FILE *text, const StiDesign *design, TableFile *table, int width)
{
    double *numbers = take((size_t)width, sizeof *numbers);
    char *line = NULL;
    size_t size = 0;
    bool good = true;
    while (good && getline(&line, &size, text) > 0) {
        StiStudyRow row;
        if (line[0] == '#' || line[0] == 'r') continue; // the head
        good = parse_row(line, design, numbers + 2, &row);
        numbers[0] = (double)row.run;
        numbers[1] = (double)row.status;
        good = good && table_file_row(table, numbers) && table_file_look_after(table, clock_now());
    }
    free(line);
    free(numbers);
    return good;
}

// Why runs failed, a line for each: tables hold numbers only, so these go into a note, as far as one may be long.
static char *reasons_of(FILE *text, const StiDesign *design)
{
    enum { MOST = 48000 };
    double *numbers = take((size_t)design->varied_count + (size_t)design->measure_count, sizeof *numbers);
    char *line = NULL, *all = take(MOST + STI_REASON_SIZE + 100, 1);
    size_t size = 0, length = 0;
    long long left_out = 0;
    rewind(text);
    while (getline(&line, &size, text) > 0) {
        StiStudyRow row;
        if (line[0] == '#' || line[0] == 'r' || !parse_row(line, design, numbers, &row)) continue;
        if (row.status == STI_OK) continue;
        if (length < MOST)
            length += (size_t)snprintf(all + length, STI_REASON_SIZE + 32, "run %lld: %s\n",
                                       (long long)row.run, row.reason);
        else
            ++left_out;
    }
    if (left_out > 0)
        snprintf(all + length, 64, "and %lld runs more: see their status\n", left_out);
    free(line);
    free(numbers);
    return all;
}

// The text becomes a table of another format, which then takes its place.
static int convert(SweepFile *file)
{
    const StiScene *scene = sti_study_scene(file->study);
    const StiDesign *design = sti_study_design(file->study);
    const int width = 2 + design->varied_count + design->measure_count;
    StiColumn *columns = take((size_t)width, sizeof *columns);
    find_columns(design, columns);
    char *reasons = reasons_of(file->text, design);
    const StiNote notes[] = {
        {"title", scene->title}, {"version", "stiction " STI_VERSION}, {"reasons", reasons}};
    const StiTable about = {.columns = columns,
                            .column_count = width,
                            .notes = notes,
                            .note_count = reasons[0] != '\0' ? 3 : 2,
                            .plan = scene->plan};
    TableFile *table = table_file_open(file->path, &about);
    free(columns);
    free(reasons);
    if (table == NULL) return CODE_FILE;
    rewind(file->text);
    const bool good = copy_rows(file->text, design, table, width);
    return table_file_close(table, good, "") && good ? CODE_GOOD : CODE_FILE;
}

int sweep_file_close(SweepFile *file, bool complete)
{
    int code = fflush(file->text) == 0 ? CODE_GOOD : cannot(file->path, "cannot be written");
    const bool is_text = format_has_ending(file->path, ".csv");
    StiDraftEnd end = STI_DRAFT_KEPT;
    if (code == CODE_GOOD && complete && is_text) end = STI_DRAFT_COMPLETE;
    if (code == CODE_GOOD && complete && !is_text) {
        code = convert(file);
        if (code == CODE_GOOD) end = STI_DRAFT_REMOVED;
    }
    if (end == STI_DRAFT_KEPT)
        fprintf(stderr, "The rows so far are in %s; --resume goes on.\n",
                sti_draft_name(file->draft));
    fclose(file->text);
    file->text = NULL;
    if (sti_draft_close(file->draft, end) != STI_OK) code = cannot(file->path, "cannot be written");
    file->draft = NULL;
    release(file, end);
    return code;
}
