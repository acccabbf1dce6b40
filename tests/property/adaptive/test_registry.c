// What holds for every kind that the registry has, whatever it is: parameters by path, pure functions, no energy made,
// no drift where that is claimed, and a run under every method that accepts it. Parameters: the example of the kind, each
// number changed at random.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fields.h"
#include "stiction/adaptive.h"
#include "stiction/stiction.h"
#include "support/random.h"
#include "support/short.h"

enum { MOST_SIGNALS = 16, MOST_MEMORY = 32, STEPS = 300 };
static const double T = 1e-3;

// ---- parameters --------------------------------------------------------------------------------------------

static bool scale_number(void *context, const StiNumber *number)
{
    *number->value *= random_between(context, 0.8, 1.25);
    return true;
}

static bool is_sound(const StiInfo *info, const void *parameters)
{
    StiReport *report = sti_report_create();
    sti_kind_check(info, parameters, &(StiCheck){.report = report, .component = "it", .step = T});
    const bool sound = sti_report_error_count(report) == 0;
    sti_report_destroy(report);
    return sound;
}

// A copy of the example of its own, arrays too; changed where the check still passes.
static void *random_parameters(const StiInfo *info, StiArena *arena, Random *random)
{
    for (int i = 0; i < 20; ++i) {
        void *copy = sti_fields_copy(info, info->example, arena);
        assert_non_null(copy);
        sti_fields_visit(info, copy, scale_number, random);
        if (is_sound(info, copy)) return copy;
    }
    void *copy = sti_fields_copy(info, info->example, arena);
    assert_true(is_sound(info, copy));
    return copy;
}

typedef struct Paths {
    const StiInfo *info;
    void *parameters;
    int count;
} Paths;

static bool find_again(void *context, const StiNumber *number)
{
    Paths *paths = context;
    if (sti_kind_find(paths->info, paths->parameters, number->path) != number->value)
        fail_msg("%s.%s is not found", paths->info->name, number->path);
    ++paths->count;
    return true;
}

static void every_number_has_a_path(void **state)
{
    (void)state;
    int kinds = 0, numbers = 0;
    for (int role = 0; role < STI_ROLES; ++role) {
        StiEntry entry;
        for (int i = 0; sti_registry_at((StiKindRole)role, i, &entry); ++i) {
            if (entry.info == NULL || entry.info->example == NULL) continue;
            StiArena arena = {0};
            Paths paths = {entry.info, sti_fields_copy(entry.info, entry.info->example, &arena), 0};
            sti_fields_visit(entry.info, paths.parameters, find_again, &paths);
            numbers += paths.count;
            ++kinds;
            sti_arena_release(&arena);
        }
    }
    assert_true(kinds >= 27 && numbers >= 100);
}

// ---- pure functions ------------------------------------------------------------------------------------------

typedef struct Trial {
    double x[16], v[6], y[MOST_MEMORY], s[MOST_MEMORY], signals[MOST_SIGNALS], tau;
} Trial;

static Trial random_trial(Random *random)
{
    Trial t = {.tau = random_below(random, 2) == 0 ? 0.0 : random_decades(random, 1e-5, 1e-2)};
    for (int i = 0; i < 16; ++i) t.x[i] = random_between(random, -1.0, 1.0);
    for (int i = 0; i < 6; ++i) t.v[i] = random_between(random, -0.3, 0.3);
    for (int i = 0; i < MOST_MEMORY; ++i) t.y[i] = random_between(random, -1e-4, 1e-4);
    for (int i = 0; i < MOST_SIGNALS; ++i) t.signals[i] = random_between(random, -2.0, 2.0);
    return t;
}

static void evaluate(const StiImpedanceKind *kind, const void *parameters, const Trial *t,
                     double *out)
{
    const StiStage stage = {.tau = t->tau, .t = 0.25};
    const StiMotion motion = {.x = t->x, .v = t->v, .signals = t->signals};
    memset(out, 0, 64 * sizeof *out);
    out[0] = kind->eval(parameters, &stage, &motion, t->y, t->s, out + 1, out + 8);
    if (kind->stored != NULL) out[40] = kind->stored(parameters, &motion, t->y);
    memcpy(out + 41, t->s, 8 * sizeof *out);
    if (kind->settle != NULL) kind->settle(parameters, &stage, &motion, t->y, out + 41);
}

