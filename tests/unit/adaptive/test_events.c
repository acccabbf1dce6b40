// Stick and slip as events: times in closed form, several elements at once, what cannot be resolved.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "support/event_run.h"
#include "support/near.h"
#include "support/plan.h"

enum { MASSES = 10 };

static StiAdmittanceId add_mass(StiPlan *plan, const char *name, double velocity)
{
    return sti_plan_add_admittance(plan, name, &sti_kind_point_mass,
                                   &(StiPointMass){.dim = 1, .mass = 1.0, .velocity = {velocity}});
}

static void add_friction(StiPlan *plan, const char *name, double level, double level_static,
                         StiWire wire)
{
    sti_plan_add_reaction(plan, name, &sti_kind_finite_time,
                          &(StiFiniteTime){.dim = 1,
                                           .law = sti_law_coulomb(level),
                                           .level_static = level_static},
                          &wire);
}

static StiPlan *pushed_block(double level, double level_static, StiTimeFunction push)
{
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId block = add_mass(plan, "block", 0.0);
    const StiWire wire = sti_wire_coordinate(block, 0, 1);
    sti_plan_add_force(plan, "push", &wire, 1, push);
    add_friction(plan, "friction", level, level_static, wire);
    return plan;
}

// ---- a pile of masses: accelerations are constant between locks ---------------------------------

typedef struct Pile {
    double v[MASSES], F[MASSES], a[MASSES];
    bool locked[MASSES];
} Pile;

static double relative(const double *v, int i) { return i > 0 ? v[i] - v[i - 1] : v[0]; }

static void accelerate(Pile *pile)
{
    for (int first = 0, last; first < MASSES; first = last + 1) {
        for (last = first; last + 1 < MASSES && pile->locked[last + 1];) ++last;
        const double below = copysign(pile->F[first], relative(pile->v, first));
        const double above =
            last + 1 < MASSES ? copysign(pile->F[last + 1], relative(pile->v, last + 1)) : 0.0;
        for (int i = first; i <= last; ++i)
            pile->a[i] = first == 0 && pile->locked[0] ? 0.0 : (above - below) / (last - first + 1);
    }
}

// The next lock; returns after how long.
static double lock_next(Pile *pile)
{
    int who = -1;
    double least = INFINITY;
    accelerate(pile);
    for (int i = 0; i < MASSES; ++i) {
        const double dt = -relative(pile->v, i) / relative(pile->a, i);
        if (pile->locked[i] || !(dt > 0.0) || !(dt < least)) continue;
        least = dt;
        who = i;
    }
    for (int i = 0; i < MASSES; ++i) pile->v[i] += least * pile->a[i];
    pile->locked[who] = true;
    for (int i = who; i < MASSES && (i == who || pile->locked[i]); ++i) // equal, to the bit
        pile->v[i] = i > 0 ? pile->v[i - 1] : 0.0;
    return least;
}

static Pile fill_pile(StiPlan *plan)
{
    static const double v[MASSES] = {2, -1, 3, 0, 1, -2, 4, 1, 0, -3};
    static const char *const names[MASSES] = {"m0", "m1", "m2", "m3", "m4",
                                              "m5", "m6", "m7", "m8", "m9"},
                             *const interfaces[MASSES] = {"i0", "i1", "i2", "i3", "i4",
                                                          "i5", "i6", "i7", "i8", "i9"};
    Pile pile = {.locked = {false}};
    StiAdmittanceId below = {0};
    for (int i = 0; i < MASSES; ++i) {
        const StiAdmittanceId mass = add_mass(plan, names[i], v[i]);
        pile.v[i] = v[i];
        pile.F[i] = (0.1 + 0.03 * i) * (MASSES - i) * 9.81;
        add_friction(plan, interfaces[i], pile.F[i], 0.0,
                     i > 0 ? sti_wire_coordinate_pair(mass, 0, below, 0, 1)
                           : sti_wire_coordinate(mass, 0, 1));
        below = mass;
    }
    return pile;
}

static void all_ten_locks_of_the_pile(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"fehlberg", "dormand-prince", "bdf", "ode23"};
    for (int m = 0; m < 4; ++m) {
        EventRun run;
        StiPlan *plan = plan_in_stages();
        Pile pile = fill_pile(plan);
        double t = 0.0;
        sti_plan_set_step(plan, 0.05);
        event_run_begin(&run, plan, methods[m], 1e-10, 1.0);
        assert_int_equal(event_run_follow(&run, 20), STI_OK);
        assert_int_equal(run.events, MASSES);
        for (int i = 0; i < MASSES; ++i) {
            t += lock_next(&pile);
            assert_near(run.t[i], t, m == 0 ? 1e-12 : 1e-8);
        }
        event_run_end(&run);
    }
}

// ---- one block under a force --------------------------------------------------------------------

static void swing(const void *data, void *workspace, double t, double *values)
{
    (void)workspace;
    values[0] = *(const double *)data * sin(7.0 * t);
}

