// Assembly, redundancy, and what is refused with the constraint that fails and by how much.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "support/linkages.h"
#include "support/near.h"

static void a_rough_guess_is_assembled(void **state)
{
    (void)state;
    for (int i = 0; i < 50; ++i) {
        SliderCrank s;
        slider_crank(&s, 0.4 + 0.1 * i, 3.0, true);
        for (int b = 0; b < 3; ++b) { // up to 5 cm and 0.2 rad off
            s.bodies[b].position.x += 0.05 * sin(7.0 * i + b);
            s.bodies[b].position.y += 0.05 * cos(5.0 * i + 2 * b);
            s.bodies[b].angle += b < 2 ? 0.2 * sin(3.0 * i + b) : 0.0;
        }
        StiLinkage *linkage = sti_linkage_create(&s.design, NULL);
        assert_non_null(linkage);
        double q[9], v[9], *w = calloc((size_t)sti_linkage_workspace(linkage), sizeof *w);
        const StiDriven driven = {s.driver.value, 3.0, 0.0};
        sti_linkage_start(linkage, q, v);
        const StiLinkageError error = sti_linkage_error(linkage, q, v, &driven, w);
        assert_near(error.position, 0.0, 1e-13);
        assert_near(error.velocity, 0.0, 1e-13);
        assert_near(v[2], 3.0, 1e-12);
        assert_int_equal(sti_linkage_freedoms(linkage), 0);
        free(w);
        sti_linkage_destroy(linkage);
    }
}

// The first finding of a severity; a finding without text where there is none.
static const StiFinding *only_finding(const StiLinkageDesign *design, StiSeverity severity,
                                      StiReport *report, StiLinkage **linkage)
{
    *linkage = sti_linkage_create(design, report);
    for (int i = 0; i < sti_report_count(report); ++i)
        if (sti_report_finding(report, i)->severity == severity)
            return sti_report_finding(report, i);
    static const StiFinding nothing;
    return &nothing;
}

static void what_cannot_be_assembled_is_refused(void **state)
{
    (void)state;
    SliderCrank s;
    StiReport *report = sti_report_create();
    StiLinkage *linkage;
    slider_crank(&s, 0.5, 0.0, false);
    s.pairs[3].at_other.y = 1.0; // the guide is 1 m too high: crank and rod reach 0.8 m
    const StiFinding *f = only_finding(&s.design, STI_ERROR, report, &linkage);
    assert_null(linkage);
    assert_true(f->value > 0.01 && f->value < 0.2); // shared between the pairs of the chain
    assert_non_null(strstr(f->text, "misses by"));
    sti_report_destroy(report);
}

static void drivers_that_fight_are_refused(void **state)
{
    (void)state;
    SliderCrank s;
    StiReport *report = sti_report_create();
    StiLinkage *linkage;
    slider_crank(&s, 0.5, 2.0, true);
    const StiDriver drivers[2] = {
        s.driver, {.name = "second", .pair = 3, .value = s.bodies[2].position.x, .rate = 1.0}};
    s.design.drivers = drivers;
    s.design.driver_count = 2;
    const StiFinding *f = only_finding(&s.design, STI_ERROR, report, &linkage);
    assert_null(linkage);
    assert_non_null(strstr(f->text, "over-constrained"));
    assert_true(f->value > 0.1);
    sti_report_destroy(report);
}

// A second guide beside the first: redundant, noted, and nothing moves differently.
static void redundant_pairs_are_noted(void **state)
{
    (void)state;
    SliderCrank s;
    StiReport *report = sti_report_create();
    StiLinkage *plain, *doubled;
    StiPlanarPair pairs[5];
    slider_crank(&s, 0.8, 4.0, false);
    plain = sti_linkage_create(&s.design, NULL);
    memcpy(pairs, s.pairs, sizeof s.pairs);
    pairs[4] = s.pairs[3];
    pairs[4].name = "second_guide";
    s.design.pairs = pairs;
    s.design.pair_count = 5;
    const StiFinding *f = only_finding(&s.design, STI_NOTE, report, &doubled);
    assert_non_null(doubled);
    assert_non_null(strstr(f->component, "guide"));
    assert_int_equal(sti_linkage_freedoms(doubled), 1);
    double q[9], v[9], a[9], b[9], *w = calloc((size_t)sti_linkage_workspace(doubled), sizeof *w);
    const StiLinkageForce force = {.gravity = test_gravity};
    const char *names[4];
    sti_linkage_start(plain, q, v);
    sti_linkage_forward(plain, q, v, NULL, &force, NULL, a, NULL, NULL, NULL, w);
    assert_int_equal(sti_linkage_dependent(plain, w, names, 4), 0);
    sti_linkage_forward(doubled, q, v, NULL, &force, NULL, b, NULL, NULL, NULL, w);
    assert_int_equal(sti_linkage_dependent(doubled, w, names, 4), 2);
    for (int i = 0; i < 9; ++i) assert_near(b[i], a[i], 1e-9 * (1.0 + fabs(a[i])));
    free(w);
    sti_linkage_destroy(plain);
    sti_linkage_destroy(doubled);
    sti_report_destroy(report);
}

// Stretched out, a parallelogram has a second way to go: the rank falls there, and only there.
static void a_singular_configuration_is_revealed(void **state)
{
    (void)state;
    for (int flat = 0; flat < 2; ++flat) {
        const double phi = flat ? 0.0 : 0.7;
        const StiVec2 o = {0.0, 0.0}, p = {0.3, 0.0}, a = {0.1 * cos(phi), 0.1 * sin(phi)};
        const StiVec2 b = {a.x + 0.3, a.y};
        const StiPlanarBody bodies[3] = {rod_between("crank", 1.0, o, a),
                                         rod_between("coupler", 1.0, a, b),
                                         rod_between("rocker", 1.0, p, b)};
        const StiPlanarPair pairs[4] = {pin_of("o", 0, -0.05, -1, o),
                                        pin_of("a", 1, -0.15, 0, (StiVec2){0.05, 0.0}),
                                        pin_of("b", 2, 0.05, 1, (StiVec2){0.15, 0.0}),
                                        pin_of("p", 2, -0.05, -1, p)};
        const StiLinkageDesign design = {.bodies = bodies,
                                         .body_count = 3,
                                         .pairs = pairs,
                                         .pair_count = 4};
        StiLinkage *linkage = sti_linkage_create(&design, NULL);
        assert_non_null(linkage);
        assert_int_equal(sti_linkage_freedoms(linkage), flat ? 2 : 1);
        sti_linkage_destroy(linkage);
    }
}

static void bad_numbers_are_refused(void **state)
{
    (void)state;
    SliderCrank s;
    for (int k = 0; k < 6; ++k) {
        slider_crank(&s, 0.5, 0.0, true);
        if (k == 0) s.bodies[1].mass = 0.0;
        if (k == 1) s.bodies[1].inertia = -1.0;
        if (k == 2) s.pairs[2].other = 2;
        if (k == 3) s.pairs[0].radius = -0.1;
        if (k == 4) s.driver.pair = 9;
        if (k == 5) s.bodies[0].name = "rod";
        StiReport *report = sti_report_create();
        assert_null(sti_linkage_create(&s.design, report));
        assert_int_equal(sti_report_error_count(report), 1);
        sti_report_destroy(report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rough_guess_is_assembled),
        cmocka_unit_test(what_cannot_be_assembled_is_refused),
        cmocka_unit_test(drivers_that_fight_are_refused),
        cmocka_unit_test(redundant_pairs_are_noted),
        cmocka_unit_test(a_singular_configuration_is_revealed),
        cmocka_unit_test(bad_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
