// Private: the memory of a step.
#ifndef STICTION_SRC_SCRATCH_SCRATCH_H
#define STICTION_SRC_SCRATCH_SCRATCH_H

#include "contact/points.h"
#include "network/response.h"
#include "network/wires.h"
#include "robot/trial.h"
#include "scratch/touch_data.h"
#include "stiction/step.h"

typedef struct RowSet RowSet; // rows/rows.h

// What the reactions of a step need. Rows are the directions of all reactions, one after the other.
typedef struct ReactionData {
    Response response;
    double *W;         // blocks, see Neighbour
    double *free_rate; // vbar of the rows without any reaction
    double *rate;      // velocity of the rows under the present resistances
    StiReactionAnswer *answers;
    double *s;         // modes during the search
    bool *chosen;      // reactions that take part in a direct solve
    int *place;        // of each reaction among the chosen rows, -1 if it takes no part
    int *rows, *owner; // the chosen rows, and the reaction of each
    double *own;       // blocks of linearised reactions, DIM_MAX numbers per row
    double *factor;    // envelope of the chosen rows
    int *factor_first; // first column of each factored row
    int *factor_start; // where a factored row begins
    bool singular;     // W over the chosen rows (modes.c)
    double *correction;
    StiReactionAnswer *saved_answers; // to return to, where a leap did not help
    double *saved_rate;
    bool *known; // velocities that are assigned already, laid out like generalized
} ReactionData;

// Few rows of one axis each under constant limits (limits.c). W NULL: the network has none such.
typedef struct LimitData {
    double *W;         // of all rows
    double *limit, *r; // by row
    double *from;      // r before a round
    int *mode;
    int *stuck;   // the stuck rows, and of each ...
    double *unit; // ... the force that counts as one
    double *left; // ... what the pivots so far leave of its diagonal
    double *G;    // stuck rows x rank: the root of their W
    int *pivot;
    double *square, *c; // G^T G factored; of one solve
} LimitData;

// What a unit resistance of each row does while the geometry stands still (affine.c).
typedef struct AffineData {
    bool applies;
    double *force, *dv;                 // rows x generalized: the force itself, H^-1 times it
    StiResponseColumn *columns;         // of one body
    int *first, *last;                  // where the force of a row is not zero
    double *carried;                    // rows x constraint forces
    double *free_carried, *all_carried; // constraint forces under smooth forces; with reactions
} AffineData;

// Newton's method for the loads that elements listen to (load_search.c), where the plain iteration is
// slow or goes away: N + f(N) is what the forces under the loads N give.
enum { LOAD_SECANTS = 4 };
typedef struct LoadSearch {
    enum { LOADS_PLAIN, LOADS_PROBED, LOADS_TRIED } phase;
    int *heard; // the loads in question
    int count;
    bool possible;  // there is room for slopes
    bool failed;    // once in this iteration: from then on it is plain
    double ratio;   // the contraction factor that led here
    double largest; // of all iterations so far
    double *N, *f;  // the best so far
    double *change; // Newton's
    double *slope;  // df/dN, factored
    int *pivots;
    bool mixed;                // the loads that were tried last came from secants
    int past;                  // iterations remembered, the latest first ...
    double *past_N, *past_G;   // ... the loads they assumed, and those they gave
    double *mixed_F, *mixed_G; // their differences, to work in (load_secants.c)
    double *resume;            // all loads, where the plain iteration goes on if this fails
    double share, length;      // of the change that is tried; of a difference
    int column, steps;
} LoadSearch;

// One mode of one element.
typedef struct ModePlace {
    bool reaction;
    int element; // index of the impedance or reaction
    int index;   // of the mode within the impedance
    int s;       // where it stands in the network's s
    int dim;
} ModePlace;

// Velocities that stuck friction holds, inside the bodies (Admittance.holds).
typedef struct Holding {
    bool *held;     // laid out like generalized
    bool *any;      // by admittance
    double *taken;  // laid out like generalized: what holding takes away
    double *memory; // of the bodies
    int outside;    // reactions that stick and are not held by a body
} Holding;

// Elastic rows that feel only those with which they share a body, where that is all there is (near.c).
typedef struct NearRows {
    bool possible; // all elastic rows have one direction
    bool applies;  // to this piece
    int count;
    int *rows;          // impedances, ordered so that neighbours are close
    int *first, *start; // the envelope
    double *W, *factor; // within it: W, and I + tau sqrt(Z) W sqrt(Z)
    double *root, *phi; // sqrt(Z), and forces
    double *columns;    // of each row: dv of its own bodies, and ...
    int *column_start;  // ... where they begin
} NearRows;

