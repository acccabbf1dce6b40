// Where an expression of t has a jump or a kink: comparisons of lines in t, and min and max of them.
// Found in the text, so that few need to be declared.
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "function.h"
#include "stiction/scene.h"
#include "table.h"

enum { LONGEST = 200 };

typedef struct Search {
    const Names *names;
    double *breaks;
    int count, most;
} Search;

static void add_break(Search *search, double t)
{
    if (!isfinite(t) || search->count >= search->most) return;
    for (int i = 0; i < search->count; ++i)
        if (search->breaks[i] == t) return;
    search->breaks[search->count++] = t;
}

// Text [from, to) without blanks around it.
static void trim(const char **from, const char **to)
{
    while (*from < *to && isspace((unsigned char)**from)) ++*from;
    while (*to > *from && isspace((unsigned char)(*to)[-1])) --*to;
}

// An operand at three times, if it depends on nothing but time and parameters.
static bool operand_values(const Search *search, const char *from, const char *to, double f[3])
{
    char text[LONGEST], error[200];
    const Names *names = search->names;
    const size_t known = (size_t)(1 + names->input_count + names->parameter_count);
    trim(&from, &to);
    if (to - from <= 0 || to - from >= LONGEST) return false;
    memcpy(text, from, (size_t)(to - from));
    text[to - from] = '\0';
    StiExpression *expression =
        sti_expression_create(text, names->names, (int)known, error, sizeof error);
    double *values = malloc(known * sizeof *values);
    bool good = expression != NULL && values != NULL;
    for (int i = 1; good && i <= names->input_count; ++i)
        good = !sti_expression_uses(expression, i);
    if (good) memcpy(values, names->values, known * sizeof *values);
    for (int k = 0; good && k < 3; ++k) {
        values[0] = k;
        f[k] = sti_expression_value(expression, values);
    }
    free(values);
    sti_expression_destroy(expression);
    return good;
}

// Two sides that are equal at one time: where their difference, a line in t, is zero.
static void compare(Search *search, const char *left, const char *left_end, const char *right,
                    const char *right_end)
{
    double a[3], b[3];
    if (!operand_values(search, left, left_end, a) || !operand_values(search, right, right_end, b))
        return;
    const double d0 = a[0] - b[0], slope = (a[1] - b[1]) - d0, twice = (a[2] - b[2]) - d0;
    if (slope != 0.0 && fabs(twice - 2.0 * slope) <= 1e-12 * (fabs(slope) + fabs(d0)))
        add_break(search, -d0 / slope);
}

static bool ends_operand(const char *c) { return strchr("<>=!?:,&|", *c) != NULL; }

// The operand that ends before, or begins at, a place of the text, on its level of brackets.
static const char *operand_start(const char *text, const char *end)
{
    int depth = 0;
    const char *c = end;
    while (c > text) {
        const char before = c[-1];
        if (before == ')') ++depth;
        if (before == '(' && depth-- == 0) break;
        if (depth == 0 && ends_operand(c - 1)) break;
        --c;
    }
    return c;
}

static const char *operand_end(const char *start)
{
    int depth = 0;
    const char *c = start;
    for (; *c != '\0'; ++c) {
        if (*c == '(') ++depth;
        if (*c == ')' && depth-- == 0) break;
        if (depth == 0 && ends_operand(c)) break;
    }
    return c;
}

static bool after_word(const char *text, const char *bracket, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(bracket - text) >= length && strncmp(bracket - length, word, length) == 0 &&
           ((size_t)(bracket - text) == length ||
            !isalnum((unsigned char)bracket[-(ptrdiff_t)length - 1]));
}

// min(a, b), max(a, b).
static void look_at_bracket(Search *search, const char *text, const char *bracket)
{
    if (!after_word(text, bracket, "min") && !after_word(text, bracket, "max")) return;
    const char *first = bracket + 1, *comma = operand_end(first);
    if (*comma == ',') compare(search, first, comma, comma + 1, operand_end(comma + 1));
}

static void look_at_text(Search *search, const char *text)
{
    for (const char *c = text; *c != '\0'; ++c) {
        if (*c == '(') look_at_bracket(search, text, c);
        if (*c != '<' && *c != '>' && !(*c == '=' && c[1] == '=') && !(*c == '!' && c[1] == '='))
            continue;
        const char *right = c[1] == '=' ? c + 2 : c + 1;
        compare(search, operand_start(text, c), c, right, operand_end(right));
        c = right - 1;
    }
}

static void look_at_substep(Search *search, const Piece *piece)
{
    if (piece->type == PIECE_TABLE && piece->table != NULL && piece->table->count <= search->most)
        for (int i = 0; i < piece->table->count; ++i) add_break(search, piece->table->t[i]);
    if (piece->type != PIECE_EXPRESSION || piece->text == NULL) return;
    look_at_text(search, piece->text);
    for (int i = 0; piece->uses_inputs && i < search->names->input_count; ++i)
        if (search->names->inputs[i].type != PIECE_EXPRESSION ||
            !search->names->inputs[i].uses_inputs)
            look_at_substep(search, &search->names->inputs[i]);
}

static int by_time(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int scene_find_breaks(const Names *names, const Piece *pieces, int count, double *breaks, int given,
                      int most)
{
    Search search = {names, breaks, given, most};
    for (int i = 0; i < count; ++i) look_at_substep(&search, &pieces[i]);
    qsort(breaks, (size_t)search.count, sizeof *breaks, by_time);
    return search.count;
}
