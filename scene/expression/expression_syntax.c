#include "expression/expression_syntax.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/messages.h"
#include "text/number.h"
#include "text/utf8.h"

enum { DEEPEST = 64 };

// What people write who know other languages.
static const struct {
    const char *word, *right;
} habits[] = {
    {"log", "ln(x) or log10(x)"},
    {"e", "exp(1)"},
    {"pow", "x^y"},
    {"fabs", "abs(x)"},
    {"and", "a && b"},
    {"or", "a || b"},
    {"not", "x == 0"},
    {"if", "a ? b : c"},
    {"heaviside", "step(x)"},
    {"sgn", "sign(x)"},
    {"round", "rint(x)"},
    {"fmod", "mod(x, y)"},
    {"sqr", "x^2"},
};

static const struct {
    char character;
    const char *right;
} strangers[] = {
    {'=', "'=' would assign: write == to compare"},
    {'&', "write && for \"and\""},
    {'|', "write || for \"or\""},
    {'!', "write x == 0 for \"not x\""},
    {'%', "there is no operator '%': write mod(x, y)"},
    {'[', "only round brackets group"},
    {'{', "only round brackets group"},
    {';', "arguments are separated by commas"},
    {'"', "there is no text in expressions"},
    {'\'', "there is no text in expressions"},
};

// An open bracket; the outermost level has none.
typedef struct Level {
    size_t open;
    const FunctionWord *function; // NULL: the bracket only groups
    int arguments;
    int questions; // '?' that wait for their ':'
    bool compared; // a comparison stands in the present operand of && || ? : ,
} Level;

typedef struct Syntax {
    const char *text;
    size_t at;
    const Vocabulary *words;
    Level levels[DEEPEST + 1];
    int depth;
    bool operand; // a value is expected next, not an operator
    bool after_sign;
    Token *tokens;
    int count; // of tokens
    char *error;
    size_t error_size;
} Syntax;

static bool fail(const Syntax *s, size_t at, const char *text, ...)
    __attribute__((format(printf, 3, 4)));

// Always false.
static bool fail(const Syntax *s, size_t at, const char *text, ...)
{
    char what[400];
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(what, sizeof what, text, arguments);
    va_end(arguments);
    if (s->error_size > 0) snprintf(s->error, s->error_size, "%s (character %zu)", what, at + 1);
    return false;
}

static void emit(Syntax *s, Token token) { s->tokens[s->count++] = token; }

static void emit_operator(Syntax *s, char operator)
{
    emit(s, (Token){.type = TOKEN_OPERATOR, .operator= operator});
}

static bool expect_operand(const Syntax *s, size_t length)
{
    return s->operand || fail(s, s->at, "an operator is missing before '%.*s'",
                              length < 40 ? (int)length : 40, s->text + s->at);
}

static bool expect_operator(const Syntax *s, size_t length)
{
    return !s->operand ||
           fail(s, s->at, "a value is missing before '%.*s'", (int)length, s->text + s->at);
}

