// What touches: links and the floor, links and what is fixed, trees and other trees, pairs of shapes.
#include <math.h>
#include <string.h>

#include "model/model_text.h"
#include "model/model_writer.h"

void model_add_shape(Model *model, StiArena *arena, const ModelShape *shape)
{
    if (model->shape_count == model->shape_capacity) {
        const int capacity = 2 * model->shape_capacity + 16;
        ModelShape *shapes = sti_arena_take(arena, (size_t)capacity, sizeof *shapes);
        if (shapes == NULL) return;
        if (model->shape_count > 0)
            memcpy(shapes, model->shapes, (size_t)model->shape_count * sizeof *shapes);
        model->shapes = shapes;
        model->shape_capacity = capacity;
    }
    model->shapes[model->shape_count++] = *shape;
}

static void write_number(FILE *to, const char *key, double value)
{
    if (value == 0.0) return;
    fprintf(to, ", %s: ", key);
    yaml_number(to, value);
}

static void write_grip(FILE *to, const ModelSurface *grip)
{
    fputs(", mu: ", to);
    yaml_number(to, grip->dimensions >= 3 ? grip->mu : 0.0);
    write_number(to, "spinning", grip->dimensions >= 4 ? grip->spinning : 0.0);
    write_number(to, "rolling", grip->dimensions >= 6 ? grip->rolling : 0.0);
}

static void write_plane(FILE *to, StiVec3 point, StiVec3 normal)
{
    fputs(", plane: {point: ", to);
    yaml_vector(to, point);
    fputs(", normal: ", to);
    yaml_vector(to, normal);
    fputc('}', to);
}

// ---- friction of two ----------------------------------------------------------------------------

ModelSurface model_grip(const ModelSurface *a, const ModelSurface *b)
{
    if (a->priority != b->priority) return a->priority > b->priority ? *a : *b;
    return (ModelSurface){.mu = fmax(a->mu, b->mu),
                          .spinning = fmax(a->spinning, b->spinning),
                          .rolling = fmax(a->rolling, b->rolling),
                          .dimensions =
                              a->dimensions > b->dimensions ? a->dimensions : b->dimensions,
                          .priority = a->priority};
}

// In what a scene says of it.
static bool same_grip(const ModelSurface *a, const ModelSurface *b)
{
    return a->dimensions == b->dimensions && (a->dimensions < 3 || a->mu == b->mu) &&
           (a->dimensions < 4 || a->spinning == b->spinning) &&
           (a->dimensions < 6 || a->rolling == b->rolling);
}

static bool same_surface(const ModelSurface *a, const ModelSurface *b)
{
    return same_grip(a, b) && a->priority == b->priority;
}

// ---- links with shapes --------------------------------------------------------------------------

typedef struct LinkSurface {
    bool there;           // has shapes, and moves
    bool obstacle;        // has shapes; neither it nor anything of its tree moves
    ModelSurface surface; // of its shapes together
} LinkSurface;

static int root_of(const Model *model, int link)
{
    while (model->links[link].parent >= 0) link = model->links[link].parent;
    return link;
}

// By roots: does anything of the tree move?
static bool *moving_trees(const Writer *writer)
{
    const Model *model = writer->model;
    bool *moves = sti_arena_take(writer->arena, (size_t)model->count + 1, sizeof *moves);
    for (int i = 0; moves != NULL && i < model->count; ++i)
        if (model->links[i].joint != STI_JOINT_FIXED) moves[root_of(model, i)] = true;
    return moves;
}

static LinkSurface *link_surfaces(const Writer *writer)
{
    const Model *model = writer->model;
    LinkSurface *links = sti_arena_take(writer->arena, (size_t)model->count + 1, sizeof *links);
    const bool *moves = moving_trees(writer);
    if (moves == NULL || links == NULL) return NULL;
    for (int i = 0; i < model->shape_count; ++i) {
        const ModelShape *shape = &model->shapes[i];
        if (shape->link < 0) continue;
        LinkSurface *own = &links[shape->link];
        if ((own->there || own->obstacle) && !same_surface(&own->surface, &shape->surface))
            gather(writer->gathered, STI_NOTE, (Mark){model->file, 0, 0},
                   "changed: shapes of one link have one coefficient of friction, the largest",
                   model->links[shape->link].name, 0.0);
        own->surface = own->there || own->obstacle ? model_grip(&own->surface, &shape->surface)
                                                   : shape->surface;
        own->there = model_moves(model, shape->link);
        own->obstacle = !moves[root_of(model, shape->link)];
    }
    return links;
}

