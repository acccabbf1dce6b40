// Friction of every kind in the joints of a linkage: it only takes energy, the account closes to
// rounding, and joints that share one freedom stick and let go together.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "support/linkages.h"
#include "support/live_scene.h"
#include "support/near.h"
#include "support/scenes/pushed_four_bar.h"
#include "support/short.h"
#include "unit/scene/scenes.h"

static LiveScene open_run(const char *const *sets, int count)
{
    const StiSceneOptions options = {.sets = sets, .set_count = count};
    return live_scene_open(good_scene_with(pushed_four_bar, &options));
}

static void assert_account_closes(LiveScene *run)
{
    const StiEnergy energy = sti_recorder_energy(run->recorder);
    assert_true(energy.dissipated > 0.01);
    assert_near(energy.residual, 0.0, 1e-13 * (energy.dissipated + energy.stored_start));
}

// mu_s > mu_d on one freedom: either all four joints stick, or none. They let go at the start, and hold
// twice, for 0.1 and 0.03 s.
static void stick_and_let_go(const char *method)
{
    const char *const sets[] = {"friction.mu_static=0.4", method};
    static const char *const sticks[] = {"a.friction.stick", "b.friction.stick", "c.friction.stick",
                                         "d.friction.stick"};
    static const char *const losses[] = {"a.friction.dissipated", "b.friction.dissipated",
                                         "c.friction.dissipated", "d.friction.dissipated"};
    LiveScene run = open_run(sets, 2);
    double before = 1.0, held = 0.0, angle = live_scene_value(&run, "a.q"), dissipated[4] = {0.0};
    int changes = 0;
    for (int k = 0; k < 3500; ++k) {
        live_scene_go(&run, 1);
        const double stuck = live_scene_value(&run, sticks[0]);
        for (int i = 1; i < 4; ++i) assert_true(live_scene_value(&run, sticks[i]) == stuck);
        if (stuck == 1.0 && before == 1.0) assert_near(live_scene_value(&run, "a.q"), angle, 1e-15);
        held += stuck;
        changes += stuck != before;
        before = stuck;
        angle = live_scene_value(&run, "a.q");
        for (int i = 0; i < 4; ++i) {
            const double now = live_scene_value(&run, losses[i]);
            assert_true(now >= dissipated[i]);
            dissipated[i] = now;
        }
    }
    assert_true(changes >= 5);
    assert_true(held > 100.0); // not only where the direction turns
    assert_account_closes(&run);
    live_scene_close(&run);
}

static void joints_stick_and_let_go_together(void **state)
{
    (void)state;
    stick_and_let_go("method=rule");
    stick_and_let_go("method=cut");
}

static void every_model_takes_energy(void **state)
{
    (void)state;
    static const char *const models[][4] = {
        {"friction.model=lugre", "friction.stiffness=1e4", "friction.damping=1", "step=1e-3"},
        {"friction.model=elastoplastic", "friction.stiffness=1e4", "friction.damping=0",
         "step=1e-3"},
        {"friction.model=elastic-coulomb", "friction.stiffness=1e4", "step=1e-3", "step=1e-3"},
        {"friction.model=dahl", "friction.stiffness=1e3", "friction.alpha=0.5", "step=1e-3"},
        {"friction.model=dahl", "friction.stiffness=1e3", "friction.alpha=2", "step=1e-3"},
    };
    const int steps = (int)steps_or(2000, 600);
    for (size_t i = 0; i < sizeof models / sizeof *models; ++i) {
        LiveScene run = open_run(models[i], 4);
        for (int k = 0; k < steps; ++k) live_scene_go(&run, 1);
        assert_account_closes(&run);
        live_scene_close(&run);
    }
}

