#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "algebra/cholesky.h"
#include "dense.h"
#include "random_tree.h"
#include "robot/recursion.h"
#include "stiction/body.h"

// tau of inverse dynamics at given accelerations, without or with the external wrenches.
static void inverse(Tree *tree, const double *vdot, bool external, double *tau)
{
    sti_robot_inverse(tree->robot, tree->gravity, tree->q, tree->v, vdot,
                      external ? tree->external : NULL, tau, NULL, tree->workspace);
}

static void inverse_dynamics_returns_the_torques(void **state)
{
    (void)state;
    Random random = {1};
    for (int trial = 0; trial < 300; ++trial) {
        const int links = trial < 100 ? 100 : 1 + random_below(&random, 100);
        Tree *tree = random_tree(&random, links, any_joint);
        double *tau = tree_doubles(tree->velocities);
        tree_forward(tree, NULL);
        inverse(tree, tree->vdot, true, tau);
        assert_all_near(tau, tree->tau, tree->velocities, 1e-10);
        free(tau);
        tree_destroy(tree);
    }
}

// H vdot + bias = tau, H by composite bodies, bias by inverse dynamics without acceleration.
static void composite_bodies_give_the_same_accelerations(void **state)
{
    (void)state;
    Random random = {2};
    for (int trial = 0; trial < 100; ++trial) {
        const int links = trial < 20 ? 100 : 1 + random_below(&random, 60);
        Tree *tree = random_tree(&random, links, any_joint);
        const int n = tree->velocities;
        double *H = tree_doubles(n * n), *vdot = tree_doubles(n), *none = tree_doubles(n);
        tree_forward(tree, NULL);
        inverse(tree, none, true, vdot);
        for (int k = 0; k < n; ++k) vdot[k] = tree->tau[k] - vdot[k];
        sti_robot_mass_matrix(tree->robot, tree->q, H, tree->workspace);
        assert_true(sti_cholesky_factor(n, H));
        sti_cholesky_solve(n, H, vdot);
        assert_all_near(tree->vdot, vdot, n, 1e-10);
        free(H), free(vdot), free(none);
        tree_destroy(tree);
    }
}

typedef struct Diagonal {
    bool locked[6 * TREE_MOST];
    double added[6 * TREE_MOST];
} Diagonal;

static void random_diagonal(Random *random, int n, Diagonal *diagonal)
{
    const int locks = random_below(random, 4), adds = random_below(random, 2);
    for (int k = 0; k < n; ++k) {
        diagonal->locked[k] = random_below(random, 4) < locks;
        diagonal->added[k] = adds ? random_decades(random, 1e-3, 10.0) : 0.0;
    }
}

// J^T external, as the difference that the wrenches make to inverse dynamics.
static void joint_forces(Tree *tree, double *force)
{
    double *none = tree_doubles(tree->velocities), *with = tree_doubles(tree->velocities);
    inverse(tree, none, false, force);
    inverse(tree, none, true, with);
    for (int k = 0; k < tree->velocities; ++k) force[k] -= with[k];
    free(none), free(with);
}

// (H + added) dv = tau + J^T external in the rows and columns that are not locked.
static void dense_response(Tree *tree, const Diagonal *diagonal, double *dv)
{
    const int n = tree->velocities;
    double *H = tree_doubles(n * n);
    joint_forces(tree, dv);
    sti_robot_mass_matrix(tree->robot, tree->q, H, tree->workspace);
    for (int k = 0; k < n; ++k) {
        H[k * n + k] += diagonal->added[k];
        dv[k] += tree->tau[k];
        if (!diagonal->locked[k]) continue;
        for (int j = 0; j < n; ++j) H[k * n + j] = H[j * n + k] = j == k ? 1.0 : 0.0;
        dv[k] = 0.0;
    }
    assert_true(sti_cholesky_factor(n, H));
    sti_cholesky_solve(n, H, dv);
    free(H);
}

