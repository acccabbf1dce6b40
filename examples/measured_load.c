// Friction from a measured load: a block on a horizontal guide is pulled along by 6 N and pressed
// down by a changing force. The guide offers what it carries as a signal, and the friction's level
// is mu times that. Once the pressing ends, the block slides; pressed again, it stops and holds.
#include <stdio.h>

#include <stiction/stiction.h>

// World axes x, y, z: pulled along x, pressed along -z.
static void hand(const void *data, void *workspace, double t, double *force)
{
    (void)data, (void)workspace;
    force[0] = 6.0;
    force[1] = 0.0;
    force[2] = t < 1.0 || t >= 2.0 ? -30.0 : 0.0;
}

int main(void)
{
    StiPlan *plan = sti_plan_create();
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -9.81));
    const StiAdmittanceId block =
        sti_plan_add_admittance(plan, "block", &sti_kind_guided_block,
                                &(StiGuidedBlock){.mass = 1.0, .axis = {1.0, 0.0, 0.0}});
    const StiWire along = sti_wire_coordinate(block, 0, 1);
    const StiVec3 centre = sti_vec3(0.0, 0.0, 0.0);
    const StiWire in_space = sti_wire_point(block, 0, centre, centre, 3);
    sti_plan_add_force(plan, "hand", &in_space, 3, (StiTimeFunction){.count = 3, .eval = hand});
    // A coefficient instead of a level, and the signal that it multiplies.
    const StiFiniteTime rough = {.dim = 1, .law = sti_law_times_load(sti_law_coulomb(0.3))};
    const StiElementId friction =
        sti_plan_add_reaction(plan, "friction", &sti_kind_finite_time, &rough, &along);
    sti_plan_connect(plan, sti_signal_load(block, 0), friction, 0);
    StiNetwork *network;
    if (sti_plan_compile(plan, NULL, &network) != STI_OK) return 1;
    sti_plan_destroy(plan);

    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    StiRecorder *recorder = sti_recorder_create(network);
    const int load = sti_network_channel_find(network, "block.load");
    const int force = sti_network_channel_find(network, "friction.force");
    const int v = sti_network_channel_find(network, "block.v");
    if (sti_recorder_begin(recorder, state, NULL, scratch) != STI_OK) return 1;
    printf(" t s   load N  friction N   v m/s\n");
    for (int k = 1; k <= 3000; ++k) {
        if (sti_step(network, NULL, state, scratch) != STI_OK) return 1;
        sti_recorder_follow(recorder, state, scratch);
        if (k % 500 == 250)
            printf("%.2f  %7.3f  %10.3f  %6.3f\n", sti_network_time(network, k),
                   sti_recorder_value(recorder, load), sti_recorder_value(recorder, force),
                   sti_recorder_value(recorder, v));
    }
    sti_recorder_destroy(recorder);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_network_destroy(network);
    return 0;
}
