// Friction models with memory, each a pure function that a controller can call on its own, and a
// kind for the network. v is the velocity of side a relative to side b; f the resistance along it.
// signals: NULL, or [load, ...] for laws that need them (see law.h).
#ifndef STICTION_FRICTION_H
#define STICTION_FRICTION_H

#include "impedance.h"
#include "law.h"

#ifdef __cplusplus
extern "C" {
#endif

// Viscous approximation: f = gsat(F, F v/eps).                     [fixed-step] (6), Martins-Oden
typedef struct StiViscousApproximation {
    int dim; // 1, 2, 3
    StiLaw law;
    double eps; // m/s: below it friction is a steep damper; creeps by nature
} StiViscousApproximation;
// v: dim velocities, m/s; f: dim forces, N, written. signals: NULL, or what the law needs.
STI_API void sti_viscous_approximation(const StiViscousApproximation *p, const double *signals,
                                       const double *v, double *f);

// Bristles (Dahl, LuGre, elastoplastic, Leuven) tend to a steady deflection at the rate K|v|/F. Within tau they
// do not pass it: where tau K|v|/F is above about 1, which explicit stages do not carry, it is just reached.
// plain: the paper's form at any tau. At tau = 0, and as long as nothing is passed, both are the same.

// Dahl: zdot = v |1 - r|^alpha sgn(1 - r), r = K z sgn(v)/F, f = K z. [fixed-step] (8), [dahl] (17)
typedef struct StiDahl {
    StiLaw law;
    double K;     // N/m
    double alpha; // 1, or 0: Dahl; else 0 < alpha
    bool stiff; // zdot = (F v - K z|v|)/(F + tau K|v|): safe for a vanishing level; alpha = 1 only
    bool plain;
} StiDahl;
// v m/s, z m; *f N and *zdot m/s are written. tau (s) does not matter to the plain form.
// STI_LEVEL_VANISHED: the level is 0 while it slides, and the form is not stiff.
STI_API StiStatus sti_dahl(const StiDahl *p, double tau, const double *signals, double v, double z,
                           double *f, double *zdot);

// LuGre: zdot = v - sigma0 |v| z/s(v), f = sigma0 z + sigma1 zdot + sigma2 v.      [modular] (12)
typedef struct StiLuGre {
    StiLaw law;    // s(v), the Stribeck level (an effort, without the viscous part)
    double sigma0; // N/m
    double sigma1; // N s/m
    double sigma2; // N s/m
    bool stiff;    // as for Dahl
    bool plain;
} StiLuGre;
// As sti_dahl.
STI_API StiStatus sti_lugre(const StiLuGre *p, double tau, const double *signals, double v,
                            double z, double *f, double *zdot);

// Elastoplastic (Dupont et al. 2002): LuGre whose plastic rate is switched off below a break-away
// deflection zba = breakaway * s(v)/sigma0, with a half sine up to s(v)/sigma0.
typedef struct StiElastoplastic {
    StiLaw law;
    double sigma0, sigma1, sigma2;
    double breakaway; // 0 < breakaway < 1
    bool plain;
} StiElastoplastic;
// As sti_dahl.
STI_API StiStatus sti_elastoplastic(const StiElastoplastic *p, double tau, const double *signals,
                                    double v, double z, double *f, double *zdot);

// Elastic Coulomb, Kikuuwe's element: f = gsat(F, (B + tau K) v + K e), edot = (f - K e)/(B + tau
// K), edot = v in stick. [modular] (19) With a law the level is taken at the slip speed |v - edot|,
// solved as (16b). Returns true in stick. Needs B + tau K > 0.
typedef struct StiElasticCoulomb {
    int dim; // 1, 2, 3
    StiLaw law;
    double K; // N/m
    double B; // N s/m
    double level_static; // F_S that ends sticking; 0: the law's at rest. For methods that keep modes
    double deflection[3]; // e at the start, m
} StiElasticCoulomb;
// v and e: dim numbers, m/s and m; f (N) and edot (m/s) are written.
STI_API bool sti_elastic_coulomb(const StiElasticCoulomb *p, double tau, const double *signals,
                                 const double *v, const double *e, double *f, double *edot);

// Maxwell slip: n springs K[i], each with a slider of level F[i] and damper B[i] (or B = NULL), in
// parallel; z holds their n deflections. At tau = 0 and B = 0 a slider moves only outward at F.
typedef struct StiMaxwellSlip {
    int elements;
    const double *K; // N/m
    const double *F; // N
    const double *B; // N s/m, or NULL
} StiMaxwellSlip;
// v m/s; z: elements deflections, m; *f (N) and zdot (m/s, elements of them) are written.
STI_API void sti_maxwell_slip(const StiMaxwellSlip *p, double tau, double v, const double *z,
                              double *f, double *zdot);

// Leuven, modified (Lampaert et al. 2002): hysteresis force h of a Maxwell-slip bank driven by z,
// zdot = v - |v| sgn(h) |h/s|^n, f = h + sigma1 zdot + sigma2 v. y = (z, bank deflections). It
// creeps: a part |h/s|^n of every movement is slip.
typedef struct StiLeuven {
    StiLaw law;
    int elements;
    const double *K; // N/m, of the bank
    const double *F; // N, of the bank; the sum must reach the highest level of the law
    double exponent; // n >= 1
    double sigma1;   // N s/m
    double sigma2;   // N s/m
    bool plain;
} StiLeuven;
// v m/s; y and ydot: 1 + elements numbers; *f (N) and ydot are written. Status as of sti_dahl.
STI_API StiStatus sti_leuven(const StiLeuven *p, double tau, const double *signals, double v,
                             const double *y, double *f, double *ydot);

// GMS: elements stick (zdot = v) or slip (zdot = sgn(v) (share Q/K)(1 - K z sgn(v)/(share s(v)))),
// f = sum K z + sigma2 v.                                                       [fixed-step] (9)
// modes: 0 stick, 1 slip, one per element, then the sign of the last velocity. Within tau no element passes
// its level. plain: the paper's form at any tau; an element may then overshoot by K |v| T before it slips.
typedef struct StiGms {
    StiLaw law;
    int elements;
    const double *K;     // N/m
    const double *share; // fractions of the level, summing to 1
    double Q;            // N/s: how fast a slipping element reaches its level
    double sigma2;       // N s/m
    bool plain;
} StiGms;
// tau s; v m/s; z, zdot: elements numbers; modes: elements + 1, read only. *f (N) and zdot are written.
STI_API StiStatus sti_gms(const StiGms *p, double tau, const double *signals, double v,
                          const double *z, const double *modes, double *f, double *zdot);
// New modes after a step: stick -> slip at the level, slip -> stick at velocity reversal.
STI_API void sti_gms_settle(const StiGms *p, const double *signals, double v, const double *z,
                            double *modes);

// Kikuuwe's linear continuous model: a mass M >= 0 under the law, behind a spring K and damper B.
// y = (z[dim], omega[dim]): deflection z = x - w, and the mass's own velocity omega = wdot (only if
// M > 0).                                   [fixed-step] (29), EQUATIONS 2.11
typedef struct StiLinearContinuous {
    int dim; // 1, 2, 3
    StiLaw law;
    double K, B, M;
    bool forward; // the forward-difference variant (22): needs M > 0
} StiLinearContinuous;
// v: dim, m/s; y and ydot: dim numbers, with M > 0 twice as many; f (dim, N) and ydot are written.
// STI_NO_CONTINUOUS_LIMIT: this form has none at tau = 0.
STI_API StiStatus sti_linear_continuous(const StiLinearContinuous *p, double tau,
                                        const double *signals, const double *v, const double *y,
                                        double *f, double *ydot);

// Any impedances in parallel on one wire (at most 24 velocities): forces add, memories stand one
// after the other.
typedef struct StiCompound {
    int count;
    const StiImpedance *parts;
} StiCompound;

// The usual values where there are such, zeros elsewhere, and one dimension: what is then set by name
// is all that has to be known.
STI_API StiViscousApproximation sti_default_viscous_approximation(void);
STI_API StiDahl sti_default_dahl(void);
STI_API StiLuGre sti_default_lugre(void);
STI_API StiElastoplastic sti_default_elastoplastic(void);
STI_API StiElasticCoulomb sti_default_elastic_coulomb(void);
STI_API StiMaxwellSlip sti_default_maxwell_slip(void);
STI_API StiLeuven sti_default_leuven(void);
STI_API StiGms sti_default_gms(void);
STI_API StiLinearContinuous sti_default_linear_continuous(void);
STI_API StiCompound sti_default_compound(void); // no parts

// For sti_plan_add_impedance, with the structures above.
STI_API extern const StiImpedanceKind sti_kind_viscous_approximation, sti_kind_dahl, sti_kind_lugre,
    sti_kind_elastoplastic, sti_kind_elastic_coulomb, sti_kind_maxwell_slip, sti_kind_leuven,
    sti_kind_gms, sti_kind_linear_continuous, sti_kind_compound;

#ifdef __cplusplus
}
#endif
#endif
