// Ten hours at 1 ms: what is stuck stays stuck. 3.6e7 steps of a dither below the level.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "support/plan.h"
#include "support/scenes/rig.h"

enum { STEPS = 36000000 };

static void dither(const void *data, void *workspace, double t, double *force)
{
    (void)data, (void)workspace;
    force[0] = 0.336 + 0.144 * sin(100.0 * t); // below 0.5 N
}

static StiPlan *shaken_mass(StiAdmittanceId *mass, StiWire *wire)
{
    StiPlan *plan = plan_in_stages();
    sti_plan_set_method(plan, &sti_method_rk4);
    *mass = sti_plan_add_admittance(plan, "mass", &sti_kind_point_mass,
                                    &(StiPointMass){.dim = 1, .mass = 0.05});
    *wire = sti_wire_coordinate(*mass, 0, 1);
    sti_plan_add_force(plan, "hand", wire, 1, (StiTimeFunction){.count = 1, .eval = dither});
    return plan;
}

static void the_finite_time_rule_does_not_move(void **state)
{
    (void)state;
    StiAdmittanceId mass;
    StiWire wire;
    StiPlan *plan = shaken_mass(&mass, &wire);
    sti_plan_add_reaction(plan, "friction", &sti_kind_finite_time,
                          &(StiFiniteTime){.dim = 1, .law = sti_law_coulomb(0.5)}, &wire);
    Rig rig = rig_of(plan);
    rig_run(&rig, STEPS);
    assert_true(*rig_x(&rig, mass) == 0.0);
    rig_free(&rig);
}

// The mass swings on its spring at 316 rad/s: the dither is amplified by a tenth and stays below 0.6 N.
static void the_anchor_of_elastic_coulomb_stays(void **state)
{
    (void)state;
    StiAdmittanceId mass;
    StiWire wire;
    StiPlan *plan = shaken_mass(&mass, &wire);
    const StiElementId friction = sti_plan_add_impedance(
        plan, "friction", &sti_kind_elastic_coulomb,
        &(StiElasticCoulomb){.dim = 1, .law = sti_law_coulomb(0.6), .K = 5000.0, .B = 5.0}, &wire);
    Rig rig = rig_of(plan);
    rig_run(&rig, 10000); // the sudden start makes it slip a little
    const double swing = 0.144 / 5000.0, before = *rig_x(&rig, mass) - *rig_y(&rig, friction);
    rig_run(&rig, STEPS);
    const double walked = *rig_x(&rig, mass) - *rig_y(&rig, friction) - before;
    print_message("the anchor walked %g of the swing\n", walked / swing);
    assert_true(fabs(walked) <= 1e-11 * swing); // rounding of 3.6e7 sums
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_finite_time_rule_does_not_move),
        cmocka_unit_test(the_anchor_of_elastic_coulomb_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
