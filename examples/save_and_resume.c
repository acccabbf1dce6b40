// A run is saved half-way, restored into another state, and continued with a changed parameter and
// without: continuing gives the same bits as never having stopped.
#include <stdio.h>

#include <stiction/stiction.h>

static void push(const void *data, void *workspace, double t, double *force)
{
    (void)data, (void)workspace;
    force[0] = 4.0 * t;
}

static StiPlan *describe(StiAdmittanceId *block)
{
    StiPlan *plan = sti_plan_create();
    *block = sti_plan_add_admittance(plan, "block", &sti_kind_point_mass,
                                     &(StiPointMass){.dim = 1, .mass = 1.0});
    const StiWire wire = sti_wire_coordinate(*block, 0, 1);
    sti_plan_add_force(plan, "push", &wire, 1, (StiTimeFunction){.count = 1, .eval = push});
    const StiElasticCoulomb rough = {.dim = 1, .law = sti_law_coulomb(3.0), .K = 1e4, .B = 50.0};
    sti_plan_add_impedance(plan, "friction", &sti_kind_elastic_coulomb, &rough, &wire);
    return plan;
}

// From a saved state to 2 s; the hash of all that the next step depends on.
static uint64_t resume(const StiNetwork *network, StiAdmittanceId block, const char *path,
                       double *x)
{
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    uint64_t hash = 0;
    if (sti_state_load(state, path) == STI_OK &&
        sti_run(network, NULL, state, scratch, 2000 - sti_state_k(state)) == STI_OK) {
        *x = *sti_state_positions(state, network, block);
        hash = sti_state_hash(state);
    }
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    return hash;
}

int main(void)
{
    static const char *const path = "out/half_way.state";
    StiAdmittanceId block;
    StiPlan *plan = describe(&block);
    StiNetwork *network, *rougher;
    if (sti_plan_compile(plan, NULL, &network) != STI_OK) return 1;
    // The same layout with one number changed: it adopts the running state.
    if (sti_plan_set(plan, "friction.level", 5.0) != STI_OK) return 1;
    if (sti_plan_compile(plan, NULL, &rougher) != STI_OK) return 1;
    sti_plan_destroy(plan);

    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    if (sti_run(network, NULL, state, scratch, 1000) != STI_OK) return 1;
    if (sti_state_save(state, path) != STI_OK) return 1;
    if (sti_run(network, NULL, state, scratch, 1000) != STI_OK) return 1;
    const double x = *sti_state_positions(state, network, block);
    const uint64_t hash = sti_state_hash(state);

    double again = 0.0, other = 0.0;
    const bool same = resume(network, block, path, &again) == hash;
    printf("never stopped: x = %.6f m\n", x);
    printf("resumed:       x = %.6f m, %s\n", again, same ? "the same bits" : "different bits");
    resume(rougher, block, path, &other);
    printf("with 5 N:      x = %.6f m\n", other);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_network_destroy(network);
    sti_network_destroy(rougher);
    return same ? 0 : 1;
}
