// Private: a compiled network. Offsets point into the arrays of a state and of a stage.
#ifndef STICTION_SRC_NETWORK_NETWORK_H
#define STICTION_SRC_NETWORK_NETWORK_H

#include "base/arena.h"
#include "base/names.h"
#include "stiction/contact.h"
#include "stiction/network.h"
#include "stiction/robot.h"

typedef struct Connection {
    enum { FROM_SOURCE, FROM_LOAD, FROM_FORCE, FROM_STATE } from;
    int index; // into sources, loads or u
    double gain;
    int port; // into the stage's ports
} Connection;

typedef struct Connections {
    const Connection *items;
    int count;
} Connections;

typedef struct Admittance {
    const char *name;
    const StiAdmittanceKind *kind;
    const void *parameters;
    StiAdmittanceSize size;
    int q, v;        // into x
    int generalized; // into the generalized forces: velocities numbers (prescribed: dim)
    int dim;         // how many coordinates wires may address
    int link;        // into frames and wrenches
    int load;        // into loads
    int port;        // into ports
    int prepared;
    int memory;            // into what bodies that hold keep from evaluation to evaluation
    int carried;           // into the constraint forces of all bodies
    bool posed;            // a wire or a shape is attached to one of its links
    const StiRobot *robot; // NULL: not a tree
    const int *parents;    // of the links of an assembly; NULL: the robot knows
    bool holds; // all reactions on it are on coordinates of its own: it holds them where they stick
    bool adds;  // so are all implicit elements: they stand on the diagonal of its H
    Connections connections;
} Admittance;

typedef struct Wire {
    StiWire wire; // a.admittance and b.admittance are indices of the network's own order
    StiWireSize size;
    int x, v;   // into xhat; forces use v
    bool plain; // coordinates of one body that forces move, against the world: most wires are
    // Of such, and of other coordinates the first body's: where they and their rates stand in x, and their
    // forces among the generalized ones.
    int own_q, own_v, own_force;
    int turned; // in y: the angle it has come to, full turns included; -1: it has none that wraps
} Wire;

// One number of a plain wire.
typedef struct PlainNumber {
    int x, v, own_q, own_v, own_force;
} PlainNumber;

typedef struct Impedance {
    const char *name;
    const StiImpedanceKind *kind;
    const void *parameters;
    StiImpedanceSize size;
    bool wired;
    bool steep;     // smooth or one-sided, and yet implicit in substeps: its slopes (steep.h)
    bool bends;     // so is what it answers to positions
    bool diagonal;  // implicit, along one coordinate of a body that adds
    Wire wire;      // not wired: v still says where u stands
    int slope;      // into the slopes of all steep elements: velocities x velocities numbers
    double rate;    // of one that can be steep: the largest B W + sqrt(K W) of its rows, 1/s
    int y, s, port;
    bool reads_load;
    Connections connections;
} Impedance;

// In substeps: elastic friction always is, other elements where they are steep.
static inline bool sti_is_implicit(const Impedance *e)
{
    const StiImpedanceModes *modes = e->kind->modes;
    return e->wired && (e->steep || (modes != NULL && !modes->one_sided));
}

// Reactions that share a body, ascending. Those on the same bodies share the list, too: it is as long as it is for
// one of them.
typedef struct Neighbour {
    int reaction;
    int before; // rows of those before it in the list
} Neighbour;

typedef struct Reaction {
    const char *name;
    const StiReactionKind *kind;
    const void *parameters;
    StiReactionSize size;
    Wire wire;
    int row;   // into the rows of all reactions
    bool held; // where it sticks, its body holds it
    bool damper;   // along one axis, and its level is proportional to speed: it neither sticks nor bends at rest
    bool steep;    // along one axis, and its level rises with speed: implicit in substeps, ...
    bool diagonal; // ... along one coordinate of a body that adds, or ...
    bool bends;    // ... as a whole, where the level comes down to 0 at rest: it never sticks by itself
    int s, port;
    bool reads_load;
    Connections connections;
    const Neighbour *neighbours; // with itself at `own`
    int neighbour_count, own;
    int block; // into W: its own, then those against its neighbours
} Reaction;

// Neighbour 0 of a reaction is itself, then those that share a body, ascending.
static inline int sti_neighbour(const Reaction *e, int i)
{
    return e->neighbours[i == 0 ? e->own : i - (i <= e->own)].reaction;
}

// Into W: dim of the reaction x dim of its neighbour.
static inline int sti_neighbour_block(const Reaction *e, int i)
{
    if (i == 0) return e->block;
    const int before =
        i <= e->own ? e->size.dim + e->neighbours[i - 1].before : e->neighbours[i].before;
    return e->block + e->size.dim * before;
}

// A shape with the network's own number of its body, -1: the world.
typedef struct ContactShape {
    int admittance, link;
    int frame; // its link among those of all bodies; -1: the world
    StiShape shape;
    double reach; // m: radius of a ball around the shape's origin that holds it; INFINITY: a plane
    double swing; // m: the same around the link's origin
} ContactShape;

