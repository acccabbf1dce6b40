// [modular] Simulation I: a ball is thrown along a rough floor. It slides, and friction spins it up
// until it rolls; the run is written to out/rolling_sphere.csv.
#include <stdio.h>

#include <stiction/stiction.h>

static StiPlan *describe(StiAdmittanceId *ball)
{
    const double M = 0.3, R = 0.2, J = 0.4 * M * R * R, K = 1e7; // kg, m, kg m^2, N/m
    StiPlan *plan = sti_plan_create();
    sti_plan_set_step(plan, 1e-4);
    sti_plan_set_method(plan, &sti_method_rk4);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -9.8));
    *ball = sti_plan_add_admittance(plan, "ball", &sti_kind_rigid_body,
                                    &(StiRigidBody){.mass = M,
                                                    .inertia = {J, J, J},
                                                    .position = {0.0, 0.0, R - M * 9.8 / K},
                                                    .velocity = {2.0, 0.0, 0.0}});
    const StiVec3 origin = sti_vec3(0.0, 0.0, 0.0), up = sti_vec3(0.0, 0.0, 1.0);
    const StiWire floor = sti_wire_sphere_plane(*ball, 0, origin, R, origin, up);
    sti_plan_add_impedance(plan, "contact", &sti_kind_soft_contact,
                           &(StiSoftContact){.points = 1, .K = K, .B = 10.0, .mu = 0.1}, &floor);
    return plan;
}

int main(void)
{
    static const char *const names[] = {"ball.x",     "ball.vx",    "ball.wy",
                                        "contact.fn", "contact.ft", "contact.stick"};
    enum { COLUMNS = sizeof names / sizeof names[0] };
    StiAdmittanceId ball;
    StiPlan *plan = describe(&ball);
    StiNetwork *network;
    if (sti_plan_compile(plan, NULL, &network) != STI_OK) return 1;
    sti_plan_destroy(plan);

    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    StiRecorder *recorder = sti_recorder_create(network);
    int channels[COLUMNS];
    for (int i = 0; i < COLUMNS; ++i) channels[i] = sti_network_channel_find(network, names[i]);
    StiCsv *csv = sti_csv_open("out/rolling_sphere.csv", network, channels, COLUMNS);
    if (csv == NULL) {
        fputs("cannot write out/rolling_sphere.csv: make the folder out first\n", stderr);
        return 1;
    }
    double rolls = 0.0; // since when
    sti_recorder_begin(recorder, state, NULL, scratch);
    for (int k = 0; k < 10000; ++k) {
        if (k % 10 == 0) sti_csv_row(csv, sti_network_time(network, k), recorder);
        if (sti_step(network, NULL, state, scratch) != STI_OK) return 1;
        sti_recorder_follow(recorder, state, scratch);
        const bool sticks = sti_recorder_value(recorder, channels[5]) == 1.0;
        if (!sticks) rolls = sti_network_time(network, k + 1);
    }
    printf("rolls from %.3f s on, at %.6f m/s (exact: 0.583 s, 10/7 m/s)\n", rolls,
           *sti_state_velocities(state, network, ball));
    const StiEnergy energy = sti_recorder_energy(recorder);
    printf("of %.4f J the friction took %.4f J\n", 0.5 * 0.3 * 2.0 * 2.0, energy.dissipated);
    const StiStatus closed = sti_csv_close(csv);
    sti_recorder_destroy(recorder);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_network_destroy(network);
    return closed == STI_OK ? 0 : 1;
}
