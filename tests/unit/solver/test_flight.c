// Free flight under `rule`, whatever else is in the network: random tumbling bodies and robots keep
// their energy and, without gravity, their angular momentum; what friction holds stays to the last bit.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "stiction/contact.h"
#include "support/plan.h"
#include "support/short.h"
#include "unit/network/built.h"
#include "unit/robot/random_tree.h"

static const double allowed = 1e-4; // of it, in a second of steps of 1 ms
enum { STEPS = 1000, COMPANIES = 3 };

// What else is there: nothing, friction elsewhere (`sweeps`), contact elsewhere (`coupled`).
static void add_company(StiPlan *plan, int which)
{
    if (which == 0) return;
    const StiAdmittanceId mass =
        sti_plan_add_admittance(plan, "mass", &sti_kind_point_mass,
                                &(StiPointMass){.dim = 3, .mass = 1.0});
    const StiWire wire = sti_wire_coordinate(mass, 0, 3);
    sti_plan_add_reaction(plan, "hold", &sti_kind_finite_time,
                          &(StiFiniteTime){.dim = 3, .law = sti_law_coulomb(30.0)}, &wire);
    sti_plan_set_solver(plan, which == 1 ? &sti_solver_sweeps : &sti_solver_coupled);
}

static void sweep_inertia(const double *J, StiVec3 w, StiVec3 *Jw)
{
    *Jw = sti_vec3(J[0] * w.x + J[3] * w.y + J[4] * w.z, J[3] * w.x + J[1] * w.y + J[5] * w.z,
                   J[4] * w.x + J[5] * w.y + J[2] * w.z);
}

static StiVec3 spin_of(const StiRigidBody *p, const double *q, const double *v, double *energy)
{
    const StiVec3 w = {v[3], v[4], v[5]};
    StiVec3 Jw;
    sweep_inertia(p->inertia, w, &Jw);
    *energy = 0.5 * sti_vec3_dot(w, Jw);
    return sti_quat_rotate((StiQuat){q[3], q[4], q[5], q[6]}, Jw);
}

// Thrown in gravity: the parabola of its centre to rounding, energy of its spin and L in space.
static void tumbling_bodies_keep_what_they_have(void **state)
{
    (void)state;
    Random random = {5};
    const int trials = (int)steps_or(60, 6);
    for (int i = 0; i < trials; ++i) {
        StiRigidBody p = {.mass = random_decades(&random, 0.1, 10.0), .attitude = {1.0, 0.0, 0.0, 0.0}};
        random_inertia(&random, p.mass, 0.3, p.inertia);
        const double speed = random_decades(&random, 0.1, 40.0), g = 9.81;
        for (int d = 0; d < 3; ++d) {
            p.velocity[d] = random_between(&random, -5.0, 5.0);
            p.angular_velocity[d] = random_between(&random, -speed, speed);
        }
        StiPlan *plan = plan_under_rule();
        const StiAdmittanceId body = sti_plan_add_admittance(plan, "b", &sti_kind_rigid_body, &p);
        add_company(plan, i % COMPANIES);
        sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -g));
        Built built = build_and_destroy(plan);
        double before, after;
        const StiVec3 L = spin_of(&p, position(&built, body), velocity(&built, body), &before);
        for (int k = 0; k < STEPS; ++k) assert_steps(&built, NULL);
        const double *q = position(&built, body);
        const StiVec3 end = spin_of(&p, q, velocity(&built, body), &after);
        assert_near(after, before, allowed * before);
        assert_near(sti_vec3_norm(sti_vec3_sub(end, L)), 0.0, allowed * sti_vec3_norm(L));
        for (int d = 0; d < 3; ++d)
            assert_near(q[d], p.velocity[d] - (d == 2 ? 0.5 * g : 0.0), 1e-11);
        release(&built);
    }
}

