// Inertias that no body has, joints that move nothing, masses that do not resist: what is done about them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "stiction/elementary.h"
#include "urdf/urdf_reader.h"

// ---- inertia ------------------------------------------------------------------------------------

// The first link of the rigid part that a link belongs to (-1: not known yet), and where the link
// is in its axes.
typedef struct Part {
    int head;
    StiFrame placement;
} Part;

static const UrdfJoint *fixed_joint_of(const UrdfReader *reader, int link)
{
    const int joint = reader->links[link].joint;
    const bool fixed = joint >= 0 && reader->joints[joint].type == STI_JOINT_FIXED;
    return fixed ? &reader->joints[joint] : NULL;
}

static Part part_behind(const Part *parent, const UrdfJoint *joint)
{
    const StiFrame *at = &parent->placement;
    return (
        Part){.head = parent->head,
              .placement = {.p = sti_vec3_add(at->p, sti_quat_rotate(at->q, joint->placement.p)),
                            .q = sti_quat_multiply(at->q, joint->placement.q)}};
}

// Up to what is known, then down the same way: each link is passed once.
static void find_part(const UrdfReader *reader, Part *parts, int *way, int link)
{
    int length = 0;
    while (parts[link].head < 0 && fixed_joint_of(reader, link) != NULL) {
        way[length++] = link;
        link = fixed_joint_of(reader, link)->parent;
    }
    if (parts[link].head < 0)
        parts[link] = (Part){.head = link, .placement = {.q = STI_QUAT_IDENTITY}};
    while (length-- > 0) {
        parts[way[length]] = part_behind(&parts[link], fixed_joint_of(reader, way[length]));
        link = way[length];
    }
}

static Part *find_parts(UrdfReader *reader)
{
    const size_t count = (size_t)reader->link_count;
    Part *parts = sti_arena_take(&reader->scratch, count + 1, sizeof *parts);
    int *way = sti_arena_take(&reader->scratch, count + 1, sizeof *way);
    if (parts == NULL || way == NULL) return NULL;
    for (size_t i = 0; i < count; ++i) parts[i].head = -1;
    for (int i = 0; i < reader->link_count; ++i) find_part(reader, parts, way, i);
    return parts;
}

static void join(UrdfReader *reader, const Part *part, UrdfLink *link)
{
    UrdfLink *head = &reader->links[part->head];
    const Inertia here = inertia_placed(&link->inertia, part->placement);
    if (!inertia_is_physical(link->inertia.tensor))
        urdf_gather(reader, STI_NOTE, link->element->mark,
                    "changed: inertias that no body has, joined with those of the links that they "
                    "are fixed to",
                    link->name);
    head->inertia = inertia_joined(&head->inertia, &here);
    link->inertia = (Inertia){.mass = 0.0};
}

static void make_physical(UrdfReader *reader, UrdfLink *link)
{
    const double change = inertia_make_physical(link->inertia.tensor);
    if (change == 0.0) return;
    char name[96];
    snprintf(name, sizeof name, "%.60s (by %.2g %%)", link->name, 100.0 * change);
    gather(
        &reader->gathered, STI_WARNING, link->element->mark,
        "changed: inertias that no body has (a principal moment below 0, or above the sum of the "
        "others) to the nearest that one can have",
        name, change);
}

void urdf_make_physical(UrdfReader *reader)
{
    const Part *parts = find_parts(reader);
    bool *broken = sti_arena_take(&reader->scratch, (size_t)reader->link_count + 1, sizeof *broken);
    if (parts == NULL || broken == NULL) return;
    for (int i = 0; i < reader->link_count; ++i)
        if (!inertia_is_physical(reader->links[i].inertia.tensor)) broken[parts[i].head] = true;
    for (int i = 0; i < reader->link_count; ++i)
        if (broken[parts[i].head] && parts[i].head != i) join(reader, &parts[i], &reader->links[i]);
    for (int i = 0; i < reader->link_count; ++i)
        if (broken[i]) make_physical(reader, &reader->links[i]);
}

// ---- joints that move nothing -------------------------------------------------------------------

// Welds what the report finds to have no inertia behind it; how many joints that were.
static int weld(StiLink *links, const StiNames *names, const StiReport *report, Gathered *gathered,
                Mark mark)
{
    int welded = 0;
    for (int k = 0; k < sti_report_count(report); ++k) {
        const StiFinding *finding = sti_report_finding(report, k);
        const int i = finding->severity == STI_ERROR && strcmp(finding->parameter, "mass") == 0
                          ? sti_names_find(names, finding->component)
                          : -1;
        if (i < 0 || links[i].joint == STI_JOINT_FIXED) continue;
        gather(
            gathered, STI_WARNING, mark,
            "changed: joints that nothing with inertia moves with, welded (an armature would let "
            "them move)",
            links[i].joint_name, 0.0);
        links[i].joint = STI_JOINT_FIXED;
        links[i].limited = false;
        ++welded;
    }
    return welded;
}

