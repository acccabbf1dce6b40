// Robots with joint friction and contact under the solver `coupled` (COUPLED 4.2, 4.3).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/scenes/contact_scenes.h"

// First joint after 32 ms as in COUPLED 4.3; two other simulators agree to 1e-5.
static void the_chain_falls_as_it_should(void **state)
{
    (void)state;
    const int counts[] = {1, 2, 3, 10, 20, 50, 100};
    const double expected[] = {0.0, 0.0, 0.02387, 0.01961, 0.01958, 0.01951, 0.01938};
    for (int i = 0; i < 7; ++i) {
        Chain chain = chain_plan(counts[i], 0.05, 1e-3);
        Rig rig = rig_of(chain.plan);
        assert_ptr_equal(sti_network_solver(rig.network), &sti_solver_coupled);
        int trials = 0, unsolved = 0, most = 0;
        double power = -1e300;
        for (int k = 0; k < 32; ++k) {
            rig_step(&rig);
            const StiStepFigures f = sti_scratch_figures(rig.scratch);
            trials += f.trials;
            unsolved += f.unsolved + f.unsettled_joints;
            if (f.trials > most) most = f.trials;
            power = fmax(power, f.reaction_power);
        }
        print_message("n %d: q0 %.5f (expected %.5f), trials %.2f most %d, unsolved %d, power %g\n",
                      counts[i], rig_x(&rig, chain.id)[0], expected[i], trials / 32.0, most,
                      unsolved, power);
        assert_true(fabs(rig_x(&rig, chain.id)[0] - expected[i]) < 1.1e-5);
        assert_int_equal(unsolved, 0);
        assert_true(power < 1e-12);
        rig_free(&rig);
        sti_robot_destroy(chain.robot);
    }
}

static void the_chain_comes_to_rest(void **state)
{
    (void)state;
    Chain chain = chain_plan(5, 0.05, 1e-3);
    Rig rig = rig_of(chain.plan);
    double workspace[2048], before = 1e300, rise = 0.0, rest[5];
    int resting = -1, unsolved = 0;
    const int steps = rig_short() ? 6000 : 20000;
    for (int k = 0; k < steps; ++k) {
        rig_step(&rig);
        const double *q = rig_x(&rig, chain.id), *v = rig_v(&rig, chain.id);
        const double E =
            sti_robot_energy(chain.robot, sti_vec3(0.0, 0.0, -GRAVITY), q, v, workspace);
        rise = fmax(rise, E - before);
        before = E;
        unsolved += sti_scratch_figures(rig.scratch).unsolved;
        bool still = true;
        for (int i = 0; i < 5; ++i) still = still && v[i] == 0.0;
        if (still && resting < 0) {
            resting = k;
            for (int i = 0; i < 5; ++i) rest[i] = q[i];
        }
        if (!still) resting = -1;
    }
    print_message("rests from step %d, energy rose by %g at most, unsolved %d\n", resting, rise,
                  unsolved);
    assert_true(resting >= 0 && resting < 4000);
    for (int i = 0; i < 5; ++i) assert_true(rig_x(&rig, chain.id)[i] == rest[i]);
    assert_true(rise < 1e-9);
    rig_free(&rig);
    sti_robot_destroy(chain.robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chain_falls_as_it_should),
        cmocka_unit_test(the_chain_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
