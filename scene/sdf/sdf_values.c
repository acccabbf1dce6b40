#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "sdf/sdf_reader.h"
#include "text/number.h"
#include "urdf/urdf_reader.h"

void sdf_error(SdfReader *reader, Mark mark, const char *text, ...)
{
    enum { MOST = 50 };
    char formatted[512];
    va_list arguments;
    if (reader->errors++ >= MOST) return;
    va_start(arguments, text);
    vsnprintf(formatted, sizeof formatted, text, arguments);
    va_end(arguments);
    scene_message(reader->base->messages, STI_ERROR, mark, "%s", formatted);
}

void sdf_note(const SdfReader *reader, StiSeverity severity, Mark mark, const char *what,
              const char *name)
{
    gather(reader->base->gathered, severity, mark, what, name, 0.0);
}

const XmlElement *sdf_child(const XmlElement *element, const char *name)
{
    const XmlElement *child = element != NULL ? element->children : NULL;
    while (child != NULL && strcmp(child->name, name) != 0) child = child->next;
    return child;
}

const char *sdf_text(const XmlElement *element, const char *name)
{
    const XmlElement *child = sdf_child(element, name);
    return child != NULL ? child->text : NULL;
}

static int read_words(SdfReader *reader, const XmlElement *element, int count, double *values)
{
    static const char blanks[] = " \t\r\n";
    const char *word = element->text != NULL ? element->text : "";
    int found = 0;
    for (word += strspn(word, blanks); *word != '\0' && found < count; word += strspn(word, blanks)) {
        const size_t length = strcspn(word, blanks);
        if (!scene_number_read(word, length, &values[found]) || !isfinite(values[found])) {
            sdf_error(reader, element->mark, "'%.*s' in <%s> is not a number that can be used",
                      length < 40 ? (int)length : 40, word, element->name);
            return -1;
        }
        ++found;
        word += length;
    }
    return found;
}

bool sdf_numbers(SdfReader *reader, const XmlElement *element, const char *name, int count,
                 double *values)
{
    const XmlElement *child = sdf_child(element, name);
    if (child == NULL) return false;
    const int there = read_words(reader, child, count, values);
    if (there >= 0 && there < count)
        sdf_error(reader, child->mark, "<%s> has %d numbers and needs %d", name, there, count);
    return there == count;
}

double sdf_number(SdfReader *reader, const XmlElement *element, const char *name, double usual)
{
    double value = usual;
    return sdf_numbers(reader, element, name, 1, &value) ? value : usual;
}

// x y z roll pitch yaw; degrees="true", or rotation_format="quat_xyzw" with seven numbers.
StiFrame sdf_pose(SdfReader *reader, const XmlElement *element)
{
    static const double DEGREE = 3.14159265358979323846 / 180.0;
    const XmlElement *pose = sdf_child(element, "pose");
    StiFrame frame = {.q = STI_QUAT_IDENTITY};
    double n[7] = {0.0};
    if (pose == NULL || pose->text == NULL) return frame;
    const XmlAttribute *format = xml_attribute(pose, "rotation_format");
    const XmlAttribute *degrees = xml_attribute(pose, "degrees");
    const bool quaternion = format != NULL && strcmp(format->value, "quat_xyzw") == 0;
    if (!sdf_numbers(reader, element, "pose", quaternion ? 7 : 6, n)) return frame;
    frame.p = sti_vec3(n[0], n[1], n[2]);
    if (quaternion) {
        if (urdf_unit(n + 3, 4)) frame.q = (StiQuat){n[6], n[3], n[4], n[5]};
        return frame;
    }
    if (degrees != NULL && strcmp(degrees->value, "true") == 0)
        for (int i = 3; i < 6; ++i) n[i] *= DEGREE;
    frame.q = urdf_quat(n + 3);
    return frame;
}

StiFrame sdf_inside(StiFrame outer, StiFrame inner)
{
    return (StiFrame){.p = sti_vec3_add(outer.p, sti_quat_rotate(outer.q, inner.p)),
                      .q = sti_quat_multiply(outer.q, inner.q)};
}

StiFrame sdf_seen_from(StiFrame outer, StiFrame inner)
{
    return (StiFrame){.p = sti_quat_unrotate(outer.q, sti_vec3_sub(inner.p, outer.p)),
                      .q = sti_quat_multiply(sti_quat_conjugate(outer.q), inner.q)};
}