// 0.2 % above the limit: narrow peaks, one after the other, while steps could be long.
static void no_peak_is_missed(void **unused)
{
    (void)unused;
    static const double most = 10.02;
    static const char *const methods[] = {"ode23", "dormand-prince", "verner", "bdf"};
    for (int m = 0; m < 4; ++m) {
        EventRun run;
        StiPlan *plan =
            pushed_block(5.0, 10.0, (StiTimeFunction){.count = 1, .eval = swing, .data = &most});
        sti_plan_set_step(plan, 1.0);
        event_run_begin(&run, plan, methods[m], 1e-7, 10.0);
        assert_int_equal(event_run_follow(&run, 10), STI_OK);
        assert_int_equal(run.events, 2 * 22); // 70 rad: 22 peaks, each a slip
        assert_near(run.t[0], asin(10.0 / 10.02) / 7.0, 1e-7);
        event_run_end(&run);
    }
}

// ---- two frictions that reach their limits at the same moment -------------------------------------

typedef struct Ramp {
    double start, slope;
} Ramp;

static void ramp(const void *data, void *workspace, double t, double *values)
{
    (void)workspace;
    const Ramp *p = data;
    values[0] = p->start + p->slope * t;
}

// b stands on a, a on the ground. At 0.5 s both are at their limits (2 and 3 N); then the push on b
// grows, that on a falls more slowly: b slips on a, and what a carries falls below its limit. Exact:
// x_b = (t - 0.5)^3/3.
static StiPlan *both_at_their_limits(bool ground_first, StiAdmittanceId *a, StiAdmittanceId *b)
{
    static const Ramp on_a = {1.5, -1.0}, on_b = {1.0, 2.0};
    StiPlan *plan = plan_in_stages();
    *a = add_mass(plan, "a", 0.0);
    *b = add_mass(plan, "b", 0.0);
    const StiWire ground = sti_wire_coordinate(*a, 0, 1), top = sti_wire_coordinate(*b, 0, 1);
    const StiWire between = sti_wire_coordinate_pair(*b, 0, *a, 0, 1);
    sti_plan_add_force(plan, "on_a", &ground, 1,
                       (StiTimeFunction){.count = 1, .eval = ramp, .data = &on_a});
    sti_plan_add_force(plan, "on_b", &top, 1,
                       (StiTimeFunction){.count = 1, .eval = ramp, .data = &on_b});
    if (ground_first) add_friction(plan, "ground", 3.0, 0.0, ground);
    add_friction(plan, "between", 2.0, 0.0, between);
    if (!ground_first) add_friction(plan, "ground", 3.0, 0.0, ground);
    return plan;
}

static void who_is_let_go_the_wrong_way_is_held_again(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"ode23", "dormand-prince", "fehlberg", "bdf"};
    for (int m = 0; m < 8; ++m) {
        EventRun run;
        StiAdmittanceId a, b;
        StiPlan *plan = both_at_their_limits(m % 2 == 0, &a, &b);
        sti_plan_set_step(plan, 0.1);
        event_run_begin(&run, plan, methods[m / 2], 1e-9, 1.0);
        assert_int_equal(event_run_follow(&run, 10), STI_OK);
        assert_true(*sti_state_positions(run.state, run.network, a) == 0.0);
        assert_near(*sti_state_positions(run.state, run.network, b), 1.0 / 24.0, 1e-8);
        event_run_end(&run);
    }
}

// Pieces of order 4 are exact here, wherever in its step the moment lies.
static void so_it_is_where_steps_are_cut(void **unused)
{
    (void)unused;
    for (int steps = 7; steps < 60; ++steps) {
        StiAdmittanceId a, b;
        StiPlan *plan = both_at_their_limits(steps % 2 == 0, &a, &b);
        StiNetwork *network;
        sti_plan_set_step(plan, 1.0 / steps);
        sti_plan_set_method(plan, &sti_method_cut);
        assert_int_equal(sti_plan_compile(plan, NULL, &network), STI_OK);
        sti_plan_destroy(plan);
        StiState *state = sti_state_create(network);
        StiScratch *scratch = sti_scratch_create(network);
        assert_int_equal(sti_run(network, NULL, state, scratch, steps), STI_OK);
        assert_true(*sti_state_positions(state, network, a) == 0.0);
        assert_near(*sti_state_positions(state, network, b), 1.0 / 24.0, 1e-12);
        sti_scratch_destroy(scratch);
        sti_state_destroy(state);
        sti_network_destroy(network);
    }
}

static void constant(const void *data, void *workspace, double t, double *values)
{
    (void)workspace, (void)t;
    values[0] = *(const double *)data;
}