static void respond_is_the_inverse_mass_matrix(void **state)
{
    (void)state;
    static Diagonal diagonal;
    Random random = {3};
    for (int trial = 0; trial < 300; ++trial) {
        Tree *tree = random_tree(&random, 1 + random_below(&random, 40), any_joint);
        const int n = tree->velocities;
        double *dv = tree_doubles(n), *expected = tree_doubles(n);
        random_diagonal(&random, n, &diagonal);
        dense_response(tree, &diagonal, expected);
        assert_int_equal(sti_robot_prepare(tree->robot, tree->q, diagonal.locked, diagonal.added,
                                           tree->prepared),
                         STI_OK);
        sti_robot_respond(tree->robot, tree->prepared, tree->tau, tree->external, dv);
        assert_all_near(dv, expected, n, 1e-10);
        for (int k = 0; k < n; ++k)
            if (diagonal.locked[k]) assert_true(dv[k] == 0.0);
        free(dv), free(expected);
        tree_destroy(tree);
    }
}

static void without_locks_and_additions_null_is_the_same(void **state)
{
    (void)state;
    static const Diagonal nothing;
    Random random = {4};
    Tree *tree = random_tree(&random, 20, any_joint);
    double *other = tree_doubles(sti_robot_prepared(tree->robot));
    const size_t size = (size_t)sti_robot_prepared(tree->robot) * sizeof(double);
    sti_robot_prepare(tree->robot, tree->q, NULL, NULL, tree->prepared);
    sti_robot_prepare(tree->robot, tree->q, nothing.locked, nothing.added, other);
    assert_memory_equal(tree->prepared, other, size);
    free(other);
    tree_destroy(tree);
}

static void all_locked_nothing_moves(void **state)
{
    (void)state;
    static Diagonal diagonal;
    memset(diagonal.locked, 1, sizeof diagonal.locked);
    Random random = {5};
    Tree *tree = random_tree(&random, 30, any_joint);
    assert_int_equal(sti_robot_prepare(tree->robot, tree->q, diagonal.locked, NULL, tree->prepared),
                     STI_OK);
    sti_robot_respond(tree->robot, tree->prepared, tree->tau, tree->external, tree->vdot);
    for (int k = 0; k < tree->velocities; ++k) assert_true(tree->vdot[k] == 0.0);
    tree_destroy(tree);
}

// Trees that need many slots, or none: parent(i) < i.
typedef int Parent(int i);
static int binary(int i) { return (i + 1) / 2 - 1; }
static int star(int i) { return i > 0 ? 0 : -1; }
static int comb(int i) { return i % 2 == 1 ? i - 1 : i - 2; } // a spine with a tooth on each link
static int forest(int i) { return i % 5 == 0 ? -1 : i - 1; }
static int chain(int i) { return i - 1; }

static void assert_shape(Random *random, Parent *parent)
{
    enum { LINKS = 255 };
    Tree *tree = calloc(1, sizeof *tree);
    assert_non_null(tree);
    int parents[LINKS];
    tree->links = LINKS;
    for (int i = 0; i < LINKS; ++i) {
        tree->given[i] = random_link(random, (StiJointType)(i % 5));
        parents[i] = parent(i) < 0 ? -1 : parent(i);
    }
    shuffle_links(random, tree, parents);
    name_links(tree);
    tree_create(tree);
    tree_randomise(random, tree);
    double *tau = tree_doubles(tree->velocities);
    tree_forward(tree, NULL);
    inverse(tree, tree->vdot, true, tau);
    assert_all_near(tau, tree->tau, tree->velocities, 1e-10);
    free(tau);
    tree_destroy(tree);
}

static void trees_of_all_shapes(void **state)
{
    (void)state;
    Random random = {6};
    assert_shape(&random, binary);
    assert_shape(&random, star);
    assert_shape(&random, comb);
    assert_shape(&random, forest);
    assert_shape(&random, chain);
}

