// Links become URDF again. Numbers have 17 digits, so that reading them gives the same bits.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/locale.h"
#include "urdf/urdf_reader.h"

typedef struct Writer {
    const StiUrdf *urdf;
    char *buffer;
    size_t size, length; // length: what is needed
} Writer;

static void write_bytes(Writer *writer, const char *text, size_t length)
{
    if (writer->length < writer->size) {
        const size_t room = writer->size - writer->length;
        memcpy(writer->buffer + writer->length, text, length < room ? length : room);
    }
    writer->length += length;
}

static void print(Writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void print(Writer *writer, const char *format, ...)
{
    char text[512]; // of numbers and words of the format, never of names
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length > 0) write_bytes(writer, text, (size_t)length);
}

static const char *escape_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '"':
        return "&quot;";
    case '\n':
        return "&#10;";
    case '\r':
        return "&#13;";
    case '\t':
        return "&#9;";
    default:
        return NULL;
    }
}

static void write_attribute(Writer *writer, const char *attribute, const char *value)
{
    print(writer, " %s=\"", attribute);
    for (; *value != '\0'; ++value) {
        const char *escape = escape_of(*value);
        write_bytes(writer, escape != NULL ? escape : value, escape != NULL ? strlen(escape) : 1);
    }
    print(writer, "\"");
}

static bool same_bits(StiQuat a, StiQuat b)
{
    const double first[4] = {a.w, a.x, a.y, a.z}, second[4] = {b.w, b.x, b.y, b.z};
    return memcmp(first, second, sizeof first) == 0;
}

// Every program reads angles. Where they do not give back the quaternion's bits, it follows them.
static void write_origin(Writer *writer, StiVec3 p, StiQuat q)
{
    double rpy[3];
    urdf_rpy(q, rpy);
    print(writer, "<origin xyz=\"%.17g %.17g %.17g\" rpy=\"%.17g %.17g %.17g\"", p.x, p.y, p.z,
          rpy[0], rpy[1], rpy[2]);
    if (!same_bits(urdf_quat(rpy), q))
        print(writer, " quat_xyzw=\"%.17g %.17g %.17g %.17g\"", q.x, q.y, q.z, q.w);
    print(writer, "/>\n");
}

// ---- links --------------------------------------------------------------------------------------

static bool has_inertial(const StiLink *link)
{
    bool any = link->mass != 0.0 || sti_vec3_norm(link->centre) != 0.0;
    for (int i = 0; i < 6; ++i) any = any || link->inertia[i] != 0.0;
    return any;
}

static void write_inertial(Writer *writer, const StiLink *link)
{
    const double *J = link->inertia;
    print(writer, "    <inertial>\n      ");
    write_origin(writer, link->centre, STI_QUAT_IDENTITY);
    print(writer, "      <mass value=\"%.17g\"/>\n", link->mass);
    print(writer, "      <inertia ixx=\"%.17g\" ixy=\"%.17g\" ixz=\"%.17g\"", J[0], J[3], J[4]);
    print(writer, " iyy=\"%.17g\" iyz=\"%.17g\" izz=\"%.17g\"/>\n", J[1], J[5], J[2]);
    print(writer, "    </inertial>\n");
}

static void write_sphere(Writer *writer, const StiShape *shape)
{
    print(writer, "<sphere radius=\"%.17g\"/>", shape->radius);
}

static void write_box(Writer *writer, const StiShape *shape)
{
    const StiVec3 half = shape->half;
    print(writer, "<box size=\"%.17g %.17g %.17g\"/>", 2.0 * half.x, 2.0 * half.y, 2.0 * half.z);
}

static void write_cylinder(Writer *writer, const StiShape *shape)
{
    print(writer, "<cylinder radius=\"%.17g\" length=\"%.17g\"/>", shape->radius,
          2.0 * shape->half.z);
}

static void write_capsule(Writer *writer, const StiShape *shape)
{
    print(writer, "<capsule radius=\"%.17g\" length=\"%.17g\"/>", shape->radius,
          2.0 * shape->half.z);
}

// The shapes that URDF has, by their names in the registry, and capsules, which many programs know; others of a
// scene are left out.
static const struct {
    const char *name;
    void (*write)(Writer *writer, const StiShape *shape);
} geometries[] = {{"sphere", write_sphere},
                  {"box", write_box},
                  {"cylinder", write_cylinder},
                  {"capsule", write_capsule}};

static void write_shape(Writer *writer, const StiShape *shape)
{
    for (size_t i = 0; i < sizeof geometries / sizeof geometries[0]; ++i) {
        if (strcmp(geometries[i].name, shape->kind->info.name) != 0) continue;
        print(writer, "    <collision>\n      ");
        write_origin(writer, shape->p, shape->q);
        print(writer, "      <geometry>");
        geometries[i].write(writer, shape);
        print(writer, "</geometry>\n    </collision>\n");
    }
}

static void write_mesh(Writer *writer, const StiUrdfMesh *mesh)
{
    print(writer, "    <collision>\n      ");
    write_origin(writer, mesh->at.p, mesh->at.q);
    print(writer, "      <geometry><mesh");
    write_attribute(writer, "filename", mesh->file);
    print(writer, " scale=\"%.17g %.17g %.17g\"/></geometry>\n    </collision>\n", mesh->scale.x,
          mesh->scale.y, mesh->scale.z);
}

