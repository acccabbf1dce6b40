// A URDF as a model: its dynamics, limits and shapes.
#include <string.h>

#include "base/names.h"
#include "model/mesh_hull.h"
#include "model/model.h"
#include "stiction/urdf.h"
#include "urdf/urdf_reader.h"

// Without a better number: dry things on dry ground.
static const double USUAL_FRICTION = 0.8;

static void read_couplings(const ModelReader *reader, const StiUrdf *urdf, Model *model)
{
    StiNames names = {0};
    for (int i = 0; i < urdf->count; ++i)
        sti_names_put(&names, reader->arena, urdf->links[i].joint_name, i);
    for (int i = 0; i < urdf->count; ++i) {
        const StiUrdfJoint *joint = &urdf->joints[i];
        const int to = joint->mimic != NULL ? sti_names_find(&names, joint->mimic) : -1;
        if (to < 0) continue;
        model->couplings[model->coupling_count++] =
            (ModelCoupling){.name = model->links[i].joint_name,
                            .link = i,
                            .to = to,
                            .factors = {joint->offset, joint->multiplier}};
    }
}

static void copy_links(const ModelReader *reader, const StiUrdf *urdf, Model *model)
{
    for (int i = 0; i < urdf->count; ++i) {
        model->links[i] = urdf->links[i];
        model->links[i].name = sti_arena_text(reader->arena, urdf->links[i].name);
        model->links[i].joint_name = sti_arena_text(reader->arena, urdf->links[i].joint_name);
        model->joints[i] = (ModelJoint){.friction = urdf->joints[i].friction,
                                        .damping = urdf->joints[i].damping};
        if (urdf->links[i].joint == STI_JOINT_FLOATING) model->has_floor = true;
    }
    for (int i = 0; i < urdf->shape_count; ++i)
        model->shapes[model->shape_count++] = (ModelShape){.link = urdf->shapes[i].link,
                                                           .shape = urdf->shapes[i].shape,
                                                           .surface = {.mu = USUAL_FRICTION,
                                                                       .dimensions = 3}};
    model->count = urdf->count;
    model->floor_normal = sti_vec3(0.0, 0.0, 1.0);
}

static void read_meshes(const ModelReader *reader, const StiUrdf *urdf, Model *model)
{
    MeshHulls hulls = {.arena = reader->arena,
                       .gathered = reader->gathered,
                       .model = reader->path,
                       .confine = reader->confine};
    for (int i = 0; i < urdf->mesh_count; ++i) {
        const StiUrdfMesh *mesh = &urdf->meshes[i];
        const StiHull *hull = mesh_hull(&hulls, (Mark){reader->path, 0, 0}, mesh->file, mesh->scale);
        if (hull == NULL) continue;
        model->shapes[model->shape_count++] = (ModelShape){.link = mesh->link,
                                                           .shape = sti_shape_hull(mesh->at, hull),
                                                           .surface = {.mu = USUAL_FRICTION,
                                                                       .dimensions = 3}};
    }
}

static bool make_room(const ModelReader *reader, const StiUrdf *urdf, Model *model)
{
    const size_t count = (size_t)urdf->count + 1;
    model->name = sti_arena_text(reader->arena, urdf->name);
    model->links = sti_arena_take(reader->arena, count, sizeof *model->links);
    model->joints = sti_arena_take(reader->arena, count, sizeof *model->joints);
    model->couplings = sti_arena_take(reader->arena, count, sizeof *model->couplings);
    model->shapes =
        sti_arena_take(reader->arena, (size_t)urdf->shape_count + (size_t)urdf->mesh_count + 1,
                                   sizeof *model->shapes);
    return !reader->arena->failed;
}

bool urdf_model(const ModelReader *reader, const char *text, size_t length, Model *model)
{
    StiUrdf *urdf = sti_urdf_read(text, length, reader->path, reader->messages);
    if (urdf == NULL) return false;
    model->format = "URDF";
    const bool good = make_room(reader, urdf, model);
    if (good) {
        copy_links(reader, urdf, model);
        if (reader->draws)
            urdf_draw(reader, text, length, model);
        else
            read_meshes(reader, urdf, model);
        read_couplings(reader, urdf, model);
    }
    sti_urdf_destroy(urdf);
    return good;
}
