// The meshes of a scene's model files, for replays.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/import_model.h"
#include "mesh/triangles.h"
#include "model/mesh_hull.h"
#include "model/names.h"
#include "stiction/import.h"
#include "stiction/robot.h"
#include "text/file.h"
#include "xml/xml.h"

typedef struct Read { // a file, once
    const char *path;
    Triangles triangles;
    double scale; // the largest that it is drawn with
} Read;

typedef struct Drawer {
    const StiScene *scene;
    StiArena arena; // of the models
    StiDrawing *drawing;
    Read *reads; // of the meshes
    int room;    // of parts, and so of meshes
} Drawer;

// ---- files --------------------------------------------------------------------------------------

// The number of a mesh; -1: it cannot be read.
static int read_mesh(Drawer *drawer, const char *path)
{
    StiDrawing *drawing = drawer->drawing;
    const char *why;
    for (int i = 0; i < drawing->mesh_count; ++i)
        if (strcmp(drawer->reads[i].path, path) == 0)
            return drawer->reads[i].triangles.count > 0 ? i : -1;
    Read *read = &drawer->reads[drawing->mesh_count];
    *read = (Read){.path = sti_arena_text(&drawer->arena, path)};
    if (read->path == NULL) return -1;
    const bool good = triangles_load(path, &read->triangles, &why);
    ++drawing->mesh_count;
    return good && read->triangles.count > 0 ? drawing->mesh_count - 1 : -1;
}

static bool make_room(Drawer *drawer, int more)
{
    StiDrawing *drawing = drawer->drawing;
    const size_t room = (size_t)drawer->room + (size_t)more;
    StiDrawnPart *parts = realloc(drawing->parts, room * sizeof *parts);
    if (parts != NULL) drawing->parts = parts;
    Read *reads = realloc(drawer->reads, room * sizeof *reads);
    if (reads != NULL) drawer->reads = reads;
    if (parts == NULL || reads == NULL) return false;
    drawer->room = (int)room;
    return true;
}

// ---- parts --------------------------------------------------------------------------------------

static int find_body(const StiNetwork *network, const char *name, const StiRobot **robot)
{
    StiComponent body;
    for (int i = 0; sti_network_component(network, i, &body) && body.role == STI_BODY; ++i)
        if (strcmp(body.name, name) == 0 && strcmp(body.kind, sti_kind_robot.info.name) == 0) {
            *robot = ((const StiRobotBody *)sti_network_parameters(network, i))->robot;
            return i;
        }
    return -1;
}

static int find_link(const StiRobot *robot, const char *name)
{
    for (int i = 0; i < sti_robot_links(robot); ++i)
        if (strcmp(sti_robot_link(robot, i)->name, name) == 0) return i;
    return -1;
}

static bool is_seen(const StiDrawing *drawing, int body, int link)
{
    for (int i = 0; i < drawing->part_count; ++i) {
        const StiDrawnPart *part = &drawing->parts[i];
        if (part->visual && part->body == body && part->link == link) return true;
    }
    return false;
}

static double largest(StiVec3 scale)
{
    return fmax(fabs(scale.x), fmax(fabs(scale.y), fabs(scale.z)));
}

static void add_part(Drawer *drawer, const MeshHulls *files, const ModelDrawing *from,
                     StiDrawnPart part)
{
    enum { LONGEST_PATH = 4096 };
    StiDrawing *drawing = drawer->drawing;
    char path[LONGEST_PATH];
    const bool room = drawing->part_count < STI_MOST_DRAWN_PARTS;
    part.mesh =
        room && mesh_find(files, from->file, path, sizeof path) ? read_mesh(drawer, path) : -1;
    Read *read = part.mesh >= 0 ? &drawer->reads[part.mesh] : NULL;
    const double scale = largest(part.scale);
    const double cell = read != NULL ? read->triangles.cell * scale : 0.0;
    if (!(cell > 0.0) || !isfinite(TRIANGLES_GRID * cell)) {
        ++drawing->left_out;
        return;
    }
    read->scale = fmax(read->scale, scale);
    drawing->parts[drawing->part_count++] = part;
}

// First what is to be seen, then what is for contact.
static void add_parts(Drawer *drawer, const Model *model, const StiSceneRobot *robot,
                      const char *file)
{
    const MeshHulls files = {.arena = &drawer->arena,
                             .model = file,
                             .confine = drawer->scene->confine};
    const StiRobot *tree = NULL;
    const int body = find_body(drawer->scene->network, robot->name, &tree);
    if (body < 0 || !make_room(drawer, model->drawing_count + 1)) return;
    for (int round = 0; round < 2; ++round)
        for (int i = 0; i < model->drawing_count; ++i) {
            const ModelDrawing *from = &model->drawings[i];
            const int link = from->link >= 0 ? find_link(tree, model->links[from->link].name) : -1;
            const int owner = from->link >= 0 ? body : -1;
            if (from->visual != (round == 0) || (from->link >= 0 && link < 0)) continue;
            if (!from->visual && is_seen(drawer->drawing, owner, link)) continue;
            add_part(drawer, &files, from,
                     (StiDrawnPart){.body = owner,
                                    .link = link,
                                    .visual = from->visual,
                                    .scale = from->scale,
                                    .at = from->at});
        }
}