static void steps_grow_while_everything_sticks(void **unused)
{
    (void)unused;
    static const double push = 9.0;
    EventRun run;
    StiPlan *plan =
        pushed_block(10.0, 0.0, (StiTimeFunction){.count = 1, .eval = constant, .data = &push});
    sti_plan_set_step(plan, 10.0);
    event_run_begin(&run, plan, "dormand-prince", 1e-8, 1e5);
    assert_int_equal(event_run_follow(&run, 10000), STI_OK);
    assert_true(sti_adaptive_figures(run.adaptive).steps < 50);
    assert_int_equal(run.events, 0);
    assert_true(*sti_state_positions(run.state, run.network, (StiAdmittanceId){1}) == 0.0);
    event_run_end(&run);
}

static void ever_faster(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 15.0 * sin(40.0 * log(fabs(2.0 - t) + 1e-300));
}

static void accumulating_events_end_with_where_and_who(void **unused)
{
    (void)unused;
    EventRun run;
    StiPlan *plan = pushed_block(10.0, 0.0, (StiTimeFunction){.count = 1, .eval = ever_faster});
    sti_plan_set_step(plan, 0.01);
    event_run_begin(&run, plan, "dormand-prince", 1e-8, 3.0);
    assert_int_equal(event_run_follow(&run, 300), STI_EVENTS_ACCUMULATE);
    const StiFault *fault = sti_scratch_fault(run.scratch);
    assert_string_equal(fault->component, "friction");
    assert_near(fault->t, 2.0, 1e-6);
    assert_int_equal(sti_state_k(run.state), 199); // the last row before
    event_run_end(&run);
}

static bool at_once(void *context)
{
    int *left = context;
    return --*left < 0;
}

// One row that would take very long: the flag is looked at within it, and the state stays good.
static void a_row_can_be_interrupted(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"ode23", "dormand-prince", "bdf"};
    static const double most = 15.0;
    for (int m = 0; m < 3; ++m) {
        int evaluations = 20000;
        StiNetwork *network;
        StiPlan *plan =
            pushed_block(5.0, 10.0, (StiTimeFunction){.count = 1, .eval = swing, .data = &most});
        sti_plan_set_step(plan, 1e6);
        assert_int_equal(sti_plan_compile(plan, NULL, &network), STI_OK);
        StiState *state = sti_state_create(network);
        StiScratch *scratch = sti_scratch_create(network);
        StiAdaptive *adaptive = sti_adaptive_create(
            network, &(StiAdaptiveOptions){.method = methods[m], .stop = 1e6}, NULL);
        sti_scratch_watch(scratch, at_once, &evaluations);
        const uint64_t before = sti_state_hash(state);
        assert_int_equal(sti_adaptive_step(adaptive, NULL, state, scratch), STI_INTERRUPTED);
        assert_true(sti_state_hash(state) == before);
        assert_int_equal(sti_scratch_fault(scratch)->status, STI_INTERRUPTED);
        assert_true(sti_adaptive_figures(adaptive).evaluations < 100000);
        sti_adaptive_destroy(adaptive);
        sti_scratch_destroy(scratch);
        sti_state_destroy(state);
        sti_network_destroy(network);
        sti_plan_destroy(plan);
    }
}

static void refuses(const StiReactionKind *kind, const void *parameters, int dim)
{
    StiPlan *plan = plan_in_stages();
    StiNetwork *network;
    const StiAdmittanceId body = sti_plan_add_admittance(plan, "block", &sti_kind_point_mass,
                                                         &(StiPointMass){.dim = dim, .mass = 1.0});
    const StiWire wire = sti_wire_coordinate(body, 0, dim);
    sti_plan_add_reaction(plan, "friction", kind, parameters, &wire);
    assert_int_equal(sti_plan_compile(plan, NULL, &network), STI_OK);
    StiReport *report = sti_report_create();
    assert_null(sti_adaptive_create(network, &(StiAdaptiveOptions){.stop = 1.0}, report));
    assert_int_equal(sti_report_error_count(report), 1);
    assert_string_equal(sti_report_finding(report, 0)->component, "friction");
    sti_report_destroy(report);
    sti_network_destroy(network);
    sti_plan_destroy(plan);
}

static void models_of_a_fixed_step_are_refused(void **unused)
{
    (void)unused;
    const StiLaw law = sti_law_coulomb(1.0);
    refuses(&sti_kind_karnopp, &(StiKarnopp){.dim = 1, .law = law, .eps = 1e-2}, 1);
    refuses(&sti_kind_quinn, &(StiQuinn){.dim = 1, .law = law, .eps = 1e-2}, 1);
    refuses(&sti_kind_quinn, &(StiQuinn){.dim = 2, .law = law, .eps = 1e-2}, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ten_locks_of_the_pile),
        cmocka_unit_test(no_peak_is_missed),
        cmocka_unit_test(who_is_let_go_the_wrong_way_is_held_again),
        cmocka_unit_test(so_it_is_where_steps_are_cut),
        cmocka_unit_test(steps_grow_while_everything_sticks),
        cmocka_unit_test(accumulating_events_end_with_where_and_who),
        cmocka_unit_test(a_row_can_be_interrupted),
        cmocka_unit_test(models_of_a_fixed_step_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
