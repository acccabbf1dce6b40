// What a browser does not have, or does in another way.
#include <stiction/formats.h>

#include "adaptive/ode.h"
#include "command/scenes.h"
#include "plot/sketch.h"
#include "report/page.h"
#include "terminal/interrupt.h"
#include "text/confined.h"

// SUNDIALS: of the integrators with error control there is ode23 alone.
const OdeMethod ode_methods_arkode[] = {{0}}, ode_methods_cvode[] = {{0}};

// HDF5: a kind that cannot be opened.
const StiSinkKind sti_sink_hdf5 = {.table_size = sizeof(StiSinkKind),
                                   .ending = ".h5",
                                   .summary = "not in this build"};
void sti_hdf5_stay_away_from_exit(void) {}

// Signals: who wants to end a run drops the worker.
void interrupt_watch(void) {}
void interrupt_unwatch(void) {}
bool interrupt_came(void) { return false; }

// Sketches: there is no terminal.
void sketch_row(Sketch *sketch, const Session *session)
{
    (void)sketch;
    (void)session;
}

// Scenes by name: the host gives files.
char *scenes_file(const char *name)
{
    (void)name;
    return NULL;
}

// Folders to confine reading to: there are no files but those that the host gave.
bool scene_is_confined(const char *folder, const char *path)
{
    (void)path;
    return folder == NULL;
}

// The page around a report: the host has it.
bool page_is_there(void) { return true; }
bool page_print(FILE *file, const char *json, size_t length)
{
    return fwrite(json, 1, length, file) == length;
}
