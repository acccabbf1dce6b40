// A small validator for JSON Schema, draft-07: the keywords that docs/scene.schema.json uses,
// and no others. Schema and instance are trees of YAML nodes, for JSON is YAML. Include after
// cmocka.h.
#ifndef STICTION_TESTS_SCENE_VALIDATOR_H
#define STICTION_TESTS_SCENE_VALIDATOR_H

#include <string.h>

#include "yaml/document.h"
#include "text/number.h"

static inline bool is_plain(const Node *node, const char *const *texts)
{
    for (int i = 0; node->type == NODE_SCALAR && !node->quoted && texts[i] != NULL; ++i)
        if (strcmp(node->text, texts[i]) == 0) return true;
    return false;
}

// The type of a node, as YAML 1.2 (core schema) has it.
static inline const char *json_type(const Node *node)
{
    double number;
    if (node->type == NODE_MAP) return "object";
    if (node->type == NODE_LIST) return "array";
    if (node->quoted) return "string";
    if (is_plain(node, (const char *const[]){"", "~", "null", NULL})) return "null";
    if (is_plain(node, (const char *const[]){"true", "false", NULL})) return "boolean";
    return scene_number_read(node->text, strlen(node->text), &number) ? "number" : "string";
}

static inline bool has_type(const Node *type, const Node *node)
{
    if (type->type == NODE_SCALAR) return strcmp(type->text, json_type(node)) == 0;
    for (int i = 0; i < type->count; ++i)
        if (strcmp(type->items[i]->text, json_type(node)) == 0) return true;
    return false;
}

static inline bool accepts(const Node *root, const Node *schema, const Node *node);

static inline int accepted_by(const Node *root, const Node *schemas, const Node *node)
{
    int count = 0;
    for (int i = 0; i < schemas->count; ++i) count += accepts(root, schemas->items[i], node);
    return count;
}

static inline bool has_word(const Node *words, const Node *node)
{
    for (int i = 0; i < words->count; ++i)
        if (node->type == NODE_SCALAR && strcmp(words->items[i]->text, node->text) == 0)
            return true;
    return false;
}

static inline bool has_all(const Node *required, const Node *node)
{
    for (int i = 0; node->type == NODE_MAP && i < required->count; ++i)
        if (scene_node_find(node, required->items[i]->text) == NULL) return false;
    return true;
}

static inline bool fits_properties(const Node *root, const Node *schema, const Node *node)
{
    const Node *properties = scene_node_find(schema, "properties");
    const Node *others = scene_node_find(schema, "additionalProperties");
    for (int i = 0; node->type == NODE_MAP && i < node->count; ++i) {
        const Node *property = scene_node_find(properties, node->entries[i].key);
        if (property == NULL && others != NULL &&
            is_plain(others, (const char *const[]){"false", NULL}))
            return false;
        if (property == NULL) property = others;
        if (property != NULL && property->type == NODE_MAP &&
            !accepts(root, property, node->entries[i].value))
            return false;
    }
    return true;
}

static inline bool fits_items(const Node *root, const Node *items, const Node *node)
{
    for (int i = 0; node->type == NODE_LIST && i < node->count; ++i)
        if (!accepts(root, items, node->items[i])) return false;
    return true;
}

static inline const Node *referred(const Node *root, const Node *reference)
{
    static const char start[] = "#/definitions/";
    assert_true(strncmp(reference->text, start, strlen(start)) == 0);
    const Node *found =
        scene_node_find(scene_node_find(root, "definitions"), reference->text + strlen(start));
    if (found == NULL) print_error("the schema has no %s\n", reference->text);
    assert_non_null(found);
    return found;
}

static inline bool fits(const Node *root, const Node *schema, const char *keyword,
                        const Node *value, const Node *node)
{
    const bool list = node->type == NODE_LIST;
    if (strcmp(keyword, "type") == 0) return has_type(value, node);
    if (strcmp(keyword, "const") == 0)
        return node->type == NODE_SCALAR && strcmp(value->text, node->text) == 0;
    if (strcmp(keyword, "enum") == 0) return has_word(value, node);
    if (strcmp(keyword, "required") == 0) return has_all(value, node);
    if (strcmp(keyword, "properties") == 0) return fits_properties(root, schema, node);
    if (strcmp(keyword, "additionalProperties") == 0) return fits_properties(root, schema, node);
    if (strcmp(keyword, "items") == 0) return fits_items(root, value, node);
    if (strcmp(keyword, "oneOf") == 0) return accepted_by(root, value, node) == 1;
    if (strcmp(keyword, "anyOf") == 0) return accepted_by(root, value, node) >= 1;
    if (strcmp(keyword, "minItems") == 0)
        return !list || node->count >= (int)strtol(value->text, NULL, 10);
    if (strcmp(keyword, "maxItems") == 0)
        return !list || node->count <= (int)strtol(value->text, NULL, 10);
    if (strcmp(keyword, "$ref") == 0) return accepts(root, referred(root, value), node);
    static const char *const silent[] = {"description", "title", "$schema", "definitions"};
    for (size_t i = 0; i < sizeof silent / sizeof silent[0]; ++i)
        if (strcmp(keyword, silent[i]) == 0) return true;
    print_error("this validator does not know the keyword %s\n", keyword);
    fail();
    return false;
}

