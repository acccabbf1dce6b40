// Error control comes to its end, whatever the scene, method and tolerance: random bodies that fall on
// planes, belts moved by functions of time, springs against set-valued laws, boxes that are pushed.
// Judges: another method at a tight tolerance, the cut step, energy, and the cost. And whoever asks it
// to stop is heard at once.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/followed_scene.h"
#include "support/random.h"
#include "support/short.h"

enum { TEXT = 4000, PLACES = 3, MOST_EVALUATIONS = 600000 };
static const char *const methods[] = {"dormand-prince", "fehlberg", "verner", "bogacki-shampine",
                                      "ode23",          "adams",    "bdf"};
static const double tolerances[] = {1e-6, 1e-8, 1e-10};

// ---- scenes -----------------------------------------------------------------------------------------

static void add(char *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + strlen(text), TEXT - strlen(text), format, arguments);
    va_end(arguments);
}

static void add_vector(char *text, const char *name, const double *v, int count)
{
    add(text, ", %s: [", name);
    for (int i = 0; i < count; ++i) add(text, "%s%.17g", i > 0 ? ", " : "", v[i]);
    add(text, "]");
}

static void fill(Random *random, double least, double most, int count, double *v)
{
    for (int i = 0; i < count; ++i) v[i] = random_between(random, least, most);
}

static void add_shape(char *text, Random *random, int kind, double mass)
{
    double v[24];
    if (kind == 0) {
        fill(random, 0.1, 0.3, 3, v);
        add(text, ", shape: box");
        add_vector(text, "size", v, 3);
    } else if (kind == 1) {
        add(text, ", shape: sphere, radius: %.17g", random_between(random, 0.05, 0.15));
    } else {
        fill(random, -0.15, 0.15, 24, v);
        add(text, ", inertia: [%.17g, %.17g, %.17g], shapes: [{kind: hull, vertices: [",
            0.01 * mass, 0.012 * mass, 0.014 * mass);
        for (int i = 0; i < 8; ++i)
            add(text, "%s[%.17g, %.17g, %.17g]", i > 0 ? ", " : "", v[3 * i], v[3 * i + 1],
                v[3 * i + 2]);
        add(text, "]}]");
    }
}

// Tilted and spinning, with or without friction and restitution.
static void make_body(char *text, Random *random, int trial)
{
    const double mass = random_decades(random, 0.1, 10.0), slope = random_between(random, -0.3, 0.3);
    const double mu = trial % 4 == 0 ? 0.0 : random_between(random, 0.05, 1.0);
    const double e = trial % 2 == 0 ? 0.0 : random_between(random, 0.0, 0.8);
    double q[4], v[3], w[3];
    fill(random, -1.0, 1.0, 4, q);
    fill(random, -1.0, 0.5, 3, v);
    fill(random, -5.0, 5.0, 3, w);
    add(text, "stop: 0.6\ngravity: [0, 0, -9.81]\nbodies:\n  b: {kind: rigid, mass: %.17g", mass);
    add_shape(text, random, trial % 3, mass);
    add_vector(text, "attitude", q, 4);
    add_vector(text, "velocity", v, 3);
    add_vector(text, "angular_velocity", w, 3);
    add(text, ", position: [0, 0, %.17g]}\nelements:\n", random_between(random, 0.3, 0.5));
    add(text,
        "  floor: {kind: contact, on: b, mu: %.17g, restitution: %.17g, plane: {point: [0, 0, 0], "
        "normal: [%.17g, 0, 1]}}\n",
        mu, e, slope);
}

static void add_law(char *text, Random *random, int law, double level)
{
    add(text, "model: %s, level: %.17g", law > 2 ? "elastic-coulomb" : "coulomb", level);
    if (law > 2) add(text, ", stiffness: 2000, damping: 5");
    if (law % 3 > 0) add(text, ", static: %.17g", level * random_between(random, 1.05, 1.6));
    if (law == 2) add(text, ", stribeck_speed: %.17g", random_between(random, 0.005, 0.1));
}

