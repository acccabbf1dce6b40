// Private: XML as an FMU reads it, without a library (plain/plain_xml.c).
#ifndef STICTION_FMI_XML_PLAIN_H
#define STICTION_FMI_XML_PLAIN_H

#include <stdbool.h>

#include "export/text.h"
#include "xml/xml.h"

// Elements, attributes and texts, nothing else.
void xml_plain_write(FmuText *to, const XmlElement *root);

#endif
