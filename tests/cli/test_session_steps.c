// One step in a thousand without an answer is a line of the summary; more of them are a failed run.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "command/command.h"
#include "terminal/session.h"

static void steps_without_an_answer_change_the_exit_code(void **state)
{
    (void)state;
    const StiScene scene = {.steps = 10000};
    Session session = {.scene = &scene, .unsolved_at = "floor"};
    assert_int_equal(session_judge_steps(&session), CODE_GOOD);
    session.unsolved = 10;
    assert_int_equal(session_judge_steps(&session), CODE_GOOD);
    session.unsolved = 11;
    assert_int_equal(session_judge_steps(&session), CODE_FAILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_without_an_answer_change_the_exit_code)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