typedef struct Contact {
    const char *name;
    const StiContact *parameters;
    const ContactShape *shapes; // those of side a first
    const StiOwner *owners;     // one per shape
    int shape_count, a_count;   // a_count = shape_count: against each other
    const StiPair *excluded;    // as the parameters say, by the numbers that shapes have here
    const StiPair *pairs;       // all that may touch, where they are few; NULL: too many to list
    int pair_count, pair;       // pair: first of its listed pairs among those of all contacts
    bool bounded;               // worth comparing bounds before touches are looked for
    int capacity;               // points
    int point;                  // first of its points among those of all contacts
    int shape;                  // first of its shapes among those of all contacts
    int s;
    bool surfaces_run; // some shape's surface runs over its body
} Contact;

// Power and work of contacts stand in rows of so many numbers: what each contact takes up, then what the surfaces
// of each that run give.
static inline int sti_contact_books(int contact_count) { return 2 * contact_count; }

enum { STI_PLACE_MARGINS = 3 }; // how far it is from closing or opening, slipping or sticking, its border

// A place where two shapes may touch, followed in continuous time (places.h). Corners on faces and edges
// across edges come and go: the network has room for them, a scratch fills it (evaluate/pair_places.h).
typedef struct ContactPlace {
    int contact;
    int ordinal; // among the places of the contact
    int shape[2];
    uint32_t feature;            // corner of a box on a plane, see places.h; else 0
    StiShape shapes[2];          // a corner is a point, a face a plane, an edge a capsule
    int admittance[2], frame[2]; // -1: the world
    bool comes;                  // room for one that comes and goes,
    bool vacant;                 // of which there is none now
    double sense;                // of crossing edges: see sti_edges_cross; else 0
} ContactPlace;

typedef struct Source {
    const char *name;
    int first, count;         // into sources
    StiTimeFunction function; // eval NULL: an input
    int input;                // into the inputs of a step
    const double *usual;
    const char *unit;
    bool own_name; // not that of the motion or force it drives
} Source;

// Where a plan's ids went.
typedef struct Place {
    StiRole role;
    int index;
} Place;

// A body of the plan: an admittance, or one of those that couplings and loops join to one.
typedef struct NetworkBody {
    const char *name;
    const StiAdmittanceKind *kind;
    const void *parameters;
    int admittance;
    int position, velocity, link; // its first numbers among those of the admittance
} NetworkBody;

struct StiNetwork {
    StiArena arena;
    double step, start;
    const StiMethod *method;
    const char *why_method; // where compile chose it; NULL: the plan names it
    const StiMethod *pair; // of pieces, where the method cuts: the method itself or its stiff one
    StiVec3 gravity;
    uint64_t layout;

    Admittance *admittances; // in the order of their names
    Impedance *impedances;   // in the order of evaluation, then of names
    Reaction *reactions;     // in an order that keeps neighbours close
    Contact *contacts;       // in the order of their names
    Source *sources;
    int admittance_count, impedance_count, reaction_count, contact_count, source_count;
    bool counts_turns; // of angles that wires sense
    bool resolves; // there are reactions or contacts: a solver is needed
    const StiSolver *solver;
    StiSolverConstants solver_constants;
    int solver_s; // the solver's own discrete memory, behind that of the elements
    int point_count, shape_count, pair_count; // of all contacts
    const ContactPlace *places; // where contacts are followed in continuous time
    int place_count;

    const struct NetworkChannel *channels; // all that can be recorded: channels.h
    int channel_count;
    StiNames channel_names;

    const NetworkBody *bodies; // as the plan numbers them
    int body_count;
    const int *admittance_places; // by the index in the plan without constraints
    const Place *element_places;
    int element_count; // of the plan

    // Sizes of the arrays of a state ...
    int x_count, y_count, s_count, load_count;
    // ... and of a stage
    int source_values, input_count, port_count, xhat_positions, xhat_velocities, generalized_count,
        link_count, prepared_count, memory_count, carried_count, row_count, W_count, envelope_count,
        workspace_count,      // of the component that needs most
        slope_count;
    bool coupled;             // some reactions feel each other
    bool planar;              // some have several directions
    bool iterates_loads;      // an element listens to a load
    bool smooth_loads;        // an impedance does: smooth forces change with the loads
    bool goes_on;             // where the loads do not settle
    const bool *heard;        // per load: does one listen to this one?
    bool constrains;          // a body puts itself back on constraints when a step ends
    bool poses;               // a wire or a shape is attached to a link
    const PlainNumber *plain; // of all plain wires, impedances first
    int plain_count;
    bool senses_plainly, pushes_plainly; // there are no other wires; and all carry forces
    bool settles;                        // an impedance takes new discrete values when a step ends
};

struct StiState {
    uint64_t layout;
    int64_t k;
    int count;       // numbers in values
    int y, s, loads; // where they begin; x begins at 0
    double values[];
};

// One arena for all sizes and offsets; compile.c, order.c and wiring.c fill the structure.
#endif
