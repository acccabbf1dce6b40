#include "view/view_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/load.h"
#include "terminal/text.h"

static const char section[] = "parameters.";

static bool is_name(const char *path) { return strncmp(path, section, strlen(section)) == 0; }

void live_scene_release(LiveScene *scene)
{
    for (int i = 0; i < scene->turned_count; ++i) free(scene->turned[i].path);
    free(scene->turned);
    free(scene->follows);
    sti_scene_destroy(scene->now);
}

bool live_scene_parameter(const LiveScene *scene, int number, StiParameter *parameter)
{
    const StiScene *now = scene->now;
    if (number >= now->parameter_count)
        return sti_plan_parameter(now->plan, number - now->parameter_count, parameter);
    *parameter = (StiParameter){.unit = "",
                                .meaning = "a number that expressions of the scene use",
                                .value = now->parameters[number].value};
    snprintf(parameter->path, sizeof parameter->path, "%s%s", section,
             now->parameters[number].name);
    return true;
}

bool live_scene_get(const LiveScene *scene, const char *path, double *value)
{
    if (!is_name(path)) return sti_plan_get(scene->now->plan, path, value) == STI_OK;
    for (int i = 0; i < scene->now->parameter_count; ++i) {
        if (strcmp(scene->now->parameters[i].name, path + strlen(section)) != 0) continue;
        *value = scene->now->parameters[i].value;
        return true;
    }
    return false;
}

// What it was read with first, then the names turned so far, then this one: the last counts.
static StiScene *read_anew(const LiveScene *scene, const char *path, double value, char *why,
                           size_t size)
{
    const int given = scene->options.set_count;
    const char **sets = take((size_t)(given + scene->turned_count + 1), sizeof *sets);
    char **own = take((size_t)scene->turned_count + 1, sizeof *own);
    int count = 0;
    for (int i = 0; i < scene->turned_count; ++i)
        if (is_name(scene->turned[i].path))
            own[count++] = text_new("%s=%.17g", scene->turned[i].path, scene->turned[i].value);
    own[count++] = text_new("%s=%.17g", path, value);
    for (int i = 0; i < given; ++i) sets[i] = scene->options.sets[i];
    for (int i = 0; i < count; ++i) sets[given + i] = own[i];
    const StiSceneOptions options = {.sets = sets,
                                     .set_count = given + count,
                                     .variant = scene->options.variant};
    StiScene *anew = load_or_explain(scene->path, &options, why, size);
    for (int i = 0; i < count; ++i) free(own[i]);
    free(own);
    free(sets);
    return anew;
}

StiScene *live_scene_try(const LiveScene *scene, const char *path, double value, char *why,
                         size_t size)
{
    if (!is_name(path)) {
        sti_plan_set(scene->now->plan, path, value);
        return scene->now;
    }
    StiScene *anew = read_anew(scene, path, value, why, size);
    for (int i = 0; anew != NULL && i < scene->turned_count; ++i)
        if (!is_name(scene->turned[i].path))
            sti_plan_set(anew->plan, scene->turned[i].path, scene->turned[i].value);
    return anew;
}

void live_scene_keep(LiveScene *scene, StiScene *tried, const char *path, double value)
{
    int i = 0;
    if (tried != scene->now) sti_scene_destroy(scene->now);
    scene->now = tried;
    while (i < scene->turned_count && strcmp(scene->turned[i].path, path) != 0) ++i;
    if (i == scene->turned_count) {
        Turned *more = take((size_t)i + 1, sizeof *more);
        if (i > 0) memcpy(more, scene->turned, (size_t)i * sizeof *more);
        free(scene->turned);
        scene->turned = more;
        scene->turned[scene->turned_count++].path = text_new("%s", path);
    }
    scene->turned[i].value = value;
}

void live_scene_give_back(const LiveScene *scene, StiScene *tried, const char *path, double before)
{
    if (tried == scene->now)
        sti_plan_set(scene->now->plan, path, before);
    else
        sti_scene_destroy(tried);
}

static void mark_followers(LiveScene *scene, const StiScene *other)
{
    StiParameter own, others;
    for (int i = 0; i < scene->follows_count; ++i) {
        if (!sti_plan_parameter(scene->now->plan, i, &own) ||
            !sti_plan_parameter(other->plan, i, &others) || strcmp(own.path, others.path) != 0)
            return; // it has other parts under this value
        scene->follows[i] = scene->follows[i] || own.value != others.value;
    }
}

void live_scene_find_followers(LiveScene *scene)
{
    enum { MOST = 16 }; // names that are looked at: each reads the scene once
    static const double way = 1e-3;
    StiParameter parameter;
    char why[256];
    while (sti_plan_parameter(scene->now->plan, scene->follows_count, &parameter))
        ++scene->follows_count;
    scene->follows = take((size_t)scene->follows_count + 1, sizeof *scene->follows);
    for (int i = 0; i < scene->now->parameter_count && i < MOST; ++i) {
        live_scene_parameter(scene, i, &parameter);
        const double other = parameter.value != 0.0 ? (1.0 + way) * parameter.value : way;
        StiScene *anew = read_anew(scene, parameter.path, other, why, sizeof why);
        if (anew != NULL) mark_followers(scene, anew);
        sti_scene_destroy(anew);
    }
}

bool live_scene_follows(const LiveScene *scene, int number)
{
    const int own = number - scene->now->parameter_count;
    return own >= 0 && own < scene->follows_count && scene->follows[own];
}
