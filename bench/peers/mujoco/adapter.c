// MuJoCo through its C API; models are written as MJCF. Friction in joints is `frictionloss`.
//
// Settings. `default`: everything as MuJoCo has it (Euler, Newton solver, pyramidal cones, soft
// constraints with a time constant of 20 ms and an impedance of 0.9 ... 0.95). `dense`: dense
// Jacobians also above 60 degrees of freedom; only the chain feels it. `elliptic`: elliptic cones and
// the no-slip solver, what MuJoCo's documentation advises against slip. `hard`: besides, constraints
// as stiff as the step allows (time constant 2 T, below which MuJoCo clips; impedance 0.9999, its
// upper bound) and tight tolerances. impratio was tried at 1, 10 and 100: with the no-slip solver it
// changes little, at 100 the line search complains, so it stays at its default of 1. `hard RK4`: the
// same with the Runge-Kutta integrator, where there is no contact.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "../peer.h"

enum { DEFAULT, DENSE, ELLIPTIC, HARD, HARD_RK4 };

typedef struct World {
    PeerTask task;
    const struct World *shared;
    mjModel *model;
    mjData *data;
    bool stages; // the integrator asks for loads at the times of its stages
} World;

static void version(char *text, size_t size)
{
    const int v = mj_version();
    snprintf(text, size, "MuJoCo %d.%d.%d", v / 100, v / 10 % 10, v % 10);
}

// ---- models ---------------------------------------------------------------------------------------

static void write_options(FILE *xml, const PeerTask *task, int variant)
{
    fprintf(xml, "<option timestep='%.17g' gravity='0 0 %.17g'", task->T,
            -case_gravity_of(task->which));
    if (variant == DENSE) fprintf(xml, " jacobian='dense'");
    if (variant >= ELLIPTIC) fprintf(xml, " cone='elliptic' noslip_iterations='20'");
    if (variant >= HARD) fprintf(xml, " noslip_tolerance='1e-12' tolerance='1e-12'");
    if (variant == HARD_RK4) fprintf(xml, " integrator='RK4'");
    fprintf(xml, "/>");
    if (variant < HARD) return;
    const char *impedance = "0.9999 0.9999 0.001";
    fprintf(xml,
            "<default><geom solref='%.17g 1' solimp='%s'/>"
            "<joint solreffriction='%.17g 1' solimpfriction='%s'/></default>",
            2.0 * task->T, impedance, 2.0 * task->T, impedance);
}

static void write_inertia(FILE *xml, const double centre[3], double mass, double xx, double yy,
                          double zz)
{
    fprintf(xml, "<inertial pos='%.17g %.17g %.17g' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>",
            centre[0], centre[1], centre[2], mass, xx, yy, zz);
}

static const double middle[3] = {0.0, 0.0, 0.0};

static void write_box(FILE *xml)
{
    fprintf(xml, "<geom type='plane' size='50 50 1' friction='%g'/>", box_mu);
    fprintf(xml, "<body pos='0 0 %.17g'><freejoint/>", box_half[2]);
    write_inertia(xml, middle, box_mass, box_inertia(0), box_inertia(1), box_inertia(2));
    fprintf(xml, "<geom type='box' size='%g %g %g' friction='%g'/></body>", box_half[0],
            box_half[1], box_half[2], box_mu);
}

static void write_ball(FILE *xml)
{
    fprintf(xml, "<geom type='plane' size='50 50 1' friction='%g'/>", ball_mu);
    fprintf(xml, "<body pos='0 0 %.17g'><freejoint/>", ball_radius);
    write_inertia(xml, middle, ball_mass, ball_inertia(), ball_inertia(), ball_inertia());
    fprintf(xml, "<geom type='sphere' size='%g' friction='%g'/></body>", ball_radius, ball_mu);
}

static void write_joint(FILE *xml)
{
    fprintf(xml, "<body><joint type='hinge' axis='0 0 1' frictionloss='%g'/>", joint_level);
    write_inertia(xml, middle, 1.0, joint_inertia, joint_inertia, joint_inertia);
    fprintf(xml, "</body>");
}

static void write_block(FILE *xml)
{
    fprintf(xml, "<body><joint type='slide' axis='1 0 0' frictionloss='%g'/>", block_level);
    write_inertia(xml, middle, block_mass, 0.1, 0.1, 0.1);
    fprintf(xml, "</body>");
}

static void write_two_link(FILE *xml)
{
    const double centre[3] = {0.5 * arm2_length, 0.0, 0.0}, J = arm2_inertia();
    for (int i = 0; i < 2; ++i) {
        fprintf(xml, "<body pos='%.17g 0 0'><joint axis='0 0 1' frictionloss='%g'/>",
                i * arm2_length, arm2_level);
        write_inertia(xml, centre, arm2_mass, arm2_thin, J, J);
    }
    fprintf(xml, "</body></body>");
}

