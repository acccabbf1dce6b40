// The same random robot as URDF, MJCF, SDF and as a robot of a scene: all move alike.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "stiction/elementary.h"
#include "stiction/urdf.h"
#include "support/random_inertia.h"
#include "support/same_dynamics.h"
#include "support/short.h"
#include "urdf/urdf_reader.h"

enum { MOST_LINKS = 9 };

// at: the joint in the axes of the parent link, which begin at its joint.
typedef struct Part {
    int parent;
    StiJointType joint; // fixed, revolute, prismatic, spherical; of the first also floating
    StiFrame at;
    StiVec3 axis;
    Inertia inertia;
    double armature, friction;
} Part;

typedef struct Tree {
    int count;
    Part parts[MOST_LINKS];
} Tree;

static Tree random_tree_of_parts(Random *random)
{
    static const StiJointType types[] = {STI_JOINT_REVOLUTE, STI_JOINT_REVOLUTE,
                                         STI_JOINT_PRISMATIC, STI_JOINT_SPHERICAL, STI_JOINT_FIXED};
    Tree tree = {.count = 1 + random_below(random, MOST_LINKS)};
    for (int i = 0; i < tree.count; ++i) {
        Part *part = &tree.parts[i];
        part->parent = i - 1; // or one above it: then nested bodies come in the same order
        while (part->parent > 0 && random_below(random, 2) == 0)
            part->parent = tree.parts[part->parent].parent;
        part->joint = types[random_below(random, i == 0 ? 3 : 5)];
        part->at = random_frame(random, 1.0);
        part->axis = random_vec3(random, 1.0);
        part->inertia = random_body(random);
        const bool line =
            part->joint == STI_JOINT_REVOLUTE || part->joint == STI_JOINT_PRISMATIC;
        part->armature = line ? random_between(random, 0.0, 0.3) : 0.0;
        part->friction = line && i % 2 == 0 ? random_between(random, 0.1, 2.0) : 0.0;
    }
    if (random_below(random, 3) == 0) {
        tree.parts[0].joint = STI_JOINT_FLOATING; // its place is a start value in some formats
        tree.parts[0].at = (StiFrame){.q = STI_QUAT_IDENTITY};
        tree.parts[0].armature = tree.parts[0].friction = 0.0;
    }
    return tree;
}

static void put_vector(FILE *to, StiVec3 v) { fprintf(to, "%.17g %.17g %.17g", v.x, v.y, v.z); }

static void put_list(FILE *to, const char *key, const double *values, int count)
{
    fprintf(to, ", %s: [", key);
    for (int i = 0; i < count; ++i) fprintf(to, "%s%.17g", i > 0 ? ", " : "", values[i]);
    fputc(']', to);
}

// ---- as a scene ---------------------------------------------------------------------------------

static void write_yaml(FILE *to, const Tree *tree)
{
    static const char *const types[STI_JOINT_TYPES] = {"fixed",     "revolute", "prismatic",
                                                       "spherical", "planar",   "floating"};
    fprintf(to, "stop: 1\nbodies:\n  r:\n    kind: robot\n    links:\n");
    for (int i = 0; i < tree->count; ++i) {
        const Part *p = &tree->parts[i];
        char parent[16] = "world";
        if (p->parent >= 0) snprintf(parent, sizeof parent, "l%d", p->parent);
        fprintf(to, "      - {name: l%d, joint: j%d, parent: %s, type: %s, mass: %.17g, armature: %.17g",
                i, i, parent, types[p->joint], p->inertia.mass, p->armature);
        put_list(to, "at", &p->at.p.x, 3);
        put_list(to, "attitude", &p->at.q.w, 4);
        put_list(to, "axis", &p->axis.x, 3);
        put_list(to, "centre", &p->inertia.centre.x, 3);
        put_list(to, "inertia", p->inertia.tensor, 6);
        fputs("}\n", to);
    }
}

// ---- URDF ---------------------------------------------------------------------------------------

static void write_urdf(FILE *to, const Tree *tree)
{
    static const char *const types[STI_JOINT_TYPES] = {"fixed", "continuous", "prismatic",
                                                       "ball",  "planar",     "floating"};
    fputs("<robot name='r'><link name='world'/>", to);
    for (int i = 0; i < tree->count; ++i) {
        const Part *p = &tree->parts[i];
        const double *J = p->inertia.tensor;
        double rpy[3];
        char parent[16] = "world";
        if (p->parent >= 0) snprintf(parent, sizeof parent, "l%d", p->parent);
        urdf_rpy(p->at.q, rpy);
        fprintf(to, "<link name='l%d'><inertial><origin xyz='", i);
        put_vector(to, p->inertia.centre);
        fprintf(to, "'/><mass value='%.17g'/><inertia ixx='%.17g' iyy='%.17g' izz='%.17g' ixy='%.17g' "
                    "ixz='%.17g' iyz='%.17g'/></inertial></link><joint name='j%d' type='%s'>"
                    "<parent link='%s'/><child link='l%d'/><origin xyz='",
                p->inertia.mass, J[0], J[1], J[2], J[3], J[4], J[5], i, types[p->joint], parent, i);
        put_vector(to, p->at.p);
        fprintf(to, "' rpy='%.17g %.17g %.17g'/><axis xyz='", rpy[0], rpy[1], rpy[2]);
        put_vector(to, p->axis);
        fprintf(to, "'/><dynamics armature='%.17g' friction='%.17g'/></joint>", p->armature, p->friction);
    }
    fputs("</robot>", to);
}

