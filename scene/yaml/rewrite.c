// A scene's text with other values at some paths, everything else as it stands: comments, order, blanks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stiction/scene.h"
#include "yaml/document.h"

// What replaces length bytes at a place of the text.
typedef struct Edit {
    size_t at, length;
    char *text;
} Edit;

typedef struct Rewriter {
    const char *text;
    size_t length;
    const char *path;
    StiArena arena;
    StiMessages *messages;
    Edit *edits;
    int count, capacity;
    bool failed;
} Rewriter;

static void fail(Rewriter *rewriter, Mark mark, const char *text)
{
    scene_message(rewriter->messages, STI_ERROR, mark, "%s", text);
    rewriter->failed = true;
}

// Where a place is in the text; columns count characters of UTF-8.
static size_t offset_of(const Rewriter *rewriter, Mark mark)
{
    size_t at = rewriter->length >= 3 && memcmp(rewriter->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    for (int line = 1; line < mark.line && at < rewriter->length; ++at)
        if (rewriter->text[at] == '\n') ++line;
    for (int column = 1; column < mark.column && at < rewriter->length; ++column) do
            ++at;
        while (at < rewriter->length && ((unsigned char)rewriter->text[at] & 0xc0) == 0x80);
    return at;
}

static void add_edit(Rewriter *rewriter, size_t at, size_t length, const char *a, const char *b,
                     const char *c, const char *d)
{
    if (rewriter->count == rewriter->capacity) {
        const int capacity = 2 * rewriter->capacity + 16;
        Edit *longer = realloc(rewriter->edits, (size_t)capacity * sizeof *longer);
        if (longer == NULL) {
            rewriter->failed = true;
            return;
        }
        rewriter->edits = longer;
        rewriter->capacity = capacity;
    }
    const size_t size = strlen(a) + strlen(b) + strlen(c) + strlen(d) + 1;
    char *text = malloc(size);
    if (text == NULL) {
        rewriter->failed = true;
        return;
    }
    snprintf(text, size, "%s%s%s%s", a, b, c, d);
    rewriter->edits[rewriter->count++] = (Edit){at, length, text};
}

// ---- what was set, and what stands there -------------------------------------------------------------------

static bool is_set(const Rewriter *rewriter, const Node *node)
{
    return strcmp(node->mark.file, rewriter->path) != 0;
}

// A value as one line of YAML; NULL without memory.
static char *flow_text(const Node *node)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (file == NULL) return NULL;
    if (node->type == NODE_SCALAR) {
        fputs(node->quoted ? "\"" : "", file);
        fputs(node->text, file);
        fputs(node->quoted ? "\"" : "", file);
    } else {
        fputc(node->type == NODE_MAP ? '{' : '[', file);
        for (int i = 0; i < node->count; ++i) {
            char *part =
                flow_text(node->type == NODE_MAP ? node->entries[i].value : node->items[i]);
            fputs(i > 0 ? ", " : "", file);
            if (node->type == NODE_MAP) fprintf(file, "%s: ", node->entries[i].key);
            fputs(part != NULL ? part : "", file);
            free(part);
        }
        fputc(node->type == NODE_MAP ? '}' : ']', file);
    }
    fclose(file);
    return text;
}

static size_t scalar_length(const Rewriter *rewriter, const Node *node, size_t at)
{
    const char quote = rewriter->text[at];
    if (!node->quoted) return strlen(node->text);
    size_t end = at + 1;
    for (; end < rewriter->length && rewriter->text[end] != quote; ++end)
        if (quote == '"' && rewriter->text[end] == '\\') ++end;
    return end + 1 - at;
}

static void replace(Rewriter *rewriter, const Node *was, const Node *now)
{
    if (was->type != NODE_SCALAR) {
        fail(rewriter, was->mark, "a value cannot be written back here: this is no number");
        return;
    }
    char *text = flow_text(now);
    const size_t at = offset_of(rewriter, was->mark);
    if (text != NULL) add_edit(rewriter, at, scalar_length(rewriter, was, at), text, "", "", "");
    free(text);
}

// A new key: first in a map in braces, else a line above the first entry.
static void insert(Rewriter *rewriter, const Node *map, const Entry *entry)
{
    char *text = flow_text(entry->value);
    const size_t at = offset_of(rewriter, map->mark);
    if (text == NULL) return;
    if (at < rewriter->length && rewriter->text[at] == '{') {
        add_edit(rewriter, at + 1, 0, entry->key, ": ", text, map->count > 0 ? ", " : "");
    } else {
        size_t line = at;
        while (line > 0 && rewriter->text[line - 1] != '\n') --line;
        char *indent = calloc(at - line + 2, 1);
        if (indent != NULL) {
            indent[0] = '\n';
            memset(indent + 1, ' ', at - line);
            add_edit(rewriter, at, 0, entry->key, ": ", text, indent);
        }
        free(indent);
    }
    free(text);
}

