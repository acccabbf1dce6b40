// Robots from URDF: what is read, and what is refused.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <float.h>

#include "support/files.h"
#include "support/near.h"
#include "support/random.h"
#include "support/short.h"
#include "unit/scene/urdf_texts.h"

static const double PI = 3.14159265358979323846;

// ---- what is read -------------------------------------------------------------------------------

static void two_link_arm_is_that_of_the_paper(void **state)
{
    (void)state;
    StiUrdf *urdf = example("two_link");
    assert_int_equal(urdf->count, 3);
    const StiLink *base = &urdf->links[0], *upper = &urdf->links[1], *fore = &urdf->links[2];
    assert_int_equal(base->parent, -1);
    assert_int_equal(base->joint, STI_JOINT_FIXED);
    assert_string_equal(base->joint_name, "");
    assert_true(base->mass == 0.0);
    assert_int_equal(upper->parent, 0);
    assert_int_equal(fore->parent, 1);
    assert_string_equal(fore->joint_name, "joint1");
    assert_int_equal(fore->joint, STI_JOINT_REVOLUTE);
    assert_true(urdf->joints[2].continuous && !fore->limited);
    assert_true(fore->placement.p.x == 0.5 && fore->axis.z == 1.0 && fore->axis.x == 0.0);
    // [modular] simulation II: d = m l^2/3, a = d + m l^2 + d, b = m l^2/2
    const double d = fore->inertia[2] + fore->mass * fore->centre.x * fore->centre.x;
    assert_near(d, 0.2 * 0.25 / 3.0, 1e-17);
    assert_near(2.0 * d + fore->mass * 0.25, 0.0833333, 1e-7);
    assert_int_equal(urdf->shape_count, 2);
    assert_ptr_equal(urdf->shapes[1].shape.kind, &sti_shape_kind_cylinder);
    assert_int_equal(urdf->shapes[1].link, 2);
    sti_urdf_destroy(urdf);
}

static void friction_and_limits_are_read(void **state)
{
    (void)state;
    StiUrdf *urdf = example("six_axis");
    assert_int_equal(urdf->count, 8);
    const StiLink *elbow = &urdf->links[3];
    const StiUrdfJoint *rest = &urdf->joints[3];
    assert_string_equal(elbow->joint_name, "elbow");
    assert_true(elbow->limited && elbow->lower == -2.8 && elbow->upper == 2.8);
    assert_true(rest->has_limits && rest->effort == 100.0 && rest->velocity == 3.1);
    assert_true(rest->has_dynamics && rest->damping == 5.6 && rest->friction == 7.3);
    assert_true(!rest->continuous);
    sti_urdf_destroy(urdf);
}

static void world_of_a_floating_base_is_no_link(void **state)
{
    (void)state;
    StiUrdf *urdf = example("floating_base");
    assert_int_equal(urdf->count, 7);
    assert_string_equal(urdf->links[0].name, "trunk");
    assert_string_equal(urdf->links[0].joint_name, "base");
    assert_int_equal(urdf->links[0].parent, -1);
    assert_int_equal(urdf->links[0].joint, STI_JOINT_FLOATING);
    assert_true(urdf->links[0].placement.p.z == 0.42);
    for (int i = 0; i < urdf->shape_count; ++i) assert_in_range(urdf->shapes[i].link, 0, 6);
    sti_urdf_destroy(urdf);
}

static void root_with_mass_stays_a_link(void **state)
{
    (void)state;
    StiUrdf *urdf = read_text(
        "<robot name='r'><link name='ground'>" INERTIAL "</link><link name='body'>" INERTIAL
        "</link><joint name='free' type='floating'><parent link='ground'/><child link='body'/>"
        "</joint></robot>");
    assert_int_equal(urdf->count, 2);
    assert_int_equal(urdf->links[0].joint, STI_JOINT_FIXED);
    assert_int_equal(urdf->links[1].parent, 0);
    sti_urdf_destroy(urdf);
}

