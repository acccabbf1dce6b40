// Laws: the level of friction (>= 0, an effort: N or N m) as a function of slip speed, direction,
// load and signals. A law is a small value; it can be copied freely.
#ifndef STICTION_LAW_H
#define STICTION_LAW_H

#include <stdbool.h>

#include "kind.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { STI_LAW_PARAMETERS = 12 };

typedef struct StiSlip {
    double speed;          // >= 0, m/s or rad/s; 0 means just about to slip
    double direction;      // +1 or -1 along the element's axis; 0 where it has no meaning (planar)
    double load;           // N, times the scale of the level; 1 for a law that listens to neither
    const double *signals; // the kind's own, as many as it asks for; NULL if none
    double viscosity;      // what viscous parts are multiplied by; 1 for a law that does not listen
} StiSlip;

typedef struct StiLaw StiLaw;

typedef struct StiLawKind {
    size_t table_size; // sizeof(StiLawKind): another one is refused
    const char *name;
    const char *summary;
    const StiField *fields; // offset is the index into StiLaw.p
    int field_count;
    int signals;      // the kind's own signals, beside load and scales
    const StiInput *inputs; // what they are, as many; NULL: scenes cannot connect them
    bool constant;    // the level is p[0] (times the load) at any speed, in any direction
    bool table;       // its parameters are StiLaw.table, and the level bends at each point
    bool directional; // the level depends on the direction: one dimension only
    double (*level)(const StiLaw *law, const StiSlip *slip);
    double (*slope)(const StiLaw *law, const StiSlip *slip); // d level/d speed; NULL: differences
    // The speed at which the level falls most steeply, for laws whose slope only falls up to there
    // and only rises from there on (any speed if it never falls). NULL: not known, solves then look
    // around.
    double (*steepest)(const StiLaw *law);
    void (*check)(const StiLaw *law, const StiCheck *check); // may be NULL
    const StiExplanation *explanation;                       // may be NULL
    const StiLaw *example; // a law of this kind that passes the check; may be NULL
} StiLawKind;

struct StiLaw {
    const StiLawKind *kind;
    double p[STI_LAW_PARAMETERS]; // in the order of kind->fields
    const double *table;          // table law: speeds, then levels; owned by the caller or the plan
    int table_points;
    const void *user; // own law: anything constant
    bool times_load;  // p holds coefficients (mu): dry parts are multiplied by the load
    bool scales_level;   // dry parts are multiplied by a signal (temperature, wear); below 0 counts as 0
    bool scales_viscous; // viscous parts are multiplied by a signal
};

// speed, signed direction and signals in; level out. signals: the load if law->times_load, the scale of the
// level if law->scales_level, that of the viscous part if law->scales_viscous, then the kind's own; NULL if
// it needs none.
STI_API double sti_law_level(const StiLaw *law, double speed, double direction,
                             const double *signals);
STI_API double sti_law_slope(const StiLaw *law, double speed, double direction,
                             const double *signals);
STI_API int sti_law_signals(const StiLaw *law); // how many numbers signals must hold

// level
STI_API StiLaw sti_law_coulomb(double level);
// level + viscous speed                                                   [regularization] (5)
STI_API StiLaw sti_law_viscous(double level, double viscous);
// level + (static - level) exp(-(speed/stribeck_speed)^exponent) + viscous speed
//                                                                         [regularization] (6)
STI_API StiLaw sti_law_stribeck(double level, double level_static, double stribeck_speed,
                                double stribeck_exponent, double viscous);
// level tanh(speed/speed_scale): smooth through zero                      [dahl] (8)
STI_API StiLaw sti_law_tanh(double level, double speed_scale);
// level + (static - level) exp(-eta speed) + viscous speed                [semi-implicit] (8)
STI_API StiLaw sti_law_gear(double level, double level_static, double eta, double viscous);
// level and viscous for motion along +, level_backward and viscous_backward along -
STI_API StiLaw sti_law_directional(double level, double level_backward, double viscous,
                                   double viscous_backward);
// Piecewise linear: speeds[0] = 0 < speeds[1] < ..., constant beyond the last. table holds the
// speeds, then the levels (2 * points numbers); a plan copies it.
STI_API StiLaw sti_law_table(const double *table, int points);
// A user's own kind: fill p and user of the result.
STI_API StiLaw sti_law_own(const StiLawKind *kind, const void *user);
// Losses of a gear as they are measured on servos: dry and Stribeck parts that grow with the motor's and the
// load's torques (the law's signals, N m along +, at the joint). The numbers are those of its fields, by name:
// sti_law_set. Explanation: stiction explain gear-load.
STI_API StiLaw sti_law_gear_load(double level, double motor_share, double load_share);
// Sets a number by the name of its field ("viscous"); false: the kind has none of that name.
STI_API bool sti_law_set(StiLaw *law, const char *field, double value);
// The same law as a coefficient: its dry parts are multiplied by the load signal.
STI_API StiLaw sti_law_times_load(StiLaw law);
// The same law with its dry parts, or its viscous ones, multiplied by a signal.
STI_API StiLaw sti_law_scaled(StiLaw law, bool level, bool viscous);

// The tables behind the functions above; kind->fields names and explains the numbers of StiLaw.p.
STI_API extern const StiLawKind sti_law_kind_coulomb, sti_law_kind_viscous, sti_law_kind_stribeck,
    sti_law_kind_tanh, sti_law_kind_gear, sti_law_kind_gear_load, sti_law_kind_directional,
    sti_law_kind_table;

// What a law does over all speeds (sampled; load and scales 1, own signals 0): used by checks.
typedef struct StiLawSurvey {
    double at_rest;       // level just above zero speed
    double lowest;        // smallest level
    double highest;       // largest level at speeds up to where it falls
    double steepest_fall; // max of -slope, >= 0; (16b) is unique if T W steepest_fall < 1
    double steepest_rise; // max of slope, >= 0: the damper that explicit steps must carry
} StiLawSurvey;
// Efforts in N (N m), slopes per m/s (rad/s).
STI_API StiLawSurvey sti_law_survey(const StiLaw *law);

// gsat of [modular] (15): out = in if |in| <= limit (returns true: stuck), else limit in/|in|.
STI_API bool sti_gsat(int dim, double limit, const double *in, double *out);

// The implicit equation (16b) of [fixed-step]: speed u >= 0 with u + g level(u) = a, where g = T W
// (velocity per effort) and a = |vbar|. Stuck (0) if a <= g level(0).
typedef struct StiSlipSolution {
    double speed; // u, 0 when stuck
    double level; // effort: level(u) when slipping, a/g when stuck
    bool stuck;
    bool
        several; // there is more than one: sticking is taken where it is one, else the fastest slip
} StiSlipSolution;
// g in (m/s)/N, a in m/s; direction +1, -1, or 0 in a plane. Never fails: what has no unique solution
// is marked `several`.
STI_API StiSlipSolution sti_law_solve(const StiLaw *law, double g, double a, double direction,
                                      const double *signals);
// The approximation (18): level at the speed a - g level(0). Beyond g viscous = 1 its speed is
// negative.
STI_API StiSlipSolution sti_law_approximate(const StiLaw *law, double g, double a, double direction,
                                            const double *signals);

#ifdef __cplusplus
}
#endif
#endif