// A pin that is off by C and drifts by C' comes back with C'' = -2 a C' - a^2 C.
static void baumgarte_leads_back(void **state)
{
    (void)state;
    const double a = 50.0, C = 1e-3, rate = 0.02;
    const StiPlanarBody rod = rod_between("rod", 2.0, (StiVec2){0.0, 0.0}, (StiVec2){0.6, 0.0});
    const StiPlanarPair pin = pin_of("pin", 0, -0.3, -1, (StiVec2){0.0, 0.0});
    const StiLinkageDesign design = {.bodies = &rod,
                                     .body_count = 1,
                                     .pairs = &pin,
                                     .pair_count = 1,
                                     .drift = STI_DRIFT_BAUMGARTE,
                                     .baumgarte_rate = a};
    const StiLinkageForce weight = {.gravity = test_gravity};
    StiLinkage *linkage = sti_linkage_create(&design, NULL);
    assert_non_null(linkage);
    double *workspace = calloc((size_t)sti_linkage_workspace(linkage), sizeof *workspace);
    const double q[3] = {0.3 + C, 0.0, 0.0}, v[3] = {rate, 0.0, 0.0};
    double vdot[3];
    assert_int_equal(sti_linkage_forward(linkage, q, v, NULL, &weight, NULL, vdot, NULL, NULL, NULL,
                                         workspace),
                     STI_OK);
    assert_near(vdot[0], -2.0 * a * rate - a * a * C, 1e-11);
    assert_near(vdot[1] - 0.3 * vdot[2], 0.0, 1e-11);
    free(workspace);
    sti_linkage_destroy(linkage);
}

// Two rods fixed end to end move as the one rod that they are.
static void fixed_bodies_move_as_one(void **state)
{
    (void)state;
    const StiVec2 o = {0.0, 0.0}, half = {0.3, 0.0}, whole = {0.6, 0.0};
    const StiPlanarBody two[2] = {rod_between("near", 1.0, o, half),
                                  rod_between("far", 1.0, half, whole)};
    const StiPlanarBody one = rod_between("rod", 2.0, o, whole);
    const StiPlanarPair pairs[2] = {pin_of("pin", 0, -0.15, -1, o),
                                    {.name = "weld",
                                     .type = STI_PAIR_FIXED,
                                     .body = 1,
                                     .other = 0,
                                     .at = {-0.15, 0.0},
                                     .at_other = {0.15, 0.0}}};
    const StiPlanarPair pin = pin_of("pin", 0, -0.3, -1, o);
    const StiLinkageDesign designs[2] = {
        {.bodies = two, .body_count = 2, .pairs = pairs, .pair_count = 2},
        {.bodies = &one, .body_count = 1, .pairs = &pin, .pair_count = 1}};
    const StiLinkageForce weight = {.gravity = test_gravity};
    double vdot[2][6], reaction[2];
    for (int i = 0; i < 2; ++i) {
        double q[6], v[6];
        StiPairLoad loads[2];
        StiLinkage *linkage = sti_linkage_create(&designs[i], NULL);
        assert_non_null(linkage);
        double *workspace = calloc((size_t)sti_linkage_workspace(linkage), sizeof *workspace);
        sti_linkage_start(linkage, q, v);
        for (int b = 0; b < designs[i].body_count; ++b) { // 2 rad/s about the pin
            v[3 * b] = 0.0;
            v[3 * b + 1] = 2.0 * q[3 * b];
            v[3 * b + 2] = 2.0;
        }
        assert_int_equal(sti_linkage_forward(linkage, q, v, NULL, &weight, NULL, vdot[i], loads,
                                             NULL, NULL, workspace),
                         STI_OK);
        reaction[i] = loads[0].reaction;
        free(workspace);
        sti_linkage_destroy(linkage);
    }
    assert_near(vdot[0][2], vdot[1][2], 1e-11);
    assert_near(vdot[0][5], vdot[1][2], 1e-11);
    assert_near(reaction[0], reaction[1], 1e-11);
    assert_near(vdot[1][2], -1.5 * 9.81 / 0.6, 1e-11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_stick_and_let_go_together),
        cmocka_unit_test(every_model_takes_energy),
        cmocka_unit_test(baumgarte_leads_back),
        cmocka_unit_test(fixed_bodies_move_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
