// The JSON Schema (draft-07) of scenes, from the same tables of keys that the reader uses.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "read/links.h"
#include "read/models.h"
#include "read/robots.h"
#include "read/sections.h"
#include "read/shapes.h"

typedef struct Writer {
    char *buffer;
    size_t size, used;
    int depth;
    bool for_each; // of elements: one value, or one for each place that they are on
    bool repeated; // an entry may stand for several
} Writer;

static void put(Writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(Writer *w, const char *format, ...)
{
    va_list arguments;
    const size_t room = w->used < w->size ? w->size - w->used : 0;
    va_start(arguments, format);
    const int length = vsnprintf(room > 0 ? w->buffer + w->used : NULL, room, format, arguments);
    va_end(arguments);
    if (length > 0) w->used += (size_t)length;
}

static void line(Writer *w) { put(w, "\n%*s", 2 * w->depth, ""); }

// Between quotes.
static void put_text(Writer *w, const char *text)
{
    put(w, "\"");
    for (; *text != '\0'; ++text) {
        const bool special = *text == '"' || *text == '\\';
        if ((unsigned char)*text < 0x20)
            put(w, "\\u%04x", (unsigned)*text);
        else
            put(w, "%s%c", special ? "\\" : "", *text);
    }
    put(w, "\"");
}

// Schemas of values. Numbers may be expressions, hence text too.
static const char *const value_schemas[] = {
    [VALUE_NUMBER] = "\"$ref\": \"#/definitions/number\"",
    [VALUE_VECTOR] = "\"$ref\": \"#/definitions/vector\"",
    [VALUE_NUMBERS] = "\"$ref\": \"#/definitions/vector\"",
    [VALUE_COUNT] = "\"$ref\": \"#/definitions/number\"",
    [VALUE_TRUTH] = "\"type\": \"boolean\"",
    [VALUE_TEXT] = "\"type\": [\"string\", \"number\"]",
    [VALUE_WORD] = "\"type\": \"string\"",
    [VALUE_MODEL] = "\"$ref\": \"#/definitions/model\"",
    [VALUE_LAW] = "\"$ref\": \"#/definitions/law\"",
    [VALUE_JOINT_TYPE] = "\"$ref\": \"#/definitions/joint-type\"",
    [VALUE_SOLVER_NAME] = "\"$ref\": \"#/definitions/solver-name\"",
    [VALUE_FUNCTION] = "\"$ref\": \"#/definitions/function\"",
    [VALUE_FUNCTIONS] = "\"$ref\": \"#/definitions/functions\"",
    [VALUE_BODY] = "\"$ref\": \"#/definitions/names\"",
    [VALUE_PAIR] =
        "\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"minItems\": 2, \"maxItems\": 2",
    [VALUE_PLANE] = "\"$ref\": \"#/definitions/plane\"",
    [VALUE_FRAME] = "\"$ref\": \"#/definitions/frame\"",
    [VALUE_TABLE] = "\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/vector\"}",
    [VALUE_POINTS] = "\"type\": \"array\"",
    [VALUE_TEXTS] = "\"type\": \"array\", \"items\": {\"anyOf\": [{\"type\": \"string\"}, {\"$ref\": "
                    "\"#/definitions/repeated\"}]}",
    [VALUE_LINKS] =
        "\"type\": \"array\", \"minItems\": 1, \"items\": {\"$ref\": \"#/definitions/link\"}",
    [VALUE_CHAIN] = "\"$ref\": \"#/definitions/chain\"",
    [VALUE_JOINTS] =
        "\"type\": \"object\", \"additionalProperties\": {\"$ref\": \"#/definitions/joint\"}",
    [VALUE_METHOD] =
        "\"anyOf\": [{\"$ref\": \"#/definitions/method\"}, {\"$ref\": \"#/definitions/adaptive\"}]",
    [VALUE_SOLVER] = "\"anyOf\": [{\"$ref\": \"#/definitions/solver-name\"}, {\"$ref\": "
                     "\"#/definitions/solver\"}]",
    [VALUE_SHAPES] = "\"$ref\": \"#/definitions/shapes\"",
    [VALUE_SHAPE] = "\"anyOf\": [{\"enum\": [\"point\", \"sphere\", \"box\"]}, {\"$ref\": "
                    "\"#/definitions/shapes\"}]",
    [VALUE_OBSTACLES] =
        "\"anyOf\": [{\"$ref\": \"#/definitions/obstacle\"}, {\"type\": \"array\", \"minItems\": "
        "1, \"items\": {\"$ref\": \"#/definitions/obstacle\"}}]",
    [VALUE_PAIRS] =
        "\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}, "
        "\"minItems\": 2, \"maxItems\": 2}",
    [VALUE_ANY] = "",
};

static void put_words(Writer *w, const char *const *words)
{
    put(w, ", \"enum\": [");
    for (int i = 0; words[i] != NULL; ++i) put(w, "%s\"%s\"", i > 0 ? ", " : "", words[i]);
    put(w, "]");
}

// One property; the kind of a component is fixed to its name.
static void put_key(Writer *w, const Key *key, const char *kind)
{
    const bool fixed = kind != NULL && strcmp(key->name, "kind") == 0;
    const char *schema = fixed ? "" : value_schemas[key->type];
    put(w, "\"%s\": {", key->name);
    if (fixed) put(w, "\"const\": \"%s\", ", kind);
    const bool single = key->type == VALUE_NUMBER || key->type == VALUE_FUNCTION ||
                        key->type == VALUE_COUNT || key->type == VALUE_TRUTH;
    if (w->for_each && single && !fixed)
        put(w, "\"anyOf\": [{%s}, {\"type\": \"array\", \"items\": {\"anyOf\": [{%s}, {\"$ref\": "
               "\"#/definitions/repeated\"}]}}], ",
            schema, schema);
    else
        put(w, "%s%s", schema, schema[0] != '\0' ? ", " : "");
    put(w, "\"description\": ");
    char meaning[1024], users[512] = "";
    if (kind != NULL && strcmp(kind, "friction") == 0)
        scene_friction_key_users(key->name, users, sizeof users);
    snprintf(meaning, sizeof meaning, "%s%s", key->meaning, users);
    put_text(w, meaning);
    if (key->words != NULL) put_words(w, key->words);
    put(w, "}");
}

static void put_required(Writer *w, const Key *keys, int count)
{
    bool first = true;
    for (int i = 0; i < count; ++i) {
        if (!keys[i].required) continue;
        put(w, first ? "\"required\": [\"%s\"" : ", \"%s\"", keys[i].name);
        first = false;
    }
    if (!first) {
        put(w, "],");
        line(w);
    }
}

// An object with exactly these keys.
static void put_object(Writer *w, const Key *keys, int count, const char *kind)
{
    put(w, "\"type\": \"object\",");
    line(w);
    put_required(w, keys, count);
    put(w, "\"additionalProperties\": false,");
    line(w);
    put(w, "\"properties\": {");
    ++w->depth;
    for (int i = 0; i < count; ++i) {
        line(w);
        put_key(w, &keys[i], kind);
        if (i + 1 < count || w->repeated) put(w, ",");
    }
    if (w->repeated) {
        line(w);
        put(w, "\"repeat\": {\"$ref\": \"#/definitions/repeats\"}");
    }
    --w->depth;
    line(w);
    put(w, "}");
}

static void put_definition(Writer *w, const char *name, const Key *keys, int count,
                           const char *kind)
{
    line(w);
    put(w, "\"%s\": {", name);
    ++w->depth;
    line(w);
    put_object(w, keys, count, kind);
    --w->depth;
    line(w);
    put(w, "},");
}

// Definitions of all kinds of a section, and the choice between them.
static void put_kinds(Writer *w, const char *section, const Kind *kinds, int count)
{
    char name[128];
    for (int i = 0; i < count; ++i) {
        FrictionKeys friction;
        snprintf(name, sizeof name, "%s-%s", section, kinds[i].name);
        if (kinds[i].keys == NULL) scene_friction_keys(&friction);
        put_definition(w, name, kinds[i].keys != NULL ? kinds[i].keys : friction.keys,
                       kinds[i].keys != NULL ? kinds[i].key_count : friction.count, kinds[i].name);
    }
    line(w);
    put(w, "\"%s\": {\"oneOf\": [", section);
    for (int i = 0; i < count; ++i)
        put(w, "%s{\"$ref\": \"#/definitions/%s-%s\"}", i > 0 ? ", " : "", section, kinds[i].name);
    put(w, "]},");
}

static void put_values(Writer *w)
{
    static const char *const definitions[] = {
        "\"number\": {\"type\": [\"number\", \"string\"]},",
        "\"vector\": {\"anyOf\": [{\"$ref\": \"#/definitions/number\"}, {\"type\": \"array\", "
        "\"items\": {\"anyOf\": [{\"$ref\": \"#/definitions/number\"}, {\"$ref\": "
        "\"#/definitions/repeated\"}]}}]},",
        "\"csv\": {\"type\": \"object\", \"required\": [\"csv\", \"column\"], "
        "\"additionalProperties\": false, "
        "\"properties\": {\"csv\": {\"type\": \"string\"}, \"column\": {\"type\": \"string\"}, "
        "\"time\": {\"type\": "
        "\"string\"}, \"interpolation\": {\"enum\": [\"linear\", \"hold\"]}}},",
        "\"function\": {\"anyOf\": [{\"$ref\": \"#/definitions/number\"}, {\"$ref\": "
        "\"#/definitions/csv\"}]},",
        "\"functions\": {\"anyOf\": [{\"$ref\": \"#/definitions/function\"}, {\"type\": \"array\", "
        "\"items\": "
        "{\"$ref\": \"#/definitions/function\"}}]},",
        "\"names\": {\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"anyOf\": [{\"type\": "
        "\"string\"}, {\"$ref\": \"#/definitions/repeated\"}]}}]},",
        "\"repeats\": {\"description\": \"this entry stands for several\", \"anyOf\": [{\"$ref\": "
        "\"#/definitions/number\"}, {\"$ref\": \"#/definitions/repeat\"}, {\"type\": \"array\", \"items\": "
        "{\"$ref\": \"#/definitions/repeat\"}}]},",
        "\"repeated\": {\"type\": \"object\", \"required\": [\"repeat\"], \"additionalProperties\": false, "
        "\"properties\": {\"repeat\": {\"$ref\": \"#/definitions/repeats\"}, \"item\": {}, \"items\": "
        "{\"type\": \"array\"}}},",
        "\"frame\": {\"type\": \"object\", \"additionalProperties\": false, \"properties\": "
        "{\"position\": "
        "{\"$ref\": \"#/definitions/vector\"}, \"attitude\": {\"$ref\": "
        "\"#/definitions/vector\"}}},",
        "\"shapes\": {\"anyOf\": [{\"$ref\": \"#/definitions/shape\"}, {\"type\": \"array\", "
        "\"minItems\": 1, "
        "\"items\": {\"$ref\": \"#/definitions/shape\"}}]},",
        "\"obstacle\": {\"anyOf\": [{\"type\": \"string\"}, {\"$ref\": \"#/definitions/shape\"}, "
        "{\"type\": "
        "\"object\", \"required\": [\"plane\"], \"additionalProperties\": false, \"properties\": "
        "{\"plane\": "
        "{\"$ref\": \"#/definitions/plane\"}}}]},",
    };
    for (size_t i = 0; i < sizeof definitions / sizeof definitions[0]; ++i) {
        line(w);
        put(w, "%s", definitions[i]);
    }
}

// The sections that are maps or lists of their own.
static const char *section_schema(const char *key)
{
    static const char *const sections[][2] = {
        {"parameters",
         "\"type\": \"object\", \"additionalProperties\": {\"$ref\": \"#/definitions/number\"}"},
        {"inputs",
         "\"type\": \"object\", \"additionalProperties\": {\"anyOf\": [{\"$ref\": "
         "\"#/definitions/function\"}, {\"type\": \"object\", \"required\": [\"value\"], "
         "\"additionalProperties\": false, \"properties\": {\"value\": {\"$ref\": "
         "\"#/definitions/number\"}, \"unit\": {\"type\": \"string\"}}}]}"},
        {"bodies",
         "\"type\": \"object\", \"additionalProperties\": {\"$ref\": \"#/definitions/body\"}"},
        {"elements",
         "\"type\": \"object\", \"additionalProperties\": {\"$ref\": \"#/definitions/element\"}"},
        {"expect", "\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/expectation\"}"},
        {"variants", "\"type\": \"object\", \"additionalProperties\": {\"type\": \"object\", "
                     "\"required\": [\"set\"], "
                     "\"additionalProperties\": false, \"properties\": {\"set\": {\"type\": "
                     "\"object\"}, \"expect\": {\"type\": "
                     "\"array\", \"items\": {\"$ref\": \"#/definitions/expectation\"}}}}"},
        {"study", "\"$ref\": \"#/definitions/study\""},
        {"fit", "\"$ref\": \"#/definitions/fit\""},
        {"figures", "\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/figure\"}"},
        {"grid",
         "\"type\": \"object\", \"additionalProperties\": {\"type\": \"object\", \"required\": "
         "[\"from\", \"to\", "
         "\"count\"], \"additionalProperties\": false, \"properties\": {\"from\": {\"$ref\": "
         "\"#/definitions/number\"}, \"to\": {\"$ref\": \"#/definitions/number\"}, \"count\": "
         "{\"$ref\": "
         "\"#/definitions/number\"}}}"},
    };
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; ++i)
        if (strcmp(sections[i][0], key) == 0) return sections[i][1];
    return NULL;
}