// A joint whose mode is sought together with all others (joint_modes.h). Efforts along +; forces that are
// not friction of these joints are in tau.
typedef struct JointBounds {
    int reaction;             // -1: no friction here
    int parent;               // the next joint on the way to the root, -1: none
    bool sought;              // its mode is; else it is free
    double low, high;         // efforts that sticking may have
    double forward, backward; // efforts of slip along +, and along -
    AxisMode sense;           // of slip whose effort depends on its velocity; then ...
    double slope, at;         // ... how, and the velocity of the effort above
    AxisMode violated;        // the mode it should have; AXIS_FREE: it is content
    double excess;            // how much it is violated, as an effort
    double eps, resistance;   // of smoothed friction
    AxisMode guess, best;     // by smoothed friction; of the trial with the fewest violations
    double v, effort, slack;  // on the way of joint_pivots.c
    bool weaker;              // than a neighbour that breaks loose in the same sense
} JointBounds;

// What a joint does in a trial in which many change (joint_changes.h). Times are shares of the trial, efforts
// and velocities are means over it.
typedef struct JointChange {
    AxisMode mode;  // in the trial, and ...
    AxisMode end;   // ... when it is corrected
    double from;    // where its mode ends; 1: it does not
    double share;   // for how long the correction acts on it
    double side;    // of a stuck joint: which way it goes
    double excess;  // of a stuck joint: effort of the trial beyond its limit, and ...
    double moment;  // ... how long that has acted at the end, times it
    double effort;  // of its friction: what the correction adds to it
    double overrun; // of a slipping joint: way of the trial behind its end
    // On the way from change to change: by how much its velocity is moved, and its rate; how far it went.
    double moved, rate, way;
} JointChange;

// Laid out like the generalized forces, unless it says otherwise.
typedef struct JointData {
    bool applies;       // robots hold all that has modes in this network
    RobotTrial *trials; // by admittance; those of robots are used
    JointBounds *joints;
    AxisFriction *friction;
    AxisEnd *ends;
    double *v, *tau;
    double *shift; // of the positions by a correction
    JointChange *changes;
    double *placed;                 // spots and axes of the robots, as bodies prepare them
    StiWrench *applied, *unchanged; // by link
    uint64_t seen[64];
    int seen_count, fewest;
} JointData;

// A row of friction that a piece of a step treats implicitly.
typedef struct SubstepRow {
    const Wire *wire;
    int element; // index of the impedance, or of the reaction
    int axis;
} SubstepRow;

// What a step needs that is cut into pieces (METHODS 3 and 4).
typedef struct SubstepData {
    double t, rest;        // where the step has come to, and what is left of it, s
    double t_end;          // of the step
    double *x, *y, *s;     // there, in one piece as in a state
    double *x_end, *y_end; // at the end of a trial
    StageData close;       // evaluated there
    StageData probe;       // evaluated in between, to locate the end of a mode
    bool probed;           // after close: rates of the wires are those of the probe
    bool rested;           // a planar reaction came to rest at a stage of the trial

    SubstepRow *rows; // elastic ones, then planar reactions that slip
    int elastic, planar;
    bool columns_known;
    double *columns;  // of each row: dv of a unit resistance, with stuck reactions locked
    double *W;        // rows x rows
    double *Z, *ZW;   // elastic x elastic; I + tau Z W, factored
    double *W_planar; // planar x planar, with the elastic rows giving way
    int *pivots;
    int *chosen_rows;                  // of a finish: those that stick
    double *phi, *bar, *column, *vbar; // of one solve
    double *P; // of each stage, laid out like generalized: the implicit part of the rates, or
               // (bodies that add) of the forces
    double *Z_own,
        *k_own;    // by impedance, those on a diagonal: Z, and what its row has without the body
    double *added; // laid out like generalized: tau Z
    double *own_force; // and forces to respond to
    double *prepared;  // H + tau Z of the bodies that add, factored
    NearRows near;
    bool adds; // there are such bodies, and elements with modes on them

    double *saved; // of a finish, to return to: phi, bar, modes

    ModePlace *modes;
    int mode_count;
    StiMargin *before, *after, *there;
    bool judged;    // before holds the margins of the point
    double *theta;  // share of the trial at which a mode ends; beyond 1: it does not
    double *likely; // where it may end, while the first is sought
    bool *fresh;    // modes that changed within this step
    bool *forced;   // reactions that slip in any case
    bool *ended;    // margins that ran out at an event, with those of contacts
    // For recorders: means over the accepted pieces; what was at the start.
    double *mean_u, *mean_loads, *first_u, *first_loads;
    bool entered; // something is in the books (account.h), and ...
    double due;   // ... the last piece, of this length, is not

    // The evaluation that the last step ended with may be the first of the next.
    bool kept;
    double kept_from, kept_to; // smooth stretch of the inputs that it saw
    double *kept_inputs;
    bool kept_usual; // no inputs were given
} SubstepData;

