// Private: the memory of the solver `coupled`, and the parts of its step.
//
// Friction of a robot's joints is a mode inside the robot's recursion. Everything else is a node
// (rows/rows.h): points of contact, reactions on points, links, between bodies or on other bodies, and
// joints that cannot decide for a mode.
#ifndef STICTION_SRC_SOLVER_COUPLED_COUPLED_H
#define STICTION_SRC_SOLVER_COUPLED_COUPLED_H

#include "rows/rows.h"
#include "solver/sweeps/sweeps.h"
#include "contact/impact_sequence.h"
#include "contact/points.h"

// What the state remembers of a joint with friction (slots of s).
typedef struct JointMemory {
    double mode;   // AxisMode of the last step
    double quiet;  // > 0: it is a node of the block for so many steps more
    double effort; // N or N m, of the last step
} JointMemory;

// What the state remembers of a reaction between links.
typedef struct AnchorMemory {
    double held;                     // 1: it sticks at `at`
    double at[STI_REACTION_DIM_MAX]; // displacement where it began to stick, m
} AnchorMemory;

// One velocity of a robot. Laid out like the generalized forces.
typedef struct Joint {
    int reaction; // -1: no friction here
    int memory;   // into the solver's part of s
    int parent;   // the next joint on the way to the root, -1: none
    bool node;    // it is a node of the block now
    bool was_node;
    bool held;                // it sticks under a static level above the law's own
    StiReactionLevel at_rest; // along its motion, at the loads of this iteration
    bool changed;             // its mode has changed in this step
    AxisMode violated;        // the mode it should have; AXIS_FREE: it is content
    double excess;            // how much it is violated, as an effort
} Joint;

// A joint whose friction is smoothed for a while.
typedef struct SmoothJoint {
    double eps;        // velocity below which it is soft
    double resistance; // within the level
    AxisMode mode;
} SmoothJoint;

// What the bristle of a point of contact does in this step: along its tangents
// v + yield f + shift = 0 while it holds.
typedef struct PointBristle {
    double yield[2][2], shift[2];
    double v[2], fn;      // where it was made linear
    double slip[2];      // velocity of the bristle's tip over the other surface
    double W[2][2], c[2]; // of its rows without the bristle, while the block is solved
} PointBristle;

typedef struct CoupledData {
    RowSet *set; // rows, W, c, forces: the scratch's
    Joint *joints;
    bool some_held;    // of the joints
    double
        largest_force; // N, of the contacts' normals at hand, where some resist rolling or spinning
    int law_round;     // how often levels have been asked for in this search for modes
    bool levels_vary;  // some joint has another level at another speed, or some node has friction
    bool *stuck_again; // joints that a worse neighbour keeps from breaking loose
    SmoothJoint *smooth;
    int *node_reactions; // those that are no modes of joints
    int node_reaction_count;
    int *anchor_of;     // of each reaction, into the solver's part of s; -1
    double *start;      // forces of the last step
    PointBristle *bristles; // of each point; NULL: no contact has bristles
    double *bounce;     // per row: velocity that restitution asks for
    Sequence sequence;  // room only where a contact asks for it
    uint64_t seen[128]; // mode vectors of this step
    int seen_count;
    // The position projection: the rows that take part, ...
    int *chosen, *place;
    double *shift;
    double *factor; // ... and W among them, within its envelope
    int *envelope_first, *envelope_start;
} CoupledData;

static inline CoupledData *coupled_data(const StiScratch *scratch) { return scratch->solver; }

// ---- coupled_memory.c: sizes and what lies where
int sti_coupled_discrete(const StiNetwork *network);
void *sti_coupled_take(StiArena *arena, const StiNetwork *network, StiScratch *scratch);
JointMemory *sti_joint_memory(const StiNetwork *network, const Joint *joint, double *s);
// NULL: along a coordinate, nothing to remember.
AnchorMemory *sti_anchor_memory(const StiNetwork *network, const CoupledData *data, int reaction,
                                double *s);

