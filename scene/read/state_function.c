#include "read/state_function.h"

#include <stdio.h>
#include <string.h>

#include "expression/expression_syntax.h"
#include "text/messages.h"

enum { MOST_VARIABLES = 64, MOST_DEPTH = 256, MOST_EXPRESSIONS = 3 };

struct StateFunction {
    const Node *nodes[MOST_EXPRESSIONS];
    Program programs[MOST_EXPRESSIONS];
    int count;
    const char *variables[MOST_VARIABLES]; // "t" first
    int variable_count;
    StiTimeFunction time; // t itself, with the breaks of what depends on time alone
};

// ---- names in a text ------------------------------------------------------------------------------------

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The next name at or after *at, that is no number's exponent; its length, 0: there is none.
static size_t next_name(const char **at)
{
    const char *c = *at;
    while (*c != '\0' && !is_letter(*c)) {
        if (is_digit(*c) || *c == '.') { // a number, with its exponent
            while (is_digit(*c) || *c == '.') ++c;
            if ((*c == 'e' || *c == 'E') &&
                (is_digit(c[1]) || ((c[1] == '-' || c[1] == '+') && is_digit(c[2]))))
                for (c += 2; is_digit(*c);) ++c;
            continue;
        }
        ++c;
    }
    *at = c;
    size_t length = 0;
    while (is_letter(c[length]) || is_digit(c[length]) || c[length] == '.') ++length;
    return length;
}

static bool has_key(const Reader *reader, const char *section, const char *name)
{
    return scene_node_entry(scene_node_find(reader->root, section), name) != NULL;
}

static int find_name(const Names *names, const char *name)
{
    for (int i = 0; i < names->total; ++i)
        if (strcmp(names->names[i], name) == 0) return i;
    return -1;
}

static bool is_outside(const Reader *reader, const char *name)
{
    const Node node = {.type = NODE_SCALAR, .text = name};
    StiSignal signal;
    return scene_find_outside(reader, &node, &signal);
}

// "block.v", "arm.elbow.q", "screw.force", the name of a controller, an input that is set from outside.
static bool is_channel(const Reader *reader, const char *name)
{
    char component[128];
    const char *dot = strchr(name, '.');
    if (find_name(&reader->names, name) >= 0) return false;
    if (dot == NULL) return has_key(reader, "elements", name) || is_outside(reader, name);
    if ((size_t)(dot - name) >= sizeof component) return false;
    snprintf(component, sizeof component, "%.*s", (int)(dot - name), name);
    return has_key(reader, "bodies", component) || has_key(reader, "elements", component);
}

typedef bool Visit(void *context, const char *name);

// Every name that is not called like a function, until one is not wanted.
static bool visit_names(const char *text, Visit *visit, void *context)
{
    const char *at = text;
    for (size_t length; (length = next_name(&at)) > 0; at += length) {
        char name[128];
        const char *after = at + length;
        while (*after == ' ') ++after;
        if (*after == '(' || length >= sizeof name) continue;
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (!visit(context, name)) return false;
    }
    return true;
}

static bool no_channel(void *context, const char *name) { return !is_channel(context, name); }

static int entry_count(const Node *node) { return node->type == NODE_LIST ? node->count : 1; }

static const Node *entry_of(const Node *node, int i)
{
    return node->type == NODE_LIST ? node->items[i] : node;
}

bool scene_uses_channels(const Reader *reader, const Node *node)
{
    for (int i = 0; i < entry_count(node); ++i) {
        const Node *entry = entry_of(node, i);
        if (entry->type == NODE_SCALAR && entry->text != NULL &&
            !visit_names(entry->text, no_channel, (void *)(size_t)reader))
            return true;
    }
    return false;
}

// ---- reading ----------------------------------------------------------------------------------------------

typedef struct Collection {
    Reader *reader;
    StateFunction *function;
} Collection;

static bool collect(void *context, const char *name)
{
    const Collection *c = context;
    StateFunction *f = c->function;
    const int known = find_name(&c->reader->names, name);
    if (known > c->reader->names.input_count) return true;      // a parameter
    if (known < 0 && !is_channel(c->reader, name)) return true; // the grammar says so
    for (int i = 0; i < f->variable_count; ++i)
        if (strcmp(f->variables[i], name) == 0) return true;
    if (f->variable_count == MOST_VARIABLES) return false;
    f->variables[f->variable_count++] = sti_arena_text(c->reader->arena, name);
    return true;
}

