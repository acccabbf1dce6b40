#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "built.h"
#include "network/stiffness.h"
#include "support/near.h"
#include "support/plan.h"
#include "support/random.h"
#include "support/short.h"

// Spring K = 1 on mass 1: w = 1, and T is wT.
static StiffElement unit_element(double damping_ratio, bool paper)
{
    return (StiffElement){
        .K = 1.0, .B = 2.0 * damping_ratio, .W = 1.0, .looks_ahead = paper, .memory = paper};
}

// The first wT at which a step amplifies, by a fine search.
static double first_unstable(const StiMethod *method, const StiffElement *element)
{
    double T = 1e-3;
    while (T < 10.0 && sti_stiff_radius(method, element, T) <= 1.0 + 1e-12) T += 1e-4;
    return T;
}

// METHODS 5: unstable from wT = 2.3 (1.15 at ratio 1), at a damping ratio of 0.003.
static void the_papers_scheme_in_stick(void **state)
{
    (void)state;
    const StiffElement slight = unit_element(0.003, true), critical = unit_element(1.0, true);
    assert_true(sti_stiff_radius(&sti_method_rk4, &slight, 2.3) > 1.0);
    assert_true(sti_stiff_radius(&sti_method_rk4, &slight, 2.25) < 1.0);
    assert_true(sti_stiff_radius(&sti_method_rk4, &critical, 1.15) > 1.0);
    assert_true(sti_stiff_radius(&sti_method_rk4, &critical, 1.1) < 1.0);
    assert_near(first_unstable(&sti_method_rk4, &slight), 2.28, 0.02);
    assert_near(first_unstable(&sti_method_rk4, &critical), 1.1415, 2e-4);
}

static void known_limits_of_the_methods(void **state)
{
    (void)state;
    StiffElement undamped = unit_element(0.0, false), damped = unit_element(0.05, false);
    const StiffElement damper = {.B = 1.0, .W = 1.0};
    assert_near(first_unstable(&sti_method_rk4, &undamped), 2.0 * sqrt(2.0), 2e-4);
    assert_near(first_unstable(&sti_method_gill, &undamped), 2.0 * sqrt(2.0), 2e-4);
    assert_near(first_unstable(&sti_method_symplectic_euler, &undamped), 2.0, 2e-4);
    assert_near(first_unstable(&sti_method_euler, &damped), 2.0 * 0.05, 2e-4);
    assert_near(first_unstable(&sti_method_euler, &damper), 2.0, 2e-4);
    assert_near(first_unstable(&sti_method_heun, &damper), 2.0, 2e-4);
    assert_near(first_unstable(&sti_method_rk4, &damper), 2.785293563405282, 2e-4);
    for (double T = 1e-2; T < 1.0; T += 1e-2) {
        const double growth = sti_stiff_radius(&sti_method_euler, &undamped, T);
        assert_near(growth, sqrt(1.0 + T * T), 1e-15);
        assert_near(sti_stiff_radius(&sti_method_heun, &undamped, T),
                    sqrt(1.0 + T * T * T * T / 4.0), 1e-15);
    }
}

typedef struct Oscillator {
    Built built;
    StiAdmittanceId mass;
    StiElementId element;
    bool memory;
} Oscillator;

// A mass on an element that stays in stick; reactions: with one that does nothing, for the other
// step.
static StiPlan *oscillator_plan(Oscillator *o, const StiMethod *method, const StiffElement *p,
                                double T, bool reactions)
{
    StiPlan *plan = plan_in_stages();
    sti_plan_set_step(plan, T);
    sti_plan_set_method(plan, reactions ? &sti_method_rule : method);
    o->mass = add_mass(plan, "mass", 1.0 / p->W);
    const StiWire wire = sti_wire_coordinate(o->mass, 0, 1);
    o->memory = p->memory;
    if (p->memory)
        o->element = sti_plan_add_impedance(
            plan, "element", &sti_kind_elastic_coulomb,
            &(StiElasticCoulomb){.dim = 1, .law = sti_law_coulomb(1e200), .K = p->K, .B = p->B},
            &wire);
    else
        o->element = add_spring(plan, "element", wire, p->K, p->B);
    if (reactions) add_rule(plan, "nothing", wire, sti_law_coulomb(0.0), 0.0);
    return plan;
}

static Oscillator oscillator(const StiMethod *method, const StiffElement *p, double T,
                             bool reactions)
{
    Oscillator o = {0};
    o.built = build_and_destroy(oscillator_plan(&o, method, p, T, reactions));
    return o;
}