// ---- MJCF ---------------------------------------------------------------------------------------

static void put_orientation(FILE *to, StiQuat q, int form)
{
    const StiVec3 x = sti_quat_rotate(q, sti_vec3(1.0, 0.0, 0.0));
    const StiVec3 y = sti_quat_rotate(q, sti_vec3(0.0, 1.0, 0.0));
    const StiVec3 axis = {q.x, q.y, q.z};
    double rpy[3];
    urdf_rpy(q, rpy);
    if (form == 0) {
        fprintf(to, " quat='%.17g %.17g %.17g %.17g'", q.w, q.x, q.y, q.z);
    } else if (form == 1) {
        fputs(" xyaxes='", to);
        put_vector(to, x);
        fputc(' ', to);
        put_vector(to, sti_vec3_add(y, sti_vec3_scale(0.3, x))); // made square by the reader
        fputc('\'', to);
    } else if (form == 2) {
        fputs(" axisangle='", to);
        put_vector(to, axis);
        fprintf(to, " %.17g'", 2.0 * sti_atan2(sti_vec3_norm(axis), q.w));
    } else {
        fprintf(to, " euler='%.17g %.17g %.17g'", rpy[0], rpy[1], rpy[2]);
    }
}

// The axes of each body begin somewhere else than at its joint, `away` in joint axes.
static void write_body(FILE *to, const Tree *tree, int i, Random *random, const StiVec3 *away)
{
    static const char *const types[STI_JOINT_TYPES] = {"", "hinge", "slide", "ball", "", ""};
    const Part *p = &tree->parts[i];
    const StiVec3 origin = p->parent >= 0 ? away[p->parent] : sti_vec3(0.0, 0.0, 0.0);
    const StiVec3 here = p->joint == STI_JOINT_FLOATING ? sti_vec3(0.0, 0.0, 0.0) : away[i];
    const double *J = p->inertia.tensor;
    fprintf(to, "<body name='l%d' pos='", i);
    put_vector(to, sti_vec3_sub(sti_vec3_add(p->at.p, sti_quat_rotate(p->at.q, here)), origin));
    fputc('\'', to);
    put_orientation(to, p->at.q, random_below(random, 4));
    fputs("><inertial pos='", to);
    put_vector(to, sti_vec3_sub(p->inertia.centre, here));
    fprintf(to, "' mass='%.17g' fullinertia='%.17g %.17g %.17g %.17g %.17g %.17g'/>", p->inertia.mass,
            J[0], J[1], J[2], J[3], J[4], J[5]);
    if (p->joint == STI_JOINT_FLOATING) {
        fprintf(to, "<freejoint name='j%d'/>", i);
    } else if (p->joint != STI_JOINT_FIXED) {
        fprintf(to, "<joint name='j%d' type='%s' pos='", i, types[p->joint]);
        put_vector(to, sti_vec3_scale(-1.0, here));
        fputs("' axis='", to);
        put_vector(to, p->axis);
        fprintf(to, "' armature='%.17g' frictionloss='%.17g'/>", p->armature, p->friction);
    }
    for (int k = i + 1; k < tree->count; ++k)
        if (tree->parts[k].parent == i) write_body(to, tree, k, random, away);
    fputs("</body>", to);
}

static void write_mjcf(FILE *to, const Tree *tree, Random *random)
{
    StiVec3 away[MOST_LINKS];
    for (int i = 0; i < tree->count; ++i)
        away[i] = tree->parts[i].joint == STI_JOINT_FLOATING || tree->parts[i].joint == STI_JOINT_FIXED
                      ? sti_vec3(0.0, 0.0, 0.0)
                      : random_vec3(random, 1.0);
    fputs("<mujoco model='r'><compiler angle='radian' eulerseq='XYZ'/><worldbody>", to);
    write_body(to, tree, 0, random, away);
    fputs("</worldbody></mujoco>", to);
}

// ---- SDF ----------------------------------------------------------------------------------------

static StiFrame inside(StiFrame outer, StiFrame inner)
{
    return (StiFrame){.p = sti_vec3_add(outer.p, sti_quat_rotate(outer.q, inner.p)),
                      .q = sti_quat_multiply(outer.q, inner.q)};
}

static StiFrame backwards(StiFrame frame)
{
    const StiQuat q = sti_quat_conjugate(frame.q);
    return (StiFrame){.p = sti_vec3_scale(-1.0, sti_quat_rotate(q, frame.p)), .q = q};
}

static void put_pose(FILE *to, StiFrame frame, const char *relative)
{
    double rpy[3];
    urdf_rpy(frame.q, rpy);
    fprintf(to, "<pose%s>", relative);
    put_vector(to, frame.p);
    fprintf(to, " %.17g %.17g %.17g</pose>", rpy[0], rpy[1], rpy[2]);
}