static void links_may_stand_in_any_order(void **state)
{
    (void)state;
    StiUrdf *urdf = read_text(
        "<robot name='r'><joint name='j' type='planar'><child link='b'/><parent link='a'/>"
        "<axis xyz='0 3 4'/></joint><link name='b'>" INERTIAL "</link><link name='a'/></robot>");
    assert_int_equal(urdf->links[0].parent, 1);
    assert_int_equal(urdf->links[1].parent, -1);
    assert_int_equal(urdf->links[0].joint, STI_JOINT_PLANAR);
    assert_near(urdf->links[0].axis.y, 0.6, 1e-16);
    assert_near(urdf->links[0].axis.z, 0.8, 1.2e-16);
    sti_urdf_destroy(urdf);
}

static void axis_is_x_by_default_and_may_have_any_length(void **state)
{
    (void)state;
    static const char form[] =
        "<robot name='r'><link name='a'/><link name='b'>" INERTIAL "</link>"
        "<joint name='j' type='continuous'><parent link='a'/><child link='b'/>%s</joint></robot>";
    static const char *const axes[] = {"", "<axis xyz='1e200 0 0'/>", "<axis xyz='1e-200 0 0'/>"};
    for (int i = 0; i < 3; ++i) {
        char text[1024];
        snprintf(text, sizeof text, form, axes[i]);
        StiUrdf *urdf = read_text(text);
        assert_true(urdf->links[1].axis.x == 1.0);
        assert_true(urdf->links[1].axis.y == 0.0 && urdf->links[1].axis.z == 0.0);
        sti_urdf_destroy(urdf);
    }
}

// What other programs save: with a byte order mark, or two bytes for each character.
static void encodings_are_understood(void **state)
{
    (void)state;
    static const char plain[] = "<robot name='r'><link name='a'/></robot>";
    char marked[sizeof plain + 3] = "\xef\xbb\xbf", wide[2 * sizeof plain + 2] = "\xff\xfe";
    memcpy(marked + 3, plain, sizeof plain);
    for (size_t i = 0; i < sizeof plain; ++i) wide[2 * i + 2] = plain[i];
    StiUrdf *first = sti_urdf_read(marked, sizeof plain + 2, "a.urdf", NULL);
    StiUrdf *second = sti_urdf_read(wide, 2 * sizeof plain, "a.urdf", NULL);
    assert_non_null(first);
    assert_non_null(second);
    assert_true(same_urdf(first, second));
    assert_string_equal(second->links[0].name, "a");
    sti_urdf_destroy(first);
    sti_urdf_destroy(second);
}

// Roll about x first, then pitch about the fixed y, then yaw about the fixed z.
static void angles_turn_about_fixed_axes(void **state)
{
    (void)state;
    StiUrdf *urdf = read_text(
        "<robot name='r'><link name='a'>"
        "<collision><origin rpy='0 0 1.5707963267948966'/><geometry><sphere radius='1'/></geometry>"
        "</collision>"
        "<collision><origin rpy='1.5707963267948966 0 1.5707963267948966'/><geometry><sphere "
        "radius='1'/></geometry></collision>"
        "<collision><origin rpy='0.3 -0.5 1.1'/><geometry><sphere radius='1'/></geometry>"
        "</collision></link></robot>");
    const StiVec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0}, z = {0.0, 0.0, 1.0};
    const StiVec3 turned = sti_quat_rotate(urdf->shapes[0].shape.q, x); // x to y
    assert_near(turned.x, 0.0, 1e-15);
    assert_near(turned.y, 1.0, 1e-15);
    // y goes to z by the roll, and the yaw leaves it; z goes to -y, and the yaw takes it to x.
    const StiVec3 up = sti_quat_rotate(urdf->shapes[1].shape.q, y);
    const StiVec3 ahead = sti_quat_rotate(urdf->shapes[1].shape.q, z);
    assert_near(up.z, 1.0, 1e-15);
    assert_near(ahead.x, 1.0, 1e-15);
    // Rz(1.1) Ry(-0.5) Rx(0.3): its first column and last row, by hand.
    const StiQuat q = urdf->shapes[2].shape.q;
    assert_near(sti_quat_rotate(q, x).x, cos(1.1) * cos(-0.5), 1e-15);
    assert_near(sti_quat_rotate(q, x).y, sin(1.1) * cos(-0.5), 1e-15);
    assert_near(sti_quat_rotate(q, x).z, -sin(-0.5), 1e-15);
    assert_near(sti_quat_rotate(q, y).z, cos(-0.5) * sin(0.3), 1e-15);
    assert_near(sti_quat_rotate(q, z).z, cos(-0.5) * cos(0.3), 1e-15);
    sti_urdf_destroy(urdf);
}