// The names that the registry has of a role.
static void put_names(Writer *w, const char *definition, StiKindRole role)
{
    StiEntry entry;
    line(w);
    put(w, "\"%s\": {\"type\": \"string\", \"enum\": [", definition);
    for (int i = 0; sti_registry_at(role, i, &entry); ++i)
        put(w, "%s\"%s\"", i > 0 ? ", " : "", entry.name);
    put(w, "]},");
}

static void put_top_level(Writer *w)
{
    int count;
    const Key *keys = scene_top_level(&count);
    put_required(w, keys, count);
    put(w, "\"additionalProperties\": false,");
    line(w);
    put(w, "\"properties\": {");
    ++w->depth;
    for (int i = 0; i < count; ++i) {
        const char *section = section_schema(keys[i].name);
        line(w);
        if (section != NULL) {
            put(w, "\"%s\": {%s, \"description\": ", keys[i].name, section);
            put_text(w, keys[i].meaning);
            put(w, "}");
        } else {
            put_key(w, &keys[i], NULL);
        }
        if (i + 1 < count) put(w, ",");
    }
    --w->depth;
    line(w);
    put(w, "}");
}

size_t sti_scene_schema(char *buffer, size_t size)
{
    Writer w = {.buffer = buffer, .size = size, .depth = 1};
    int bodies, elements, expectation, figure, varied, measure, study, fit;
    const Kind *body_kinds = scene_body_kinds(&bodies),
               *element_kinds = scene_element_kinds(&elements);
    const Key *expectation_keys = scene_expectation_keys(&expectation);
    const Key *figure_keys = scene_figure_keys(&figure), *study_keys = scene_study_keys(&study);
    const Key *varied_keys = scene_varied_keys(&varied), *fit_keys = scene_fit_keys(&fit);
    const Key *measure_keys = scene_study_measure_keys(&measure);
    put(&w, "{");
    line(&w);
    put(&w, "\"$schema\": \"http://json-schema.org/draft-07/schema#\",");
    line(&w);
    put(&w, "\"title\": \"stiction scene\",");
    line(&w);
    put(&w, "\"type\": \"object\",");
    line(&w);
    put(&w, "\"definitions\": {");
    ++w.depth;
    put_values(&w);
    put_names(&w, "method", STI_ROLE_METHOD);
    put_names(&w, "solver-name", STI_ROLE_SOLVER);
    put_names(&w, "model", STI_ROLE_FRICTION);
    put_names(&w, "law", STI_ROLE_LAW);
    put_names(&w, "joint-type", STI_ROLE_JOINT);
    put_definition(&w, "solver", scene_solver_keys, SCENE_SOLVER_KEYS, NULL);
    put_definition(&w, "adaptive", scene_method_keys, SCENE_METHOD_KEYS, NULL);
    put_definition(&w, "repeat", scene_repeat_keys, SCENE_REPEAT_KEYS, NULL);
    w.repeated = true;
    put_definition(&w, "shape", scene_shape_keys, SCENE_SHAPE_KEYS, NULL);
    put_definition(&w, "plane", scene_plane_keys, SCENE_PLANE_KEYS - 1, NULL);
    put_definition(&w, "link", scene_link_keys, SCENE_LINK_KEYS, NULL);
    put_definition(&w, "joint", scene_joint_keys, SCENE_JOINT_KEYS, NULL);
    put_kinds(&w, "body", body_kinds, bodies);
    w.for_each = true;
    put_kinds(&w, "element", element_kinds, elements);
    w.for_each = w.repeated = false;
    put_definition(&w, "chain", scene_chain_keys, SCENE_CHAIN_KEYS, NULL);
    put_definition(&w, "figure", figure_keys, figure, NULL);
    put_definition(&w, "varied", varied_keys, varied, NULL);
    put_definition(&w, "measure", measure_keys, measure, NULL);
    put_definition(&w, "study", study_keys, study, NULL);
    put_definition(&w, "fit", fit_keys, fit, NULL);
    line(&w);
    put(&w, "\"expectation\": {");
    ++w.depth;
    line(&w);
    w.repeated = true;
    put_object(&w, expectation_keys, expectation, NULL);
    --w.depth;
    line(&w);
    put(&w, "}");
    --w.depth;
    line(&w);
    put(&w, "},");
    line(&w);
    put_top_level(&w);
    --w.depth;
    line(&w);
    put(&w, "}\n");
    return w.used;
}
