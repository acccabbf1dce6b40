// The books of steps in pieces: means are impulses over the step, works are exact, and looking changes nothing.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "../network/built.h"
#include "cut/account.h"
#include "support/near.h"
#include "support/plan.h"

static const double mass = 2.0, speed = 0.3, level = 10.0, T = 0.05; // it stops after 0.06 s

static StiPlan *sliding(void)
{
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId block = add_moving_mass(plan, "block", mass, speed);
    add_rule(plan, "rule", sti_wire_coordinate(block, 0, 1), sti_law_coulomb(level), 0.0);
    sti_plan_set_method(plan, &sti_method_cut);
    sti_plan_set_step(plan, T);
    return plan;
}

typedef struct Reader {
    StiArena arena;
    Account account;
} Reader;

static void assert_booked(const Built *built, Reader *reader, double friction, double work)
{
    const Account *account = &reader->account;
    sti_account_read(built->network, built->scratch, &reader->account);
    assert_near(account->mean_u[0], friction, 1e-13);
    assert_near(account->works.absorbed_by_reaction[0], work, 1e-14);
    assert_near(account->works.on_body[0], -work, 1e-14);
}

// One piece; two, of which the second is at rest; rest.
static void means_and_works_are_those_of_the_motion(void **state)
{
    (void)state;
    Built built = build_and_destroy(sliding());
    Reader reader = {0};
    sti_account_take(&reader.arena, built.network, &reader.account);
    const double left = speed - level / mass * T;
    const double energy = 0.5 * mass * speed * speed, later = 0.5 * mass * left * left;
    assert_steps(&built, NULL);
    assert_int_equal(sti_scratch_figures(built.scratch).substeps, 1);
    assert_booked(&built, &reader, level, energy - later);
    assert_steps(&built, NULL);
    assert_true(sti_scratch_figures(built.scratch).substeps > 1);
    assert_booked(&built, &reader, mass * left / T, later);
    assert_booked(&built, &reader, mass * left / T, later); // whoever looks twice sees it once
    assert_steps(&built, NULL);
    assert_booked(&built, &reader, 0.0, 0.0);
    sti_arena_release(&reader.arena);
    release(&built);
}

static void looking_changes_no_bit(void **state)
{
    (void)state;
    Built looked = build_and_destroy(sliding()), alone = build_and_destroy(sliding());
    Reader reader = {0};
    sti_account_take(&reader.arena, looked.network, &reader.account);
    for (int k = 0; k < 4; ++k) {
        assert_steps(&looked, NULL);
        assert_steps(&alone, NULL);
        sti_account_read(looked.network, looked.scratch, &reader.account);
        assert_true(sti_state_hash(looked.state) == sti_state_hash(alone.state));
    }
    sti_arena_release(&reader.arena);
    release(&looked);
    release(&alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_and_works_are_those_of_the_motion),
        cmocka_unit_test(looking_changes_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
