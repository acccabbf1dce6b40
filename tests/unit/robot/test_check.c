#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "random_tree.h"

static const StiLink sound = {.name = "arm",
                              .joint_name = "shoulder",
                              .parent = -1,
                              .joint = STI_JOINT_REVOLUTE,
                              .axis = {0.0, 0.0, 1.0},
                              .mass = 1.0,
                              .centre = {0.1, 0.0, 0.0},
                              .inertia = {0.1, 0.1, 0.1}};

// The only error must be about this parameter of this link, and say something.
static void assert_refused_links(const StiLink *links, int count, const char *link,
                                 const char *parameter, const char *words)
{
    StiReport *report = sti_report_create();
    assert_null(sti_robot_create(links, count, report));
    assert_int_equal(sti_report_error_count(report), 1);
    for (int i = 0; i < sti_report_count(report); ++i) {
        const StiFinding *finding = sti_report_finding(report, i);
        if (finding->severity != STI_ERROR) continue;
        assert_string_equal(finding->component, link);
        assert_string_equal(finding->parameter, parameter);
        assert_non_null(strstr(finding->text, words));
    }
    sti_report_destroy(report);
    assert_null(sti_robot_create(links, count, NULL)); // also without a report
}

static void assert_refused(StiLink link, const char *parameter, const char *words)
{
    assert_refused_links(&link, 1, "arm", parameter, words);
}

static int count_of(const StiReport *report, StiSeverity severity)
{
    int count = 0;
    for (int i = 0; i < sti_report_count(report); ++i)
        count += sti_report_finding(report, i)->severity == severity;
    return count;
}

static void assert_accepted(StiLink link, int warnings)
{
    StiReport *report = sti_report_create();
    StiRobot *robot = sti_robot_create(&link, 1, report);
    assert_non_null(robot);
    assert_int_equal(count_of(report, STI_WARNING), warnings);
    assert_int_equal(count_of(report, STI_NOTE), 0);
    sti_robot_destroy(robot);
    sti_report_destroy(report);
}

static void names_are_needed(void **state)
{
    (void)state;
    StiLink link = sound;
    assert_accepted(link, 0);
    link.name = NULL;
    assert_refused_links(&link, 1, "link 0", "name", "needs a name");
    link.name = "";
    assert_refused_links(&link, 1, "link 0", "name", "needs a name");
    link = sound;
    link.joint_name = "";
    assert_refused(link, "joint_name", "needs a name");
}

static void names_are_unique(void **state)
{
    (void)state;
    StiLink links[2] = {sound, sound};
    links[1].parent = 0;
    links[1].joint_name = "elbow";
    assert_refused_links(links, 2, "arm", "name", "unique");
    links[1].name = "hand";
    links[1].joint_name = "shoulder";
    assert_refused_links(links, 2, "hand", "joint_name", "joint of arm");
}

static void parents_must_exist(void **state)
{
    (void)state;
    StiLink link = sound;
    link.parent = 1;
    assert_refused(link, "parent", "0 to 0");
    link.parent = -2;
    assert_refused(link, "parent", "-1 (the world)");
    link.parent = 0;
    assert_refused(link, "parent", "lead back");
}

static void several_roots_are_noted(void **state)
{
    (void)state;
    StiLink links[2] = {sound, sound};
    links[1].name = links[1].joint_name = "other";
    StiReport *report = sti_report_create();
    StiRobot *robot = sti_robot_create(links, 2, report);
    assert_non_null(robot);
    assert_int_equal(sti_report_count(report), 1);
    const StiFinding *finding = sti_report_finding(report, 0);
    assert_int_equal(finding->severity, STI_NOTE);
    assert_true(finding->value == 2.0);
    sti_robot_destroy(robot);
    sti_report_destroy(report);
}

