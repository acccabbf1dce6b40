// Every way in which a plan and its components can be wrong, and what the report says about it.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "spoilt_plans.h"
#include "support/plan.h"

static void the_good_plan_compiles(void **state)
{
    (void)state;
    Scene s = good_scene();
    Built built = build_and_destroy(s.plan);
    assert_int_equal(sti_report_count(built.report), 0);
    release(&built);
}

// The plan itself.
static void step_zero(Scene *s) { sti_plan_set_step(s->plan, 0.0); }
static void step_negative(Scene *s) { sti_plan_set_step(s->plan, -1e-3); }
static void step_nan(Scene *s) { sti_plan_set_step(s->plan, NAN); }
static void step_infinite(Scene *s) { sti_plan_set_step(s->plan, INFINITY); }
static void start_infinite(Scene *s) { sti_plan_set_start(s->plan, -INFINITY); }
static void gravity_nan(Scene *s) { sti_plan_set_gravity(s->plan, sti_vec3(0.0, NAN, 0.0)); }
static void gravity_infinite(Scene *s)
{
    sti_plan_set_gravity(s->plan, sti_vec3(0.0, 0.0, INFINITY));
}
static const StiMethod no_stages = {.table_size = sizeof(StiMethod), .name = "none"}, many_stages = {.table_size = sizeof(StiMethod), .name = "many", .stages = 7},
                       looks_back = {.table_size = sizeof(StiMethod), .name = "back", .stages = 1, .b = {1.0}, .tau = {-1.0}},
                       not_a_number = {.table_size = sizeof(StiMethod), .name = "nan",
                                       .stages = 2,
                                       .A = {{0.0}, {NAN}},
                                       .b = {0.0, 1.0}};
static void method_without_stages(Scene *s) { sti_plan_set_method(s->plan, &no_stages); }
static void method_with_many_stages(Scene *s) { sti_plan_set_method(s->plan, &many_stages); }
static void method_that_looks_back(Scene *s) { sti_plan_set_method(s->plan, &looks_back); }
static void method_with_nan(Scene *s) { sti_plan_set_method(s->plan, &not_a_number); }
static void nothing_at_all(Scene *s)
{
    sti_plan_destroy(s->plan);
    s->plan = plan_in_stages();
}

static void wrong_plans(void **state)
{
    (void)state;
    const Case cases[] = {
        {step_zero, "", "step", 0.0, "above 0 s, for example 1e-3"},
        {step_negative, "", "step", -1e-3, "above 0 s"},
        {step_nan, "", "step", NAN, "above 0 s"},
        {step_infinite, "", "step", INFINITY, "finite time"},
        {start_infinite, "", "start", -INFINITY, "finite time"},
        {gravity_nan, "", "gravity[1]", NAN, "for example 0, 0, -9.81"},
        {gravity_infinite, "", "gravity[2]", INFINITY, "for example 0, 0, -9.81"},
        {method_without_stages, "", "method", 0.0, "1 to 6 stages"},
        {method_with_many_stages, "", "method", 7.0, "1 to 6 stages"},
        {method_that_looks_back, "", "method", 1.0, "no tau below 0"},
        {method_with_nan, "", "method", 2.0, "finite numbers"},
        {nothing_at_all, "", "", NAN, "add at least one"},
    };
    ASSERT_ALL_REFUSED(cases);
}

// Names.
static const char long_name[] = "a123456789012345678901234567890123456789012345678901234567890123";
static void name_missing(Scene *s) { add_mass(s->plan, NULL, 1.0); }
static void name_empty(Scene *s) { add_mass(s->plan, "", 1.0); }
static void name_with_digit_first(Scene *s) { add_mass(s->plan, "1block", 1.0); }
static void name_with_space(Scene *s) { add_mass(s->plan, "my block", 1.0); }
static void name_too_long(Scene *s) { add_mass(s->plan, long_name, 1.0); }
static void name_that_is_taken(Scene *s) { add_mass(s->plan, "integrator", 1.0); }
static void name_of_input(Scene *s) { sti_plan_add_input(s->plan, "push me", 1, NULL); }
static void name_twice(Scene *s) { add_mass(s->plan, "block", 1.0); }
static void name_of_an_element(Scene *s) { add_mass(s->plan, "friction", 1.0); }
static void name_of_a_body(Scene *s) { sti_plan_add_input(s->plan, "hand", 1, NULL); }