// Beside $ref all other keywords are ignored: draft-07.
static inline bool accepts(const Node *root, const Node *schema, const Node *node)
{
    const Node *reference = scene_node_find(schema, "$ref");
    if (reference != NULL) return fits(root, schema, "$ref", reference, node);
    for (int i = 0; i < schema->count; ++i)
        if (!fits(root, schema, schema->entries[i].key, schema->entries[i].value, node))
            return false;
    return true;
}

// ---- is it JSON? --------------------------------------------------------------------------------

static inline const char *skip_space(const char *at) { return at + strspn(at, " \t\r\n"); }

// Each of these returns the place behind what it reads, NULL if that is not there.
static inline const char *json_value(const char *at);

static inline const char *json_string(const char *at)
{
    if (*at++ != '"') return NULL;
    for (; *at != '"'; ++at) {
        if ((unsigned char)*at < 0x20) return NULL;
        if (*at != '\\') continue;
        ++at;
        if (*at == '\0' || strchr("\"\\/bfnrtu", *at) == NULL) return NULL;
        if (*at == 'u' && strspn(at + 1, "0123456789abcdefABCDEF") < 4) return NULL;
    }
    return at + 1;
}

static inline const char *json_entry(const char *at)
{
    at = json_string(skip_space(at));
    if (at == NULL || *(at = skip_space(at)) != ':') return NULL;
    return json_value(at + 1);
}

static inline const char *json_many(const char *at, const char *one(const char *), char end)
{
    at = skip_space(at + 1);
    if (*at == end) return at + 1;
    for (;;) {
        at = one(at);
        if (at == NULL) return NULL;
        at = skip_space(at);
        if (*at == end) return at + 1;
        if (*at++ != ',') return NULL;
    }
}

static inline const char *json_value(const char *at)
{
    at = skip_space(at);
    if (*at == '{') return json_many(at, json_entry, '}');
    if (*at == '[') return json_many(at, json_value, ']');
    if (*at == '"') return json_string(at);
    static const char *const words[] = {"true", "false", "null"};
    for (int i = 0; i < 3; ++i)
        if (strncmp(at, words[i], strlen(words[i])) == 0) return at + strlen(words[i]);
    const size_t length = scene_number_length(at + (*at == '-'));
    return length > 0 ? at + (*at == '-') + length : NULL;
}

static inline bool is_json(const char *text)
{
    const char *end = json_value(text);
    return end != NULL && *skip_space(end) == '\0';
}

// ---- the schema of scenes -----------------------------------------------------------------------

// The generated text. To be freed.
static inline char *schema_text(void)
{
    const size_t length = sti_scene_schema(NULL, 0);
    char *text = malloc(length + 1);
    assert_non_null(text);
    assert_int_equal(sti_scene_schema(text, length + 1), length);
    return text;
}

typedef struct Schema {
    StiArena arena;
    StiMessages *messages;
    const Node *root;
} Schema;

static inline Schema schema_read(void)
{
    Schema schema = {.messages = sti_messages_create()};
    char *text = schema_text();
    schema.root = scene_document_read(text, strlen(text), "schema", &schema.arena, schema.messages);
    free(text);
    assert_non_null(schema.root);
    return schema;
}

static inline void schema_forget(Schema *schema)
{
    sti_messages_destroy(schema->messages);
    sti_arena_release(&schema->arena);
}

static inline bool schema_accepts(const Schema *schema, const char *text)
{
    StiArena arena = {0};
    StiMessages *messages = sti_messages_create();
    const Node *root = scene_document_read(text, strlen(text), "scene", &arena, messages);
    const bool good = root != NULL && accepts(schema->root, schema->root, root);
    sti_messages_destroy(messages);
    sti_arena_release(&arena);
    return good;
}

#endif
