// Attributes of MJCF: own, of the class, of the classes above it; numbers and orientations.
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "mjcf/mjcf_reader.h"
#include "text/number.h"

static const double PI = 3.14159265358979323846;

void mjcf_error(MjcfReader *reader, Mark mark, const char *text, ...)
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

void mjcf_note(const MjcfReader *reader, StiSeverity severity, Mark mark, const char *what,
               const char *name)
{
    gather(reader->base->gathered, severity, mark, what, name, 0.0);
}

// ---- classes ------------------------------------------------------------------------------------

const MjcfClass *mjcf_class(MjcfReader *reader, const XmlElement *element, const char *attribute,
                            const MjcfClass *around)
{
    const XmlAttribute *name = xml_attribute(element, attribute);
    if (name == NULL) return around;
    const int number = sti_names_find(&reader->class_names, name->value);
    if (number >= 0) return reader->classes[number];
    mjcf_error(reader, name->mark, "there is no default class '%.60s'", name->value);
    return around;
}

MjcfPlace mjcf_place(MjcfReader *reader, const XmlElement *element, const MjcfClass *around)
{
    return (MjcfPlace){element, mjcf_class(reader, element, "class", around)};
}

// All kinds of actuators share one set of defaults.
static bool is_actuator(const char *name)
{
    static const char *const words[] = {"general",  "motor",    "position", "velocity", "intvelocity",
                                        "damper",   "cylinder", "muscle",   "adhesion"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        if (strcmp(words[i], name) == 0) return true;
    return false;
}

static const XmlAttribute *value_of_class(const MjcfClass *class, const char *element,
                                          const char *attribute)
{
    const XmlAttribute *found = NULL;
    const bool actuator = is_actuator(element);
    for (const XmlElement *child = class->element->children; child != NULL; child = child->next) {
        if (strcmp(child->name, element) != 0 && !(actuator && is_actuator(child->name))) continue;
        const XmlAttribute *here = xml_attribute(child, attribute);
        if (here != NULL) found = here; // the last one holds
    }
    return found;
}

const XmlAttribute *mjcf_value(const MjcfPlace *place, const char *attribute)
{
    const XmlAttribute *found = xml_attribute(place->element, attribute);
    for (const MjcfClass *class = place->class; found == NULL && class != NULL; class = class->parent)
        found = value_of_class(class, place->element->name, attribute);
    return found;
}

bool mjcf_is(const MjcfPlace *place, const char *attribute, const char *word)
{
    const XmlAttribute *value = mjcf_value(place, attribute);
    return value != NULL && strcmp(value->value, word) == 0;
}

// ---- numbers ------------------------------------------------------------------------------------

int mjcf_numbers(MjcfReader *reader, const MjcfPlace *place, const char *attribute, int most,
                 double *values)
{
    static const char blanks[] = " \t\r\n";
    const XmlAttribute *found = mjcf_value(place, attribute);
    int count = 0;
    if (found == NULL) return 0;
    const char *word = found->value + strspn(found->value, blanks);
    while (*word != '\0' && count < most) {
        const size_t length = strcspn(word, blanks);
        if (!scene_number_read(word, length, &values[count]) || !isfinite(values[count])) {
            mjcf_error(reader, found->mark, "'%.*s' in \"%s\" of <%s> is not a number that can be used",
                       length < 40 ? (int)length : 40, word, attribute, place->element->name);
            return -1;
        }
        ++count;
        word += length;
        word += strspn(word, blanks);
    }
    return count;
}

double mjcf_number(MjcfReader *reader, const MjcfPlace *place, const char *attribute, double usual)
{
    double value = usual;
    return mjcf_numbers(reader, place, attribute, 1, &value) == 1 ? value : usual;
}

// All `count` numbers, or an error; false where there is no such attribute.
static bool has_numbers(MjcfReader *reader, const MjcfPlace *place, const char *attribute, int count,
                        double *values)
{
    const XmlAttribute *found = mjcf_value(place, attribute);
    if (found == NULL) return false;
    const int there = mjcf_numbers(reader, place, attribute, count, values);
    if (there >= 0 && there < count)
        mjcf_error(reader, found->mark, "\"%s\" of <%s> has %d numbers and needs %d", attribute,
                   place->element->name, there, count);
    return there == count;
}

bool mjcf_limited(MjcfReader *reader, const MjcfPlace *place, const char *limited,
                  const char *range, double values[2])
{
    const bool given = has_numbers(reader, place, range, 2, values);
    if (mjcf_is(place, limited, "false") || !given) return false;
    if (mjcf_is(place, limited, "true")) return true;
    return reader->compiler.auto_limits && (values[0] != 0.0 || values[1] != 0.0);
}

// ---- orientations -------------------------------------------------------------------------------

StiFrame mjcf_inside(StiFrame outer, StiFrame inner)
{
    return (StiFrame){.p = sti_vec3_add(outer.p, sti_quat_rotate(outer.q, inner.p)),
                      .q = sti_quat_multiply(outer.q, inner.q)};
}

StiQuat mjcf_turn(StiVec3 axis, double angle)
{
    const double length = sti_vec3_norm(axis), s = length > 0.0 ? sti_sin(0.5 * angle) / length : 0.0;
    return (StiQuat){sti_cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

StiQuat mjcf_from_z(StiVec3 z)
{
    const double length = sti_vec3_norm(z), cosine = length > 0.0 ? z.z / length : 1.0;
    const StiVec3 axis = sti_vec3(-z.y, z.x, 0.0); // z axis x z
    const double across = sti_vec3_norm(axis);
    if (across == 0.0)
        return cosine < 0.0 ? (StiQuat){0.0, 1.0, 0.0, 0.0} : STI_QUAT_IDENTITY;
    return mjcf_turn(axis, sti_atan2(across / length, cosine));
}

static double angle_of(const MjcfReader *reader, double value)
{
    return reader->compiler.degrees ? value * PI / 180.0 : value;
}

// Small letters turn about the axes as they are by then, capitals about those of the parent.
static StiQuat from_euler(const MjcfReader *reader, const double angles[3])
{
    StiQuat q = STI_QUAT_IDENTITY;
    for (int i = 0; i < 3; ++i) {
        const char c = reader->compiler.sequence[i], small = (char)(c | 0x20);
        const StiVec3 axis = sti_vec3(small == 'x', small == 'y', small == 'z');
        const StiQuat turn = mjcf_turn(axis, angle_of(reader, angles[i]));
        q = c == small ? sti_quat_multiply(q, turn) : sti_quat_multiply(turn, q);
    }
    return q;
}

// Shepperd: from the largest of the four squares.
static StiQuat from_axes(StiVec3 x, StiVec3 y, StiVec3 z)
{
    const double squares[4] = {1.0 + x.x + y.y + z.z, 1.0 + x.x - y.y - z.z, 1.0 - x.x + y.y - z.z,
                               1.0 - x.x - y.y + z.z};
    int largest = 0;
    for (int i = 1; i < 4; ++i)
        if (squares[i] > squares[largest]) largest = i;
    const double r = 2.0 * sqrt(squares[largest]), half = 0.25 * r;
    switch (largest) {
    case 0:
        return (StiQuat){half, (y.z - z.y) / r, (z.x - x.z) / r, (x.y - y.x) / r};
    case 1:
        return (StiQuat){(y.z - z.y) / r, half, (x.y + y.x) / r, (z.x + x.z) / r};
    case 2:
        return (StiQuat){(z.x - x.z) / r, (x.y + y.x) / r, half, (y.z + z.y) / r};
    default:
        return (StiQuat){(x.y - y.x) / r, (z.x + x.z) / r, (y.z + z.y) / r, half};
    }
}

static StiQuat from_xy(const double xy[6])
{
    StiVec3 x = {xy[0], xy[1], xy[2]}, y = {xy[3], xy[4], xy[5]};
    x = sti_vec3_scale(1.0 / sti_vec3_norm(x), x);
    y = sti_vec3_sub(y, sti_vec3_scale(sti_vec3_dot(x, y), x));
    y = sti_vec3_scale(1.0 / sti_vec3_norm(y), y);
    return from_axes(x, y, sti_vec3_cross(x, y));
}

static StiQuat orientation(MjcfReader *reader, const MjcfPlace *place)
{
    double v[6];
    if (has_numbers(reader, place, "quat", 4, v) &&
        v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3] > 0.0)
        return sti_quat_normalise((StiQuat){v[0], v[1], v[2], v[3]});
    if (has_numbers(reader, place, "axisangle", 4, v))
        return mjcf_turn(sti_vec3(v[0], v[1], v[2]), angle_of(reader, v[3]));
    if (has_numbers(reader, place, "euler", 3, v)) return from_euler(reader, v);
    if (has_numbers(reader, place, "zaxis", 3, v)) return mjcf_from_z(sti_vec3(v[0], v[1], v[2]));
    if (has_numbers(reader, place, "xyaxes", 6, v)) {
        const StiVec3 x = {v[0], v[1], v[2]}, y = {v[3], v[4], v[5]};
        if (sti_vec3_norm(sti_vec3_cross(x, y)) > 0.0) return from_xy(v);
        mjcf_error(reader, mjcf_value(place, "xyaxes")->mark,
                   "\"xyaxes\" are two directions that are not along one line");
    }
    return STI_QUAT_IDENTITY;
}

StiFrame mjcf_frame(MjcfReader *reader, const MjcfPlace *place)
{
    double p[3] = {0.0};
    has_numbers(reader, place, "pos", 3, p);
    return (StiFrame){.p = sti_vec3(p[0], p[1], p[2]), .q = orientation(reader, place)};
}
