// A model file becomes a scene: which format it is, then what all formats have in common.
#include "stiction/import.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/import_model.h"
#include "model/inertia.h"
#include "model/names.h"
#include "stiction/urdf.h"
#include "text/file.h"
#include "xml/xml.h"

bool sti_is_model(const char *text, size_t length)
{
    size_t i = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (i < length && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n'))
        ++i;
    const bool wide = length >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || // UTF-16
                                      memcmp(text, "\xfe\xff", 2) == 0);
    return wide || (i < length && text[i] == '<');
}

// ---- what all formats have in common ------------------------------------------------------------

// Joints that are written need names; links of fixed ones lend them theirs.
static void name_joints(StiArena *arena, Model *model)
{
    StiNames taken = {0};
    for (int i = 0; i < model->count; ++i) {
        const char *name = model->links[i].joint_name;
        if (name != NULL && name[0] != '\0') sti_names_put(&taken, arena, name, i);
    }
    for (int i = 0; i < model->count; ++i) {
        StiLink *link = &model->links[i];
        if (link->joint_name != NULL && link->joint_name[0] != '\0') continue;
        const char *name = model_name(arena, &taken, link->name, MODEL_LONGEST_PART);
        link->joint_name = name != NULL ? name : "";
    }
}

static void make_physical(const Model *model, Mark mark, Gathered *gathered)
{
    for (int i = 0; i < model->count; ++i) {
        StiLink *link = &model->links[i];
        const double change = inertia_make_physical(link->inertia);
        if (change == 0.0) continue;
        char name[96];
        snprintf(name, sizeof name, "%.60s (by %.2g %%)", link->name, 100.0 * change);
        gather(gathered, STI_WARNING, mark,
               "changed: inertias that no body has to the nearest that one can have", name, change);
    }
}

// What is fixed has no limits, no friction, no drive: welded joints lose theirs.
static void drop_what_is_welded(Model *model, Mark mark, Gathered *gathered)
{
    int kept = 0;
    for (int i = 0; i < model->count; ++i)
        if (model->links[i].joint == STI_JOINT_FIXED) model->joints[i] = (ModelJoint){.placed = false};
    for (int i = 0; i < model->drive_count; ++i) {
        const StiLink *link = &model->links[model->drives[i].link];
        if (link->joint != STI_JOINT_FIXED)
            model->drives[kept++] = model->drives[i];
        else
            gather(gathered, STI_WARNING, mark, "left out: drives of joints that do not move",
                   model->drives[i].name, 0.0);
    }
    model->drive_count = kept;
}

// 2 ratio sqrt(K m), m the diagonal of the mass matrix in the pose of the file, before the gear.
static void damp_by_ratio(const Model *model, const StiRobot *robot)
{
    const size_t n = (size_t)sti_robot_velocities(robot);
    double *q = calloc((size_t)sti_robot_positions(robot) + 1, sizeof *q);
    double *H = calloc(n * n + 1, sizeof *H);
    double *work = calloc((size_t)sti_robot_workspace(robot) + 1, sizeof *work);
    if (q != NULL && H != NULL && work != NULL) {
        sti_robot_rest(robot, q);
        for (int i = 0; i < model->count; ++i)
            if (model->joints[i].placed)
                memcpy(q + sti_robot_joint_position(robot, i), model->joints[i].position,
                       (size_t)model_positions(&model->links[i]) * sizeof *q);
        sti_robot_mass_matrix(robot, q, H, work);
        for (int i = 0; i < model->drive_count; ++i) {
            ModelDrive *drive = &model->drives[i];
            if (!(drive->damping_ratio > 0.0) || drive->drive.gear == 0.0) continue;
            const size_t k = (size_t)sti_robot_joint_velocity(robot, drive->link);
            drive->drive.B = 2.0 * drive->damping_ratio * sqrt(drive->drive.K * H[k * n + k]) /
                             fabs(drive->drive.gear);
        }
    }
    free(q);
    free(H);
    free(work);
}

static void damp_drives(const Model *model, Mark mark, Gathered *gathered)
{
    enum { MOST = 2000 }; // velocities whose mass matrix is made
    bool any = false;
    for (int i = 0; i < model->drive_count; ++i) any = any || model->drives[i].damping_ratio > 0.0;
    StiReport *report = any ? sti_report_create() : NULL;
    StiRobot *robot = report != NULL ? sti_robot_create(model->links, model->count, report) : NULL;
    if (robot != NULL && sti_robot_velocities(robot) <= MOST)
        damp_by_ratio(model, robot);
    else if (any)
        gather(gathered, STI_WARNING, mark, "left out: damping ratios of actuators", "all", 0.0);
    sti_robot_destroy(robot);
    sti_report_destroy(report);
}

static bool has_axis(const StiLink *link)
{
    return link->joint == STI_JOINT_REVOLUTE || link->joint == STI_JOINT_PRISMATIC;
}

static bool can_couple(const Model *model, const ModelCoupling *coupling)
{
    const double *f = coupling->factors;
    return coupling->to >= 0 && coupling->to != coupling->link &&
           has_axis(&model->links[coupling->link]) && has_axis(&model->links[coupling->to]) &&
           f[1] != 0.0 && f[2] == 0.0 && f[3] == 0.0 && f[4] == 0.0;
}

