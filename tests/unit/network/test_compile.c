#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "built.h"
#include "network/network.h"
#include "support/near.h"
#include "support/plan.h"

static void inputs_are_found_by_name(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    add_mass(plan, "block", 1.0);
    sti_plan_add_input(plan, "voltage", 2, NULL);
    sti_plan_add_input(plan, "push", 1, NULL);
    sti_plan_add_input(plan, "target", 3, NULL);
    Built built = build_and_destroy(plan);
    assert_int_equal(sti_network_input_count(built.network), 6);
    assert_int_equal(sti_network_input(built.network, "voltage"), 0);
    assert_int_equal(sti_network_input(built.network, "push"), 2);
    assert_int_equal(sti_network_input(built.network, "target"), 3);
    assert_int_equal(sti_network_input(built.network, "block"), -1);
    assert_int_equal(sti_network_input(built.network, ""), -1);
    release(&built);
}

static void constant(const void *data, void *workspace, double t, double *values)
{
    (void)workspace, (void)t;
    values[0] = *(const double *)data;
}

// Forces push along +; each signal is multiplied by its gain; NULL inputs are the usual ones.
static void signals_arrive_with_their_gain(void **state)
{
    (void)state;
    static const double seven = 7.0;
    StiPlan *plan = plan_in_stages();
    StiAdmittanceId block[3];
    static const char *const names[3] = {"a", "b", "c"}, *const forces[3] = {"fa", "fb", "fc"};
    StiElementId force[3];
    const StiSourceId push = sti_plan_add_input(plan, "push", 2, (const double[]){3.0, 5.0});
    const StiSourceId time =
        sti_plan_add_time_function(plan, "time",
                                   (StiTimeFunction){.count = 1, .eval = constant, .data = &seven});
    for (int i = 0; i < 3; ++i) {
        block[i] = add_mass(plan, names[i], 1.0);
        const StiWire wire = sti_wire_coordinate(block[i], 0, 1);
        force[i] = sti_plan_add_impedance(plan, forces[i], &sti_kind_force_source,
                                          &(StiForceSource){1}, &wire);
    }
    sti_plan_connect(plan, sti_signal_scaled(sti_signal_source(push, 1), -2.0), force[0], 0);
    sti_plan_connect(plan, sti_signal_source(time, 0), force[1], 0);
    sti_plan_connect(plan, sti_signal_scaled(sti_signal_force(force[0], 0), 10.0), force[2], 0);
    Built built = build_and_destroy(plan);
    assert_steps(&built, NULL);
    assert_near(*velocity(&built, block[0]), -10e-3, 1e-17);
    assert_near(*velocity(&built, block[1]), 7e-3, 1e-17);
    assert_near(*velocity(&built, block[2]), 100e-3, 1e-16); // a force signal is a resistance
    static const double other[2] = {0.0, -1.0};
    assert_steps(&built, other);
    assert_near(*velocity(&built, block[0]), -8e-3, 1e-17);
    assert_near(*velocity(&built, block[2]), 80e-3, 1e-16);
    release(&built);
}

// An element without a wire turns signals into a signal.
static void relays_need_no_wire(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId block = add_mass(plan, "block", 1.0);
    const StiWire wire = sti_wire_coordinate(block, 0, 1);
    const StiSourceId push = sti_plan_add_input(plan, "push", 1, NULL);
    const StiElementId relay =
        sti_plan_add_impedance(plan, "relay", &sti_kind_force_source, &(StiForceSource){1}, NULL);
    const StiElementId force =
        sti_plan_add_impedance(plan, "force", &sti_kind_force_source, &(StiForceSource){1}, &wire);
    sti_plan_connect(plan, sti_signal_source(push, 0), relay, 0);
    sti_plan_connect(plan, sti_signal_force(relay, 0), force, 0);
    Built built = build_and_destroy(plan);
    assert_steps(&built, &(double){4.0});
    assert_near(*velocity(&built, block), -4e-3, 1e-17); // u = -signal, twice: -(-(-4))
    release(&built);
}

// mu times a measured normal force: the level follows the force of a spring, as a signal.
static void a_level_can_follow_a_measured_force(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId block = add_moving_mass(plan, "block", 1.0, 10.0);
    const StiAdmittanceId press =
        sti_plan_add_admittance(plan, "press", &sti_kind_point_mass,
                                &(StiPointMass){.dim = 1, .mass = 1.0, .position = {-0.2}});
    const StiElementId pressing =
        add_spring(plan, "pressing", sti_wire_coordinate(press, 0, 1), 100.0, 0.0);
    const StiWire wire = sti_wire_coordinate(block, 0, 1);
    const StiElementId friction =
        sti_plan_add_impedance(plan, "friction", &sti_kind_viscous_approximation,
                               &(StiViscousApproximation){.dim = 1,
                                                          .law = sti_law_times_load(
                                                              sti_law_coulomb(0.3)),
                                                          .eps = 1e-3},
                               &wire);
    sti_plan_connect(plan, sti_signal_force(pressing, 0), friction, 0);
    sti_plan_set_step(plan, 1e-4);
    Built built = build_and_destroy(plan);
    double expected = 10.0;
    for (int k = 0; k < 1000; ++k) assert_steps(&built, NULL);
    // press(t) = -0.2 cos 10 t, load 20 |cos 10 t|, over 0.1 s: 1 rad of it
    expected -= 0.3 * 20.0 * sin(1.0) / 10.0;
    assert_near(*velocity(&built, block), expected, 1e-10);
    release(&built);
}

