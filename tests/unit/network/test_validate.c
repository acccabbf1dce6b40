// Every way in which a plan can be wrong, and what the report says about it.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "built.h"

static void no_motion(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace, (void)t;
    values[0] = values[1] = 0.0;
}

typedef struct Scene {
    StiPlan *plan;
    StiAdmittanceId hand, block;
    StiElementId spring, friction, pusher;
    StiSourceId push;
    StiWire on_block;
} Scene;

// A good plan; each case spoils it in one way.
static Scene good_scene(void)
{
    Scene s = {.plan = sti_plan_create()};
    s.hand =
        sti_plan_add_motion(s.plan, "hand", 1, (StiTimeFunction){.count = 2, .eval = no_motion});
    s.block = add_mass(s.plan, "block", 1.0);
    s.on_block = sti_wire_coordinate(s.block, 0, 1);
    s.spring =
        add_spring(s.plan, "spring", sti_wire_coordinate_pair(s.hand, 0, s.block, 0, 1), 90.0, 1.0);
    s.friction = add_rule(s.plan, "friction", s.on_block, sti_law_coulomb(10.0), 0.0);
    s.push = sti_plan_add_input(s.plan, "push", 1, NULL);
    s.pusher = sti_plan_add_impedance(s.plan, "pusher", &sti_kind_force_source,
                                      &(StiForceSource){1}, &s.on_block);
    sti_plan_connect(s.plan, sti_signal_source(s.push, 0), s.pusher, 0);
    return s;
}

typedef struct Case {
    void (*spoil)(Scene *s);
    const char *component, *parameter;
    double value;
    const char *words; // part of what would be right
} Case;

static bool agrees(const StiFinding *finding, const Case *expected)
{
    const bool same_value =
        isnan(expected->value) ? isnan(finding->value) : finding->value == expected->value;
    return finding->severity == STI_ERROR && strcmp(finding->component, expected->component) == 0 &&
           strcmp(finding->parameter, expected->parameter) == 0 && same_value &&
           strstr(finding->text, expected->words) != NULL;
}

// Exactly one error, the expected one, and no network.
static void assert_refused(const Case *expected, int number)
{
    Scene s = good_scene();
    StiReport *report = sti_report_create();
    StiNetwork *network = (StiNetwork *)(uintptr_t)&s;
    expected->spoil(&s);
    assert_int_equal(sti_plan_compile(s.plan, report, &network), STI_BAD_PLAN);
    assert_null(network);
    if (sti_report_error_count(report) != 1 || !agrees(sti_report_finding(report, 0), expected)) {
        print_error("case %d, expected %s.%s = %g: %s\n", number, expected->component,
                    expected->parameter, expected->value, expected->words);
        show_report(report);
        fail();
    }
    assert_int_equal(sti_plan_compile(s.plan, NULL, &network), STI_BAD_PLAN);
    assert_null(network);
    sti_report_destroy(report);
    sti_plan_destroy(s.plan);
}

