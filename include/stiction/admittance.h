// Admittances: force in, motion out. xdot = A(x, uhat), x = (q, v)                 [modular] (6)
#ifndef STICTION_ADMITTANCE_H
#define STICTION_ADMITTANCE_H

#include "kind.h"
#include "stage.h"

typedef struct StiAdmittanceSize {
    int positions;  // q (a quaternion counts 4)
    int velocities; // v
    int links;      // frames that wires may attach to
    int loads;      // constraint forces offered as signals
    int supplied; // which of them, counted from 1, is the power of the body's own drivers, W; 0: none
    int signals;   // signal inputs
    int prepared;  // doubles that prepare writes
    int carried;   // numbers of StiConstrainedMotion; 0: that table does not apply
    int workspace; // doubles that eval (stage->workspace) and stored may use; not kept
} StiAdmittanceSize;

// uhat: what wires apply. Both parts add up.
typedef struct StiForce {
    double *generalized; // velocities numbers, conjugate to v
    StiWrench *links;    // one per link, about its origin, world axes
} StiForce;

// Bodies that friction can hold by single velocities, in the same pass that moves the others.
typedef struct StiAdmittanceHold {
    size_t table_size; // sizeof(StiAdmittanceHold): another one is refused
    // Doubles of memory that eval uses; NULL: none.
    int (*memory)(const void *parameters);
    // As eval, with vdot = 0 where held (NULL: nowhere). taken: per velocity, what uhat has too much for
    // that, 0 where it is not held. uhat->links: NULL: nothing acts on them. memory: zeros at first, then
    // as the last call left it: what was worked out for the same q need not be worked out again.
    StiStatus (*eval)(const void *parameters, const StiStage *stage, const double *q,
                      const double *v, const double *signals, const StiForce *uhat,
                      const bool *held, double *memory, double *qdot, double *vdot, double *loads,
                      double *taken);
    // Held velocities to zero; the others change as the impulses that stop them demand.
    StiStatus (*stop_locked)(const void *parameters, const double *q, const bool *held, double *v,
                             double *workspace);
} StiAdmittanceHold;

// One force on a body with constraints: as a generalized force conjugate to v; dv = H^-1 times it; and what
// it adds to what the constraints carry.
typedef struct StiResponseColumn {
    double *force, *dv, *carried;
} StiResponseColumn;

// A body with constraints while its geometry stands still, as within a step: accelerations and what the
// constraints carry (size.carried numbers, from which the loads follow) are affine in the forces, so a
// solver that tries many forces needs one factor. prepared is that of StiAdmittanceKind, its last part
// room to work in.
typedef struct StiConstrainedMotion {
    size_t table_size; // sizeof(StiConstrainedMotion): another one is refused
    // As prepare with nothing locked or added, and what goes with the velocities.
    StiStatus (*prepare)(const void *parameters, const double *q, const double *v,
                         const double *signals, double *prepared);
    // vdot of eval, and what the constraints carry.
    StiStatus (*accelerate)(const void *parameters, const StiStage *stage, double *prepared,
                            const StiForce *uhat, double *vdot, double *carried);
    // The generalized force, and what of it the constraints carry by themselves.
    void (*collect)(const void *parameters, double *prepared, const StiForce *force,
                    StiResponseColumn *column);
    // dv and all that is carried, of columns that are collected.
    void (*respond)(const void *parameters, double *prepared, int count,
                    const StiResponseColumn *columns);
    // The loads of eval, from what the constraints carry.
    void (*loads)(const void *parameters, double *prepared, const double *v, const double *signals,
                  const double *carried, double *loads);
    // Puts v back on the constraints, as constrain does at these positions.
    void (*fit)(const void *parameters, double *prepared, const double *signals, double *v);
} StiConstrainedMotion;

// Where a joint stands among the numbers of its body.
typedef struct StiJointPlace {
    int link;               // that it carries, or that wires name
    int position, velocity; // its first numbers; -1: it has none of its own
    int count;              // how many velocities
} StiJointPlace;

// Required: size, start, pose, eval, and prepare, respond, move where velocities > 0. All pure.
// A motion source has no q and v of its own: its signals are (x[n], v[n]) and prescribed is true.
enum { STI_LOAD_PARTS = 2 };

