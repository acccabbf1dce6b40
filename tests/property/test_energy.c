// The energy ledger: nothing is lost between its accounts, its numerical part shrinks with the step
// as the method's error does, and works are those of closed forms.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "closed_path.h"
#include "friction_models.h"
#include "support/near.h"
#include "support/plan.h"
#include "support/short.h"
#include "unit/network/random_bodies.h"

typedef struct Followed {
    Built built;
    StiRecorder *recorder;
} Followed;

static Followed begin(StiPlan *plan)
{
    Followed f = {.built = build_and_destroy(plan)};
    f.recorder = sti_recorder_create(f.built.network);
    assert_int_equal(sti_recorder_begin(f.recorder, f.built.state, NULL, f.built.scratch), STI_OK);
    return f;
}

static void follow(Followed *f, long steps)
{
    for (long k = 0; k < steps; ++k) {
        assert_steps(&f->built, NULL);
        assert_int_equal(sti_recorder_follow(f->recorder, f->built.state, f->built.scratch),
                         STI_OK);
    }
}

static void end(Followed *f)
{
    sti_recorder_destroy(f->recorder);
    release(&f->built);
}

// Runs a plan to the time `stop` and destroys it.
static StiEnergy energy_at(StiPlan *plan, double T, double stop)
{
    sti_plan_set_step(plan, T);
    Followed f = begin(plan);
    follow(&f, lround(stop / T));
    const StiEnergy energy = sti_recorder_energy(f.recorder);
    end(&f);
    return energy;
}

static double size_of(const StiEnergy *e)
{
    return fabs(e->work) + fabs(e->stored) + fabs(e->stored_start) + fabs(e->dissipated) +
           fabs(e->numerical);
}

typedef struct Lively {
    StiAdmittanceId bodies[BODIES_MOST], hand;
    int count;
    ClosedPath path, push[3]; // in one, two and three dimensions
    StiElementId rubbing[BODIES_MOST * 4];
    bool strict[BODIES_MOST * 4]; // of these: reactions
    int rubbing_count;
    bool one_evaluation; // per step
} Lively;

static void add_lively_bodies(StiPlan *plan, Random *random, Lively *l)
{
    char name[32];
    l->count = 2 + random_below(random, BODIES_MOST - 2);
    for (int i = 0; i < l->count; ++i) {
        snprintf(name, sizeof name, "body%d", i);
        l->bodies[i] = add_random_body(plan, name, random);
    }
    l->path = closed_path(random, 3, 0.2, 1.0);
    for (int i = 0; i < 3; ++i) l->push[i] = closed_path(random, 1 + i, 3.0, 0.7);
    l->hand =
        sti_plan_add_motion(plan, "hand", 3,
                            (StiTimeFunction){.count = 6, .eval = path_motion, .data = &l->path});
}

static StiAdmittanceId anyone(Random *random, const Lively *l, StiAdmittanceId but)
{
    const int choice = random_below(random, l->count + 2);
    if (choice == l->count) return l->hand;
    if (choice > l->count || l->bodies[choice].number == but.number) return (StiAdmittanceId){-1};
    return l->bodies[choice];
}

// Soft elements: with masses of 0.1 kg and arms of half a metre the step resolves all of them.
static void add_lively_impedance(StiPlan *plan, Random *random, Lively *l, int number)
{
    char name[32];
    const StiAdmittanceId a = l->bodies[random_below(random, l->count)], b = anyone(random, l, a);
    const int which = random_below(random, MODEL_COUNT + 6);
    snprintf(name, sizeof name, "element%02d", number);
    StiWire wire = random_wire(random, a, b);
    const int dim = velocities_of(&wire);
    if (which >= MODEL_COUNT + 3) {
        sti_plan_add_impedance(plan, name, &sti_kind_spring_damper,
                               &(StiSpringDamper){.dim = dim, .K = 20.0, .B = 0.2}, &wire);
    } else if (which == MODEL_COUNT) {
        wire = sti_wire_frame(a, 0, random_frame(random), b, 0, random_frame(random));
        sti_plan_add_impedance(plan, name, &sti_kind_penalty_joint,
                               &(StiPenaltyJoint){.Kp = 20.0, .Bp = 0.2, .Kr = 3.0, .Br = 0.02},
                               &wire);
    } else if (which == MODEL_COUNT + 1) {
        wire = sti_wire_box_plane(a, 0, random_frame(random), sti_vec3(0.1, 0.2, 0.3),
                                  random_vec3(random, 0.2), sti_vec3(0.1, 0.2, 1.0));
        sti_plan_add_impedance(plan, name, &sti_kind_soft_contact,
                               &(StiSoftContact){.points = 8, .K = 20.0, .B = 0.1, .mu = 0.3},
                               &wire);
    } else if (which == MODEL_COUNT + 2) {
        sti_plan_add_force(plan, name, &wire, dim,
                           (StiTimeFunction){.count = dim,
                                             .eval = path_force,
                                             .data = &l->push[dim - 1]});
    } else {
        FrictionModel model;
        choose_model(&model, which, random, 2.0, 30.0, 0.5);
        if (model.dim != dim) return;
        const StiElementId rub =
            sti_plan_add_impedance(plan, name, model.kind, model.parameters, &wire);
        if (model.kind->looks_ahead) l->rubbing[l->rubbing_count++] = rub;
    }
}