static void floating_link_is_a_rigid_body(void **state)
{
    (void)state;
    const StiAdmittanceKind *kind = &sti_kind_rigid_body;
    Random random = {7};
    for (int trial = 0; trial < 100; ++trial) {
        StiLink link = random_link(&random, STI_JOINT_FLOATING);
        link.name = link.joint_name = "body";
        link.parent = -1;
        link.centre = sti_vec3(0.0, 0.0, 0.0);
        link.placement = (StiFrame){.q = STI_QUAT_IDENTITY};
        Tree tree = {.links = 1, .given = {link}};
        tree_create(&tree);
        tree_randomise(&random, &tree);
        tree_forward(&tree, NULL);
        StiRigidBody body = {.mass = link.mass};
        memcpy(body.inertia, link.inertia, sizeof body.inertia);
        const StiStage stage = {.gravity = tree.gravity};
        const StiForce uhat = {tree.tau, tree.external};
        double qdot[7], expected[7], vdot[6], prepared[16], dv[6];
        assert_true(kind->size(&body).prepared <= 16);
        kind->eval(&body, &stage, tree.q, tree.v, NULL, &uhat, expected, vdot, NULL);
        sti_robot_rates(tree.robot, tree.q, tree.v, qdot);
        assert_all_near(qdot, expected, 7, 1e-15);
        assert_all_near(tree.vdot, vdot, 6, 1e-13);
        kind->prepare(&body, tree.q, NULL, NULL, prepared);
        kind->respond(&body, prepared, tree.q, &uhat, vdot);
        sti_robot_prepare(tree.robot, tree.q, NULL, NULL, tree.prepared);
        sti_robot_respond(tree.robot, tree.prepared, tree.tau, tree.external, dv);
        assert_all_near(dv, vdot, 6, 1e-13);
        const double energy = kind->stored(&body, tree.gravity, tree.q, tree.v, NULL);
        const double measured =
            sti_robot_energy(tree.robot, tree.gravity, tree.q, tree.v, tree.workspace);
        assert_near(measured, energy, 1e-12 * (1.0 + fabs(energy)));
        free(tree.q), free(tree.v), free(tree.tau), free(tree.vdot);
        free(tree.workspace), free(tree.prepared), free(tree.external);
        sti_robot_destroy(tree.robot);
    }
}

// A uniform rod in the horizontal plane or, with gravity along x, hanging.
static StiLink rod(const char *name, int parent, double mass, double length)
{
    const double J = mass * length * length / 12.0;
    return (StiLink){.name = name,
                     .joint_name = name,
                     .parent = parent,
                     .joint = STI_JOINT_REVOLUTE,
                     .placement = {.p = {parent < 0 ? 0.0 : length, 0.0, 0.0}},
                     .axis = {0.0, 0.0, 3.0},
                     .mass = mass,
                     .centre = {0.5 * length, 0.0, 0.0},
                     .inertia = {0.0, J, J}};
}

static void pendulum(void **state)
{
    (void)state;
    const double m = 0.7, l = 0.9, rotor = 0.05, g = 9.81;
    StiLink link = rod("rod", -1, m, l);
    link.armature = rotor;
    StiRobot *robot = sti_robot_create(&link, 1, NULL);
    double workspace[64];
    assert_true(sti_robot_workspace(robot) <= 64);
    for (int i = -30; i <= 30; ++i) {
        const double q = 0.2 * i, v = 0.3 * i, tau = 0.4 * i, c = cos(q), s = sin(q);
        double vdot;
        StiWrench load;
        sti_robot_forward(robot, sti_vec3(g, 0.0, 0.0), &q, &v, &tau, NULL, &vdot, &load,
                          workspace);
        const double expected = (tau - m * g * 0.5 * l * s) / (m * l * l / 3.0 + rotor);
        assert_near(vdot, expected, 1e-13 * (1.0 + fabs(expected)));
        // The pin carries the centre along its circle, against the weight.
        const double Fx = m * 0.5 * l * (-c * v * v - s * vdot) - m * g;
        const double Fy = m * 0.5 * l * (-s * v * v + c * vdot);
        assert_near(load.force.x, Fx, 1e-12 * (1.0 + fabs(Fx)));
        assert_near(load.force.y, Fy, 1e-12 * (1.0 + fabs(Fy)));
        assert_near(load.moment.z, tau - rotor * vdot, 1e-12 * (1.0 + fabs(tau)));
    }
    sti_robot_destroy(robot);
}