static uint64_t layout_of(StiPlan *plan)
{
    Built built = build_and_destroy(plan);
    const uint64_t layout = sti_network_layout(built.network);
    release(&built);
    return layout;
}

typedef struct Variant {
    const char *body;
    double mass, bristle_mass, level;
    int dim;
    bool dahl, karnopp;
} Variant;

static StiPlan *variant(Variant v)
{
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId body =
        sti_plan_add_admittance(plan, v.body, &sti_kind_point_mass,
                                &(StiPointMass){.dim = v.dim, .mass = v.mass});
    const StiWire wire = sti_wire_coordinate(body, 0, 1);
    const StiLaw law = sti_law_coulomb(v.level);
    const StiLinearContinuous continuous = {
        .dim = 1, .law = law, .K = 100.0, .B = 1.0, .M = v.bristle_mass};
    const StiDahl dahl = {.law = law, .K = 100.0, .alpha = 1.0};
    const StiKarnopp karnopp = {.dim = 1, .law = law, .eps = 0.1};
    const StiFiniteTime rule = {.dim = 1, .law = law};
    if (v.dahl)
        sti_plan_add_impedance(plan, "element", &sti_kind_dahl, &dahl, &wire);
    else
        sti_plan_add_impedance(plan, "element", &sti_kind_linear_continuous, &continuous, &wire);
    if (v.karnopp)
        sti_plan_add_reaction(plan, "rule", &sti_kind_karnopp, &karnopp, &wire);
    else
        sti_plan_add_reaction(plan, "rule", &sti_kind_finite_time, &rule, &wire);
    return plan;
}

// Numbers may differ; names, kinds and sizes may not.
static void networks_that_can_exchange_states_have_one_layout(void **state)
{
    (void)state;
    const Variant v = {.body = "body", .mass = 1.0, .level = 2.0, .dim = 1};
    const uint64_t layout = layout_of(variant(v));
    Variant same = v;
    same.mass = 3.0;
    same.level = 0.1;
    assert_true(layout_of(variant(same)) == layout);
    Variant others[5] = {v, v, v, v, v};
    others[0].body = "other";
    others[1].dim = 2;
    others[2].bristle_mass = 0.1; // its memory is twice as long
    others[3].dahl = true;
    others[4].karnopp = true;
    for (int i = 0; i < 5; ++i) {
        const uint64_t other = layout_of(variant(others[i]));
        assert_true(other != layout);
        for (int j = 0; j < i; ++j) assert_true(other != layout_of(variant(others[j])));
    }
}

static void a_method_that_is_not_used_is_noted(void **state)
{
    (void)state;
    StiPlan *plan = variant((Variant){.body = "body", .mass = 1.0, .level = 2.0, .dim = 1});
    sti_plan_set_method(plan, &sti_method_rule);
    Built silent = build(plan);
    assert_int_equal(sti_report_count(silent.report), 0);
    sti_plan_set_method(plan, &sti_method_gill);
    Built noted = build_and_destroy(plan);
    assert_int_equal(sti_report_count(noted.report), 1);
    const StiFinding *finding = sti_report_finding(noted.report, 0);
    assert_int_equal(finding->severity, STI_NOTE);
    assert_string_equal(finding->parameter, "method");
    assert_non_null(strstr(finding->text, "gill is not used"));
    release(&silent);
    release(&noted);
}

static void bad_number(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace, (void)t;
    values[0] = values[1] = NAN;
}

// A function that belongs to a motion or a force is known by that name.
static void functions_without_a_name_take_their_components(void **state)
{
    (void)state;
    for (int motion = 0; motion < 2; ++motion) {
        StiPlan *plan = plan_in_stages();
        const StiAdmittanceId block = add_mass(plan, "block", 1.0);
        const StiWire wire = sti_wire_coordinate(block, 0, 1);
        if (motion)
            sti_plan_add_motion(plan, "hand", 1, (StiTimeFunction){.count = 2, .eval = bad_number});
        else
            sti_plan_add_force(plan, "wind", &wire, 1,
                               (StiTimeFunction){.count = 1, .eval = bad_number});
        Built built = build_and_destroy(plan);
        assert_int_equal(sti_step(built.network, NULL, built.state, built.scratch), STI_NOT_FINITE);
        assert_string_equal(sti_scratch_fault(built.scratch)->component, motion ? "hand" : "wind");
        release(&built);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_are_found_by_name),
        cmocka_unit_test(signals_arrive_with_their_gain),
        cmocka_unit_test(relays_need_no_wire),
        cmocka_unit_test(a_level_can_follow_a_measured_force),
        cmocka_unit_test(networks_that_can_exchange_states_have_one_layout),
        cmocka_unit_test(a_method_that_is_not_used_is_noted),
        cmocka_unit_test(functions_without_a_name_take_their_components),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
