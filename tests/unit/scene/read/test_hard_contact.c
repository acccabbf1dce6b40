// Hard contacts in scenes: the same bits as contacts built in C, whatever way the shapes are given.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/scene/scenes.h"
#include "stiction/body.h"
#include "stiction/contact.h"
#include "stiction/robot.h"
#include "support/plan.h"

enum { STEPS = 60 };

static const StiFrame here = {.q = {1.0, 0.0, 0.0, 0.0}};

static StiPlan *new_plan(void)
{
    StiPlan *plan = plan_in_stages();
    sti_plan_set_step(plan, 1e-3);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -9.81));
    return plan;
}

static StiAdmittanceId add_body(StiPlan *plan, const char *name, double z, double vx)
{
    const StiRigidBody body = {.mass = 1.0,
                               .inertia = {0.01, 0.02, 0.03},
                               .position = {0.0, 0.0, z},
                               .velocity = {vx, 0.0, -0.1}};
    return sti_plan_add_admittance(plan, name, &sti_kind_rigid_body, &body);
}

static const char two_bodies[] =
    "step: 1e-3\n"
    "method: rule\n"
    "stop: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  low: {kind: rigid, mass: 1, inertia: [0.01, 0.02, 0.03], position: [0, 0, 0.101], velocity: "
    "[1, 0, -0.1]%s}\n"
    "  top: {kind: rigid, mass: 1, inertia: [0.01, 0.02, 0.03], position: [0, 0, 0.302], velocity: "
    "[0, 0, -0.1]%s}\n"
    "elements:\n"
    "  rub: {kind: contact, mu: 0.3, mu_static: 0.4, restitution: 0.1, %s}\n";

static uint64_t hash_after(const StiNetwork *network, int steps)
{
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    assert_int_equal(sti_run(network, NULL, state, scratch, steps), STI_OK);
    const uint64_t hash = sti_state_hash(state);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    return hash;
}

static uint64_t hash_of_scene(const char *low, const char *top, const char *keys)
{
    char text[2000];
    snprintf(text, sizeof text, two_bodies, low, top, keys);
    StiScene *scene = good_scene(text);
    const uint64_t hash = hash_after(scene->network, STEPS);
    sti_scene_destroy(scene);
    return hash;
}

typedef StiContactShape Shape;

// shapes: of low, then of top, as many as counts say; those of a first.
static uint64_t hash_of_plan(Shape *shapes, int a_count, int b_count, StiContact contact)
{
    StiPlan *plan = new_plan();
    StiReport *report = sti_report_create();
    add_body(plan, "low", 0.101, 1.0);
    add_body(plan, "top", 0.302, 0.0);
    contact.mu = 0.3;
    contact.mu_static = 0.4;
    contact.restitution = 0.1;
    contact.a = shapes;
    contact.a_count = a_count;
    contact.b = b_count > 0 ? shapes + a_count : NULL;
    contact.b_count = b_count;
    sti_plan_add_contact(plan, "rub", &contact);
    StiNetwork *network = NULL;
    assert_int_equal(sti_plan_compile(plan, report, &network), STI_OK);
    const uint64_t hash = hash_after(network, STEPS);
    sti_network_destroy(network);
    sti_report_destroy(report);
    sti_plan_destroy(plan);
    return hash;
}

static Shape on(int body, StiShape shape) { return (Shape){{body < 0 ? -1 : body + 1}, 0, shape}; }
static Shape floor_shape(void)
{
    return on(-1, sti_shape_plane(sti_vec3(0, 0, 0), sti_vec3(0, 0, 1)));
}
static StiShape box(void) { return sti_shape_box(here, sti_vec3(0.1, 0.15, 0.1)); }

static void a_body_on_the_floor(void **state)
{
    (void)state;
    Shape shapes[2] = {on(0, box()), floor_shape()};
    const uint64_t built = hash_of_plan(shapes, 1, 1, (StiContact){0});
    assert_true(built == hash_of_scene("", "", "on: low, shape: box, size: [0.2, 0.3, 0.2]"));
    assert_true(built ==
                hash_of_scene("", "", "on: low, shape: {kind: box, size: [0.2, 0.3, 0.2]}"));
    assert_true(built ==
                hash_of_scene(", shapes: {kind: box, size: [0.2, 0.3, 0.2]}", "", "on: low"));
    assert_true(built ==
                hash_of_scene(", shapes: [{kind: box, size: [0.2, 0.3, 0.2]}]", "",
                              "on: low, against: {plane: {point: [0, 0, 0], normal: [0, 0, 2]}}"));
    assert_true(built == hash_of_scene(", shapes: [{kind: box, size: [0.2, 0.3, 0.2]}]", "",
                                       "on: low, against: [{kind: plane}]"));
}

