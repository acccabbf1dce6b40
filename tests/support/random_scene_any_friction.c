// Keys of friction elements, from the registry of models and laws: a new one is drawn without a change here.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stiction/registry.h"
#include "support/random_scene.h"

typedef struct Draft {
    Random *random;
    double inertia, level;
    double highest; // of the law, N
    int elements;   // in parallel
    double damping;
    bool loaded; // level is a coefficient
    char *text;
    size_t size, used;
} Draft;

static void add(Draft *draft, const char *key, double value)
{
    const int length = snprintf(draft->text + draft->used, draft->size - draft->used,
                                ", %s: %.17g", key, value);
    if (length > 0 && draft->used + (size_t)length < draft->size) draft->used += (size_t)length;
}

static bool has_field(const StiInfo *info, const char *name)
{
    for (int i = 0; i < info->field_count; ++i)
        if (strcmp(info->fields[i].name, name) == 0) return true;
    return false;
}

static bool has_law(const StiInfo *info)
{
    for (int i = 0; i < info->field_count; ++i)
        if (info->fields[i].type == STI_FIELD_LAW) return true;
    return false;
}

// A parameter of a model by its name; some are left to their usual value.
static void add_field(Draft *draft, const StiInfo *info, const StiField *field)
{
    const char *name = field->name;
    Random *random = draft->random;
    static const char *const left[] = {"static", "share", "deflection", "level", "viscous"};
    for (size_t i = 0; i < sizeof left / sizeof left[0]; ++i)
        if (strcmp(name, left[i]) == 0) return;
    if (strcmp(name, "stiffness") == 0)
        add(draft, name, draft->inertia * random_decades(random, 1e2, 1e7));
    else if (strcmp(name, "damping") == 0)
        add(draft, name, draft->damping);
    else if (strcmp(name, "alpha") == 0)
        add(draft, name, random_below(random, 2) == 0 ? 1.0 : random_between(random, 0.5, 2.0));
    else if (strcmp(name, "breakaway") == 0)
        add(draft, name, random_between(random, 0.1, 0.95));
    else if (strcmp(name, "exponent") == 0)
        add(draft, name, random_between(random, 1.0, 4.0));
    else if (strcmp(name, "eps") == 0)
        add(draft, name, random_decades(random, 1e-4, 0.3));
    else if (strcmp(name, "bank_level") == 0)
        add(draft, name, draft->highest / draft->elements); // they must add up to it
    else if (strcmp(name, "rate") == 0)
        add(draft, name, draft->inertia * random_decades(random, 1.0, 1e4));
    else if (strcmp(name, "mass") == 0)
        add(draft, name, random_below(random, 2) == 0
                             ? 0.0
                             : draft->inertia * random_decades(random, 1e-4, 0.3));
    else if (field->type == STI_FIELD_NUMBER && info->example != NULL) { // a new one: about its example
        double usual;
        memcpy(&usual, (const char *)info->example + field->offset, sizeof usual);
        if (usual > 0.0) add(draft, name, usual * random_decades(random, 1.0, 2.0));
    }
}

static void add_level(Draft *draft)
{
    add(draft, draft->loaded ? "mu" : "level", draft->level);
}
static void add_static(Draft *draft)
{
    draft->highest = draft->level * random_between(draft->random, 1.0, 1.8);
    add(draft, draft->loaded ? "mu_static" : "static", draft->highest);
}
static void add_viscous(Draft *draft, const char *key)
{
    const double unit = draft->loaded ? 1.0 : draft->inertia;
    add(draft, key, unit * random_decades(draft->random, 1e-3, draft->loaded ? 1.0 : 1e3));
}

static void add_table(Draft *draft)
{
    const double a = draft->level, low = a * random_between(draft->random, 0.4, 1.0);
    draft->used += (size_t)snprintf(draft->text + draft->used, draft->size - draft->used,
                                    ", table: [[0, %.9g], [%.9g, %.9g], [1, %.9g]]", a,
                                    random_between(draft->random, 0.01, 0.5), low, 1.5 * a);
}

