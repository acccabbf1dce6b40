// Models by their names alone: what is set, and what becomes free with which bounds.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "stiction/registry.h"

// Bounds of a parameter, in units that fit to the scene: of its level of friction, of the fastest speed or the
// longest way that was measured.
typedef enum Measure { OF_ONE, OF_LEVEL, OF_SPEED, OF_LEVEL_PER_WAY, OF_LEVEL_PER_SPEED } Measure;
typedef struct Usual {
    const char *key;
    Measure measure;
    double least, most, start;
} Usual;

#define STIFFNESS \
    { \
        "stiffness", OF_LEVEL_PER_WAY, 1.0, 1e6, 1e3 \
    }
#define DAMPING \
    { \
        "damping", OF_LEVEL_PER_SPEED, 1e-3, 1e3, 1.0 \
    }
#define STATIC \
    { \
        "static", OF_LEVEL, 0.5, 4.0, 1.3 \
    }
#define STRIBECK_SPEED \
    { \
        "stribeck_speed", OF_SPEED, 1e-3, 1.0, 0.1 \
    }
#define MOTOR_SHARE \
    { \
        "motor_share", OF_ONE, 0.0, 0.9, 0.1 \
    }
#define LOAD_SHARE \
    { \
        "load_share", OF_ONE, 0.0, 0.9, 0.1 \
    }

enum { MOST_USUAL = 6 };
static const struct {
    const char *name, *model, *law;
    Usual usual[MOST_USUAL];
} known[] = {
    {"stribeck", "coulomb", "stribeck", {STATIC, STRIBECK_SPEED}},
    {"directional",
     "coulomb",
     "directional",
     {{"level_backward", OF_LEVEL, 0.0, 4.0, 1.0},
      {"viscous_backward", OF_LEVEL_PER_SPEED, 0.0, 100.0, 1.0}}},
    {"lugre", "lugre", NULL, {STIFFNESS, DAMPING}},
    {"elastoplastic", "elastoplastic", NULL, {STIFFNESS, DAMPING}},
    {"elastic-coulomb", "elastic-coulomb", NULL, {STIFFNESS, DAMPING}},
    {"linear-continuous", "linear-continuous", NULL, {STIFFNESS, DAMPING}},
    {"dahl", "dahl", NULL, {STIFFNESS}},
};
enum { KNOWN = sizeof known / sizeof known[0] };

bool is_presliding(const char *path)
{
    const char *dot = strrchr(path, '.');
    static const char *const keys[] = {"stiffness", "damping"};
    for (size_t i = 0; dot != NULL && i < sizeof keys / sizeof keys[0]; ++i)
        if (strcmp(dot + 1, keys[i]) == 0 || strncmp(dot + 1, keys[i], strlen(keys[i])) == 0)
            return true;
    return false;
}

// ---- what was measured --------------------------------------------------------------------------------------

typedef struct Sizes {
    double level, way, speed;
} Sizes;

static Sizes sizes_of(const StiFit *fit, const char *element)
{
    const StiFitDesign *design = fit->scene->fit;
    char path[FIT_TEXT];
    Sizes sizes = {0};
    snprintf(path, sizeof path, "%s.level", element);
    if (sti_plan_get(fit->scene->plan, path, &sizes.level) != STI_OK) sizes.level = 1.0;
    for (int l = 0; l < design->log_count; ++l)
        for (int i = 0; i < design->channel_count; ++i) {
            const Log *log = &fit->logs[l].log;
            const double *x = fit->logs[l].channels[i];
            const int apart = log->rows / 100 + 1; // slopes over more than the noise
            for (int k = apart; k < log->rows; ++k) {
                sizes.way = fmax(sizes.way, fabs(x[k] - x[0]));
                sizes.speed =
                    fmax(sizes.speed, fabs(x[k] - x[k - apart]) / (log->t[k] - log->t[k - apart]));
            }
        }
    if (!(sizes.level > 0.0)) sizes.level = 1.0;
    if (!(sizes.way > 0.0)) sizes.way = 1.0;
    if (!(sizes.speed > 0.0)) sizes.speed = 1.0;
    return sizes;
}

static double unit_of(Measure measure, const Sizes *sizes)
{
    switch (measure) {
    case OF_LEVEL:
        return sizes->level;
    case OF_SPEED:
        return sizes->speed;
    case OF_LEVEL_PER_WAY:
        return sizes->level / sizes->way;
    case OF_LEVEL_PER_SPEED:
        return sizes->level / sizes->speed;
    case OF_ONE:
        break;
    }
    return 1.0;
}

// ---- the plan of a model --------------------------------------------------------------------------------------

