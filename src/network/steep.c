// Explicit stages of order 4 are stable up to rates of 2.8 per step. The rates of the whole network are at
// most the sum over its elements of B W + sqrt(K W): the trace bounds the largest eigenvalue.
#include "network/steep.h"

#include <math.h>

#include "network/holding.h"
#include "network/survey.h"

// Of all elements, per step: inertias may fall to a third of those at the start. The explicit halves of pairs
// make undamped springs grow from 0.3 on.
static const double most_rate = 1.0, most_rate_of_pair = 0.3;
static const double steep_rate = 0.1; // of one element, per step

// Are the positions of its bodies implicit in substeps?
static bool moves_implicitly(const StiNetwork *n, const StiWire *wire)
{
    int bodies[2];
    const int count = sti_wire_bodies(n, wire, bodies);
    for (int i = 0; i < count; ++i) {
        const Admittance *a = &n->admittances[bodies[i]];
        if (a->size.positions != a->size.velocities && a->kind->rates == NULL) return false;
    }
    return true;
}

// Its forces are known to be smooth, without memory, or so between the ends of its modes, and go to bodies.
static bool can_be_steep(const Impedance *e)
{
    const bool smooth = e->kind->modes != NULL ? e->kind->modes->one_sided : e->kind->smooth;
    return e->wired && smooth && e->kind->tangent != NULL && !e->kind->only_senses;
}

// Of all its rows, per step; *largest: of one, 1/s.
static double rate_of_impedance(Survey *survey, const Impedance *e, double *largest)
{
    const double T = survey->network->step;
    double rate = 0.0;
    *largest = 0.0;
    if (!can_be_steep(e)) return 0.0;
    sti_survey_slopes(survey, e);
    for (int d = 0; d < e->wire.size.velocities; ++d) {
        const StiffElement p = sti_survey_element(survey, e, d);
        const double own = fmax(p.B, 0.0) * p.W + sqrt(fmax(p.K, 0.0) * p.W);
        rate += T * own;
        *largest = fmax(*largest, own);
        if (p.memory && p.B > 0.0) rate += T * p.K / p.B; // which relaxes
    }
    return rate;
}

static double rate_of_reaction(const Survey *survey, const Reaction *e)
{
    const StiLaw *law = sti_reaction_law(e);
    if (e->size.dim > 1 || e->kind->level == NULL || law == NULL || law->kind->constant) return 0.0;
    const double W = sti_survey_inertia(survey, &e->wire, 0);
    return survey->network->step * W * sti_survey_rise(survey, e, W);
}

static double rate_of_all(StiNetwork *n, Survey *survey)
{
    double sum = 0.0;
    for (int i = 0; i < n->impedance_count; ++i)
        sum += rate_of_impedance(survey, &n->impedances[i], &n->impedances[i].rate);
    for (int i = 0; i < n->reaction_count; ++i) sum += rate_of_reaction(survey, &n->reactions[i]);
    return sum;
}

// Viscosity alone does, too, but it is as steep everywhere.
static bool rises_from_zero(const StiLaw *law)
{
    const StiLawSurvey survey = sti_law_survey(law);
    const double load = 1.0, slope = sti_law_slope(law, 1.0, 1.0, &load);
    return survey.at_rest == 0.0 && slope != sti_law_slope(law, 0.0, 1.0, &load);
}

static void mark(StiNetwork *n, Survey *survey)
{
    for (int i = 0; i < n->impedance_count; ++i) {
        Impedance *e = &n->impedances[i];
        e->steep = rate_of_impedance(survey, e, &e->rate) > steep_rate;
        if (!e->steep) continue;
        e->bends = moves_implicitly(n, &e->wire.wire);
        e->slope = n->slope_count;
        n->slope_count += e->wire.size.velocities * e->wire.size.velocities;
    }
    for (int i = 0; i < n->reaction_count; ++i) {
        Reaction *e = &n->reactions[i];
        e->steep = rate_of_reaction(survey, e) > steep_rate;
        e->bends = e->steep && rises_from_zero(sti_reaction_law(e));
    }
}

StiStatus sti_network_mark_steep(StiNetwork *n)
{
    const StiMethod *stiff = n->method->stiff != NULL ? sti_method_find(n->method->stiff) : n->pair;
    Survey survey;
    if (stiff->gamma == 0.0) return STI_OK;
    const double most = n->pair->gamma > 0.0 ? most_rate_of_pair : most_rate;
    StiStatus status = sti_survey_open(n, NULL, &survey);
    if (status == STI_OK && survey.prepared && rate_of_all(n, &survey) > most) {
        n->pair = stiff;
        mark(n, &survey);
        sti_network_mark_holding(n);
        if (n->arena.failed) status = STI_OUT_OF_MEMORY;
    }
    sti_survey_close(&survey);
    return status;
}
