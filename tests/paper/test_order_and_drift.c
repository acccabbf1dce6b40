// What the generalised Runge-Kutta scheme of [modular] keeps of its order, and what it wins:
// nothing stuck drifts. EQUATIONS 3.4, and the tau of each stage, EQUATIONS 2.12.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/scenes/rig.h"
#include "support/scenes/sliding_mass.h"

static const double M = 0.05, F = 0.5, K = 5000.0, B = 1.0;

static SceneFriction elastic(StiElasticCoulomb *parameters, int dim)
{
    *parameters = (StiElasticCoulomb){.dim = dim, .law = sti_law_coulomb(F), .K = K, .B = B};
    return (SceneFriction){.impedance = &sti_kind_elastic_coulomb, .parameters = parameters};
}

// An impedance that notes the tau of each evaluation.
typedef struct TauLog {
    double tau[8];
    int count;
} TauLog;
typedef struct TauNote {
    TauLog *log;
} TauNote;

static StiImpedanceSize note_size(const void *parameters)
{
    (void)parameters;
    return (StiImpedanceSize){.velocities = 1};
}

static StiStatus note_tau(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                          const double *y, const double *s, double *u, double *ydot)
{
    (void)xhat, (void)y, (void)s, (void)ydot;
    const TauNote *note = parameters;
    note->log->tau[note->log->count++] = stage->tau;
    u[0] = 0.0;
    return STI_OK;
}

static const StiImpedanceKind tau_note_kind = {.table_size = sizeof(StiImpedanceKind),
                                               .info = {.name = "tau-note",
                                                        .size = sizeof(TauNote)},
                                               .size = note_size,
                                               .eval = note_tau};

static void stages_get_their_tau(void **unused)
{
    (void)unused;
    static const struct {
        const StiMethod *method;
        int stages;
        double tau[4]; // over T
    } cases[] = {
        {&sti_method_euler, 1, {1.0}},
        {&sti_method_symplectic_euler, 1, {1.0}},
        {&sti_method_heun, 2, {1.0, 1.0}},
        {&sti_method_rk4, 4, {0.5, 0.5, 1.0, 1.0}},
        {&sti_method_gill, 4, {0.5, 0.5, 1.0, 1.0}},
    };
    const double T = 1e-3;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        TauLog log = {0};
        const TauNote note = {&log};
        const SlidingMass scene =
            scene_sliding_mass(T, &(StiPointMass){.dim = 1, .mass = 1.0},
                               (SceneFriction){.impedance = &tau_note_kind, .parameters = &note});
        sti_plan_set_method(scene.plan, cases[i].method);
        Rig rig = rig_of(scene.plan);
        rig_step(&rig);
        assert_int_equal(log.count, cases[i].stages);
        for (int r = 0; r < log.count; ++r) assert_true(log.tau[r] == cases[i].tau[r] * T);
        rig_free(&rig);
    }
}

// Position after a time, in so many steps.
typedef double Experiment(const StiMethod *method, int steps);

// From the errors against the result of eight times the finest steps.
static double observed_order(Experiment *experiment, const StiMethod *method, int steps)
{
    const double reference = experiment(method, 64 * steps);
    const double coarse = experiment(method, 4 * steps) - reference;
    const double fine = experiment(method, 8 * steps) - reference;
    return log2(fabs(coarse / fine));
}

// A mass slides on a weak spring all the time: friction is a constant force. Exact: a cosine.
static double slide_smoothly(const StiMethod *method, int steps)
{
    StiElasticCoulomb element;
    const StiPointMass mass = {.dim = 1, .mass = M, .velocity = {3.0}};
    const SlidingMass scene = scene_sliding_mass(0.1 / steps, &mass, elastic(&element, 1));
    sliding_mass_spring(&scene, 1, 2.0);
    sti_plan_set_method(scene.plan, method);
    Rig rig = rig_of(scene.plan);
    *rig_y(&rig, scene.friction) = F / K; // wound up already
    rig_run(&rig, steps);
    const double x = *rig_x(&rig, scene.mass);
    rig_free(&rig);
    return x;
}

static void smooth_sliding_has_the_order_of_the_method(void **unused)
{
    (void)unused;
    for (int i = 0; sti_methods[i] != NULL; ++i) {
        const int order = sti_methods[i]->order;
        // order 1 sees its own error at the reference: (4^-1 - 64^-1)/(8^-1 - 64^-1) = 15/7
        const double expected = order == 1 ? log2(15.0 / 7.0) : order;
        assert_near(observed_order(slide_smoothly, sti_methods[i], 4), expected, 0.1);
    }
}