static void masses_and_centres(void **state)
{
    (void)state;
    const double wrong[3] = {-1.0, NAN, INFINITY};
    for (int i = 0; i < 3; ++i) {
        StiLink link = sound;
        link.mass = wrong[i];
        assert_refused(link, "mass", "not below 0");
        link = sound;
        link.armature = wrong[i];
        assert_refused(link, "armature", "not below 0");
        if (i == 0) continue;
        link = sound;
        link.centre.y = wrong[i];
        assert_refused(link, "centre", "finite");
        link = sound;
        link.placement.p.z = wrong[i];
        assert_refused(link, "placement", "finite");
        link = sound;
        link.placement.q.x = wrong[i];
        assert_refused(link, "placement", "quaternion");
        link = sound;
        link.inertia[4] = wrong[i];
        assert_refused(link, "inertia", "finite");
    }
}

static void tensors_must_exist(void **state)
{
    (void)state;
    StiLink link = sound;
    link.inertia[0] = -0.1;
    assert_refused(link, "inertia", "negative");
    link = sound;
    link.inertia[3] = 0.2; // principal moments 0.3, -0.1, 0.1
    assert_refused(link, "inertia", "negative");
    link = sound;
    link.inertia[1] = 0.21;
    assert_refused(link, "inertia", "exceed their sum");
    link.inertia[1] = 0.2; // a plate
    assert_accepted(link, 0);
    link.inertia[1] = 0.2000004; // printed with six digits
    assert_accepted(link, 0);
    const double rod[6] = {0.05, 0.05, 0.1, -0.0500001, 0.0, 0.0}; // at 45 deg, rounded
    memcpy(link.inertia, rod, sizeof rod);
    assert_accepted(link, 0);
    link = sound;
    link.mass = 0.0;
    assert_accepted(link, 1);
}

static void axes_are_needed_where_there_is_one(void **state)
{
    (void)state;
    static const StiJointType with[3] = {STI_JOINT_REVOLUTE, STI_JOINT_PRISMATIC, STI_JOINT_PLANAR};
    for (int i = 0; i < 3; ++i) {
        StiLink link = sound;
        link.joint = with[i];
        link.axis = sti_vec3(0.0, 0.0, 0.0);
        assert_refused(link, "axis", "not all 0");
        link.axis = sti_vec3(0.0, NAN, 1.0);
        assert_refused(link, "axis", "finite");
        link.axis = sti_vec3(0.0, -20.0, 1.0);
        assert_accepted(link, 0);
    }
    static const StiJointType without[3] = {STI_JOINT_FIXED, STI_JOINT_SPHERICAL,
                                            STI_JOINT_FLOATING};
    for (int i = 0; i < 3; ++i) {
        StiLink link = sound;
        link.joint = without[i];
        link.axis = sti_vec3(0.0, 0.0, 0.0);
        assert_accepted(link, 0);
        link.armature = 0.1;
        assert_refused(link, "armature", "no rotor");
    }
    StiLink link = sound;
    link.joint = STI_JOINT_TYPES;
    assert_refused(link, "joint", "no such type");
}

static void limits_are_in_order(void **state)
{
    (void)state;
    StiLink link = sound;
    link.lower = 1.0;
    link.upper = -1.0;
    assert_accepted(link, 0); // not limited
    link.limited = true;
    assert_refused(link, "lower", "-1");
    link.lower = NAN;
    assert_refused(link, "lower", "number");
    link.lower = -INFINITY;
    assert_accepted(link, 0);
    link.upper = NAN;
    assert_refused(link, "upper", "number");
    link.joint = STI_JOINT_SPHERICAL;
    assert_accepted(link, 1);
}

static StiLink massless(void)
{
    StiLink link = sound;
    link.mass = 0.0;
    memset(link.inertia, 0, sizeof link.inertia);
    return link;
}

