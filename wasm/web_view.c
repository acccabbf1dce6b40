// The run as the live page shows it, by the messages of `stiction view`.
#include "web_run.h"

#include <stdlib.h>
#include <string.h>

#include "terminal/progress.h"
#include "terminal/text.h"

// A server-sent event without its frame: the JSON after "data: ".
static char *data_of(Text event)
{
    const char *data = event.bytes != NULL ? strstr(event.bytes, "data: ") : NULL;
    char *text = text_new("%s", data != NULL ? data + strlen("data: ") : "null");
    free(event.bytes);
    return text;
}

char *sti_web_page(const WebRun *run) { return message_page(&run->live).bytes; }
char *sti_web_parameters(const WebRun *run) { return data_of(message_parameters(&run->live)); }
char *sti_web_parts(const WebRun *run) { return data_of(message_parts(&run->live)); }

char *sti_web_frame(WebRun *run, bool whole)
{
    live_run_frame(&run->live);
    char *text = data_of(message_frame(&run->live, &run->clock, whole));
    live_run_next(&run->live);
    return text;
}

static void set_clock(WebRun *run)
{
    live_clock_set(&run->clock, clock_now(), live_run_time(&run->live));
}

void sti_web_pause(WebRun *run, bool pause)
{
    live_run_pause(&run->live, pause);
    set_clock(run);
}

void sti_web_speed(WebRun *run, double speed)
{
    run->clock.speed = speed >= 0.0 && speed <= 1e6 ? speed : 1.0;
    set_clock(run);
}

bool sti_web_restart(WebRun *run)
{
    run->fault[0] = '\0';
    const bool good = live_run_restart(&run->live, run->fault, sizeof run->fault);
    set_clock(run);
    return good;
}

bool sti_web_advance(WebRun *run, double seconds)
{
    const double began = clock_now();
    double now = began;
    const LivePhase before = run->live.phase;
    while (run->live.phase == LIVE_RUNNING && now - began < seconds &&
           live_clock_due(&run->clock, now, live_run_time(&run->live))) {
        live_run_step(&run->live);
        now = clock_now();
    }
    live_clock_follow(&run->clock, now, live_run_time(&run->live));
    return run->live.fresh.count > 0 || run->live.phase != before;
}
