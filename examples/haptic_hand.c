// A real-time loop: each millisecond a hand's force comes in and the object's position goes out.
// The object of 2 kg lies on a rough plane (6 N): it follows the hand, stands when pushed too
// weakly, and does not creep.
#include <stdio.h>

#include <stiction/stiction.h>

// What a device driver would read.
static void read_hand(double t, double force[2])
{
    force[0] = t < 1.0 ? 9.0 : t < 2.5 ? 3.0 : 0.0;
    force[1] = t < 2.5 ? 0.0 : 8.0;
}

int main(void)
{
    StiPlan *plan = sti_plan_create();
    const StiAdmittanceId object = sti_plan_add_admittance(plan, "object", &sti_kind_point_mass,
                                                           &(StiPointMass){.dim = 2, .mass = 2.0});
    const StiWire plane = sti_wire_coordinate(object, 0, 2);
    sti_plan_add_reaction(plan, "friction", &sti_kind_finite_time,
                          &(StiFiniteTime){.dim = 2, .law = sti_law_coulomb(6.0)}, &plane);
    const StiElementId push = sti_plan_add_impedance(plan, "push", &sti_kind_force_source,
                                                     &(StiForceSource){.dim = 2}, &plane);
    const StiSourceId hand = sti_plan_add_input(plan, "hand", 2, NULL); // usually no force
    sti_plan_connect(plan, sti_signal_source(hand, 0), push, 0);
    sti_plan_connect(plan, sti_signal_source(hand, 1), push, 1);
    StiNetwork *network;
    if (sti_plan_compile(plan, NULL, &network) != STI_OK) return 1;
    sti_plan_destroy(plan);

    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    const double *p = sti_state_positions(state, network, object);
    const double *v = sti_state_velocities(state, network, object);
    printf("  t s     x m     y m  vx m/s  vy m/s\n");
    for (int k = 0; k < 3500; ++k) {
        double inputs[2];
        read_hand(sti_network_time(network, k), inputs + sti_network_input(network, "hand"));
        if (sti_step(network, inputs, state, scratch) != STI_OK) return 1;
        if ((k + 1) % 500 == 0)
            printf("%5.1f  %6.3f  %6.3f  %6.3f  %6.3f\n", sti_network_time(network, k + 1), p[0],
                   p[1], v[0], v[1]);
    }
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_network_destroy(network);
    return 0;
}
