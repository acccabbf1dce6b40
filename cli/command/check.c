// stiction check SCENE: is it right, and what does it stand for?
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "command/grid.h"
#include "terminal/network_text.h"
#include "command/load.h"
#include "terminal/session.h"
#include "terminal/summary.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

static void print_heading(const char *text)
{
    printf("\n%s%s%s\n", terminal_ink(stdout, INK_BOLD), text, terminal_ink(stdout, INK_PLAIN));
}

static void print_run(const StiScene *scene)
{
    printf("  %lld steps of %g s, t = %g to %g s", (long long)scene->steps,
           sti_network_step(scene->network), scene->start, scene->stop);
    if (scene->adaptive != NULL)
        printf("; method %s, rtol %g, atol %g\n", scene->adaptive->method, scene->adaptive->rtol,
               scene->adaptive->atol);
    else if (scene->why_method == NULL)
        printf("; method %s\n", summary_method_name(scene));
    else
        putchar('\n');
    summary_method(scene);
    if (scene->grid_count > 0) printf("  a grid of %lld runs\n", (long long)grid_runs(scene));
}

static void print_parameter(const StiParameter *parameter, bool same_meaning)
{
    char value[NUMBER_SIZE], numbers[320];
    snprintf(numbers, sizeof numbers, "%-24s %12s%s%s", parameter->path,
             text_number(value, parameter->value, 12), parameter->unit[0] != '\0' ? " " : "",
             parameter->unit);
    if (same_meaning) {
        printf("  %s\n", numbers);
        return;
    }
    printf("  %-48s ", numbers);
    text_wrap(stdout, 51, parameter->meaning);
}

// Entries of a vector: what they mean stands at the first.
static void print_parameters(const StiPlan *plan)
{
    StiParameter parameter;
    const char *before = "";
    print_heading("Parameters");
    for (int i = 0; sti_plan_parameter(plan, i, &parameter); ++i) {
        const bool entry = strchr(parameter.path, '[') != NULL;
        print_parameter(&parameter, entry && strcmp(parameter.meaning, before) == 0);
        before = parameter.meaning;
    }
}

static void print_recorded(const StiScene *scene)
{
    int column = 2;
    print_heading("Recorded");
    printf("  t");
    for (int i = 0; i < scene->record_count; ++i) {
        const int length = (int)strlen(scene->record[i]);
        if (column + length + 2 > 79) column = printf("\n ") - 1;
        column += printf(" %s", scene->record[i]);
    }
    printf("\n");
    if (scene->every > 1) printf("  every %d steps\n", scene->every);
}

static void print_counts(const StiScene *scene)
{
    print_heading("Expectations and variants");
    printf("  %d expectation%s", scene->expectation_count,
           scene->expectation_count == 1 ? "" : "s");
    printf(", %d variant%s", scene->variant_count, scene->variant_count == 1 ? "" : "s");
    for (int i = 0; i < scene->variant_count; ++i)
        printf("%s%s", i == 0 ? ": " : ", ", scene->variants[i].name);
    putchar('\n');
}

static void print_scene(const StiScene *scene, const Arguments *arguments)
{
    Channels channels = channels_of(scene->network);
    summary_title(scene, arguments->variant);
    if (scene->description != NULL && scene->description[0] != '\0') {
        printf("  ");
        text_wrap(stdout, 2, scene->description);
    }
    print_run(scene);
    network_print(scene->network, &channels);
    print_parameters(scene->plan);
    print_recorded(scene);
    print_counts(scene);
    channels_release(&channels);
}

// What a variant sets and expects shows only when it is loaded.
static int check_variants(const StiScene *scene, const Arguments *arguments)
{
    int worst = CODE_GOOD;
    for (int i = 0; i < scene->variant_count; ++i) {
        const StiSceneOptions options = {.sets = arguments->sets,
                                         .set_count = arguments->set_count,
                                         .variant = scene->variants[i].name,
                                         .fmus = true};
        StiScene *variant;
        const int code = load_scene(arguments->words[0], &options, true, &variant);
        if (code != CODE_GOOD) worst = code;
        sti_scene_destroy(variant);
    }
    return worst;
}

static int run(const Arguments *arguments)
{
    StiSceneOptions options = load_options(arguments);
    StiScene *scene;
    options.fmus = true;
    int code = load_scene(arguments->words[0], &options, arguments->quiet, &scene);
    if (code == CODE_GOOD && !arguments->quiet) print_scene(scene, arguments);
    if (code == CODE_GOOD && arguments->variant == NULL) code = check_variants(scene, arguments);
    sti_scene_destroy(scene);
    return code;
}

const Command command_check = {
    .name = "check",
    .summary = "say whether a scene is right, and what it stands for",
    .words = "SCENE",
    .fewest = 1,
    .most = 1,
    .text = "Reads the scene and all its variants without running them. Prints every error with "
            "its line and column and "
            "what would be right; warnings, for example about a step that is too long for a "
            "stiffness; and notes about keys that the friction model does not use. Then the "
            "network that the scene becomes, every parameter with its path (for --set), value, "
            "unit and meaning, and what is recorded.",
    .options = {OPTION_SET, OPTION_STEP, OPTION_STOP, OPTION_VARIANT, OPTION_CONFINE, OPTION_QUIET},
    .run = run,
};