static void something_must_oppose_each_joint(void **state)
{
    (void)state;
    StiLink link = massless();
    assert_refused(link, "mass", "shoulder");
    link.armature = 1e-6;
    assert_accepted(link, 0);
    link.armature = 0.0;
    link.joint = STI_JOINT_FIXED;
    assert_accepted(link, 0);
    // A mass on the axis opposes no rotation.
    link = sound;
    memset(link.inertia, 0, sizeof link.inertia);
    link.centre = sti_vec3(0.0, 0.0, 1.0);
    assert_refused(link, "mass", "shoulder");
    // A mass beside a ball joint does not oppose the rotation about the line to it.
    link.joint = STI_JOINT_SPHERICAL;
    link.centre = sti_vec3(0.3, 0.4, 0.5);
    assert_refused(link, "mass", "shoulder");
    link.joint = STI_JOINT_REVOLUTE;
    assert_accepted(link, 0);
}

// A massless link is carried by what hangs on it, unless that turns about the same axis.
static void massless_links_may_carry(void **state)
{
    (void)state;
    StiLink links[2] = {massless(), sound};
    links[1].parent = 0;
    links[1].name = "hand";
    links[1].joint_name = "wrist";
    links[1].placement = (StiFrame){.p = {0.4, 0.1, 0.0}};
    StiRobot *robot = sti_robot_create(links, 2, NULL);
    assert_non_null(robot);
    sti_robot_destroy(robot);
    links[1].placement.p = sti_vec3(0.0, 0.0, 0.7);
    assert_refused_links(links, 2, "arm", "mass", "shoulder");
    links[1].axis = sti_vec3(0.0, 1.0, 1.0);
    robot = sti_robot_create(links, 2, NULL);
    assert_non_null(robot);
    sti_robot_destroy(robot);
    links[1].joint = STI_JOINT_FLOATING;
    assert_refused_links(links, 2, "arm", "mass", "shoulder");
}

static void all_massless_leaves_are_named(void **state)
{
    (void)state;
    StiLink links[3] = {sound, massless(), massless()};
    for (int i = 1; i < 3; ++i) {
        links[i].parent = 0;
        links[i].name = links[i].joint_name = i == 1 ? "left" : "right";
    }
    StiReport *report = sti_report_create();
    assert_null(sti_robot_create(links, 3, report));
    assert_int_equal(sti_report_error_count(report), 2);
    sti_report_destroy(report);
}

// Finite numbers whose products are not.
static void too_large_numbers_are_refused(void **state)
{
    (void)state;
    StiLink link = sound;
    link.mass = 1e300;
    link.centre = sti_vec3(1e10, 0.0, 0.0);
    assert_refused(link, "mass", "shoulder");
}

static void a_robot_has_links(void **state)
{
    (void)state;
    assert_refused_links(NULL, 0, "", "links", "at least one");
    assert_refused_links(&sound, -3, "", "links", "at least one");
}

// A long chain of equal links is sound, although the first joint carries many million times the
// inertia that opposes it alone.
static void long_chains_are_accepted(void **state)
{
    (void)state;
    enum { LINKS = 1000 };
    StiLink *links = calloc(LINKS, sizeof *links);
    char(*names)[16] = calloc(LINKS, sizeof *names);
    for (int i = 0; i < LINKS; ++i) {
        snprintf(names[i], sizeof names[i], "%d", i);
        links[i] = sound;
        links[i].name = links[i].joint_name = names[i];
        links[i].parent = i - 1;
        links[i].placement.p = sti_vec3(0.2, 0.0, 0.0);
    }
    StiRobot *robot = sti_robot_create(links, LINKS, NULL);
    assert_non_null(robot);
    sti_robot_destroy(robot);
    free(links), free(names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_needed),
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(parents_must_exist),
        cmocka_unit_test(several_roots_are_noted),
        cmocka_unit_test(masses_and_centres),
        cmocka_unit_test(tensors_must_exist),
        cmocka_unit_test(axes_are_needed_where_there_is_one),
        cmocka_unit_test(limits_are_in_order),
        cmocka_unit_test(something_must_oppose_each_joint),
        cmocka_unit_test(massless_links_may_carry),
        cmocka_unit_test(all_massless_leaves_are_named),
        cmocka_unit_test(too_large_numbers_are_refused),
        cmocka_unit_test(a_robot_has_links),
        cmocka_unit_test(long_chains_are_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