// EQUATIONS 3.2: two rods of 0.2 kg and 0.5 m.
static void two_link_arm(void **state)
{
    (void)state;
    const StiLink links[2] = {rod("upper", -1, 0.2, 0.5), rod("lower", 0, 0.2, 0.5)};
    StiRobot *robot = sti_robot_create(links, 2, NULL);
    const double a = 1.0 / 12.0, b = 0.025, d = 1.0 / 60.0;
    double workspace[128];
    assert_true(sti_robot_workspace(robot) <= 128);
    Random random = {8};
    for (int trial = 0; trial < 100; ++trial) {
        double q[2], v[2], tau[2], vdot[2], H[4], bias[2];
        for (int i = 0; i < 2; ++i) {
            q[i] = random_between(&random, -3.0, 3.0);
            v[i] = random_between(&random, -5.0, 5.0);
            tau[i] = random_between(&random, -1.0, 1.0);
        }
        const double c = cos(q[1]), s = sin(q[1]), none[2] = {0.0, 0.0};
        const StiVec3 weightless = {0.0, 0.0, 0.0};
        const double expected[4] = {a + 2.0 * b * c, d + b * c, d + b * c, d};
        const double velocity_terms[2] = {-b * s * (2.0 * v[0] * v[1] + v[1] * v[1]),
                                          b * s * v[0] * v[0]};
        sti_robot_mass_matrix(robot, q, H, workspace);
        assert_all_near(H, expected, 4, 1e-14);
        sti_robot_inverse(robot, weightless, q, v, none, NULL, bias, NULL, workspace);
        assert_all_near(bias, velocity_terms, 2, 1e-13);
        sti_robot_forward(robot, weightless, q, v, tau, NULL, vdot, NULL, workspace);
        double solution[2] = {tau[0] - velocity_terms[0], tau[1] - velocity_terms[1]};
        dense_solve(2, H, solution);
        assert_all_near(vdot, solution, 2, 1e-12);
    }
    sti_robot_destroy(robot);
}

// A rod on a slide, driven along it and pulled across it by gravity.
static void sledge(void **state)
{
    (void)state;
    StiLink link = rod("sledge", -1, 2.0, 1.0);
    link.joint = STI_JOINT_PRISMATIC;
    link.axis = sti_vec3(0.6, 0.0, 0.8);
    link.armature = 0.5;
    StiRobot *robot = sti_robot_create(&link, 1, NULL);
    const double q = 0.3, v = -1.0, tau = 4.0;
    double vdot, workspace[64];
    sti_robot_forward(robot, sti_vec3(0.0, 0.0, -10.0), &q, &v, &tau, NULL, &vdot, NULL, workspace);
    assert_near(vdot, (4.0 - 2.0 * 10.0 * 0.8) / 2.5, 1e-14);
    sti_robot_destroy(robot);
}

static void rotor_inertia_stands_on_the_diagonal(void **state)
{
    (void)state;
    Random random = {9};
    Tree *tree = random_tree(&random, 30, any_joint);
    const int n = tree->velocities;
    for (int i = 0; i < tree->links; ++i) tree->given[i].armature = 0.0;
    StiRobot *bare = sti_robot_create(tree->given, tree->links, NULL);
    double *H = tree_doubles(n * n), *without = tree_doubles(n * n);
    sti_robot_mass_matrix(tree->robot, tree->q, H, tree->workspace);
    sti_robot_mass_matrix(bare, tree->q, without, tree->workspace);
    for (int i = 0; i < tree->links; ++i) {
        const int k = sti_robot_joint_velocity(bare, i);
        const double rotor = sti_robot_link(tree->robot, i)->armature;
        if (rotor > 0.0) without[k * n + k] += rotor;
    }
    assert_memory_equal(H, without, (size_t)(n * n) * sizeof *H);
    sti_robot_destroy(bare);
    free(H), free(without);
    tree_destroy(tree);
}

