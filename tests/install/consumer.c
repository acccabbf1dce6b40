// A block under dry friction is pushed: held for ever below the level, and accelerated by the rest
// above it. Exit status 0 if both hold.
#include <math.h>
#include <stdio.h>

#include <stiction/stiction.h>

static const double mass = 2.0;   // kg
static const double level = 10.0; // N

static void push(const void *data, void *workspace, double t, double *force)
{
    (void)workspace, (void)t;
    *force = *(const double *)data;
}

static StiNetwork *pushed_block(const double *force, StiAdmittanceId *block)
{
    StiPlan *plan = sti_plan_create();
    *block = sti_plan_add_admittance(plan, "block", &sti_kind_point_mass,
                                     &(StiPointMass){.dim = 1, .mass = mass});
    const StiWire wire = sti_wire_coordinate(*block, 0, 1);
    sti_plan_add_reaction(plan, "friction", &sti_kind_finite_time,
                          &(StiFiniteTime){.dim = 1, .law = sti_law_coulomb(level)}, &wire);
    sti_plan_add_force(plan, "push", &wire, 1, (StiTimeFunction){1, push, force, NULL, NULL});

    StiReport *report = sti_report_create();
    StiNetwork *network = NULL;
    sti_plan_set_step(plan, 1e-3);
    if (sti_plan_compile(plan, report, &network) != STI_OK) {
        char text[2000];
        sti_report_print(report, text, sizeof text);
        fputs(text, stderr);
    }
    sti_report_destroy(report);
    sti_plan_destroy(plan);
    return network;
}

// Speed after one second, m/s; NaN where something failed.
static double speed_under(double force)
{
    StiAdmittanceId block;
    StiNetwork *network = pushed_block(&force, &block);
    if (!network) return NAN;
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    double speed = NAN;
    if (state && scratch && sti_run(network, NULL, state, scratch, 1000) == STI_OK)
        speed = sti_state_velocities(state, network, block)[0];
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_network_destroy(network);
    return speed;
}

int main(void)
{
    const double held = speed_under(0.9 * level);
    const double moving = speed_under(1.5 * level);
    printf("stiction %s: held at %g m/s, moving at %g m/s\n", STI_VERSION, held, moving);
    return held == 0.0 && fabs(moving - 0.5 * level / mass) < 1e-9 ? 0 : 1;
}
