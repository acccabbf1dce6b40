#include "fit/fit_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stiction/import.h>
#include <stiction/urdf.h>

#include "command/command.h"
#include "command/load.h"
#include "files/output.h"
#include "files/table_file.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

// ---- the table ---------------------------------------------------------------------------------------------

typedef struct Table {
    StiColumn *columns;
    double *row;
    char **owned;
    int count, capacity;
} Table;

static int find_column(const Table *table, const char *name)
{
    for (int i = 0; i < table->count; ++i)
        if (strcmp(table->columns[i].name, name) == 0) return i;
    return -1;
}

// Writes a number into column NAME.WHAT of the current row, and adds the column if it is new.
static void put(Table *table, const char *name, const char *what, const char *unit, double value)
{
    char *full = text_new("%s%s", name, what);
    int column = find_column(table, full);
    if (column >= 0) {
        free(full);
    } else if (table->count < table->capacity) {
        column = table->count++;
        table->owned[column] = full;
        table->columns[column] = (StiColumn){.name = full, .unit = unit};
    }
    if (column >= 0) table->row[column] = value;
}

static void fill(Table *table, const StiFitResult *result, int model)
{
    for (int i = 0; i < table->capacity; ++i) table->row[i] = NAN;
    put(table, "model", "", "", model);
    for (int i = 0; i < result->count; ++i) {
        const StiFitted *of = &result->parameters[i];
        put(table, of->name, "", of->unit, of->value);
        put(table, of->name, " low", of->unit, of->low);
        put(table, of->name, " high", of->unit, of->high);
        put(table, of->name, " deviation", of->unit, of->deviation);
        put(table, of->name, " determined", "", of->determined);
    }
    for (int i = 0; i < result->error_count; ++i) {
        const StiFitError *error = &result->errors[i];
        put(table, error->channel, " rms", error->unit, error->rms);
        put(table, error->channel, " mean absolute", error->unit, error->mean_absolute);
        put(table, error->channel, " largest", error->unit, error->largest);
        put(table, error->channel, " cross-validated rms", error->unit, error->cross_validated);
    }
    put(table, "aic", "", "", result->aic);
    put(table, "bic", "", "", result->bic);
    put(table, "effective rows", "", "", result->effective_rows);
}

static Table table_create(const StiFitResult *const *results, int count)
{
    int room = 4;
    for (int i = 0; i < count; ++i)
        if (results[i] != NULL) room += 5 * results[i]->count + 4 * results[i]->error_count;
    Table table = {.columns = take((size_t)room, sizeof(StiColumn)),
                   .row = take((size_t)room, sizeof(double)),
                   .owned = take((size_t)room, sizeof(char *)),
                   .capacity = room};
    for (int i = 0; i < count; ++i)
        if (results[i] != NULL) fill(&table, results[i], i); // for the columns of all
    return table;
}

int fit_write_table(const char *path, const StiFitResult *const *results, int count)
{
    Table table = table_create(results, count);
    const StiTable about = {.columns = table.columns, .column_count = table.count};
    TableFile *file = table_file_open(path, &about);
    bool good = file != NULL;
    for (int i = 0; good && i < count; ++i) {
        if (results[i] == NULL || results[i]->error_count == 0) continue;
        fill(&table, results[i], i);
        good = table_file_row(file, table.row);
    }
    if (file != NULL) good = table_file_close(file, good, "") && good;
    for (int i = 0; i < table.count; ++i) free(table.owned[i]);
    free(table.owned);
    free(table.row);
    free(table.columns);
    return good ? CODE_GOOD : CODE_FILE;
}

// ---- the fitted scene --------------------------------------------------------------------------------------

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static char *read_text(const char *path, size_t *length)
{
    FILE *file = load_open(path);
    char *text = NULL, part[4096];
    if (file == NULL) return NULL;
    FILE *memory = open_memstream(&text, length);
    if (memory == NULL) end_out_of_memory();
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;) fwrite(part, 1, n, memory);
    fclose(memory);
    fclose(file);
    return text;
}

static int write_text(const char *path, const char *text)
{
    Output output;
    if (!output_open(&output, path)) return CODE_FILE;
    return output_close(&output, fputs(text, output.file) >= 0);
}

// A model file becomes the scene that stiction import would write.
static char *scene_text(const char *scene, const char *text, size_t length,
                        const StiSceneOptions *options, StiMessages *messages)
{
    if (ends_with(scene, ".yaml") || ends_with(scene, ".yml")) return text_new("%s", text);
    return sti_import_text(text, length, scene, options, messages);
}

// What the command line set, then what was found. Numbers of sensors and starts belong to the section fit of the scene,
// if it has one.
static const char **all_sets(const StiFitResult *result, const StiSceneOptions *options,
                             bool own_section, int *count)
{
    const char **sets = take((size_t)(options->set_count + result->set_count) + 1, sizeof *sets);
    *count = 0;
    for (int i = 0; i < options->set_count; ++i) sets[(*count)++] = options->sets[i];
    for (int i = 0; i < result->set_count; ++i)
        if (own_section || strncmp(result->sets[i], "fit.", 4) != 0)
            sets[(*count)++] = result->sets[i];
    return sets;
}

static int write_urdf(const char *scene, const char *path, const StiFitResult *result,
                      const StiSceneOptions *options)
{
    int count;
    const char **sets = all_sets(result, options, false, &count);
    const StiSceneOptions fitted = {.sets = sets,
                                    .set_count = count,
                                    .variant = options->variant,
                                    .confine = options->confine};
    StiScene *loaded = load_quietly(scene, &fitted);
    int code = CODE_BAD_INPUT;
    if (loaded == NULL || loaded->robot_count != 1) {
        terminal_error("%s: only a scene with one robot can be written as URDF", path);
    } else {
        const size_t length = sti_urdf_write(loaded->robots[0].urdf, NULL, 0);
        char *text = take(length + 1, 1);
        sti_urdf_write(loaded->robots[0].urdf, text, length + 1);
        code = write_text(path, text);
        free(text);
    }
    sti_scene_destroy(loaded);
    free(sets);
    return code;
}

int fit_write_back(const char *scene, const char *path, const StiFitResult *result,
                   const StiSceneOptions *options, bool own_section)
{
    char *file = load_file_of(scene);
    const char *to = path[0] != '\0' ? path : file;
    size_t length = 0;
    if (ends_with(to, ".urdf")) {
        const int code = write_urdf(file, to, result, options);
        free(file);
        return code;
    }
    char *text = read_text(file, &length), *whole = NULL, *written = NULL;
    StiMessages *messages = sti_messages_create();
    if (messages == NULL) end_out_of_memory();
    if (text != NULL) whole = scene_text(file, text, length, options, messages);
    if (whole != NULL) {
        int count;
        const char **sets = all_sets(result, options, own_section, &count);
        written = sti_scene_rewrite(whole, strlen(whole), file, sets, count, messages);
        free(sets);
    }
    terminal_messages(messages, STI_ERROR);
    const int code = written != NULL ? write_text(to, written) : CODE_FILE;
    sti_messages_destroy(messages);
    free(text);
    free(whole);
    free(written);
    free(file);
    return code;
}
