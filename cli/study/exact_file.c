// References as files: a head of notes, then rows as in any CSV file.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <stiction/version.h>

#include "command/command.h"
#include "files/csv_file.h"
#include "study/exact.h"
#include "files/output.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

void exact_release(Exact *exact)
{
    trajectory_release(&exact->trajectory);
    free(exact->method);
    free(exact->check);
    free(exact->path);
    *exact = (Exact){0};
}

static void print_head(FILE *file, const Exact *exact, const char *scene)
{
    fprintf(file,
            "# stiction reference: %s\n# version: %s\n# fingerprint: %016" PRIx64
            "\n# method: %s\n# checked by: %s\n# difference: %.3g at the end, %.3g at most\n",
            scene, STI_VERSION, exact->trajectory.fingerprint, exact->method, exact->check,
            exact->doubt.end, exact->doubt.greatest);
}

static void print_rows(FILE *file, const Trajectory *trajectory)
{
    const Rows *rows = &trajectory->rows;
    fputs("t", file);
    for (int i = 0; i < trajectory->count; ++i) fprintf(file, ",%s", trajectory->names[i]);
    for (int64_t k = 0; k < rows->count; ++k)
        for (int i = 0; i < rows->columns; ++i)
            fprintf(file, "%c%.17g", i == 0 ? '\n' : ',', rows->values[k * rows->columns + i]);
    fputc('\n', file);
}

int exact_write(const Exact *exact, const char *scene, const char *path)
{
    Output output;
    if (!output_open(&output, path)) return CODE_FILE;
    print_head(output.file, exact, scene);
    print_rows(output.file, &exact->trajectory);
    return output_close(&output, true);
}

// "# key: value" lines before the header row.
static void read_note(Exact *exact, char *line)
{
    static const char fingerprint[] = "# fingerprint: ", method[] = "# method: ",
                      check[] = "# checked by: ", difference[] = "# difference: ";
    line[strcspn(line, "\r\n")] = '\0';
    if (strncmp(line, fingerprint, strlen(fingerprint)) == 0)
        exact->trajectory.fingerprint = strtoull(line + strlen(fingerprint), NULL, 16);
    if (strncmp(line, method, strlen(method)) == 0 && exact->method == NULL)
        exact->method = text_new("%s", line + strlen(method));
    if (strncmp(line, check, strlen(check)) == 0 && exact->check == NULL)
        exact->check = text_new("%s", line + strlen(check));
    if (strncmp(line, difference, strlen(difference)) == 0)
        sscanf(line + strlen(difference), "%lf at the end, %lf", &exact->doubt.end,
               &exact->doubt.greatest);
}

static void read_head(const char *path, Exact *exact)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    while (file != NULL && getline(&line, &size, file) > 0 && line[0] == '#')
        read_note(exact, line);
    free(line);
    if (file != NULL) fclose(file);
}

// Channels are the columns after t; which of them are rates is known to who is compared with it.
int exact_read(const char *path, Exact *exact)
{
    CsvFile csv;
    *exact = (Exact){.path = text_new("%s", path), .doubt = {NAN, NAN}};
    int code = csv_file_read(path, true, &csv);
    if (code == CODE_GOOD) read_head(path, exact);
    if (code == CODE_GOOD && (exact->method == NULL || strcmp(csv.names[0], "t") != 0)) {
        terminal_error(
            "%s is no reference: its head names no method; stiction reference writes one", path);
        code = CODE_BAD_INPUT;
    }
    if (code != CODE_GOOD) {
        csv_file_release(&csv);
        return code;
    }
    exact->trajectory.count = csv.count - 1;
    exact->trajectory.names = csv.names;
    free(csv.names[0]);
    for (int i = 1; i < csv.count; ++i) csv.names[i - 1] = csv.names[i];
    exact->trajectory.rows = csv.rows;
    return CODE_GOOD;
}