// The belt's speed is known by differences only.
static void make_belt(char *text, Random *random, int trial)
{
    const double speed = random_between(random, 0.02, 0.3);
    add(text, "stop: 1\nbodies:\n  belt: {kind: motion, x: \"%.17g*t%s\"}\n", speed,
        trial % 3 == 0 ? " + 0.01*sin(7*t)" : "");
    add(text, "  b: {kind: point, mass: %.17g, velocity: %.17g}\nelements:\n",
        random_between(random, 0.2, 2.0), trial % 2 == 0 ? 0.0 : speed);
    add(text, "  anchor: {kind: spring-damper, on: b, stiffness: %.17g, damping: %.17g}\n",
        random_decades(random, 20.0, 1000.0), trial % 4 < 2 ? 0.0 : random_between(random, 0.1, 1.0));
    add(text, "  sole: {kind: friction, between: [b, belt], ");
    add_law(text, random, trial % 3, random_between(random, 1.0, 6.0));
    add(text, "}\n");
}

static void make_spring(char *text, Random *random, int trial)
{
    const int dim = 1 + trial % 3;
    const double k = random_decades(random, 20.0, 400.0), level = random_decades(random, 1.0, 5.0);
    double x[3], v[3];
    fill(random, -12.0 * level / k, 12.0 * level / k, dim, x);
    fill(random, trial % 5 < 2 ? 0.0 : -1.0, trial % 5 < 2 ? 0.0 : 1.0, dim, v);
    add(text, "stop: 0.8\nbodies:\n  b: {kind: point, dimensions: %d, mass: %.17g", dim,
        random_decades(random, 0.2, 3.0));
    add_vector(text, "position", x, dim);
    add_vector(text, "velocity", v, dim);
    add(text, "}\nelements:\n  anchor: {kind: spring-damper, on: b, stiffness: %.17g}\n", k);
    add(text, "  sole: {kind: friction, on: b, ");
    add_law(text, random, trial % 5, level);
    add(text, "}\n");
}

// Below its limit and above it, in any direction, at any height below the middle.
static void make_pushed(char *text, Random *random, int trial)
{
    const double sides[3] = {0.16, 0.2, 0.24}, m = random_between(random, 0.5, 5.0);
    const double mu = random_between(random, 0.1, 0.6), way = random_between(random, -3.0, 3.0);
    const double share = trial % 2 == 0 ? random_between(random, 0.5, 0.99)
                                        : random_between(random, 1.02, 1.5);
    const double F = share * mu * m * 9.81;
    add(text, "stop: 0.4\ngravity: [0, 0, -9.81]\nbodies:\n  b: {kind: rigid, mass: %.17g", m);
    add_vector(text, "size", sides, 3);
    add(text, ", shape: box, position: [0, 0, 0.12]}\nelements:\n");
    add(text, "  floor: {kind: contact, on: b, mu: %.17g}\n", mu);
    add(text, "  push: {kind: force, on: b, at: [0, 0, %.17g], value: [%.17g, %.17g, 0]}\n",
        random_between(random, -0.12, 0.0), F * cos(way), F * sin(way));
}

typedef void MakeScene(char *text, Random *random, int trial);
static MakeScene *const kinds[] = {make_body, make_belt, make_spring, make_pushed};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

// ---- runs -------------------------------------------------------------------------------------------

static void open_run(FollowedScene *run, const char *text, const char *method)
{
    char all[TEXT + 200];
    StiMessages *messages = sti_messages_create();
    snprintf(all, sizeof all, "%s\n%s", method, text);
    StiScene *scene = sti_scene_read(all, strlen(all), "scene", NULL, messages);
    followed_open(run, scene, messages);
}

static const char *adaptive(const char *method, double rtol)
{
    static char text[120];
    snprintf(text, sizeof text, "method: {adaptive: %s, rtol: %g, atol: %g}", method, rtol,
             0.01 * rtol);
    return text;
}

static int complain(bool good, const char *text, const char *method, const char *what, double value)
{
    if (!good) print_error("%s# %s: %s %g\n", text, method, what, value);
    return !good;
}

static StiStatus step(const FollowedScene *run)
{
    return run->adaptive != NULL
               ? sti_adaptive_step(run->adaptive, NULL, run->state, run->scratch)
               : sti_run(run->scene->network, NULL, run->state, run->scratch, 1);
}

