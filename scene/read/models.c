// The tables of friction models. A new model is one line in each; its parameters come from its kind.
#include "read/models.h"

#include <string.h>

enum {
    COULOMB,
    FINITE_TIME,
    KARNOPP,
    QUINN,
    VISCOUS_APPROXIMATION,
    DAHL,
    LUGRE,
    ELASTOPLASTIC,
    ELASTIC_COULOMB,
    MAXWELL_SLIP,
    LEUVEN,
    GMS,
    LINEAR_CONTINUOUS,
    MODEL_COUNT
};

static const StiWord words[MODEL_COUNT] = {
    [COULOMB] = {"coulomb", "dry friction as physics has it; resolved by the finite-time rule",
                 &sti_kind_finite_time.info, true, true},
    [FINITE_TIME] = {"finite-time",
                     "brings the velocity to exactly zero within the step; nothing to tune",
                     &sti_kind_finite_time.info, true, true},
    [KARNOPP] = {"karnopp", "stuck below a speed threshold: creeps or chatters; for comparison",
                 &sti_kind_karnopp.info, true, false},
    [QUINN] = {"quinn", "a ramp around the speed that the other forces ask for; for comparison",
               &sti_kind_quinn.info, true, false},
    [VISCOUS_APPROXIMATION] = {"viscous-approximation",
                               "a steep damper below a speed threshold: creeps",
                               &sti_kind_viscous_approximation.info, false, false},
    [DAHL] = {"dahl", "a bristle that yields with distance: smooth, drifts under vibration",
              &sti_kind_dahl.info, false, false},
    [LUGRE] = {"lugre", "Dahl with damping, Stribeck and viscous friction: drifts under vibration",
               &sti_kind_lugre.info, false, false},
    [ELASTOPLASTIC] = {"elastoplastic", "LuGre with a purely elastic range: holds within it",
                       &sti_kind_elastoplastic.info, false, true},
    [ELASTIC_COULOMB] = {"elastic-coulomb",
                         "spring and damper behind a Coulomb slider: holds, any dimension",
                         &sti_kind_elastic_coulomb.info, false, true},
    [MAXWELL_SLIP] = {"maxwell-slip",
                      "many springs with sliders in parallel: hysteresis that closes",
                      &sti_kind_maxwell_slip.info, false, true},
    [LEUVEN] = {"leuven", "a Maxwell-slip bank behind a yielding bristle (modified Leuven): creeps",
                &sti_kind_leuven.info, false, false},
    [GMS] = {"gms", "generalised Maxwell slip: a bank whose elements follow the Stribeck curve",
             &sti_kind_gms.info, false, true},
    [LINEAR_CONTINUOUS] = {"linear-continuous",
                           "Kikuuwe's viscoelastic model: a mass under the law behind a spring",
                           &sti_kind_linear_continuous.info, false, true},
};

static const Model models[MODEL_COUNT] = {
    [COULOMB] = {.reaction = &sti_kind_finite_time,
                 .planar = true,
                 .dim_offset = offsetof(StiFiniteTime, dim)},
    [FINITE_TIME] = {.reaction = &sti_kind_finite_time,
                     .planar = true,
                     .dim_offset = offsetof(StiFiniteTime, dim),
                     .switches = {{"approximate", offsetof(StiFiniteTime, approximate)},
                                  {"literal", offsetof(StiFiniteTime, literal)}}},
    [KARNOPP] = {.reaction = &sti_kind_karnopp,
                 .planar = true,
                 .dim_offset = offsetof(StiKarnopp, dim)},
    [QUINN] = {.reaction = &sti_kind_quinn, .planar = true, .dim_offset = offsetof(StiQuinn, dim)},
    [VISCOUS_APPROXIMATION] = {.impedance = &sti_kind_viscous_approximation,
                               .planar = true,
                               .dim_offset = offsetof(StiViscousApproximation, dim)},
    [DAHL] = {.impedance = &sti_kind_dahl,
              .switches = {{"stiff", offsetof(StiDahl, stiff)},
                           {"plain", offsetof(StiDahl, plain)}}},
    [LUGRE] = {.impedance = &sti_kind_lugre,
               .switches = {{"stiff", offsetof(StiLuGre, stiff)},
                            {"plain", offsetof(StiLuGre, plain)}}},
    [ELASTOPLASTIC] = {.impedance = &sti_kind_elastoplastic,
                       .switches = {{"plain", offsetof(StiElastoplastic, plain)}}},
    [ELASTIC_COULOMB] = {.impedance = &sti_kind_elastic_coulomb,
                         .planar = true,
                         .dim_offset = offsetof(StiElasticCoulomb, dim)},
    [MAXWELL_SLIP] = {.impedance = &sti_kind_maxwell_slip,
                      .bank = true,
                      .elements_offset = offsetof(StiMaxwellSlip, elements)},
    [LEUVEN] = {.impedance = &sti_kind_leuven,
                .bank = true,
                .elements_offset = offsetof(StiLeuven, elements),
                .switches = {{"plain", offsetof(StiLeuven, plain)}}},
    [GMS] = {.impedance = &sti_kind_gms,
             .bank = true,
             .elements_offset = offsetof(StiGms, elements),
             .switches = {{"plain", offsetof(StiGms, plain)}}},
    [LINEAR_CONTINUOUS] = {.impedance = &sti_kind_linear_continuous,
                           .planar = true,
                           .dim_offset = offsetof(StiLinearContinuous, dim),
                           .switches = {{"forward", offsetof(StiLinearContinuous, forward)}}},
};

const StiField *scene_model_field(const Model *model, const char *name)
{
    const StiInfo *info = model_info(model);
    for (int i = 0; i < info->field_count; ++i)
        if (info->fields[i].type != STI_FIELD_LAW && strcmp(info->fields[i].name, name) == 0)
            return &info->fields[i];
    return NULL;
}

