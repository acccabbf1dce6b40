#include "xml/xml.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>

typedef struct Builder {
    XML_Parser parser;
    const char *text, *file;
    size_t length;
    StiArena *arena;
    StiMessages *messages;
    XmlElement *root, *open; // open: the innermost element that has not ended
    int levels, elements;
    bool stopped; // after a message
    char *words;  // text since the last tag
    size_t words_length, words_size;
} Builder;

static Mark mark_here(const Builder *builder)
{
    return (Mark){builder->file, (int)XML_GetCurrentLineNumber(builder->parser),
                  (int)XML_GetCurrentColumnNumber(builder->parser) + 1};
}

static void stop(Builder *builder, const char *why)
{
    if (!builder->stopped)
        scene_message(builder->messages, STI_ERROR, mark_here(builder), "%s", why);
    builder->stopped = true;
    XML_StopParser(builder->parser, XML_FALSE);
}

// ---- places of attributes -----------------------------------------------------------------------

// expat says where an element begins, but not its attributes: they are looked up in the text.
typedef struct Cursor {
    const char *at, *end;
    int line, column;
} Cursor;

static bool more(const Cursor *cursor) { return cursor->at < cursor->end; }

static void advance(Cursor *cursor)
{
    const char c = *cursor->at++;
    const bool line_feed_follows = more(cursor) && *cursor->at == '\n';
    if (c == '\n' || (c == '\r' && !line_feed_follows)) {
        ++cursor->line;
        cursor->column = 1;
    } else if (((unsigned char)c & 0xc0) != 0x80) { // bytes within a character have no column
        ++cursor->column;
    }
}

static void skip_blanks(Cursor *cursor)
{
    while (more(cursor) && strchr(" \t\r\n", *cursor->at) != NULL && *cursor->at != '\0')
        advance(cursor);
}

static void skip_past(Cursor *cursor, char c)
{
    while (more(cursor) && *cursor->at != c) advance(cursor);
    if (more(cursor)) advance(cursor);
}

static void skip_attribute(Cursor *cursor)
{
    skip_past(cursor, '=');
    skip_blanks(cursor);
    if (!more(cursor)) return;
    const char quote = *cursor->at;
    advance(cursor);
    skip_past(cursor, quote);
}

// False where the text is not in an encoding that has ASCII in it.
static bool after_name(const Builder *builder, const XmlElement *element, Cursor *cursor)
{
    const XML_Index index = XML_GetCurrentByteIndex(builder->parser);
    const size_t name = strlen(element->name), start = (size_t)index;
    if (index < 0 || start >= builder->length || builder->length - start <= name) return false;
    const char *text = builder->text + start;
    if (text[0] != '<' || memcmp(text + 1, element->name, name) != 0) return false;
    *cursor =
        (Cursor){text, builder->text + builder->length, element->mark.line, element->mark.column};
    while (cursor->at < text + 1 + name) advance(cursor);
    return true;
}

static void mark_attributes(const Builder *builder, const XmlElement *element,
                            XmlAttribute *attributes)
{
    Cursor cursor = {.at = NULL};
    const bool found = after_name(builder, element, &cursor);
    for (int i = 0; i < element->attribute_count; ++i) {
        attributes[i].mark = element->mark;
        if (!found) continue;
        skip_blanks(&cursor);
        attributes[i].mark.line = cursor.line;
        attributes[i].mark.column = cursor.column;
        skip_attribute(&cursor);
    }
}

// ---- elements -----------------------------------------------------------------------------------

static void read_attributes(Builder *builder, XmlElement *element, const XML_Char **pairs)
{
    int count = 0;
    while (pairs[2 * count] != NULL) ++count;
    XmlAttribute *attributes =
        sti_arena_take(builder->arena, (size_t)count + 1, sizeof *attributes);
    if (attributes == NULL) return;
    for (int i = 0; i < count; ++i) {
        attributes[i].name = sti_arena_text(builder->arena, pairs[2 * i]);
        attributes[i].value = sti_arena_text(builder->arena, pairs[2 * i + 1]);
    }
    element->attributes = attributes;
    element->attribute_count = count;
    if (!builder->arena->failed) mark_attributes(builder, element, attributes);
}

static void append(Builder *builder, XmlElement *element)
{
    XmlElement *parent = builder->open;
    element->parent = parent;
    if (parent == NULL)
        builder->root = element;
    else if (parent->last_child == NULL)
        parent->children = element;
    else
        parent->last_child->next = element;
    if (parent != NULL) parent->last_child = element;
    builder->open = element;
}

static void start_element(void *data, const XML_Char *name, const XML_Char **pairs)
{
    Builder *builder = data;
    if (builder->stopped) return;
    builder->words_length = 0;
    if (builder->levels++ == XML_MOST_LEVELS) {
        stop(builder, "elements are nested more than 64 levels deep; a model needs no more");
        return;
    }
    if (builder->elements++ == XML_MOST_ELEMENTS) {
        stop(builder, "the file has more than 100000 elements, which is more than is read");
        return;
    }
    XmlElement *element = sti_arena_take(builder->arena, 1, sizeof *element);
    if (element != NULL) {
        element->name = sti_arena_text(builder->arena, name);
        element->mark = mark_here(builder);
        if (element->name != NULL) read_attributes(builder, element, pairs);
        append(builder, element);
    }
    if (builder->arena->failed) stop(builder, "out of memory");
}