static bool read_number(Syntax *s, size_t length)
{
    double value;
    if (!expect_operand(s, length)) return false;
    if (!scene_number_read(s->text + s->at, length, &value)) // the 0 of "0x10"
        return fail(s, s->at, "numbers are decimal here");
    if (!isfinite(value)) return fail(s, s->at, "this number is too large");
    emit(s, (Token){.type = TOKEN_NUMBER, .number = value});
    s->operand = false;
    return true;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static size_t name_length(const char *text)
{
    size_t length = 0;
    if (!is_letter(text[0])) return 0;
    while (is_letter(text[length]) || text[length] == '.' ||
           (text[length] >= '0' && text[length] <= '9'))
        ++length;
    return length;
}

static bool is_name(const char *name, const char *text, size_t length)
{
    return strncmp(name, text, length) == 0 && name[length] == '\0';
}

static int find_variable(const Syntax *s, size_t length)
{
    for (int i = 0; i < s->words->count; ++i)
        if (is_name(s->words->names[i], s->text + s->at, length)) return i;
    return -1;
}

// A name with '-' or another operator in it, written where it cannot be read as one.
static const char *unusable_name(const Syntax *s)
{
    for (int i = 0; i < s->words->count; ++i) {
        const char *name = s->words->names[i];
        const size_t length = strlen(name);
        if (name_length(name) != length && strncmp(name, s->text + s->at, length) == 0) return name;
    }
    return NULL;
}

static const char *nearest_name(const Syntax *s, const char *word)
{
    int function_count, count = 0;
    const FunctionWord *functions = scene_functions(&function_count);
    const char **words = malloc((size_t)(s->words->count + function_count + 1) * sizeof *words);
    if (words == NULL) return NULL;
    for (int i = 0; i < s->words->count; ++i) {
        const char *name = s->words->names[i];
        if (name_length(name) == strlen(name)) words[count++] = name;
    }
    words[count++] = "pi";
    for (int i = 0; i < function_count; ++i) words[count++] = functions[i].name;
    const char *nearest = scene_nearest(word, words, count);
    free(words);
    return nearest;
}

static bool unknown_name(const Syntax *s, size_t length)
{
    char word[100];
    snprintf(word, sizeof word, "%.*s", length < 99 ? (int)length : 99, s->text + s->at);
    const char *unusable = unusable_name(s);
    if (unusable != NULL)
        return fail(s, s->at,
                    "'%s' cannot be used in expressions, where '-' means minus: "
                    "a name of letters, digits, '_' and '.' can",
                    unusable);
    if (scene_function_find(s->text + s->at, length) != NULL)
        return fail(s, s->at, "'%s' is a function: write its arguments in brackets", word);
    for (size_t i = 0; i < sizeof habits / sizeof habits[0]; ++i)
        if (strcmp(habits[i].word, word) == 0)
            return fail(s, s->at, "'%s' is not known here: write %s", word, habits[i].right);
    const char *nearest = nearest_name(s, word);
    if (nearest != NULL)
        return fail(s, s->at, "'%s' is not known here; did you mean '%s'?", word, nearest);
    return fail(s, s->at, "'%s' is not known here", word);
}

static bool open_level(Syntax *s, size_t open, const FunctionWord *function)
{
    if (s->depth == DEEPEST) return fail(s, open, "more than %d brackets in each other", DEEPEST);
    s->levels[++s->depth] = (Level){.open = open, .function = function, .arguments = 1};
    s->operand = true;
    if (function != NULL)
        emit(s, (Token){.type = TOKEN_FUNCTION, .function = function});
    else
        emit_operator(s, '(');
    return true;
}

// The name of a table and its comma: the first argument of table(). Reads past them.
static bool read_table_name(Syntax *s, size_t *length)
{
    size_t at = s->at + *length;
    while (is_blank(s->text[at])) ++at;
    const Syntax here = {.text = s->text, .at = at, .words = s->words};
    const size_t name = name_length(s->text + at);
    const int index = name > 0 ? find_variable(&here, name) : -1;
    if (index < 0 || s->words->tables == NULL || s->words->tables[index] == NULL)
        return fail(s, at,
                    "table() needs the name of an input that is a table, then where to read it");
    at += name;
    while (is_blank(s->text[at])) ++at;
    if (s->text[at] != ',') return fail(s, at, "table(name, x) needs a ',' after the name");
    emit(s, (Token){.type = TOKEN_TABLE, .index = index});
    ++s->levels[s->depth].arguments;
    *length = at + 1 - s->at;
    return true;
}

// Reads past the bracket of a function.
static bool read_name(Syntax *s, size_t *length)
{
    if (!expect_operand(s, *length)) return false;
    size_t next = s->at + *length;
    while (is_blank(s->text[next])) ++next;
    const FunctionWord *function = scene_function_find(s->text + s->at, *length);
    if (s->text[next] == '(' && function != NULL) {
        *length = next + 1 - s->at;
        return open_level(s, next, function) &&
               (function->operation != OP_TABLE || read_table_name(s, length));
    }
    const int variable = find_variable(s, *length);
    if (variable >= 0)
        emit(s, (Token){.type = TOKEN_VARIABLE, .index = variable});
    else if (is_name("pi", s->text + s->at, *length))
        emit(s, (Token){.type = TOKEN_NUMBER, .number = 3.14159265358979323846});
    else
        return unknown_name(s, *length);
    s->operand = false;
    return true;
}

// What must hold at the end of a level or of an argument.
static bool end_operand(Syntax *s)
{
    Level *level = &s->levels[s->depth];
    if (level->questions > 0) return fail(s, s->at, "a ':' is missing: write a ? b : c");
    level->compared = false;
    return true;
}

static bool close_level(Syntax *s)
{
    const Level *level = &s->levels[s->depth];
    const FunctionWord *f = level->function;
    if (s->depth == 0) return fail(s, s->at, "this ')' closes nothing");
    if (!end_operand(s)) return false;
    if (f != NULL && f->arguments > 0 && f->arguments != level->arguments)
        return fail(s, level->open, "%s takes %d argument%s, not %d", f->name, f->arguments,
                    f->arguments > 1 ? "s" : "", level->arguments);
    --s->depth;
    emit_operator(s, ')');
    return true;
}

static bool next_argument(Syntax *s)
{
    Level *level = &s->levels[s->depth];
    if (level->function == NULL)
        return fail(s, s->at,
                    "a ',' only separates arguments of functions; "
                    "decimals are written with a point");
    if (!end_operand(s)) return false;
    ++level->arguments;
    return true;
}

// a < b < c would compare a truth with c.
static bool compare(Syntax *s)
{
    Level *level = &s->levels[s->depth];
    if (level->compared)
        return fail(s, s->at, "two comparisons follow each other: write a < b && b < c");
    return level->compared = true;
}

static bool choose(Syntax *s, char operator)
{
    Level *level = &s->levels[s->depth];
    level->compared = false;
    level->questions += operator== '?' ? 1 : - 1;
    return level->questions >= 0 ||
           fail(s, s->at, "this ':' has no '?' before it: write a ? b : c");
}

static bool read_sign(Syntax *s, bool after_sign)
{
    if (after_sign)
        return fail(s, s->at, "two signs follow each other: put the second into brackets");
    if (s->text[s->at] == '-') emit_operator(s, 'n');
    s->after_sign = true;
    return true;
}

static size_t operator_length(const char *text)
{
    static const char *const operators[] = {"<=", ">=", "==", "!=", "&&", "||", "+", "-", "*",
                                            "/",  "^",  "<",  ">",  "?",  ":",  ",", "(", ")"};
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; ++i)
        if (strncmp(text, operators[i], strlen(operators[i])) == 0) return strlen(operators[i]);
    return 0;
}