// ---- coupled_inertia.c: nodes, W and c of this step
void sti_coupled_rows(const StiNetwork *network, StiScratch *scratch);
// The velocities of a stage, for rows.
RowMotion sti_motion_of(const StiScratch *scratch, const StageData *at);
const char *sti_node_name(const StiNetwork *network, const StiScratch *scratch, int node);
void sti_coupled_fixed(const StiNetwork *network, StiScratch *scratch);
StiStatus sti_coupled_robots(const StiNetwork *network, StiScratch *scratch);

// What a point touches; a point that is left aside pushes on nothing.
RowPoint sti_coupled_place(const ContactPoint *point);

// ---- coupled_turns.c: resistance to rolling and spinning
// Nodes behind those of the points.
void sti_coupled_add_turns(const StiNetwork *network, StiScratch *scratch);
// What surfaces that spin add to the velocity of a row.
double sti_turn_of_surface(const StiScratch *scratch, int row);
// The limit that belongs to the normal force at hand; false if it has not changed.
bool sti_turn_moved(const StiNetwork *network, StiScratch *scratch, int node);
// Moments and rates of rotation into the points; returns the power of the moments.
double sti_coupled_read_turns(StiScratch *scratch);

// ---- coupled_bristles.c: friction of contacts that yields before it slips
void sti_coupled_take_bristles(StiArena *arena, const StiNetwork *network, CoupledData *data);
// Into W and c before the block is solved; out of them, and of the velocities, behind it.
void sti_bristles_enter(const StiScratch *scratch);
void sti_bristles_leave(const StiScratch *scratch);
// The bristle of a point at the motion and the normal force at hand; false: as in the last solve.
bool sti_bristle_moved(const StiNetwork *network, StiScratch *scratch, int node);
// How far they are bent at the end, and which of them count as stuck.
void sti_coupled_read_bristles(const StiNetwork *network, StiScratch *scratch);

// ---- coupled_friction.c: the laws of joints and nodes
void sti_joints_begin(const StiNetwork *network, StiScratch *scratch);
void sti_joint_linearise(const StiNetwork *network, StiScratch *scratch, int joint, double at);
double sti_joint_limit(const StiNetwork *network, const StiScratch *scratch, int joint,
                       double direction);
// Levels of nodes, and of joints too, at their last velocities; false if nothing changed.
bool sti_node_levels_moved(const StiNetwork *network, StiScratch *scratch);
bool sti_levels_moved(const StiNetwork *network, StiScratch *scratch);
// The joint that slips fastest under its static level slips by its law from now on.
bool sti_joints_release(const StiNetwork *network, StiScratch *scratch);

// ---- coupled_modes.c: trials until all modes agree (COUPLED 2.5)
StiStatus sti_coupled_modes(const StiNetwork *network, StiScratch *scratch);

// One trial with the modes as they are: W and c, the block's forces, the joints' ends.
StiStatus sti_coupled_trial(const StiNetwork *network, StiScratch *scratch);

// ---- coupled_smooth.c: a good guess of the modes of long chains
bool sti_smoothing_pays(const StiNetwork *network, const StiScratch *scratch, int trial,
                        int violations);
StiStatus sti_coupled_smooth(const StiNetwork *network, StiScratch *scratch);

// ---- coupled_edges.c: points where edges meet are left aside until it shows that they have to hold
void sti_coupled_set_aside(const StiNetwork *network, StiScratch *scratch);
// False: the forces at hand keep all that was left aside apart. Else some of it takes part from now on.
bool sti_coupled_admit(const StiNetwork *network, StiScratch *scratch, int round);

// ---- coupled_restitution.c: forces and modes, with the speeds of departure that restitution asks for
void sti_coupled_clear_bounces(StiScratch *scratch);
StiStatus sti_coupled_resolve(const StiNetwork *network, StiScratch *scratch);
// m: how much further than a point that bounces can have come the velocity of the step's end moves it.
double sti_coupled_overshoot(const StiNetwork *network, const ContactPoint *point);

// ---- coupled_position.c: penetration and slip are taken back (COUPLED 2.7)
void sti_coupled_project(const StiNetwork *network, StiScratch *scratch);

#endif