static void add_lively_reaction(StiPlan *plan, Random *random, Lively *l, int number)
{
    char name[32];
    const StiAdmittanceId a = l->bodies[random_below(random, l->count)], b = anyone(random, l, a);
    const StiWire wire = random_wire(random, a, b);
    const double level = random_decades(random, 0.1, 10.0);
    const StiFiniteTime rule = {.dim = velocities_of(&wire),
                                .law = sti_law_viscous(level, 0.1),
                                .level_static = random_below(random, 2) * 1.2 * level};
    snprintf(name, sizeof name, "rule%02d", number);
    l->strict[l->rubbing_count] = true;
    l->rubbing[l->rubbing_count++] =
        sti_plan_add_reaction(plan, name, &sti_kind_finite_time, &rule, &wire);
}

static Followed lively_network(uint64_t seed, bool reactions, Lively *l)
{
    Random random = {seed};
    StiPlan *plan = plan_in_stages();
    *l = (Lively){0};
    add_lively_bodies(plan, &random, l);
    const int impedances = 3 * l->count;
    for (int i = 0; i < impedances; ++i) add_lively_impedance(plan, &random, l, i);
    for (int i = 0; reactions && i < 2; ++i) add_lively_reaction(plan, &random, l, i);
    const StiMethod *method = sti_methods[random_below(&random, 5)];
    if (!reactions) sti_plan_set_method(plan, method);
    l->one_evaluation = reactions || method->positions_last;
    sti_plan_set_gravity(plan, random_vec3(&random, 3.0));
    return begin(plan);
}

// The rule takes energy in any company, and so does friction that looks ahead under stages that are
// weighed as they are; explicit models do so within the error of the method. Where a step has one
// evaluation, impedances work with its mean velocity: what they store is then off by what a step moves.
static void no_account_leaks(void **state)
{
    (void)state;
    const uint64_t seeds = (uint64_t)steps_or(200, 20);
    for (int reactions = 0; reactions < 2; ++reactions)
        for (uint64_t seed = 1; seed <= seeds; ++seed) {
            Lively l;
            Followed f = lively_network(seed, reactions, &l);
            follow(&f, 500);
            const StiEnergy e = sti_recorder_energy(f.recorder);
            const double size = 1e-3 + size_of(&e); // J; some have nothing that drives them
            if (fabs(e.residual) > 1e-13 * size)
                print_error("seed %d with %s:\n", (int)seed,
                            reactions ? "reactions" : "impedances");
            assert_near(e.residual, 0.0, 1e-13 * size);
            for (int i = 0; i < l.rubbing_count; ++i)
                if (l.strict[i] || !l.one_evaluation)
                    assert_true(sti_recorder_dissipated(f.recorder, l.rubbing[i]) >= -1e-14 * size);
            end(&f);
        }
}

static void two_waves(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = sin(3.0 * t) + 0.5 * sin(5.0 * t);
    values[1] = 3.0 * cos(3.0 * t) + 2.5 * cos(5.0 * t);
}