typedef struct StiAdmittanceKind {
    size_t table_size; // sizeof(StiAdmittanceKind): another one is refused
    StiInfo info;
    bool prescribed;
    bool
        whole_names; // its channels are named without the body's name, unless they begin with a dot
    StiAdmittanceSize (*size)(const void *parameters);
    void (*start)(const void *parameters, double *q, double *v);
    // Frames of the links from positions and velocities.
    void (*pose)(const void *parameters, const double *q, const double *v, const double *signals,
                 StiFrame *links);
    // qdot, vdot, and the loads that go with them.
    StiStatus (*eval)(const void *parameters, const StiStage *stage, const double *q,
                      const double *v, const double *signals, const StiForce *uhat, double *qdot,
                      double *vdot, double *loads);
    // Factors the inertia at q for respond. locked: velocities that stay zero (NULL: none); added:
    // numbers added to the diagonal of H (NULL: none).
    StiStatus (*prepare)(const void *parameters, const double *q, const bool *locked,
                         const double *added, double *prepared);
    // dv = H^-1 times a force.
    void (*respond)(const void *parameters, const double *prepared, const double *q,
                    const StiForce *force, double *dv);
    // Of bodies with one link: its velocities v and w per wrench on it; p and q are left alone.
    // NULL: respond and pose are asked instead.
    void (*link_response)(const void *parameters, const double *prepared, const StiWrench *wrench,
                          StiFrame *link);
    // NULL: friction that sticks on it is solved for from outside, by prepare and respond.
    const StiAdmittanceHold *hold;
    // qdot alone, for bodies whose q are not as many as their v; NULL: implicit substeps take their positions
    // explicitly.
    void (*rates)(const void *parameters, const double *q, const double *v, double *qdot);
    // q after a time T at velocity v; T = 0 only restores unit quaternions. q: in and out.
    void (*move)(const void *parameters, const double *v, double T, double *q);
    // Puts q and v back on the constraints when a step ends, signals as they are there; NULL: there
    // are none. held: links on which a reaction sticks (NULL: none) stay where they are at q_start.
    // q_start NULL: only v, at q as it is.
    StiStatus (*constrain)(const void *parameters, const double *signals, const bool *held,
                           const double *q_start, double *q, double *v, double *workspace);
    // How fast errors of the constraints decay, 1/s: INFINITY (or NULL): constrain takes them back at once;
    // 0: not at all. A number: eval does it, or constrain a share of it where eval looks ahead.
    double (*returns)(const void *parameters);
    // Kinetic and gravity energy, J.
    double (*stored)(const void *parameters, StiVec3 gravity, const double *q, const double *v,
                     double *workspace);
    // Of one mass along one coordinate, accelerated by force/mass and gravity along x: kg; 0 (or NULL): it is not one.
    double (*mass)(const void *parameters);
    // The tree of links behind it, if there is one: solvers then use its recursions. NULL: none.
    const struct StiRobot *(*robot)(const void *parameters);
    // Recorded channels: names depend on the parameters (a mass in one dimension has x and v).
    int (*channels)(const void *parameters, const StiChannelInfo **names);
    void (*observe)(const void *parameters, const double *q, const double *v, const double *signals,
                    double *values);
    // Finds the joint of that name; returns false if there is no such joint. NULL: the body has no joints.
    bool (*joint)(const void *parameters, const char *name, StiJointPlace *place);
    // Is this coordinate (in v) a rotation: rad, rad/s, N m? NULL: none is.
    bool (*is_angular)(const void *parameters, int velocity);
    // How many solutions loads and friction have. mu: by load, the friction per unit of it, of those who
    // listen (0: none; below 0: along the motion); uhat without friction by loads. STI_OK: one; STI_SEVERAL_SOLUTIONS,
    // STI_NO_SOLUTION, or STI_LOADS_UNSETTLED where it is not known; *load: the one that changes most.
    // May be NULL.
    StiStatus (*classify_solutions)(const void *parameters, const StiStage *stage, const double *q,
                                    const double *v, const double *signals, const StiForce *uhat,
                                    const double *mu, int *load);
    const StiConstrainedMotion *constrained; // NULL: solvers use eval, prepare and respond
    // Names of the loads; NULL: load, or load0, load1, ...
    const StiChannelInfo *(*load_channels)(const void *parameters);
    // Loads whose sizes add up to this one, as those of the corners of a slider: it bends where one of them passes
    // zero. Returns how many; 0, or NULL: the load is the size of one force.
    int (*load_parts)(const void *parameters, int load, int parts[STI_LOAD_PARTS]);
} StiAdmittanceKind;

#endif
