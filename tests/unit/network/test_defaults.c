// sti_default_...: structures that compile once what has no usual value is set by name.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "built.h"
#include "stiction/actuator.h"
#include "stiction/stiction.h"
#include "support/plan.h"

// The final position of a mass under this friction, pushed by its start velocity.
static double slide_under(const StiImpedanceKind *kind, const void *parameters)
{
    StiPlan *plan = plan_in_stages();
    StiPointMass point = sti_default_point_mass();
    point.velocity[0] = 1.0;
    const StiAdmittanceId mass =
        sti_plan_add_admittance(plan, "mass", &sti_kind_point_mass, &point);
    const StiWire wire = sti_wire_coordinate(mass, 0, 1);
    sti_plan_add_impedance(plan, "friction", kind, parameters, &wire);
    Built built = build_and_destroy(plan);
    assert_int_equal(sti_run(built.network, NULL, built.state, built.scratch, 50), STI_OK);
    const double x = *position(&built, mass);
    release(&built);
    return x;
}

// alpha left out is Dahl's own exponent, with and without the function.
static void dahl_needs_only_law_and_stiffness(void **unused)
{
    (void)unused;
    const StiLaw law = sti_law_coulomb(10.0);
    StiDahl usual = sti_default_dahl();
    usual.law = law;
    usual.K = 1e4;
    const double x = slide_under(&sti_kind_dahl, &(StiDahl){.law = law, .K = 1e4, .alpha = 1.0});
    assert_true(slide_under(&sti_kind_dahl, &usual) == x);
    assert_true(slide_under(&sti_kind_dahl, &(StiDahl){.law = law, .K = 1e4}) == x);
    assert_true(slide_under(&sti_kind_dahl, &(StiDahl){.law = law, .K = 1e4, .alpha = 0.5}) != x);
}

static void usual_values_are_those_of_the_fields(void **unused)
{
    (void)unused;
    assert_true(sti_default_dahl().alpha == 1.0);
    assert_true(sti_default_point_mass().dim == 1 && sti_default_point_mass().mass == 1.0);
    assert_true(sti_default_elastoplastic().breakaway == 0.7);
    assert_true(sti_default_dc_motor().gamma == 1.0);
    assert_true(sti_default_finite_time().dim == 1);
    assert_true(sti_default_finite_time().law.kind == NULL); // nobody can guess a level
    assert_true(sti_default_signal_force().dim == 1);
    assert_true(sti_default_contact().a == NULL && sti_default_contact().mu == 0.0);
    assert_true(sti_default_compound().count == 0 && sti_default_robot_body().robot == NULL);
    assert_true(sti_default_linkage_body().linkage == NULL);
    const StiBearing bearing = sti_default_bearing();
    assert_false(sti_bearing_given(&bearing));
}

// A user's table without its size, or with that of other headers.
static void tables_of_another_size_are_refused(void **unused)
{
    (void)unused;
    StiImpedanceKind old = sti_kind_spring_damper;
    const size_t sizes[] = {0, sizeof old - sizeof(void *)};
    for (int i = 0; i < 2; ++i) {
        old.table_size = sizes[i];
        StiPlan *plan = sti_plan_create();
        const StiPointMass point = sti_default_point_mass();
        const StiAdmittanceId mass =
            sti_plan_add_admittance(plan, "mass", &sti_kind_point_mass, &point);
        const StiWire wire = sti_wire_coordinate(mass, 0, 1);
        sti_plan_add_impedance(plan, "spring", &old, &(StiSpringDamper){.dim = 1, .K = 1.0}, &wire);
        StiNetwork *network;
        assert_int_equal(sti_plan_compile(plan, NULL, &network), STI_BAD_PLAN);
        assert_null(network);
        const StiFinding *finding = sti_report_finding(sti_plan_findings(plan), 0);
        assert_string_equal(finding->component, "spring");
        assert_non_null(strstr(finding->text, "table_size"));
        sti_plan_destroy(plan);
    }
}

static void laws_of_another_size_are_refused(void **unused)
{
    (void)unused;
    StiLawKind old = sti_law_kind_coulomb;
    old.table_size = 0;
    StiFiniteTime friction = sti_default_finite_time();
    friction.law = sti_law_coulomb(1.0);
    friction.law.kind = &old;
    StiPlan *plan = sti_plan_create();
    const StiPointMass point = sti_default_point_mass();
    const StiAdmittanceId mass =
        sti_plan_add_admittance(plan, "mass", &sti_kind_point_mass, &point);
    const StiWire wire = sti_wire_coordinate(mass, 0, 1);
    sti_plan_add_reaction(plan, "friction", &sti_kind_finite_time, &friction, &wire);
    StiNetwork *network;
    assert_int_equal(sti_plan_compile(plan, NULL, &network), STI_BAD_PLAN);
    assert_non_null(strstr(sti_report_finding(sti_plan_findings(plan), 0)->text, "table_size"));
    sti_plan_destroy(plan);
}

static void assert_refused(StiPlan *plan)
{
    StiNetwork *network;
    assert_int_equal(sti_plan_compile(plan, NULL, &network), STI_BAD_PLAN);
    assert_non_null(strstr(sti_report_finding(sti_plan_findings(plan), 0)->text, "table_size"));
    sti_plan_destroy(plan);
}

static void shapes_of_another_size_are_refused(void **unused)
{
    (void)unused;
    StiShapeKind old = sti_shape_kind_sphere;
    old.table_size = 0;
    StiPlan *plan = sti_plan_create();
    const StiRigidBody ball = {.mass = 1.0, .inertia = {1.0, 1.0, 1.0}};
    const StiAdmittanceId body =
        sti_plan_add_admittance(plan, "ball", &sti_kind_rigid_body, &ball);
    StiContactShape a = {.body = body, .shape = sti_shape_sphere(sti_vec3(0, 0, 0), 1.0)};
    const StiContactShape b = {.body = STI_GROUND,
                               .shape = sti_shape_plane(sti_vec3(0, 0, -1), sti_vec3(0, 0, 1))};
    a.shape.kind = &old;
    StiContact contact = sti_default_contact();
    contact.a = &a, contact.b = &b, contact.a_count = contact.b_count = 1;
    sti_plan_add_contact(plan, "floor", &contact);
    assert_refused(plan);
}

static bool must_not_be_called(void *parameters)
{
    (void)parameters;
    fail();
    return false;
}

static void insides_of_another_size_are_refused(void **unused)
{
    (void)unused;
    static const StiInside old = {.table_size = 8, .own = must_not_be_called};
    StiAdmittanceKind kind = sti_kind_point_mass;
    kind.info.inside = &old;
    StiPlan *plan = sti_plan_create();
    const StiPointMass point = sti_default_point_mass();
    sti_plan_add_admittance(plan, "mass", &kind, &point);
    assert_refused(plan);
}

static void the_library_knows_its_version(void **unused)
{
    (void)unused;
    assert_string_equal(sti_version(), STI_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dahl_needs_only_law_and_stiffness),
        cmocka_unit_test(usual_values_are_those_of_the_fields),
        cmocka_unit_test(tables_of_another_size_are_refused),
        cmocka_unit_test(laws_of_another_size_are_refused),
        cmocka_unit_test(shapes_of_another_size_are_refused),
        cmocka_unit_test(insides_of_another_size_are_refused),
        cmocka_unit_test(the_library_knows_its_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
