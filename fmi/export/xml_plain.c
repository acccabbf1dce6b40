#include "export/xml_plain.h"

void xml_plain_write(FmuText *to, const XmlElement *root)
{
    fmu_text_add(to, "<%s", root->name);
    for (int i = 0; i < root->attribute_count; ++i) {
        fmu_text_add(to, " %s=\"", root->attributes[i].name);
        fmu_text_escape(to, root->attributes[i].value);
        fmu_text_add(to, "\"");
    }
    if (root->children == NULL && root->text == NULL) {
        fmu_text_add(to, "/>\n");
        return;
    }
    fmu_text_add(to, ">");
    if (root->children == NULL) fmu_text_escape(to, root->text);
    for (const XmlElement *child = root->children; child != NULL; child = child->next)
        xml_plain_write(to, child);
    fmu_text_add(to, "</%s>\n", root->name);
}
