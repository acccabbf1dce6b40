// Public URDF files, as their authors wrote them: how many load, and that writing them changes nothing.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "stiction/urdf.h"
#include "support/public_robots.h"
#include "support/same_dynamics.h"

typedef struct Tally {
    int files, loaded, same;
    double worst;
} Tally;

static StiRobot *robot_of(StiUrdf *urdf)
{
    StiReport *report = sti_report_create();
    sti_urdf_weld(urdf->links, urdf->count, "", NULL);
    StiRobot *robot = sti_robot_create(urdf->links, urdf->count, report);
    sti_report_destroy(report);
    return robot;
}

static void write_and_compare(const StiUrdf *urdf, const StiRobot *robot, Tally *tally)
{
    const size_t length = sti_urdf_write(urdf, NULL, 0);
    char *text = malloc(length + 1);
    assert_non_null(text);
    sti_urdf_write(urdf, text, length + 1);
    StiUrdf *again = sti_urdf_read(text, length, "written.urdf", NULL);
    assert_non_null(again);
    StiRobot *other = robot_of(again);
    assert_non_null(other);
    Random random = {11};
    for (int k = 0; k < 3; ++k) {
        const double apart = dynamics_apart(robot, other, &random);
        assert_true(apart >= 0.0 && apart <= 1e-12);
        tally->worst = fmax(tally->worst, apart);
    }
    ++tally->same;
    sti_robot_destroy(other);
    sti_urdf_destroy(again);
    free(text);
}

static void load(const char *path, void *data)
{
    Tally *tally = data;
    StiMessages *messages = sti_messages_create();
    ++tally->files;
    StiUrdf *urdf = sti_urdf_load(path, messages);
    StiRobot *robot = urdf != NULL ? robot_of(urdf) : NULL;
    if (robot == NULL) {
        assert_true(sti_messages_error_count(messages) > 0); // always a reason
        print_message("refused: %s\n", path);
    } else {
        ++tally->loaded;
        write_and_compare(urdf, robot, tally);
    }
    assert_true(sti_messages_count(messages) < 25); // in groups
    sti_robot_destroy(robot);
    sti_urdf_destroy(urdf);
    sti_messages_destroy(messages);
}

static void nearly_all_load_and_are_the_same_after_writing(void **state)
{
    (void)state;
    Tally tally = {0};
    if (!public_robots_are_there("urdf")) skip();
    public_robots_in(SOURCE_DIR "/../shared/data/robots/urdf", ".urdf", load, &tally);
    print_message("%d of %d files load; dynamics after writing apart by %.1e\n", tally.loaded,
                  tally.files, tally.worst);
    assert_true(tally.files > 0 && tally.loaded >= 0.95 * tally.files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearly_all_load_and_are_the_same_after_writing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
