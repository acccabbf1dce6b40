// The integrator that a scene names: a word for one with a fixed step, a map for one with error control.
#include "read/sections.h"
#include "stiction/adaptive.h"

// Of a library that scenes are read without; a test compares them with it.
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
    const double span = scene->stop - scene->start;
    if (good && options.longest_step > 0.0 &&
        span > STI_MOST_ADAPTIVE_STEPS * options.longest_step) {
        scene_error(reader, scene_node_find(map, "longest_step")->mark,
                    "a longest_step of %g s would need %.0e steps and more for the %g s of the run",
                    options.longest_step, span / options.longest_step, span);
        return;
    }
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
    StiEntry entry;
    if (scene_registered(reader, method, "method", STI_ROLE_METHOD, &entry))
        sti_plan_set_method(reader->plan, entry.method);
}

void scene_keep_method(Reader *reader, StiScene *scene)
{
    if (scene->network == NULL) return;
    scene->why_method = sti_network_why_method(scene->network);
    // A parameter that is changed later does not change the method, and so the layout, too.
    sti_plan_set_method(reader->plan, sti_network_method(scene->network));
}