static StiJointType floating_tree(Random *random, int i)
{
    static const StiJointType types[] = {STI_JOINT_REVOLUTE, STI_JOINT_REVOLUTE,
                                         STI_JOINT_SPHERICAL, STI_JOINT_PRISMATIC};
    return i == 0 ? STI_JOINT_FLOATING : types[random_below(random, 4)];
}

static Tree *flying_tree(Random *random)
{
    for (;;) { // with one root
        Tree *tree = random_tree(random, 1 + random_below(random, 6), floating_tree);
        int roots = 0;
        for (int i = 0; i < tree->links; ++i) roots += tree->given[i].parent < 0;
        if (roots == 1) return tree;
        tree_destroy(tree);
    }
}

static void flying_robots_keep_what_they_have(void **state)
{
    (void)state;
    Random random = {6};
    const int trials = (int)steps_or(40, 4);
    for (int i = 0; i < trials; ++i) {
        Tree *tree = flying_tree(&random);
        const StiVec3 gravity = i % 2 == 0 ? sti_vec3(0.0, 0.0, 0.0) : tree->gravity;
        const StiRobotBody p = {.robot = tree->robot,
                                .position = tree->q,
                                .positions = tree->positions,
                                .velocity = tree->v,
                                .velocities = tree->velocities};
        StiPlan *plan = plan_under_rule();
        const StiAdmittanceId body = sti_plan_add_admittance(plan, "r", &sti_kind_robot, &p);
        add_company(plan, i % COMPANIES);
        sti_plan_set_gravity(plan, gravity);
        Built built = build_and_destroy(plan);
        const double before =
            sti_robot_energy(tree->robot, gravity, tree->q, tree->v, tree->workspace);
        const double moving = sti_robot_energy(tree->robot, sti_vec3(0.0, 0.0, 0.0), tree->q,
                                               tree->v, tree->workspace);
        const StiWrench start = sti_robot_momentum(tree->robot, tree->q, tree->v, tree->workspace);
        for (int k = 0; k < STEPS; ++k) assert_steps(&built, NULL);
        const double *q = position(&built, body), *v = velocity(&built, body);
        assert_near(sti_robot_energy(tree->robot, gravity, q, v, tree->workspace), before,
                    allowed * moving);
        const StiWrench end = sti_robot_momentum(tree->robot, q, v, tree->workspace);
        const double size = sti_vec3_norm(start.moment) + sti_vec3_norm(start.force);
        if (i % 2 == 0)
            assert_near(sti_vec3_norm(sti_vec3_sub(end.moment, start.moment)), 0.0, allowed * size);
        release(&built);
        tree_destroy(tree);
    }
}

// Of a body that friction holds, and of one that slides, nothing changes with the flight of another.
static void what_is_held_stays(void **state)
{
    (void)state;
    for (int which = 1; which < COMPANIES; ++which) {
        StiPlan *plan = plan_under_rule();
        const StiRigidBody p = {.mass = 1.0,
                                .inertia = {0.02, 0.03, 0.04, 0.0, 0.0, 0.0},
                                .attitude = {1.0, 0.0, 0.0, 0.0},
                                .angular_velocity = {3.0, 4.0, 5.0}};
        sti_plan_add_admittance(plan, "b", &sti_kind_rigid_body, &p);
        add_company(plan, which);
        sti_plan_set_gravity(plan, sti_vec3(1.0, 2.0, -9.81));
        Built built = build_and_destroy(plan);
        const int mass = sti_network_channel_find(built.network, "mass.z");
        assert_true(mass >= 0);
        StiRecorder *recorder = sti_recorder_create(built.network);
        for (int k = 0; k < STEPS; ++k) assert_steps(&built, NULL);
        assert_int_equal(sti_recorder_follow(recorder, built.state, built.scratch), STI_OK);
        assert_true(sti_recorder_value(recorder, mass) == 0.0);
        sti_recorder_destroy(recorder);
        release(&built);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tumbling_bodies_keep_what_they_have),
        cmocka_unit_test(flying_robots_keep_what_they_have),
        cmocka_unit_test(what_is_held_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