static void add_law(Draft *draft, const char *law, bool bristle)
{
    draft->used += (size_t)snprintf(draft->text + draft->used, draft->size - draft->used,
                                    ", law: %s", law);
    if (strcmp(law, "table") == 0) {
        add_table(draft);
        return;
    }
    add_level(draft);
    if (strcmp(law, "viscous") == 0 && !bristle) add_viscous(draft, "viscous");
    if (strcmp(law, "stribeck") == 0 || strcmp(law, "gear") == 0) add_static(draft);
    if (strcmp(law, "stribeck") == 0 || strcmp(law, "tanh") == 0)
        add(draft, "stribeck_speed", random_decades(draft->random, 1e-3, 0.5));
    if (strcmp(law, "gear") == 0) add(draft, "eta", random_decades(draft->random, 1.0, 100.0));
    if (strcmp(law, "directional") == 0)
        add(draft, "level_backward", draft->level * random_between(draft->random, 0.3, 2.0));
}

// What a model does not take is refused by the reader, in words; the scene would say nothing then.
static bool is_planar(const char *model)
{
    static const char *const names[] = {"coulomb", "finite-time", "karnopp", "quinn",
                                        "viscous-approximation", "elastic-coulomb",
                                        "linear-continuous"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (strcmp(names[i], model) == 0) return true;
    return false;
}

// Two rules of single elements cannot be resolved together with contacts.
static bool suits(const RandomScene *scene, const char *model, bool planar)
{
    if (scene->touches && (strcmp(model, "karnopp") == 0 || strcmp(model, "quinn") == 0))
        return false;
    return !planar || is_planar(model);
}

static bool takes(const StiEntry *model, const char *law, bool planar, bool loaded)
{
    const bool constant = strcmp(law, "coulomb") == 0;
    if (strcmp(model->name, "quinn") == 0 || strcmp(model->name, "viscous-approximation") == 0)
        return constant;
    const bool one_level = strcmp(law, "directional") != 0 && strcmp(law, "table") != 0;
    if (strcmp(model->name, "leuven") == 0 && !one_level) return false;
    if (planar && (strcmp(law, "directional") == 0)) return false;
    if (loaded && (strcmp(law, "table") == 0 || strcmp(law, "directional") == 0)) return false;
    if (strcmp(law, "tanh") == 0 && !model->reaction) return false;
    return true;
}

// Laws that listen to signals of their own need elements that give them.
static bool has_signals(const StiLawKind *law) { return law->signals != 0; }

static StiEntry draw(Random *random, StiKindRole role)
{
    StiEntry entry;
    int count = 0;
    while (sti_registry_at(role, count, &entry)) ++count;
    sti_registry_at(role, random_below(random, count), &entry);
    return entry;
}

void draft_friction(RandomScene *scene, double inertia, bool loaded, bool planar, char *text,
                    size_t size)
{
    Random *random = &scene->random;
    StiEntry drawn, law_drawn;
    const StiEntry *model = &drawn;
    do drawn = draw(random, STI_ROLE_FRICTION);
    while (!suits(scene, model->name, planar));
    Draft draft = {.random = random,
                   .inertia = inertia,
                   .loaded = loaded && has_law(model->info) && strcmp(model->name, "leuven") != 0,
                   .elements = 1,
                   .text = text,
                   .size = size};
    draft.level = draft.loaded ? random_decades(random, 0.02, 0.8)
                               : inertia * random_decades(random, 0.05, 20.0);
    draft.highest = draft.level;
    draft.damping = draft_one_in(random, 3) ? 0.0 : inertia * random_decades(random, 0.1, 1e3);
    if (!model->reaction && draft_one_in(random, 3)) draft.elements = 1 + random_below(random, 4);
    draft.used = (size_t)snprintf(text, size, "kind: friction, model: %s", model->name);
    const char *law;
    do {
        law_drawn = draw(random, STI_ROLE_LAW);
        law = law_drawn.name;
    } while (has_signals(law_drawn.law) || !takes(model, law, planar, draft.loaded));
    if (!has_law(model->info))
        add_level(&draft);
    else
        add_law(&draft, law, has_field(model->info, "viscous"));
    for (int i = 0; i < model->info->field_count; ++i)
        if (model->info->fields[i].type != STI_FIELD_LAW)
            add_field(&draft, model->info, &model->info->fields[i]);
    // LuGre and its kin make energy below sigma2 >= B (static - level)/level: refused
    if (has_field(model->info, "viscous"))
        add(&draft, "viscous", draft.inertia * random_decades(random, 0.1, 1e2) + 10.0 * draft.damping);
    if (has_field(model->info, "static") && strcmp(law, "stribeck") != 0 &&
        strcmp(law, "gear") != 0 && strcmp(law, "table") != 0 && strcmp(law, "directional") != 0 &&
        random_below(random, 2) == 0)
        add_static(&draft);
    if (draft.elements > 1) add(&draft, "elements", draft.elements);
}