static void resolve(const StiReactionKind *kind, const void *parameters, const Trial *t,
                    double *out)
{
    static const double W = 0.7;
    StiReactionAnswer answer;
    memset(&answer, 0, sizeof answer);
    const StiReactionProblem problem = {
        .dim = 1, .T = T, .W = &W, .v = t->v, .vbar = t->v + 1, .signals = t->signals};
    memset(out, 0, 64 * sizeof *out);
    out[0] = kind->resolve(parameters, &problem, t->s, &answer);
    out[1] = answer.r[0];
    out[2] = answer.stuck;
    out[3] = answer.ratio;
    memcpy(out + 41, t->s, 8 * sizeof *out);
    if (kind->settle != NULL) kind->settle(parameters, &problem, &answer, out + 41);
}

// The same twice, with other calls in between, and parameters as they were.
static void assert_pure(const StiEntry *entry, const void *parameters, Random *random)
{
    const Trial one = random_trial(random), other = random_trial(random);
    const Trial kept = one;
    double first[64], between[64], again[64];
    unsigned char *before = malloc(entry->info->size);
    memcpy(before, parameters, entry->info->size);
    for (int i = 0; i < 3; ++i) {
        double *out = i == 0 ? first : i == 1 ? between : again;
        const Trial *t = i == 1 ? &other : &one;
        if (entry->reaction != NULL)
            resolve(entry->reaction, parameters, t, out);
        else
            evaluate(entry->impedance, parameters, t, out);
    }
    if (memcmp(first, again, sizeof first) != 0 || memcmp(&one, &kept, sizeof one) != 0 ||
        memcmp(before, parameters, entry->info->size) != 0)
        fail_msg("%s is not pure", entry->name);
    free(before);
}

static void kinds_are_pure(void **state)
{
    (void)state;
    for (int role = STI_ROLE_FRICTION; role <= STI_ROLE_ELEMENT; role += STI_ROLE_ELEMENT) {
        StiEntry entry;
        for (int i = 0; sti_registry_at((StiKindRole)role, i, &entry); ++i) {
            if (entry.info->example == NULL || (entry.reaction == NULL && entry.impedance == NULL))
                continue;
            Random random = {(uint64_t)(1000 * role + i)};
            for (int k = 0; k < 50; ++k) {
                StiArena arena = {0};
                assert_pure(&entry, random_parameters(entry.info, &arena, &random), &random);
                sti_arena_release(&arena);
            }
        }
    }
}

// ---- energy --------------------------------------------------------------------------------------------------

// Pulled to and fro along one axis: what goes in is stored or lost, none is made.
static void friction_with_memory_takes_energy(void **state)
{
    (void)state;
    StiEntry entry;
    for (int i = 0; sti_registry_at(STI_ROLE_FRICTION, i, &entry); ++i) {
        const StiImpedanceKind *kind = entry.impedance;
        if (kind == NULL) continue;
        Random random = {(uint64_t)(77 + i)};
        for (int k = 0; k < steps_or(8, 3); ++k) {
            StiArena arena = {0};
            void *p = random_parameters(entry.info, &arena, &random);
            const StiImpedanceSize size = kind->size(p);
            double y[MOST_MEMORY] = {0.0}, ydot[MOST_MEMORY], s[MOST_MEMORY] = {0.0}, u, work = 0.0,
                   turned = 0.0;
            assert_true(size.velocities == 1 && size.memory <= MOST_MEMORY && size.signals == 0);
            const double h = 2e-6, amplitude = random_decades(&random, 1e-3, 0.2),
                         rate = random_between(&random, 20.0, 60.0);
            for (int n = 0; n < 200000; ++n) {
                const double v = amplitude * (sin(rate * n * h) + 0.6 * sin(2.7 * rate * n * h));
                const StiStage stage = {.tau = h};
                const StiMotion motion = {.v = &v, .x = &v};
                assert_int_equal(kind->eval(p, &stage, &motion, y, s, &u, ydot), STI_OK);
                for (int j = 0; j < size.memory; ++j) y[j] += h * ydot[j];
                if (kind->settle != NULL) kind->settle(p, &stage, &motion, y, s);
                work += h * u * v;
                turned += h * fabs(u * v);
            }
            const double stored =
                kind->stored != NULL ? kind->stored(p, &(StiMotion){.v = (double[]){0.0}}, y) : 0.0;
            if (work - stored < -1e-3 * turned)
                fail_msg("%s makes %g J of %g", entry.name, stored - work, turned);
            assert_true(turned > 0.0);
            sti_arena_release(&arena);
        }
    }
}

