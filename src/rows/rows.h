// Private: rows, the scalar directions in which bodies feel each other: three for a point of contact
// (tangents, normal), those of a reaction's wire, one for a joint. A node is a group of rows. From the
// poses of one configuration come J (two sides per row), W = T J H^-1 J^T and c, for the cone solver
// (block/block.h) at either level:
//
//     velocities       T: the step; c: velocities that the rows have without their forces
//     accelerations    T = 1; c: accelerations, J a + Jdot v
//
// Friction of a robot's joints is a mode inside the robot's recursion (robot/trial.h), at both levels.
// A row's force pushes side a along it and side b against it.
#ifndef STICTION_SRC_ROWS_ROWS_H
#define STICTION_SRC_ROWS_ROWS_H

#include "cone/block.h"
#include "network/response.h"
#include "network/wires.h"
#include "robot/trial.h"

enum { STI_JOINT_NODES = 8 }; // joints of one robot that may be nodes at the same time

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

// NODE_TURN: resistance to rolling or spinning at a point of contact.
typedef enum NodeType { NODE_POINT, NODE_REACTION, NODE_JOINT, NODE_TURN } NodeType;

typedef struct RowNode {
    NodeType type;
    int index; // point of contact (of a turn: the one it belongs to), reaction, or joint
} RowNode;

// A robot of the network.
typedef struct RobotPart {
    int admittance;
    RobotTrial trial;
    double *placed; // spots and axes
    StiWrench *applied;
    int *branches;
    Push *pushes;
    int pair_room;
    StiDouble2 *W, *c, *f;
    int nodes;     // joints that are nodes
    int first_row; // where the rows of the pushes follow each other; else -1
    int row_count; // then: how many
} RobotPart;

typedef struct RowSet {
    double T;
    const Watch *watch;
    const StageData *at; // the configuration
    RobotPart *robots;
    int robot_count;
    int *robot_of;       // of each admittance; -1
    bool robots_weighed; // W of their trials is that of the rows at hand, only loads may be others
    bool *responds;      // by admittance: it moves, and is no robot
    bool only_robots;    // nothing else can move
    int freedom;         // velocities of all that can
    AxisFriction *friction; // of the robots' axes, laid out like generalized
    AxisEnd *ends;          // what they end with
    double *still;          // zeros
    StiTwist *bias;         // of all links: accelerations while generalized velocities stay
    int *axis_of; // of each reaction: the robot's axis that it is the friction of; -1: none
    int row_room;
    int node_count, row_count, pair_count;
    RowNode *nodes;
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
    double *f, *v;
    StiBlockMode *modes;
    int *order; // of the nodes, so that neighbours are close
    bool goes_on;        // steps follow each other: what rounding does to one must not grow in the next
    bool by_sides;       // many points on bodies of one link each: no W, but
    StiBlockSide *sides; // two per row
    int body_count;
    StiBlockScratch block_scratch;
    StiBlockAnswer answer;
} RowSet;

// Room for all nodes that the network may have, and for its robots.
RowSet *sti_rows_take(StiArena *arena, const StiNetwork *network, const Watch *watch);

// ---- rows.c
// No nodes, at a configuration.
void sti_rows_clear(RowSet *set, const StageData *at, double T);
// Where a contact touches, and what moves there. -1: the world.
typedef struct RowPoint {
    int admittance[2], frame[2];
    StiVec3 arm[2];        // from the links' origins to the point
    StiVec3 directions[3]; // two tangents, the normal
} RowPoint;
// Each returns its first row. node: kind and limits.
int sti_rows_add_point(const StiNetwork *network, RowSet *set, const RowPoint *point, int index,
                       StiBlockNode node);
int sti_rows_add_reaction(const StiNetwork *network, RowSet *set, const Response *response,
                          int index);
// Rotation of the links of a point about axes, one per row; a row's force is a moment over the axis' length.
int sti_rows_add_turn(const StiNetwork *network, RowSet *set, const RowPoint *point, int index,
                      StiBlockNode node, const StiVec3 *axes);