// ---- the floor and other fixed shapes -----------------------------------------------------

// What stands still and has this surface: shapes of the world, links of trees without joints.
static void write_fixed_shapes(const Writer *writer, const LinkSurface *links,
                               const ModelSurface *surface)
{
    const Model *model = writer->model;
    int count = 0;
    for (int i = 0; i < model->shape_count; ++i) {
        const ModelShape *shape = &model->shapes[i];
        if (shape->link >= 0 || !same_surface(&shape->surface, surface)) continue;
        fputs(count++ == 0 ? ",\n    against: [" : ",\n      ", writer->to);
        model_write_shape(writer->to, &shape->shape);
    }
    for (int i = 0; i < model->count; ++i) {
        if (!links[i].obstacle || !same_surface(&links[i].surface, surface)) continue;
        fputs(count++ == 0 ? ",\n    against: [" : ", ", writer->to);
        fprintf(writer->to, "%s.%s", writer->body, model->links[i].name);
    }
    if (count > 0) fputc(']', writer->to);
}

// Links that meet what has this surface with the same friction share an element.
static void write_obstacles(Writer *writer, const LinkSurface *links, const ModelSurface *surface,
                            bool with_floor)
{
    const Model *model = writer->model;
    bool *written = sti_arena_take(writer->arena, (size_t)model->count + 1, sizeof *written);
    for (int i = 0; written != NULL && i < model->count; ++i) {
        const int first = writer->order[i];
        if (!links[first].there || written[first]) continue;
        const ModelSurface grip = model_grip(&links[first].surface, surface);
        fprintf(writer->to, "  %s: {kind: contact, on: [",
                model_new_name(writer, with_floor ? "floor" : "obstacle"));
        for (int j = i; j < model->count; ++j) {
            const int other = writer->order[j];
            const ModelSurface own = model_grip(&links[other].surface, surface);
            if (!links[other].there || written[other] || !same_grip(&own, &grip)) continue;
            fprintf(writer->to, "%s%s.%s", j > i ? ", " : "", writer->body,
                    model->links[other].name);
            written[other] = true;
        }
        fputc(']', writer->to);
        if (with_floor) write_plane(writer->to, model->floor_point, model->floor_normal);
        write_fixed_shapes(writer, links, surface);
        write_grip(writer->to, &grip);
        fputs("}\n", writer->to);
    }
}

// The surface of a shape that stands still; of a link, that of all its shapes. NULL: it moves.
static const ModelSurface *fixed_surface(const LinkSurface *links, const ModelShape *shape)
{
    if (shape->link < 0) return &shape->surface;
    return links[shape->link].obstacle ? &links[shape->link].surface : NULL;
}

// What has the surface of the floor stands with it; the others by their surfaces.
static void write_fixed(Writer *writer, const LinkSurface *links)
{
    const Model *model = writer->model;
    if (model->has_floor) write_obstacles(writer, links, &model->floor_surface, true);
    for (int i = 0; i < model->shape_count; ++i) {
        const ModelSurface *surface = fixed_surface(links, &model->shapes[i]);
        if (surface == NULL) continue;
        bool done = model->has_floor && same_surface(surface, &model->floor_surface);
        for (int j = 0; j < i && !done; ++j) {
            const ModelSurface *other = fixed_surface(links, &model->shapes[j]);
            done = other != NULL && same_surface(other, surface);
        }
        if (!done) write_obstacles(writer, links, surface, false);
    }
}

// ---- trees that touch each other ----------------------------------------------------------------

static int tree_size(const Model *model, const LinkSurface *links, int root)
{
    int count = 0;
    for (int i = 0; i < model->count; ++i) count += links[i].there && root_of(model, i) == root;
    return count;
}

// Roots of trees with shapes that move, the largest first.
static int find_trees(const Writer *writer, const LinkSurface *links, int *trees)
{
    const Model *model = writer->model;
    int count = 0, largest = 0;
    for (int i = 0; i < model->count; ++i) {
        if (model->links[i].parent >= 0 || tree_size(model, links, i) == 0) continue;
        if (tree_size(model, links, i) > tree_size(model, links, trees[largest])) largest = count;
        trees[count++] = i;
    }
    const int first = trees[0];
    trees[0] = trees[largest];
    trees[largest] = first;
    return count;
}

