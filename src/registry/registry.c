#include "stiction/registry.h"

#include <string.h>

#include "registry/kinds.h"
#include "robot/joint.h"
#include "stiction/contact.h"

// Kinds that have no structure in a public header are declared by their line alone.
#define DECLARE_REACTION(name) extern const StiReactionKind sti_kind_##name;
#define DECLARE_IMPEDANCE(name) extern const StiImpedanceKind sti_kind_##name;
#define DECLARE_BODY(name) extern const StiAdmittanceKind sti_kind_##name;
STI_FRICTION_MODELS(DECLARE_REACTION, DECLARE_IMPEDANCE)
STI_ELEMENTS(DECLARE_IMPEDANCE)
STI_BODIES(DECLARE_BODY)
#define DECLARE_LAW(name) extern const StiLawKind sti_law_kind_##name;
STI_LAWS(DECLARE_LAW)

typedef struct FrictionModel {
    const StiReactionKind *reaction; // one of the two
    const StiImpedanceKind *impedance;
} FrictionModel;

#define REACTION(name) {.reaction = &sti_kind_##name},
#define IMPEDANCE(name) {.impedance = &sti_kind_##name},
static const FrictionModel models[] = {STI_FRICTION_MODELS(REACTION, IMPEDANCE)};

#define KIND(name) &sti_kind_##name,
#define LAW(name) &sti_law_kind_##name,
#define SHAPE(name) &sti_shape_kind_##name,
#define WIRE(name) &sti_wire_kind_##name,
static const StiLawKind *const laws[] = {STI_LAWS(LAW)};
static const StiImpedanceKind *const elements[] = {STI_ELEMENTS(KIND)};
static const StiAdmittanceKind *const bodies[] = {STI_BODIES(KIND)};
static const StiShapeKind *const shapes[] = {STI_SHAPES(SHAPE)};
static const StiWireKind *const wires[] = {STI_WIRES(WIRE)};

#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))

static StiEntry entry_of(StiKindRole role, const StiInfo *info)
{
    return (StiEntry){.role = role,
                      .name = info->name,
                      .summary = info->summary,
                      .explanation = info->explanation,
                      .fields = info->fields,
                      .field_count = info->field_count,
                      .info = info};
}

static bool friction_at(int number, StiEntry *entry)
{
    if (number >= COUNT(models)) return false;
    const FrictionModel *model = &models[number];
    const bool reaction = model->reaction != NULL;
    *entry =
        entry_of(STI_ROLE_FRICTION, reaction ? &model->reaction->info : &model->impedance->info);
    entry->reaction = model->reaction;
    entry->impedance = model->impedance;
    entry->holds = reaction ? model->reaction->holds : model->impedance->holds;
    return true;
}

static bool law_at(int number, StiEntry *entry)
{
    if (number >= COUNT(laws)) return false;
    const StiLawKind *law = laws[number];
    *entry = (StiEntry){.role = STI_ROLE_LAW,
                        .name = law->name,
                        .summary = law->summary,
                        .explanation = law->explanation,
                        .fields = law->fields,
                        .field_count = law->field_count,
                        .law = law};
    return true;
}

// Hard contact is an element without a kind of impedance: the last one.
static bool element_at(int number, StiEntry *entry)
{
    if (number > COUNT(elements)) return false;
    const StiImpedanceKind *kind = number < COUNT(elements) ? elements[number] : NULL;
    *entry = entry_of(STI_ROLE_ELEMENT, kind != NULL ? &kind->info : &sti_info_contact);
    entry->impedance = kind;
    return true;
}

static bool body_at(int number, StiEntry *entry)
{
    if (number >= COUNT(bodies)) return false;
    *entry = entry_of(STI_ROLE_BODY, &bodies[number]->info);
    entry->body = bodies[number];
    return true;
}

static bool joint_at(int number, StiEntry *entry)
{
    if (number >= STI_JOINT_TYPES) return false;
    *entry = (StiEntry){.role = STI_ROLE_JOINT,
                        .name = sti_joints[number].name,
                        .summary = sti_joints[number].summary,
                        .joint = (StiJointType)number};
    return true;
}

static bool shape_at(int number, StiEntry *entry)
{
    if (number >= COUNT(shapes)) return false;
    *entry = entry_of(STI_ROLE_SHAPE, &shapes[number]->info);
    entry->shape = shapes[number];
    return true;
}

static bool wire_at(int number, StiEntry *entry)
{
    if (number >= COUNT(wires)) return false;
    *entry = entry_of(STI_ROLE_WIRE, &wires[number]->info);
    entry->wire = wires[number];
    return true;
}

static bool method_at(int number, StiEntry *entry)
{
    const StiMethod *const *method = sti_methods;
    for (int i = 0; i < number && *method != NULL; ++i) ++method;
    if (*method == NULL) return false;
    *entry = (StiEntry){.role = STI_ROLE_METHOD,
                        .name = (*method)->name,
                        .summary = (*method)->summary,
                        .explanation = (*method)->explanation,
                        .method = *method};
    return true;
}

static bool solver_at(int number, StiEntry *entry)
{
    const StiSolver *solver = sti_solver_at(number);
    if (solver == NULL) return false;
    *entry = (StiEntry){.role = STI_ROLE_SOLVER,
                        .name = sti_solver_name(solver),
                        .summary = sti_solver_summary(solver),
                        .explanation = sti_solver_explanation(solver),
                        .solver = solver};
    return true;
}

typedef struct Role {
    const char *name, *list;
    bool (*at)(int number, StiEntry *entry);
} Role;

static const Role roles[STI_ROLES] = {
    [STI_ROLE_FRICTION] = {"friction model", "models", friction_at},
    [STI_ROLE_LAW] = {"law", "laws", law_at},
    [STI_ROLE_ELEMENT] = {"kind of element", "elements", element_at},
    [STI_ROLE_BODY] = {"kind of body", "bodies", body_at},
    [STI_ROLE_JOINT] = {"joint", "joints", joint_at},
    [STI_ROLE_SHAPE] = {"shape", "shapes", shape_at},
    [STI_ROLE_WIRE] = {"wire", "wires", wire_at},
    [STI_ROLE_METHOD] = {"method", "methods", method_at},
    [STI_ROLE_SOLVER] = {"solver", "solvers", solver_at},
};

static bool is_role(StiKindRole role) { return (int)role >= 0 && role < STI_ROLES; }

bool sti_registry_at(StiKindRole role, int number, StiEntry *entry)
{
    return is_role(role) && number >= 0 && roles[role].at(number, entry);
}

bool sti_registry_find(StiKindRole role, const char *name, StiEntry *entry)
{
    for (int i = 0; sti_registry_at(role, i, entry); ++i)
        if (strcmp(entry->name, name) == 0) return true;
    return false;
}

const char *sti_role_name(StiKindRole role) { return is_role(role) ? roles[role].name : ""; }

const char *sti_role_list(StiKindRole role) { return is_role(role) ? roles[role].list : ""; }

StiLaw *sti_kind_law(const StiInfo *info, void *parameters)
{
    for (int i = 0; i < info->field_count; ++i)
        if (info->fields[i].type == STI_FIELD_LAW)
            return (StiLaw *)(void *)((unsigned char *)parameters + info->fields[i].offset);
    return NULL;
}

const StiField *sti_kind_field(const StiInfo *info, const char *name)
{
    for (int i = 0; i < info->field_count; ++i)
        if (strcmp(info->fields[i].name, name) == 0) return &info->fields[i];
    return NULL;
}
