// Masses on a line that rub on the ground and on each other, more often than there are masses; one of
// them is pushed harder and harder. What sticks can carry as much as the weakest cut between that mass and
// the ground, with the static levels as capacities (a flow in a network): below it nothing moves, above
// it something does, under every method.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "../../unit/network/built.h"
#include "stiction/adaptive.h"
#include "support/random.h"
#include "support/short.h"

enum { MASSES = 5, RUBS = 9, STEPS = 60 };
static const double T = 1e-2, ramp = 0.5; // s

typedef struct Rub {
    int a, b; // b -1: the ground
    double level, level_static;
} Rub;

typedef struct Line {
    int masses, rubs;
    Rub rub[RUBS];
    double push; // N at the end of the ramp, on mass 0
} Line;

static void push_at(const void *data, void *workspace, double t, double *values)
{
    (void)workspace;
    values[0] = ((const Line *)data)->push * fmin(t / ramp, 1.0);
}

static Line random_line(Random *random)
{
    Line line = {.masses = 1 + random_below(random, MASSES)};
    line.rubs = line.masses + 1 + random_below(random, RUBS - line.masses);
    for (int i = 0; i < line.rubs; ++i) {
        // the first ones tie each mass to one before it, or to the ground
        const int a = i < line.masses ? i : random_below(random, line.masses);
        const int b = random_below(random, i < line.masses ? i + 1 : line.masses + 1) - 1;
        const double level = random_decades(random, 0.3, 10.0);
        const double more = random_below(random, 2) == 0 ? 1.0 : random_between(random, 1.0, 1.5);
        line.rub[i] = (Rub){a, b == a ? -1 : b, level, more * level};
    }
    return line;
}

// Over all sets of masses that contain mass 0: what its members rub on outside of it.
static double weakest_cut(const Line *line)
{
    double least = INFINITY;
    for (int set = 1; set < 1 << line->masses; set += 2) {
        double sum = 0.0;
        for (int i = 0; i < line->rubs; ++i) {
            const Rub *rub = &line->rub[i];
            const bool a = set >> rub->a & 1, b = rub->b >= 0 && (set >> rub->b & 1);
            if (a != b) sum += rub->level_static;
        }
        least = fmin(least, sum);
    }
    return least;
}

static Built build_line(const Line *line, const StiMethod *method, Random random,
                        StiAdmittanceId *mass)
{
    static const double breaks[] = {0.5};
    StiPlan *plan = sti_plan_create();
    char name[24];
    for (int i = 0; i < line->masses; ++i) {
        snprintf(name, sizeof name, "m%02d", i);
        mass[i] = add_mass(plan, name, random_decades(&random, 0.1, 10.0));
    }
    for (int i = 0; i < line->rubs; ++i) {
        const Rub *rub = &line->rub[i];
        const StiAdmittanceId other = rub->b < 0 ? STI_GROUND : mass[rub->b];
        snprintf(name, sizeof name, "f%02d", i);
        add_rule(plan, name, sti_wire_coordinate_pair(mass[rub->a], 0, other, 0, 1),
                 sti_law_coulomb(rub->level),
                 rub->level_static > rub->level ? rub->level_static : 0.0);
    }
    const StiWire wire = sti_wire_coordinate(mass[0], 0, 1);
    const StiElementId force =
        sti_plan_add_impedance(plan, "push", &sti_kind_force_source, &(StiForceSource){1}, &wire);
    const StiTimeFunction push = {
        .count = 1, .eval = push_at, .data = line, .breaks = breaks, .break_count = 1};
    sti_plan_connect(plan, sti_signal_source(sti_plan_add_time_function(plan, "F", push), 0), force,
                     0);
    sti_plan_set_step(plan, T);
    sti_plan_set_method(plan, method);
    return build_and_destroy(plan);
}

static bool anything_moves(const Built *built, const Line *line, const StiAdmittanceId *mass)
{
    for (int i = 0; i < line->masses; ++i)
        if (*velocity(built, mass[i]) != 0.0) return true;
    return false;
}

static bool moves_in_steps(const Line *line, const StiMethod *method, Random random)
{
    StiAdmittanceId mass[MASSES];
    Built built = build_line(line, method, random, mass);
    for (int k = 0; k < STEPS; ++k) assert_steps(&built, NULL);
    const bool moves = anything_moves(&built, line, mass);
    release(&built);
    return moves;
}

static bool moves_with_error_control(const Line *line, Random random)
{
    StiAdmittanceId mass[MASSES];
    Built built = build_line(line, &sti_method_rule, random, mass);
    StiAdaptive *adaptive =
        sti_adaptive_create(built.network, &(StiAdaptiveOptions){.stop = STEPS * T}, NULL);
    assert_non_null(adaptive);
    for (int k = 0; k < STEPS; ++k)
        assert_int_equal(sti_adaptive_step(adaptive, NULL, built.state, built.scratch), STI_OK);
    const bool moves = anything_moves(&built, line, mass);
    sti_adaptive_destroy(adaptive);
    release(&built);
    return moves;
}

static void what_can_be_carried_is_held(void **state)
{
    (void)state;
    const int seeds = (int)steps_or(400, 100);
    for (int seed = 1; seed <= seeds; ++seed) {
        Random random = {(uint64_t)seed};
        Line line = random_line(&random);
        const double most = weakest_cut(&line);
        for (int above = 0; above < 2; ++above) {
            line.push = most * (above ? 1.03 : 0.98);
            const bool rule = moves_in_steps(&line, &sti_method_rule, random);
            const bool cut = moves_in_steps(&line, &sti_method_cut, random);
            const bool events = moves_with_error_control(&line, random);
            if (rule == above && cut == above && events == above) continue;
            print_error("seed %d, %s the weakest cut: rule %d, cut %d, events %d\n", seed,
                        above ? "above" : "below", rule, cut, events);
            fail();
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_can_be_carried_is_held)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