static int rank_of(const Model *model, const int *trees, int count, int link)
{
    const int root = root_of(model, link);
    for (int k = 0; k < count; ++k)
        if (trees[k] == root) return k;
    return count;
}

// Each link of the later trees against all of the earlier ones.
static void write_link_against(Writer *writer, const LinkSurface *links, const int *ranks, int link)
{
    const Model *model = writer->model;
    ModelSurface grip = {0};
    const char *comma = "";
    fprintf(writer->to, "  %s: {kind: contact, on: %s.%s, against: [",
            model_new_name(writer, "touch"), writer->body, model->links[link].name);
    for (int i = 0; i < model->count; ++i) {
        const int other = writer->order[i];
        if (!links[other].there || ranks[other] >= ranks[link]) continue;
        fprintf(writer->to, "%s%s.%s", comma, writer->body, model->links[other].name);
        const ModelSurface both = model_grip(&links[link].surface, &links[other].surface);
        if (comma[0] != '\0' && !same_grip(&grip, &both))
            gather(writer->gathered, STI_NOTE, (Mark){model->file, 0, 0},
                   "changed: what a free body touches has one coefficient of friction, the largest",
                   model->links[link].name, 0.0);
        grip = comma[0] != '\0' ? model_grip(&grip, &both) : both;
        comma = ", ";
    }
    fputc(']', writer->to);
    write_grip(writer->to, &grip);
    fputs("}\n", writer->to);
}

static void write_trees(Writer *writer, const LinkSurface *links)
{
    const Model *model = writer->model;
    int *trees = sti_arena_take(writer->arena, (size_t)model->count + 1, sizeof *trees);
    int *ranks = sti_arena_take(writer->arena, (size_t)model->count + 1, sizeof *ranks);
    if (!model->touch_each_other || trees == NULL || ranks == NULL) return;
    const int count = find_trees(writer, links, trees);
    for (int i = 0; i < model->count; ++i) ranks[i] = rank_of(model, trees, count, i);
    for (int i = 0; i < model->count; ++i) {
        const int link = writer->order[i];
        if (links[link].there && ranks[link] > 0 && ranks[link] < count)
            write_link_against(writer, links, ranks, link);
    }
    if (count > 0 && tree_size(model, links, trees[0]) > 1)
        gather(writer->gathered, STI_NOTE, (Mark){model->file, 0, 0},
               "left out: contact between links of one tree, except by pairs",
               model->links[trees[0]].name, 0.0);
}

// ---- pairs --------------------------------------------------------------------------------------

static void write_pair(Writer *writer, const ModelPair *pair)
{
    const Model *model = writer->model;
    const bool plane = strcmp(pair->shape_b.kind->info.name, "plane") == 0;
    fprintf(writer->to, "  %s: {kind: contact, ", model_new_name(writer, pair->name));
    if (pair->b < 0)
        fprintf(writer->to, "on: %s.%s", writer->body, model->links[pair->a].name);
    else
        fprintf(writer->to, "between: [%s.%s, %s.%s]", writer->body, model->links[pair->a].name,
                writer->body, model->links[pair->b].name);
    fputs(pair->b < 0 ? ", shape: " : ",\n    shape_a: ", writer->to);
    model_write_shape(writer->to, &pair->shape_a);
    if (plane) {
        write_plane(writer->to, pair->shape_b.p,
                    sti_quat_rotate(pair->shape_b.q, sti_vec3(0.0, 0.0, 1.0)));
    } else {
        fputs(pair->b < 0 ? ", against: " : ",\n    shape_b: ", writer->to);
        model_write_shape(writer->to, &pair->shape_b);
    }
    write_grip(writer->to, &pair->grip);
    fputs("}\n", writer->to);
}

static void write_pairs(Writer *writer)
{
    const Model *model = writer->model;
    for (int i = 0; i < model->pair_count; ++i) {
        const ModelPair *pair = &model->pairs[i];
        if (model_moves(model, pair->a) || model_moves(model, pair->b))
            write_pair(writer, pair);
        else
            gather(writer->gathered, STI_NOTE, (Mark){model->file, 0, 0},
                   "left out: pairs of geoms that do not move", pair->name, 0.0);
    }
}

void model_write_contacts(Writer *writer)
{
    const LinkSurface *links = link_surfaces(writer);
    if (links == NULL) return;
    write_fixed(writer, links);
    write_trees(writer, links);
    write_pairs(writer);
}
