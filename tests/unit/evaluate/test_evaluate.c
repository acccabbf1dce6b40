// What stops a step: the fault names the component, the state stays, and good inputs go on.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "support/plan.h"
#include "support/troubled.h"
#include "unit/network/built.h"

// Inputs, in this order: one for each that can be in trouble.
enum { FOR_IMPEDANCE, FOR_REACTION, FOR_BODY, PLAIN, INPUTS };

// Three bodies in a row with good components all around, before and behind the troubled ones in
// every order; a function of time that fails at times.
static void failing_function(const void *data, void *workspace, double t, double *values)
{
    (void)workspace;
    const double *fails_from = data;
    values[0] = t >= *fails_from ? INFINITY : 0.1;
}

static Built troubled_network(bool reactions, bool listens_to_load, const StiMethod *method,
                              const double *function_fails_from)
{
    StiPlan *plan = plan_in_stages();
    const StiSourceId inputs = sti_plan_add_input(plan, "inputs", INPUTS, NULL);
    const StiAdmittanceId first = add_moving_mass(plan, "a-mass", 1.0, 1.0),
                          last = add_mass(plan, "z-mass", 1.0);
    const StiAdmittanceId body = sti_plan_add_admittance(plan, "body", &troubled_body, NULL);
    sti_plan_connect_admittance(plan, sti_signal_source(inputs, FOR_BODY), body, 0);
    const StiWire left = sti_wire_coordinate_pair(first, 0, body, 0, 1);
    const StiWire right = sti_wire_coordinate_pair(body, 0, last, 0, 1),
                  on_body = sti_wire_coordinate(body, 0, 1);
    add_spring(plan, "a-spring", left, 100.0, 1.0);
    add_spring(plan, "z-spring", right, 100.0, 1.0);
    const StiElementId element =
        sti_plan_add_impedance(plan, "element", &troubled_impedance, NULL, &right);
    sti_plan_connect(plan, sti_signal_source(inputs, FOR_IMPEDANCE), element, 0);
    const StiElementId push = sti_plan_add_impedance(plan, "push", &sti_kind_force_source,
                                                     &(StiForceSource){1}, &on_body);
    sti_plan_connect(plan, sti_signal_source(inputs, PLAIN), push, 0);
    sti_plan_add_force(plan, "wind", &left, 1,
                       (StiTimeFunction){.count = 1,
                                         .eval = failing_function,
                                         .data = function_fails_from});
    if (reactions) {
        add_rule(plan, "a-rule", left, sti_law_coulomb(0.1), 0.0);
        add_rule(plan, "z-rule", right, sti_law_viscous(0.1, 0.1), 0.2);
        const StiElementId rub =
            sti_plan_add_reaction(plan, "rub", &troubled_reaction, NULL, &on_body);
        sti_plan_connect(plan, sti_signal_source(inputs, FOR_REACTION), rub, 0);
    } else {
        sti_plan_set_method(plan, method);
        sti_plan_set_step(plan, 1e-4); // so that Euler does not grow
    }
    if (listens_to_load) {
        const StiElementId listening =
            sti_plan_add_impedance(plan, "listening", &sti_kind_viscous_approximation,
                                   &(StiViscousApproximation){.dim = 1,
                                                              .law = sti_law_times_load(
                                                                  sti_law_coulomb(0.1)),
                                                              .eps = 1.0},
                                   &on_body);
        sti_plan_connect(plan, sti_signal_load(body, 0), listening, 0);
    }
    return build_and_destroy(plan);
}

// Two good steps, the bad one, and two good ones again.
static void assert_stops(Built *built, const double *bad, StiStatus status, const char *component,
                         const char *what)
{
    static const double good[INPUTS] = {0.0};
    for (int k = 0; k < 2; ++k) assert_steps(built, good);
    const uint64_t before = sti_state_hash(built->state);
    assert_int_equal(sti_run(built->network, bad, built->state, built->scratch, 1), status);
    const StiFault *fault = sti_scratch_fault(built->scratch);
    assert_int_equal(fault->status, status);
    assert_string_equal(fault->component, component);
    assert_string_equal(fault->what, what);
    assert_int_equal(fault->k, 2);
    assert_true(isfinite(fault->t));
    assert_true(sti_state_hash(built->state) == before);
    for (int k = 0; k < 2; ++k) assert_steps(built, good);
    assert_int_equal(sti_scratch_fault(built->scratch)->status, STI_OK);
    assert_int_equal(sti_state_k(built->state), 4);
}

