// One factor per step, against an evaluation of the bodies for every set of forces.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "solver/sweeps/sweeps.h"
#include "support/linkages.h"
#include "support/near.h"
#include "support/plan.h"
#include "support/random.h"
#include "unit/network/built.h"

typedef struct Case {
    bool driven, bristles, two, sprung;
    StiDrift drift;
    double mu, mu_static, T;
} Case;

static void add_friction(StiPlan *plan, const char *prefix, StiAdmittanceId body,
                         const StiLinkage *linkage, const Case *c)
{
    const StiLaw law = sti_law_times_load(sti_law_coulomb(c->mu));
    const StiVec3 o = {0.0, 0.0, 0.0};
    for (int k = 0; k < 4; ++k) {
        const StiWire wire = sti_wire_point(body, sti_linkage_surface_link(linkage, k), o, o, 1);
        const char name[] = {prefix[0], (char)('0' + k), '\0'};
        const bool bristle = c->bristles && k == 1; // a smooth force that follows a load, too
        const StiElementId e =
            bristle ? sti_plan_add_impedance(
                          plan, name, &sti_kind_elastic_coulomb,
                          &(StiElasticCoulomb){.dim = 1, .law = law, .K = 1e5, .B = 10.0}, &wire)
                    : add_rule(plan, name, wire, law, c->mu_static);
        sti_plan_connect(plan, sti_signal_load(body, sti_linkage_pair_load(linkage, k)), e, 0);
    }
}

// Angle, rate and acceleration of a crank that turns.
static void turn(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 0.7 + 20.0 * t;
    values[1] = 20.0;
    values[2] = 0.0;
}

static Built slider_cranks(const Case *c, StiLinkage *linkages[2])
{
    StiPlan *plan = plan_in_stages();
    StiAdmittanceId body[2];
    for (int i = 0; i < (c->two ? 2 : 1); ++i) {
        SliderCrank s;
        slider_crank(&s, 0.7 + i, c->driven ? 20.0 : 5.0 - 3.0 * i, c->driven);
        s.design.drift = c->drift;
        s.design.baumgarte_rate = 50.0;
        linkages[i] = sti_linkage_create(&s.design, NULL);
        assert_non_null(linkages[i]);
        body[i] = sti_plan_add_admittance(plan, i == 0 ? "one" : "two", &sti_kind_linkage,
                                          &(StiLinkageBody){linkages[i]});
        add_friction(plan, i == 0 ? "a" : "b", body[i], linkages[i], c);
    }
    if (c->driven) {
        const StiSourceId crank =
            sti_plan_add_time_function(plan, "crank", (StiTimeFunction){.count = 3, .eval = turn});
        for (int i = 0; i < 3; ++i)
            sti_plan_connect_admittance(plan, sti_signal_source(crank, i), body[0], i);
    }
    if (c->sprung) { // hangs on the first slider
        const StiAdmittanceId mass =
            sti_plan_add_admittance(plan, "mass", &sti_kind_point_mass,
                                    &(StiPointMass){.dim = 2, .mass = 1.0});
        add_spring(plan, "spring", sti_wire_coordinate_pair(body[0], 6, mass, 0, 2), 100.0, 1.0);
    }
    sti_plan_set_gravity(plan, test_gravity);
    sti_plan_set_step(plan, c->T);
    return build_and_destroy(plan);
}

static void assert_same_motion(const Case *c, int steps)
{
    StiLinkage *linkages[2] = {NULL, NULL}, *others[2] = {NULL, NULL};
    Built fast = slider_cranks(c, linkages), plain = slider_cranks(c, others);
    assert_true(sti_sweeps(fast.scratch)->affine.applies);
    sti_sweeps(plain.scratch)->affine.applies = false;
    int stuck = 0;
    for (int k = 0; k < steps; ++k) {
        assert_steps(&fast, NULL);
        assert_steps(&plain, NULL);
        for (int i = 0; i < fast.network->reaction_count; ++i)
            stuck += fast.scratch->reactions->answers[i].stuck;
        for (int i = 0; i < fast.state->count; ++i) {
            const double a = fast.state->values[i], b = plain.state->values[i];
            assert_near(a, b, 1e-8 * fmax(1.0, fabs(b)));
        }
    }
    if (!c->driven) assert_true(stuck > 0);
    for (int i = 0; i < 2; ++i) {
        sti_linkage_destroy(linkages[i]);
        sti_linkage_destroy(others[i]);
    }
    release(&fast);
    release(&plain);
}

