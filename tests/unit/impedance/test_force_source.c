#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "stiction/spring.h"
#include "stiction/wire.h"

static const StiImpedanceKind *const kind = &sti_kind_force_source;

static void side_a_receives_the_signal(void **state)
{
    (void)state;
    const StiForceSource p = {3};
    const StiStage stage = {.tau = 0.0};
    const double signals[3] = {1.0, -2.0, 4.0};
    const StiMotion xhat = {NULL, NULL, signals};
    const StiWire wire =
        sti_wire_coordinate_pair((StiAdmittanceId){1}, 0, (StiAdmittanceId){2}, 0, 3);
    double u[3], to_a[3] = {0.0}, to_b[3] = {0.0};
    const StiForce force_a = {.generalized = to_a}, force_b = {.generalized = to_b};
    const StiSide side = {NULL, NULL, NULL};
    assert_int_equal(kind->eval(&p, &stage, &xhat, NULL, NULL, u, NULL), STI_OK);
    wire.kind->apply(&wire, &side, &side, u, &force_a, &force_b);
    for (int i = 0; i < 3; ++i) assert_true(to_a[i] == signals[i] && to_b[i] == -signals[i]);
}

static void it_looks_at_signals_only(void **state)
{
    (void)state;
    const StiForceSource p = {6};
    const StiImpedanceSize size = kind->size(&p);
    assert_true(size.positions == 0 && size.velocities == 6 && size.signals == 6);
    assert_true(size.memory == 0 && size.discrete == 0 && kind->stored == NULL);
    const StiStage stage = {.tau = 1.0};
    double Z[36];
    for (int i = 0; i < 36; ++i) Z[i] = 1.0;
    kind->tangent(&p, &stage, NULL, NULL, NULL, Z);
    for (int i = 0; i < 36; ++i) assert_true(Z[i] == 0.0);
}

static void a_force_without_components_is_refused(void **state)
{
    (void)state;
    for (int dim = -1; dim <= 24; ++dim) {
        StiReport *report = sti_report_create();
        const StiCheck check = {.report = report, .component = "force"};
        kind->info.check(&(StiForceSource){dim}, &check);
        assert_int_equal(sti_report_error_count(report), dim < 1);
        sti_report_destroy(report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(side_a_receives_the_signal),
        cmocka_unit_test(it_looks_at_signals_only),
        cmocka_unit_test(a_force_without_components_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
