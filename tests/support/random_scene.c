#include "support/random_scene.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    SceneMaker *make;
} kinds[] = {
    {"sliders", draft_make_sliders},
    {"pendulums", draft_make_pendulums},
    {"arms", draft_make_arms},
    {"floating", draft_make_floating},
    {"chain", draft_make_chain},
    {"tip", draft_make_tip},
    {"feet", draft_make_feet},
    {"cart", draft_make_cart},
    {"stack", draft_make_stack},
    {"dominoes", draft_make_dominoes},
    {"pushed_below", draft_make_pushed_below},
    {"pushed_above", draft_make_pushed_above},
    {"slope", draft_make_slope},
    {"rolling", draft_make_rolling},
    {"bounce", draft_make_bounce},
    {"wedge", draft_make_wedge},
    {"loop", draft_make_loop},
    {"belt", draft_make_belt},
    {"spring", draft_make_spring},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

const char *random_scene_kind(int number)
{
    return number >= 0 && number < KINDS ? kinds[number].name : NULL;
}

static char *next_buffer(RandomScene *scene) { return scene->buffers[scene->next_buffer++ % 32]; }

static const char *three(RandomScene *scene, double x, double y, double z)
{
    char *text = next_buffer(scene);
    snprintf(text, sizeof scene->buffers[0], "[%.17g, %.17g, %.17g]", x, y, z);
    return text;
}

static double mirror(const RandomScene *scene)
{
    return scene->version == SCENE_MIRRORED ? -1.0 : 1.0;
}

const char *draft_vector(RandomScene *scene, double x, double y, double z)
{
    return three(scene, mirror(scene) * x, y, z);
}

// Of what turns, a mirror keeps the part along its normal.
const char *draft_axial(RandomScene *scene, double x, double y, double z)
{
    return three(scene, x, mirror(scene) * y, mirror(scene) * z);
}

const char *draft_attitude(RandomScene *scene, double x, double y, double z)
{
    const double angle = sqrt(x * x + y * y + z * z), m = mirror(scene);
    const double s = angle > 0.0 ? sin(angle / 2.0) / angle : 0.5;
    char *text = next_buffer(scene);
    snprintf(text, sizeof scene->buffers[0], "[%.17g, %.17g, %.17g, %.17g]", cos(angle / 2.0),
             s * x, m * s * y, m * s * z);
    return text;
}

const char *draft_along_x(RandomScene *scene, double value)
{
    char *text = next_buffer(scene);
    snprintf(text, sizeof scene->buffers[0], "%.17g", mirror(scene) * value);
    return text;
}

// Names begin with different letters, or end in different digits.
const char *draft_name(RandomScene *scene, const char *name)
{
    char *text = next_buffer(scene);
    const size_t length = strlen(name);
    const char last = name[length - 1];
    const char digit = last >= '0' && last <= '9' ? (char)('9' - (last - '0')) : '0';
    if (scene->version == SCENE_RENAMED)
        snprintf(text, sizeof scene->buffers[0], "%c%c_%s", 'a' + ('z' - name[0]), digit, name);
    else
        snprintf(text, sizeof scene->buffers[0], "%s", name);
    return text;
}

void draft_head(RandomScene *scene, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t used = strlen(scene->head);
    vsnprintf(scene->head + used, sizeof scene->head - used, format, arguments);
    va_end(arguments);
}

static void add_line(RandomScene *scene, char *line, const char *name, const char *format,
                     va_list arguments)
{
    char own[48]; // a copy, as the compiler cannot see that line and name do not overlap
    snprintf(own, sizeof own, "%s", draft_name(scene, name));
    const int used = snprintf(line, SCENE_LINE, "  %s: ", own);
    vsnprintf(line + used, (size_t)(SCENE_LINE - used), format, arguments);
}

void draft_body(RandomScene *scene, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_line(scene, scene->bodies[scene->body_count++], name, format, arguments);
    va_end(arguments);
}

void draft_element(RandomScene *scene, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_line(scene, scene->elements[scene->element_count++], name, format, arguments);
    va_end(arguments);
}

int draft_channel(RandomScene *scene, const char *name, const char *part, SceneRole role,
                  double mirror_sign)
{
    SceneChannel *channel = &scene->channels[scene->channel_count];
    *channel = (SceneChannel){.role = role, .mirror = mirror_sign};
    char own[24];
    snprintf(own, sizeof own, "%s", draft_name(scene, name));
    snprintf(channel->name, sizeof channel->name, "%s.%s", own, part);
    return scene->channel_count++;
}

int draft_watch_rigid(RandomScene *scene, const char *name)
{
    const int first = draft_channel(scene, name, "x", ROLE_PLACE, -1.0);
    draft_channel(scene, name, "y", ROLE_PLACE, 1.0);
    draft_channel(scene, name, "z", ROLE_PLACE, 1.0);
    draft_channel(scene, name, "vx", ROLE_SPEED, -1.0);
    draft_channel(scene, name, "vy", ROLE_SPEED, 1.0);
    draft_channel(scene, name, "vz", ROLE_SPEED, 1.0);
    draft_channel(scene, name, "wx", ROLE_SPEED, 1.0);
    draft_channel(scene, name, "wy", ROLE_SPEED, -1.0);
    draft_channel(scene, name, "wz", ROLE_SPEED, -1.0);
    return first;
}

// Axes are mirrored as the vectors that they are, so coordinates stay.
int draft_watch_joint(RandomScene *scene, const char *robot, const char *joint)
{
    char part[40];
    snprintf(part, sizeof part, "%s.q", joint);
    const int first = draft_channel(scene, robot, part, ROLE_PLACE, 1.0);
    snprintf(part, sizeof part, "%s.qd", joint);
    draft_channel(scene, robot, part, ROLE_SPEED, 1.0);
    return first;
}

int draft_watch_contact(RandomScene *scene, const char *name, double mu)
{
    const int first = draft_channel(scene, name, "fn", ROLE_FORCE, 1.0);
    scene->channels[draft_channel(scene, name, "ft", ROLE_FORCE, 1.0)].of_load = mu;
    draft_channel(scene, name, "stick", ROLE_STICK, 1.0);
    return first;
}

int draft_watch_friction(RandomScene *scene, const char *name, double mirror_sign, double most)
{
    const int first = draft_channel(scene, name, "force", ROLE_FORCE, mirror_sign);
    scene->channels[first].most = most;
    draft_channel(scene, name, "stick", ROLE_STICK, 1.0);
    return first;
}

// Values are those of the plain scene; the channel's own sign mirrors them.
void draft_fact(RandomScene *scene, int channel, double t, double value, SceneFactKind kind)
{
    scene->facts[scene->fact_count++] =
        (SceneFact){.channel = channel, .t = t, .value = value, .kind = kind};
}

void draft_mover(RandomScene *scene, int channel, double mass)
{
    scene->movers[scene->mover_count++] = (SceneMover){.channel = channel, .mass = mass};
}

static size_t append(RandomScene *scene, size_t used, const char *text)
{
    const size_t length = strlen(text);
    if (used + length >= sizeof scene->text) return used; // the reader then says what is missing
    memcpy(scene->text + used, text, length + 1);
    return used + length;
}

static size_t append_lines(RandomScene *scene, size_t used, const char *head, int count,
                           char lines[][SCENE_LINE])
{
    used = append(scene, used, head);
    for (int i = 0; i < count; ++i) {
        const bool reversed = scene->version == SCENE_REVERSED;
        used = append(scene, used, lines[reversed ? count - 1 - i : i]);
        used = append(scene, used, "\n");
    }
    return used;
}

static uint64_t number_of_text(const char *text)
{
    uint64_t number = 14695981039346656037u;
    for (; *text != '\0'; ++text) number = (number ^ (unsigned char)*text) * 1099511628211u;
    return number;
}

static void begin(RandomScene *scene, const char *kind, int seed, SceneVersion version)
{
    memset(scene, 0, sizeof *scene);
    scene->kind = kind;
    scene->version = version;
    scene->step = 1e-3;
    scene->stop = 0.4;
    scene->random.state = number_of_text(kind) + 7919u * (uint64_t)seed;
}

static void write_text(RandomScene *scene, int seed)
{
    char top[1200];
    snprintf(top, sizeof top, "title: %s, seed %d\nstep: %.17g\nstop: %.17g\n%s", scene->kind,
             seed, scene->step, scene->stop, scene->head);
    size_t used = append(scene, 0, top);
    used = append_lines(scene, used, "bodies:\n", scene->body_count, scene->bodies);
    if (scene->element_count > 0)
        append_lines(scene, used, "elements:\n", scene->element_count, scene->elements);
}

bool random_scene_make(RandomScene *scene, const char *kind, int seed, SceneVersion version)
{
    int number = 0;
    while (number < KINDS && strcmp(kinds[number].name, kind) != 0) ++number;
    if (number == KINDS) return false;
    begin(scene, kinds[number].name, seed, version);
    kinds[number].make(scene, &scene->random);
    write_text(scene, seed);
    return true;
}

void random_scene_make_any(RandomScene *scene, int seed, SceneVersion version)
{
    begin(scene, "any", seed, version);
    (seed < SCENE_NEWER ? draft_make_any : draft_make_newer)(scene, &scene->random);
    write_text(scene, seed);
}