// Energy is lost at every row, but for what sources give; x: places at the end. Returns how much is
// wrong.
static int follow(const char *text, const char *method, double slack, double *x)
{
    FollowedScene run;
    StiStatus status = STI_OK;
    double lost = 0.0, largest = 1e-3, gained = 0.0;
    open_run(&run, text, method);
    for (long k = 0; k < run.scene->steps && (status = step(&run)) == STI_OK; ++k) {
        sti_recorder_follow(run.recorder, run.state, run.scratch);
        const StiEnergy energy = sti_recorder_energy(run.recorder);
        largest = fmax(largest, fabs(energy.stored) + fabs(energy.stored_start));
        gained = fmax(gained, (lost - energy.dissipated) / largest);
        lost = energy.dissipated;
    }
    const long evaluations =
        run.adaptive != NULL ? sti_adaptive_figures(run.adaptive).evaluations : 0;
    const int wrong =
        complain(status == STI_OK, text, method, sti_status_text(status),
                 sti_scratch_fault(run.scratch)->t) +
        complain(evaluations < MOST_EVALUATIONS, text, method, "evaluations", (double)evaluations) +
        complain(gained < slack, text, method, "friction gives energy", gained);
    static const char *const channels[PLACES] = {"b.x", "b.y", "b.z"};
    for (int i = 0; i < PLACES; ++i) {
        const int number = sti_network_channel_find(run.scene->network, channels[i]);
        x[i] = number >= 0 ? sti_recorder_value(run.recorder, number) : 0.0;
    }
    followed_close(&run);
    return wrong;
}

static double distance(const double *a, const double *b)
{
    double most = 0.0;
    for (int i = 0; i < PLACES; ++i) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

static void every_method_ends_at_every_tolerance_and_they_agree(void **unused)
{
    (void)unused;
    int wrong = 0;
    for (int kind = 0; kind < KINDS; ++kind) {
        Random random = {(uint64_t)(100 + kind)};
        for (int i = 0; i < (int)steps_or(21, 3); ++i) {
            char text[TEXT] = "";
            double judge[PLACES], x[PLACES];
            const double rtol = tolerances[i / 7 % 3];
            kinds[kind](text, &random, i);
            wrong += follow(text, adaptive("dormand-prince", 1e-11), 1e-9, judge);
            const char *method = adaptive(methods[i % 7], rtol);
            wrong += follow(text, method, 100.0 * rtol, x);
            wrong += complain(distance(x, judge) < 1e4 * rtol, text, method, "off by",
                              distance(x, judge));
            method = "step: 2e-4\nmethod: cut";
            wrong += follow(text, method, 1e-6, x);
            wrong +=
                complain(distance(x, judge) < 1e-4, text, method, "off by", distance(x, judge));
        }
    }
    assert_int_equal(wrong, 0);
}

// ---- interruption -----------------------------------------------------------------------------------

static bool ends_after(void *context)
{
    long *left = context;
    return --*left < 0;
}

// Until it is asked to stop; returns how often it still asked.
static long stop_after(const char *text, const char *method, long asked)
{
    FollowedScene run;
    long left = asked;
    StiStatus status = STI_OK;
    open_run(&run, text, method);
    sti_scratch_watch(run.scratch, ends_after, &left);
    for (long k = 0; k < run.scene->steps && status == STI_OK; ++k) {
        const uint64_t before = sti_state_hash(run.state);
        status = step(&run);
        assert_true(status == STI_OK || status == STI_INTERRUPTED);
        if (status == STI_INTERRUPTED) assert_true(sti_state_hash(run.state) == before);
    }
    assert_true(status == STI_INTERRUPTED || left >= 0);
    followed_close(&run);
    return left < 0 ? -left : 0;
}

static void whoever_asks_it_to_stop_is_heard_at_once(void **unused)
{
    (void)unused;
    static const char *const steps[] = {"method: cut", "method: rule"};
    Random random = {7};
    for (int i = 0; i < (int)steps_or(120, 12); ++i) {
        char text[TEXT] = "";
        kinds[i % KINDS](text, &random, i);
        const char *method = i % 9 < 7 ? adaptive(methods[i % 9], 1e-8) : steps[i % 9 - 7];
        const long asked = (long)random_decades(&random, 1.0, 3000.0);
        assert_true(stop_after(text, method, asked) < 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_ends_at_every_tolerance_and_they_agree),
        cmocka_unit_test(whoever_asks_it_to_stop_is_heard_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