// A point that touches the same links elsewhere, or along other directions.
void sti_rows_move_point(RowSet *set, const RowPoint *point, int row);
int sti_rows_add_joint(const StiNetwork *network, RowSet *set, const RobotPart *part, int index);
// All nodes are there: which push on which robot, and which feel each other.
void sti_rows_complete(const StiNetwork *network, RowSet *set);

// Velocity of a row where links move with frames (robots: with robot_frames; NULL: they stand still)
// and coordinates as in x; size: of the terms that it is the sum of.
typedef struct RowMotion {
    const StiFrame *frames, *robot_frames;
    const double *x;
    bool sources; // prescribed bodies move
} RowMotion;
double sti_row_velocity(const StiNetwork *network, const RowSet *set, const Row *row,
                        const RowMotion *motion, double *size);

// The forces of the rows, in the order of a robot's pushes, into part->f.
void sti_push_forces(const RowSet *set, RobotPart *part);

// ---- pairs.c: which nodes feel each other, and where they do so in W
void sti_rows_pair(const StiNetwork *network, RowSet *set);
// Of nodes a >= b that feel each other.
const StiBlockPair *sti_pair_search(const RowSet *set, int a, int b);
static inline const StiBlockPair *sti_pair_find(const RowSet *set, int a, int b)
{
    const bool feels_all = set->pair_first[a + 1] - set->pair_first[a] == a + 1;
    return feels_all ? &set->pairs[set->pair_first[a] + b] : sti_pair_search(set, a, b);
}
static inline const StiBlockPair *sti_pair_own(const RowSet *set, int node)
{
    return &set->pairs[set->pair_first[node + 1] - 1];
}

// W between row i of node a and row j of node b; 0 where they do not feel each other.
double sti_rows_felt(const RowSet *set, int a, int i, int b, int j);

// ---- bodies.c: all bodies but robots
// Factors the inertias of those that rows push on; -1, or the body whose inertia has no factor.
int sti_rows_prepare(const StiNetwork *network, const RowSet *set, const Response *response);
// Their part of W, into W_fixed; their inertias are factored in the response.
void sti_rows_bodies(const StiNetwork *network, RowSet *set, const Response *response);
// How the link of a body of one link answers; its inertia is factored in the response.
static inline StiTwist sti_link_twist(const StiNetwork *network, const Response *response, int body,
                                      const StiWrench *wrench)
{
    const Admittance *a = &network->admittances[body];
    StiFrame link;
    a->kind->link_response(a->parameters, response->prepared + a->prepared, wrench, &link);
    return (StiTwist){link.w, link.v};
}
// dv of all bodies but robots under the forces of the rows (per unit of T), into the response.
void sti_rows_respond(const StiNetwork *network, const RowSet *set, const Response *response);

// ---- sides.c
// The rows by bodies, and the sizes of W; inertias are factored.
void sti_rows_sides(const StiNetwork *network, RowSet *set, const Response *response);

// ---- robots.c: W and c, with the robots' part
// Spots, axes and frames of the robots at the configuration; then what acts on their links.
void sti_rows_place_robots(const StiNetwork *network, RowSet *set, StiFrame *frames);
void sti_rows_pose_robots(const StiNetwork *network, const RowSet *set, StiFrame *frames); // placed
void sti_rows_load_robots(const StiNetwork *network, RowSet *set);
// Nothing acts on them: for impulses.
void sti_rows_unload_robots(RowSet *set);
// v: of all axes at the start, laid out like x; NULL: 0. tau: efforts, laid out like generalized; NULL:
// 0. Returns -1, or the body whose inertia has no factor.
int sti_rows_robots(const StiNetwork *network, RowSet *set, const double *v, const double *tau,
                    int *steep);
// W and its size without the robots' part.
void sti_rows_take_fixed_W(RowSet *set);
// The robots' axes under the forces of the rows, into ends.
void sti_rows_end_robots(const StiNetwork *network, RowSet *set);

// Forces f, velocities v and modes of all nodes together, from the f at hand; resumed, keep_friction:
// see StiBlock.
StiStatus sti_rows_solve(RowSet *set, bool resumed, bool keep_friction);
// Rows by sides: forces that shift them, into f; see sti_block_shift.
bool sti_rows_shift(RowSet *set, const double *shift, double least);

#endif