// A reaction with a level is a resistance: it never pushes along the velocity that remains.
static void reactions_take_energy(void **state)
{
    (void)state;
    StiEntry entry;
    for (int i = 0; sti_registry_at(STI_ROLE_FRICTION, i, &entry); ++i) {
        if (entry.reaction == NULL || entry.reaction->level == NULL) continue;
        Random random = {(uint64_t)(99 + i)};
        for (int k = 0; k < 2000; ++k) {
            StiArena arena = {0};
            void *p = random_parameters(entry.info, &arena, &random);
            const double W = random_decades(&random, 1e-2, 1e2),
                         v = random_between(&random, -0.3, 0.3),
                         vbar = random_between(&random, -0.3, 0.3), s[MOST_MEMORY] = {k % 2};
            StiReactionAnswer a;
            assert_int_equal(
                entry.reaction->resolve(
                    p, &(StiReactionProblem){.dim = 1, .T = T, .W = &W, .v = &v, .vbar = &vbar}, s,
                    &a),
                STI_OK);
            const double end = a.stuck ? 0.0 : vbar - T * W * a.r[0];
            if (end * a.r[0] < -1e-12 || vbar * a.r[0] < 0.0) fail_msg("%s pushes", entry.name);
            sti_arena_release(&arena);
        }
    }
}

// ---- runs ------------------------------------------------------------------------------------------------------

static void push(const void *data, void *workspace, double t, double *values)
{
    (void)workspace;
    const double *force = data;
    values[0] = force[0] + force[1] * sin(force[2] * t);
}

// One mass, an element on it, and a push of constant and swinging parts. NULL: refused, with a reason.
static StiNetwork *network_with(const StiEntry *entry, const void *parameters,
                                const StiMethod *method, double *force)
{
    StiPlan *plan = sti_plan_create();
    StiReport *report = sti_report_create();
    StiNetwork *network = NULL;
    const StiAdmittanceId mass = sti_plan_add_admittance(plan, "m", &sti_kind_point_mass,
                                                         &(StiPointMass){.dim = 1, .mass = 1.0});
    const StiWire wire = sti_wire_coordinate(mass, 0, 1);
    const StiElementId pushes = sti_plan_add_impedance(plan, "push", &sti_kind_force_source,
                                                       &(StiForceSource){.dim = 1}, &wire);
    const StiSourceId source =
        sti_plan_add_time_function(plan, NULL,
                                   (StiTimeFunction){.count = 1, .eval = push, .data = force});
    sti_plan_connect(plan, sti_signal_source(source, 0), pushes, 0);
    // Takes the ringing of the mass on an elastic element, and holds nothing.
    sti_plan_add_impedance(plan, "oil", &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = 1, .B = 20.0}, &wire);
    const StiElementId element =
        entry->reaction != NULL
            ? sti_plan_add_reaction(plan, "it", entry->reaction, parameters, &wire)
            : sti_plan_add_impedance(plan, "it", entry->impedance, parameters, &wire);
    const int signals = entry->reaction != NULL ? entry->reaction->size(parameters).signals
                                                : entry->impedance->size(parameters).signals;
    const double usual[MOST_SIGNALS] = {0.5, 0.5, 0.5, 0.5};
    const StiSourceId input = sti_plan_add_input(plan, "in", MOST_SIGNALS, usual);
    for (int i = 0; i < signals; ++i)
        sti_plan_connect(plan, sti_signal_source(input, i), element, i);
    sti_plan_set_step(plan, T);
    if (method != NULL) sti_plan_set_method(plan, method);
    const StiStatus status = sti_plan_compile(plan, report, &network);
    if (status != STI_OK && sti_report_error_count(report) == 0)
        fail_msg("%s is refused under %s without a reason", entry->name,
                 method != NULL ? method->name : "none");
    if (status != STI_OK) network = NULL;
    sti_report_destroy(report);
    sti_plan_destroy(plan);
    return network;
}