// Both trees side by side: the one as it stands, the other with the sets.
static void compare(Rewriter *rewriter, const Node *was, const Node *now)
{
    if (is_set(rewriter, now)) {
        replace(rewriter, was, now);
        return;
    }
    if (was->type != now->type) return;
    for (int i = 0; was->type == NODE_LIST && i < was->count; ++i)
        compare(rewriter, was->items[i], now->items[i]);
    for (int i = 0; was->type == NODE_MAP && i < now->count; ++i) {
        if (i < was->count)
            compare(rewriter, was->entries[i].value, now->entries[i].value);
        else
            insert(rewriter, was, &now->entries[i]);
    }
}

// ---- the new text ------------------------------------------------------------------------------------------

static int later_first(const void *a, const void *b)
{
    const Edit *x = a, *y = b;
    return x->at < y->at ? 1 : x->at > y->at ? -1 : 0;
}

static char *apply(Rewriter *rewriter)
{
    size_t length = rewriter->length;
    for (int i = 0; i < rewriter->count; ++i) length += strlen(rewriter->edits[i].text);
    char *text = malloc(length + 1);
    if (text == NULL) return NULL;
    memcpy(text, rewriter->text, rewriter->length);
    text[rewriter->length] = '\0';
    if (rewriter->count > 1)
        qsort(rewriter->edits, (size_t)rewriter->count, sizeof *rewriter->edits, later_first);
    for (int i = 0; i < rewriter->count; ++i) {
        const Edit *edit = &rewriter->edits[i];
        const size_t size = strlen(edit->text);
        char *place = text + edit->at;
        memmove(place + size, place + edit->length, strlen(place + edit->length) + 1);
        memcpy(place, edit->text, size);
    }
    return text;
}

static bool same_tree(const Node *a, const Node *b)
{
    if (a->type != b->type) return false;
    if (a->type == NODE_SCALAR) return a->quoted == b->quoted && strcmp(a->text, b->text) == 0;
    if (a->count != b->count) return false;
    for (int i = 0; i < a->count; ++i) {
        if (a->type == NODE_LIST && !same_tree(a->items[i], b->items[i])) return false;
        if (a->type == NODE_LIST) continue;
        const Node *other = scene_node_find(b, a->entries[i].key);
        if (other == NULL || !same_tree(a->entries[i].value, other)) return false;
    }
    return true;
}

static char *rewrite(Rewriter *rewriter, const char *const *sets, int set_count)
{
    Node *was = scene_document_read(rewriter->text, rewriter->length, rewriter->path,
                                    &rewriter->arena, rewriter->messages);
    Node *now = was != NULL ? scene_document_read(rewriter->text, rewriter->length, rewriter->path,
                                                  &rewriter->arena, rewriter->messages)
                            : NULL;
    for (int i = 0; now != NULL && i < set_count; ++i)
        if (!scene_document_set(now, sets[i], &rewriter->arena, rewriter->messages)) return NULL;
    if (now == NULL) return NULL;
    compare(rewriter, was, now);
    char *text = rewriter->failed ? NULL : apply(rewriter);
    // Anchors and merged maps stand in the text once for several places.
    Node *again = text != NULL ? scene_document_read(text, strlen(text), rewriter->path,
                                                     &rewriter->arena, rewriter->messages)
                               : NULL;
    if (again != NULL && same_tree(now, again)) return text;
    if (!rewriter->failed)
        fail(rewriter, (Mark){rewriter->path, 0, 0},
             "the values cannot be written into this text: it has anchors, merged maps or values "
             "over several lines");
    free(text);
    return NULL;
}

char *sti_scene_rewrite(const char *text, size_t length, const char *path, const char *const *sets,
                        int set_count, StiMessages *messages)
{
    Rewriter rewriter = {.text = text, .length = length, .path = path, .messages = messages};
    char *written = rewrite(&rewriter, sets, set_count);
    for (int i = 0; i < rewriter.count; ++i) free(rewriter.edits[i].text);
    free(rewriter.edits);
    sti_arena_release(&rewriter.arena);
    return written;
}