static void small_force(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 0.1 * sin(100.0 * t);
}

// A stuck mass swings on its friction's spring.
static double swing_in_stick(const StiMethod *method, int steps)
{
    StiElasticCoulomb element;
    const StiPointMass mass = {.dim = 1, .mass = M};
    const SlidingMass scene = scene_sliding_mass(0.05 / steps, &mass, elastic(&element, 1));
    sliding_mass_force(&scene, (StiTimeFunction){.count = 1, .eval = small_force});
    sti_plan_set_method(scene.plan, method);
    Rig rig = rig_of(scene.plan);
    rig_run(&rig, steps);
    const double x = *rig_x(&rig, scene.mass);
    assert_near(*rig_y(&rig, scene.friction), x, 1e-15); // it has not slipped
    rig_free(&rig);
    return x;
}

// The method is data: the same stages with tau = 0 are plain Runge-Kutta.
static StiMethod without_tau(const StiMethod *method)
{
    StiMethod plain = *method;
    for (int r = 0; r < STI_METHOD_STAGES; ++r) plain.tau[r] = 0.0;
    return plain;
}

static void stick_has_order_one_and_without_tau_the_methods_own(void **unused)
{
    (void)unused;
    const StiMethod plain_rk4 = without_tau(&sti_method_rk4),
                    plain_gill = without_tau(&sti_method_gill);
    const double first = log2(15.0 / 7.0);
    assert_near(observed_order(swing_in_stick, &sti_method_rk4, 1000), first, 0.05);
    assert_near(observed_order(swing_in_stick, &sti_method_gill, 1000), first, 0.05);
    assert_near(observed_order(swing_in_stick, &plain_rk4, 32), 4.0, 0.1);
    assert_near(observed_order(swing_in_stick, &plain_gill, 32), 4.0, 0.1);
}

// On a curve the direction of friction follows the deflection, which looks tau ahead.
static double slide_in_the_plane(const StiMethod *method, int steps)
{
    StiElasticCoulomb element;
    const StiPointMass mass = {.dim = 2, .mass = M, .position = {0.1, 0.0}, .velocity = {0.0, 2.0}};
    const SlidingMass scene = scene_sliding_mass(0.05 / steps, &mass, elastic(&element, 2));
    sliding_mass_spring(&scene, 2, 20.0);
    sti_plan_set_method(scene.plan, method);
    Rig rig = rig_of(scene.plan);
    rig_y(&rig, scene.friction)[1] = F / K;
    rig_run(&rig, steps);
    const double x = *rig_x(&rig, scene.mass);
    rig_free(&rig);
    return x;
}

static void planar_sliding_has_order_one(void **unused)
{
    (void)unused;
    assert_near(observed_order(slide_in_the_plane, &sti_method_rk4, 500), log2(15.0 / 7.0), 0.05);
}

// Thrown, it slides, stops, and swings on the spring of its friction.
static double stop_and_stick(const StiMethod *method, int steps)
{
    StiElasticCoulomb element;
    const StiPointMass mass = {.dim = 1, .mass = M, .velocity = {0.2}};
    const SlidingMass scene = scene_sliding_mass(0.05 / steps, &mass, elastic(&element, 1));
    sti_plan_set_method(scene.plan, method);
    Rig rig = rig_of(scene.plan);
    *rig_y(&rig, scene.friction) = F / K;
    rig_run(&rig, steps);
    const double x = *rig_x(&rig, scene.mass);
    rig_free(&rig);
    return x;
}

static void transitions_have_order_one(void **unused)
{
    (void)unused;
    assert_near(observed_order(stop_and_stick, &sti_method_rk4, 1000), log2(15.0 / 7.0), 0.1);
}

// With hardly any damper the deflection relaxes at K/B = 500000 1/s. With tau it still settles at
// F/K, without it the deflection grows without bound, until a step refuses it.
static void tau_keeps_stiff_elements_stable(void **unused)
{
    (void)unused;
    const StiMethod plain = without_tau(&sti_method_rk4);
    const StiElasticCoulomb element = {.dim = 1, .law = sti_law_coulomb(F), .K = K, .B = 0.01};
    for (int with = 0; with <= 1; ++with) {
        const StiPointMass mass = {.dim = 1, .mass = M, .velocity = {1.0}};
        const SlidingMass scene =
            scene_sliding_mass(1e-4, &mass,
                               (SceneFriction){.impedance = &sti_kind_elastic_coulomb,
                                               .parameters = &element});
        sti_plan_set_method(scene.plan, with ? &sti_method_rk4 : &plain);
        Rig rig = rig_of(scene.plan);
        const StiStatus status = sti_run(rig.network, NULL, rig.state, rig.scratch, 500); // of 1000
        assert_int_equal(status, with ? STI_OK : STI_NOT_FINITE);
        if (with)
            assert_near(*rig_y(&rig, scene.friction), F / K, 1e-15);
        else
            assert_string_equal(sti_scratch_fault(rig.scratch)->component, "friction");
        rig_free(&rig);
    }
}