static void assert_all_refused(const Case *cases, size_t count)
{
    for (size_t i = 0; i < count; ++i) assert_refused(&cases[i], (int)i);
}
#define ASSERT_ALL_REFUSED(cases) assert_all_refused((cases), sizeof(cases) / sizeof(cases)[0])

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
static void no_method(Scene *s) { sti_plan_set_method(s->plan, NULL); }
static const StiMethod no_stages = {.name = "none"}, many_stages = {.name = "many", .stages = 7},
                       looks_back = {.name = "back", .stages = 1, .b = {1.0}, .tau = {-1.0}},
                       not_a_number = {.name = "nan",
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
    s->plan = sti_plan_create();
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
        {no_method, "", "method", NAN, "for example rk4"},
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

// Wires.
static void spring_on(Scene *s, StiWire wire) { add_spring(s->plan, "other", wire, 1.0, 1.0); }
static const StiAdmittanceId ground = {-1}, nobody = {99}, less_than_ground = {-2};
static void side_a_ground(Scene *s) { spring_on(s, sti_wire_coordinate(ground, 0, 1)); }
static void side_a_nobody(Scene *s) { spring_on(s, sti_wire_coordinate(nobody, 0, 1)); }
static void side_a_below(Scene *s) { spring_on(s, sti_wire_coordinate(less_than_ground, 0, 1)); }
static void side_b_nobody(Scene *s)
{
    spring_on(s, sti_wire_coordinate_pair(s->block, 0, nobody, 0, 1));
}
static void coordinate_too_high(Scene *s) { spring_on(s, sti_wire_coordinate(s->block, 1, 1)); }
static void coordinate_negative(Scene *s) { spring_on(s, sti_wire_coordinate(s->block, -1, 1)); }
static void coordinates_too_many(Scene *s) { spring_on(s, sti_wire_coordinate(s->block, 0, 2)); }
static void coordinate_of_b_too_high(Scene *s)
{
    spring_on(s, sti_wire_coordinate_pair(s->block, 0, s->hand, 1, 1));
}
static void link_too_high(Scene *s)
{
    spring_on(s, sti_wire_point(s->block, 1, sti_vec3(0, 0, 0), sti_vec3(0, 0, 0), 1));
}
static void link_of_b_negative(Scene *s)
{
    const StiVec3 origin = {0, 0, 0};
    spring_on(s, sti_wire_point_pair(s->block, 0, origin, s->hand, -1, origin, 1));
}
static void spring_of_other_size(Scene *s)
{
    const StiWire wire = sti_wire_point(s->block, 0, sti_vec3(0, 0, 0), sti_vec3(0, 0, 0), 3);
    sti_plan_add_impedance(s->plan, "other", &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = 2, .K = 1.0}, &wire);
}
static void joint_on_coordinate(Scene *s)
{
    sti_plan_add_impedance(s->plan, "other", &sti_kind_penalty_joint,
                           &(StiPenaltyJoint){1.0, 1.0, 1.0, 1.0}, &s->on_block);
}
static void reaction_of_other_size(Scene *s)
{
    sti_plan_add_reaction(s->plan, "other", &sti_kind_finite_time,
                          &(StiFiniteTime){.dim = 2, .law = sti_law_coulomb(1.0)}, &s->on_block);
}
static void reaction_without_wire(Scene *s)
{
    sti_plan_add_reaction(s->plan, "other", &sti_kind_finite_time,
                          &(StiFiniteTime){.dim = 1, .law = sti_law_coulomb(1.0)}, NULL);
}
static void spring_without_wire(Scene *s)
{
    sti_plan_add_impedance(s->plan, "other", &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = 1, .K = 1.0}, NULL);
}

static void wire_without_axes(Scene *s)
{
    StiWire wire = s->on_block;
    wire.dim = 0;
    sti_plan_add_impedance(s->plan, "other", &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = 1, .K = 1.0}, &wire);
}
static void point_in_four_dimensions(Scene *s)
{
    const StiVec3 origin = {0, 0, 0};
    const StiWire wire = sti_wire_point(s->block, 0, origin, origin, 4);
    sti_plan_add_impedance(s->plan, "other", &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = 3, .K = 1.0}, &wire);
}
static void point_nowhere(Scene *s)
{
    spring_on(s, sti_wire_point(s->block, 0, sti_vec3(0, NAN, 0), sti_vec3(0, 0, 0), 1));
}
static void contact_on(Scene *s, double radius, StiVec3 normal)
{
    const StiVec3 origin = {0, 0, 0};
    const StiWire wire = sti_wire_sphere_plane(s->block, 0, origin, radius, origin, normal);
    sti_plan_add_impedance(s->plan, "other", &sti_kind_soft_contact,
                           &(StiSoftContact){.points = 1, .K = 1.0, .B = 1.0}, &wire);
}
static void negative_radius(Scene *s) { contact_on(s, -0.5, sti_vec3(0, 0, 1)); }
static void plane_without_normal(Scene *s) { contact_on(s, 0.5, sti_vec3(0, 0, 0)); }
static void position_too_high(Scene *s)
{
    StiWire wire = s->on_block;
    wire.a.position = 1;
    spring_on(s, wire);
}

