#include "study/sweep_merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "command/load.h"
#include "files/format.h"
#include "files/output.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

typedef struct Part {
    const char *path;
    FILE *file;
    char *head, *columns, *line; // line: the next row
    size_t head_size, columns_size, line_size;
    long long number, parts, runs; // number: from 1
} Part;

static bool next_line(Part *part)
{
    if (getline(&part->line, &part->line_size, part->file) > 0) return true;
    free(part->line);
    part->line = NULL;
    part->line_size = 0;
    return false;
}

// "# stiction 0.2.0, a study of 300 runs, 0123456789abcdef, part 2 of 4"; what stands before ", part" is common.
static bool read_head(Part *part)
{
    const char *study, *share;
    if (getline(&part->head, &part->head_size, part->file) <= 0 ||
        getline(&part->columns, &part->columns_size, part->file) <= 0 ||
        strncmp(part->head, "# stiction ", 11) != 0 ||
        (study = strstr(part->head, ", a study of ")) == NULL ||
        sscanf(study, ", a study of %lld runs", &part->runs) != 1) {
        terminal_error("%s is not a file that stiction sweep has written", part->path);
        return false;
    }
    share = strstr(part->head, ", part ");
    part->number = part->parts = 1;
    if (share != NULL && sscanf(share, ", part %lld of %lld", &part->number, &part->parts) != 2) {
        terminal_error("%s: the first line is damaged", part->path);
        return false;
    }
    part->head[share != NULL ? (size_t)(share - part->head) : strcspn(part->head, "\n")] = '\0';
    return true;
}

static bool open_parts(Part *parts, const char *const *paths, int count)
{
    for (int i = 0; i < count; ++i) {
        parts[i].path = paths[i];
        parts[i].file = load_open(paths[i]);
        if (parts[i].file == NULL || !read_head(&parts[i])) return false;
        next_line(&parts[i]);
    }
    return true;
}

static void close_parts(Part *parts, int count)
{
    for (int i = 0; i < count; ++i) {
        if (parts[i].file != NULL) fclose(parts[i].file);
        free(parts[i].head);
        free(parts[i].columns);
        free(parts[i].line);
    }
    free(parts);
}

// By number: where[i] is the file of part i + 1. False after a message.
static bool arrange(Part *parts, int count, int *where)
{
    for (int i = 0; i < count; ++i) where[i] = -1;
    for (int i = 0; i < count; ++i) {
        if (strcmp(parts[i].head, parts[0].head) != 0 ||
            strcmp(parts[i].columns, parts[0].columns) != 0 || parts[i].parts != parts[0].parts) {
            terminal_error("%s and %s are of different studies", parts[0].path, parts[i].path);
            return false;
        }
        if (parts[i].parts != count) {
            terminal_error("%s is part %lld of %lld, and %d files were given", parts[i].path,
                           parts[i].number, parts[i].parts, count);
            return false;
        }
        const long long place = parts[i].number - 1;
        if (place < 0 || place >= count || where[place] >= 0) {
            terminal_error("%s: part %lld of %lld is there twice", parts[i].path, parts[i].number,
                           parts[i].parts);
            return false;
        }
        where[place] = i;
    }
    return true;
}

static bool copy_rows(Part *parts, int count, const int *where, FILE *to)
{
    for (long long run = 0; run < parts[0].runs; ++run) {
        Part *part = &parts[where[run % count]];
        if (part->line == NULL || strtoll(part->line, NULL, 10) != run ||
            strchr(part->line, '\n') == NULL) {
            terminal_error("%s has no row of run %lld: the sweep of this part has not ended",
                           part->path, run);
            return false;
        }
        fputs(part->line, to);
        next_line(part);
    }
    return true;
}

static int write_merged(Part *parts, int count, const int *where, const char *output)
{
    Output to;
    if (!output_open(&to, output)) return CODE_FILE;
    fprintf(to.file, "%s\n%s", parts[0].head, parts[0].columns);
    if (copy_rows(parts, count, where, to.file)) return output_close(&to, true);
    output_abandon(&to);
    return CODE_BAD_INPUT;
}

int sweep_merge(const char *const *paths, int count, const char *output)
{
    if (!format_has_ending(output, ".csv")) {
        terminal_error("parts are merged into a .csv file, not '%s'", output);
        return CODE_BAD_INPUT;
    }
    Part *parts = take((size_t)count, sizeof *parts);
    int *where = take((size_t)count, sizeof *where);
    int code = CODE_BAD_INPUT;
    if (open_parts(parts, paths, count) && arrange(parts, count, where))
        code = write_merged(parts, count, where, output);
    free(where);
    close_parts(parts, count);
    return code;
}
