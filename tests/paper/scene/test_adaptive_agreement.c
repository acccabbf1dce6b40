// All scenes of papers/ under their own method, cut in pieces, and with error control and events: three ways to one
// solution. A scene that is not listed here, a method that is refused for another reason than the one listed, or one
// that suddenly runs, fails.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "network/network.h"
#include "stiction/adaptive.h"
#include "stiction/scene.h"
#include "stiction/step.h"

enum { MOST = 200 };

// Where the exact solution would be: dormand-prince, which events keep at its order. It agrees with fehlberg at
// rtol 1e-12 within 3e-10 in all scenes.
static const char reference_method[] =
    "method={adaptive: dormand-prince, rtol: 2e-11, atol: 2e-13}";
// Local errors of 1e-9 add up: 1.1e-7 in the worst scene, twelve reversals.
static const char stiff_method[] = "method={adaptive: bdf, rtol: 1e-9, atol: 1e-11}";
static const double of_stiff_method = 2e-7;

typedef struct Row {
    const char *scene, *variant;
    double until; // s, where the whole run would be long; 0: all of it
    // Bounds of the errors of positions, m or rad. own: of the first-order schemes C T, with the C of the scene (a crossing
    // inside a step costs up to (F/M) T in v, once for each); 0: the scene's own method is cut.
    // cut: order 4, so C T^4 with T = 1e-3 below 1e-8; larger where a row says why.
    double own, cut;
    const char *no_cut, *no_adaptive; // refused, and the reason; NULL: it runs
} Row;

static const char karnopp[] = "karnopp has no modes";
static const char quinn[] = "quinn has no modes";

