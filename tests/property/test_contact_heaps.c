// Heaps: what does not touch does not feel, to the last bit. Towers of boxes in one network, and
// each in its own.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include <stiction/stiction.h>

#include "support/plan.h"
#include "support/short.h"

enum { TOWERS = 4, HEIGHT = 3 };
static const StiVec3 half = {0.05, 0.05, 0.05};

static StiContactShape box_on(StiAdmittanceId body)
{
    return (StiContactShape){body, 0, sti_shape_box((StiFrame){.q = STI_QUAT_IDENTITY}, half)};
}

// Leaning more from tower to tower: some stand, some fall over.
static StiAdmittanceId add_box(StiPlan *plan, int tower, int floor)
{
    char name[32];
    snprintf(name, sizeof name, "box%d%d", tower, floor);
    const double inertia = 1.0 / 600.0, lean = 0.012 * tower;
    return sti_plan_add_admittance(plan, name, &sti_kind_rigid_body,
                                   &(StiRigidBody){.mass = 1.0,
                                                   .inertia = {inertia, inertia, inertia},
                                                   .position = {0.4 * tower, lean * floor,
                                                                0.05 + 0.1001 * floor}});
}

// Towers from..to - 1; returns the network, tops[i]: the highest box of tower from + i.
static StiNetwork *build(int from, int to, StiAdmittanceId *tops)
{
    StiPlan *plan = plan_in_stages();
    StiContactShape boxes[TOWERS * HEIGHT];
    const StiContactShape ground = {{-1}, 0, sti_shape_plane(sti_vec3(0, 0, 0), sti_vec3(0, 0, 1))};
    int count = 0;
    sti_plan_set_step(plan, 1e-3);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -9.81));
    for (int i = from; i < to; ++i)
        for (int k = 0; k < HEIGHT; ++k) {
            tops[i - from] = add_box(plan, i, k);
            boxes[count++] = box_on(tops[i - from]);
        }
    sti_plan_add_contact(
        plan, "ground",
        &(StiContact){.a = boxes, .a_count = count, .b = &ground, .b_count = 1, .mu = 0.5});
    sti_plan_add_contact(plan, "boxes", &(StiContact){.a = boxes, .a_count = count, .mu = 0.5});
    StiNetwork *network = NULL;
    assert_int_equal(sti_plan_compile(plan, NULL, &network), STI_OK);
    sti_plan_destroy(plan);
    return network;
}

// Where the highest boxes end.
static void run(int from, int to, long steps, double (*ends)[3])
{
    StiAdmittanceId tops[TOWERS];
    StiNetwork *network = build(from, to, tops);
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    assert_int_equal(sti_run(network, NULL, state, scratch, steps), STI_OK);
    for (int i = 0; i < to - from; ++i)
        for (int d = 0; d < 3; ++d) ends[i][d] = sti_state_positions(state, network, tops[i])[d];
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_network_destroy(network);
}

static void towers_do_not_feel_each_other(void **unused)
{
    (void)unused;
    const long steps = steps_or(300, 60);
    double together[TOWERS][3], alone[1][3];
    run(0, TOWERS, steps, together);
    for (int i = 0; i < TOWERS; ++i) {
        run(i, i + 1, steps, alone);
        for (int d = 0; d < 3; ++d) assert_true(together[i][d] == alone[0][d]);
    }
    assert_true(fabs(together[0][2] - 0.25) < 2e-4);                        // stands
    assert_true(together[TOWERS - 1][2] < (steps == 300 ? 0.245 : 0.2499)); // falls
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(towers_do_not_feel_each_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