// Who follows starts where it belongs; chains of followers need several rounds.
static void place_followers(Model *model)
{
    enum { ROUNDS = 8 };
    for (int round = 0; round < ROUNDS; ++round)
        for (int i = 0; i < model->coupling_count; ++i) {
            const ModelCoupling *coupling = &model->couplings[i];
            ModelJoint *joint = &model->joints[coupling->link];
            const ModelJoint *other = &model->joints[coupling->to];
            const double q = other->placed ? other->position[0] : 0.0;
            joint->position[0] = coupling->factors[0] + coupling->factors[1] * q;
            joint->placed = true;
        }
}

// Keeps those that can be: lines between two joints that move, one for each follower.
static void couple(Model *model, Mark mark, const ModelReader *reader)
{
    bool *follows = sti_arena_take(reader->arena, (size_t)model->count + 1, sizeof *follows);
    int kept = 0;
    for (int i = 0; follows != NULL && i < model->coupling_count; ++i) {
        const ModelCoupling *coupling = &model->couplings[i];
        if (can_couple(model, coupling) && !follows[coupling->link]) {
            follows[coupling->link] = true;
            model->couplings[kept++] = *coupling;
        } else {
            gather(reader->gathered, STI_WARNING, mark,
                   "left out: couplings that are no straight lines, or of joints that do not move",
                   model->links[coupling->link].joint_name, 0.0);
        }
    }
    model->coupling_count = kept;
    place_followers(model);
}

static void finish(const ModelReader *reader, Model *model)
{
    const Mark mark = {reader->path, 0, 0};
    model_name_links(reader->arena, model->links, model->count, mark, reader->gathered);
    name_joints(reader->arena, model);
    make_physical(model, mark, reader->gathered);
    sti_urdf_weld(model->links, model->count, reader->path, reader->messages);
    drop_what_is_welded(model, mark, reader->gathered);
    damp_drives(model, mark, reader->gathered);
    couple(model, mark, reader);
}

// ---- formats ------------------------------------------------------------------------------------

bool import_read_model(const ModelReader *reader, const char *text, size_t length, Model *model)
{
    XmlElement *root = xml_read(text, length, reader->path, reader->arena, reader->messages);
    if (root == NULL) return false;
    if (strcmp(root->name, "robot") == 0) return urdf_model(reader, text, length, model);
    if (strcmp(root->name, "mujoco") == 0) return mjcf_model(reader, root, model);
    if (strcmp(root->name, "sdf") == 0) return sdf_model(reader, root, model);
    scene_message(reader->messages, STI_ERROR, root->mark,
                  "a model file is a <robot> (URDF), a <mujoco> (MJCF) or an <sdf>, but this is "
                  "<%.60s>%s",
                  root->name,
                  strcmp(root->name, "mujocoinclude") == 0
                      ? ": a part, which another file includes"
                      : "");
    return false;
}

static void report_counts(const Model *model, const ModelReader *reader)
{
    int joints = 0;
    double mass = 0.0;
    for (int i = 0; i < model->count; ++i) {
        joints += model->links[i].joint != STI_JOINT_FIXED;
        mass += model->links[i].mass;
    }
    scene_message(reader->messages, STI_NOTE, (Mark){reader->path, 0, 0},
                  "read: %s, %d links, %d joints that move, %d drives, %d shapes, %.6g kg",
                  model->format, model->count, joints, model->drive_count, model->shape_count, mass);
}

static bool write_scene(const ModelReader *reader, const Model *model, char **text)
{
    size_t size;
    FILE *to = open_memstream(text, &size);
    if (to == NULL) return false;
    bool good = model_write(model, reader->arena, reader->gathered, to);
    good = ferror(to) == 0 && good;
    return fclose(to) == 0 && good;
}

char *sti_import_text(const char *text, size_t length, const char *path,
                      const StiSceneOptions *options, StiMessages *messages)
{
    StiArena arena = {0};
    Gathered gathered = {.arena = &arena, .messages = messages};
    const ModelReader reader = {.arena = &arena,
                                .gathered = &gathered,
                                .messages = messages,
                                .path = path,
                                .confine = options != NULL ? options->confine : NULL};
    Model model = {.file = path, .gravity = {0.0, 0.0, -9.81}};
    char *written = NULL;
    bool good = import_read_model(&reader, text, length, &model);
    if (good && model.count == 0) {
        scene_message(messages, STI_ERROR, (Mark){path, 0, 0}, "there is nothing in this model");
        good = false;
    }
    if (good) {
        report_counts(&model, &reader);
        finish(&reader, &model);
        good = write_scene(&reader, &model, &written);
    }
    gathered_say(&gathered);
    if (arena.failed || (good && written == NULL)) {
        scene_message(messages, STI_ERROR, (Mark){path, 0, 0}, "out of memory");
        good = false;
    }
    sti_arena_release(&arena);
    if (good) return written;
    free(written);
    return NULL;
}

char *sti_import(const char *path, const StiSceneOptions *options, StiMessages *messages)
{
    size_t length;
    const char *why;
    char *text = scene_file_read(path, XML_MOST_BYTES, &length, &why);
    if (text == NULL) {
        scene_message(messages, STI_ERROR, (Mark){path, 0, 0}, "cannot be read: %s", why);
        return NULL;
    }
    char *scene = sti_import_text(text, length, path, options, messages);
    free(text);
    return scene;
}