static char *path_of(const char *element, const char *key, const char *value)
{
    const size_t size = strlen(element) + strlen(key) + strlen(value) + 3;
    char *text = malloc(size);
    if (text != NULL)
        snprintf(text, size, value[0] != '\0' ? "%s.%s=%s" : "%s.%s%s", element, key, value);
    return text;
}

static bool is_free_already(const StiFitDesign *design, const char *path)
{
    for (int i = 0; i < design->free_count; ++i)
        if (strcmp(design->free[i].path, path) == 0) return true;
    return false;
}

static void add_usual(ModelPlan *plan, const StiFit *fit, const char *element, const Usual *usual,
                      const Sizes *sizes)
{
    const double unit = unit_of(usual->measure, sizes);
    char *path = path_of(element, usual->key, "");
    char number[32];
    double there;
    if (path == NULL) return;
    snprintf(number, sizeof number, "%.9g", usual->start * unit);
    if (sti_plan_get(fit->scene->plan, path, &there) != STI_OK)
        plan->sets[plan->set_count++] = path_of(element, usual->key, number);
    if (is_free_already(fit->scene->fit, path)) {
        free(path);
        return;
    }
    plan->free[plan->free_count++] =
        (StiFitFree){.path = path,
                     .number = {true, usual->start * unit, usual->least * unit,
                                usual->most * unit}};
}

static bool is_registered(const char *name)
{
    StiEntry entry;
    for (int i = 0; sti_registry_at(STI_ROLE_FRICTION, i, &entry); ++i)
        if (strcmp(entry.name, name) == 0) return true;
    return false;
}

static bool unknown_model(const char *name, char *reason, size_t size)
{
    char *words[64];
    int count = 0;
    StiEntry entry;
    for (int i = 0; i < KNOWN; ++i) words[count++] = (char *)(uintptr_t)known[i].name;
    for (int i = 0; count < 64 && sti_registry_at(STI_ROLE_FRICTION, i, &entry); ++i)
        words[count++] = (char *)(uintptr_t)entry.name;
    const char *near = fit_nearest(name, words, count);
    snprintf(reason, size,
             near != NULL
                 ? "there is no model '%s'; did you mean '%s'?"
                 : "there is no model '%s'%s; name a friction model or a law, or say what it "
                   "sets: {set: {...}, free: {...}}",
             name, near != NULL ? near : "");
    return false;
}

static bool copy_given(const StiFitModel *model, ModelPlan *plan)
{
    for (int i = 0; i < model->set_count; ++i)
        plan->sets[plan->set_count++] = strdup(model->sets[i]);
    for (int i = 0; i < model->free_count; ++i) {
        plan->free[i] = model->free[i];
        plan->free[i].path = strdup(model->free[i].path);
        ++plan->free_count;
    }
    return true;
}

bool model_plan(const StiFit *fit, const StiFitModel *model, ModelPlan *plan, char *reason,
                size_t size)
{
    const StiScene *scene = fit->scene;
    const int elements = scene->friction_count, room = elements * (MOST_USUAL + 2);
    plan->sets = calloc((size_t)(room + model->set_count + 1), sizeof *plan->sets);
    plan->free = calloc((size_t)(room + model->free_count + 1), sizeof *plan->free);
    if (plan->sets == NULL || plan->free == NULL) return false;
    if (!model->built_in) return copy_given(model, plan);
    int number = KNOWN;
    for (int i = 0; i < KNOWN; ++i)
        if (strcmp(known[i].name, model->name) == 0) number = i;
    if (number == KNOWN && !is_registered(model->name))
        return unknown_model(model->name, reason, size);
    if (elements == 0) {
        snprintf(reason, size, "the scene has no friction element that could be of model '%s'",
                 model->name);
        return false;
    }
    for (int e = 0; e < elements; ++e) {
        const char *element = scene->friction[e];
        const Sizes sizes = sizes_of(fit, element);
        plan->sets[plan->set_count++] =
            path_of(element, "model", number < KNOWN ? known[number].model : model->name);
        if (number == KNOWN) continue;
        if (known[number].law != NULL)
            plan->sets[plan->set_count++] = path_of(element, "law", known[number].law);
        for (int i = 0; i < MOST_USUAL && known[number].usual[i].key != NULL; ++i)
            add_usual(plan, fit, element, &known[number].usual[i], &sizes);
    }
    return true;
}

void model_plan_release(ModelPlan *plan)
{
    for (int i = 0; i < plan->set_count; ++i) free(plan->sets[i]);
    for (int i = 0; i < plan->free_count; ++i) free((char *)(uintptr_t)plan->free[i].path);
    free(plan->sets);
    free(plan->free);
    *plan = (ModelPlan){0};
}
