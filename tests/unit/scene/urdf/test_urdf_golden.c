// Broken robots, and exactly what is said about them: tests/golden_urdf/NAME.urdf must give the
// lines of NAME.expected.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "stiction/urdf.h"
#include "support/golden.h"

enum { FEWEST_ROBOTS = 40 };

static void says_what_is_expected(void **state)
{
    const char *robot = *state;
    StiMessages *messages = sti_messages_create();
    StiUrdf *urdf = sti_urdf_load(robot, messages);
    assert_int_equal(urdf == NULL, sti_messages_error_count(messages) > 0);
    if (urdf != NULL) sti_urdf_weld(urdf->links, urdf->count, robot, messages);
    assert_true(sti_messages_count(messages) > 0);
    golden_compare(robot, messages);
    sti_urdf_destroy(urdf);
    sti_messages_destroy(messages);
}

int main(void)
{
    return golden_run(SOURCE_DIR "/tests/golden_urdf", "*.urdf", FEWEST_ROBOTS,
                      says_what_is_expected);
}