static double *deflection(const Oscillator *o)
{
    return o->memory ? memory(&o->built, o->element) : position(&o->built, o->mass);
}

// Spectral radius of the very step that the library takes, from two steps off unit states.
static double measured_radius(Oscillator *o)
{
    double M[2][2];
    for (int i = 0; i < 2; ++i) {
        *deflection(o) = i == 0;
        *velocity(&o->built, o->mass) = i == 1;
        assert_steps(&o->built, NULL);
        M[0][i] = *deflection(o);
        M[1][i] = *velocity(&o->built, o->mass);
    }
    const double half = 0.5 * (M[0][0] + M[1][1]),
                 determinant = M[0][0] * M[1][1] - M[0][1] * M[1][0];
    const double discriminant = half * half - determinant;
    return discriminant < 0.0 ? sqrt(determinant) : fabs(half) + sqrt(discriminant);
}

static StiffElement random_element(Random *random, double T)
{
    const double w = random_decades(random, 0.01, 20.0) / T, M = random_decades(random, 0.1, 10.0);
    const bool memory = random_below(random, 2);
    return (StiffElement){.K = M * w * w,
                          .B = random_decades(random, 1e-4, 3.0) * 2.0 * M * w,
                          .W = 1.0 / M,
                          .looks_ahead = memory,
                          .memory = memory};
}

static void the_radius_is_that_of_the_step_itself(void **state)
{
    (void)state;
    Random random = {11};
    for (int i = 0; i < 300; ++i) {
        const double T = random_decades(&random, 1e-5, 1e-2);
        const StiffElement p = random_element(&random, T);
        for (int m = 0; sti_methods[m] != NULL; ++m) {
            if (sti_methods[m]->cuts && p.memory) continue; // implicit: not judged
            Oscillator o = oscillator(sti_methods[m], &p, T, false);
            const double expected = sti_stiff_radius(sti_methods[m], &p, T);
            if (sti_methods[m]->cuts && o.built.network->slope_count > 0) // implicit
                assert_true(measured_radius(&o) <= 1.0 + 1e-12);
            else
                assert_near(measured_radius(&o), expected, 1e-9 * expected);
            release(&o.built);
        }
        Oscillator o = oscillator(NULL, &p, T, true);
        const double expected = sti_stiff_radius_reactions(&p, T);
        assert_near(measured_radius(&o), expected, 1e-9 * expected);
        release(&o.built);
    }
}

// The largest stable step that a warning names: 0 without a warning, -1 if it says that there is
// none.
static double warned_step(const StiReport *report)
{
    if (sti_report_count(report) == 0) return 0.0;
    assert_int_equal(sti_report_count(report), 1);
    const StiFinding *finding = sti_report_finding(report, 0);
    assert_int_equal(finding->severity, STI_WARNING);
    assert_string_equal(finding->component, "element");
    if (strstr(finding->text, "at any step") != NULL) return -1.0;
    const char *at = strstr(finding->text, "steps up to ");
    assert_non_null(at);
    double step = NAN;
    assert_int_equal(sscanf(at, "steps up to %lg s", &step), 1);
    return step;
}

// How much the motion has grown after so many steps of length T from rest at a deflection of 1.
static double growth(const StiMethod *method, const StiffElement *p, double T, bool reactions,
                     long steps)
{
    Oscillator o = oscillator(method, p, T, reactions);
    double size = 0.0;
    *deflection(&o) = 1.0;
    for (long k = 0; k < steps && size < 1e6; ++k) {
        assert_steps(&o.built, NULL);
        size = hypot(*deflection(&o), *velocity(&o.built, o.mass) / sqrt(p->K * p->W));
    }
    release(&o.built);
    return size;
}

// Steps in which the slowest growth beyond a limit becomes a factor of 1000.
static long steps_to_grow(const StiMethod *method, const StiffElement *p, double T, bool reactions)
{
    const double radius =
        reactions ? sti_stiff_radius_reactions(p, T) : sti_stiff_radius(method, p, T);
    assert_true(radius > 1.0);
    return (long)fmin(log(1000.0) / log(radius), 1e7) + 100;
}