static void run(const char *name, const char *method, const StiNetwork *network,
                StiAdaptive *adaptive)
{
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    for (int k = 0; k < STEPS; ++k) {
        const StiStatus status = adaptive != NULL
                                     ? sti_adaptive_step(adaptive, NULL, state, scratch)
                                     : sti_step(network, NULL, state, scratch);
        if (status != STI_OK) fail_msg("%s under %s: %s", name, method, sti_status_text(status));
    }
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
}

static int run_under_all(const StiEntry *entry, const void *parameters)
{
    double force[] = {0.5, 3.0, 30.0};
    int accepted = 0;
    for (int m = -1; m < 0 || sti_methods[m] != NULL; ++m) {
        const StiMethod *method = m < 0 ? NULL : sti_methods[m]; // none: the one that suits
        StiNetwork *network = network_with(entry, parameters, method, force);
        if (network == NULL && method == NULL) fail_msg("%s runs under no method", entry->name);
        if (network == NULL) continue;
        run(entry->name, sti_network_method(network)->name, network, NULL);
        sti_network_destroy(network);
        ++accepted;
    }
    StiNetwork *network = network_with(entry, parameters, &sti_method_continuous, force);
    StiAdaptiveMethod method;
    for (int m = 0; network != NULL && sti_adaptive_method(m, &method); ++m) {
        StiReport *report = sti_report_create();
        StiAdaptive *adaptive = sti_adaptive_create(network,
                                                    &(StiAdaptiveOptions){.method = method.name,
                                                                          .rtol = 1e-5,
                                                                          .atol = 1e-7,
                                                                          .stop = STEPS * T},
                                                    report);
        if (adaptive != NULL) run(entry->name, method.name, network, adaptive);
        if (adaptive == NULL) assert_true(sti_report_error_count(report) > 0);
        accepted += adaptive != NULL;
        sti_adaptive_destroy(adaptive);
        sti_report_destroy(report);
    }
    sti_network_destroy(network);
    return accepted;
}

static void every_kind_runs_under_every_method_that_accepts_it(void **state)
{
    (void)state;
    int kinds = 0;
    for (int role = STI_ROLE_FRICTION; role <= STI_ROLE_ELEMENT; role += STI_ROLE_ELEMENT) {
        StiEntry entry;
        for (int i = 0; sti_registry_at((StiKindRole)role, i, &entry); ++i) {
            const void *example = entry.info->example;
            if (example == NULL || (entry.reaction == NULL && entry.impedance == NULL)) continue;
            if (entry.impedance != NULL && entry.impedance->size(example).velocities != 1) continue;
            if (entry.impedance != NULL && entry.impedance->size(example).positions > 1) continue;
            assert_true(run_under_all(&entry, example) >= 1);
            ++kinds;
        }
    }
    assert_true(kinds >= 20);
}

// Every law in the set-valued model, in a spring behind a slider, and in a bristle.
static void every_law_runs_in_models(void **state)
{
    (void)state;
    StiEntry law;
    for (int i = 0; sti_registry_at(STI_ROLE_LAW, i, &law); ++i)
        for (int scaled = 0; scaled < 4; ++scaled) {
            const StiLaw value = sti_law_scaled(*law.law->example, scaled & 1, scaled & 2);
            const StiFiniteTime rigid = {.dim = 1, .law = value};
            const StiElasticCoulomb elastic = {.dim = 1, .law = value, .K = 1e4, .B = 50.0};
            const StiDahl bristle = {.law = value, .K = 1e4, .alpha = 1.0, .stiff = true};
            const void *const parameters[] = {&rigid, &elastic, &bristle};
            static const char *const names[] = {"finite-time", "elastic-coulomb", "dahl"};
            for (int m = 0; m < 3; ++m) {
                StiEntry entry;
                assert_true(sti_registry_find(STI_ROLE_FRICTION, names[m], &entry));
                assert_true(run_under_all(&entry, parameters[m]) >= 1);
            }
        }
}