// MuJoCo's reader refuses elements nested deeper than about a hundred, so that long chains go on in
// a file of their own, included at the end of the last link of this one.
enum { LINKS_PER_FILE = 40 };

static void write_chain_links(FILE *xml, int first, int n)
{
    const double centre[3] = {0.5 * chain_length, 0.0, 0.0};
    const int end = n - first > LINKS_PER_FILE ? first + LINKS_PER_FILE : n;
    for (int i = first; i < end; ++i) {
        fprintf(xml, "<body pos='%.17g 0 0'><joint axis='0 1 0' frictionloss='%g'/>",
                i > 0 ? chain_length : 0.0, chain_level);
        write_inertia(xml, centre, chain_mass, chain_inertia(0), chain_inertia(1),
                      chain_inertia(2));
    }
    if (end < n) fprintf(xml, "<include file='links%d.xml'/>", end);
    for (int i = 0; end == n && i < 2; ++i)
        fprintf(xml, "<geom type='sphere' size='%g' pos='%g 0 0' friction='%g'/>", chain_radius,
                chain_spheres[i], chain_mu);
    for (int i = first; i < end; ++i) fprintf(xml, "</body>");
}

static void write_chain(FILE *xml, int n)
{
    fprintf(xml, "<geom type='plane' pos='0 0 %g' size='50 50 1' friction='%g'/>", -chain_radius,
            chain_mu);
    write_chain_links(xml, 0, n);
}

static void write_pinch(FILE *xml)
{
    fprintf(xml, "<body pos='0 0 %g'><freejoint/>", pinch_height);
    write_inertia(xml, middle, capsule_mass, capsule_inertia(0), capsule_inertia(1),
                  capsule_inertia(2));
    fprintf(xml, "<geom type='capsule' euler='90 0 0' size='%g %g' friction='%g'/></body>",
            capsule_radius, capsule_half, pinch_mu);
    for (int side = -1; side <= 1; side += 2) {
        fprintf(xml, "<body pos='%.17g 0 %g'><joint type='slide' axis='1 0 0'/>",
                side * (capsule_radius + finger_half[0]), pinch_height);
        write_inertia(xml, middle, finger_mass, 1e-3, 1e-3, 1e-3);
        fprintf(xml, "<geom type='box' size='%g %g %g' friction='%g'/></body>", finger_half[0],
                finger_half[1], finger_half[2], pinch_mu);
    }
}

static void write_arm(FILE *xml)
{
    for (int i = 0; i < ARM_AXES; ++i) {
        const ArmLink *l = &arm_links[i];
        fprintf(xml, "<body pos='%g %g %g' euler='0 %d 0'>", l->place[0], l->place[1], l->place[2],
                l->turned ? 90 : 0);
        fprintf(xml, "<joint axis='0 %d %d' frictionloss='%g'/>", !l->about_z, l->about_z,
                l->level);
        write_inertia(xml, l->centre, l->mass, arm_inertia(i, 0), arm_inertia(i, 1),
                      arm_inertia(i, 2));
    }
    for (int i = 0; i < ARM_AXES; ++i) fprintf(xml, "</body>");
}

static void write_model(FILE *xml, const PeerTask *task, int variant)
{
    fprintf(xml, "<mujoco><size nuserdata='1'/>");
    write_options(xml, task, variant);
    fprintf(xml, "<worldbody>");
    switch (task->which) {
    case CASE_CREEP_BOX:
    case CASE_SLIDING_BOX:
        write_box(xml);
        break;
    case CASE_CREEP_JOINT:
        write_joint(xml);
        break;
    case CASE_SPRING_PULL:
    case CASE_ZERO_CROSSING:
        write_block(xml);
        break;
    case CASE_TWO_LINK:
        write_two_link(xml);
        break;
    case CASE_CHAIN:
        write_chain(xml, task->links);
        break;
    case CASE_ROLLING:
        write_ball(xml);
        break;
    case CASE_PINCH:
        write_pinch(xml);
        break;
    default:
        write_arm(xml);
        break;
    }
    fprintf(xml, "</worldbody></mujoco>");
}

static void add_file(mjVFS *files, const char *name, const char *text, size_t size)
{
    mj_makeEmptyFileVFS(files, name, (int)size + 1);
    memcpy(files->filedata[mj_findFileVFS(files, name)], text, size + 1);
}

static void add_links(mjVFS *files, int first, int n)
{
    char *text, name[32];
    size_t size;
    FILE *xml = open_memstream(&text, &size);
    fprintf(xml, "<mujoco>");
    write_chain_links(xml, first, n);
    fprintf(xml, "</mujoco>");
    fclose(xml);
    snprintf(name, sizeof name, "links%d.xml", first);
    add_file(files, name, text, size);
    free(text);
}