static void wrong_wires(void **state)
{
    (void)state;
    const Case cases[] = {
        {side_a_ground, "other", "wire", NAN, "side a must be a body"},
        {side_a_nobody, "other", "wire", 99.0, "side a is not a body of this plan; there are 2"},
        {side_a_below, "other", "wire", -2.0, "side a is not a body"},
        {side_b_nobody, "other", "wire", 99.0, "side b is not a body"},
        {coordinate_too_high, "other", "wire", 1.0, "side a: block has 1 coordinate"},
        {coordinate_negative, "other", "wire", -1.0, "side a: block has 1 coordinate"},
        {coordinates_too_many, "other", "wire", 0.0, "2 from this one on"},
        {coordinate_of_b_too_high, "other", "wire", 1.0, "side b: hand has 1 coordinate"},
        {link_too_high, "other", "wire", 1.0, "side a: block has 1 link"},
        {link_of_b_negative, "other", "wire", -1.0, "side b: hand has 1 link"},
        {spring_of_other_size, "other", "wire", NAN,
         "wants 2 velocities (and 2 positions), the point"},
        {joint_on_coordinate, "other", "wire", NAN, "wants 6 velocities"},
        {reaction_of_other_size, "other", "wire", NAN, "the coordinate wire gives 1"},
        {reaction_without_wire, "other", "wire", NAN, "needs a wire to a body"},
        {wire_without_axes, "other", "wire", 0.0, "at least 1 axis"},
        {point_in_four_dimensions, "other", "wire", 4.0, "1, 2 or 3 axes"},
        {point_nowhere, "other", "wire", NAN, "must be finite"},
        {negative_radius, "other", "wire", -0.5, "finite and 0 or more"},
        {plane_without_normal, "other", "wire", NAN, "normals must not be zero"},
        {position_too_high, "other", "wire", 1.0, "side a: block has 1 position"},
        {spring_without_wire, "other", "wire", NAN, "looks at positions: it needs a wire"},
    };
    ASSERT_ALL_REFUSED(cases);
}

// Signals.
static void connect(Scene *s, StiSignal signal, int input)
{
    sti_plan_connect(s->plan, signal, s->pusher, input);
}
static StiSignal push(const Scene *s) { return sti_signal_source(s->push, 0); }
static void input_too_high(Scene *s) { connect(s, push(s), 1); }
static void input_negative(Scene *s) { connect(s, push(s), -1); }
static void input_of_one_who_does_not_listen(Scene *s)
{
    sti_plan_connect(s->plan, push(s), s->spring, 0);
}
static void input_of_nobody(Scene *s) { sti_plan_connect(s->plan, push(s), (StiElementId){99}, 0); }
static void input_of_no_body(Scene *s)
{
    sti_plan_connect_admittance(s->plan, push(s), (StiAdmittanceId){-1}, 0);
}
static void input_twice(Scene *s) { connect(s, push(s), 0); }