const StiWord *sti_scene_models(int *count)
{
    *count = MODEL_COUNT;
    return words;
}

const Model *scene_model_named(const char *name)
{
    for (int i = 0; i < MODEL_COUNT; ++i)
        if (strcmp(words[i].name, name) == 0) return &models[i];
    return NULL;
}

const StiWord *sti_scene_solvers(int *count)
{
    static const StiWord solvers[] = {
        {.name = "coupled",
         .summary = "exact friction cones for joints and contacts together; energy is never added"},
        {.name = "semi-implicit",
         .summary =
             "joint friction from the last joint torque, then regularised contacts; linear time"},
        {.name = "implicit",
         .summary =
             "joint friction and contacts as one regularised problem in mixed space; cubic time"},
        {.name = "sweeps",
         .summary = "reactions of any kind: exact local solves in sweeps, then one direct solve on "
                    "the stuck set"},
    };
    *count = sizeof solvers / sizeof solvers[0];
    return solvers;
}

static const char *const model_words[MODEL_COUNT + 1] = {"coulomb",
                                                         "finite-time",
                                                         "karnopp",
                                                         "quinn",
                                                         "viscous-approximation",
                                                         "dahl",
                                                         "lugre",
                                                         "elastoplastic",
                                                         "elastic-coulomb",
                                                         "maxwell-slip",
                                                         "leuven",
                                                         "gms",
                                                         "linear-continuous",
                                                         NULL};
static const char *const law_words[] = {"coulomb", "viscous",     "stribeck", "gear",
                                        "tanh",    "directional", "table",    NULL};

static const Key keys[] = {
    {"kind", VALUE_TEXT, true, "friction", NULL},
    {"model", VALUE_WORD, true, "the friction model: stiction list models", model_words},
    {"on", VALUE_BODY, false, "a body, a robot's joint or link, a penalty joint, or a list of them",
     NULL},
    {"between", VALUE_PAIR, false, "two bodies, links or joints", NULL},
    {"at", VALUE_POINTS, false, "points of rigid bodies or links", NULL},
    {"anchor", VALUE_VECTOR, false, "point of the ground", NULL},
    {"law", VALUE_WORD, false,
     "the level as a function of speed; default: what the other keys ask for", law_words},
    {"level", VALUE_NUMBERS, false, "level of friction, N", NULL},
    {"mu", VALUE_NUMBERS, false, "coefficient of friction, times the load", NULL},
    {"load", VALUE_FUNCTION, false,
     "with mu: a function of time, or a signal: BODY.load, ELEMENT.force, ELEMENT.fz", NULL},
    {"radius", VALUE_NUMBER, false,
     "with mu on a joint: where it rubs, m; the load is the joint's own", NULL},
    {"static", VALUE_NUMBERS, false, "level that ends sticking, N", NULL},
    {"mu_static", VALUE_NUMBERS, false, "coefficient that ends sticking", NULL},
    {"viscous", VALUE_NUMBERS, false, "rise of the level with speed, N s/m", NULL},
    {"stribeck_speed", VALUE_NUMBERS, false, "speed over which static fades, m/s", NULL},
    {"stribeck_exponent", VALUE_NUMBERS, false, "exponent of the fading", NULL},
    {"eta", VALUE_NUMBERS, false, "gear law: fading rate, s/m", NULL},
    {"level_backward", VALUE_NUMBERS, false, "level for motion along minus, N", NULL},
    {"viscous_backward", VALUE_NUMBERS, false, "viscous part for motion along minus, N s/m", NULL},
    {"table", VALUE_TABLE, false, "[[speed, level], ...]", NULL},
    {"stiffness", VALUE_NUMBERS, false, "of the stuck surface, N/m", NULL},
    {"damping", VALUE_NUMBERS, false, "of the stuck surface, N s/m", NULL},
    {"deflection", VALUE_VECTOR, false,
     "elastic-coulomb: of its spring at the start, m; level/stiffness: it slides", NULL},
    {"alpha", VALUE_NUMBERS, false, "dahl: exponent", NULL},
    {"eps", VALUE_NUMBERS, false, "karnopp, quinn, viscous-approximation: speed threshold, m/s",
     NULL},
    {"breakaway", VALUE_NUMBERS, false,
     "elastoplastic: where plastic slip begins, part of the full deflection", NULL},
    {"exponent", VALUE_NUMBERS, false, "leuven: exponent", NULL},
    {"bank_level", VALUE_NUMBERS, false, "leuven: levels of its bank, N", NULL},
    {"share", VALUE_NUMBERS, false, "gms: parts of the level, summing to 1", NULL},
    {"rate", VALUE_NUMBERS, false, "gms: how fast a slipping element reaches its level, N/s", NULL},
    {"mass", VALUE_NUMBERS, false, "linear-continuous: mass of the slider, kg", NULL},
    {"elements", VALUE_COUNT, false, "so many elements in parallel; numbers may then be lists",
     NULL},
    {"stiff", VALUE_TRUTH, false, "dahl, lugre: the form that survives a vanishing level", NULL},
    {"plain", VALUE_TRUTH, false,
     "dahl, lugre, elastoplastic, leuven, gms: the paper's form at any step, which may run away", NULL},
    {"approximate", VALUE_TRUTH, false, "finite-time: (18) in place of the implicit (16b)", NULL},
    {"literal", VALUE_TRUTH, false,
     "finite-time: (19) word by word: slip may change its sign below the static level", NULL},
    {"forward", VALUE_TRUTH, false, "linear-continuous: the forward-difference variant (22)", NULL},
};

const Key *scene_friction_keys(int *count)
{
    *count = (int)(sizeof keys / sizeof keys[0]);
    return keys;
}
