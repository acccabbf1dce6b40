#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "body_laws.h"

static const StiAdmittanceKind *const kind = &sti_kind_motion_source;

static void has_signals_and_nothing_to_integrate(void **state)
{
    (void)state;
    for (int dim = 1; dim <= 3; ++dim) {
        const StiMotionSource p = {.dim = dim};
        const StiAdmittanceSize size = kind->size(&p);
        assert_true(size.positions == 0 && size.velocities == 0 && size.prepared == 0);
        assert_true(size.links == 1 && size.loads == 0 && size.signals == 2 * dim);
    }
    assert_true(kind->prescribed);
    assert_true(kind->prepare == NULL && kind->respond == NULL && kind->move == NULL);
}

static void its_link_moves_as_the_signals_say(void **state)
{
    (void)state;
    const double signals[6] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    StiFrame link;
    kind->pose(&(StiMotionSource){.dim = 3}, NULL, NULL, signals, &link);
    assert_true(link.p.x == 1.0 && link.p.y == 2.0 && link.p.z == 3.0);
    assert_true(link.v.x == 4.0 && link.v.y == 5.0 && link.v.z == 6.0);
    kind->pose(&(StiMotionSource){.dim = 1}, NULL, NULL, signals, &link);
    assert_true(link.p.x == 1.0 && link.p.y == 0.0 && link.p.z == 0.0);
    assert_true(link.v.x == 2.0 && link.v.y == 0.0 && link.v.z == 0.0);
    assert_true(link.q.w == 1.0 && link.q.x == 0.0 && sti_vec3_norm(link.w) == 0.0);
}

static void channels_are_those_of_a_point(void **state)
{
    (void)state;
    const char *const names[] = {"x", "y", "vx", "vy"};
    const double signals[4] = {1.0, 2.0, 3.0, 4.0};
    const StiMotionSource p = {.dim = 2};
    double values[4];
    assert_channels(kind, &p, 4, names);
    kind->observe(&p, NULL, NULL, signals, values);
    assert_memory_equal(values, signals, sizeof values);
}

static void eval_has_nothing_to_do(void **state)
{
    (void)state;
    const StiMotionSource p = {.dim = 1};
    const StiStage stage = {.tau = 0.0};
    const StiForce none = {NULL, NULL};
    const double signals[2] = {1.0, 2.0};
    assert_int_equal(kind->eval(&p, &stage, NULL, NULL, signals, &none, NULL, NULL, NULL), STI_OK);
}

static void other_dimensions_are_refused(void **state)
{
    (void)state;
    for (int dim = -1; dim <= 5; ++dim)
        assert_int_equal(findings_of(kind, &(StiMotionSource){.dim = dim}, true), dim < 1 || dim > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_signals_and_nothing_to_integrate),
        cmocka_unit_test(its_link_moves_as_the_signals_say),
        cmocka_unit_test(channels_are_those_of_a_point),
        cmocka_unit_test(eval_has_nothing_to_do),
        cmocka_unit_test(other_dimensions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