static mjModel *load(const PeerTask *task, int variant)
{
    char *text, error[500] = "";
    size_t size;
    FILE *xml = open_memstream(&text, &size);
    write_model(xml, task, variant);
    fclose(xml);
    mjVFS *files = malloc(sizeof *files);
    mj_defaultVFS(files);
    add_file(files, "case.xml", text, size);
    for (int i = LINKS_PER_FILE; task->which == CASE_CHAIN && i < task->links; i += LINKS_PER_FILE)
        add_links(files, i, task->links);
    mjModel *model = mj_loadXML("case.xml", files, error, sizeof error);
    if (model == NULL) fprintf(stderr, "MuJoCo: %s\n", error);
    mj_deleteVFS(files);
    free(files);
    free(text);
    return model;
}

// ---- steps ------------------------------------------------------------------------------------------

static void apply_loads(const World *world, double t)
{
    mjData *d = world->data;
    const PeerCase which = world->task.which;
    for (int i = 0; i < case_loaded_joints(which); ++i)
        d->qfrc_applied[i] = case_joint_load(which, i, t, d->qpos[i]);
    if (case_pulls_a_box(which)) {
        const double pull = case_pull(which, t);
        d->xfrc_applied[6] = pull * cos(world->task.angle);
        d->xfrc_applied[7] = pull * sin(world->task.angle);
    }
    if (which == CASE_PINCH) d->qfrc_applied[6] = finger_force, d->qfrc_applied[7] = -finger_force;
}

// Runge-Kutta needs its loads at every stage: MuJoCo calls this from within a step. The data's one
// user number holds the address of its world.
static void control(const mjModel *model, mjData *data)
{
    const World *world;
    (void)model;
    memcpy(&world, data->userdata, sizeof world);
    if (world != NULL && world->stages)
        apply_loads(world, data->time); // NULL: MuJoCo tries a model
}

static void run(void *data, long steps)
{
    World *world = data;
    for (long k = 0; k < steps; ++k) {
        if (!world->stages) apply_loads(world, world->data->time + world->task.T);
        mj_step(world->model, world->data);
    }
}

// ---- the table --------------------------------------------------------------------------------------

static bool has_contact(PeerCase which)
{
    return which == CASE_CREEP_BOX || which == CASE_CHAIN || which == CASE_ROLLING ||
           which == CASE_SLIDING_BOX || which == CASE_PINCH;
}

static void start(World *world)
{
    mjData *d = world->data = mj_makeData(world->model);
    const World *self = world;
    memcpy(d->userdata, &self, sizeof self);
    if (world->task.which == CASE_ROLLING) {
        d->qvel[0] = ball_speed * cos(world->task.angle);
        d->qvel[1] = ball_speed * sin(world->task.angle);
    }
    if (world->task.which == CASE_ZERO_CROSSING) d->qvel[0] = crossing_velocity;
}

// MuJoCo would write a file into the working folder.
static void warn(const char *message) { fprintf(stderr, "MuJoCo warns: %s\n", message); }

static void *build(const PeerTask *task, int variant)
{
    if (variant == DENSE && task->which != CASE_CHAIN) return NULL;
    if (variant == HARD_RK4 && has_contact(task->which)) return NULL;
    mjModel *model = load(task, variant);
    if (model == NULL) return NULL;
    World *world = calloc(1, sizeof *world);
    world->task = *task;
    world->model = model;
    world->stages = variant == HARD_RK4;
    mjcb_control = control;
    mju_user_warning = warn;
    start(world);
    return world;
}

static void *copy(const void *data)
{
    World *world = calloc(1, sizeof *world);
    *world = *(const World *)data;
    world->shared = data;
    start(world);
    return world;
}

static void destroy(void *data)
{
    World *world = data;
    mj_deleteData(world->data);
    if (world->shared == NULL) mj_deleteModel(world->model);
    free(world);
}

static void read(void *data, double values[PEER_VALUES])
{
    static const int counts[CASES] = {3, 1, 1, 1, 2, 1, 3, 3, 3, ARM_AXES};
    const World *world = data;
    const int count = world->task.which == CASE_CHAIN ? chain_read(world->task.links)
                                                      : counts[world->task.which];
    for (int i = 0; i < count; ++i) {
        values[i] = world->data->qpos[i];
        values[count + i] = world->data->qvel[i];
    }
}

static double mass(void *data) { return mj_getTotalmass(((World *)data)->model); }
static double gravity(void *data) { return -((World *)data)->model->opt.gravity[2]; }

const Peer peer_mujoco = {
    .name = "MuJoCo",
    .version = version,
    .variants = {{"default", "defaults"},
                 {"dense", "dense Jacobians"},
                 {"elliptic", "elliptic cones, 20 no-slip iterations"},
                 {"hard", "as elliptic, tolerances 1e-12, solref 2 T, solimp 0.9999"},
                 {"hard RK4", "as hard, RK4 integrator"}},
    .build = build,
    .copy = copy,
    .run = run,
    .read = read,
    .mass = mass,
    .gravity = gravity,
    .destroy = destroy,
};
