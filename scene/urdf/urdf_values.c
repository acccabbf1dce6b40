#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text/number.h"
#include "urdf/urdf_reader.h"

// ---- messages -----------------------------------------------------------------------------------

static void say(UrdfReader *reader, StiSeverity severity, Mark mark, const char *text,
                va_list arguments)
{
    int *count = severity == STI_ERROR ? &reader->errors : &reader->notes;
    if ((*count)++ > URDF_MOST_MESSAGES) return;
    char formatted[1024];
    vsnprintf(formatted, sizeof formatted, text, arguments);
    if (*count <= URDF_MOST_MESSAGES)
        scene_message(reader->messages, severity, mark, "%s", formatted);
    else
        scene_message(reader->messages, severity, mark, "and more, which are not listed");
}

void urdf_error(UrdfReader *reader, Mark mark, const char *text, ...)
{
    va_list arguments;
    va_start(arguments, text);
    say(reader, STI_ERROR, mark, text, arguments);
    va_end(arguments);
}

void urdf_say(UrdfReader *reader, StiSeverity severity, Mark mark, const char *text, ...)
{
    va_list arguments;
    va_start(arguments, text);
    say(reader, severity, mark, text, arguments);
    va_end(arguments);
}

void urdf_gather(UrdfReader *reader, StiSeverity severity, Mark mark, const char *what,
                 const char *name)
{
    gather(&reader->gathered, severity, mark, what, name, 0.0);
}

static void missing(UrdfReader *reader, const XmlElement *element, const char *attribute)
{
    urdf_error(reader, element->mark, "<%s> needs the attribute \"%s\", as in %s", element->name,
               attribute, urdf_example(element->name));
}

// ---- values -------------------------------------------------------------------------------------

const XmlElement *urdf_child(UrdfReader *reader, const XmlElement *element, const char *name)
{
    const XmlElement *found = NULL;
    for (const XmlElement *child = element->children; child != NULL; child = child->next) {
        if (strcmp(child->name, name) != 0) continue;
        if (found != NULL)
            urdf_gather(reader, STI_WARNING, child->mark,
                        "left out: elements that stand there twice, of which the first is used",
                        name);
        else
            found = child;
    }
    return found;
}

const char *urdf_text(UrdfReader *reader, const XmlElement *element, const char *attribute)
{
    const XmlAttribute *found = xml_attribute(element, attribute);
    if (found == NULL)
        missing(reader, element, attribute);
    else if (found->value[0] == '\0')
        urdf_error(reader, found->mark, "\"%s\" of <%s> must not be empty, as in %s", attribute,
                   element->name, urdf_example(element->name));
    else
        return found->value;
    return NULL;
}

static const char blanks[] = " \t\r\n";

static void wrong_number(UrdfReader *reader, const XmlElement *element,
                         const XmlAttribute *attribute, const char *word, int length)
{
    const int shown = length < 40 ? length : 40;
    const char *why = "";
    if (memchr(word, '$', (size_t)length) != NULL)
        why = ": expressions are for xacro, which must expand the file first";
    else if (memchr(word, ',', (size_t)length) != NULL)
        why = ": decimals have a point, and blanks stand between numbers";
    urdf_error(reader, attribute->mark, "'%.*s' in \"%s\" of <%s> is not a number%s", shown, word,
               attribute->name, element->name, why);
}

// Reads up to count numbers and returns how many there are; -1 after an error.
static int read_words(UrdfReader *reader, const XmlElement *element, const XmlAttribute *attribute,
                      int count, double *values)
{
    int found = 0;
    const char *word = attribute->value + strspn(attribute->value, blanks);
    while (*word != '\0') {
        const size_t length = strcspn(word, blanks);
        double value;
        if (!scene_number_read(word, length, &value)) {
            wrong_number(reader, element, attribute, word, length < 40 ? (int)length : 40);
            return -1;
        }
        if (!isfinite(value)) {
            urdf_error(reader, attribute->mark, "%.*s in \"%s\" of <%s> is too large",
                       length < 40 ? (int)length : 40, word, attribute->name, element->name);
            return -1;
        }
        if (found < count) values[found] = value;
        ++found;
        word += length;
        word += strspn(word, blanks);
    }
    return found;
}

bool urdf_numbers(UrdfReader *reader, const XmlElement *element, const char *attribute, int count,
                  double *values)
{
    enum { MOST = 8 };
    double read[MOST];
    const XmlAttribute *found = xml_attribute(element, attribute);
    if (found == NULL) return true;
    const int there = read_words(reader, element, found, count < MOST ? count : MOST, read);
    if (there < 0) return false;
    if (there != count) {
        urdf_error(reader, found->mark, "\"%s\" of <%s> has %d number%s and needs %d, as in %s",
                   attribute, element->name, there, there == 1 ? "" : "s", count,
                   urdf_example(element->name));
        return false;
    }
    memcpy(values, read, (size_t)count * sizeof *values);
    return true;
}

bool urdf_needed_numbers(UrdfReader *reader, const XmlElement *element, const char *attribute,
                         int count, double *values)
{
    if (xml_attribute(element, attribute) != NULL)
        return urdf_numbers(reader, element, attribute, count, values);
    missing(reader, element, attribute);
    return false;
}

bool urdf_magnitude(UrdfReader *reader, const XmlElement *element, const char *attribute,
                    double *value)
{
    double read = *value;
    if (!urdf_numbers(reader, element, attribute, 1, &read)) return false;
    if (read < 0.0) {
        char which[64];
        snprintf(which, sizeof which, "%s of <%s> %.6g", attribute, element->name, read);
        urdf_gather(reader, STI_WARNING, xml_attribute(element, attribute)->mark,
                    "changed: numbers below 0 that cannot be so are read as 0", which);
        read = 0.0;
    }
    *value = read;
    return true;
}

// ---- origins ------------------------------------------------------------------------------------

// "quat_xyzw" is younger than "rpy", and exact where rpy would round; where both are, it holds.
static bool read_attitude(UrdfReader *reader, const XmlElement *origin, StiQuat *attitude)
{
    double rpy[3] = {0.0}, xyzw[4] = {0.0, 0.0, 0.0, 1.0};
    const XmlAttribute *quaternion = xml_attribute(origin, "quat_xyzw");
    const bool good = urdf_numbers(reader, origin, "rpy", 3, rpy);
    if (!urdf_numbers(reader, origin, "quat_xyzw", 4, xyzw)) return false;
    if (quaternion != NULL && !urdf_unit(xyzw, 4)) {
        urdf_error(reader, quaternion->mark,
                   "\"quat_xyzw\" must not be 0 0 0 0: no rotation is 0 0 0 1");
        return false;
    }
    *attitude = quaternion != NULL ? (StiQuat){xyzw[3], xyzw[0], xyzw[1], xyzw[2]} : urdf_quat(rpy);
    return good;
}

bool urdf_origin(UrdfReader *reader, const XmlElement *element, StiFrame *placement)
{
    double xyz[3] = {0.0};
    const XmlElement *origin = urdf_child(reader, element, "origin");
    *placement = (StiFrame){.q = STI_QUAT_IDENTITY};
    if (origin == NULL) return true;
    const bool placed = urdf_numbers(reader, origin, "xyz", 3, xyz);
    placement->p = sti_vec3(xyz[0], xyz[1], xyz[2]);
    return read_attitude(reader, origin, &placement->q) && placed;
}
