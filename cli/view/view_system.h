// A scene under its present parameters: a network, a session on it, and how it is seen.
#ifndef STICTION_CLI_VIEW_SYSTEM_H
#define STICTION_CLI_VIEW_SYSTEM_H

#include "report/report_columns.h"
#include "report/report_drawing.h"

typedef struct LiveSystem {
    StiScene scene; // as it was loaded, with this network
    StiNetwork *network;
    StiAdaptiveOptions adaptive;
    Session *session;
    ReportColumns columns;
    Drawing pictures; // since the last frame
} LiveSystem;

// Compiles the scene's plan; NULL with a text that says why it cannot be. forever: without an end.
LiveSystem *live_system_create(const StiScene *scene, bool forever, char *why, size_t size);
void live_system_destroy(LiveSystem *system);
// Begins at the start, or where another system is (then the layouts must agree).
bool live_system_begin(LiveSystem *system, const LiveSystem *from, char *why, size_t size);
void live_system_fault(const LiveSystem *system, char *why, size_t size); // of the last step
void live_system_draw(LiveSystem *system, bool now); // a picture, if it is time or now

#endif