enum { UNTOUCHED, RELEASED, FORCED, STUCK_AGAIN };

// Work in the last step, J, where the method integrated it: the ledger then takes it from here and
// not from the stages.
typedef struct Works {
    bool given;
    double *absorbed_by_impedance, *absorbed_by_reaction, *absorbed_by_contact;
    double *on_body;  // by all wires, of each admittance
    double *supplied; // by drivers inside each admittance
} Works;

// What recorders want to know of a step that is cut (account.h): forces and loads on average, and work.
typedef struct Account {
    double *mean_u, *mean_loads;
    Works works;
} Account;
void sti_works_take(StiArena *arena, const StiNetwork *network, Works *works);

struct StiScratch {
    StiArena arena;
    const StiNetwork *network;
    Watch watch;
    void **workspaces; // of the time functions
    StageData stages[STI_METHOD_STAGES];
    StageData end;             // motion at the end of the step, for settle
    StageData beside;          // motion beside a stage: a little later, or with other velocities
    double *wire_rate;         // rates of the velocities of the wires that carry modes, and ...
    double *wire_drift;        // ... the part of it that no force makes
    double *turned;            // s with the directions of departures as they are now
    int *released;             // by reaction: what the search for modes at rest did to it
    StiMargin *margins;        // of all modes
    bool *over;                // modes that are
    double relative, absolute; // tolerances of whoever integrates; 0: not known
    double moment;             // s: what lasts less is over at once
    double smooth_from, smooth_to; // time functions are read within, on the inner side of breaks
    double *next;                  // the state's numbers at the end of the step
    double *new_loads;
    double *start_loads;   // of the state, to return to
    double *start_s;       // of the state, where impedances listen to loads
    double *load_friction; // by load: friction per unit of it, for a judge
    double *kept_u;        // forces, while a judge looks at the case without friction, and ...
    double *kept_ydot;     // ... rates of memory that nobody needs
    const double
        *modes; // s under which forces are computed; NULL: modes are found together with forces
    int load_growths;  // how often the loads went further away in this iteration
    int load_stalls;   // how often they did so by no more than rounding
    bool loads_chosen; // the next evaluation is under loads that need not be those that it gives
    bool gave_up;      // in this step the loads did not settle, and the network goes on
    bool *held;        // links on which a reaction sticks
    bool *touched;     // by admittance: friction or contact acts on it in this step (flight.c)
    double *flight;    // of one body in free flight
    double *acting; // where bodies return to constraints: x just before; reactions act with its v
    double *workspace;  // of one component at a time
    double load_change; // of the previous iteration
    double first_load_change;
    LoadSearch load_search;
    bool loads_unknown; // so far: who listens to a load keeps silent
    ReactionData reactions;
    Holding holding;
    LimitData limits;
    AffineData affine;
    Works works;
    ContactData contacts;
    TouchData touches; // contacts in continuous time
    RowSet *rows;      // of contacts, reactions and joints
    void *solver;      // what the solver took
    SubstepData substep;
    JointData joints;
    StiFault fault;
    StiStepFigures figures;
};

// Parts of next.
static inline double *next_y(const StiScratch *scratch)
{
    return scratch->next + scratch->network->x_count;
}
static inline double *next_s(const StiScratch *scratch)
{
    return next_y(scratch) + scratch->network->y_count;
}
static inline double *next_loads(const StiScratch *scratch)
{
    return next_s(scratch) + scratch->network->s_count;
}

// Sets the fault and returns its status.
StiStatus sti_fault(StiScratch *scratch, StiStatus status, const char *component, const char *what,
                    const StiStage *stage);

#endif