// Read once more, in silence: all that is wrong with it was said when the scene was read.
static void draw_robot(Drawer *drawer, const StiSceneRobot *robot)
{
    const char *file = robot->file != NULL ? robot->file : drawer->scene->path, *why;
    size_t length;
    char *text = scene_file_read(file, XML_MOST_BYTES, &length, &why);
    StiMessages *messages = sti_messages_create();
    if (text != NULL && messages != NULL && sti_is_model(text, length)) {
        Gathered gathered = {.arena = &drawer->arena, .messages = messages};
        const ModelReader reader = {.arena = &drawer->arena,
                                    .gathered = &gathered,
                                    .messages = messages,
                                    .path = file,
                                    .confine = drawer->scene->confine,
                                    .draws = true};
        Model model = {.file = file};
        if (import_read_model(&reader, text, length, &model) && !drawer->arena.failed) {
            model_name_links(&drawer->arena, model.links, model.count, (Mark){file, 0, 0},
                             &gathered);
            add_parts(drawer, &model, robot, file);
        }
    }
    sti_messages_destroy(messages);
    free(text);
}

// ---- the limit ----------------------------------------------------------------------------------

// Cells that become one, where corners as close as `merged` (m) may.
static int step_of(const Read *read, double merged)
{
    const double cell = read->triangles.cell * read->scale;
    if (!(cell > 0.0)) return TRIANGLES_GRID + 1; // of no part: nothing is kept
    const double step = fmin(fmax(floor(merged / cell), 1.0), TRIANGLES_GRID + 1.0);
    return (int)step;
}

static bool coarsen(Drawer *drawer, double merged, Triangles *to, int64_t *total)
{
    *total = 0;
    for (int i = 0; i < drawer->drawing->mesh_count; ++i) {
        const Read *read = &drawer->reads[i];
        triangles_free(&to[i]);
        if (!triangles_merge(&read->triangles, step_of(read, merged), &to[i])) return false;
        *total += to[i].count;
    }
    return true;
}

// As fine as the limit lets it be: cubes grow by halves from a 512th of the largest mesh on.
static bool keep_limit(Drawer *drawer, Triangles *to)
{
    double size = 0.0;
    int64_t total;
    for (int i = 0; i < drawer->drawing->mesh_count; ++i)
        size =
            fmax(size, TRIANGLES_GRID * drawer->reads[i].triangles.cell * drawer->reads[i].scale);
    bool good = coarsen(drawer, 0.0, to, &total);
    for (double merged = size / 512.0; good && total > STI_MOST_TRIANGLES; merged *= 1.5) {
        good = coarsen(drawer, merged, to, &total);
        drawer->drawing->merged = merged;
    }
    return good;
}

// Corners are numbers below three times the most triangles: 16 bits hold them.
static bool show(Drawer *drawer, Triangles *made)
{
    StiDrawing *drawing = drawer->drawing;
    drawing->meshes = calloc((size_t)drawing->mesh_count + 1, sizeof *drawing->meshes);
    if (drawing->meshes == NULL) return false;
    for (int i = 0; i < drawing->mesh_count; ++i) {
        const size_t corners = 3 * (size_t)made[i].count;
        StiDrawnMesh *mesh = &drawing->meshes[i];
        *mesh = (StiDrawnMesh){.low = made[i].low,
                               .cell = made[i].cell,
                               .places = made[i].places,
                               .place_count = made[i].place_count,
                               .corners = malloc((corners + 1) * sizeof *mesh->corners),
                               .count = made[i].count};
        made[i].places = NULL; // now the mesh's
        if (mesh->corners == NULL) return false;
        for (size_t k = 0; k < corners; ++k) mesh->corners[k] = (uint16_t)made[i].corners[k];
    }
    return true;
}

// ---- all ----------------------------------------------------------------------------------------

static bool finish(Drawer *drawer)
{
    const int count = drawer->drawing->mesh_count;
    Triangles *made = calloc((size_t)count + 1, sizeof *made);
    const bool good = made != NULL && keep_limit(drawer, made) && show(drawer, made);
    for (int i = 0; made != NULL && i < count; ++i) triangles_free(&made[i]);
    for (int i = 0; i < count; ++i) triangles_free(&drawer->reads[i].triangles);
    free(made);
    return good && !drawer->arena.failed;
}

StiDrawing *sti_scene_drawing(const StiScene *scene)
{
    Drawer drawer = {.scene = scene, .drawing = calloc(1, sizeof *drawer.drawing)};
    if (drawer.drawing == NULL) return NULL;
    for (int i = 0; i < scene->robot_count; ++i) draw_robot(&drawer, &scene->robots[i]);
    const bool good = finish(&drawer);
    free(drawer.reads);
    sti_arena_release(&drawer.arena);
    if (good) return drawer.drawing;
    sti_drawing_destroy(drawer.drawing);
    return NULL;
}

void sti_drawing_destroy(StiDrawing *drawing)
{
    if (drawing == NULL) return;
    for (int i = 0; drawing->meshes != NULL && i < drawing->mesh_count; ++i) {
        free(drawing->meshes[i].places);
        free(drawing->meshes[i].corners);
    }
    free(drawing->meshes);
    free(drawing->parts);
    free(drawing);
}