static void warnings_name_the_step_from_which_it_grows(void **state)
{
    (void)state;
    Random random = {12};
    int warned = 0;
    const long cases = steps_or(200, 30);
    for (long i = 0; i < cases; ++i) {
        const double T = random_decades(&random, 1e-5, 1e-2);
        StiffElement p = random_element(&random, T);
        p.B = fmax(p.B, 0.1 * sqrt(p.K / p.W)); // or else Euler's limit takes long to show
        const bool reactions = i % 4 == 0;
        const StiMethod *method = sti_methods[random_below(&random, 5)];
        Oscillator o = oscillator(method, &p, T, reactions);
        const double stable = warned_step(o.built.report), above = fmin(1.02 * stable, T);
        release(&o.built);
        if (stable == 0.0) {
            assert_true(growth(method, &p, T, reactions, 5000) < 2.0);
            continue;
        }
        ++warned;
        assert_true(stable > 0.0 && stable <= T); // all of them have some damping
        const long steps = steps_to_grow(method, &p, above, reactions);
        assert_true(growth(method, &p, 0.99 * stable, reactions, steps) < 2.0);
        assert_true(growth(method, &p, above, reactions, steps) > 100.0);
    }
    assert_true(warned > cases / 5 && warned < cases * 4 / 5);
}

