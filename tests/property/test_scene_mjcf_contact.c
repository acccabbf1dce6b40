// Random MJCF: boxes slide and balls spin and roll on the floor, on a table and on each other as the friction of both
// geoms, of a pair, condim and priority say. The judge: closed forms with a rule for two geoms written here once more.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stiction/network.h"
#include "stiction/scene.h"
#include "stiction/step.h"
#include "support/near.h"
#include "support/random.h"
#include "support/short.h"

static const double G = 9.81, RADIUS = 0.1;

typedef struct Says { // of a geom or a pair
    double friction[3];
    int condim, priority;
} Says;

static Says random_words(Random *random)
{
    static const int condims[] = {1, 3, 3, 4, 6};
    return (Says){.friction = {random_between(random, 0.05, 0.3),
                               random_between(random, 0.001, 0.01),
                               random_between(random, 0.0005, 0.002)},
                  .condim = condims[random_below(random, 5)],
                  .priority = random_below(random, 3) == 0};
}

// Which numbers count, and 0 where condim leaves them out.
static Says together(const Says *a, const Says *b)
{
    Says both = a->priority > b->priority ? *a : *b;
    for (int i = 0; a->priority == b->priority && i < 3; ++i)
        both.friction[i] = a->friction[i] > b->friction[i] ? a->friction[i] : b->friction[i];
    if (a->priority == b->priority) both.condim = a->condim > b->condim ? a->condim : b->condim;
    if (both.condim < 6) both.friction[2] = 0.0;
    if (both.condim < 4) both.friction[1] = 0.0;
    if (both.condim < 3) both.friction[0] = 0.0;
    return both;
}

static void put_geom(FILE *to, const char *name, const char *form, const Says *says)
{
    fprintf(to, "<geom name='%s' %s friction='%.17g %.17g %.17g' condim='%d' priority='%d'/>", name,
            form, says->friction[0], says->friction[1], says->friction[2], says->condim,
            says->priority);
}

// What lies under the body: the floor, the floor by a pair, a table of the world, a table as a body, another body
// that a pair of rails holds.
typedef enum Under { FLOOR, PAIR, TABLE, STAND, OTHER_TREE, UNDERS } Under;

typedef struct Case {
    Under under;
    Says own, below;
    bool ball;
    double pull; // m/s^2 along x
} Case;

static Says grip_of(const Case *c)
{
    const Says nothing = {.priority = -1};
    return c->under == PAIR ? together(&c->own, &nothing) : together(&c->own, &c->below);
}

// Upper sides at z = 0 for the floor, 0.2 for all else.
static void write_case(const Case *c, char *text, size_t size)
{
    static const char box[] = "type='box' size='0.6 0.6 0.1' pos='0 0 0.1'";
    const double top = c->under == FLOOR || c->under == PAIR ? 0.0 : 0.2;
    const Says usual = {.friction = {0.9, 0.01, 0.01}, .condim = 3};
    FILE *to = fmemopen(text, size, "w");
    fprintf(to, "<mujoco model='m'><option gravity='%.17g 0 %.17g'/><worldbody>", c->pull, -G);
    put_geom(to, "floor", "type='plane' size='5 5 1'", c->under == FLOOR ? &c->below : &usual);
    if (c->under == TABLE) put_geom(to, "table", box, &c->below);
    if (c->under == STAND || c->under == OTHER_TREE) {
        fprintf(to, "<body name='stand'>");
        if (c->under ==
            OTHER_TREE) // its own weight holds it down, friction on the floor is off by `usual`
            fprintf(to,
                    "<inertial pos='0 0 0.1' mass='1e7' diaginertia='1e6 1e6 1e6'/><freejoint/>");
        put_geom(to, "table", box, &c->below);
        fprintf(to, "</body>");
    }
    fprintf(to, "<body name='b' pos='0 0 %.17g'><freejoint/>", top + RADIUS);
    put_geom(to, "b", c->ball ? "type='sphere' size='0.1'" : "type='box' size='0.1 0.1 0.1'",
             c->under == PAIR ? &usual : &c->own);
    fprintf(to, "</body></worldbody>");
    if (c->under == PAIR)
        fprintf(
            to,
            "<contact><pair geom1='floor' geom2='b' condim='%d' friction='%.17g %.17g %.17g %.17g "
            "%.17g'/></contact>",
            c->own.condim, c->own.friction[0], c->own.friction[0], c->own.friction[1],
            c->own.friction[2], c->own.friction[2]);
    fprintf(to, "</mujoco>");
    fclose(to);
}

