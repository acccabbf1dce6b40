// Private: what elements feel of the bodies behind them at the start of a run: slopes and inertias.
#ifndef STICTION_SRC_NETWORK_SURVEY_H
#define STICTION_SRC_NETWORK_SURVEY_H

#include "network/response.h"
#include "network/stiffness.h"
#include "stiction/law.h"

typedef struct Survey {
    const StiNetwork *network;
    StiReport *report;
    StiArena arena;
    bool prepared; // every body has an inertia
    StageData now;
    Response response;
    double *zeros; // memory and modes at the start
    double *Z, *Z_ahead, *unit, *rate, *position;
} Survey;

// At the start values, with all time functions at zero. Close it in any case.
StiStatus sti_survey_open(const StiNetwork *network, StiReport *report, Survey *survey);
void sti_survey_close(Survey *survey);

// The part of W in this direction of the wire, 1/kg.
double sti_survey_inertia(const Survey *survey, const Wire *wire, int direction);
// The tangents of an element at tau = 0 and at the step, into Z and Z_ahead; then along one direction: B
// from the first, K from its growth with tau.
void sti_survey_slopes(Survey *survey, const Impedance *e);
StiffElement sti_survey_element(const Survey *survey, const Impedance *e, int direction);

// The law that a reaction slips by, NULL: it has none.
const StiLaw *sti_reaction_law(const Reaction *e);
// How steeply that rises at most, N s/m; a coefficient under ten times the weight of what it feels.
double sti_survey_rise(const Survey *survey, const Reaction *e, double W);

#endif