typedef struct Case {
    int input;
    double trouble;
    StiStatus status;
    const char *component, *what;
    bool with_reactions_only;
} Case;

static const Case cases[] = {
    {PLAIN, NAN, STI_NOT_FINITE, "inputs", "input", false},
    {PLAIN, INFINITY, STI_NOT_FINITE, "inputs", "input", false},
    {FOR_BODY, -INFINITY, STI_NOT_FINITE, "inputs", "input", false},
    {FOR_IMPEDANCE, FORCE_NAN, STI_NOT_FINITE, "element", "force", false},
    {FOR_IMPEDANCE, FORCE_INFINITE, STI_NOT_FINITE, "element", "force", false},
    {FOR_IMPEDANCE, MEMORY_NAN, STI_NOT_FINITE, "element", "memory", false},
    {FOR_IMPEDANCE, STATUS, STI_NO_SOLUTION, "element", "force", false},
    {FOR_BODY, FORCE_NAN, STI_NOT_FINITE, "body", "acceleration", false},
    {FOR_BODY, FORCE_INFINITE, STI_NOT_FINITE, "body", "acceleration", false},
    {FOR_BODY, STATUS, STI_NO_SOLUTION, "body", "acceleration", false},
    {FOR_BODY, LOAD_NAN, STI_NOT_FINITE, "body", "load", false},
    {FOR_REACTION, FORCE_NAN, STI_NOT_FINITE, "rub", "reaction", true},
    {FOR_REACTION, FORCE_INFINITE, STI_NOT_FINITE, "rub", "reaction", true},
    {FOR_REACTION, STATUS, STI_NO_SOLUTION, "rub", "reaction", true},
};

static void every_trouble_names_its_component(void **state)
{
    (void)state;
    static const double never = 1e300;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        for (int load = 0; load < 2; ++load)
            for (int m = 0; m < 6; ++m) { // five methods, and the step with reactions
                if (cases[i].with_reactions_only && m < 5) continue;
                Built built = troubled_network(m == 5, load, sti_methods[m], &never);
                double bad[INPUTS] = {0.0};
                bad[cases[i].input] = cases[i].trouble;
                assert_stops(&built, bad, cases[i].status, cases[i].component, cases[i].what);
                release(&built);
            }
}

static void a_function_of_time_is_named_by_its_force(void **state)
{
    (void)state;
    for (int m = 0; m < 6; ++m) {
        double fails_from = 1e300;
        Built built = troubled_network(m == 5, false, sti_methods[m], &fails_from);
        for (int k = 0; k < 5; ++k) assert_steps(&built, NULL);
        const uint64_t before = sti_state_hash(built.state);
        fails_from = -1.0;
        assert_int_equal(sti_run(built.network, NULL, built.state, built.scratch, 3),
                         STI_NOT_FINITE);
        assert_string_equal(sti_scratch_fault(built.scratch)->component, "wind");
        assert_string_equal(sti_scratch_fault(built.scratch)->what, "function of time");
        assert_int_equal(sti_scratch_fault(built.scratch)->k, 5);
        assert_true(sti_state_hash(built.state) == before);
        fails_from = 1e300;
        assert_steps(&built, NULL);
        release(&built);
    }
}

// Everything finite until the sums overflow.
static void an_overflow_is_the_bodys(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId light = add_mass(plan, "light", 1e-3);
    add_mass(plan, "a", 1.0);
    add_input_force(plan, "push", "inputs", sti_wire_coordinate(light, 0, 1));
    Built built = build_and_destroy(plan);
    const uint64_t before = sti_state_hash(built.state);
    assert_int_equal(sti_step(built.network, &(double){1e307}, built.state, built.scratch),
                     STI_NOT_FINITE);
    assert_string_equal(sti_scratch_fault(built.scratch)->component, "light");
    assert_true(sti_state_hash(built.state) == before);
    release(&built);
}

// Tables from outside whose stages have tau = 0: only models with a continuous-time form can
// follow.
static const StiMethod continuous_euler = {
    .table_size = sizeof(StiMethod),
    .name = "continuous-euler", .stages = 1, .order = 1, .b = {1.0}, .tau = {0.0}};