static const Row rows[] = {
    {"fixed-step/free-deceleration", .own = 6e-4, .cut = 1e-12},
    {"fixed-step/haptic-plane", .own = 1.2e-4, .cut = 1e-10},
    {"fixed-step/hysteresis", .until = 5, .own = 1e-12,
     .cut = 1e-12},                                               // driven: the motion is given
    {"fixed-step/linear-continuous", .own = 1e-12, .cut = 1e-12}, // driven
    {"fixed-step/planar-spring", .own = 3e-3, .cut = 1e-10},
    {"fixed-step/spring-pull", .own = 2e-5,
     .cut = 1e-9}, // the rule is of order 2 here: it starts at rest
    {"fixed-step/spring-pull", "K1", .own = INFINITY, .no_cut = karnopp,
     .no_adaptive = "karnopp"}, // no exact solution: it creeps
    {"fixed-step/spring-pull", "Q1", .own = INFINITY, .no_cut = quinn, .no_adaptive = "quinn"},
    {"fixed-step/static-friction", .own = 4e-6, .cut = 1e-9},
    {"fixed-step/surfaces", .own = 1e-12, .cut = 1e-12},     // one step from rest, nothing moves
    {"fixed-step/surfaces/curve", .own = 2e-2, .cut = 2e-5}, // one step of 0.05 s
    {"fixed-step/surfaces/loop", .own = 5e-10,
     .cut = 5e-10}, // polynomials: what is left is the reference's
    {"fixed-step/two-bodies", .own = 1.2e-3, .cut = 1e-11},
    {"fixed-step/zero-crossing", .own = 8e-5, .cut = 1e-12},
    {"modular/rolling-sphere", .until = 0.02, .own = 1e-12,
     .cut = 1e-12}, // to the first touch, at 0.0202 s. Each bounce
    // multiplies what came before: dormand-prince and fehlberg part by 1e-8 m at 0.05 s, 5e-6 at 0.1 s, 6e-4 at 1 s
    {"modular/rolling-sphere-rest", .until = 0.05, .own = 1e-9,
     .cut = 1e-9}, // sliding, its soft contact relaxes in B/K = 1e-6 s: implicit
    {"modular/two-link", .until = 1.2, .own = 3e-5, .cut = 1e-11},
    {"modular/two-link-penalty", .until = 0.2, .own = 1e-7, .cut = 1e-11},
    {"dahl/dahl-loops", .until = 20, .own = 1e-12, .cut = 1e-12}, // driven
    {"dahl/free-vibration", .own = 2e-7, .cut = 1e-9},
    {"dahl/free-vibration", "dahl", .until = 1, .own = 3e-6,
     .cut = 1e-7}, // kinks at its reversals: order 2 there
    {"dahl/free-vibration-table1", .own = INFINITY, .no_cut = "integrator.",
     .no_adaptive = "chatters"}, // sign(v) as
    // a function, to count what that costs: without events no tolerance is met
    {"dahl/mass-pendulum", .own = 4e-9,
     .cut = 4e-9}, // a linkage: the reference goes back onto its constraints, too
    {"dahl/mass-pile", .own = 3e-4, .cut = 1e-11},
    {"dahl/painleve-disc", .own = 1e-7, .cut = 1e-12},
    {"dahl/painleve-rods", .own = 3e-4, .cut = 1e-12},
    {"semi-implicit/motor-unit", .until = 10.05, .own = 2e-5,
     .cut = 1e-7}, // friction falls with exp(-100 v): C is large
    {"semi-implicit/pendulum", .own = 1.2e-3, .cut = 1e-9},
    {"semi-implicit/two-link-ground", .until = 1.0, .own = 1.2e-3,
     .cut = 2e-5}, // friction falls with exp(-100 v) here, too: 8e-6 at 1 ms, 4e-7 at a quarter
    {"order/contact-arm", .cut = 1e-9},
    {"order/contact-bounce", .cut = 3e-8},
    {"order/contact-box", .cut = 1e-9},
    {"order/contact-crossing", .cut = 1e-9},
    {"order/contact-lift", .cut = 5e-9},
    {"order/contact-pair", .cut = 5e-8},
    {"order/contact-rolling", .cut = 1e-7},
    {"order/departure", .cut = 5e-7}, // order 3 there: singular, METHODS 8
    {"order/forced", .cut = 2e-9},
    {"order/grazing", .cut = 1e-9},
    {"order/haptic-loop", .cut = 1e-10},
    {"order/pile", .cut = 1e-12},
    {"order/planar-stop", .cut = 2e-8}, // T = 8e-3
    {"order/reversals", .cut = 3e-9},
    {"order/reversals-rigid", .cut = 1e-9},
    {"order/sliding", .cut = 1e-10},
    {"order/spring-pull", .cut = 1e-9},
    {"order/stick", .cut = 3e-11},
    {"order/stiff", .until = 0.2,
     .cut = 1e-9}, // K = 1e7: dormand-prince takes 2e6 steps for the whole of it
    {"order/two-grounds", .cut = 1e-9},
    {"order/two-link", .until = 2, .cut = 1e-10},
    {"order/two-masses", .cut = 1e-8},
    {"order/zero-crossing", .cut = 1e-12},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

typedef struct Outcome {
    double positions[MOST];
    int count;   // -1: refused
    double step; // s
    char reason[300];
} Outcome;

static StiScene *load(const Row *row, const char *set, double halved, Outcome *outcome)
{
    char path[512], step[64];
    const char *sets[2];
    int count = 0;
    const bool file = strchr(strchr(row->scene, '/') + 1, '/') != NULL;
    snprintf(path, sizeof path, "%s/papers/%s%s.yaml", SOURCE_DIR, row->scene,
             file ? "" : "/scene");
    if (set != NULL) sets[count++] = set;
    snprintf(step, sizeof step, "step=%.17g", halved);
    if (halved > 0.0) sets[count++] = step;
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_load(
        path, &(StiSceneOptions){.sets = sets, .set_count = count, .variant = row->variant},
        messages);
    for (int i = 0; scene == NULL && i < sti_messages_count(messages); ++i)
        if (sti_messages_at(messages, i)->severity == STI_ERROR)
            snprintf(outcome->reason, sizeof outcome->reason, "%s",
                     sti_messages_at(messages, i)->text);
    sti_messages_destroy(messages);
    return scene;
}

static void take_positions(const StiNetwork *network, const StiState *state, Outcome *outcome)
{
    outcome->count = 0;
    for (int i = 0; i < network->admittance_count; ++i)
        for (int d = 0; d < network->admittances[i].size.positions; ++d) {
            assert_true(outcome->count < MOST);
            outcome->positions[outcome->count++] = state->values[network->admittances[i].q + d];
        }
}

static void follow(const StiScene *scene, double until, Outcome *outcome)
{
    const StiNetwork *network = scene->network;
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    StiAdaptive *adaptive =
        scene->adaptive != NULL ? sti_adaptive_create(network, scene->adaptive, NULL) : NULL;
    outcome->step = sti_network_step(network);
    const int64_t steps = until > 0.0 ? (int64_t)lround(until / outcome->step) : scene->steps;
    StiStatus status = STI_OK;
    for (int64_t k = 0; k < steps && status == STI_OK; ++k)
        status = adaptive != NULL ? sti_adaptive_step(adaptive, NULL, state, scratch)
                                  : sti_run(network, NULL, state, scratch, 1);
    if (status == STI_OK) take_positions(network, state, outcome);
    if (status != STI_OK)
        snprintf(outcome->reason, sizeof outcome->reason, "%s", sti_status_text(status));
    sti_adaptive_destroy(adaptive);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
}

static Outcome run(const Row *row, const char *set, double halved)
{
    Outcome outcome = {.count = -1};
    StiScene *scene = load(row, set, halved, &outcome);
    if (scene != NULL) follow(scene, row->until, &outcome);
    sti_scene_destroy(scene);
    return outcome;
}

static double distance(const Outcome *a, const Outcome *b)
{
    double most = 0.0;
    if (a->count != b->count) return INFINITY;
    for (int i = 0; i < a->count; ++i) most = fmax(most, fabs(a->positions[i] - b->positions[i]));
    return most;
}

// Refused as expected, or within the bound?
static bool agrees(const Row *row, const char *method, const Outcome *got, const Outcome *exact,
                   double bound, const char *refusal)
{
    const char *variant = row->variant != NULL ? row->variant : "";
    if (got->count < 0 || refusal != NULL) {
        const bool good = got->count < 0 && refusal != NULL && strstr(got->reason, refusal) != NULL;
        if (!good)
            print_error("%s %s under %s: %s; expected: %s\n", row->scene, variant, method,
                        got->count < 0 ? got->reason : "runs", refusal != NULL ? refusal : "runs");
        return good;
    }
    const double error = exact->count < 0 ? 0.0 : distance(got, exact);
    if (!(error <= bound))
        print_error("%s %s under %s: %.3g, more than %.3g\n", row->scene, variant, method, error,
                    bound);
    return error <= bound;
}

// Without events for its friction: cut with half the step, 16 times as exact.
static Outcome exact_solution(const Row *row, const Outcome *adaptive, const Outcome *cut)
{
    if (adaptive->count >= 0 || cut->count < 0) return *adaptive;
    return run(row, "method=cut", 0.5 * cut->step);
}

static bool compare(const Row *row)
{
    const bool chatters = row->no_adaptive != NULL && strcmp(row->no_adaptive, "chatters") == 0;
    const Outcome own = run(row, NULL, 0.0), cut = run(row, "method=cut", 0.0);
    bool good = true;
    Outcome adaptive = {.count = -1, .reason = "chatters"}, stiff = adaptive;
    if (!chatters) {
        adaptive = run(row, reference_method, 0.0);
        stiff = run(row, stiff_method, 0.0);
    }
    const Outcome exact = exact_solution(row, &adaptive, &cut);
    good = agrees(row, "its own method", &own, &exact, row->own > 0.0 ? row->own : row->cut, NULL);
    good = agrees(row, "cut", &cut, &exact, row->cut, row->no_cut) && good;
    good = agrees(row, "dormand-prince", &adaptive, &exact, 0.0, row->no_adaptive) && good;
    return agrees(row, "bdf", &stiff, &exact, of_stiff_method, row->no_adaptive) && good;
}

static void solutions_agree(void **state)
{
    (void)state;
    bool good = true;
    for (int i = 0; i < ROWS; ++i) good = compare(&rows[i]) && good;
    assert_true(good);
}

// "papers/KEY/NAME/scene.yaml" is listed as KEY/NAME, others beside it by their own name.
static bool is_listed(const char *path)
{
    char name[512];
    snprintf(name, sizeof name, "%s", strstr(path, "/papers/") + strlen("/papers/"));
    char *end = strstr(name, "/scene.yaml");
    if (end == NULL) end = strstr(name, ".yaml");
    *end = '\0';
    for (int i = 0; i < ROWS; ++i)
        if (strcmp(rows[i].scene, name) == 0) return true;
    print_error("%s is not listed\n", name);
    return false;
}

static void all_scenes_are_listed(void **state)
{
    (void)state;
    glob_t found;
    bool good = true;
    assert_int_equal(glob(SOURCE_DIR "/papers/*/*/*.yaml", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 42);
    for (size_t i = 0; i < found.gl_pathc; ++i) good = is_listed(found.gl_pathv[i]) && good;
    globfree(&found);
    assert_true(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_scenes_are_listed),
        cmocka_unit_test(solutions_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
