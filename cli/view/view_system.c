#include "view/view_system.h"

#include <stdio.h>
#include <stdlib.h>

#include "terminal/text.h"

static StiNetwork *compile(StiPlan *plan, char *why, size_t size)
{
    StiNetwork *network = NULL;
    const StiStatus status = sti_plan_compile(plan, NULL, &network);
    const StiReport *report = sti_plan_findings(plan);
    snprintf(why, size, "%s", sti_status_text(status));
    for (int i = 0; i < sti_report_count(report); ++i) {
        const StiFinding *finding = sti_report_finding(report, i);
        if (finding->severity != STI_ERROR) continue;
        snprintf(why, size, "%s%s%s: %s", finding->component,
                 finding->component[0] != '\0' && finding->parameter[0] != '\0' ? "." : "",
                 finding->parameter, finding->text);
        break;
    }
    return status == STI_OK ? network : NULL;
}

// Past the end of the loaded scene where it is to go on.
static void set_end(LiveSystem *system, bool forever)
{
    StiScene *scene = &system->scene;
    if (forever) scene->steps = INT64_MAX;
    if (scene->adaptive == NULL) return;
    system->adaptive = *scene->adaptive;
    if (forever) system->adaptive.stop = 0.0;
    scene->adaptive = &system->adaptive;
}

// A thousand of a run with an end, as a report has them; else sixty for each second of the run, and
// no more than that in a frame.
static void begin_pictures(LiveSystem *system, int64_t steps, bool forever)
{
    const double each = 1.0 / (60.0 * sti_network_step(system->network));
    system->pictures = drawing_create(system->network, steps);
    if (!forever) return;
    system->pictures.stride = each > 1.0 ? (int64_t)each : 1;
    if (system->pictures.capacity > 60) system->pictures.capacity = 60;
}

LiveSystem *live_system_create(const StiScene *scene, bool forever, char *why, size_t size)
{
    StiNetwork *network = compile(scene->plan, why, size);
    if (network == NULL) return NULL;
    LiveSystem *system = take(1, sizeof *system);
    system->scene = *scene;
    system->scene.network = system->network = network;
    set_end(system, forever);
    system->session = session_create(&system->scene);
    if (system->session == NULL) {
        snprintf(why, size, "it cannot be run");
        live_system_destroy(system);
        return NULL;
    }
    system->columns = report_columns_of(&system->scene, &system->session->channels, false);
    begin_pictures(system, scene->steps, forever);
    return system;
}

void live_system_destroy(LiveSystem *system)
{
    if (system == NULL) return;
    if (system->session != NULL) {
        report_columns_release(&system->columns);
        drawing_release(&system->pictures);
        session_destroy(system->session);
    }
    sti_network_destroy(system->network);
    free(system);
}

void live_system_fault(const LiveSystem *system, char *why, size_t size)
{
    const StiFault *fault = sti_scratch_fault(system->session->scratch);
    const char *component = fault->component != NULL ? fault->component : "";
    snprintf(why, size, "t = %.9g s: %s%s%s", fault->t, sti_status_text(fault->status),
             component[0] != '\0' ? ", in " : "", component);
}

bool live_system_begin(LiveSystem *system, const LiveSystem *from, char *why, size_t size)
{
    StiState *state = system->session->state;
    if (from != NULL && sti_state_copy(state, from->session->state) != STI_OK) {
        snprintf(why, size, "the running state does not fit this value; it holds for a new start");
        return false;
    }
    if (session_begin(system->session) == STI_OK) return true;
    live_system_fault(system, why, size);
    return false;
}

void live_system_draw(LiveSystem *system, bool now)
{
    Drawing *pictures = &system->pictures;
    const double t = session_time(system->session);
    if (pictures->count > 0 && pictures->times[pictures->count - 1] == t) return;
    if (now && pictures->count == pictures->capacity) --pictures->count;
    drawing_row(pictures, system->session, now);
}