static Built friction_at_tau_zero(const StiImpedanceKind *kind, const void *parameters)
{
    StiPlan *plan = plan_in_stages();
    const StiWire wire = sti_wire_coordinate(add_moving_mass(plan, "mass", 1.0, 1.0), 0, 1);
    sti_plan_add_impedance(plan, "friction", kind, parameters, &wire);
    sti_plan_set_method(plan, &continuous_euler);
    return build_and_destroy(plan);
}

static void models_without_a_continuous_form_refuse(void **state)
{
    (void)state;
    const StiLaw law = sti_law_coulomb(1.0);
    const StiElasticCoulomb undamped = {.dim = 1, .law = law, .K = 100.0};
    const StiLinearContinuous massive = {.dim = 1, .law = law, .K = 100.0, .B = 1.0, .M = 0.1};
    const StiSpringDamper spring = {.dim = 1, .K = 1.0};
    const StiImpedance parts[] = {{&sti_kind_spring_damper, &spring},
                                  {&sti_kind_elastic_coulomb, &undamped}};
    const StiCompound compound = {2, parts};
    const struct {
        const StiImpedanceKind *kind;
        const void *parameters;
    } refusing[] = {{&sti_kind_elastic_coulomb, &undamped},
                    {&sti_kind_linear_continuous, &massive},
                    {&sti_kind_compound, &compound}};
    for (size_t i = 0; i < sizeof refusing / sizeof refusing[0]; ++i) {
        Built built = friction_at_tau_zero(refusing[i].kind, refusing[i].parameters);
        const uint64_t before = sti_state_hash(built.state);
        assert_int_equal(sti_step(built.network, NULL, built.state, built.scratch),
                         STI_NO_CONTINUOUS_LIMIT);
        assert_string_equal(sti_scratch_fault(built.scratch)->component, "friction");
        assert_true(sti_state_hash(built.state) == before);
        release(&built);
    }
    Built good =
        friction_at_tau_zero(&sti_kind_elastic_coulomb,
                             &(StiElasticCoulomb){.dim = 1, .law = law, .K = 100.0, .B = 1.0});
    assert_steps(&good, NULL);
    release(&good);
}

// An explicit bristle meets level zero while it slides; at rest, or in its stiff form, it passes.
static void a_level_that_vanishes_stops_explicit_bristles(void **state)
{
    (void)state;
    const StiLaw law = sti_law_times_load(sti_law_coulomb(0.3));
    for (int stiff = 0; stiff < 2; ++stiff) {
        StiPlan *plan = plan_in_stages();
        const StiAdmittanceId mass = add_moving_mass(plan, "mass", 1.0, 1.0);
        const StiWire wire = sti_wire_coordinate(mass, 0, 1);
        const StiSourceId load = sti_plan_add_input(plan, "load", 1, &(double){10.0});
        const StiElementId friction =
            sti_plan_add_impedance(plan, "friction", &sti_kind_dahl,
                                   &(StiDahl){.law = law, .K = 1e3, .alpha = 1.0, .stiff = stiff, .plain = !stiff},
                                   &wire);
        sti_plan_connect(plan, sti_signal_source(load, 0), friction, 0);
        Built built = build_and_destroy(plan);
        assert_steps(&built, NULL);
        const uint64_t before = sti_state_hash(built.state);
        const StiStatus status =
            sti_step(built.network, &(double){0.0}, built.state, built.scratch);
        assert_int_equal(status, stiff ? STI_OK : STI_LEVEL_VANISHED);
        if (!stiff) {
            assert_string_equal(sti_scratch_fault(built.scratch)->component, "friction");
            assert_true(sti_state_hash(built.state) == before);
            *velocity(&built, mass) = 0.0;
            *memory(&built, friction) = 0.0;
            assert_steps(&built, &(double){0.0});
        }
        assert_steps(&built, NULL);
        release(&built);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_trouble_names_its_component),
        cmocka_unit_test(a_function_of_time_is_named_by_its_force),
        cmocka_unit_test(an_overflow_is_the_bodys),
        cmocka_unit_test(models_without_a_continuous_form_refuse),
        cmocka_unit_test(a_level_that_vanishes_stops_explicit_bristles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
