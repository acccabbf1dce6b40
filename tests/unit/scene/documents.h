// A document, its memory and its messages. Include after cmocka.h.
#ifndef STICTION_TESTS_SCENE_DOCUMENTS_H
#define STICTION_TESTS_SCENE_DOCUMENTS_H

#include <stdio.h>
#include <string.h>

#include "yaml/document.h"
#include "support/random.h"

typedef struct Document {
    StiArena arena;
    StiMessages *messages;
    Node *root;
} Document;

static inline Document read_bytes(const char *text, size_t length)
{
    Document document = {.messages = sti_messages_create()};
    assert_non_null(document.messages);
    document.root =
        scene_document_read(text, length, "scene.yaml", &document.arena, document.messages);
    return document;
}

static inline Document read_text(const char *text) { return read_bytes(text, strlen(text)); }

static inline void forget(Document *document)
{
    sti_messages_destroy(document->messages);
    sti_arena_release(&document->arena);
}

// All messages, as "scene.yaml:1:2: text" lines.
static inline void list_messages(const StiMessages *messages, char *lines, size_t size)
{
    size_t used = 0;
    lines[0] = '\0';
    for (int i = 0; i < sti_messages_count(messages) && used < size; ++i) {
        const StiMessage *m = sti_messages_at(messages, i);
        used += (size_t)snprintf(lines + used, size - used, "%s:%d:%d: %s\n", m->file, m->line,
                                 m->column, m->text);
    }
}

// The tree in YAML's flow style, with quotes around quoted text: what a test can compare.
static inline void write_node(const Node *node, char *text, size_t size, size_t *used)
{
    const char brackets[] = {node->type == NODE_LIST ? '[' : '{',
                             node->type == NODE_LIST ? ']' : '}'};
    if (*used >= size) return;
    if (node->type == NODE_SCALAR) {
        *used +=
            (size_t)snprintf(text + *used, size - *used, node->quoted ? "'%s'" : "%s", node->text);
        return;
    }
    *used += (size_t)snprintf(text + *used, size - *used, "%c", brackets[0]);
    for (int i = 0; i < node->count && *used < size; ++i) {
        if (i > 0) *used += (size_t)snprintf(text + *used, size - *used, ", ");
        if (*used < size && node->type == NODE_MAP)
            *used += (size_t)snprintf(text + *used, size - *used, "%s: ", node->entries[i].key);
        write_node(node->type == NODE_MAP ? node->entries[i].value : node->items[i], text, size,
                   used);
    }
    if (*used < size) *used += (size_t)snprintf(text + *used, size - *used, "%c", brackets[1]);
}

static inline void assert_tree(const Node *node, const char *expected)
{
    char text[4000] = "";
    size_t used = 0;
    assert_non_null(node);
    write_node(node, text, sizeof text, &used);
    assert_string_equal(text, expected);
}

// Scenes to mutate: all that the format knows, and all of YAML that works.
static const char *const seeds[] = {
    "title: Spring-pulled mass\nstep: 1e-3   # s\nstop: 4\nparameters: {pull: 2}\n"
    "bodies:\n  hand:  {kind: motion, x: \"pull*min(t, 2)\", breaks: [2]}\n"
    "  block: {kind: point, dimensions: 1, mass: 1}\n"
    "elements:\n  spring:   {kind: spring-damper, between: [hand, block], stiffness: 90}\n"
    "  friction: {kind: friction, on: block, model: finite-time, level: 10}\n"
    "record: [block.x, block.v, friction.force, friction.stick]\n"
    "expect:\n  - {what: velocity, channel: block.v, at: 4, value: 0, tolerance: 0, from: exact}\n",
    "base: &base {kind: friction, model: 'lugre', stiffness: 1e5}\n"
    "list: [&one {a: 1, b: [1, 2]}, &two {c: 3}]\n"
    "elements:\n  left:\n    <<: *base\n    on: a\n  right:\n    <<: [*one, *two, *base]\n    on: "
    "b\n",
    "description: |\n  Some text\n  over lines\nother: >\n  folded\n  text\n"
    "\"quoted key\": \"\\u00e4 \\\"x\\\" \\\\\"\n? complex\n: value\ntagged: !!str 5\nempty:\n",
    "bodies: {mass0: {x: [0, 1, 2]}, m.1: {kind: rigid}}\ngrid:\n  block.velocity: {from: -2, to: "
    "2}\n"
    "variants:\n  slow: {set: {friction.level: 3}}\n  fast:\n    set:\n      - a\n      - - b\n    "
    "    - c\n",
};
enum { SEEDS = sizeof seeds / sizeof seeds[0] };

// One random change: a byte, a cut, a repetition, or a piece of YAML in a random place.
static inline size_t mutate(Random *random, char *text, size_t length, size_t size)
{
    static const char *const pieces[] = {"\t",   ": ",    ":",     "- ",
                                         "[",    "]",     "{",     "}",
                                         "\"",   "'",     "\n",    "\n  ",
                                         "&a ",  "*a",    "*base", "<<: *base\n",
                                         "!x ",  "---\n", "...\n", "%",
                                         "#",    "|",     ">",     ",",
                                         "? ",   "\\",    "\xc3",  "\xe2\x82\xac",
                                         "\r\n", "@"};
    enum { PIECES = sizeof pieces / sizeof pieces[0] };
    const size_t at = (size_t)random_below(random, (int)length + 1);
    const int way = random_below(random, 4);
    if (way == 0 && at < length) {
        text[at] = (char)random_below(random, 256);
    } else if (way == 1) {
        const size_t cut = (size_t)random_below(random, 30);
        const size_t gone = at + cut < length ? cut : length - at;
        memmove(text + at, text + at + gone, length - at - gone);
        length -= gone;
    } else {
        const char *piece = way == 2 ? pieces[random_below(random, PIECES)] : text;
        const size_t added =
            way == 2 ? strlen(piece) : (size_t)random_below(random, (int)length + 1);
        if (length + added > size) return length;
        char copy[4000];
        memcpy(copy, piece, added);
        memmove(text + at + added, text + at, length - at);
        memcpy(text + at, copy, added);
        length += added;
    }
    return length;
}

#endif