// What a law says about itself is so.
static void laws_are_what_they_claim(void **state)
{
    (void)state;
    StiEntry entry;
    Random random = {3};
    for (int i = 0; sti_registry_at(STI_ROLE_LAW, i, &entry); ++i) {
        const StiLaw *law = entry.law->example;
        const StiLawSurvey survey = sti_law_survey(law);
        for (int k = 0; k < 2000; ++k) {
            const double signals[MOST_SIGNALS] = {random_between(&random, -2.0, 2.0),
                                                  random_between(&random, -2.0, 2.0)};
            const double u = random_decades(&random, 1e-4, 10.0), d = 1e-6 * u;
            const double here = sti_law_level(law, u, 1.0, signals),
                         back = sti_law_level(law, u, -1.0, signals);
            assert_true(here >= 0.0 && isfinite(here));
            if (!entry.law->directional) assert_true(here == back);
            if (entry.law->constant)
                assert_true(here == law->p[0] && sti_law_slope(law, u, 1.0, signals) == 0.0);
            if (entry.law->table) continue; // it bends
            const double rise = (sti_law_level(law, u + d, 1.0, signals) -
                                 sti_law_level(law, u - d, 1.0, signals)) /
                                (2.0 * d);
            assert_true(fabs(sti_law_slope(law, u, 1.0, signals) - rise) <=
                        1e-6 * (here / u + fabs(rise)));
            if (entry.law->signals > 0) continue;              // the survey is one without torques
            assert_true(here >= survey.lowest * (1.0 - 1e-3)); // it is sampled
            assert_true(-rise <= survey.steepest_fall * (1.0 + 1e-5) + 1e-5 * (1.0 + fabs(rise)));
        }
    }
}

// ---- drift -----------------------------------------------------------------------------------------------------

static bool add_level(void *context, const StiNumber *number)
{
    if (strncmp(number->path, "level[", 6) == 0) *(double *)context += *number->value;
    return true;
}

// What it carries at least: of its law, or of the sliders of a bank.
static double level_of(const StiInfo *info, void *parameters)
{
    const StiLaw *law = sti_kind_law(info, parameters);
    double sum = 0.0;
    sti_fields_visit(info, parameters, add_level, &sum);
    return law != NULL ? sti_law_survey(law).lowest : sum;
}

// Under a push that swings well below the level, what claims to hold comes back to the same place cycle after cycle.
static void what_claims_to_hold_does_not_drift(void **state)
{
    (void)state;
    StiEntry entry;
    int kinds = 0;
    for (int i = 0; sti_registry_at(STI_ROLE_FRICTION, i, &entry); ++i) {
        if (!entry.holds) continue;
        Random random = {(uint64_t)(500 + i)};
        for (int k = 0; k < steps_or(6, 2); ++k) {
            StiArena arena = {0};
            void *p = random_parameters(entry.info, &arena, &random);
            const double level = level_of(entry.info, p);
            enum { CYCLE = 40 };
            double force[] = {0.15 * level, 0.15 * level,
                              2.0 * 3.14159265358979323846 / (CYCLE * T)};
            StiNetwork *network = network_with(&entry, p, NULL, force);
            assert_non_null(network);
            StiState *now = sti_state_create(network);
            StiScratch *scratch = sti_scratch_create(network);
            double places[2];
            for (int n = 0; n < 2; ++n) {
                assert_int_equal(sti_run(network, NULL, now, scratch, 300 * CYCLE), STI_OK);
                StiFound found;
                assert_true(sti_network_find(network, "m", &found));
                places[n] = *sti_state_positions(now, network, found.body);
            }
            if (fabs(places[1] - places[0]) > 1e-9 || fabs(places[1]) > 1e-2)
                fail_msg("%s drifts from %g to %g", entry.name, places[0], places[1]);
            sti_scratch_destroy(scratch);
            sti_state_destroy(now);
            sti_network_destroy(network);
            sti_arena_release(&arena);
        }
        ++kinds;
    }
    assert_true(kinds >= 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_has_a_path),
        cmocka_unit_test(kinds_are_pure),
        cmocka_unit_test(friction_with_memory_takes_energy),
        cmocka_unit_test(reactions_take_energy),
        cmocka_unit_test(every_kind_runs_under_every_method_that_accepts_it),
        cmocka_unit_test(every_law_runs_in_models),
        cmocka_unit_test(laws_are_what_they_claim),
        cmocka_unit_test(what_claims_to_hold_does_not_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
