// A block on a rough table, pulled by a spring whose end moves 2 m/s for two seconds and then
// stops.
#include <math.h>
#include <stdio.h>

#include <stiction/stiction.h>

static void pull(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 2.0 * fmin(t, 2.0);  // position of the hand, m
    values[1] = t < 2.0 ? 2.0 : 0.0; // its velocity, m/s
}

int main(void)
{
    StiPlan *plan = sti_plan_create();
    StiAdmittanceId hand =
        sti_plan_add_motion(plan, "hand", 1, (StiTimeFunction){.count = 2, .eval = pull});
    StiAdmittanceId block = sti_plan_add_admittance(plan, "block", &sti_kind_point_mass,
                                                    &(StiPointMass){.dim = 1, .mass = 1.0});
    StiWire between = sti_wire_coordinate_pair(block, 0, hand, 0, 1),
            on_table = sti_wire_coordinate(block, 0, 1);
    sti_plan_add_impedance(plan, "spring", &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = 1, .K = 90.0}, &between);
    sti_plan_add_reaction(plan, "friction", &sti_kind_finite_time,
                          &(StiFiniteTime){.dim = 1, .law = sti_law_coulomb(10.0)}, &on_table);
    StiNetwork *network;
    if (sti_plan_compile(plan, NULL, &network) != STI_OK) return 1;
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    if (sti_run(network, NULL, state, scratch, 4000) != STI_OK) return 1; // 4 s at 1 ms
    printf("x = %.6f m, v = %g m/s\n", *sti_state_positions(state, network, block),
           *sti_state_velocities(state, network, block));
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_network_destroy(network);
    sti_plan_destroy(plan);
    return 0;
}
