// What is written can be read again and is the same, whatever bytes it was read from.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/files.h"
#include "support/near.h"
#include "support/random.h"
#include "support/short.h"
#include "unit/scene/urdf_texts.h"

static void check_round_trip(const StiUrdf *urdf)
{
    char *text = written(urdf);
    StiUrdf *again = read_text(text);
    char *text_again = written(again);
    if (!same_urdf(urdf, again)) print_error("%s", text);
    assert_true(same_urdf(urdf, again));
    assert_string_equal(text, text_again);
    free(text_again);
    sti_urdf_destroy(again);
    free(text);
}

static void examples_are_the_same_after_writing(void **state)
{
    (void)state;
    for (int i = 0; i < 3; ++i) {
        StiUrdf *urdf = example(robots[i]);
        check_round_trip(urdf);
        sti_urdf_destroy(urdf);
    }
}

static double any(Random *random)
{
    const double size = random_decades(random, 1e-6, 1e3);
    return random_below(random, 4) == 0 ? 0.0 : random_between(random, -size, size);
}

static double angle(Random *random)
{
    static const double quarters = 1.5707963267948966;
    if (random_below(random, 3) == 0) return quarters * (random_below(random, 5) - 2);
    return random_decades(random, 1e-8, 3.0) * (random_below(random, 2) == 0 ? -1.0 : 1.0);
}

static void write_random_origin(FILE *file, Random *random)
{
    fprintf(file, "<origin xyz='%.17g", any(random));
    fprintf(file, " %.17g", any(random));
    fprintf(file, " %.17g'", any(random));
    fprintf(file, " rpy='%.17g", angle(random));
    fprintf(file, " %.17g", angle(random));
    fprintf(file, " %.17g'/>", angle(random));
}

static void write_random_link(FILE *file, Random *random, int index)
{
    fprintf(file, "<link name='l%d &amp; &quot;%d&quot; &#10;&lt;'><inertial>", index, index);
    write_random_origin(file, random);
    const double a = random_decades(random, 1e-6, 10.0), b = random_decades(random, 1e-6, 10.0);
    const double c = random_decades(random, 1e-6, 10.0), s = random_between(random, -1.0, 1.0);
    // a, b, c: sums of m x^2, m y^2, m z^2; s: their correlation of x and y
    fprintf(file, "<mass value='%.17g'/>", random_decades(random, 1e-3, 100.0));
    fprintf(file, "<inertia ixx='%.17g' ixy='%.17g' ixz='0' iyy='%.17g' iyz='0' izz='%.17g'/>",
            b + c, -s * sqrt(a * b), a + c, a + b);
    fprintf(file, "</inertial><collision>");
    write_random_origin(file, random);
    fprintf(file, "<geometry><box size='1 %.17g 3'/></geometry></collision>",
            random_decades(random, 1e-3, 1.0));
    fprintf(file, "<collision><geometry><cylinder radius='.1' length='2'/></geometry></collision>");
    fprintf(file, "</link>");
}

static void write_random_joint(FILE *file, Random *random, int index)
{
    static const char *const types[] = {"fixed",  "revolute", "continuous", "prismatic",
                                        "planar", "floating", "ball",       "spherical"};
    const int parent = random_below(random, index);
    fprintf(file, "<joint name='j%d' type='%s'>", index, types[random_below(random, 8)]);
    write_random_origin(file, random);
    fprintf(file, "<parent link='l%d &amp; &quot;%d&quot; &#10;&lt;'/>", parent, parent);
    fprintf(file, "<child link='l%d &amp; &quot;%d&quot; &#10;&lt;'/>", index, index);
    fprintf(file, "<axis xyz='%.17g", random_decades(random, 1e-3, 1e3));
    fprintf(file, " %.17g", any(random));
    fprintf(file, " %.17g'/>", any(random));
    if (random_below(random, 2) == 0)
        fprintf(file, "<limit lower='%.17g' upper='3' effort='%.17g' velocity='1'/>",
                random_between(random, -3.0, 3.0), random_decades(random, 1.0, 10.0));
    if (random_below(random, 2) == 0)
        fprintf(file, "<dynamics damping='%.17g' friction='0.1'/>",
                random_decades(random, 1e-3, 1e3));
    fprintf(file, "</joint>");
}

static char *random_robot(Random *random)
{
    const int links = 1 + random_below(random, 12);
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    fprintf(file, "<robot name='r&quot;&#9;'>");
    for (int i = 0; i < links; ++i) write_random_link(file, random, i);
    for (int i = 1; i < links; ++i) write_random_joint(file, random, i);
    fprintf(file, "</robot>");
    fclose(file);
    return text;
}

static void any_robot_is_the_same_after_writing(void **state)
{
    (void)state;
    Random random = {11};
    for (int k = 0; k < (int)steps_or(2000, 200); ++k) {
        char *text = random_robot(&random);
        StiUrdf *urdf = read_text(text);
        check_round_trip(urdf);
        sti_urdf_destroy(urdf);
        free(text);
    }
}

