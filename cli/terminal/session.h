// One run of a scene: state, recorder, expectations and stick/slip changes side by side.
#ifndef STICTION_CLI_SESSION_H
#define STICTION_CLI_SESSION_H

#include <stiction/adaptive.h>
#include <stiction/measure.h>

#include "report/channels.h"
#include "terminal/progress.h"

typedef struct Sticking {
    const char *channel; // "friction.stick"
    int name_length;     // of the element
    int number;          // of the channel
    double now;          // 1 stuck, 0 slipping; in between: a share of several elements
    int64_t changes;
} Sticking;

typedef struct Session Session;

// Sees every row of a session, the first one too.
typedef struct Watch {
    void (*row)(void *context, const Session *session);
    void *context;
} Watch;

// Sets inputs of the network between steps. Both functions return false after they have printed an error.
typedef struct Driven {
    bool (*begin)(void *context);       // with the channels of the start
    bool (*before_step)(void *context); // with the channels after the step before
    void *context;
    const double *inputs;
} Driven;

struct Session {
    const StiScene *scene;
    Channels channels;
    StiState *state;
    StiScratch *scratch;
    StiRecorder *recorder;
    StiAdaptive *adaptive; // NULL: a fixed step
    int *recorded;         // channel numbers of scene->record
    double *row;           // t, then the recorded channels
    Sticking *sticking;
    int sticking_count;
    StiMeasurement **measures;                   // scene->expectation_count of them
    double seconds;                              // that the steps took, with recording
    int64_t pieces, events, fallbacks, together; // of a method that cuts the step
    int64_t newton;                              // steps in which loads needed Newton's method
    int64_t unended;                // steps with impacts one after the other that came to no end
    int64_t unsolved;               // steps in which contacts had no answer: friction was left out
    const char *unsolved_at;        // a component of the first of them
    int64_t soft;                   // steps in which some contacts that hold crept,
    double creep;                   // and by how much at most, of the speed that they stop
    int64_t rows;                   // written
    Watch watch;                    // row may be NULL
    Driven driven;                  // functions may be NULL: inputs are the usual ones
    struct Sketch *sketch;          // or NULL
    const StiSceneOptions *options; // how the scene was loaded; NULL: as it stands
};

// The scene must outlive the session. NULL after a message.
Session *session_create(const StiScene *scene);
void session_destroy(Session *session);

// The row of the start, then one step after the other; the fault is in the scratch.
StiStatus session_begin(Session *session);
StiStatus session_step(Session *session);
double session_time(const Session *session);
bool session_row_due(const Session *session); // every n-th row, and the last

// The whole run, with a recording unless output is NULL. Returns an exit code, after messages.
int session_simulate(Session *session, const char *output, const char *label, bool quiet);
// Steps without an answer are no simulation; a few of them in a long run stay a line of the summary. The exit
// code, after a message.
int session_judge_steps(const Session *session);
void session_complain(const Session *session); // why a step failed
// The same, unless it was interrupted; the exit code.
int session_fail(const Session *session, StiStatus status);

// Expectations of the finished run.
void session_measured(const Session *session, double *values);

#endif