static void wrong_names(void **state)
{
    (void)state;
    char cut[64];
    assert_int_equal(strlen(long_name), 64);
    snprintf(cut, sizeof cut, "%.63s", long_name);
    const Case cases[] = {
        {name_missing, "", "", NAN, "a name is a letter, then"},
        {name_empty, "", "", NAN, "a name is a letter, then"},
        {name_with_digit_first, "1block", "", NAN, "a name is a letter"},
        {name_with_space, "my block", "", NAN, "letters, digits, '_', '-' or '.'"},
        {name_too_long, cut, "", NAN, "below 64 long"},
        {name_of_input, "push me", "", NAN, "letters, digits"},
        {name_twice, "block", "", NAN, "names are unique"},
        {name_of_an_element, "friction", "", NAN, "names are unique"},
        {name_of_a_body, "hand", "", NAN, "names are unique"},
        {name_that_is_taken, "integrator", "", NAN, "energy and integrator are taken"},
    };
    ASSERT_ALL_REFUSED(cases);
}

// Kinds: a user's own may be incomplete.
static void body_without_kind(Scene *s)
{
    sti_plan_add_admittance(s->plan, "other", NULL, &(StiPointMass){.dim = 1, .mass = 1.0});
}
static void impedance_without_kind(Scene *s)
{
    sti_plan_add_impedance(s->plan, "other", NULL, &(StiForceSource){1}, &s->on_block);
}
static void reaction_without_kind(Scene *s)
{
    sti_plan_add_reaction(s->plan, "other", NULL, NULL, &s->on_block);
}
static void body_without_eval(Scene *s)
{
    static StiAdmittanceKind kind;
    kind = sti_kind_point_mass;
    kind.eval = NULL;
    sti_plan_add_admittance(s->plan, "other", &kind, &(StiPointMass){.dim = 1, .mass = 1.0});
}
static void body_without_respond(Scene *s)
{
    static StiAdmittanceKind kind;
    kind = sti_kind_point_mass;
    kind.respond = NULL;
    sti_plan_add_admittance(s->plan, "other", &kind, &(StiPointMass){.dim = 1, .mass = 1.0});
}
static void impedance_without_size(Scene *s)
{
    static StiImpedanceKind kind;
    kind = sti_kind_spring_damper;
    kind.size = NULL;
    sti_plan_add_impedance(s->plan, "other", &kind, &(StiSpringDamper){.dim = 1}, &s->on_block);
}
static void reaction_without_resolve(Scene *s)
{
    static StiReactionKind kind;
    kind = sti_kind_finite_time;
    kind.resolve = NULL;
    sti_plan_add_reaction(s->plan, "other", &kind,
                          &(StiFiniteTime){.dim = 1, .law = sti_law_coulomb(1.0)}, &s->on_block);
}
static void wire_without_apply(Scene *s)
{
    static StiWireKind kind;
    kind = sti_wire_kind_coordinate;
    kind.apply = NULL;
    StiWire wire = s->on_block;
    wire.kind = &kind;
    add_spring(s->plan, "other", wire, 1.0, 1.0);
}
static StiReactionSize six(const void *parameters)
{
    (void)parameters;
    return (StiReactionSize){.dim = 6};
}
static void reaction_in_six_dimensions(Scene *s)
{
    static StiReactionKind kind;
    kind = sti_kind_finite_time;
    kind.size = six;
    sti_plan_add_reaction(s->plan, "other", &kind,
                          &(StiFiniteTime){.dim = 1, .law = sti_law_coulomb(1.0)}, &s->on_block);
}

static void wrong_kinds(void **state)
{
    (void)state;
    const Case cases[] = {
        {body_without_kind, "other", "kind", NAN, "size, start, pose and eval"},
        {body_without_eval, "other", "kind", NAN, "size, start, pose and eval"},
        {body_without_respond, "other", "kind", NAN, "prepare, respond and move"},
        {impedance_without_kind, "other", "kind", NAN, "size and eval"},
        {impedance_without_size, "other", "kind", NAN, "size and eval"},
        {reaction_without_kind, "other", "kind", NAN, "a kind is needed"},
        {reaction_without_resolve, "other", "kind", NAN, "size and resolve"},
        {wire_without_apply, "other", "kind", NAN, "size, sense and apply"},
        {reaction_in_six_dimensions, "other", "dimensions", 6.0, "1 to 3 dimensions"},
    };
    ASSERT_ALL_REFUSED(cases);
}

