// <link>: mass, centre, inertia, collision primitives.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "algebra/symmetric3.h"
#include "urdf/urdf_reader.h"

// ---- inertia ------------------------------------------------------------------------------------

static bool read_tensor(UrdfReader *reader, const XmlElement *element, double J[6])
{
    static const char *const entries[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    bool good = true;
    for (int i = 0; i < 6; ++i) {
        if (i >= 3 && xml_attribute(element, entries[i]) == NULL)
            urdf_gather(reader, STI_NOTE, element->mark, "changed: products of inertia not given are 0",
                        entries[i]);
        else
            good = urdf_needed_numbers(reader, element, entries[i], 1, &J[i]) && good;
    }
    return good;
}

static bool read_mass(UrdfReader *reader, const XmlElement *element, UrdfLink *link)
{
    double mass;
    if (!urdf_needed_numbers(reader, element, "value", 1, &mass)) return false;
    if (mass < 0.0) {
        urdf_error(reader, xml_attribute(element, "value")->mark,
                   "the mass of link '%.60s' must not be below 0 kg, but is %g", link->name, mass);
        return false;
    }
    link->inertia.mass = mass;
    return true;
}

static void check_size(UrdfReader *reader, const XmlElement *element, const UrdfLink *link)
{
    double m[3];
    sti_symmetric3_eigenvalues(link->inertia.tensor, m);
    if (!isfinite(m[0]) || !isfinite(m[1]) || !isfinite(m[2]))
        urdf_error(reader, element->mark, "these moments of inertia are too large to compute with");
    else if (m[2] > 0.0 && link->inertia.mass == 0.0)
        urdf_gather(reader, STI_WARNING, element->mark,
                    "read: links with moments of inertia, but no mass", link->name);
}

static void read_inertial(UrdfReader *reader, const XmlElement *inertial, UrdfLink *link)
{
    const XmlElement *mass = urdf_child(reader, inertial, "mass");
    const XmlElement *inertia = urdf_child(reader, inertial, "inertia");
    StiFrame frame;
    double J[6] = {0.0};
    bool good = urdf_origin(reader, inertial, &frame);
    link->inertia.centre = frame.p;
    if (mass == NULL || inertia == NULL)
        urdf_gather(reader, STI_WARNING, inertial->mark,
                    "changed: <mass> or <inertia> that <inertial> does not have is 0", link->name);
    if (mass != NULL) good = read_mass(reader, mass, link) && good;
    if (inertia != NULL) good = read_tensor(reader, inertia, J) && good;
    if (!good || inertia == NULL) return;
    inertia_turn(frame.q, J, link->inertia.tensor);
    check_size(reader, inertia, link);
}

// ---- collision ----------------------------------------------------------------------------------

static bool read_size(UrdfReader *reader, const XmlElement *element, const char *attribute,
                      int count, double *size)
{
    if (!urdf_needed_numbers(reader, element, attribute, count, size)) return false;
    for (int i = 0; i < count; ++i) {
        if (size[i] > 0.0) continue;
        char which[64];
        snprintf(which, sizeof which, "%s of <%s> %.6g", attribute, element->name, size[i]);
        urdf_gather(reader, STI_NOTE, xml_attribute(element, attribute)->mark,
                    "left out: collision shapes of no size", which);
        return false;
    }
    return true;
}

static bool read_box(UrdfReader *reader, const XmlElement *element, StiFrame at, StiShape *shape)
{
    double edges[3] = {0.0};
    if (!read_size(reader, element, "size", 3, edges)) return false;
    *shape = sti_shape_box(at, sti_vec3(0.5 * edges[0], 0.5 * edges[1], 0.5 * edges[2]));
    return true;
}

// Radius and length along z of a cylinder, or of a capsule between the centres of its ends.
static bool read_round(UrdfReader *reader, const XmlElement *element, StiFrame at,
                       StiShape (*make)(StiFrame, double, double), StiShape *shape)
{
    double radius = 0.0, length = 0.0;
    const bool round = read_size(reader, element, "radius", 1, &radius);
    if (!read_size(reader, element, "length", 1, &length) || !round) return false;
    *shape = make(at, radius, 0.5 * length);
    return true;
}

static bool read_sphere(UrdfReader *reader, const XmlElement *element, StiFrame at, StiShape *shape)
{
    double radius = 0.0;
    if (!read_size(reader, element, "radius", 1, &radius)) return false;
    *shape = sti_shape_sphere(at.p, radius);
    shape->q = at.q; // so that it is written as it was read
    return true;
}

static bool read_shape(UrdfReader *reader, const XmlElement *element, StiFrame at, StiShape *shape)
{
    if (strcmp(element->name, "sphere") == 0) return read_sphere(reader, element, at, shape);
    if (strcmp(element->name, "box") == 0) return read_box(reader, element, at, shape);
    if (strcmp(element->name, "cylinder") == 0)
        return read_round(reader, element, at, sti_shape_cylinder, shape);
    if (strcmp(element->name, "capsule") == 0)
        return read_round(reader, element, at, sti_shape_capsule, shape);
    return false; // other words are noted as unknown
}

static void read_mesh(UrdfReader *reader, const XmlElement *element, int link, StiFrame at)
{
    const char *file = urdf_text(reader, element, "filename");
    double scale[3] = {1.0, 1.0, 1.0};
    if (!urdf_numbers(reader, element, "scale", 3, scale) || file == NULL) return;
    reader->links[link].has_shape = true;
    reader->meshes[reader->mesh_count++] =
        (StiUrdfMesh){.link = link, .file = file, .scale = {scale[0], scale[1], scale[2]}, .at = at};
}

static void read_collision(UrdfReader *reader, const XmlElement *element, int index)
{
    UrdfLink *link = &reader->links[index];
    const XmlElement *geometry = urdf_child(reader, element, "geometry");
    const XmlElement *form = geometry != NULL ? geometry->children : NULL;
    StiUrdfShape shape = {.link = index};
    StiFrame at = {.q = STI_QUAT_IDENTITY};
    if (form == NULL || form->next != NULL)
        urdf_gather(reader, STI_WARNING, geometry != NULL ? geometry->mark : element->mark,
                    form == NULL ? "left out: collisions without a shape, of links"
                                 : "left out: all but the first shape of a <geometry>, of links",
                    link->name);
    if (!urdf_origin(reader, element, &at) || form == NULL) return;
    if (strcmp(form->name, "mesh") == 0) {
        read_mesh(reader, form, index, at);
        return;
    }
    if (!read_shape(reader, form, at, &shape.shape)) return;
    link->has_shape = true;
    reader->shapes[reader->shape_count++] = shape;
}

void urdf_read_link(UrdfReader *reader, const XmlElement *element, int index)
{
    UrdfLink *link = &reader->links[index];
    const char *name = urdf_text(reader, element, "name");
    *link = (UrdfLink){.element = element, .name = name != NULL ? name : "", .joint = -1};
    if (name == NULL) reader->torn = true;
    const XmlElement *inertial = urdf_child(reader, element, "inertial");
    if (inertial != NULL) read_inertial(reader, inertial, link);
    for (const XmlElement *child = element->children; child != NULL; child = child->next)
        if (strcmp(child->name, "collision") == 0) read_collision(reader, child, index);
}
