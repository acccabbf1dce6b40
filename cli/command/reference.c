// stiction reference SCENE: a solution to check others against, stored beside the scene.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "study/exact.h"
#include "command/load.h"
#include "terminal/text.h"

static int run(const Arguments *arguments)
{
    static const char *const none[] = {NULL};
    Exact exact = {0};
    int code = exact_compute(arguments, none, &exact);
    char *scene = load_file_of(arguments->words[0]);
    char *path = arguments->output != NULL ? text_new("%s", arguments->output)
                                           : exact_place(scene, arguments->variant);
    const char *slash = strrchr(scene, '/');
    char *title = text_new("%s%s%s", slash != NULL ? slash + 1 : scene,
                           arguments->variant != NULL ? ", variant " : "",
                           arguments->variant != NULL ? arguments->variant : "");
    if (code == CODE_GOOD) code = exact_write(&exact, title, path);
    if (code == CODE_GOOD && !arguments->quiet)
        printf("  wrote %s: %lld rows\n  method:     %s\n  checked by: %s\n"
               "  difference: %.2g at the end, %.2g at most\n",
               path, (long long)exact.trajectory.rows.count, exact.method, exact.check,
               exact.doubt.end, exact.doubt.greatest);
    free(title);
    free(path);
    free(scene);
    exact_release(&exact);
    return code;
}

const Command command_reference = {
    .name = "reference",
    .summary = "an event-exact solution, stored beside the scene",
    .words = "SCENE",
    .fewest = 1,
    .most = 1,
    .text =
        "Runs the scene with events and tight tolerances (fehlberg, 1e-13), checks it with a "
        "second method (verner, 1e-12), and writes the recorded channels in m, rad, m/s and rad/s "
        "to reference.csv beside the scene (reference-VARIANT.csv; or FILE). The head of the file "
        "says how it was made, how far the second method is from it, and of which problem it is: "
        "converge notices when the scene has become another one.\n\n"
        "Scenes whose events are not known to the adaptive methods are run by cut with 1/32 of "
        "their step, and checked with 1/16 of it. Friction models made for a fixed step are "
        "refused.",
    .options = {OPTION_OUTPUT, OPTION_SET, OPTION_STEP, OPTION_STOP, OPTION_VARIANT, OPTION_CONFINE, OPTION_QUIET},
    .run = run,
};
