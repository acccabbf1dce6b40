#include "yaml/plain.h"

#include <stdlib.h>
#include <string.h>

typedef struct Writer {
    char *text;
    size_t length, size;
    bool failed;
} Writer;

static void put(Writer *w, const char *text, size_t length)
{
    if (w->length + length + 1 > w->size) {
        const size_t size = 2 * (w->length + length + 1);
        char *larger = w->failed ? NULL : realloc(w->text, size);
        if (larger == NULL) {
            w->failed = true;
            return;
        }
        w->text = larger;
        w->size = size;
    }
    memcpy(w->text + w->length, text, length);
    w->length += length;
    w->text[w->length] = '\0';
}

static void put_text(Writer *w, const char *text) { put(w, text, strlen(text)); }

static void put_quoted(Writer *w, const char *text)
{
    put_text(w, "\"");
    for (; *text != '\0'; ++text) {
        if (*text == '\n')
            put_text(w, "\\n");
        else if (*text == '\t')
            put_text(w, "\\t");
        else {
            if (*text == '"' || *text == '\\') put_text(w, "\\");
            put(w, text, 1);
        }
    }
    put_text(w, "\"");
}

// Without quotes a text may be a number; one that needs quotes never is.
static bool is_bare(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
                      digits[] = "0123456789";
    const size_t length = strlen(text), first = strspn(text, "+-.");
    if (strchr(letters, text[first]) == NULL && strchr(digits, text[first]) == NULL) return false;
    size_t bare = first;
    while (bare < length &&
           (strchr(letters, text[bare]) != NULL || strchr(digits, text[bare]) != NULL ||
            strchr("+-._", text[bare]) != NULL))
        ++bare;
    return length > 0 && first < length && bare == length;
}

static void put_node(Writer *w, const Node *node)
{
    if (node->type == NODE_SCALAR) {
        if (node->quoted || !is_bare(node->text))
            put_quoted(w, node->text);
        else
            put_text(w, node->text);
        return;
    }
    put_text(w, node->type == NODE_LIST ? "[" : "{");
    for (int i = 0; i < node->count; ++i) {
        if (i > 0) put_text(w, ", ");
        if (node->type == NODE_MAP) {
            put_quoted(w, node->entries[i].key);
            put_text(w, ": ");
        }
        put_node(w, node->type == NODE_MAP ? node->entries[i].value : node->items[i]);
    }
    put_text(w, node->type == NODE_LIST ? "]" : "}");
}

static bool is_left_out(const Entry *entry, bool fixed_step)
{
    static const char *const keys[] = {"expect", "variants", "grid", "study", "figures"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i)
        if (strcmp(entry->key, keys[i]) == 0) return true;
    return fixed_step && strcmp(entry->key, "method") == 0;
}

// What is recorded of an integrator is not there with a fixed step.
static void put_record(Writer *w, const Node *record)
{
    int written = 0;
    put_text(w, "[");
    for (int i = 0; i < record->count; ++i) {
        const Node *item = record->items[i];
        if (item->type == NODE_SCALAR &&
            strncmp(item->text, "integrator.", strlen("integrator.")) == 0)
            continue;
        if (written++ > 0) put_text(w, ", ");
        put_node(w, item);
    }
    put_text(w, "]");
}

// One component on a line.
static void put_section(Writer *w, const Node *section)
{
    if (section->type != NODE_MAP || section->count == 0) {
        put_node(w, section);
        return;
    }
    for (int i = 0; i < section->count; ++i) {
        put_text(w, i == 0 ? "{\n  " : ",\n  ");
        put_quoted(w, section->entries[i].key);
        put_text(w, ": ");
        put_node(w, section->entries[i].value);
    }
    put_text(w, "}");
}

char *scene_plain_text(const Node *root, bool fixed_step)
{
    Writer writer = {0};
    int written = 0;
    for (int i = 0; i < root->count; ++i) {
        if (is_left_out(&root->entries[i], fixed_step)) continue;
        put_text(&writer, written++ == 0 ? "{" : ",\n");
        put_quoted(&writer, root->entries[i].key);
        put_text(&writer, ": ");
        const Node *value = root->entries[i].value;
        if (fixed_step && strcmp(root->entries[i].key, "record") == 0 && value->type == NODE_LIST)
            put_record(&writer, value);
        else
            put_section(&writer, value);
    }
    put_text(&writer, written == 0 ? "{}\n" : "}\n");
    if (!writer.failed) return writer.text;
    free(writer.text);
    return NULL;
}