static void the_motion_is_the_same(void **state)
{
    (void)state;
    static const Case cases[] = {
        {.mu = 0.3, .T = 1e-3},
        {.mu = 0.3, .mu_static = 0.5, .T = 1e-3},
        {.mu = 0.1, .driven = true, .T = 1e-3, .sprung = true},
        {.mu = 0.3, .drift = STI_DRIFT_BAUMGARTE, .T = 1e-3},
        {.mu = 0.3, .two = true, .sprung = true, .T = 1e-3},
        {.mu = 0.3, .bristles = true, .T = 1e-4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        assert_same_motion(&cases[i], cases[i].T < 1e-3 ? 5000 : 600);
}

// Loads, constraint forces and response of the table against those of the kind itself.
static void the_table_agrees_with_the_kind(void **state)
{
    (void)state;
    SliderCrank s;
    slider_crank(&s, 0.7, 5.0, true);
    StiLinkage *linkage = sti_linkage_create(&s.design, NULL);
    const StiLinkageBody body = {linkage};
    const StiAdmittanceKind *kind = &sti_kind_linkage;
    const StiAdmittanceSize size = kind->size(&body);
    double numbers[4000] = {0.0}, *prepared = numbers, *workspace = prepared + size.prepared;
    double *loads = workspace + size.workspace, *carried = loads + 2 * size.loads;
    assert_true(size.prepared + size.workspace + 2 * size.loads + 2 * size.carried < 4000);
    Random random = {1};
    double q[9], v[9], qdot[9], vdot[2][9], Q[9], dv[2][9], signals[3] = {0.7, 5.0, -3.0};
    double generalized[9] = {0.0};
    StiWrench links[11];
    assert_int_equal(size.links, 11);
    kind->start(&body, q, v);
    for (int trial = 0; trial < 20; ++trial) {
        memset(links, 0, sizeof links);
        for (int i = 0; i < 9; ++i) generalized[i] = random_between(&random, -5.0, 5.0);
        for (int i = 0; i < 11; ++i) links[i].force.x = random_between(&random, -5.0, 5.0);
        const StiForce force = {generalized, links};
        const StiStage stage = {.gravity = test_gravity, .workspace = workspace};
        kind->eval(&body, &stage, q, v, signals, &force, qdot, vdot[0], loads);
        kind->constrained->prepare(&body, q, v, signals, prepared);
        kind->constrained->accelerate(&body, &stage, prepared, &force, vdot[1], carried);
        kind->constrained->loads(&body, prepared, v, signals, carried, loads + size.loads);
        for (int i = 0; i < 9; ++i)
            assert_near(vdot[1][i], vdot[0][i], 1e-11 * (1.0 + fabs(vdot[0][i])));
        for (int i = 0; i < size.loads; ++i)
            assert_near(loads[size.loads + i], loads[i], 1e-10 * (1.0 + fabs(loads[i])));
        StiResponseColumn column = {Q, dv[1], carried + size.carried};
        kind->constrained->collect(&body, prepared, &force, &column);
        kind->constrained->respond(&body, prepared, 1, &column);
        kind->prepare(&body, q, NULL, NULL, prepared);
        kind->respond(&body, prepared, q, &force, dv[0]);
        double power[2] = {0.0, 0.0}; // of the force at v: along links and along coordinates
        for (int i = 0; i < 9; ++i) {
            assert_near(dv[1][i], dv[0][i], 1e-12 * (1.0 + fabs(dv[0][i])));
            power[0] += Q[i] * v[i];
            power[1] += generalized[i] * v[i];
        }
        StiFrame frames[11];
        kind->pose(&body, q, v, signals, frames);
        for (int i = 0; i < 11; ++i) power[1] += links[i].force.x * frames[i].v.x;
        assert_near(power[0], power[1], 1e-11 * (1.0 + fabs(power[1])));
    }
    sti_linkage_destroy(linkage);
}

// Where a reaction touches another body, or (33) keeps no factor, bodies are evaluated as ever.
static void other_networks_evaluate(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        SliderCrank s;
        slider_crank(&s, 0.7, 5.0, false);
        if (i == 1) s.design.form = STI_FORM_UDWADIA_KALABA;
        StiLinkage *linkage = sti_linkage_create(&s.design, NULL);
        StiPlan *plan = plan_in_stages();
        const StiAdmittanceId body =
            sti_plan_add_admittance(plan, "one", &sti_kind_linkage, &(StiLinkageBody){linkage});
        add_friction(plan, "a", body, linkage, &(Case){.mu = 0.3});
        if (i == 0)
            add_rule(plan, "rubs",
                     sti_wire_coordinate(add_moving_mass(plan, "mass", 1.0, 1.0), 0, 1),
                     sti_law_coulomb(1.0), 0.0);
        Built built = build_and_destroy(plan);
        assert_false(sti_sweeps(built.scratch)->affine.applies);
        for (int k = 0; k < 10; ++k) assert_steps(&built, NULL);
        release(&built);
        sti_linkage_destroy(linkage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_motion_is_the_same),
        cmocka_unit_test(the_table_agrees_with_the_kind),
        cmocka_unit_test(other_networks_evaluate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
