// Contact modes of a slider: force and moment balance, and which mode it is. [dahl] (20)-(23), Fig. 10
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "stiction/linkage.h"
#include "support/near.h"

static void corners_balance_force_and_moment(void **state)
{
    (void)state;
    const double front = 0.3, rear = 0.2;
    for (int i = 0; i < 400; ++i) {
        const double N0 = 10.0 * sin(1.7 * i), M0 = 4.0 * cos(2.3 * i), e = M0 / N0;
        const StiSliderContact c = sti_slider_contact(N0, M0, front, rear);
        assert_near(c.N_front + c.N_rear, N0, 1e-13);
        assert_near(front * c.N_front - rear * c.N_rear, M0, 1e-13);
        const bool inside = e <= front && e >= -rear;
        assert_int_equal(c.mode, inside ? (N0 > 0.0 ? 1 : 2) : c.N_rear > 0.0 ? 3 : 4);
        if (inside)
            assert_near(c.e, e, 0.0);
        else
            assert_true(fabs(c.N_front) + fabs(c.N_rear) > fabs(N0));
        // (22), (23) as they must be: forces on opposite faces, both positive.
        if (c.mode == 3) assert_near(c.N_rear, (front * N0 - M0) / (front + rear), 1e-13);
        if (c.mode == 4) assert_near(c.N_front, (rear * N0 + M0) / (front + rear), 1e-13);
    }
}

static void nothing_touches_in_mode_5(void **state)
{
    (void)state;
    const StiSliderContact c = sti_slider_contact(0.0, 0.0, 0.1, 0.1);
    assert_int_equal(c.mode, 5);
    assert_near(fabs(c.N_front) + fabs(c.N_rear), 0.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(corners_balance_force_and_moment),
                                       cmocka_unit_test(nothing_touches_in_mode_5)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
