// <link>: mass and collision shapes.
#include <math.h>
#include <string.h>

#include "sdf/sdf_reader.h"

static void read_inertial(SdfReader *reader, const XmlElement *inertial, StiFrame around,
                          StiLink *link)
{
    static const char *const entries[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    const XmlElement *tensor = sdf_child(inertial, "inertia");
    const StiFrame at = sdf_pose(reader, inertial);
    double J[6] = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}; // what SDF takes where nothing is said
    for (int i = 0; i < 6; ++i) J[i] = sdf_number(reader, tensor, entries[i], J[i]);
    Inertia body = {.mass = sdf_number(reader, inertial, "mass", 1.0), .centre = at.p};
    if (!(body.mass >= 0.0)) sdf_error(reader, inertial->mark, "a mass must not be below 0 kg");
    inertia_turn(at.q, J, body.tensor);
    body = inertia_placed(&body, around);
    link->mass = body.mass;
    link->centre = body.centre;
    memcpy(link->inertia, body.tensor, sizeof link->inertia);
}

// ---- shapes -------------------------------------------------------------------------------------

static bool read_shape(SdfReader *reader, const XmlElement *form, StiFrame at, StiShape *shape)
{
    double size[3] = {0.0};
    const double radius = sdf_number(reader, form, "radius", 0.0);
    const double half = 0.5 * sdf_number(reader, form, "length", 0.0);
    if (strcmp(form->name, "box") == 0 && sdf_numbers(reader, form, "size", 3, size)) {
        *shape = sti_shape_box(at, sti_vec3(0.5 * size[0], 0.5 * size[1], 0.5 * size[2]));
        return size[0] > 0.0 && size[1] > 0.0 && size[2] > 0.0;
    }
    if (strcmp(form->name, "sphere") == 0) {
        *shape = sti_shape_sphere(at.p, radius);
        return radius > 0.0;
    }
    if (strcmp(form->name, "cylinder") == 0) *shape = sti_shape_cylinder(at, radius, half);
    if (strcmp(form->name, "capsule") == 0) *shape = sti_shape_capsule(at, radius, half);
    const bool round = strcmp(form->name, "cylinder") == 0 || strcmp(form->name, "capsule") == 0;
    return round && radius > 0.0 && half > 0.0;
}

static double mu_of(SdfReader *reader, const XmlElement *collision)
{
    const XmlElement *friction = sdf_child(sdf_child(collision, "surface"), "friction");
    const XmlElement *ode = sdf_child(friction, "ode");
    return sdf_number(reader, ode, "mu", 1.0);
}

static void use_floor(SdfReader *reader, const XmlElement *plane, StiFrame at)
{
    Model *model = reader->model;
    double normal[3] = {0.0, 0.0, 1.0};
    if (sdf_child(plane, "normal") != NULL) sdf_numbers(reader, plane, "normal", 3, normal);
    model->has_floor = true;
    model->floor_point = at.p;
    model->floor_normal = sti_quat_rotate(at.q, sti_vec3(normal[0], normal[1], normal[2]));
}

static void read_collision(SdfReader *reader, const XmlElement *collision, StiFrame around, int link)
{
    const XmlElement *geometry = sdf_child(collision, "geometry");
    const XmlElement *form = geometry != NULL ? geometry->children : NULL;
    const StiFrame at = sdf_inside(around, sdf_pose(reader, collision));
    ModelShape shape = {.link = link, .surface = {.mu = mu_of(reader, collision), .dimensions = 3}};
    if (form == NULL) return;
    if (strcmp(form->name, "plane") == 0) {
        use_floor(reader, form, sdf_inside(reader->own[link], at));
    } else if (!read_shape(reader, form, at, &shape.shape)) {
        sdf_note(reader, STI_NOTE, form->mark,
                 "left out: collision shapes other than box, sphere, cylinder and capsule, or of no "
                 "size",
                 form->name);
    } else {
        model_add_shape(reader->model, reader->base->arena, &shape);
    }
}

// The mesh of a <visual> or a <collision>.
static void draw(SdfReader *reader, const XmlElement *element, StiFrame around, int link)
{
    const XmlElement *mesh = sdf_child(sdf_child(element, "geometry"), "mesh");
    const char *file = sdf_text(mesh, "uri");
    double scale[3] = {1.0, 1.0, 1.0};
    if (file == NULL) return;
    sdf_numbers(reader, mesh, "scale", 3, scale);
    model_draw(reader->base, reader->model,
               (ModelDrawing){.link = link,
                              .visual = strcmp(element->name, "visual") == 0,
                              .file = file,
                              .scale = {scale[0], scale[1], scale[2]},
                              .at = sdf_inside(around, sdf_pose(reader, element))});
}

void sdf_read_link(SdfReader *reader, int frame, int link)
{
    const XmlElement *element = reader->frames[frame].element;
    const StiFrame around = sdf_seen_from(reader->own[link], reader->frames[frame].at);
    const XmlElement *inertial = sdf_child(element, "inertial");
    StiLink *to = &reader->model->links[link];
    if (inertial != NULL)
        read_inertial(reader, inertial, around, to);
    else
        to->mass = to->inertia[0] = to->inertia[1] = to->inertia[2] = 1.0; // as SDF says
    for (const XmlElement *child = element->children; child != NULL; child = child->next) {
        const bool collides = strcmp(child->name, "collision") == 0;
        if (collides) read_collision(reader, child, around, link);
        if (reader->base->draws && (collides || strcmp(child->name, "visual") == 0))
            draw(reader, child, around, link);
    }
}