// A tumbling body on springs that pull off its centre, led by a hand; smooth and nonlinear.
static StiPlan *led_body(const StiMethod *method)
{
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId hand =
        sti_plan_add_motion(plan, "hand", 1, (StiTimeFunction){.count = 2, .eval = two_waves});
    const StiAdmittanceId body =
        sti_plan_add_admittance(plan, "body", &sti_kind_rigid_body,
                                &(StiRigidBody){.mass = 1.0,
                                                .inertia = {0.02, 0.03, 0.04, 0.002, -0.003, 0.001},
                                                .angular_velocity = {1.0, -2.0, 3.0}});
    const StiVec3 corner = {0.2, 0.1, -0.1}, zero = {0.0, 0.0, 0.0};
    add_spring(plan, "rope", sti_wire_point_pair(body, 0, corner, hand, 0, zero, 3), 8.0, 0.3);
    add_spring(plan, "hook", sti_wire_point(body, 0, zero, corner, 3), 15.0, 0.1);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.5, -2.0));
    sti_plan_set_method(plan, method);
    return plan;
}

// Of ark4 the errors of work, losses and what is stored are c T^4 each (next test), but cancel to an
// eighth, and the T^5 behind it is as large until rounding comes. Plain ratios go
// 4.92, 4.81, 4.67, 4.50, 4.34 from 2^-5 s on. So T^5 is taken out: 32 E(T/2) - E(T) = c T^4.
static double order_of_numerical(const StiMethod *method, double T)
{
    double E[3], without[2];
    const bool cancels = method == &sti_method_ark4;
    if (cancels) T *= 2.0;
    for (int j = 0; j < 3; ++j) E[j] = energy_at(led_body(method), ldexp(T, -j), 1.0).numerical;
    for (int j = 0; j < 2; ++j) without[j] = cancels ? 32.0 * E[j + 1] - E[j] : E[j];
    return log2(without[0] / without[1]);
}

static void numerical_energy_has_the_order_of_the_method(void **state)
{
    (void)state;
    for (int i = 0; sti_methods[i] != NULL; ++i) {
        const StiMethod *method = sti_methods[i];
        const double T = method->order == 1 ? 0x1p-12 : 0x1p-9;
        const StiEnergy fine = energy_at(led_body(method), 0.5 * T, 1.0);
        const double order = order_of_numerical(method, T);
        // of a mass under heun: M T^2 (a1 - a0)^2/8 per step, with a0, a1 of its stages
        const int expected = method == &sti_method_heun ? 3 : method->order;
        if (fabs(order - expected) > 0.1) print_error("%s:\n", method->name);
        assert_near(order, expected, 0.1);
        assert_true(fabs(fine.numerical) < 1e-2 * fine.stored);
    }
}

// What integration adds to springs shows as dissipation, which ends at the dampers' own.
static void works_and_losses_converge_with_the_order(void **state)
{
    (void)state;
    // exact to 2e-14; rk4 with this step would be no better than ark4 with one four times as long
    const StiEnergy exact = energy_at(led_body(&sti_method_ark4), 0x1p-12, 1.0);
    for (int i = 0; sti_methods[i] != NULL; ++i) {
        const StiMethod *method = sti_methods[i];
        double work[2], dissipated[2];
        const double T = method->order == 1 ? 0x1p-12 : 0x1p-9;
        for (int j = 0; j < 2; ++j) {
            const StiEnergy e = energy_at(led_body(method), ldexp(T, -j), 1.0);
            work[j] = e.work - exact.work;
            dissipated[j] = e.dissipated - exact.dissipated;
        }
        assert_near(log2(work[0] / work[1]), method->order, 0.1);
        assert_near(log2(dissipated[0] / dissipated[1]), method->order, 0.1);
    }
}

// A pile under the rule, from the side: masses lose just what acts on them, to the last bits.
static void masses_gain_nothing_under_the_rule(void **state)
{
    (void)state;
    for (int i = 0; i < 3; ++i) {
        StiPlan *plan = plan_in_stages();
        const StiAdmittanceId low = add_moving_mass(plan, "low", 1.0, 1.0);
        const StiAdmittanceId top = add_moving_mass(plan, "top", 0.5, -2.0);
        add_rule(plan, "ground", sti_wire_coordinate(low, 0, 1), sti_law_coulomb(1.0), 0.0);
        add_rule(plan, "pair", sti_wire_coordinate_pair(top, 0, low, 0, 1),
                 sti_law_viscous(1.0, 0.2), 0.0);
        add_spring(plan, "spring", sti_wire_coordinate(top, 0, 1), 5.0, 0.0);
        const StiEnergy e = energy_at(plan, ldexp(0x1p-8, -i), 0.25);
        assert_near(e.numerical, 0.0, 1e-14 * size_of(&e));
    }
}

