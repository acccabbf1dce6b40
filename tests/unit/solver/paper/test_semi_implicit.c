// The papers' own solvers at their limits: joints that must not move, loads at the start, wedging.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/plan.h"
#include "support/scenes/contact_scenes.h"

static const double PI = 3.14159265358979323846;

static const StiSolver *solver_at(int i)
{
    return i == 0 ? &sti_solver_semi_implicit : &sti_solver_implicit;
}

static void constant(const void *data, void *workspace, double t, double *values)
{
    (void)workspace, (void)t;
    values[0] = *(const double *)data;
}

typedef struct Joint1 {
    StiRobot *robot;
    StiAdmittanceId id;
    StiPlan *plan;
} Joint1;

// One link with a rotor and dry friction, its joint driven by a torque.
static Joint1 driven_joint(int solver, double gravity, const double *torque)
{
    const StiLink link = {.name = "link",
                          .joint_name = "joint",
                          .parent = -1,
                          .joint = STI_JOINT_REVOLUTE,
                          .axis = {0.0, 1.0, 0.0},
                          .mass = 1.0,
                          .centre = {0.15, 0.0, 0.0},
                          .inertia = {0.001, 0.008, 0.008},
                          .armature = 0.101232};
    Joint1 one = {.robot = sti_robot_create(&link, 1, NULL), .plan = plan_in_stages()};
    sti_plan_set_solver(one.plan, solver_at(solver));
    sti_plan_set_gravity(one.plan, sti_vec3(0.0, 0.0, -gravity));
    one.id = sti_plan_add_admittance(one.plan, "arm", &sti_kind_robot,
                                     &(StiRobotBody){.robot = one.robot});
    const StiWire wire = sti_wire_joint(one.id, one.robot, 0);
    sti_plan_add_reaction(one.plan, "friction", &sti_kind_finite_time,
                          &(StiFiniteTime){.dim = 1,
                                           .law = sti_law_gear(4.32, 4.92, 100.0, 2.2032)},
                          &wire);
    sti_plan_add_force(one.plan, "drive", &wire, 1,
                       (StiTimeFunction){.count = 1, .eval = constant, .data = torque});
    return one;
}

static void a_drive_below_the_threshold_moves_nothing(void **state)
{
    (void)state;
    const double torque = 4.9;
    Joint1 one = driven_joint(0, 0.0, &torque);
    Rig rig = rig_of(one.plan);
    rig_run(&rig, 20000);
    assert_true(rig_x(&rig, one.id)[0] == 0.0);
    assert_true(rig_v(&rig, one.id)[0] == 0.0);
    rig_free(&rig);
    sti_robot_destroy(one.robot);
}

static void a_loaded_joint_does_not_jump_at_the_start(void **state)
{
    (void)state;
    const double none = 0.0;
    for (int i = 0; i < 2; ++i) {
        Joint1 one = driven_joint(i, GRAVITY, &none);
        Rig rig = rig_of(one.plan);
        double most = 0.0;
        for (int k = 0; k < 3000; ++k) {
            rig_step(&rig);
            most = fmax(most, fabs(rig_x(&rig, one.id)[0]));
        }
        print_message("%s: %g rad\n", sti_solver_name(solver_at(i)), most);
        assert_true(most < (i == 0 ? 1e-15 : 1e-10)); // implicit: the swing of its spring
        rig_free(&rig);
        sti_robot_destroy(one.robot);
    }
}

// Painleve's rod slides on its lower end, leaning back, with mu above 4/3: friction would press its end
// down harder than its normal force lifts it, so that no sliding force stops it. Sticking at once does:
// a tangential impact.
static void painleves_rod_stops_at_once(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        StiPlan *plan = plan_in_stages();
        const double lean = 60.0 * PI / 180.0;
        sti_plan_set_solver(plan, solver_at(i));
        sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -GRAVITY));
        StiRigidBody rod = {.mass = 1.0,
                            .inertia = {0.001, 1.0 / 3.0, 1.0 / 3.0},
                            .position = {0.0, 0.0, sin(lean)},
                            .attitude = {cos(0.5 * lean), 0.0, -sin(0.5 * lean), 0.0}};
        rod.velocity[0] = -2.0;
        const StiAdmittanceId id = sti_plan_add_admittance(plan, "rod", &sti_kind_rigid_body, &rod);
        contact_between(plan, "floor",
                        (StiContactShape){id, 0, sti_shape_point(sti_vec3(-1.0, 0.0, 0.0))},
                        ground_shape(sti_vec3(0.0, 0.0, 1.0)), 3.0);
        Rig rig = rig_of(plan);
        rig_run(&rig, 3);
        const double *v = rig_v(&rig, id), before = 0.5 * 2.0 * 2.0;
        const double after = 0.5 * (v[0] * v[0] + v[2] * v[2] + v[4] * v[4] / 3.0);
        print_message("%s: %g of %g J are left\n", sti_solver_name(solver_at(i)), after, before);
        assert_true(after < 0.6 * before);
        assert_true(rig.scratch->contacts->points[0].mode == STI_BLOCK_STICK);
        rig_run(&rig, 300);
        assert_true(isfinite(rig_x(&rig, id)[0]));
        assert_int_equal(sti_scratch_figures(rig.scratch).unsolved, 0);
        rig_free(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drive_below_the_threshold_moves_nothing),
        cmocka_unit_test(a_loaded_joint_does_not_jump_at_the_start),
        cmocka_unit_test(painleves_rod_stops_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
