// What a value may be written as: a number, an expression of the parameters, of t and inputs, a table.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expression/expression_syntax.h"
#include "text/named_files.h"
#include "text/number.h"

static bool uses_broken(const Names *names, const StiExpression *expression, int first)
{
    for (int i = first; i < scene_name_count(names); ++i)
        if (names->broken[i] && sti_expression_uses(expression, i - first)) return true;
    return false;
}

// Text that may use t, inputs, parameters and tables.
static Program *program_of(const Names *names, const char *text, bool fold, char *error,
                           size_t size)
{
    const Vocabulary words = {.names = names->names,
                              .count = scene_name_count(names),
                              .first_constant = fold ? 1 + names->input_count : INT_MAX,
                              .constants = names->values,
                              .tables = names->tables};
    return scene_program_create(text, &words, error, size);
}

static bool check_finite(Reader *reader, const Node *node, const char *what, double value)
{
    if (isfinite(value)) return true;
    scene_error(reader, node->mark, "%s: '%s' is %s, not a finite number", what, node->text,
                isnan(value) ? "undefined" : "infinite");
    return false;
}

// Would it be an expression of the first count names?
static bool would_do(const Names *names, int count, const char *text)
{
    char error[256];
    StiExpression *expression =
        sti_expression_create(text, names->names, count, error, sizeof error);
    const bool good = expression != NULL;
    sti_expression_destroy(expression);
    return good;
}

static void not_a_number(Reader *reader, const Node *node, const char *what, const char *error)
{
    const Names *names = &reader->names;
    if (node->text[0] == '\0')
        scene_error(reader, node->mark, "%s has no value: a number is needed", what);
    else if (would_do(names, scene_name_count(names), node->text))
        scene_error(reader, node->mark,
                    "%s: '%s' depends on t or an input; here a constant is needed", what,
                    node->text);
    else if (would_do(names, names->total, node->text))
        scene_error(reader, node->mark,
                    "%s: '%s': a parameter may use only those that stand above it", what,
                    node->text);
    else
        scene_error(reader, node->mark,
                    "%s: '%s' is neither a number nor an expression of the parameters: %s", what,
                    node->text, error);
}

// Constant expressions may use the parameters read so far.
bool scene_constant(Reader *reader, const Node *node, const char *what, double *value)
{
    char error[256];
    const Names *names = &reader->names;
    const int first = 1 + names->input_count;
    if (!node->quoted && scene_number_read(node->text, strlen(node->text), value))
        return check_finite(reader, node, what, *value);
    StiExpression *expression = sti_expression_create(node->text, names->names + first,
                                                      names->parameter_count, error, sizeof error);
    if (expression == NULL) {
        not_a_number(reader, node, what, error);
        return false;
    }
    const bool known = !uses_broken(names, expression, first);
    *value = sti_expression_value(expression, names->values + first);
    sti_expression_destroy(expression);
    return known && check_finite(reader, node, what, *value);
}

// ---- pieces ---------------------------------------------------------------------------------------------

static const Key csv_keys[] = {
    {"csv", VALUE_TEXT, true, "a CSV file, relative to the scene", NULL},
    {"column", VALUE_TEXT, true, "the column with the values", NULL},
    {"time", VALUE_TEXT, false, "the column with the time; default: the first", NULL},
    {"interpolation", VALUE_WORD, false, "linear or hold", NULL},
};

static bool read_csv(Reader *reader, const Node *node, const char *what, Piece *piece)
{
    static const char *const words[] = {"linear", "hold", NULL};
    const Node *time = scene_node_find(node, "time"), *how = scene_node_find(node, "interpolation");
    const char *file = NULL, *column = NULL, *time_name = NULL;
    char error[512];
    if (!scene_check_keys(reader, node, "a table {csv: FILE, column: NAME}", csv_keys, 4))
        return false;
    const int hold = how != NULL ? scene_word(reader, how, "interpolation", words) : 0;
    bool good = scene_text(reader, scene_node_find(node, "csv"), "csv", &file) && hold >= 0;
    good = scene_text(reader, scene_node_find(node, "column"), "column", &column) && good;
    if (time != NULL) good = scene_text(reader, time, "time", &time_name) && good;
    if (!good) return false;
    const char *path = scene_file_named(reader, node, file);
    if (path == NULL) return false;
    piece->type = PIECE_TABLE;
    piece->degree = DEGREE_ANY;
    piece->table =
        scene_table_read(path, time_name, column, hold == 1, reader->arena, error, sizeof error);
    if (piece->table == NULL) scene_error(reader, node->mark, "%s: %s", what, error);
    return piece->table != NULL;
}

// An expression without t and inputs is a constant.
static void keep_program(Reader *reader, const Program *program, Piece *piece)
{
    Names *names = &reader->names;
    if (program->count == 1 && program->code[0].operation == OP_NUMBER) {
        piece->constant = program->code[0].number;
        return;
    }
    piece->type = PIECE_EXPRESSION;
    piece->program = *program;
    piece->program.code = sti_arena_copy(reader->arena, program->code,
                                         (size_t)program->count * sizeof *program->code);
    if (piece->program.code == NULL) piece->program.count = 0;
    for (int i = 1; i <= names->input_count; ++i)
        piece->uses_inputs = piece->uses_inputs || scene_program_uses(program, i);
    piece->degree = scene_degree(names, &piece->program);
    if (program->depth > names->depth) names->depth = program->depth;
}

static bool read_formula(Reader *reader, const Node *node, const char *what, Piece *piece)
{
    char error[256];
    Names *names = &reader->names;
    Program *plain = program_of(names, node->text, false, error, sizeof error),
            *program =
                plain != NULL ? program_of(names, node->text, true, error, sizeof error) : NULL;
    if (program == NULL) {
        scene_error(reader, node->mark, "%s: '%s': %s", what, node->text, error);
        scene_program_destroy(plain);
        return false;
    }
    bool known = true;
    for (int i = 0; i < scene_name_count(names); ++i)
        known = known && !(names->broken[i] && scene_program_uses(plain, i));
    keep_program(reader, program, piece);
    scene_program_destroy(plain);
    scene_program_destroy(program);
    return known &&
           (piece->type == PIECE_EXPRESSION || check_finite(reader, node, what, piece->constant));
}

bool scene_read_piece(Reader *reader, const Node *node, const char *what, Piece *piece)
{
    *piece = (Piece){.type = PIECE_CONSTANT, .node = node};
    if (node->type == NODE_MAP) return read_csv(reader, node, what, piece);
    if (node->type != NODE_SCALAR || node->text[0] == '\0') {
        scene_error(reader, node->mark,
                    "%s must be a number, an expression of t, or {csv: FILE, column: NAME}", what);
        return false;
    }
    if (node->quoted || !scene_number_read(node->text, strlen(node->text), &piece->constant))
        return read_formula(reader, node, what, piece);
    return check_finite(reader, node, what, piece->constant);
}

int scene_read_pieces(Reader *reader, const Node *node, const char *what, int most, Piece *pieces)
{
    if (node->type != NODE_LIST) return scene_read_piece(reader, node, what, pieces) ? 1 : 0;
    if (node->count < 1 || node->count > most) {
        scene_error(reader, node->mark, "%s has %d entries; there may be 1 to %d", what,
                    node->count, most);
        return 0;
    }
    bool good = true;
    for (int i = 0; i < node->count; ++i)
        good = scene_read_piece(reader, node->items[i], what, &pieces[i]) && good;
    return good ? node->count : 0;
}