static void two_bodies_and_what_is_fixed(void **state)
{
    (void)state;
    Shape shapes[3] = {on(0, box()), on(1, sti_shape_sphere(sti_vec3(0, 0, 0), 0.1)),
                       floor_shape()};
    static const char low[] = ", shapes: {kind: box, size: [0.2, 0.3, 0.2]}";
    static const char top[] = ", shapes: {kind: sphere, radius: 0.1}";
    const uint64_t all = hash_of_plan(shapes, 3, 0, (StiContact){0});
    assert_true(all == hash_of_scene(low, top, "among: all, plane: {}"));
    assert_true(all == hash_of_scene(low, top, "among: [low, top], against: {plane: {}}"));
    const uint64_t pair = hash_of_plan(shapes, 1, 1, (StiContact){0});
    assert_true(pair == hash_of_scene(low, top, "between: [low, top]"));
    assert_true(pair ==
                hash_of_scene("", "",
                              "between: [low, top], shape_a: {kind: box, size: [0.2, 0.3, 0.2]}, "
                              "shape_b: {kind: sphere, radius: 0.1}"));
    assert_true(pair == hash_of_scene(low, top, "on: low, against: top"));
    assert_true(all != pair);
}

static void excluded_pairs_pass_through_each_other(void **state)
{
    (void)state;
    Shape shapes[3] = {on(0, box()), on(1, sti_shape_sphere(sti_vec3(0, 0, 0), 0.1)),
                       floor_shape()};
    static const char low[] = ", shapes: {kind: box, size: [0.2, 0.3, 0.2]}";
    static const char top[] = ", shapes: {kind: sphere, radius: 0.1}";
    const StiPair excluded = {0, 1};
    const StiContact without = {.excluded = &excluded, .excluded_count = 1};
    const uint64_t built = hash_of_plan(shapes, 3, 0, without);
    assert_true(built == hash_of_scene(low, top, "among: all, plane: {}, exclude: [[top, low]]"));
    assert_true(built != hash_of_plan(shapes, 3, 0, (StiContact){0}));
}

static void all_kinds_of_shapes(void **state)
{
    (void)state;
    const double half = sqrt(0.5);
    const StiFrame turned = {.p = {0.0, 0.0, 0.01}, .q = {half, half, 0.0, 0.0}};
    const StiVec3 corners[4] = {{0, 0, -0.1}, {0.1, 0, 0.1}, {-0.1, 0.1, 0.1}, {-0.1, -0.1, 0.1}};
    StiHull hull;
    assert_int_equal(sti_hull_build(corners, 4, &hull), STI_OK);
    Shape shapes[2] = {{{1}, 0, {0}}, floor_shape()};
    shapes[0].shape = sti_shape_hull(here, &hull);
    assert_true(
        hash_of_plan(shapes, 1, 1, (StiContact){0}) ==
        hash_of_scene("", "",
                      "on: low, shape: {kind: hull, vertices: [[0, 0, -0.1], [0.1, 0, 0.1], [-0.1, "
                      "0.1, 0.1], [-0.1, -0.1, 0.1]]}"));
    char keys[200];
    static const char *const words[] = {"capsule", "cylinder"};
    for (int i = 0; i < 2; ++i) {
        shapes[0].shape =
            i == 0 ? sti_shape_capsule(turned, 0.11, 0.2) : sti_shape_cylinder(turned, 0.11, 0.2);
        snprintf(keys, sizeof keys,
                 "on: low, shape: {kind: %s, radius: 0.11, length: 0.4, at: [0, 0, 0.01], "
                 "attitude: [1, 1, 0, 0]}",
                 words[i]);
        // The attitude is made of unit length: the same number up to rounding of the square root.
        shapes[0].shape.q = (StiQuat){1.0 / sqrt(2.0), 1.0 / sqrt(2.0), 0.0, 0.0};
        assert_true(hash_of_plan(shapes, 1, 1, (StiContact){0}) == hash_of_scene("", "", keys));
    }
    shapes[0].shape = sti_shape_point(sti_vec3(0, 0.02, -0.1));
    assert_true(hash_of_plan(shapes, 1, 1, (StiContact){0}) ==
                hash_of_scene("", "", "on: low, at: [0, 0.02, -0.1]"));
}