// A mass on a spring that nothing damps, one with memory too: whatever the step, neither the spring
// nor integration takes or gives more than T K x v/2, the error at one place, in a thousand periods.
static void undamped_swings_show_no_loss(void **state)
{
    (void)state;
    Random random = {71};
    for (int i = 0; i < 40; ++i) {
        const double M = random_decades(&random, 0.1, 10.0), v = random_decades(&random, 0.01, 3.0);
        const double omega = 20.0, K = M * omega * omega, T = random_decades(&random, 2e-4, 1e-2);
        const bool memory = i % 2 == 1, rule = i % 4 >= 2;
        StiPlan *plan = plan_in_stages();
        const StiAdmittanceId mass = add_moving_mass(plan, "mass", M, v);
        const StiWire wire = sti_wire_coordinate(mass, 0, 1);
        if (memory)
            sti_plan_add_impedance(plan, "hold", &sti_kind_elastic_coulomb,
                                   &(StiElasticCoulomb){.dim = 1,
                                                        .law = sti_law_coulomb(1e6),
                                                        .K = K},
                                   &wire);
        else
            add_spring(plan, "spring", wire, K, 0.0);
        if (rule) add_rule(plan, "none", wire, sti_law_coulomb(0.0), 0.0);
        sti_plan_set_method(plan, rule ? &sti_method_rule : &sti_method_symplectic_euler);
        const StiEnergy e = energy_at(plan, T, T * round(50.0 / T));
        const double energy = 0.5 * M * v * v, bound = 1.1 * omega * T * energy;
        assert_near(e.dissipated, 0.0, bound);
        assert_near(e.numerical, 0.0, 1e-11 * energy);
        assert_near(e.residual, 0.0, 1e-11 * energy);
    }
}

static void constant_force(const void *data, void *workspace, double t, double *values)
{
    (void)workspace, (void)t;
    *values = *(const double *)data;
}

static StiPlan *pushed_mass(const double *F, double M, StiAdmittanceId *mass)
{
    StiPlan *plan = plan_in_stages();
    *mass = add_mass(plan, "mass", M);
    const StiWire wire = sti_wire_coordinate(*mass, 0, 1);
    sti_plan_add_force(plan, "force", &wire, 1,
                       (StiTimeFunction){.count = 1, .eval = constant_force, .data = F});
    return plan;
}

// F t against M: work F^2 t^2/(2 M), all of it kept. Methods of order 2 have no error here.
static void work_of_a_constant_force(void **state)
{
    (void)state;
    static const StiMethod *const methods[] = {&sti_method_heun, &sti_method_rk4, &sti_method_gill};
    const double F = -3.0, M = 0.7, t = 2.0, work = F * F * t * t / (2.0 * M);
    for (int i = 0; i < 3; ++i) {
        StiAdmittanceId mass;
        StiPlan *plan = pushed_mass(&F, M, &mass);
        sti_plan_set_method(plan, methods[i]);
        const StiEnergy e = energy_at(plan, 1e-3, t);
        assert_near(e.work, work, 1e-13 * work);
        assert_near(e.stored, work, 1e-13 * work);
        assert_near(e.numerical, 0.0, 1e-13 * work);
        assert_near(e.dissipated, 0.0, 0.0);
    }
}

// With reactions all forces work with the mean velocity of the step, so with a = (F - level)/M they
// do their closed forms' work over a t^2/2, and integration adds nothing.
static void works_under_the_rule(void **state)
{
    (void)state;
    const double F = 3.0, M = 0.7, level = 2.0, T = 1e-3, a = (F - level) / M;
    const int n = 2000;
    StiAdmittanceId mass;
    StiPlan *plan = pushed_mass(&F, M, &mass);
    const StiElementId rub =
        add_rule(plan, "rub", sti_wire_coordinate(mass, 0, 1), sti_law_coulomb(level), 0.0);
    sti_plan_set_step(plan, T);
    Followed f = begin(plan);
    follow(&f, n);
    const StiEnergy e = sti_recorder_energy(f.recorder);
    const double v = n * a * T, way = 0.5 * v * v / a;
    assert_near(e.work, F * way, 1e-12 * e.work);
    assert_near(sti_recorder_dissipated(f.recorder, rub), level * way, 1e-12 * e.work);
    assert_near(e.stored, 0.5 * M * v * v, 1e-12 * e.work);
    assert_near(e.numerical, 0.0, 1e-12 * e.work);
    end(&f);
}