// The variables, then the parameters as constants.
static bool take_words(Reader *reader, const StateFunction *f, Vocabulary *words)
{
    const Names *names = &reader->names;
    const int first = 1 + names->input_count, count = f->variable_count + names->parameter_count;
    const char **list = sti_arena_take(reader->arena, (size_t)count + 1, sizeof *list);
    double *values = sti_arena_take(reader->arena, (size_t)count + 1, sizeof *values);
    const Table **tables = sti_arena_take(reader->arena, (size_t)count + 1, sizeof *tables);
    if (list == NULL || values == NULL || tables == NULL) return false;
    for (int i = 0; i < f->variable_count; ++i) {
        const int known = find_name(names, f->variables[i]);
        list[i] = f->variables[i];
        if (known > 0 && known <= names->input_count) tables[i] = names->tables[known];
    }
    for (int i = 0; i < names->parameter_count; ++i) {
        list[f->variable_count + i] = names->names[first + i];
        values[f->variable_count + i] = names->values[first + i];
    }
    *words = (Vocabulary){list, count, f->variable_count, values, tables};
    return true;
}

static bool compile_entry(Reader *reader, const Vocabulary *words, const char *what,
                          StateFunction *f, int i)
{
    char error[256];
    const Node *node = f->nodes[i];
    Program *program = scene_program_create(node->text, words, error, sizeof error);
    if (program == NULL || program->depth > MOST_DEPTH) {
        scene_error(reader, node->mark, "%s: '%s': %s", what, node->text,
                    program == NULL ? error : "the expression is too deep");
        scene_program_destroy(program);
        return false;
    }
    f->programs[i] = *program;
    if (program->depth > reader->names.depth) reader->names.depth = program->depth;
    f->programs[i].code = sti_arena_copy(reader->arena, program->code,
                                         (size_t)program->count * sizeof *program->code);
    scene_program_destroy(program);
    return f->programs[i].code != NULL;
}

static void read_time(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = t;
}

// Of each variable: 0 for t, the number of an input, -1 for a channel.
static void find_origins(const Names *names, const StateFunction *f, int *origins)
{
    for (int i = 0; i < f->variable_count; ++i) origins[i] = find_name(names, f->variables[i]);
}

const StateFunction *scene_state_function(Reader *reader, const Node *node, const char *what)
{
    StateFunction *f = sti_arena_take(reader->arena, 1, sizeof *f);
    Vocabulary words;
    if (f == NULL) return NULL;
    f->variables[f->variable_count++] = "t";
    for (int i = 0; i < entry_count(node); ++i) {
        const Node *entry = entry_of(node, i);
        if (i == MOST_EXPRESSIONS || entry->type != NODE_SCALAR) {
            scene_error(reader, entry->mark, "%s may have 1 to 3 expressions", what);
            return NULL;
        }
        f->nodes[f->count++] = entry;
        if (!visit_names(entry->text, collect, &(Collection){reader, f})) {
            scene_error(reader, entry->mark, "%s uses more than %d names", what, MOST_VARIABLES);
            return NULL;
        }
    }
    if (!take_words(reader, f, &words)) return NULL;
    bool good = true;
    for (int i = 0; i < f->count; ++i) good = compile_entry(reader, &words, what, f, i) && good;
    if (!good) return NULL;
    int origins[MOST_VARIABLES];
    find_origins(&reader->names, f, origins);
    f->time = (StiTimeFunction){.count = 1, .eval = read_time};
    f->time.breaks = scene_find_state_breaks(reader, f->programs, f->nodes, f->count, origins,
                                             f->variable_count, &f->time.break_count);
    return f;
}

int scene_state_count(const StateFunction *function) { return function->count; }

static void evaluate(const void *data, const double *signals, double *values)
{
    const StateFunction *f = data;
    double stack[MOST_DEPTH];
    for (int i = 0; i < f->count; ++i)
        values[i] = scene_program_value(&f->programs[i], signals, stack);
}

StiSignalForce scene_state_force(const StateFunction *function)
{
    return (StiSignalForce){.dim = function->count,
                            .signals = function->variable_count,
                            .eval = evaluate,
                            .data = function};
}

// ---- connecting -------------------------------------------------------------------------------------------

// Where the name stands in the text of the first expression that uses it, for messages.
static const Node *node_of(const StateFunction *f, const char *name)
{
    for (int i = 0; i < f->count; ++i)
        if (strstr(f->nodes[i]->text, name) != NULL) return f->nodes[i];
    return f->nodes[0];
}

void scene_connect_state(Reader *reader, const StateFunction *f, StiElementId element)
{
    for (int i = 0; i < f->variable_count; ++i) {
        StiSignal signal;
        const int known = find_name(&reader->names, f->variables[i]);
        if (known == 0)
            signal = sti_signal_source(sti_plan_add_time_function(reader->plan, NULL, f->time), 0);
        else if (known > 0)
            signal = sti_signal_source(reader->names.sources[known - 1], 0);
        else if (!scene_find_channel(reader, node_of(f, f->variables[i]), f->variables[i], &signal))
            continue;
        sti_plan_connect(reader->plan, signal, element, i);
    }
}
