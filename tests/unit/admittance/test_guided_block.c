#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "body_laws.h"

static const StiAdmittanceKind *const kind = &sti_kind_guided_block;

static double load_of(const StiGuidedBlock *p, StiVec3 gravity, BodyForce *force,
                      double *acceleration)
{
    const StiStage stage = {.gravity = gravity};
    const StiForce uhat = force_view(force);
    const double q = 0.3, v = -0.7;
    double qdot, load;
    const StiStatus status = kind->eval(p, &stage, &q, &v, NULL, &uhat, &qdot, acceleration, &load);
    assert_int_equal(status, STI_OK);
    assert_true(qdot == v);
    return load;
}

static void keeps_the_laws_of_bodies(void **state)
{
    (void)state;
    Random random = {12};
    for (int trial = 0; trial < 300; ++trial) {
        const StiVec3 axis = random_vec3(&random, 2.0), origin = random_vec3(&random, 1.0);
        const StiGuidedBlock p = {.mass = random_decades(&random, 0.1, 10.0),
                                  .axis = {axis.x, axis.y, axis.z},
                                  .origin = {origin.x, origin.y, origin.z}};
        assert_body_laws(&random, kind, &p);
    }
}

static void on_an_incline_gravity_splits_into_drive_and_load(void **state)
{
    (void)state;
    const StiGuidedBlock p = {.mass = 2.0, .axis = {4.0, 0.0, 3.0}};
    BodyForce none = {.generalized = {0.0}};
    double acceleration;
    assert_near(load_of(&p, sti_vec3(0.0, 0.0, -10.0), &none, &acceleration), 16.0, 1e-14);
    assert_near(acceleration, -6.0, 1e-14);
}

static void load_is_the_force_across_and_nothing_else(void **state)
{
    (void)state;
    Random random = {13};
    for (int trial = 0; trial < 300; ++trial) {
        const StiVec3 axis = random_vec3(&random, 2.0), gravity = random_vec3(&random, 10.0);
        const StiGuidedBlock p = {.mass = 1.5, .axis = {axis.x, axis.y, axis.z}};
        BodyForce force = random_force(&random, kind, &p);
        double acceleration, same;
        const double load = load_of(&p, gravity, &force, &acceleration);
        // |F x axis|, with weight and link force together.
        const StiVec3 F = sti_vec3_add(force.link.force, sti_vec3_scale(p.mass, gravity));
        const double across = sti_vec3_norm(sti_vec3_cross(F, axis)) / sti_vec3_norm(axis);
        assert_near(load, across, 1e-13);
        // Moments and the generalized force are no load.
        force.generalized[0] += 5.0;
        force.link.moment = sti_vec3(0.0, 0.0, 0.0);
        assert_true(load_of(&p, gravity, &force, &same) == load);
        assert_near(same - acceleration, 5.0 / p.mass, 1e-13);
    }
}

static void starts_and_is_seen_along_its_axis(void **state)
{
    (void)state;
    const StiGuidedBlock p = {.mass = 1.0,
                              .axis = {0.0, 2.0, 0.0},
                              .origin = {1.0, 2.0, 3.0},
                              .position = 0.5,
                              .velocity = -4.0};
    const char *const names[] = {"x", "v"};
    double q, v, values[2];
    StiFrame link;
    kind->start(&p, &q, &v);
    kind->pose(&p, &q, &v, NULL, &link);
    kind->observe(&p, &q, &v, NULL, values);
    assert_channels(kind, &p, 2, names);
    assert_true(values[0] == 0.5 && values[1] == -4.0);
    assert_true(link.p.x == 1.0 && link.p.y == 2.5 && link.p.z == 3.0 && link.v.y == -4.0);
}

static void locked_it_stays_and_added_inertia_counts(void **state)
{
    (void)state;
    const StiGuidedBlock p = {.mass = 2.0, .axis = {1.0, 0.0, 0.0}};
    const bool locked = true;
    const double added = 2.0, negative = -2.0;
    double prepared, dv;
    BodyForce force = {.generalized = {8.0}};
    const StiForce view = force_view(&force);
    assert_int_equal(kind->prepare(&p, NULL, NULL, &added, &prepared), STI_OK);
    kind->respond(&p, &prepared, NULL, &view, &dv);
    assert_true(dv == 2.0);
    assert_int_equal(kind->prepare(&p, NULL, &locked, &added, &prepared), STI_OK);
    kind->respond(&p, &prepared, NULL, &view, &dv);
    assert_true(dv == 0.0);
    assert_int_equal(kind->prepare(&p, NULL, NULL, &negative, &prepared), STI_BAD_ARGUMENT);
}

static void a_guide_without_direction_is_refused(void **state)
{
    (void)state;
    const StiGuidedBlock none = {.mass = 1.0}, good = {.mass = 1.0, .axis = {0.0, 0.0, 1e-3}};
    assert_int_equal(findings_of(kind, &none, true), 1);
    assert_int_equal(findings_of(kind, &good, true), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_laws_of_bodies),
        cmocka_unit_test(on_an_incline_gravity_splits_into_drive_and_load),
        cmocka_unit_test(load_is_the_force_across_and_nothing_else),
        cmocka_unit_test(starts_and_is_seen_along_its_axis),
        cmocka_unit_test(locked_it_stays_and_added_inertia_counts),
        cmocka_unit_test(a_guide_without_direction_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