// A hand swings a spring K and a damper B against the ground: after a time t the spring holds
// K x^2/2 and the damper took B int v^2.
static void work_of_a_motion(void **state)
{
    (void)state;
    const double K = 40.0, B = 2.0, t = 1.0;
    double x[2];
    two_waves(NULL, NULL, t, x);
    // int (3 cos 3t + 2.5 cos 5t)^2
    const double v2 = 9.0 * (0.5 * t + sin(6.0 * t) / 12.0) +
                      6.25 * (0.5 * t + sin(10.0 * t) / 20.0) +
                      15.0 * (0.25 * sin(2.0 * t) + sin(8.0 * t) / 16.0);
    for (int rule = 0; rule < 2; ++rule) {
        StiPlan *plan = plan_in_stages();
        const StiAdmittanceId hand =
            sti_plan_add_motion(plan, "hand", 1, (StiTimeFunction){.count = 2, .eval = two_waves});
        const StiAdmittanceId block = add_mass(plan, "block", 1.0);
        add_spring(plan, "spring",
                   sti_wire_coordinate_pair(hand, 0, rule ? block : (StiAdmittanceId){-1}, 0, 1), K,
                   B);
        if (rule)
            add_rule(plan, "hold", sti_wire_coordinate(block, 0, 1), sti_law_coulomb(1e3), 0.0);
        const StiEnergy e = energy_at(plan, 1e-4, t);
        const double tolerance =
            rule ? 1e-3 : 1e-11; // sampled at the end of each step, or with rk4
        assert_near(e.stored, 0.5 * K * x[0] * x[0], 1e-13 * e.stored);
        assert_near(e.work, e.stored + B * v2, tolerance * e.work);
        assert_near(e.dissipated, B * v2, tolerance * e.work);
        assert_near(e.numerical, 0.0, 0.0);
    }
}

// Sliding to rest: the level times the way, and all of M v^2/2; under the rule exactly.
static void friction_takes_its_level_times_the_way(void **state)
{
    (void)state;
    const double M = 1.5, level = 4.0, v = 2.0, T = 1e-4;
    for (int rule = 0; rule < 2; ++rule) {
        StiPlan *plan = plan_in_stages();
        const StiAdmittanceId mass = add_moving_mass(plan, "mass", M, v);
        const StiWire wire = sti_wire_coordinate(mass, 0, 1);
        const StiElasticCoulomb elastic = {.dim = 1,
                                           .law = sti_law_coulomb(level),
                                           .K = 1e5,
                                           .B = 100.0};
        const StiElementId rub =
            rule ? add_rule(plan, "rub", wire, elastic.law, 0.0)
                 : sti_plan_add_impedance(plan, "rub", &sti_kind_elastic_coulomb, &elastic, &wire);
        sti_plan_set_step(plan, T);
        Followed f = begin(plan);
        follow(&f, 10000);
        const double taken = sti_recorder_dissipated(f.recorder, rub), start = 0.5 * M * v * v;
        assert_near(taken, start, 2e-3 * start); // v T/2 of the way is one part in a thousand
        if (rule) assert_near(taken, start, 1e-12 * start);
        end(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_account_leaks),
        cmocka_unit_test(numerical_energy_has_the_order_of_the_method),
        cmocka_unit_test(works_and_losses_converge_with_the_order),
        cmocka_unit_test(masses_gain_nothing_under_the_rule),
        cmocka_unit_test(undamped_swings_show_no_loss),
        cmocka_unit_test(work_of_a_constant_force),
        cmocka_unit_test(works_under_the_rule),
        cmocka_unit_test(work_of_a_motion),
        cmocka_unit_test(friction_takes_its_level_times_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
