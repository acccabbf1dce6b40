// Ten masses on top of each other, thrown apart, rub at ten interfaces. All reactions are resolved
// together in every step; printed is when each interface comes to rest for good.
#include <stdio.h>

#include <stiction/stiction.h>

enum { MASSES = 10 };

int main(void)
{
    static const double thrown[MASSES] = {2, -1, 3, 0, 1, -2, 4, 1, 0, -3}; // m/s
    const double T = 1e-4;
    StiAdmittanceId masses[MASSES];
    StiPlan *plan = sti_plan_create();
    sti_plan_set_step(plan, T);
    for (int i = 0; i < MASSES; ++i) {
        char name[32];
        snprintf(name, sizeof name, "mass%d", i);
        masses[i] = sti_plan_add_admittance(plan, name, &sti_kind_point_mass,
                                            &(StiPointMass){.dim = 1,
                                                            .mass = 1.0,
                                                            .velocity = {thrown[i]}});
        const StiWire wire = i == 0 ? sti_wire_coordinate(masses[0], 0, 1)
                                    : sti_wire_coordinate_pair(masses[i], 0, masses[i - 1], 0, 1);
        const double level = (0.1 + 0.03 * i) * (MASSES - i) * 9.81; // mu times the weight above
        snprintf(name, sizeof name, "interface%d", i);
        sti_plan_add_reaction(plan, name, &sti_kind_finite_time,
                              &(StiFiniteTime){.dim = 1, .law = sti_law_coulomb(level)}, &wire);
    }
    StiNetwork *network;
    if (sti_plan_compile(plan, NULL, &network) != STI_OK) return 1;
    sti_plan_destroy(plan);

    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    double moved[MASSES] = {0.0}; // when each interface was last seen to slip
    for (int k = 1; k <= 10000; ++k) {
        if (sti_step(network, NULL, state, scratch) != STI_OK) return 1;
        double below = 0.0;
        for (int i = 0; i < MASSES; ++i) {
            const double v = *sti_state_velocities(state, network, masses[i]);
            if (v != below) moved[i] = sti_network_time(network, k); // exact: stuck means zero
            below = v;
        }
    }
    for (int i = 0; i < MASSES; ++i) printf("interface %d locks at %.4f s\n", i, moved[i] + T);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_network_destroy(network);
    return 0;
}
