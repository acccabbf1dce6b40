#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "body_laws.h"

static const StiAdmittanceKind *const kind = &sti_kind_point_mass;

static void keeps_the_laws_of_bodies(void **state)
{
    (void)state;
    Random random = {11};
    for (int trial = 0; trial < 300; ++trial) {
        const StiPointMass p = {.dim = 1 + trial % 3, .mass = random_decades(&random, 0.1, 10.0)};
        assert_body_laws(&random, kind, &p);
    }
}

static void starts_where_told_and_reads_zero_on_missing_axes(void **state)
{
    (void)state;
    const StiPointMass p = {.dim = 2,
                            .mass = 1.0,
                            .position = {1.0, 2.0, 9.0},
                            .velocity = {3.0, 4.0, 9.0}};
    double q[3] = {0.0, 0.0, 5.0}, v[3] = {0.0, 0.0, 5.0};
    StiFrame link;
    kind->start(&p, q, v);
    kind->pose(&p, q, v, NULL, &link);
    assert_true(q[0] == 1.0 && q[1] == 2.0 && v[0] == 3.0 && v[1] == 4.0);
    assert_true(q[2] == 5.0 && v[2] == 5.0);
    assert_true(link.p.z == 0.0 && link.v.z == 0.0 && link.q.w == 1.0);
}

static void gravity_acts_along_its_axes(void **state)
{
    (void)state;
    const StiPointMass p = {.dim = 2, .mass = 2.0};
    const BodyState rest = {{0.0}, {0.0}};
    BodyForce force = {.generalized = {4.0, 0.0}, .link = {.force = {6.0, 8.0, 100.0}}};
    const BodyState rate = rates(kind, &p, sti_vec3(1.0, -9.0, -7.0), &rest, &force);
    assert_true(rate.v[0] == 6.0 && rate.v[1] == -5.0);
}

static void locked_axes_stay_and_added_inertia_counts(void **state)
{
    (void)state;
    const StiPointMass p = {.dim = 3, .mass = 2.0};
    const bool locked[3] = {false, true, false};
    const double added[3] = {2.0, 0.0, 6.0};
    double prepared[3], dv[3];
    BodyForce force = {.generalized = {8.0, 8.0, 8.0}};
    const StiForce view = force_view(&force);
    assert_int_equal(kind->prepare(&p, NULL, locked, added, prepared), STI_OK);
    kind->respond(&p, prepared, NULL, &view, dv);
    assert_true(dv[0] == 2.0 && dv[1] == 0.0 && dv[2] == 1.0);
    const double negative[3] = {0.0, -2.0, 0.0};
    assert_int_equal(kind->prepare(&p, NULL, NULL, negative, prepared), STI_BAD_ARGUMENT);
}

static void channels_depend_on_the_dimension(void **state)
{
    (void)state;
    const char *const line[] = {"x", "v"}, *const plane[] = {"x", "y", "vx", "vy"};
    const char *const space[] = {"x", "y", "z", "vx", "vy", "vz"};
    const char *const *const names[] = {line, plane, space};
    const double q[3] = {1.0, 2.0, 3.0}, v[3] = {4.0, 5.0, 6.0};
    for (int dim = 1; dim <= 3; ++dim) {
        const StiPointMass p = {.dim = dim, .mass = 1.0};
        double values[6];
        assert_channels(kind, &p, 2 * dim, names[dim - 1]);
        kind->observe(&p, q, v, NULL, values);
        for (int i = 0; i < dim; ++i) assert_true(values[i] == q[i] && values[dim + i] == v[i]);
    }
}

static void moving_by_nothing_changes_nothing(void **state)
{
    (void)state;
    const StiPointMass p = {.dim = 3, .mass = 1.0};
    const BodyState s = {{0.1, -0.2, 1e300}, {1.0, 2.0, 3.0}};
    assert_move_by_nothing(kind, &p, &s, 3);
}

static void other_dimensions_are_refused(void **state)
{
    (void)state;
    for (int dim = -1; dim <= 5; ++dim) {
        const StiPointMass p = {.dim = dim, .mass = 1.0};
        assert_int_equal(findings_of(kind, &p, true), dim < 1 || dim > 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_laws_of_bodies),
        cmocka_unit_test(starts_where_told_and_reads_zero_on_missing_axes),
        cmocka_unit_test(gravity_acts_along_its_axes),
        cmocka_unit_test(locked_axes_stay_and_added_inertia_counts),
        cmocka_unit_test(channels_depend_on_the_dimension),
        cmocka_unit_test(moving_by_nothing_changes_nothing),
        cmocka_unit_test(other_dimensions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
