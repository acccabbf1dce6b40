// The six-axis arm that must hold still. Include after cmocka.h.
#ifndef STICTION_TESTS_SCENES_SHAKEN_ARM_H
#define STICTION_TESTS_SCENES_SHAKEN_ARM_H

#include <math.h>

#include "support/scenes/rig.h"
#include "support/scenes/six_axis.h"

static inline void assert_arm_holds(int64_t steps)
{
    SixAxisMotors motors;
    Rig rig = rig_of(six_axis_plan(&motors, 0.8, false, 1e-3));
    rig_run(&rig, steps);
    const double *q = sti_state_positions(rig.state, rig.network, (StiAdmittanceId){1});
    const double *v = sti_state_velocities(rig.state, rig.network, (StiAdmittanceId){1});
    for (int i = 0; i < SIX_AXES; ++i) {
        assert_true(q[i] == six_axis_pose[i]);
        assert_true(v[i] == 0.0);
    }
    rig_free(&rig);
}

// The sudden start makes the gears swing; after that the anchors q - e must stay.
static inline void assert_anchors_hold(int64_t steps)
{
    SixAxisMotors motors;
    Rig rig = rig_of(six_axis_plan(&motors, 0.5, true, 1e-4));
    rig_run(&rig, 10000);
    const double *q = sti_state_positions(rig.state, rig.network, (StiAdmittanceId){1});
    const double *e[SIX_AXES];
    double anchors[SIX_AXES], most = 0.0;
    for (int i = 0; i < SIX_AXES; ++i) {
        e[i] = sti_state_memory(rig.state, rig.network, (StiElementId){2 + i}); // after the motors
        anchors[i] = q[i] - e[i][0];
    }
    rig_run(&rig, steps);
    for (int i = 0; i < SIX_AXES; ++i) most = fmax(most, fabs(q[i] - e[i][0] - anchors[i]));
    print_message("anchors walked by at most %g rad in %lld steps\n", most, (long long)steps);
    assert_true(most <= 1e-12);
    rig_free(&rig);
}

#endif