// A robot that was not read: several links on the world, a rotor, a joint without end.
static void built_robot_can_be_written(void **state)
{
    (void)state;
    const StiQuat tilted = sti_quat_normalise((StiQuat){0.9, 0.1, -0.3, 0.2});
    StiLink links[] = {
        {.name = "cart",
         .joint_name = "rail",
         .parent = -1,
         .joint = STI_JOINT_PRISMATIC,
         .placement = {.p = {1.0, 0.0, 0.0}, .q = tilted},
         .axis = {0.0, 1.0, 0.0},
         .mass = 1.0,
         .inertia = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0},
         .armature = 0.25},
        {.name = "pole",
         .joint_name = "pin",
         .parent = 0,
         .joint = STI_JOINT_SPHERICAL,
         .placement = {.q = STI_QUAT_IDENTITY},
         .axis = {1.0, 0.0, 0.0},
         .mass = 0.5,
         .centre = {0.0, 0.0, 0.1},
         .inertia = {1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0}},
        {.name = "door",
         .joint_name = "hinge",
         .parent = -1,
         .joint = STI_JOINT_REVOLUTE,
         .limited = true,
         .lower = -1.0,
         .upper = 0.1,
         .placement = {.q = STI_QUAT_IDENTITY},
         .axis = {0.0, 0.0, 1.0},
         .mass = 20.0,
         .inertia = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}},
    };
    StiUrdfJoint joints[3] = {{.continuous = false}};
    joints[2].has_limits = true;
    const StiUrdf urdf = {.name = "built", .links = links, .joints = joints, .count = 3};
    check_round_trip(&urdf);
    const StiUrdf plain = {.name = "built", .links = links, .count = 3}; // without joints
    char *text = written(&plain);
    assert_non_null(strstr(text, "<link name=\"world\"/>"));
    free(text);
}

static void writing_stops_at_the_end_of_the_buffer(void **state)
{
    (void)state;
    StiUrdf *urdf = example("two_link");
    char *whole = written(urdf);
    const size_t length = strlen(whole);
    for (size_t size = 0; size <= length + 1; size += 1 + length / 50) {
        char *part = malloc(size + 1);
        assert_non_null(part);
        memset(part, '#', size + 1);
        assert_int_equal(sti_urdf_write(urdf, part, size), length);
        assert_int_equal(part[size], '#');
        if (size > 0) {
            assert_int_equal(part[size - 1], '\0');
            assert_memory_equal(part, whole, size - 1);
        }
        free(part);
    }
    free(whole);
    sti_urdf_destroy(urdf);
}

static void mutate(Random *random, char *text, size_t length)
{
    static const char *const words[] = {"<link ",    "/>",       "\"",    "<",    ">",
                                        "-1",        "1e308",    "nan",   "name", "&lt;",
                                        "<!DOCTYPE", "</robot>", "joint", "0"};
    const int changes = 1 + random_below(random, 4);
    for (int i = 0; i < changes; ++i) {
        const char *word = words[random_below(random, 14)];
        const size_t at = (size_t)random_below(random, (int)length);
        const size_t from = (size_t)random_below(random, (int)length);
        const size_t most = length - (at > from ? at : from);
        switch (random_below(random, 3)) {
        case 0:
            text[at] = (char)random_below(random, 256);
            break;
        case 1:
            memcpy(text + at, word, strlen(word) < length - at ? strlen(word) : length - at);
            break;
        default:
            memmove(text + at, text + from, most < 40 ? most : 40);
        }
    }
}

// Whatever the bytes are: a robot that can be written and read again, or a reason.
static void check_bytes(const char *text, size_t length)
{
    StiMessages *messages = sti_messages_create();
    StiUrdf *urdf = sti_urdf_read(text, length, "m.urdf", messages);
    assert_int_equal(urdf == NULL, sti_messages_error_count(messages) > 0);
    sti_messages_destroy(messages);
    if (urdf == NULL) return;
    check_round_trip(urdf);
    sti_urdf_destroy(urdf);
}

static void any_bytes_give_a_robot_or_a_reason(void **state)
{
    (void)state;
    Random random = {5};
    for (int k = 0; k < (int)steps_or(5000, 1000); ++k) {
        char path[512];
        snprintf(path, sizeof path, "%s/examples/robots/%s.urdf", SOURCE_DIR,
                 robots[random_below(&random, 3)]);
        char *text = file_needed(path);
        const size_t length = strlen(text);
        mutate(&random, text, length);
        check_bytes(text, random_below(&random, 4) == 0 ? (size_t)random_below(&random, (int)length)
                                                        : length);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_are_the_same_after_writing),
        cmocka_unit_test(any_robot_is_the_same_after_writing),
        cmocka_unit_test(built_robot_can_be_written),
        cmocka_unit_test(writing_stops_at_the_end_of_the_buffer),
        cmocka_unit_test(any_bytes_give_a_robot_or_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
