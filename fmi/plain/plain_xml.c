// In an FMU: XML as the export wrote it (export/xml_plain.h), read without a library: elements with
// attributes in double quotes, text, and the five entities.
#include <string.h>

#include "xml/xml.h"

typedef struct Reader {
    const char *at, *end, *file;
    int line, elements;
    StiArena *arena;
} Reader;

static void skip_blanks(Reader *r)
{
    for (; r->at < r->end && strchr(" \t\r\n", *r->at) != NULL && *r->at != '\0'; ++r->at)
        r->line += *r->at == '\n';
}

static bool take(Reader *r, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0) return false;
    r->at += length;
    return true;
}

static char *read_name(Reader *r)
{
    const char *from = r->at;
    while (r->at < r->end && strchr(" \t\r\n=/<>\"", *r->at) == NULL) ++r->at;
    char *name = r->at > from ? sti_arena_take(r->arena, (size_t)(r->at - from) + 1, 1) : NULL;
    if (name != NULL) memcpy(name, from, (size_t)(r->at - from));
    return name;
}

// Of the text up to this mark; false: an entity that the writer does not write.
static bool resolve(Reader *r, char *to)
{
    static const struct {
        const char *name;
        char value;
    } entities[] = {{"&lt;", '<'},   {"&gt;", '>'},  {"&amp;", '&'}, {"&quot;", '"'},
                    {"&#10;", '\n'}, {"&#9;", '\t'}, {"&#13;", '\r'}};
    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; ++i)
        if (take(r, entities[i].name)) {
            *to = entities[i].value;
            return true;
        }
    return false;
}

static char *read_until(Reader *r, char end)
{
    const char *from = r->at;
    while (from < r->end && *from != end) ++from;
    char *text = sti_arena_take(r->arena, (size_t)(from - r->at) + 1, 1), *to = text;
    while (text != NULL && r->at < r->end && *r->at != end) {
        r->line += *r->at == '\n';
        if (*r->at != '&')
            *to++ = *r->at++;
        else if (!resolve(r, to++))
            return NULL;
    }
    return text;
}

static bool read_attributes(Reader *r, XmlElement *element)
{
    XmlAttribute *list = NULL;
    for (skip_blanks(r); r->at < r->end && *r->at != '>' && *r->at != '/'; skip_blanks(r)) {
        const int count = element->attribute_count;
        if ((count & (count - 1)) == 0) {
            XmlAttribute *larger =
                sti_arena_take(r->arena, count > 0 ? 2 * (size_t)count : 1, sizeof *larger);
            if (larger == NULL) return false;
            if (count > 0) memcpy(larger, list, (size_t)count * sizeof *list);
            list = larger;
        }
        const char *name = read_name(r);
        if (name == NULL || !take(r, "=\"")) return false;
        list[count] = (XmlAttribute){name, read_until(r, '"'), {r->file, r->line, 1}};
        if (list[count].value == NULL || !take(r, "\"")) return false;
        element->attributes = list;
        ++element->attribute_count;
    }
    return true;
}

static XmlElement *read_element(Reader *r, XmlElement *parent, int level);

static bool read_children(Reader *r, XmlElement *element, int level)
{
    if (r->at < r->end && *r->at != '<') element->text = read_until(r, '<');
    while (!take(r, "</")) {
        XmlElement *child = read_element(r, element, level + 1);
        if (child == NULL) return false;
        if (element->last_child != NULL)
            element->last_child->next = child;
        else
            element->children = child;
        element->last_child = child;
        skip_blanks(r);
    }
    const char *name = read_name(r);
    if (element->children != NULL) element->text = NULL;
    return name != NULL && strcmp(name, element->name) == 0 && take(r, ">");
}

static XmlElement *read_element(Reader *r, XmlElement *parent, int level)
{
    skip_blanks(r);
    if (!take(r, "<") || level > XML_MOST_LEVELS || ++r->elements > XML_MOST_ELEMENTS) return NULL;
    XmlElement *element = sti_arena_take(r->arena, 1, sizeof *element);
    if (element == NULL) return NULL;
    element->mark = (Mark){r->file, r->line, 1};
    element->parent = parent;
    element->name = read_name(r);
    if (element->name == NULL || !read_attributes(r, element)) return NULL;
    if (take(r, "/>")) return element;
    return take(r, ">") && read_children(r, element, level) ? element : NULL;
}

XmlElement *xml_read(const char *text, size_t length, const char *file, StiArena *arena,
                     StiMessages *messages)
{
    Reader reader = {.at = text, .end = text + length, .file = file, .line = 1, .arena = arena};
    XmlElement *root = read_element(&reader, NULL, 1);
    if (root == NULL)
        scene_message(messages, STI_ERROR, (Mark){file, reader.line, 1},
                      arena->failed ? "out of memory"
                                    : "this is not XML as stiction export writes it");
    return root;
}

const XmlAttribute *xml_attribute(const XmlElement *element, const char *name)
{
    for (int i = 0; i < element->attribute_count; ++i)
        if (strcmp(element->attributes[i].name, name) == 0) return &element->attributes[i];
    return NULL;
}
