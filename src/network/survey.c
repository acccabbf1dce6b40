#include "network/survey.h"

#include <math.h>

static const double usual_gravity = 9.81; // m/s^2, of loads that are not known yet
static const double weights = 10.0;       // that such a load may come to

static bool take(const StiNetwork *network, Survey *survey)
{
    StiArena *arena = &survey->arena;
    int widest = STI_REACTION_DIM_MAX;
    for (int i = 0; i < network->impedance_count; ++i) {
        const StiWireSize *size = &network->impedances[i].wire.size;
        if (size->velocities > widest) widest = size->velocities;
        if (size->positions > widest) widest = size->positions;
    }
    const size_t wide = (size_t)widest;
    sti_stage_take(arena, network, &survey->now);
    sti_response_take(arena, network, &survey->response);
    survey->zeros =
        sti_arena_take(arena, (size_t)(network->y_count + network->s_count) + 1, sizeof(double));
    survey->Z = sti_arena_take(arena, wide * wide, sizeof(double));
    survey->Z_ahead = sti_arena_take(arena, wide * wide, sizeof(double));
    survey->unit = sti_arena_take(arena, wide, sizeof(double));
    survey->rate = sti_arena_take(arena, wide, sizeof(double));
    survey->position = sti_arena_take(arena, wide, sizeof(double));
    return !arena->failed;
}

StiStatus sti_survey_open(const StiNetwork *network, StiReport *report, Survey *survey)
{
    *survey = (Survey){.network = network, .report = report};
    if (!take(network, survey)) return STI_OUT_OF_MEMORY;
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        a->kind->start(a->parameters, survey->now.x + a->q, survey->now.x + a->v);
    }
    sti_psi(network, &survey->now);
    int culprit = 0;
    survey->prepared =
        sti_response_prepare(network, &survey->now, NULL, &survey->response, &culprit) == STI_OK;
    return STI_OK;
}

void sti_survey_close(Survey *survey) { sti_arena_release(&survey->arena); }

double sti_survey_inertia(const Survey *survey, const Wire *wire, int direction)
{
    survey->unit[direction] = 1.0;
    sti_response_push(survey->network, &survey->now, &survey->response, wire, survey->unit);
    survey->unit[direction] = 0.0;
    sti_response_sense(survey->network, &survey->now, &survey->response, wire, wire,
                       survey->position, survey->rate);
    return -survey->rate[direction];
}

void sti_survey_slopes(Survey *survey, const Impedance *e)
{
    const StiMotion xhat = {.x = survey->now.position + e->wire.x,
                            .v = survey->now.velocity + e->wire.v,
                            .signals = survey->now.ports + e->port};
    StiStage stage = survey->now.stage;
    stage.tau = 0.0;
    e->kind->tangent(e->parameters, &stage, &xhat, survey->zeros, survey->zeros, survey->Z);
    stage.tau = survey->network->step;
    e->kind->tangent(e->parameters, &stage, &xhat, survey->zeros, survey->zeros, survey->Z_ahead);
}

StiffElement sti_survey_element(const Survey *survey, const Impedance *e, int direction)
{
    const int at = direction * e->wire.size.velocities + direction;
    return (StiffElement){.K = (survey->Z_ahead[at] - survey->Z[at]) / survey->network->step,
                          .B = survey->Z[at],
                          .W = sti_survey_inertia(survey, &e->wire, direction),
                          .looks_ahead = e->kind->looks_ahead,
                          .memory = e->size.memory > 0,
                          .implicit = e->kind->modes != NULL ? sti_is_implicit(e) : e->bends};
}

const StiLaw *sti_reaction_law(const Reaction *e)
{
    const StiInfo *info = &e->kind->info;
    for (int i = 0; i < info->field_count; ++i)
        if (info->fields[i].type == STI_FIELD_LAW)
            return (const StiLaw *)((const unsigned char *)e->parameters + info->fields[i].offset);
    return NULL;
}

double sti_survey_rise(const Survey *survey, const Reaction *e, double W)
{
    const StiLaw *law = sti_reaction_law(e);
    if (law == NULL || law->kind->constant || !(W > 0.0)) return 0.0;
    const double gravity = fmax(usual_gravity, sti_vec3_norm(survey->network->gravity));
    const double load = law->times_load ? fmax(1.0, weights * gravity / W) : 1.0;
    return load * sti_law_survey(law).steepest_rise;
}