// A second pusher takes the signal, so that the first one's connection is not in the way.
static void signal_to_second(Scene *s, StiSignal signal)
{
    const StiElementId second = sti_plan_add_impedance(s->plan, "second", &sti_kind_force_source,
                                                       &(StiForceSource){1}, &s->on_block);
    sti_plan_connect(s->plan, signal, second, 0);
}
static void value_too_high(Scene *s) { signal_to_second(s, sti_signal_source(s->push, 1)); }
static void value_negative(Scene *s) { signal_to_second(s, sti_signal_source(s->push, -1)); }
static void source_of_nobody(Scene *s)
{
    signal_to_second(s, sti_signal_source((StiSourceId){99}, 0));
}
static void load_of_one_without(Scene *s) { signal_to_second(s, sti_signal_load(s->block, 0)); }
static void load_of_nobody(Scene *s) { signal_to_second(s, sti_signal_load(nobody, 0)); }
static void force_of_a_reaction(Scene *s) { signal_to_second(s, sti_signal_force(s->friction, 0)); }
static void force_of_nobody(Scene *s)
{
    signal_to_second(s, sti_signal_force((StiElementId){-1}, 0));
}
static void force_component_too_high(Scene *s)
{
    signal_to_second(s, sti_signal_force(s->spring, 1));
}
static void gain_nan(Scene *s) { signal_to_second(s, sti_signal_scaled(push(s), NAN)); }
static void not_connected(Scene *s)
{
    sti_plan_add_impedance(s->plan, "second", &sti_kind_force_source, &(StiForceSource){1},
                           &s->on_block);
}
static void second_value_not_connected(Scene *s)
{
    const StiElementId id = sti_plan_add_impedance(s->plan, "second", &sti_kind_force_source,
                                                   &(StiForceSource){3}, &(StiWire){.kind = NULL});
    sti_plan_connect(s->plan, push(s), id, 0);
    sti_plan_connect(s->plan, push(s), id, 2);
}
static void motion_with_too_few_values(Scene *s)
{
    sti_plan_add_motion(s->plan, "other", 1, (StiTimeFunction){.count = 1, .eval = no_motion});
}
static void motion_with_too_many_values(Scene *s)
{
    sti_plan_add_motion(s->plan, "other", 1, (StiTimeFunction){.count = 3, .eval = no_motion});
}
static void body_that_listens_to_a_force(Scene *s)
{
    const StiAdmittanceId other =
        sti_plan_add_admittance(s->plan, "other", &sti_kind_motion_source, &(StiMotionSource){1});
    sti_plan_connect_admittance(s->plan, push(s), other, 0);
    sti_plan_connect_admittance(s->plan, sti_signal_force(s->spring, 0), other, 1);
}
static void level_without_load(Scene *s)
{
    add_rule(s->plan, "other", s->on_block, sti_law_times_load(sti_law_coulomb(0.3)), 0.0);
}

static void wrong_signals(void **state)
{
    (void)state;
    const Case cases[] = {
        {input_too_high, "pusher", "signal", 1.0, "there are 1"},
        {input_negative, "pusher", "signal", -1.0, "there are 1"},
        {input_of_one_who_does_not_listen, "spring", "signal", 0.0, "there are 0"},
        {input_of_nobody, "", "signal", 0.0, "input that does not exist"},
        {input_of_no_body, "", "signal", 0.0, "input that does not exist"},
        {input_twice, "pusher", "signal", 0.0, "connected twice"},
        {value_too_high, "second", "signal", 1.0, "there are 1 values there"},
        {value_negative, "second", "signal", -1.0, "there are 1 values there"},
        {source_of_nobody, "second", "signal", 0.0, "origin does not exist"},
        {load_of_one_without, "second", "signal", 0.0, "there are 0 values there"},
        {load_of_nobody, "second", "signal", 0.0, "origin does not exist"},
        {force_of_a_reaction, "second", "signal", 0.0, "there are 0 values there"},
        {force_of_nobody, "second", "signal", 0.0, "origin does not exist"},
        {force_component_too_high, "second", "signal", 1.0, "there are 1 values there"},
        {gain_nan, "second", "signal", NAN, "gain must be finite"},
        {not_connected, "second", "signal", 0.0, "not connected"},
        {second_value_not_connected, "second", "signal", 1.0, "not connected"},
        {motion_with_too_few_values, "other", "signal", 1.0, "not connected"},
        {motion_with_too_many_values, "other", "signal", 2.0, "there are 2"},
        {body_that_listens_to_a_force, "other", "signal", NAN, "time functions and inputs only"},
        {level_without_load, "other", "signal", 0.0, "a load, an input or a time function"},
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
        cmocka_unit_test(wrong_wires),
        cmocka_unit_test(wrong_signals),
        cmocka_unit_test(all_findings_of_a_stage_are_reported),
        cmocka_unit_test(a_report_can_be_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