static bool read_operator(Syntax *s, size_t length)
{
    const char operator= s->text[s->at];
    const bool after_sign = s->after_sign;
    s->after_sign = false;
    if (operator== '(') return expect_operand(s, 1) && open_level(s, s->at, NULL);
    if (s->operand && (operator== '+' || operator== '-')) return read_sign(s, after_sign);
    if (!expect_operator(s, length)) return false;
    if (operator== ')') return close_level(s);
    if (operator== ',' && !next_argument(s)) return false;
    if ((operator== '?' || operator== ':') && !choose(s, operator)) return false;
    if (operator== '&' || operator== '|') s->levels[s->depth].compared = false;
    if (strchr("<>=!", operator) != NULL && !compare(s)) return false;
    const bool orders = length == 2 && (operator== '<' || operator== '>');
    emit_operator(s, !orders ? operator: operator== '<' ? 'l' : 'g');
    s->operand = true;
    return true;
}

static bool unknown_character(const Syntax *s)
{
    uint32_t code;
    const char *at = s->text + s->at;
    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; ++i)
        if (strangers[i].character == *at) return fail(s, s->at, "%s", strangers[i].right);
    const int length = scene_utf8_read(at, strlen(at), &code);
    return fail(s, s->at, "'%.*s' cannot stand in an expression", length > 0 ? length : 1, at);
}

static bool read_token(Syntax *s)
{
    const char *at = s->text + s->at;
    size_t length = name_length(at);
    bool good;
    if (length > 0) {
        good = read_name(s, &length);
        s->after_sign = false;
    } else if ((length = scene_number_length(at)) > 0) {
        good = read_number(s, length);
        s->after_sign = false;
    } else if ((length = operator_length(at)) > 0) {
        good = read_operator(s, length);
    } else {
        good = unknown_character(s);
    }
    s->at += length;
    return good;
}

static bool read_all(Syntax *s)
{
    for (;;) {
        while (is_blank(s->text[s->at])) ++s->at;
        if (s->text[s->at] == '\0') break;
        if (!read_token(s)) return false;
    }
    if (s->count == 0 && !s->after_sign) return fail(s, 0, "the expression is empty");
    if (s->operand) return fail(s, s->at, "a value is missing at the end");
    if (s->depth > 0) return fail(s, s->levels[s->depth].open, "this '(' is not closed");
    return end_operand(s);
}

Token *scene_tokens(const char *text, const Vocabulary *vocabulary, char *error, size_t error_size)
{
    const size_t length = strlen(text);
    Syntax s = {.text = text,
                .words = vocabulary,
                .operand = true,
                .error = error,
                .error_size = error_size};
    if (error_size > 0) error[0] = '\0';
    if (length > SCENE_LONGEST_EXPRESSION) {
        fail(&s, SCENE_LONGEST_EXPRESSION, "the expression is longer than %d characters",
             SCENE_LONGEST_EXPRESSION);
        return NULL;
    }
    s.tokens = calloc(length + 1, sizeof *s.tokens);
    if (s.tokens == NULL) fail(&s, 0, "out of memory");
    if (s.tokens != NULL && read_all(&s)) {
        emit(&s, (Token){.type = TOKEN_END});
        return s.tokens;
    }
    free(s.tokens);
    return NULL;
}