// ---- masses without inertia ---------------------------------------------------------------------

static bool is_point(const StiLink *link)
{
    static const double NOTHING = 1e-9; // m^2: a radius of gyration of 30 um
    double size = 0.0;
    for (int i = 0; i < 6; ++i) size += fabs(link->inertia[i]);
    return link->mass > 0.0 && size < NOTHING * link->mass;
}

// The least share of its own inertia that a joint meets when the others are free to give way.
static double least_resistance(const StiRobot *robot, const double *q)
{
    const size_t n = (size_t)sti_robot_velocities(robot);
    double *H = calloc(n * n + 1, sizeof *H), *tau = calloc(2 * n + 1, sizeof *tau);
    double *work = calloc((size_t)sti_robot_workspace(robot) + 1, sizeof *work);
    double *prepared = calloc((size_t)sti_robot_prepared(robot) + 1, sizeof *prepared);
    double least = 1.0;
    if (H != NULL && tau != NULL && work != NULL && prepared != NULL) {
        double *dv = tau + n;
        sti_robot_mass_matrix(robot, q, H, work);
        const bool ready = sti_robot_prepare(robot, q, NULL, NULL, prepared) == STI_OK;
        if (!ready) least = 0.0;
        for (size_t i = 0; ready && i < n; ++i) {
            memset(tau, 0, n * sizeof *tau);
            tau[i] = 1.0;
            sti_robot_respond(robot, prepared, tau, NULL, dv);
            least = fmin(least, 1.0 / (dv[i] * H[i * n + i]));
        }
    }
    free(H);
    free(tau);
    free(work);
    free(prepared);
    return least;
}

// Three axes that meet, say, cannot turn a point mass about the line to it: at rest, or in another pose.
static bool gives_way(const StiRobot *robot)
{
    static const double SINGULAR = 1e-9;
    double *q = calloc((size_t)sti_robot_positions(robot) + 1, sizeof *q);
    if (q == NULL) return false;
    sti_robot_rest(robot, q);
    double least = least_resistance(robot, q);
    for (int i = 0; i < sti_robot_links(robot); ++i)
        if (sti_robot_joint_velocities(robot, i) == 1)
            q[sti_robot_joint_position(robot, i)] += 0.3 + 0.1 * (i % 5);
    least = fmin(least, least_resistance(robot, q));
    free(q);
    return least < SINGULAR;
}

// Of water: 2/5 m r^2.
static void make_balls(StiLink *links, int count, Gathered *gathered, Mark mark)
{
    static const double DENSITY = 1000.0, PI = 3.14159265358979323846;
    for (int i = 0; i < count; ++i) {
        if (!is_point(&links[i])) continue;
        const double r = sti_cbrt(links[i].mass / (4.0 / 3.0 * PI * DENSITY));
        for (int k = 0; k < 3; ++k) links[i].inertia[k] = 0.4 * links[i].mass * r * r;
        gather(
            gathered, STI_WARNING, mark,
            "changed: masses without inertia, which some joints would turn without resistance, to "
            "balls as dense as water",
            links[i].name, links[i].mass);
    }
}

static void resist(StiLink *links, int count, Gathered *gathered, Mark mark)
{
    enum { MOST = 500 }; // velocities: the search costs their square
    bool any = false;
    for (int i = 0; i < count; ++i) any = any || is_point(&links[i]);
    StiReport *report = any ? sti_report_create() : NULL;
    StiRobot *robot = report != NULL ? sti_robot_create(links, count, report) : NULL;
    if (robot != NULL && sti_robot_velocities(robot) <= MOST && gives_way(robot))
        make_balls(links, count, gathered, mark);
    sti_robot_destroy(robot);
    sti_report_destroy(report);
}

// A weld may take away what another joint moved, so it is asked again.
void sti_urdf_weld(StiLink *links, int count, const char *path, StiMessages *messages)
{
    StiArena arena = {0};
    Gathered gathered = {.arena = &arena, .messages = messages};
    StiNames names = {0};
    int welded;
    for (int i = 0; i < count; ++i) sti_names_put(&names, &arena, links[i].name, i);
    do {
        StiReport *report = sti_report_create();
        if (report == NULL) break;
        sti_robot_destroy(sti_robot_create(links, count, report));
        welded = weld(links, &names, report, &gathered, (Mark){path, 0, 0});
        sti_report_destroy(report);
    } while (welded > 0);
    resist(links, count, &gathered, (Mark){path, 0, 0});
    gathered_say(&gathered);
    sti_arena_release(&arena);
}
