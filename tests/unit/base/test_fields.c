#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fields.h"
#include "stiction/body.h"
#include "stiction/friction.h"
#include "stiction/reaction.h"

typedef struct Listing {
    char text[2000];
    int count, stop_at;
} Listing;

static bool list(void *context, const StiNumber *number)
{
    Listing *listing = context;
    const size_t used = strlen(listing->text);
    snprintf(listing->text + used, sizeof listing->text - used, "%s=%g ", number->path,
             *number->value);
    return ++listing->count != listing->stop_at;
}

static void assert_lists(const StiInfo *info, void *parameters, const char *expected)
{
    Listing listing = {.stop_at = -1};
    assert_true(sti_fields_visit(info, parameters, list, &listing));
    assert_string_equal(listing.text, expected);
}

static void plain_numbers_and_arrays_inside(void **state)
{
    (void)state;
    StiPointMass mass = {.dim = 2,
                         .mass = 3.0,
                         .position = {1.0, 2.0, 0.0},
                         .velocity = {4.0, 5.0, 0.0}};
    assert_lists(&sti_kind_point_mass.info, &mass,
                 "mass=3 position[0]=1 position[1]=2 velocity[0]=4 velocity[1]=5 ");
}

static void arrays_behind_pointers(void **state)
{
    (void)state;
    const double K[2] = {1.0, 2.0}, F[2] = {3.0, 4.0};
    StiMaxwellSlip bank = {.elements = 2, .K = K, .F = F};
    assert_lists(&sti_kind_maxwell_slip.info, &bank,
                 "stiffness[0]=1 stiffness[1]=2 level[0]=3 level[1]=4 ");
    StiMaxwellSlip single = {.elements = 1, .K = K, .F = F, .B = K};
    assert_lists(&sti_kind_maxwell_slip.info, &single, "stiffness[0]=1 level[0]=3 damping[0]=1 ");
    StiMaxwellSlip none = {.elements = 0, .K = K, .F = F};
    assert_lists(&sti_kind_maxwell_slip.info, &none, "");
}

static void a_law_is_addressed_without_a_further_dot(void **state)
{
    (void)state;
    StiElasticCoulomb p = {.dim = 1,
                           .law = sti_law_stribeck(1.0, 2.0, 3.0, 4.0, 5.0),
                           .K = 6.0,
                           .B = 7.0};
    assert_lists(&sti_kind_elastic_coulomb.info, &p,
                 "level=1 law.static=2 stribeck_speed=3 stribeck_exponent=4 viscous=5 "
                 "stiffness=6 damping=7 static=0 deflection[0]=0 ");
}

// Every number has a path: where the kind has one of the same name, the law's is below "law".
static void a_laws_number_with_a_name_of_the_kinds_own(void **state)
{
    (void)state;
    StiLuGre lugre = {.law = sti_law_viscous(1.0, 2.0),
                      .sigma0 = 3.0,
                      .sigma1 = 4.0,
                      .sigma2 = 5.0};
    assert_lists(&sti_kind_lugre.info, &lugre,
                 "level=1 law.viscous=2 stiffness=3 damping=4 viscous=5 ");
    assert_ptr_equal(sti_kind_find(&sti_kind_lugre.info, &lugre, "viscous"), &lugre.sigma2);
    assert_ptr_equal(sti_kind_find(&sti_kind_lugre.info, &lugre, "law.viscous"), &lugre.law.p[1]);
}

static void parts_are_numbered(void **state)
{
    (void)state;
    StiElasticCoulomb a = {.dim = 1, .law = sti_law_coulomb(1.0), .K = 2.0, .B = 3.0};
    StiDahl b = {.law = sti_law_coulomb(4.0), .K = 5.0, .alpha = 1.0};
    const StiImpedance inner[] = {{&sti_kind_dahl, &b}};
    StiCompound nested = {1, inner};
    const StiImpedance parts[] = {{&sti_kind_elastic_coulomb, &a}, {&sti_kind_compound, &nested}};
    StiCompound p = {2, parts};
    assert_lists(&sti_kind_compound.info, &p,
                 "0.level=1 0.stiffness=2 0.damping=3 0.static=0 0.deflection[0]=0 1.0.level=4 "
                 "1.0.stiffness=5 1.0.alpha=1 ");
    assert_ptr_equal(sti_kind_find(&sti_kind_compound.info, &p, "1.0.level"), &b.law.p[0]);
}

static void a_visit_can_be_stopped(void **state)
{
    (void)state;
    StiPointMass mass = {.dim = 3, .mass = 3.0};
    for (int stop = 1; stop <= 7; ++stop) {
        Listing listing = {.stop_at = stop};
        assert_false(sti_fields_visit(&sti_kind_point_mass.info, &mass, list, &listing));
        assert_int_equal(listing.count, stop);
    }
}