static void inertia_is_turned_to_link_axes(void **state)
{
    (void)state;
    StiUrdf *urdf = read_text(
        "<robot name='r'><link name='a'><inertial><origin xyz='1 2 3' rpy='0 0 "
        "1.5707963267948966'/>"
        "<mass value='2'/><inertia ixx='3' ixy='0.1' ixz='0.2' iyy='4' iyz='0.3' izz='5'/>"
        "</inertial></link></robot>");
    const StiLink *a = &urdf->links[0];
    // The inner x is the outer y, the inner y the outer -x.
    static const double expected[6] = {4.0, 3.0, 5.0, -0.1, -0.3, 0.2};
    for (int i = 0; i < 6; ++i) assert_near(a->inertia[i], expected[i], 2e-15);
    assert_true(a->centre.x == 1.0 && a->centre.y == 2.0 && a->centre.z == 3.0 && a->mass == 2.0);
    sti_urdf_destroy(urdf);
}

// The inertia of a rod along a direction u is m l^2/12 (1 - u u^T), whatever way it is written.
static void turned_rod_has_the_inertia_of_its_direction(void **state)
{
    (void)state;
    Random random = {7};
    for (int k = 0; k < 200; ++k) {
        double rpy[3];
        for (int i = 0; i < 3; ++i) rpy[i] = random_between(&random, -PI, PI);
        char text[1024];
        snprintf(text, sizeof text,
                 "<robot name='r'><link name='a'><inertial><origin rpy='%.17g %.17g %.17g'/>"
                 "<mass value='1'/><inertia ixx='0' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"
                 "</inertial></link></robot>",
                 rpy[0], rpy[1], rpy[2]);
        StiUrdf *urdf = read_text(text);
        const double u[3] = {cos(rpy[2]) * cos(rpy[1]), sin(rpy[2]) * cos(rpy[1]), -sin(rpy[1])};
        static const int rows[6] = {0, 1, 2, 0, 0, 1}, columns[6] = {0, 1, 2, 1, 2, 2};
        for (int i = 0; i < 6; ++i)
            assert_near(urdf->links[0].inertia[i], (i < 3 ? 1.0 : 0.0) - u[rows[i]] * u[columns[i]],
                        4e-15);
        sti_urdf_destroy(urdf);
    }
}

// ---- robots -------------------------------------------------------------------------------------

static void examples_are_robots(void **state)
{
    (void)state;
    static const int velocities[] = {2, 6, 10};
    for (int i = 0; i < 3; ++i) {
        StiUrdf *urdf = example(robots[i]);
        StiReport *report = sti_report_create();
        StiRobot *robot = sti_robot_create(urdf->links, urdf->count, report);
        char said[1024] = "";
        sti_report_print(report, said, sizeof said);
        assert_string_equal(said, "");
        assert_non_null(robot);
        assert_int_equal(sti_robot_velocities(robot), velocities[i]);
        sti_robot_destroy(robot);
        sti_report_destroy(report);
        sti_urdf_destroy(urdf);
    }
}

