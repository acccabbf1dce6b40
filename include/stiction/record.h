// Recording: channels by name, the energy ledger, and CSV. All of it stands outside the step.
#ifndef STICTION_RECORD_H
#define STICTION_RECORD_H

#include "step.h"

#ifdef __cplusplus
extern "C" {
#endif

// Channels of a network, as many as there are: "block.x", "friction.force", "contact.fn".
typedef struct StiChannel {
    char name[128];
    char unit[16];
} StiChannel;
// By number from 0 on, false past the last; and the number of a name.
STI_API bool sti_network_channel(const StiNetwork *network, int number, StiChannel *channel);
STI_API int sti_network_channel_find(const StiNetwork *network, const char *name); // -1 if none
// The number of the state that this channel shows as it is ("block.x", "arm.elbow.qd", a deflection): live, and to
// be written between steps. NULL: it is computed (forces, loads, energies, frames), or there is no such channel.
STI_API double *sti_state_edit_channel(StiState *state, const StiNetwork *network, int channel);

// Follows one run. Row k holds the state at t_k and the forces of the step that ended there (over
// the stages: weighted with b); row 0 the start, with modes and forces of that moment where the method
// cuts its steps or follows events, else with the forces of the first stage.
typedef struct StiRecorder StiRecorder;
// NULL without memory; the network must outlive it. Destroying NULL is allowed.
STI_API StiRecorder *sti_recorder_create(const StiNetwork *network);
STI_API void sti_recorder_destroy(StiRecorder *recorder);
// Row 0, and the start of all sums: tries a step, which fails as sti_step does, and forgets it. inputs as
// of sti_step.
STI_API StiStatus sti_recorder_begin(StiRecorder *recorder, const StiState *state,
                                     const double *inputs, StiScratch *scratch);
// After each step, with the scratch of that step.
STI_API StiStatus sti_recorder_follow(StiRecorder *recorder, const StiState *state,
                                      const StiScratch *scratch);
// Between two rows, at time t: values are those of this state and scratch, sums of energy those of
// the last row. For events (adaptive.h).
STI_API StiStatus sti_recorder_sample_event(StiRecorder *recorder, const StiState *state, double t,
                                            const StiScratch *scratch);
STI_API double sti_recorder_value(const StiRecorder *recorder, int channel);

// For drawings. Components have the numbers of sti_network_component.
// Frames of a body's links in the present row, world axes; as many as the body has links.
STI_API void sti_recorder_links(const StiRecorder *recorder, int body, StiFrame *links);
// What an element exerts on the link at its side a (world axes, about the link's origin); zero for
// elements that act along coordinates.
STI_API StiWrench sti_recorder_wrench(StiRecorder *recorder, int element);

// Energy since the beginning, J.
typedef struct StiEnergy {
    double work;   // by force and motion sources
    double stored; // now, in bodies and elements
    double stored_start;
    double dissipated; // by all elements
    double numerical;  // gained by the integration of the bodies (0 for an exact method)
    double residual; // work + numerical - (stored - stored_start) - dissipated: rounding, or a bug
} StiEnergy;
// Of all; and what one element has dissipated.
STI_API StiEnergy sti_recorder_energy(const StiRecorder *recorder);
STI_API double sti_recorder_dissipated(const StiRecorder *recorder, StiElementId element); // J

// A method that is not stable makes energy. NULL, or since when there is a thousand times more of it than the
// start, the inputs and gravity gave (STI_RUNS_AWAY, with the body that moves most): a smaller step or another
// method is needed. suspect: more than half of all that moves is not explained by forces.
STI_API const StiFault *sti_recorder_runaway(const StiRecorder *recorder);
STI_API const StiFault *sti_recorder_suspect(const StiRecorder *recorder);

// ---- many steps with inputs of their own --------------------------------------------------------
typedef struct StiRollout {
    int64_t rows;         // steps
    const double *inputs; // rows x sti_network_input_count, row major; NULL: the usual ones
    const int *channels;  // numbers of sti_network_channel_find
    int channel_count;
    double *out; // rows x channel_count, row major: values after each step; NULL: none are wanted
    // For channels other than those of bodies that move freely (x, v, q, ...): forces, loads, modes,
    // energies. Begun on the state by the caller. NULL: there are no such channels.
    StiRecorder *recorder;
} StiRollout;
// Takes the steps and writes the channels. Does not allocate. *done: rows that are complete, also
// where a step fails; the state is then that after the last of them, and the fault of the scratch says
// why. STI_BAD_ARGUMENT: no such channel, or one that needs a recorder.
STI_API StiStatus sti_rollout(const StiNetwork *network, const StiRollout *rollout, StiState *state,
                              StiScratch *scratch, int64_t *done);

// A CSV file with a header row (t, then the channels' names) and %.17g numbers. While it is open it
// has the name PATH.partial; close renames it. Channels are numbers from sti_network_channel_find.
typedef struct StiCsv StiCsv;
// NULL, STI_FILE_ERROR: the reason is in errno. Closing releases the file in any case.
STI_API StiCsv *sti_csv_open(const char *path, const StiNetwork *network, const int *channels,
                             int count);
STI_API StiStatus sti_csv_row(StiCsv *csv, double t, const StiRecorder *recorder);
STI_API StiStatus sti_csv_flush(StiCsv *csv);
STI_API StiStatus sti_csv_close(StiCsv *csv);   // complete: takes its final name
STI_API StiStatus sti_csv_abandon(StiCsv *csv); // keeps PATH.partial

#ifdef __cplusplus
}
#endif
#endif
