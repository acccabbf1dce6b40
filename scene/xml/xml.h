// Private: XML text becomes a tree of elements with their places.
#ifndef STICTION_SCENE_XML_H
#define STICTION_SCENE_XML_H

#include "base/arena.h"
#include "text/messages.h"

enum { XML_MOST_BYTES = 1 << 24, XML_MOST_ELEMENTS = 100000, XML_MOST_LEVELS = 64 };

typedef struct XmlAttribute {
    const char *name, *value;
    Mark mark;
} XmlAttribute;

typedef struct XmlElement XmlElement;
struct XmlElement {
    const char *name; // with its prefix: "xacro:macro"
    Mark mark;
    const char *text; // of an element without children, blanks at its ends left out; NULL: none
    const XmlAttribute *attributes;
    int attribute_count;
    XmlElement *children, *last_child, *next, *parent;
};

// NULL after a message: text that is not XML, has a document type (entities could make it grow
// without end), is nested too deeply or too long. What the elements hold lives in the arena.
XmlElement *xml_read(const char *text, size_t length, const char *file, StiArena *arena,
                     StiMessages *messages);

const XmlAttribute *xml_attribute(const XmlElement *element, const char *name);

#endif
