// stiction view SCENE: the run on a page while it goes on.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "terminal/interrupt.h"
#include "command/load.h"
#include "report/page.h"
#include "terminal/progress.h"
#include "terminal/terminal.h"
#include "view/view_answer.h"

static const double frame = 1.0 / 30.0, slice = 0.01, rest = 0.2; // s

// Steps that are due, but not for longer than viewers can wait.
static void advance(View *view)
{
    const double began = clock_now();
    double now = began;
    while (view->run.phase == LIVE_RUNNING && now - began < slice &&
           live_clock_due(&view->clock, now, live_run_time(&view->run))) {
        live_run_step(&view->run);
        now = clock_now();
    }
    live_clock_follow(&view->clock, now, live_run_time(&view->run));
    if (view->run.phase == LIVE_FAILED) terminal_error("stopped at %s", view->run.fault);
}

// Until the next step or frame; a run that stands still has time.
static double wait_for(const View *view, double now, double next)
{
    const bool runs = view->run.phase == LIVE_RUNNING;
    if (runs && live_clock_due(&view->clock, now, live_run_time(&view->run))) return 0.0;
    if (!runs && !view->news && view->run.fresh.count == 0) return rest;
    const double wait = runs ? 0.002 : next - now;
    return wait > 0.0 ? wait : 0.0;
}

static void go_on(View *view)
{
    double next = clock_now();
    while (!interrupt_came()) {
        const double now = clock_now();
        server_serve(&view->server, wait_for(view, now, next), now);
        if (view->run.phase == LIVE_RUNNING) advance(view);
        if (clock_now() < next || (view->run.fresh.count == 0 && !view->news)) continue;
        view_send_changes(view);
        next = clock_now() + frame;
    }
}

static void print_address(const View *view, const Arguments *arguments)
{
    const char *host = view->address != NULL ? view->address : "127.0.0.1";
    const bool brackets = strchr(host, ':') != NULL;
    if (!arguments->quiet) printf("%s\n  open in a browser: ", view->run.scene.now->title);
    printf("http://%s%s%s:%d/%s/\n", brackets ? "[" : "", host, brackets ? "]" : "",
           view->server.port, view->token);
    if (!arguments->quiet) printf("  Ctrl-C ends it\n");
    if (!arguments->quiet && view->address != NULL)
        printf("  everybody who can reach this address and knows the word in it can change the "
               "run\n");
    fflush(stdout);
}

static bool read_number(const char *option, const char *text, double most, double *value)
{
    char *end;
    if (text == NULL) return true;
    *value = strtod(text, &end);
    if (end != text && *end == '\0' && *value >= 0.0 && *value <= most) return true;
    terminal_error("%s needs a number from 0 to %g, not '%s'", option, most, text);
    return false;
}

static int show(StiScene *scene, const Arguments *arguments, double speed, int port)
{
    View view = {.clock = {.speed = speed}, .address = arguments->listen};
    const char *address = view.address != NULL ? view.address : "127.0.0.1";
    const LiveScene live = {.now = scene,
                            .path = arguments->words[0],
                            .options = load_options(arguments)};
    int code = CODE_FAILED;
    if (live_run_begin(&view.run, &live, arguments->forever)) {
        view.parts = message_parts(&view.run);
        view.server.answer = view_answer;
        view.server.context = &view;
        code = token_make(view.token) && server_open(&view.server, address, port) ? CODE_GOOD
                                                                                  : CODE_FILE;
        if (code == CODE_GOOD) {
            interrupt_watch();
            print_address(&view, arguments);
            live_clock_set(&view.clock, clock_now(), live_run_time(&view.run));
            go_on(&view);
            interrupt_unwatch();
        }
        server_close(&view.server);
    }
    free(view.parts.bytes);
    live_run_release(&view.run);
    return code;
}

static int run(const Arguments *arguments)
{
    const StiSceneOptions options = load_options(arguments);
    StiScene *scene;
    double speed = 1.0, port = 0.0;
    if (!read_number("--speed", arguments->speed, 1e6, &speed) ||
        !read_number("--port", arguments->port, 65535.0, &port))
        return CODE_BAD_INPUT;
    if (!page_is_there()) return CODE_FILE;
    int code = load_without_expectations(arguments->words[0], &options, arguments->quiet, &scene);
    if (code != CODE_GOOD) return code;
    return show(scene, arguments, speed, (int)port);
}

const Command command_view = {
    .name = "view",
    .summary = "run a scene on a page: live plots, replay, sliders for parameters",
    .words = "SCENE",
    .fewest = 1,
    .most = 1,
    .text =
        "Runs the scene in real time (or --speed N) and serves the page of a report to browsers "
        "on this machine: open the address that is printed. The page follows the run and has a "
        "slider for each parameter of the scene; a change takes effect at the next step, and the "
        "running state is kept. A value that the scene refuses changes nothing, and the page says "
        "why. The run ends where the scene ends, unless --forever, and stays visible.\n\n"
        "The address holds a random word; requests without it are refused, and nothing is ever "
        "written to disk. Only this machine can connect, unless --listen names another "
        "address.\n\n"
        "Ctrl-C ends it; that is its usual end, with exit code 0.",
    .options = {OPTION_SPEED, OPTION_FOREVER, OPTION_PORT, OPTION_LISTEN, OPTION_SET, OPTION_STEP,
                OPTION_STOP, OPTION_VARIANT, OPTION_CONFINE, OPTION_QUIET},
    .run = run,
};