static void what_grows_at_any_step_is_told_apart(void **state)
{
    (void)state;
    const StiffElement undamped = {.K = 90.0, .W = 1.0};
    const struct {
        const StiMethod *method;
        double T, expected;
    } cases[] = {
        {&sti_method_euler, 1e-3, -1.0},
        {&sti_method_euler, 1e-2, -1.0},
        {&sti_method_heun, 1e-2, -1.0},
        {&sti_method_heun, 0.1, -1.0},
        {&sti_method_rk4, 1e-2, 0.0},
        {&sti_method_rk4, 0.4, 2.0 * sqrt(2.0 / 90.0)},
        {&sti_method_symplectic_euler, 0.2, 0.0},
        {&sti_method_symplectic_euler, 0.3, 2.0 / sqrt(90.0)},
        {&sti_method_gill, 0.4, 2.0 * sqrt(2.0 / 90.0)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        Oscillator o = oscillator(cases[i].method, &undamped, cases[i].T, false);
        assert_near(warned_step(o.built.report), cases[i].expected,
                    0.005 * fabs(cases[i].expected));
        release(&o.built);
    }
}

// A rod pushed at its end gives way more easily than its mass says: W = 1/m + r^2/J.
static void the_inertia_is_what_the_wire_feels(void **state)
{
    (void)state;
    const double m = 2.0, J = 0.1, r = 0.5, W = 1.0 / m + r * r / J, K = 1e4;
    for (int unstable = 0; unstable < 2; ++unstable) {
        StiPlan *plan = plan_in_stages();
        const StiAdmittanceId rod =
            sti_plan_add_admittance(plan, "rod", &sti_kind_rigid_body,
                                    &(StiRigidBody){.mass = m, .inertia = {J, J, J}});
        const StiWire wire = sti_wire_point(rod, 0, sti_vec3(r, 0, 0), sti_vec3(r, 0, 0), 3);
        sti_plan_set_step(plan, (unstable ? 1.02 : 0.98) * 2.0 * sqrt(2.0) / sqrt(K * W));
        add_spring(plan, "element", wire, K, 0.0);
        Built built = build_and_destroy(plan);
        const double expected = unstable ? 2.0 * sqrt(2.0) / sqrt(K * W) : 0.0;
        assert_near(warned_step(built.report), expected, 0.005 * expected);
        release(&built);
    }
}

static void two_masses_share_a_spring(void **state)
{
    (void)state;
    const double W = 1.0 / 1.0 + 1.0 / 3.0, K = 100.0, limit = 2.0 * sqrt(2.0) / sqrt(K * W);
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId a = add_mass(plan, "a", 1.0), b = add_mass(plan, "b", 3.0);
    add_spring(plan, "element", sti_wire_coordinate_pair(a, 0, b, 0, 1), K, 0.0);
    sti_plan_set_step(plan, 1.5 * limit);
    Built built = build_and_destroy(plan);
    assert_near(warned_step(built.report), limit, 0.005 * limit);
    release(&built);
}

static void a_reaction_that_cannot_move_anything_is_noted(void **state)
{
    (void)state;
    StiPlan *plan = plan_under_rule();
    const StiSourceId zero = sti_plan_add_input(plan, "zero", 1, NULL);
    StiAdmittanceId motion[2];
    for (int i = 0; i < 2; ++i) {
        motion[i] = sti_plan_add_admittance(plan, i ? "left" : "right", &sti_kind_motion_source,
                                            &(StiMotionSource){.dim = 1});
        for (int j = 0; j < 2; ++j)
            sti_plan_connect_admittance(plan, sti_signal_source(zero, 0), motion[i], j);
    }
    add_rule(plan, "rule", sti_wire_coordinate_pair(motion[0], 0, motion[1], 0, 1),
             sti_law_coulomb(1.0), 0.0);
    Built built = build_and_destroy(plan);
    assert_int_equal(sti_report_count(built.report), 1);
    assert_string_equal(sti_report_finding(built.report, 0)->component, "rule");
    assert_non_null(strstr(sti_report_finding(built.report, 0)->text, "neither side can move"));
    release(&built);
}

// (16b) has one solution while T W times the steepest fall of the level is below 1.
static void a_law_that_falls_too_steeply_is_noted(void **state)
{
    (void)state;
    const StiLaw law = sti_law_stribeck(5.0, 8.0, 0.01, 2.0, 0.0);
    const double fall = sti_law_survey(&law).steepest_fall, M = 2.0;
    for (int ambiguous = 0; ambiguous < 2; ++ambiguous) {
        StiPlan *plan = plan_under_rule();
        const StiAdmittanceId mass = add_mass(plan, "mass", M);
        add_rule(plan, "rule", sti_wire_coordinate(mass, 0, 1), law, 0.0);
        sti_plan_set_step(plan, (ambiguous ? 1.001 : 0.999) * M / fall);
        Built built = build_and_destroy(plan);
        assert_int_equal(sti_report_count(built.report), ambiguous);
        if (ambiguous) {
            const StiFinding *finding = sti_report_finding(built.report, 0);
            assert_string_equal(finding->component, "rule");
            assert_string_equal(finding->parameter, "law");
            assert_int_equal(finding->severity, STI_WARNING);
        }
        release(&built);
    }
}

// Two sliders whose springs relax in B/K = 1e-4 s: four explicit stages bear 2.785 of that.
static int relaxation_warnings(const StiMethod *method, double T, bool elastic, int dim)
{
    static const double K[] = {1e4, 1e4}, F[] = {1.0, 2.0}, B[] = {1.0, 1.0};
    StiPlan *plan = plan_under_rule();
    const StiAdmittanceId mass =
        sti_plan_add_admittance(plan, "mass", &sti_kind_point_mass,
                                &(StiPointMass){.dim = dim, .mass = 100.0});
    const StiWire wire = sti_wire_coordinate(mass, 0, dim);
    if (elastic)
        sti_plan_add_impedance(
            plan, "rub", &sti_kind_elastic_coulomb,
            &(StiElasticCoulomb){.dim = dim, .law = sti_law_coulomb(1.0), .K = 1e4, .B = 1.0},
            &wire);
    else
        sti_plan_add_impedance(plan, "rub", &sti_kind_maxwell_slip,
                               &(StiMaxwellSlip){.elements = 2, .K = K, .F = F, .B = B}, &wire);
    sti_plan_set_method(plan, method);
    sti_plan_set_step(plan, T);
    Built built = build_and_destroy(plan);
    int count = 0;
    for (int i = 0; i < sti_report_count(built.report); ++i)
        count +=
            strstr(sti_report_finding(built.report, i)->text, "relaxes in B/K = 0.0001 s") != NULL;
    release(&built);
    return count;
}

static void explicit_pieces_must_resolve_sliding_bristles(void **state)
{
    (void)state;
    assert_int_equal(relaxation_warnings(&sti_method_cut, 2.78e-4, false, 1), 0);
    assert_int_equal(relaxation_warnings(&sti_method_cut, 2.79e-4, false, 1), 1);
    assert_int_equal(relaxation_warnings(&sti_method_ark4, 1e-3, false, 1), 1);
    assert_int_equal(relaxation_warnings(&sti_method_rk4, 1e-3, false, 1), 0); // looks ahead
    // elastic elements: exact along one axis, implicit in a plane
    assert_int_equal(relaxation_warnings(&sti_method_rk4_split, 1e-3, true, 1), 0);
    assert_int_equal(relaxation_warnings(&sti_method_cut, 1e-3, true, 2), 0);
    assert_int_equal(relaxation_warnings(&sti_method_rk4_split, 1e-3, true, 2), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_papers_scheme_in_stick),
        cmocka_unit_test(known_limits_of_the_methods),
        cmocka_unit_test(the_radius_is_that_of_the_step_itself),
        cmocka_unit_test(warnings_name_the_step_from_which_it_grows),
        cmocka_unit_test(what_grows_at_any_step_is_told_apart),
        cmocka_unit_test(the_inertia_is_what_the_wire_feels),
        cmocka_unit_test(two_masses_share_a_spring),
        cmocka_unit_test(a_reaction_that_cannot_move_anything_is_noted),
        cmocka_unit_test(a_law_that_falls_too_steeply_is_noted),
        cmocka_unit_test(explicit_pieces_must_resolve_sliding_bristles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