static void dither(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 0.336 + 0.144 * sin(100.0 * t);
}

static SlidingMass dithered(SceneFriction friction)
{
    const StiPointMass mass = {.dim = 1, .mass = M};
    const SlidingMass scene = scene_sliding_mass(1e-4, &mass, friction);
    sliding_mass_force(&scene, (StiTimeFunction){.count = 1, .eval = dither});
    sti_plan_set_method(scene.plan, &sti_method_rk4);
    return scene;
}

// The bristle models have explicit forms: their motion does not depend on tau, to the last bit. (GMS ends its
// stick within tau unless it is plain.)
static void bristle_models_ignore_tau(void **unused)
{
    (void)unused;
    static const double stiffness[2] = {3000.0, 2000.0}, share[2] = {0.5, 0.5};
    const StiLaw law = sti_law_coulomb(F);
    const StiDahl dahl = {.law = law, .K = K, .alpha = 1.0};
    const StiLuGre lugre = {.law = law, .sigma0 = K, .sigma1 = B};
    const StiElastoplastic plastic = {.law = law, .sigma0 = K, .sigma1 = B, .breakaway = 0.7};
    const StiGms gms = {
        .law = law, .elements = 2, .K = stiffness, .share = share, .Q = 10.0, .plain = true};
    const SceneFriction models[4] = {
        {.impedance = &sti_kind_dahl, .parameters = &dahl},
        {.impedance = &sti_kind_lugre, .parameters = &lugre},
        {.impedance = &sti_kind_elastoplastic, .parameters = &plastic},
        {.impedance = &sti_kind_gms, .parameters = &gms},
    };
    const StiMethod plain = without_tau(&sti_method_rk4);
    for (int i = 0; i < 4; ++i) {
        const SlidingMass a = dithered(models[i]), b = dithered(models[i]);
        sti_plan_set_method(b.plan, &plain);
        Rig rig_a = rig_of(a.plan), rig_b = rig_of(b.plan);
        rig_run(&rig_a, 5000);
        rig_run(&rig_b, 5000);
        assert_true(sti_state_hash(rig_a.state) == sti_state_hash(rig_b.state));
        rig_free(&rig_a);
        rig_free(&rig_b);
    }
}

static int drift_steps(void) { return rig_short() ? 20000 : 1000000; }

// After the first swing (1 s) the anchor x - e stands.
static void elastic_element_does_not_drift(void **unused)
{
    (void)unused;
    StiElasticCoulomb element;
    const SlidingMass scene = dithered(elastic(&element, 1));
    Rig rig = rig_of(scene.plan);
    rig_run(&rig, 10000);
    const double anchor = *rig_x(&rig, scene.mass) - *rig_y(&rig, scene.friction);
    rig_run(&rig, drift_steps() - 10000);
    const double drift = *rig_x(&rig, scene.mass) - *rig_y(&rig, scene.friction) - anchor;
    assert_near(drift, 0.0, 1e-17);
    rig_free(&rig);
}

// 0.69 m in 100 s, at the same pace all the time.
static void lugre_drifts(void **unused)
{
    (void)unused;
    const StiLuGre element = {.law = sti_law_coulomb(F), .sigma0 = K, .sigma1 = B};
    const SlidingMass scene =
        dithered((SceneFriction){.impedance = &sti_kind_lugre, .parameters = &element});
    Rig rig = rig_of(scene.plan);
    rig_run(&rig, 10000);
    const double x = *rig_x(&rig, scene.mass);
    rig_run(&rig, drift_steps() - 10000);
    const double pace = (*rig_x(&rig, scene.mass) - x) / (rig_time(&rig) - 1.0);
    assert_near(100.0 * pace, 0.69, 0.005);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_get_their_tau),
        cmocka_unit_test(smooth_sliding_has_the_order_of_the_method),
        cmocka_unit_test(stick_has_order_one_and_without_tau_the_methods_own),
        cmocka_unit_test(planar_sliding_has_order_one),
        cmocka_unit_test(transitions_have_order_one),
        cmocka_unit_test(tau_keeps_stiff_elements_stable),
        cmocka_unit_test(bristle_models_ignore_tau),
        cmocka_unit_test(elastic_element_does_not_drift),
        cmocka_unit_test(lugre_drifts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