// EQUATIONS of the two-link arm: H = [[a + 2 b c, d + b c], [., d]].
static void two_link_arm_has_the_mass_matrix_of_the_paper(void **state)
{
    (void)state;
    StiUrdf *urdf = example("two_link");
    StiReport *report = sti_report_create();
    StiRobot *robot = sti_robot_create(urdf->links, urdf->count, report);
    assert_non_null(robot);
    double *workspace = calloc((size_t)sti_robot_workspace(robot) + 1, sizeof(double));
    assert_non_null(workspace);
    const double q[2] = {0.3, 1.1}, a = 0.25 / 3.0, b = 0.025, d = 0.05 / 3.0, c = cos(1.1);
    double H[4];
    sti_robot_mass_matrix(robot, q, H, workspace);
    assert_near(H[0], a + 2.0 * b * c, 1e-16);
    assert_near(H[1], d + b * c, 1e-16);
    assert_near(H[3], d, 1e-16);
    free(workspace);
    sti_robot_destroy(robot);
    sti_report_destroy(report);
    sti_urdf_destroy(urdf);
}

// ---- what is refused ----------------------------------------------------------------------------

static void files_that_cannot_be_read_are_named(void **state)
{
    (void)state;
    static const char *const paths[] = {"there/is/none.urdf", "/"};
    for (int i = 0; i < 2; ++i) {
        StiMessages *messages = sti_messages_create();
        assert_null(sti_urdf_load(paths[i], messages));
        assert_int_equal(sti_messages_error_count(messages), 1);
        assert_string_equal(sti_messages_at(messages, 0)->file, paths[i]);
        assert_non_null(strstr(sti_messages_at(messages, 0)->text, "cannot be read"));
        sti_messages_destroy(messages);
    }
}

static void huge_files_are_refused(void **state)
{
    (void)state;
    const size_t length = ((size_t)1 << 24) + 1;
    char *text = malloc(length);
    assert_non_null(text);
    memset(text, 'x', length);
    StiMessages *messages = sti_messages_create();
    assert_null(sti_urdf_read(text, length, "huge.urdf", messages));
    assert_non_null(strstr(sti_messages_at(messages, 0)->text, "at most 16777216 are read"));
    sti_messages_destroy(messages);
    free(text);
}

// A file with many mistakes gets a long list, but not an endless one.
static void lists_of_errors_end(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    fprintf(file, "<robot name='r'>");
    for (int i = 0; i < 20000; ++i)
        fprintf(file,
                "<joint name='j%d' type='x%d'><parent link='a'/><child link='b%d'/></joint>\n", i,
                i, i);
    fprintf(file, "</robot>");
    fclose(file);
    StiMessages *messages = sti_messages_create();
    assert_null(sti_urdf_read(text, length, "r.urdf", messages));
    assert_in_range(sti_messages_count(messages), 200, 210);
    sti_messages_destroy(messages);
    free(text);
}

static void messages_are_not_needed(void **state)
{
    (void)state;
    assert_null(sti_urdf_read("<a/>", 4, "a.urdf", NULL));
    sti_urdf_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_link_arm_is_that_of_the_paper),
        cmocka_unit_test(friction_and_limits_are_read),
        cmocka_unit_test(world_of_a_floating_base_is_no_link),
        cmocka_unit_test(root_with_mass_stays_a_link),
        cmocka_unit_test(links_may_stand_in_any_order),
        cmocka_unit_test(axis_is_x_by_default_and_may_have_any_length),
        cmocka_unit_test(encodings_are_understood),
        cmocka_unit_test(angles_turn_about_fixed_axes),
        cmocka_unit_test(inertia_is_turned_to_link_axes),
        cmocka_unit_test(turned_rod_has_the_inertia_of_its_direction),
        cmocka_unit_test(examples_are_robots),
        cmocka_unit_test(two_link_arm_has_the_mass_matrix_of_the_paper),
        cmocka_unit_test(files_that_cannot_be_read_are_named),
        cmocka_unit_test(huge_files_are_refused),
        cmocka_unit_test(lists_of_errors_end),
        cmocka_unit_test(messages_are_not_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