// A number below 0 on the diagonal, larger than the inertia; a position that is not a number.
static void singular_inertia_is_a_status(void **state)
{
    (void)state;
    Random random = {10};
    Tree *tree = random_tree(&random, 10, any_joint);
    double *added = tree_doubles(tree->velocities);
    added[tree->velocities / 2] = -1e6;
    assert_int_equal(sti_robot_prepare(tree->robot, tree->q, NULL, added, tree->prepared),
                     STI_BAD_ARGUMENT);
    for (int i = 0; i < tree->positions; ++i) tree->q[i] = NAN;
    for (int k = 0; k < tree->velocities; ++k) tree->vdot[k] = 1.0;
    assert_int_equal(sti_robot_forward(tree->robot, tree->gravity, tree->q, tree->v, tree->tau,
                                       NULL, tree->vdot, NULL, tree->workspace),
                     STI_BAD_ARGUMENT);
    for (int k = 0; k < tree->velocities; ++k) assert_true(tree->vdot[k] == 1.0);
    free(added);
    tree_destroy(tree);
}

// What the workspace held before has no influence, and const is kept.
static void same_arguments_give_the_same_bits(void **state)
{
    (void)state;
    Random random = {11};
    for (int trial = 0; trial < 20; ++trial) {
        Tree *tree = random_tree(&random, 1 + random_below(&random, 50), any_joint);
        const size_t size = (size_t)tree->velocities * sizeof(double);
        double *first = tree_doubles(tree->velocities);
        StiWrench *loads = calloc((size_t)tree->links, sizeof *loads);
        StiWrench *again = calloc((size_t)tree->links, sizeof *again);
        tree_forward(tree, loads);
        memcpy(first, tree->vdot, size);
        for (int i = 0; i < sti_robot_workspace(tree->robot); ++i) tree->workspace[i] = NAN;
        tree_forward(tree, again);
        assert_memory_equal(first, tree->vdot, size);
        assert_memory_equal(loads, again, (size_t)tree->links * sizeof *loads);
        sti_robot_prepare(tree->robot, tree->q, NULL, NULL, tree->prepared);
        sti_robot_respond(tree->robot, tree->prepared, tree->tau, tree->external, first);
        sti_robot_respond(tree->robot, tree->prepared, tree->tau, tree->external, tree->vdot);
        assert_memory_equal(first, tree->vdot, size);
        free(first), free(loads), free(again);
        tree_destroy(tree);
    }
}

// One pass gives the bits of two: accelerations, then what the joints transmit at these.
static void loads_on_the_way_are_those_of_newton_and_euler(void **state)
{
    (void)state;
    Random random = {12};
    for (int trial = 0; trial < 50; ++trial) {
        Tree *tree = random_tree(&random, 1 + random_below(&random, 50), any_joint);
        const size_t size = (size_t)tree->links * sizeof(StiWrench);
        const RobotMemory m = sti_robot_memory(tree->robot, tree->workspace);
        StiWrench *loads = calloc((size_t)tree->links, sizeof *loads);
        StiWrench *expected = calloc((size_t)tree->links, sizeof *expected);
        tree_forward(tree, loads);
        sti_robot_transmit(tree->robot, m.spots, m.axes, tree->vdot, m.applied, expected);
        assert_memory_equal(loads, expected, size);
        double *vdot = tree_doubles(tree->velocities);
        memcpy(vdot, tree->vdot, (size_t)tree->velocities * sizeof *vdot);
        tree_forward(tree, NULL);
        assert_memory_equal(vdot, tree->vdot, (size_t)tree->velocities * sizeof *vdot);
        free(loads), free(expected), free(vdot);
        tree_destroy(tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inverse_dynamics_returns_the_torques),
        cmocka_unit_test(composite_bodies_give_the_same_accelerations),
        cmocka_unit_test(respond_is_the_inverse_mass_matrix),
        cmocka_unit_test(without_locks_and_additions_null_is_the_same),
        cmocka_unit_test(all_locked_nothing_moves),
        cmocka_unit_test(trees_of_all_shapes),
        cmocka_unit_test(floating_link_is_a_rigid_body),
        cmocka_unit_test(pendulum),
        cmocka_unit_test(two_link_arm),
        cmocka_unit_test(sledge),
        cmocka_unit_test(rotor_inertia_stands_on_the_diagonal),
        cmocka_unit_test(singular_inertia_is_a_status),
        cmocka_unit_test(same_arguments_give_the_same_bits),
        cmocka_unit_test(loads_on_the_way_are_those_of_newton_and_euler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