// Parameters.
static void mass_negative(Scene *s) { sti_plan_set(s->plan, "block.mass", -2.0); }
static void level_nan(Scene *s) { sti_plan_set(s->plan, "friction.level", NAN); }
static void static_below_kinetic(Scene *s) { sti_plan_set(s->plan, "friction.static", 8.0); }
static void no_parameters(Scene *s)
{
    sti_plan_add_impedance(s->plan, "other", &sti_kind_spring_damper, NULL, &s->on_block);
}
static void no_law(Scene *s) { add_rule(s->plan, "other", s->on_block, (StiLaw){0}, 0.0); }
static void no_parts(Scene *s)
{
    sti_plan_add_impedance(s->plan, "other", &sti_kind_compound, &(StiCompound){.count = 3},
                           &s->on_block);
}

static void wrong_parameters(void **state)
{
    (void)state;
    const Case cases[] = {
        {mass_negative, "block", "mass", -2.0, "mass must be above 0 kg"},
        {level_nan, "friction", "level", NAN, "must be a finite number"},
        {static_below_kinetic, "friction", "static", 8.0, "at least the kinetic level"},
        {no_parameters, "other", "", NAN, "the structure that belongs to the kind is needed"},
        {no_law, "other", "law", NAN, "for example Coulomb"},
        {no_parts, "other", "parts", 3.0, "missing"},
    };
    ASSERT_ALL_REFUSED(cases);
}

static void the_unphysical_can_be_allowed(void **state)
{
    (void)state;
    Scene s = good_scene();
    static_below_kinetic(&s);
    sti_plan_allow_unphysical(s.plan, true);
    Built built = build_and_destroy(s.plan);
    assert_int_equal(sti_report_count(built.report), 1);
    assert_int_equal(sti_report_finding(built.report, 0)->severity, STI_WARNING);
    assert_string_equal(sti_report_finding(built.report, 0)->parameter, "static");
    release(&built);
}

// Sources.
static void input_without_values(Scene *s) { sti_plan_add_input(s->plan, "other", 0, NULL); }
static void input_of_negative_size(Scene *s)
{
    sti_plan_add_input(s->plan, "other", -3, &(double){1.0});
}
static void usual_value_nan(Scene *s)
{
    sti_plan_add_input(s->plan, "other", 2, (const double[]){1.0, NAN});
}
static void function_missing(Scene *s)
{
    sti_plan_add_time_function(s->plan, "other", (StiTimeFunction){.count = 1});
}
static void function_without_values(Scene *s)
{
    sti_plan_add_time_function(s->plan, "other", (StiTimeFunction){.eval = no_motion});
}

static void wrong_sources(void **state)
{
    (void)state;
    const Case cases[] = {
        {input_without_values, "other", "count", 0.0, "1 value or more"},
        {input_of_negative_size, "other", "count", -3.0, "1 value or more"},
        {usual_value_nan, "other", "", NAN, "must be finite"},
        {function_missing, "other", "eval", NAN, "needs the function"},
        {function_without_values, "other", "count", 0.0, "1 value or more"},
    };
    ASSERT_ALL_REFUSED(cases);
}

// Mistakes of one kind do not hide each other.
static void all_findings_of_a_stage_are_reported(void **state)
{
    (void)state;
    Scene s = good_scene();
    StiReport *report = sti_report_create();
    StiNetwork *network;
    step_zero(&s);
    gravity_nan(&s);
    name_twice(&s);
    mass_negative(&s);
    level_nan(&s);
    usual_value_nan(&s);
    assert_int_equal(sti_plan_compile(s.plan, report, &network), STI_BAD_PLAN);
    assert_int_equal(sti_report_error_count(report), 6);
    sti_report_destroy(report);
    sti_plan_destroy(s.plan);
}

// An old finding in a report that is used again is not this plan's.
static void a_report_can_be_used_again(void **state)
{
    (void)state;
    Scene s = good_scene();
    StiReport *report = sti_report_create();
    StiNetwork *network;
    sti_report_add(report, STI_ERROR, "old", "", NAN, "an error of before");
    assert_int_equal(sti_plan_compile(s.plan, report, &network), STI_OK);
    assert_int_equal(sti_report_count(report), 1);
    sti_network_destroy(network);
    sti_report_destroy(report);
    sti_plan_destroy(s.plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_good_plan_compiles),
        cmocka_unit_test(wrong_plans),
        cmocka_unit_test(wrong_names),
        cmocka_unit_test(wrong_kinds),
        cmocka_unit_test(wrong_parameters),
        cmocka_unit_test(the_unphysical_can_be_allowed),
        cmocka_unit_test(wrong_sources),
        cmocka_unit_test(all_findings_of_a_stage_are_reported),
        cmocka_unit_test(a_report_can_be_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