// v: three velocities of the body, three angular ones, at the start and after the steps.
static void simulate(const char *text, int steps, double *v, double *T)
{
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_read(text, strlen(text), "m.xml", NULL, messages);
    for (int i = 0; scene == NULL && i < sti_messages_count(messages); ++i)
        print_message("%s\n%s\n", sti_messages_at(messages, i)->text, text);
    assert_non_null(scene);
    StiFound joint;
    assert_true(sti_network_find(scene->network, "m.b_joint", &joint));
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    double *own = sti_state_edit_velocities(state, scene->network, joint.body) + joint.velocity;
    memcpy(own, v, 6 * sizeof *v);
    assert_int_equal(sti_run(scene->network, NULL, state, scratch, steps), STI_OK);
    memcpy(v, own, 6 * sizeof *v);
    *T = steps * sti_network_step(scene->network);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_scene_destroy(scene);
    sti_messages_destroy(messages);
}

static Case random_case(Random *random, bool ball)
{
    Case c = {.under = (Under)random_below(random, UNDERS),
              .own = random_words(random),
              .below = random_words(random),
              .ball = ball};
    if (c.under == PAIR) c.own.priority = 0;
    return c;
}

// A box that is pulled by more than friction can hold speeds up evenly, or stays.
static void boxes_slide(void **state)
{
    (void)state;
    Random random = {421};
    char text[4000];
    for (long i = 0; i < steps_or(16, 4); ++i) {
        Case c = random_case(&random, false);
        const double mu = grip_of(&c).friction[0];
        c.pull = random_below(&random, 2) == 0 ? 0.8 * mu * G : (mu + 0.1) * G;
        double v[6] = {0.0}, T;
        write_case(&c, text, sizeof text);
        simulate(text, 100, v, &T);
        const double expected = c.pull > mu * G ? (c.pull - mu * G) * T : 0.0;
        if (fabs(v[0] - expected) > 1e-9)
            print_message("%ld: %.12g, expected %.12g\n%s\n", i, v[0], expected, text);
        assert_near(v[0], expected, 1e-9);
    }
}

// A ball that spins about the normal is slowed by spinning*m*g, one that rolls by rolling*m*g.
static void balls_are_slowed(void **state)
{
    (void)state;
    Random random = {57};
    char text[4000];
    for (long i = 0; i < steps_or(16, 4); ++i) {
        const Case c = random_case(&random, true);
        const Says grip = grip_of(&c);
        const bool rolls = random_below(&random, 2) == 0 && grip.condim >= 3;
        double v[6] = {0.0}, T;
        if (rolls) {
            v[0] = 1.0;
            v[4] = v[0] / RADIUS;
        } else {
            v[5] = 20.0;
        }
        write_case(&c, text, sizeof text);
        simulate(text, 100, v, &T);
        const double inertia = 0.4 * RADIUS * RADIUS; // of 1 kg
        const double spin = 20.0 - grip.friction[1] * G / inertia * T;
        const double roll = 1.0 - grip.friction[2] / RADIUS * G / (1.0 + 0.4) * T;
        const double expected = rolls ? roll : spin > 0.0 ? spin : 0.0, found = rolls ? v[0] : v[5];
        if (fabs(found - expected) > 1e-7)
            print_message("%ld: %.12g, expected %.12g\n%s\n", i, found, expected, text);
        assert_near(found, expected, 1e-7);
    }
}

static void pairs_are_checked(void **state)
{
    (void)state;
    static const char text[] =
        "<mujoco model='m'><worldbody><geom name='floor' type='plane' size='1 1 1'/><body "
        "name='b'><freejoint/>"
        "<geom name='g' type='sphere' size='0.1'/></body></worldbody><contact>\n"
        "<pair geom1='g' geom2='flor'/></contact></mujoco>";
    StiMessages *messages = sti_messages_create();
    assert_null(sti_scene_read(text, strlen(text), "m.xml", NULL, messages));
    const StiMessage *message = sti_messages_at(messages, 0);
    assert_non_null(strstr(message->text, "geom2 of this pair is no geom of the model: 'flor'"));
    assert_int_equal(message->line, 2);
    sti_messages_destroy(messages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_slide),
                                       cmocka_unit_test(balls_are_slowed),
                                       cmocka_unit_test(pairs_are_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
