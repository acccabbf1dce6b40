// Private: the memory of the solver `coupled`, and the parts of its step.
//
// Friction of a robot's joints is a mode inside the robot's recursion (robot/trial.h). Everything
// else is a node of the block (block/block.h): points of contact, reactions on points, links,
// between bodies or on other bodies, and joints that cannot decide for a mode.
#ifndef STICTION_SRC_STEP_COUPLED_H
#define STICTION_SRC_STEP_COUPLED_H

#include "block/block.h"
#include "robot/trial.h"
#include "step/reactions.h"

enum { STI_COUPLED_ROWS = 8 }; // joints of one robot that may be nodes at the same time

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

// What a row does to one of its two sides.
typedef struct RowSide {
    int admittance; // -1: nothing moves there
    int frame;      // link among those of all bodies; -1: a coordinate
    int coordinate; // of the body's velocities
    bool responds;  // the body moves, and is no robot
    double gain;
    StiWrench wrench; // about the link's origin
} RowSide;

typedef struct Row {
    RowSide sides[2];
} Row;

typedef enum NodeType { NODE_POINT, NODE_REACTION, NODE_JOINT } NodeType;

typedef struct Node {
    NodeType type;
    int index; // point of contact, reaction, or joint
} Node;

// A robot of the network.
typedef struct RobotPart {
    int admittance;
    RobotTrial trial;
    double *placed; // spots and axes
    StiWrench *applied;
    int *branches;
    Push *pushes;
    int pair_room;
    StiTwin *W, *c, *f;
    int nodes;     // joints that are nodes
    int first_row; // where the rows of the pushes follow each other; else -1
    int row_count; // then: how many
} RobotPart;

// A joint whose friction is smoothed for a while.
typedef struct SmoothJoint {
    double eps;        // velocity below which it is soft
    double resistance; // within the level
    AxisMode mode;
} SmoothJoint;

typedef struct CoupledData {
    Joint *joints;
    AxisFriction *friction;
    AxisEnd *ends;
    bool some_held;    // of the joints
    bool levels_vary;  // some joint has another level at another speed, or some node has friction
    bool *stuck_again; // joints that a worse neighbour keeps from breaking loose
    SmoothJoint *smooth;
    RobotPart *robots;
    int robot_count;
    int *robot_of;       // of each admittance; -1
    int *node_reactions; // those that are no modes of joints
    int node_reaction_count;
    int *anchor_of;   // of each reaction, into the solver's part of s; -1
    bool only_robots; // nothing else can move
    int freedom;      // velocities of all that can
    // The block
    int row_room;
    int node_count, row_count, pair_count;
    Node *nodes;
    StiBlockNode *block_nodes;
    Row *rows;
    StiBlockPair *pairs;
    int *node_of_row;
    int *node_first, *nodes_by_body; // of each body: where its nodes begin, among those of all
    int *pair_first; // of each node and one more: its pairs with those before it, then with itself
    double *W;       // of the pairs; squares of nodes are complete
    double *W_by_pairs;       // where it stands, pair after pair, unless ...
    bool in_place;            // ... one robot has all the rows: then its trial leaves it
    double *W_fixed, *W_size; // by pairs, without the robots' part
    int W_count;
    double *c, *c_size, *c_fixed, *c_size_fixed; // fixed: without the robots' answers
    double *f, *v, *start;                       // start: forces of the last step
    double *bounce;                              // per row: velocity that restitution asks for
    StiBlockMode *modes;
    StiBlockScratch block_scratch;
    StiBlockAnswer answer;
    bool *responds;     // by admittance: it moves, and is no robot
    uint64_t seen[128]; // mode vectors of this step
    int seen_count;
    // The position projection: the rows that take part, ...
    int *order; // of the nodes, so that neighbours are close
    int *chosen, *place;
    double *shift;
    double *factor; // ... and W among them, within its envelope
    int *envelope_first, *envelope_start;
} CoupledData;

static inline CoupledData *coupled_data(const StiScratch *scratch) { return scratch->solver; }

// ---- coupled_memory.c: sizes and what lies where
int sti_coupled_discrete(const StiNetwork *network);
void *sti_coupled_take(StiArena *arena, const StiNetwork *network);
JointMemory *sti_joint_memory(const StiNetwork *network, const Joint *joint, double *s);
// NULL: along a coordinate, nothing to remember.
AnchorMemory *sti_anchor_memory(const StiNetwork *network, const CoupledData *data, int reaction,
                                double *s);

// ---- coupled_rows.c: nodes and rows from points and reactions
void sti_coupled_rows(const StiNetwork *network, StiScratch *scratch);
// A link that moves with the velocities of a stage; robots keep those of the start.
const StiFrame *sti_link_at(const StiScratch *scratch, const StageData *at, int admittance,
                            int frame);
// Velocity of a row with the velocities of a stage; size: of the terms that it is the sum of.
double sti_row_velocity(const StiNetwork *network, const StiScratch *scratch, const Row *row,
                        const StageData *at, double *size);

// The forces of the rows, in the order of a robot's pushes, into part->f.
void sti_push_forces(const CoupledData *data, RobotPart *part);

const char *sti_node_name(const StiNetwork *network, const StiScratch *scratch, int node);

// ---- coupled_pairs.c: which nodes feel each other, and where they do so in W
void sti_coupled_pairs(const StiNetwork *network, StiScratch *scratch);
// Of nodes a >= b that feel each other.
const StiBlockPair *sti_pair_search(const CoupledData *data, int a, int b);
static inline const StiBlockPair *sti_pair_find(const CoupledData *data, int a, int b)
{
    const bool feels_all = data->pair_first[a + 1] - data->pair_first[a] == a + 1;
    return feels_all ? &data->pairs[data->pair_first[a] + b] : sti_pair_search(data, a, b);
}
static inline const StiBlockPair *sti_pair_own(const CoupledData *data, int node)
{
    return &data->pairs[data->pair_first[node + 1] - 1];
}

// ---- coupled_inertia.c: W and c
void sti_coupled_fixed(const StiNetwork *network, StiScratch *scratch);
StiStatus sti_coupled_robots(const StiNetwork *network, StiScratch *scratch);

// ---- coupled_bodies.c: all bodies but robots
// Their part of W, into W_fixed.
void sti_coupled_bodies(const StiNetwork *network, StiScratch *scratch);
// dv of all bodies but robots under the forces of the rows, into the response.
void sti_coupled_respond(const StiNetwork *network, StiScratch *scratch);

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

// ---- coupled_position.c: penetration and slip are taken back (COUPLED 2.7)
void sti_coupled_project(const StiNetwork *network, StiScratch *scratch);

#endif