static bool is_blank_byte(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static void add_words(void *data, const XML_Char *text, int length)
{
    Builder *builder = data;
    const size_t needed = builder->words_length + (size_t)length + 1;
    if (builder->stopped) return;
    if (needed > builder->words_size) {
        char *longer = realloc(builder->words, 2 * needed);
        if (longer == NULL) {
            stop(builder, "out of memory");
            return;
        }
        builder->words = longer;
        builder->words_size = 2 * needed;
    }
    memcpy(builder->words + builder->words_length, text, (size_t)length);
    builder->words_length += (size_t)length;
}

static void keep_words(Builder *builder)
{
    size_t from = 0, to = builder->words_length;
    while (from < to && is_blank_byte(builder->words[from])) ++from;
    while (to > from && is_blank_byte(builder->words[to - 1])) --to;
    if (from == to) return;
    builder->words[to] = '\0';
    builder->open->text = sti_arena_text(builder->arena, builder->words + from);
}

static void end_element(void *data, const XML_Char *name)
{
    Builder *builder = data;
    (void)name;
    if (builder->stopped || builder->open == NULL) return;
    if (builder->open->children == NULL) keep_words(builder);
    builder->words_length = 0;
    builder->open = builder->open->parent;
    --builder->levels;
}

static void refuse_document_type(void *data, const XML_Char *name, const XML_Char *system,
                                 const XML_Char *public, int internal)
{
    (void)name, (void)system, (void)public, (void)internal;
    stop(data, "<!DOCTYPE> is refused: a model needs no document type and no entities of its own");
}

// ---- what is wrong ------------------------------------------------------------------------------

static const char *advice(enum XML_Error code)
{
    switch (code) {
    case XML_ERROR_NO_ELEMENTS:
        return "a model is one element, as <robot name=\"...\"> to </robot>";
    case XML_ERROR_SYNTAX:
        return "a model begins with <robot name=\"...\">, <mujoco> or <sdf>, after <?xml ...?> if there is that";
    case XML_ERROR_INVALID_TOKEN:
        return "XML has <name attribute=\"value\"> with quotes, and &lt; and &amp; for < and &";
    case XML_ERROR_UNCLOSED_TOKEN:
    case XML_ERROR_PARTIAL_CHAR:
        return "the file ends in the middle of this";
    case XML_ERROR_DUPLICATE_ATTRIBUTE:
        return "an element has each attribute once";
    case XML_ERROR_JUNK_AFTER_DOC_ELEMENT:
        return "nothing may follow the first element";
    case XML_ERROR_UNDEFINED_ENTITY:
        return "only &lt; &gt; &amp; &quot; &apos; and numbers such as &#176; are known";
    case XML_ERROR_UNKNOWN_ENCODING:
    case XML_ERROR_INCORRECT_ENCODING:
        return "save the file as UTF-8";
    case XML_ERROR_MISPLACED_XML_PI:
        return "<?xml ...?> stands at the very beginning of a file, or not at all";
    default:
        return NULL;
    }
}

static void explain(Builder *builder)
{
    const enum XML_Error code = XML_GetErrorCode(builder->parser);
    const char *why = XML_ErrorString(code), *right = advice(code);
    const XmlElement *open = builder->open;
    const bool unclosed = code == XML_ERROR_TAG_MISMATCH || code == XML_ERROR_NO_ELEMENTS;
    if (code == XML_ERROR_NO_MEMORY)
        stop(builder, "out of memory");
    else if (unclosed && open != NULL)
        scene_message(builder->messages, STI_ERROR, mark_here(builder),
                      "<%.60s> of line %d, column %d is still open here: </%.60s> is missing",
                      open->name, open->mark.line, open->mark.column, open->name);
    else if (right != NULL)
        scene_message(builder->messages, STI_ERROR, mark_here(builder), "not XML, %s: %s", why,
                      right);
    else
        scene_message(builder->messages, STI_ERROR, mark_here(builder), "not XML: %s", why);
}

static bool is_blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length; ++i)
        if (text[i] == '\0' || strchr(" \t\r\n", text[i]) == NULL) return false;
    return true;
}

static bool fits(const Builder *builder)
{
    const Mark start = {builder->file, 1, 1};
    if (is_blank(builder->text, builder->length))
        scene_message(builder->messages, STI_ERROR, start,
                      "the file is empty: a model is a <robot name=\"...\">, <mujoco> or <sdf>");
    else if (builder->length > XML_MOST_BYTES)
        scene_message(builder->messages, STI_ERROR, (Mark){builder->file, 0, 0},
                      "the file has %zu bytes; at most %d are read", builder->length,
                      (int)XML_MOST_BYTES);
    else
        return true;
    return false;
}

XmlElement *xml_read(const char *text, size_t length, const char *file, StiArena *arena,
                     StiMessages *messages)
{
    Builder builder = {
        .text = text, .length = length, .file = file, .arena = arena, .messages = messages};
    if (!fits(&builder)) return NULL;
    builder.parser = XML_ParserCreate(NULL);
    if (builder.parser == NULL) {
        scene_message(messages, STI_ERROR, (Mark){file, 0, 0}, "out of memory");
        return NULL;
    }
    XML_SetUserData(builder.parser, &builder);
    XML_SetElementHandler(builder.parser, start_element, end_element);
    XML_SetCharacterDataHandler(builder.parser, add_words);
    XML_SetStartDoctypeDeclHandler(builder.parser, refuse_document_type);
    const bool good = XML_Parse(builder.parser, text, (int)length, XML_TRUE) == XML_STATUS_OK;
    if (!good && !builder.stopped) explain(&builder);
    XML_ParserFree(builder.parser);
    free(builder.words);
    return good && !builder.stopped ? builder.root : NULL;
}

const XmlAttribute *xml_attribute(const XmlElement *element, const char *name)
{
    for (int i = 0; i < element->attribute_count; ++i)
        if (strcmp(element->attributes[i].name, name) == 0) return &element->attributes[i];
    return NULL;
}