static void find_gives_the_number_itself(void **state)
{
    (void)state;
    const StiInfo *info = &sti_kind_point_mass.info;
    StiPointMass mass = {.dim = 3, .mass = 3.0};
    assert_ptr_equal(sti_kind_find(info, &mass, "mass"), &mass.mass);
    assert_ptr_equal(sti_kind_find(info, &mass, "velocity[2]"), &mass.velocity[2]);
    static const char *const wrong[] = {"",         "masse",       "mas",         "mass[0]",
                                        "velocity", "Mass",        "velocity[3]", "velocity[-1]",
                                        "mass ",    "velocity[02]"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
        assert_null(sti_kind_find(info, &mass, wrong[i]));
}

static void copies_own_their_arrays(void **state)
{
    (void)state;
    StiArena arena = {0};
    double K[2] = {1.0, 2.0}, F[2] = {3.0, 4.0};
    const StiMaxwellSlip bank = {.elements = 2, .K = K, .F = F};
    StiMaxwellSlip *copy = sti_fields_copy(&sti_kind_maxwell_slip.info, &bank, &arena);
    K[0] = F[1] = -1.0;
    assert_lists(&sti_kind_maxwell_slip.info, copy,
                 "stiffness[0]=1 stiffness[1]=2 level[0]=3 level[1]=4 ");
    assert_null(copy->B);
    sti_arena_release(&arena);
}

static void copies_own_their_tables(void **state)
{
    (void)state;
    StiArena arena = {0};
    double table[4] = {0.0, 1.0, 5.0, 3.0};
    const StiFiniteTime p = {.dim = 1, .law = sti_law_table(table, 2)};
    const StiFiniteTime *copy = sti_fields_copy(&sti_kind_finite_time.info, &p, &arena);
    memset(table, 0, sizeof table);
    assert_true(sti_law_level(&copy->law, 0.5, 1.0, NULL) == 4.0);
    sti_arena_release(&arena);
}

static void copies_own_their_parts(void **state)
{
    (void)state;
    StiArena arena = {0};
    double K[1] = {1.0}, F[1] = {3.0};
    StiMaxwellSlip bank = {.elements = 1, .K = K, .F = F};
    StiDahl dahl = {.law = sti_law_coulomb(4.0), .K = 5.0, .alpha = 1.0};
    StiImpedance parts[] = {{&sti_kind_maxwell_slip, &bank}, {&sti_kind_dahl, &dahl}};
    const StiCompound p = {2, parts};
    StiCompound *copy = sti_fields_copy(&sti_kind_compound.info, &p, &arena);
    K[0] = dahl.K = -1.0;
    bank.F = NULL;
    parts[1] = parts[0];
    assert_lists(&sti_kind_compound.info, copy,
                 "0.stiffness[0]=1 0.level[0]=3 1.level=4 1.stiffness=5 1.alpha=1 ");
    sti_arena_release(&arena);
}

typedef struct Expectation {
    const char *component, *parameter, *words;
    double value;
} Expectation;

static void assert_refused(const StiInfo *info, const void *parameters, int count,
                           const Expectation *expected)
{
    StiReport *report = sti_report_create();
    sti_kind_check(info, parameters,
                   &(StiCheck){.report = report, .component = "thing", .step = 1e-3});
    assert_int_equal(sti_report_error_count(report), count);
    for (int i = 0; i < count; ++i) {
        const StiFinding *finding = sti_report_finding(report, i);
        assert_string_equal(finding->component, expected[i].component);
        assert_string_equal(finding->parameter, expected[i].parameter);
        assert_non_null(strstr(finding->text, expected[i].words));
        if (isnan(expected[i].value))
            assert_true(isnan(finding->value));
        else
            assert_true(finding->value == expected[i].value);
    }
    sti_report_destroy(report);
}

static void bounds_are_checked_one_by_one(void **state)
{
    (void)state;
    const StiElasticCoulomb p = {.dim = 1, .law = sti_law_coulomb(NAN), .K = 0.0, .B = -1.0};
    assert_refused(&sti_kind_elastic_coulomb.info, &p, 3,
                   (const Expectation[]){{"thing", "level", "must be a finite number", NAN},
                                         {"thing", "stiffness", "must be above 0 N/m", 0.0},
                                         {"thing", "damping", "must be 0 or more N s/m", -1.0}});
    const StiElasticCoulomb q = {.dim = 1,
                                 .law = sti_law_coulomb(1.0),
                                 .K = INFINITY,
                                 .B = -INFINITY};
    assert_refused(
        &sti_kind_elastic_coulomb.info, &q, 2,
        (const Expectation[]){{"thing", "stiffness", "must be a finite number", INFINITY},
                              {"thing", "damping", "must be a finite number", -INFINITY}});
}

static void numbers_in_arrays_and_parts_are_checked(void **state)
{
    (void)state;
    const double K[3] = {1.0, -2.0, 1.0}, F[3] = {1.0, 1.0, NAN};
    const StiMaxwellSlip bank = {.elements = 3, .K = K, .F = F};
    assert_refused(&sti_kind_maxwell_slip.info, &bank, 2,
                   (const Expectation[]){{"thing", "stiffness[1]", "above 0", -2.0},
                                         {"thing", "level[2]", "finite", NAN}});
    const StiImpedance parts[] = {{&sti_kind_maxwell_slip, &bank}};
    assert_refused(&sti_kind_compound.info, &(StiCompound){1, parts}, 2,
                   (const Expectation[]){{"thing", "0.stiffness[1]", "above 0", -2.0},
                                         {"thing", "0.level[2]", "finite", NAN}});
}

// No number escapes because another one has its name.
static void a_laws_number_below_law_is_checked(void **state)
{
    (void)state;
    const StiLuGre lugre = {.law = sti_law_viscous(1.0, NAN), .sigma0 = 1.0};
    assert_refused(&sti_kind_lugre.info, &lugre, 1,
                   &(Expectation){"thing", "law.viscous", "finite", NAN});
    const double K[1] = {1.0}, F[1] = {1.0};
    const StiLeuven leuven = {
        .law = sti_law_coulomb(-1.0), .elements = 1, .K = K, .F = F, .exponent = 2.0};
    assert_refused(&sti_kind_leuven.info, &leuven, 1,
                   &(Expectation){"thing", "level", "0 or more", -1.0});
}

static void missing_laws_and_parts_are_reported(void **state)
{
    (void)state;
    const StiElasticCoulomb lawless = {.dim = 1, .K = 1.0, .B = 1.0};
    assert_refused(&sti_kind_elastic_coulomb.info, &lawless, 1,
                   &(Expectation){"thing", "law", "Coulomb", NAN});
    assert_refused(&sti_kind_compound.info, &(StiCompound){.count = 2}, 1,
                   &(Expectation){"thing", "parts", "missing", 2.0});
    const StiDahl dahl = {.law = sti_law_coulomb(4.0), .K = 5.0, .alpha = 1.0};
    const StiImpedance kindless[] = {{&sti_kind_dahl, &dahl}, {NULL, &dahl}};
    assert_refused(&sti_kind_compound.info, &(StiCompound){2, kindless}, 1,
                   &(Expectation){"thing.1", "", "needs a kind", NAN});
    const StiImpedance empty[] = {{&sti_kind_dahl, NULL}, {&sti_kind_dahl, &dahl}};
    assert_refused(&sti_kind_compound.info, &(StiCompound){2, empty}, 1,
                   &(Expectation){"thing.0", "", "needs a kind", NAN});
    const StiImpedance inner[] = {{&sti_kind_dahl, &(StiDahl){.K = 1.0, .alpha = 1.0}}};
    assert_refused(&sti_kind_compound.info, &(StiCompound){1, inner}, 1,
                   &(Expectation){"thing.0", "law", "Coulomb", NAN});
}

// What relates numbers to each other is only said once each of them is sound.
static void relations_wait_for_sound_numbers(void **state)
{
    (void)state;
    const StiFiniteTime both = {.dim = 1, .law = sti_law_stribeck(10.0, 5.0, -1.0, 2.0, 0.0)};
    assert_refused(&sti_kind_finite_time.info, &both, 1,
                   &(Expectation){"thing", "stribeck_speed", "above 0", -1.0});
    const StiFiniteTime one = {.dim = 1, .law = sti_law_coulomb(10.0), .level_static = 5.0};
    assert_refused(&sti_kind_finite_time.info, &one, 1,
                   &(Expectation){"thing", "static", "below", 5.0});
}

static void a_check_without_report_works(void **state)
{
    (void)state;
    const StiElasticCoulomb p = {.dim = 7, .law = sti_law_coulomb(NAN), .K = 0.0};
    sti_kind_check(&sti_kind_elastic_coulomb.info, &p, &(StiCheck){.component = "thing"});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_numbers_and_arrays_inside),
        cmocka_unit_test(arrays_behind_pointers),
        cmocka_unit_test(a_law_is_addressed_without_a_further_dot),
        cmocka_unit_test(a_laws_number_with_a_name_of_the_kinds_own),
        cmocka_unit_test(parts_are_numbered),
        cmocka_unit_test(a_visit_can_be_stopped),
        cmocka_unit_test(find_gives_the_number_itself),
        cmocka_unit_test(copies_own_their_arrays),
        cmocka_unit_test(copies_own_their_tables),
        cmocka_unit_test(copies_own_their_parts),
        cmocka_unit_test(bounds_are_checked_one_by_one),
        cmocka_unit_test(numbers_in_arrays_and_parts_are_checked),
        cmocka_unit_test(a_laws_number_below_law_is_checked),
        cmocka_unit_test(missing_laws_and_parts_are_reported),
        cmocka_unit_test(relations_wait_for_sound_numbers),
        cmocka_unit_test(a_check_without_report_works),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