static void write_link(Writer *writer, int index)
{
    const StiUrdf *urdf = writer->urdf;
    print(writer, "  <link");
    write_attribute(writer, "name", urdf->links[index].name);
    print(writer, ">\n");
    if (has_inertial(&urdf->links[index])) write_inertial(writer, &urdf->links[index]);
    for (int i = 0; i < urdf->shape_count; ++i)
        if (urdf->shapes[i].link == index) write_shape(writer, &urdf->shapes[i].shape);
    for (int i = 0; i < urdf->mesh_count; ++i)
        if (urdf->meshes[i].link == index) write_mesh(writer, &urdf->meshes[i]);
    print(writer, "  </link>\n");
}

// ---- joints -------------------------------------------------------------------------------------

static const char *type_of(const StiLink *link, const StiUrdfJoint *rest)
{
    static const char *const words[STI_JOINT_TYPES] = {"fixed",     "revolute", "prismatic",
                                                       "spherical", "planar",   "floating"};
    if (link->joint == STI_JOINT_REVOLUTE && rest->continuous) return "continuous";
    return words[link->joint];
}

static void write_limit(Writer *writer, const StiLink *link, const StiUrdfJoint *rest)
{
    if (!link->limited && !rest->has_limits) return;
    print(writer, "    <limit");
    if (link->limited) print(writer, " lower=\"%.17g\" upper=\"%.17g\"", link->lower, link->upper);
    print(writer, " effort=\"%.17g\" velocity=\"%.17g\"/>\n", rest->effort, rest->velocity);
}

static void write_dynamics(Writer *writer, const StiLink *link, const StiUrdfJoint *rest)
{
    if (!rest->has_dynamics && link->armature == 0.0) return;
    print(writer, "    <dynamics");
    if (rest->has_dynamics)
        print(writer, " damping=\"%.17g\" friction=\"%.17g\"", rest->damping, rest->friction);
    if (link->armature != 0.0) print(writer, " armature=\"%.17g\"", link->armature);
    print(writer, "/>\n");
}

static void write_mimic(Writer *writer, const StiUrdfJoint *rest)
{
    if (rest->mimic == NULL) return;
    print(writer, "    <mimic");
    write_attribute(writer, "joint", rest->mimic);
    print(writer, " multiplier=\"%.17g\" offset=\"%.17g\"/>\n", rest->multiplier, rest->offset);
}

static void write_end(Writer *writer, const char *which, const char *link)
{
    print(writer, "    <%s", which);
    write_attribute(writer, "link", link);
    print(writer, "/>\n");
}

static void write_joint(Writer *writer, const StiLink *link, const StiUrdfJoint *rest,
                        const char *parent)
{
    const bool named = link->joint_name != NULL && link->joint_name[0] != '\0';
    print(writer, "  <joint");
    write_attribute(writer, "name", named ? link->joint_name : link->name);
    print(writer, " type=\"%s\">\n    ", type_of(link, rest));
    write_origin(writer, link->placement.p, link->placement.q);
    write_end(writer, "parent", parent);
    write_end(writer, "child", link->name);
    print(writer, "    <axis xyz=\"%.17g %.17g %.17g\"/>\n", link->axis.x, link->axis.y,
          link->axis.z);
    write_limit(writer, link, rest);
    write_dynamics(writer, link, rest);
    write_mimic(writer, rest);
    print(writer, "  </joint>\n");
}

// ---- the robot ----------------------------------------------------------------------------------

static bool same_attitude(StiQuat a, StiQuat b)
{
    return a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z;
}

// URDF fixes its root to the world where it stands: this link can be it, without a joint.
static bool can_be_root(const StiLink *link)
{
    return link->parent < 0 && link->joint == STI_JOINT_FIXED &&
           (link->joint_name == NULL || link->joint_name[0] == '\0') &&
           sti_vec3_norm(link->placement.p) == 0.0 &&
           same_attitude(link->placement.q, STI_QUAT_IDENTITY);
}

static bool has_own_root(const StiUrdf *urdf)
{
    int roots = 0, good = 0;
    for (int i = 0; i < urdf->count; ++i) {
        roots += urdf->links[i].parent < 0;
        good += can_be_root(&urdf->links[i]);
    }
    return roots == 1 && good == 1;
}

static bool is_taken(const StiUrdf *urdf, const char *name)
{
    for (int i = 0; i < urdf->count; ++i)
        if (strcmp(urdf->links[i].name, name) == 0) return true;
    return false;
}

static void write_robot(Writer *writer)
{
    const StiUrdf *urdf = writer->urdf;
    static const StiUrdfJoint nothing = {false};
    const bool own_root = has_own_root(urdf);
    char world[32] = "world";
    for (int i = 1; !own_root && is_taken(urdf, world); ++i)
        snprintf(world, sizeof world, "world_%d", i);

    print(writer, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<robot");
    write_attribute(writer, "name", urdf->name != NULL ? urdf->name : "robot");
    print(writer, ">\n");
    if (!own_root) print(writer, "  <link name=\"%s\"/>\n", world);
    for (int i = 0; i < urdf->count; ++i) write_link(writer, i);
    for (int i = 0; i < urdf->count; ++i) {
        const StiLink *link = &urdf->links[i];
        if (own_root && link->parent < 0) continue;
        write_joint(writer, link, urdf->joints != NULL ? &urdf->joints[i] : &nothing,
                    link->parent < 0 ? world : urdf->links[link->parent].name);
    }
    print(writer, "</robot>\n");
}

size_t sti_urdf_write(const StiUrdf *urdf, char *buffer, size_t size)
{
    const StiLocale locale = sti_locale_begin();
    Writer writer = {.urdf = urdf, .buffer = buffer, .size = size};
    write_robot(&writer);
    if (size > 0) buffer[writer.length < size ? writer.length : size - 1] = '\0';
    sti_locale_end(locale);
    return writer.length;
}