// A list makes one element for each body; the solid of a body is its shape; points are shapes.
static void lists_make_several_elements(void **state)
{
    (void)state;
    StiScene *scene = good_scene(
        "stop: 1\n"
        "gravity: [0, 0, -10]\n"
        "bodies:\n"
        "  box:  {kind: rigid, mass: 1, shape: box, size: [2, 2, 2], position: [0, 0, 1]}\n"
        "  ball: {kind: rigid, mass: 2, shape: sphere, radius: 1, position: [5, 0, 1]}\n"
        "  dot:  {kind: point, dimensions: 3, mass: 3}\n"
        "elements:\n"
        "  floor: {kind: contact, on: [box, ball, dot], mu: 0.5}\n");
    assert_near(channel_after(scene, 5, "box.floor.fn"), 10.0, 1e-9);
    assert_near(channel_after(scene, 5, "box.floor.points"), 4.0, 0.0);
    assert_near(channel_after(scene, 5, "ball.floor.fn"), 20.0, 1e-9);
    assert_near(channel_after(scene, 5, "dot.floor.fn"), 30.0, 1e-9);
    assert_true(parameter(scene, "ball.floor.mu") == 0.5);
    assert_true(channel_after(scene, 5, "dot.z") == 0.0);
    sti_scene_destroy(scene);
}

static void links_of_robots(void **state)
{
    (void)state;
    StiScene *scene = good_scene(
        "stop: 1\n"
        "gravity: [0, 0, -10]\n"
        "bodies:\n"
        "  lift:\n"
        "    kind: robot\n"
        "    links:\n"
        "      - {name: plate, joint: up, type: prismatic, axis: [0, 0, 1], mass: 3, inertia: [1, "
        "1, 1],\n"
        "         shapes: [{kind: sphere, radius: 0.5, at: [1, 0, 0.5]}, {kind: sphere, radius: "
        "0.5, at: "
        "[-1, 0, 0.5]}]}\n"
        "elements:\n"
        "  all:  {kind: contact, on: lift, mu: 0.5}\n"
        "  one:  {kind: contact, on: lift.plate, at: [0, 0, -1], plane: {point: [0, 0, -2]}}\n");
    assert_near(channel_after(scene, 5, "all.fn"), 30.0, 1e-9);
    assert_true(channel_after(scene, 5, "one.fn") == 0.0);
    sti_scene_destroy(scene);
}

static void shapes_of_a_urdf_file(void **state)
{
    (void)state;
    static const char urdf[] =
        "<robot name=\"r\"><link name=\"world\"/><link name=\"foot\"><inertial><mass "
        "value=\"2\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" "
        "iyz=\"0\"/></inertial><collision><geometry><box size=\"1 1 "
        "0.5\"/></geometry></collision></link><joint name=\"up\" type=\"prismatic\"><parent "
        "link=\"world\"/><child link=\"foot\"/><origin xyz=\"0 0 0.25\"/><axis xyz=\"0 0 "
        "1\"/><limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint></robot>";
    FILE *file = fopen("foot.urdf", "w");
    fputs(urdf, file);
    fclose(file);
    StiScene *scene = good_scene("stop: 1\n"
                                 "gravity: [0, 0, -10]\n"
                                 "bodies: {leg: {kind: robot, urdf: foot.urdf}}\n"
                                 "elements: {floor: {kind: contact, on: leg.foot, mu: 0.5}}\n");
    assert_near(channel_after(scene, 3, "floor.fn"), 20.0, 1e-9);
    sti_scene_destroy(scene);
    remove("foot.urdf");
}

// Changing a size by --set, deep in a list.
static void sizes_can_be_set(void **state)
{
    (void)state;
    const char *const sets[] = {"floor.shape.0.radius=2", "floor.mu=0.25"};
    StiScene *scene = good_scene_with(
        "stop: 1\n"
        "gravity: [0, 0, -10]\n"
        "bodies: {ball: {kind: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, "
        "2]}}\n"
        "elements: {floor: {kind: contact, on: ball, shape: [{kind: sphere, radius: "
        "1}], mu: 0.5}}\n",
        &(StiSceneOptions){.sets = sets, .set_count = 2});
    assert_true(parameter(scene, "floor.mu") == 0.25);
    assert_near(channel_after(scene, 1, "floor.fn"), 10.0, 1e-9); // a ball of radius 1 would fall
    sti_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_on_the_floor),
        cmocka_unit_test(two_bodies_and_what_is_fixed),
        cmocka_unit_test(excluded_pairs_pass_through_each_other),
        cmocka_unit_test(all_kinds_of_shapes),
        cmocka_unit_test(lists_make_several_elements),
        cmocka_unit_test(links_of_robots),
        cmocka_unit_test(shapes_of_a_urdf_file),
        cmocka_unit_test(sizes_can_be_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