// The axes of each link are somewhere else than its joint: `away` in joint axes. Joints come first.
static void write_sdf(FILE *to, const Tree *tree, Random *random)
{
    static const char *const types[STI_JOINT_TYPES] = {"fixed", "continuous", "prismatic", "ball", "", ""};
    StiFrame joint[MOST_LINKS], away[MOST_LINKS];
    fputs("<sdf version='1.9'><model name='r'>", to);
    for (int i = 0; i < tree->count; ++i) {
        const Part *p = &tree->parts[i];
        const bool free = p->joint == STI_JOINT_FLOATING;
        joint[i] = p->parent >= 0 ? inside(joint[p->parent], p->at) : p->at;
        away[i] = free ? (StiFrame){.q = STI_QUAT_IDENTITY} : random_frame(random, 1.0);
        if (free) continue;
        char parent[16] = "world";
        if (p->parent >= 0) snprintf(parent, sizeof parent, "l%d", p->parent);
        fprintf(to, "<joint name='j%d' type='%s'><parent>%s</parent><child>l%d</child>", i,
                types[p->joint], parent, i);
        put_pose(to, backwards(away[i]), "");
        fputs("<axis><xyz>", to);
        put_vector(to, p->axis);
        fprintf(to, "</xyz><dynamics><friction>%.17g</friction></dynamics></axis></joint>", p->friction);
    }
    for (int i = 0; i < tree->count; ++i) {
        const Part *p = &tree->parts[i];
        const StiFrame link = inside(joint[i], away[i]);
        const StiFrame mass = {.p = p->inertia.centre, .q = STI_QUAT_IDENTITY};
        const double *J = p->inertia.tensor;
        char relative[40] = "";
        StiFrame pose = link;
        if (i > 0 && i % 2 == 0) { // in the axes of another link
            snprintf(relative, sizeof relative, " relative_to='l%d'", i - 1);
            pose = inside(backwards(inside(joint[i - 1], away[i - 1])), link);
        }
        fprintf(to, "<link name='l%d'>", i);
        put_pose(to, pose, relative);
        fputs("<inertial>", to);
        put_pose(to, inside(backwards(away[i]), mass), "");
        fprintf(to, "<mass>%.17g</mass><inertia><ixx>%.17g</ixx><iyy>%.17g</iyy><izz>%.17g</izz>"
                    "<ixy>%.17g</ixy><ixz>%.17g</ixz><iyz>%.17g</iyz></inertia></inertial></link>",
                p->inertia.mass, J[0], J[1], J[2], J[3], J[4], J[5]);
    }
    fputs("</model></sdf>", to);
}

// ---- reading ------------------------------------------------------------------------------------

static StiRobot *read_robot(const char *text, const char *name)
{
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_read(text, strlen(text), name, NULL, messages);
    if (scene == NULL)
        for (int i = 0; i < sti_messages_count(messages); ++i)
            print_message("%s: %s\n", name, sti_messages_at(messages, i)->text);
    assert_non_null(scene);
    StiReport *report = sti_report_create();
    const StiUrdf *urdf = scene->robots[0].urdf;
    StiRobot *robot = sti_robot_create(urdf->links, urdf->count, report);
    assert_non_null(robot);
    sti_report_destroy(report);
    sti_scene_destroy(scene);
    sti_messages_destroy(messages);
    return robot;
}

// SDF has no armature, so it is compared without.
static void all_formats_give_the_same_robot(void **state)
{
    (void)state;
    static const char *const names[4] = {"r.yaml", "r.urdf", "r.xml", "r.sdf"};
    double worst = 0.0;
    for (int seed = 0; seed < (int)steps_or(200, 40); ++seed) {
        Random random = {(uint64_t)seed + 100};
        Tree tree = random_tree_of_parts(&random);
        const bool sdf = seed % 2 == 0;
        StiRobot *robots[4] = {NULL};
        for (int i = 0; sdf && i < tree.count; ++i) tree.parts[i].armature = 0.0;
        for (int k = 0; k < (sdf ? 4 : 3); ++k) {
            char *text = NULL;
            size_t length;
            FILE *to = open_memstream(&text, &length);
            assert_non_null(to);
            if (k == 0) write_yaml(to, &tree);
            if (k == 1) write_urdf(to, &tree);
            if (k == 2) write_mjcf(to, &tree, &random);
            if (k == 3) write_sdf(to, &tree, &random);
            fclose(to);
            robots[k] = read_robot(text, names[k]);
            free(text);
        }
        for (int k = 1; k < 4 && robots[k] != NULL; ++k) {
            const double apart = dynamics_apart(robots[0], robots[k], &random);
            if (!(apart >= 0.0 && apart <= 1e-12)) print_message("%s, seed %d: %g\n", names[k], seed, apart);
            assert_true(apart >= 0.0 && apart <= 1e-12);
            worst = fmax(worst, apart);
        }
        for (int k = 0; k < 4; ++k) sti_robot_destroy(robots[k]);
    }
    print_message("apart by at most %.1e\n", worst);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_formats_give_the_same_robot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
