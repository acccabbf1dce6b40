// What libyaml says about a syntax error, in words of people who have never read its grammar.
#include <limits.h>
#include <string.h>

#include "yaml/tree.h"
#include "yaml/yaml_message.h"
#include "text/utf8.h"

Mark scene_yaml_mark(const char *file, yaml_mark_t mark)
{
    const size_t line = mark.line < INT_MAX ? mark.line + 1 : INT_MAX;
    const size_t column = mark.column < INT_MAX ? mark.column + 1 : INT_MAX;
    return (Mark){file, (int)line, (int)column};
}

static bool is_allowed(uint32_t code)
{
    if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
    if (code >= 0x7f && code < 0xa0) return code == 0x85;
    return code != 0xfeff && code != 0xfffe && code != 0xffff;
}

static void encoding_message(const char *text, size_t length, int size, uint32_t code, Mark mark,
                             StiMessages *messages)
{
    const bool sixteen = length >= 2 && mark.line == 1 && mark.column <= 2 &&
                         (text[0] == '\0' || text[1] == '\0' || (unsigned char)text[0] >= 0xfe);
    if (sixteen)
        scene_message(messages, STI_ERROR, mark, "this looks like UTF-16: save the file as UTF-8");
    else if (size == 0)
        scene_message(messages, STI_ERROR, mark,
                      "these bytes are not UTF-8, in which scenes are written");
    else
        scene_message(messages, STI_ERROR, mark,
                      "the character U+%04X cannot stand in a text file: remove it",
                      (unsigned)code);
}

bool scene_encoding_check(const char *text, size_t length, const char *file, StiMessages *messages)
{
    Mark mark = {file, 1, 1};
    for (size_t at = 0; at < length;) {
        uint32_t code = 0;
        const int size = scene_utf8_read(text + at, length - at, &code);
        if (size == 0 || !is_allowed(code)) {
            encoding_message(text, length, size, code, mark, messages);
            return false;
        }
        at += (size_t)size;
        ++mark.column;
        const bool pair = code == '\r' && at < length && text[at] == '\n';
        if ((code == '\n' || code == '\r') && !pair) ++mark.line, mark.column = 1;
    }
    return true;
}

// The line that a mark is in, and the character at the mark. libyaml counts characters, not bytes.
typedef struct Spot {
    const char *line;
    const char *at;
    size_t size; // bytes of the character; 0 at the end of the text
} Spot;

static Spot find_spot(const char *text, size_t length, yaml_mark_t mark)
{
    Spot spot = {text, text, 0};
    const char *end = text + length;
    for (size_t i = 0; spot.at < end; ++i) {
        uint32_t code = 0;
        const int size = scene_utf8_read(spot.at, (size_t)(end - spot.at), &code);
        spot.size = size > 0 ? (size_t)size : 1;
        if (i == mark.index) return spot;
        spot.at += spot.size;
        if (code == '\n' || code == '\r') spot.line = spot.at;
    }
    spot.size = 0;
    return spot;
}

static bool spot_is(const Spot *spot, const char *characters)
{
    return spot->size == 1 && strchr(characters, *spot->at) != NULL;
}

// Whether a key and its colon stand before the spot on the same line.
static bool second_colon(const Spot *spot)
{
    for (const char *at = spot->line; at + 1 < spot->at; ++at)
        if (at[0] == ':' && at[1] == ' ') return true;
    return false;
}

static bool first_on_line(const Spot *spot)
{
    for (const char *at = spot->line; at < spot->at; ++at)
        if (*at != ' ' && *at != '\t') return false;
    return true;
}

// How the two marks of libyaml, where it stumbled and where that thing began, go into a message.
typedef enum Style {
    HERE,    // at the place where it stumbled; the text is complete
    SHOWN,   // the text has %.*s for the character there
    BEGUN,   // the text has %d, %d for line and column of the beginning
    OPENED,  // the same for a bracket; one that is never closed needs no text
    AT_BEGIN // at the beginning; the text is complete
} Style;

typedef struct Explanation {
    const char *problem; // of libyaml
    const char *context; // the beginning of it; "" for any
    const char *at;      // one of these characters stands there; "" for any
    Style style;
    const char *text;
} Explanation;

static const char tab[] = "a tab cannot indent a line: use spaces";
static const char begins[] = "a text that begins with '%.*s' must stand in quotes";
static const char closes[] = "this '%.*s' closes nothing: no such bracket is open";
static const char directive[] =
    "a line that begins with '%' is a directive of YAML; a scene needs none: leave it out";
static const char tagged[] = "a text that begins with '!' must stand in quotes";
static const char escape[] =
    "this is no escape sequence of double quotes: write \\\\ for a backslash or use single quotes";

