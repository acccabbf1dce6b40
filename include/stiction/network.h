// Networks: what a plan compiles to; states, which a network's steps carry forward.
#ifndef STICTION_NETWORK_H
#define STICTION_NETWORK_H

#include <stdint.h>

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

// Ends the network; states, scratches and recorders on it must be gone. NULL is allowed.
STI_API void sti_network_destroy(StiNetwork *network);
STI_API double sti_network_step(const StiNetwork *network);            // T, s
STI_API double sti_network_time(const StiNetwork *network, int64_t k); // t0 + k T
STI_API const StiMethod *sti_network_method(const StiNetwork *network);
// One sentence where compile chose the method; NULL where the plan names it. The network's own.
STI_API const char *sti_network_why_method(const StiNetwork *network);
// Reactions or contacts: something that a solver resolves within each step.
STI_API bool sti_network_has_reactions(const StiNetwork *network);
STI_API const StiSolver *sti_network_solver(const StiNetwork *network);
// Equal for networks that can exchange states.
STI_API uint64_t sti_network_layout(const StiNetwork *network);
STI_API int sti_network_input_count(const StiNetwork *network);
// Where the values of an input begin in the array handed to a step; -1 if there is none.
STI_API int sti_network_input(const StiNetwork *network, const char *name);
// The values of all inputs until they are set, sti_network_input_count of them.
STI_API void sti_network_usual_inputs(const StiNetwork *network, double *values);

// What a network consists of, in its own order; false past the last.
typedef enum StiRole {
    STI_BODY,
    STI_IMPEDANCE,
    STI_REACTION,
    STI_CONTACT,
    STI_JOINT, // of a robot or a linkage: "arm.elbow"
    STI_INPUT,
    STI_CHANNEL,  // what can be recorded: "block.v"
    STI_PARAMETER // of a scene's plan: "friction.level"
} StiRole;
typedef struct StiComponent {
    StiRole role;
    const char *name;
    const char *kind;
    int positions, velocities;   // of a body
    int links;                   // of a body: frames that move with it
    int memory, discrete;        // of an element
    int signals;                 // inputs that it listens to
    const char *wire;            // kind of an element's wire; NULL: none
    const char *side_a, *side_b; // bodies at its ends; "ground"; of a contact: of its first shapes
} StiComponent;
// Bodies come first, then impedances, reactions and contacts. Texts are the network's own.
STI_API bool sti_network_component(const StiNetwork *network, int number, StiComponent *component);
// Its parameters, of the type that goes with its kind (StiRobotBody, StiContact, ...); NULL past
// the last.
STI_API const void *sti_network_parameters(const StiNetwork *network, int number);
// The wire of an element; its ends name bodies by their number here. False where there is none.
STI_API bool sti_network_wire(const StiNetwork *network, int number, StiWire *wire);
// A shape of a contact, in the axes of a link of a body (-1: the world), which is numbered as here.
typedef struct StiShapeOn {
    int body, link;
    const struct StiShape *shape; // shape.h; the network's own
} StiShapeOn;
// By its place from 0 on, those of side a first. False past the last, and where `number` is no contact.
STI_API bool sti_network_contact_shape(const StiNetwork *network, int number, int place,
                                       StiShapeOn *shape);

// What a name stands for.
typedef struct StiFound {
    StiRole role;
    // Of a component: its number above. Of an input: where its values begin in the array handed to a
    // step. Of a channel: its number (record.h). Of a parameter: its number (sti_plan_parameter).
    int number;
    StiAdmittanceId body; // of a body or a joint; else nothing
    StiElementId element; // of an impedance, a reaction or a contact; else nothing
    int link;             // of a joint: the link that it carries; of a linkage: that of the pair
    int position,
        velocity; // of a joint of a robot: its first numbers among those of the body; else -1
    int count;    // how many velocities that joint has; of an input: how many values
} StiFound;
// Looks among components, joints, inputs and channels, in this order; false, and *found is zero: there
// is nothing of that name. Names live as long as the network.
STI_API bool sti_network_find(const StiNetwork *network, const char *name, StiFound *found);

typedef struct StiConnection {
    const char *from;  // component, input or time function
    const char *value; // "source", "load", "force", "output", "position" or "velocity"
    int index;         // which of them
    double gain;
    const char *to; // component
    int input;
} StiConnection;
// The signals between components by number; false past the last. Texts are the network's own.
STI_API bool sti_network_connection(const StiNetwork *network, int number,
                                    StiConnection *connection);

// Everything the next step depends on, and nothing else.
typedef struct StiState StiState;
STI_API StiState *sti_state_create(const StiNetwork *network); // at the start values
STI_API void sti_state_destroy(StiState *state);
STI_API StiStatus sti_state_copy(StiState *to, const StiState *from);
STI_API uint64_t sti_state_hash(const StiState *state);
STI_API StiStatus sti_state_save(const StiState *state, const char *path);
// Layout and checksum must agree; else the state is as it was.
STI_API StiStatus sti_state_load(StiState *state, const char *path);
// The same bytes in memory: writes them where size is enough, and returns how many there are.
STI_API size_t sti_state_write(const StiState *state, void *buffer, size_t size);
// STI_LAYOUT_MISMATCH: the state of another network. STI_FILE_ERROR: too short, too long or damaged.
// The state is then as it was. The buffer need not be aligned.
STI_API StiStatus sti_state_read(StiState *state, const void *buffer, size_t size);
STI_API int64_t sti_state_k(const StiState *state);

// Slices of the state, live: the next step changes what they point to. Valid as long as the state.
// NULL for ids that are not of this network's plan (and for the memory of what is no impedance).
// Positions in m or rad, velocities in m/s or rad/s, both as the kind of the body orders them.
STI_API const double *sti_state_positions(const StiState *state, const StiNetwork *network,
                                          StiAdmittanceId id);
STI_API const double *sti_state_velocities(const StiState *state, const StiNetwork *network,
                                           StiAdmittanceId id);
// y of an impedance (deflections, ...), and s of any element (modes, samples).
STI_API const double *sti_state_memory(const StiState *state, const StiNetwork *network,
                                       StiElementId id);
STI_API const double *sti_state_discrete(const StiState *state, const StiNetwork *network,
                                         StiElementId id);
// The same, to be written between steps.
STI_API double *sti_state_edit_positions(StiState *state, const StiNetwork *network,
                                         StiAdmittanceId id);
STI_API double *sti_state_edit_velocities(StiState *state, const StiNetwork *network,
                                          StiAdmittanceId id);
STI_API double *sti_state_edit_memory(StiState *state, const StiNetwork *network, StiElementId id);
STI_API double *sti_state_edit_discrete(StiState *state, const StiNetwork *network,
                                        StiElementId id);

#ifdef __cplusplus
}
#endif
#endif
