// Bodies of all kinds in one system under `coupled`: energy accounts, the same bits after a restore,
// whatever the scratch did before.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/plan.h"
#include "support/scenes/contact_scenes.h"

static void wave(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 0.05 * sin(6.0 * t);
    values[1] = 0.3 * cos(6.0 * t);
}

// A robot with a ball joint that rubs lies on a table, which a motion source shakes along x; a box
// lies on the robot's link, a point mass is rubbed by the table.
typedef struct Mixed {
    Rig rig;
    StiRobot *robot;
    StiAdmittanceId box, arm, mass;
} Mixed;

static StiRobot *floating_robot(void)
{
    const StiLink links[2] = {{.name = "base",
                               .joint_name = "free",
                               .parent = -1,
                               .joint = STI_JOINT_FLOATING,
                               .mass = 2.0,
                               .inertia = {0.02, 0.02, 0.03}},
                              {.name = "head",
                               .joint_name = "neck",
                               .parent = 0,
                               .joint = STI_JOINT_SPHERICAL,
                               .placement = {.p = {0.0, 0.0, 0.3}},
                               .mass = 0.3,
                               .centre = {0.05, 0.0, 0.1},
                               .inertia = {0.003, 0.003, 0.002}}};
    return sti_robot_create(links, 2, NULL);
}

static Mixed mixed_create(void)
{
    Mixed m = {.robot = floating_robot()};
    StiPlan *plan = plan_in_stages();
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -GRAVITY));
    const StiAdmittanceId table =
        sti_plan_add_motion(plan, "table", 1, (StiTimeFunction){.count = 2, .eval = wave});
    double q[11] = {0.0};
    sti_robot_rest(m.robot, q);
    q[2] = 0.06;
    m.arm =
        sti_plan_add_admittance(plan, "arm", &sti_kind_robot,
                                &(StiRobotBody){.robot = m.robot, .positions = 11, .position = q});
    const StiRigidBody body = box_body(0.5, sti_vec3(0.04, 0.04, 0.03), sti_vec3(0.12, 0.0, 0.14));
    m.box = sti_plan_add_admittance(plan, "box", &sti_kind_rigid_body, &body);
    m.mass = sti_plan_add_admittance(plan, "mass", &sti_kind_point_mass,
                                     &(StiPointMass){.dim = 1, .mass = 0.2, .velocity = {0.3}});
    const StiWire neck = sti_wire_joint(m.arm, m.robot, 1);
    sti_plan_add_reaction(plan, "neck", &sti_kind_finite_time,
                          &(StiFiniteTime){.dim = 3, .law = sti_law_coulomb(0.05)}, &neck);
    const StiWire rub = sti_wire_coordinate_pair(m.mass, 0, table, 0, 1);
    sti_plan_add_reaction(plan, "rub", &sti_kind_finite_time,
                          &(StiFiniteTime){.dim = 1, .law = sti_law_viscous(0.1, 0.2)}, &rub);
    const StiContactShape base = box_shape(m.arm, sti_vec3(0.2, 0.1, 0.05));
    const StiContactShape top = {table, 0, sti_shape_plane(sti_vec3(0, 0, 0), sti_vec3(0, 0, 1))};
    contact_between(plan, "feet", base, top, 0.6);
    contact_between(plan, "load", box_shape(m.box, sti_vec3(0.04, 0.04, 0.03)), base, 0.3);
    m.rig = rig_of(plan);
    return m;
}

static void mixed_free(Mixed *m)
{
    rig_free(&m->rig);
    sti_robot_destroy(m->robot);
}

static void everything_in_one_system(void **state)
{
    (void)state;
    Mixed m = mixed_create();
    StiRecorder *recorder = sti_recorder_create(m.rig.network);
    assert_int_equal(sti_recorder_begin(recorder, m.rig.state, NULL, m.rig.scratch), STI_OK);
    int unsolved = 0, lost = 0;
    double power = -1.0;
    for (int k = 0; k < (rig_short() ? 1000 : 5000); ++k) {
        rig_step(&m.rig);
        assert_int_equal(sti_recorder_follow(recorder, m.rig.state, m.rig.scratch), STI_OK);
        const StiStepFigures f = sti_scratch_figures(m.rig.scratch);
        unsolved += f.unsolved;
        lost += f.points_lost;
        // What the table gives is work from outside; the rest only takes.
        power = fmax(power, -f.reaction_power < 0.0 ? f.reaction_power : -1.0);
    }
    const StiEnergy e = sti_recorder_energy(recorder);
    const double *q = rig_x(&m.rig, m.arm), *box = rig_x(&m.rig, m.box);
    print_message("work %g stored %g dissipated %g numerical %g residual %g; unsolved %d lost %d; "
                  "base %g %g %g, box %g %g %g, head w %g; power %g\n",
                  e.work, e.stored - e.stored_start, e.dissipated, e.numerical, e.residual,
                  unsolved, lost, q[0], q[1], q[2], box[0], box[1], box[2], rig_v(&m.rig, m.arm)[7],
                  power);
    assert_int_equal(unsolved + lost, 0);
    assert_true(e.dissipated > 0.0);
    assert_true(fabs(e.residual) < 1e-9);
    assert_true(fabs(q[2] - 0.05) < 1e-3);
    sti_recorder_destroy(recorder);
    mixed_free(&m);
}

static void a_restored_state_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    Mixed m = mixed_create();
    StiState *kept = sti_state_create(m.rig.network);
    rig_run(&m.rig, 150);
    assert_int_equal(sti_state_copy(kept, m.rig.state), STI_OK);
    rig_run(&m.rig, 300);
    const uint64_t hash = sti_state_hash(m.rig.state);
    StiScratch *fresh = sti_scratch_create(m.rig.network);
    assert_int_equal(sti_run(m.rig.network, NULL, kept, fresh, 300), STI_OK);
    assert_true(sti_state_hash(kept) == hash);
    sti_scratch_destroy(fresh);
    sti_state_destroy(kept);
    mixed_free(&m);
}

static void chains_too(void **state)
{
    (void)state;
    Chain chain = chain_plan(20, 0.05, 1e-3);
    Rig rig = rig_of(chain.plan);
    StiState *kept = sti_state_create(rig.network);
    rig_run(&rig, 20);
    assert_int_equal(sti_state_copy(kept, rig.state), STI_OK);
    rig_run(&rig, 200);
    const uint64_t hash = sti_state_hash(rig.state);
    StiScratch *fresh = sti_scratch_create(rig.network);
    assert_int_equal(sti_run(rig.network, NULL, kept, fresh, 200), STI_OK);
    assert_true(sti_state_hash(kept) == hash);
    sti_scratch_destroy(fresh);
    sti_state_destroy(kept);
    rig_free(&rig);
    sti_robot_destroy(chain.robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_in_one_system),
        cmocka_unit_test(a_restored_state_goes_on_with_the_same_bits),
        cmocka_unit_test(chains_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