// The first that fits is taken.
static const Explanation explanations[] = {
    {"found character that cannot start any token", "", "\t", HERE, tab},
    {"found character that cannot start any token", "", "", SHOWN, begins},
    {"found a tab character that violates indentation", "", "", HERE, tab},
    {"found a tab character where an indentation space is expected", "", "", HERE, tab},
    {"block sequence entries are not allowed in this context", "", "", HERE,
     "a list cannot begin here: put its first \"- \" on the next line, or write [a, b]"},
    {"mapping keys are not allowed in this context", "", "", HERE,
     "a key cannot stand here: put it on a line of its own"},
    {"did not find expected ',' or ']'", "", "", OPENED,
     "a ',' or a ']' is missing: the '[' at line %d, column %d is still open here"},
    {"did not find expected ',' or '}'", "", "", OPENED,
     "a ',' or a '}' is missing: the '{' at line %d, column %d is still open here"},
    {"did not find expected key", "", "]}", SHOWN, closes},
    {"did not find expected key", "", ":", HERE, "a key is missing before this ':'"},
    {"did not find expected '-' indicator", "", "", BEGUN,
     "a \"- \" is expected here: the list that begins at line %d has its items in column %d"},
    {"did not find expected node content", "", "]}", SHOWN, closes},
    {"did not find expected node content", "", ":", HERE, "a key is missing before this ':'"},
    {"did not find expected node content", "", ",", HERE, "a value is missing before this ','"},
    {"did not find expected node content", "", "", HERE, "a value is missing here"},
    {"did not find expected <document start>", "", "]}", SHOWN, closes},
    {"did not find expected <document start>", "", "", HERE,
     "this does not belong to the map above: keys of one map start in the same column, and nothing "
     "may follow a closing bracket"},
    {"found unexpected end of stream", "while scanning a quoted scalar", "", AT_BEGIN,
     "this quote is never closed"},
    {"found unexpected document indicator", "while scanning a quoted scalar", "", AT_BEGIN,
     "this quote is not closed before the document ends"},
    {"found unknown escape character", "", "", HERE, escape},
    {"did not find expected hexdecimal number", "", "", HERE, escape},
    {"found invalid Unicode character escape code", "", "", HERE, escape},
    {"found unexpected ':'", "", "", HERE, "a space is missing after the ':' of this key"},
    {"did not find expected alphabetic or numeric character", "", "", AT_BEGIN,
     "a text that begins with '*' or '&' must stand in quotes"},
    {"found undefined tag handle", "", "", AT_BEGIN, tagged},
    {"", "while scanning a tag", "", AT_BEGIN, tagged},
    {"", "while parsing a tag", "", AT_BEGIN, tagged},
    {"", "while scanning a directive", "", AT_BEGIN, directive},
    {"", "while scanning a %", "", AT_BEGIN, directive},
    {"", "while parsing a %", "", AT_BEGIN, directive},
    {"found incompatible YAML document", "", "", HERE, directive},
    {"found duplicate %YAML directive", "", "", HERE, directive},
    {"found duplicate %TAG directive", "", "", HERE, directive},
    {"", "while scanning a block scalar", "", AT_BEGIN,
     "after '|' or '>' the text begins on the next line, indented"},
};

static const Explanation *explain(const char *problem, const char *context, const Spot *spot)
{
    for (size_t i = 0; i < sizeof explanations / sizeof explanations[0]; ++i) {
        const Explanation *e = &explanations[i];
        if ((e->problem[0] == '\0' || strcmp(e->problem, problem) == 0) &&
            strncmp(e->context, context, strlen(e->context)) == 0 &&
            (e->at[0] == '\0' || spot_is(spot, e->at)))
            return e;
    }
    return NULL;
}

// Some of libyaml's problems have several common causes, told apart by what stands there. NULL for
// others.
static const char *explain_by_place(const char *problem, const Spot *here, const Spot *begin)
{
    if (strcmp(problem, "mapping values are not allowed in this context") == 0)
        return second_colon(here)
                   ? "this is the second ':' of the line: a text that contains \": \" must stand "
                     "in quotes"
                   : "this ':' is not expected here: the line above lacks its ':', or this line is "
                     "indented below a key that has a value already";
    if (strcmp(problem, "could not find expected ':'") == 0)
        return spot_is(begin, "-") ? "a space is missing after this '-'"
                                   : "a ':' is missing after this key: write \"key: value\", with "
                                     "a space after the colon";
    if (strcmp(problem, "did not find expected key") == 0) {
        if (!first_on_line(here))
            return "nothing may follow a value in quotes or brackets; within single quotes a quote "
                   "is "
                   "written twice";
        return spot_is(here, "-")
                   ? "this item belongs to no list: items of one list start in the same column"
                   : "the indentation of this line fits no line above: keys of one map start in "
                     "the "
                     "same column";
    }
    return NULL;
}

void scene_yaml_message(const yaml_parser_t *parser, const char *text, size_t length,
                        const char *file, StiMessages *messages)
{
    const char *problem = parser->problem != NULL ? parser->problem : "";
    const char *context = parser->context != NULL ? parser->context : "";
    const Mark here = scene_yaml_mark(file, parser->problem_mark);
    const Mark begin = parser->context != NULL ? scene_yaml_mark(file, parser->context_mark) : here;
    const Spot spot = find_spot(text, length, parser->problem_mark);
    const Explanation *e = explain(problem, context, &spot);
    if (parser->error == YAML_MEMORY_ERROR) {
        scene_message(messages, STI_ERROR, (Mark){file, 0, 0}, "out of memory");
    } else if (e == NULL) {
        const Spot first = find_spot(text, length, parser->context_mark);
        const bool missing = strcmp(problem, "could not find expected ':'") == 0;
        const char *why = explain_by_place(problem, &spot, &first);
        scene_message(messages, STI_ERROR, missing ? begin : here, "%s%s",
                      why != NULL ? why : "this is not YAML: ", why != NULL ? "" : problem);
    } else if (e->style == OPENED && spot.size == 0) {
        scene_message(messages, STI_ERROR, begin, "this bracket is never closed");
    } else if (e->style == SHOWN) {
        scene_message(messages, STI_ERROR, here, e->text, (int)spot.size, spot.at);
    } else if (e->style == BEGUN || e->style == OPENED) {
        scene_message(messages, STI_ERROR, here, e->text, begin.line, begin.column);
    } else {
        scene_message(messages, STI_ERROR, e->style == AT_BEGIN ? begin : here, "%s", e->text);
    }
}
