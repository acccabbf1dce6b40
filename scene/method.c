// The integrator that a scene names: a word for one with a fixed step, a map for one with error control.
#include <math.h>
#include <stdio.h>

#include "sections.h"
#include "stiction/adaptive.h"

const char *const scene_method_words[] = {
    "euler", "symplectic-euler", "heun", "rk4", "gill", "rule", "cut", "ark4",
    "ark3",  "rk4-split",        NULL};
const char *const scene_adaptive_words[] = {
    "ode23", "bogacki-shampine", "dormand-prince", "verner", "fehlberg", "adams", "bdf", NULL};

const Key scene_method_keys[SCENE_METHOD_KEYS] = {
    {"adaptive", VALUE_WORD, true, "the integrator with error control", scene_adaptive_words},
    {"rtol", VALUE_NUMBER, false, "relative tolerance; default 1e-8", NULL},
    {"atol", VALUE_NUMBER, false, "absolute tolerance, SI; default 1e-10", NULL},
    {"longest_step", VALUE_NUMBER, false, "s; default a tenth of the run", NULL},
};

static bool positive(Reader *reader, const Node *map, const char *key, double *value)
{
    if (scene_node_find(map, key) == NULL) return true;
    if (!scene_number_at(reader, map, key, value)) return false;
    if (*value > 0.0) return true;
    scene_error(reader, scene_node_find(map, key)->mark, "%s must be above 0, not %g", key, *value);
    return false;
}

static void read_adaptive(Reader *reader, const Node *map, StiScene *scene)
{
    StiAdaptiveOptions options = {.rtol = 1e-8, .atol = 1e-10};
    bool good =
        scene_check_keys(reader, map, "an adaptive method", scene_method_keys, SCENE_METHOD_KEYS);
    const Node *name = scene_node_find(map, "adaptive");
    const int word =
        name != NULL ? scene_word(reader, name, "adaptive method", scene_adaptive_words) : -1;
    good = positive(reader, map, "rtol", &options.rtol) && good;
    good = positive(reader, map, "atol", &options.atol) && good;
    good = positive(reader, map, "longest_step", &options.longest_step) && good;
    if (!good || word < 0) return;
    options.method = scene_adaptive_words[word];
    options.stop = scene->stop;
    scene->adaptive = sti_arena_copy(reader->arena, &options, sizeof options);
    sti_plan_set_method(reader->plan, &sti_method_continuous);
}

void scene_read_method(Reader *reader, StiScene *scene)
{
    const Node *method = scene_node_find(reader->root, "method");
    if (method == NULL) return;
    if (method->type == NODE_MAP) {
        read_adaptive(reader, method, scene);
        return;
    }
    const int word = scene_word(reader, method, "method", scene_method_words);
    if (word >= 0) sti_plan_set_method(reader->plan, sti_method_find(scene_method_words[word]));
}

static const char *reason(Reader *reader, const StiReport *report)
{
    const StiFinding *why = sti_report_count(report) > 0 ? sti_report_finding(report, 0) : NULL;
    char text[400] = "";
    if (why != NULL)
        snprintf(text, sizeof text, "%s%s%s", why->component, why->component[0] != '\0' ? ": " : "",
                 why->text);
    return sti_arena_text(reader->arena, text);
}

void scene_choose_method(Reader *reader, StiScene *scene)
{
    StiReport *report = sti_report_create();
    if (scene_node_find(reader->root, "method") == NULL && report != NULL) {
        sti_plan_choose_method(reader->plan, report);
        scene->why_method = reason(reader, report);
    }
    sti_report_destroy(report);
}
