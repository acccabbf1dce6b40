// Which friction models creep? A mass of 0.05 kg is pulled by 0.336 N and shaken by 0.1 N, always
// below the friction of 0.5 N. It should not go anywhere.
#include <math.h>
#include <stdio.h>

#include <stiction/stiction.h>

static const double PI = 3.14159265358979323846;

// Pulled slowly, then shaken at 16 Hz: 625 steps per period.
static void shake(const void *data, void *workspace, double t, double *force)
{
    (void)data, (void)workspace;
    force[0] = fmin(0.336, 0.336 * t) + (t > 2.0 ? 0.1 * sin(32.0 * PI * t) : 0.0);
}

// How far it moves between 5 s and 20 s, which are the same moment of a period.
static double drift(const StiImpedanceKind *kind, const void *parameters)
{
    StiPlan *plan = sti_plan_create();
    sti_plan_set_step(plan, 1e-4);
    const StiAdmittanceId mass = sti_plan_add_admittance(plan, "mass", &sti_kind_point_mass,
                                                         &(StiPointMass){.dim = 1, .mass = 0.05});
    const StiWire wire = sti_wire_coordinate(mass, 0, 1);
    sti_plan_add_force(plan, "shake", &wire, 1, (StiTimeFunction){.count = 1, .eval = shake});
    sti_plan_add_impedance(plan, "friction", kind, parameters, &wire);
    StiNetwork *network;
    if (sti_plan_compile(plan, NULL, &network) != STI_OK) return NAN;
    sti_plan_destroy(plan);
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    const double *x = sti_state_positions(state, network, mass);
    sti_run(network, NULL, state, scratch, 50000);
    const double before = *x;
    sti_run(network, NULL, state, scratch, 150000);
    const double moved = *x - before;
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_network_destroy(network);
    return moved;
}

static void show(const char *name, const StiImpedanceKind *kind, const void *parameters)
{
    printf("%-18s %9.2f um\n", name, fabs(1e6 * drift(kind, parameters)));
}

int main(void)
{
    static const double K[2] = {3000.0, 2000.0}, F[2] = {0.3, 0.2}, share[2] = {0.6, 0.4};
    const StiLaw law = sti_law_coulomb(0.5);
    const StiElasticCoulomb elastic = {.dim = 1, .law = law, .K = 5000.0, .B = 1.0};
    const StiLinearContinuous linear = {.dim = 1, .law = law, .K = 5000.0, .B = 1.0};
    const StiElastoplastic plastic = {.law = law,
                                      .sigma0 = 5000.0,
                                      .sigma1 = 1.0,
                                      .breakaway = 0.95};
    const StiMaxwellSlip maxwell = {.elements = 2, .K = K, .F = F};
    const StiGms gms = {
        .law = law, .elements = 2, .K = K, .share = share, .Q = 10.0, .sigma2 = 1.0};
    const StiDahl dahl = {.law = law, .K = 5000.0, .alpha = 1.0};
    const StiLuGre lugre = {.law = law, .sigma0 = 5000.0, .sigma1 = 1.0};
    show("elastic-coulomb", &sti_kind_elastic_coulomb, &elastic);
    show("linear-continuous", &sti_kind_linear_continuous, &linear);
    show("elastoplastic", &sti_kind_elastoplastic, &plastic);
    show("maxwell-slip", &sti_kind_maxwell_slip, &maxwell);
    show("gms", &sti_kind_gms, &gms);
    show("dahl", &sti_kind_dahl, &dahl);
    show("lugre", &sti_kind_lugre, &lugre);
    return 0;
}
