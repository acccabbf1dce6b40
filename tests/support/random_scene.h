// Scenes with friction and contact from a kind and a seed, and what is known of their motion. The
// same kind and seed can be drafted plain, mirrored (x -> -x), with its parts declared in reverse,
// or with names that reverse the order of everything in a network.
#ifndef STICTION_TESTS_RANDOM_SCENE_H
#define STICTION_TESTS_RANDOM_SCENE_H

#include <stdbool.h>
#include <stddef.h>

#include "support/random.h"

enum {
    SCENE_TEXT = 24000,
    SCENE_LINES = 48,
    SCENE_LINE = 2400,
    SCENE_CHANNELS = 96,
    SCENE_FACTS = 48
};
enum { SCENE_MOVERS = 8 };

typedef enum SceneVersion {
    SCENE_PLAIN,
    SCENE_MIRRORED,
    SCENE_REVERSED, // parts declared in the opposite order, names the same
    SCENE_RENAMED,  // the alphabetical order of names reversed
    SCENE_VERSIONS
} SceneVersion;

typedef enum SceneRole { ROLE_PLACE, ROLE_SPEED, ROLE_FORCE, ROLE_STICK } SceneRole;

// A channel that is judged; mirror is 1, or -1 where the mirrored scene has the opposite sign.
typedef struct SceneChannel {
    char name[48];
    SceneRole role;
    double mirror;
    double most;    // of a force: what friction can be at most, N or N m; 0: not known
    double of_load; // or the same as a share of the channel before it, a contact's normal force
} SceneChannel;

typedef enum SceneFactKind {
    FACT_TENDS, // as the step goes to 0; under error control and by `cut` at once
    FACT_HOLDS  // at every step size, to rounding
} SceneFactKind;

// A closed form: what a channel is at the end or in the middle.
typedef struct SceneFact {
    int channel;
    double t, value;
    SceneFactKind kind;
} SceneFact;

// Momentum along x that nothing outside changes: the sum of mass times a channel of speed.
typedef struct SceneMover {
    int channel;
    double mass;
} SceneMover;

typedef struct RandomScene {
    const char *kind;
    SceneVersion version;
    Random random;
    double step, stop; // s
    bool touches;      // it has hard contacts
    char head[800];    // keys of the top level beside step and stop
    char bodies[SCENE_LINES][SCENE_LINE], elements[SCENE_LINES][SCENE_LINE];
    int body_count, element_count;
    SceneChannel channels[SCENE_CHANNELS];
    int channel_count;
    SceneFact facts[SCENE_FACTS];
    int fact_count;
    SceneMover movers[SCENE_MOVERS];
    int mover_count;
    char buffers[32][400]; // of the strings that draft_vector and its like return
    int next_buffer;
    char text[SCENE_TEXT];
} RandomScene;

// The kinds by number; NULL past the last.
const char *random_scene_kind(int number);
// false: there is no such kind.
bool random_scene_make(RandomScene *scene, const char *kind, int seed, SceneVersion version);

// Seeds from here on are of the kinds that came later (random_scene_newer.c): trains with gears, belts and play, surfaces
// that run, laws, bristles and resistance to rolling at contacts.
enum { SCENE_NEWER = 1000000 };
// A scene of any kind: bodies, robots and linkages side by side, tied by springs, every friction model and
// law of the tables, motors, controllers, soft and hard contacts, functions of time and of channels. Of the
// channels only places and speeds that a mirror keeps or turns are listed, and no fact is known.
void random_scene_make_any(RandomScene *scene, int seed, SceneVersion version);

// For the makers of kinds. Strings live until 32 more were asked for.
const char *draft_vector(RandomScene *scene, double x, double y, double z); // polar
const char *draft_axial(RandomScene *scene, double x, double y, double z);
const char *draft_attitude(RandomScene *scene, double x, double y,
                           double z);                        // rotation vector, rad
const char *draft_along_x(RandomScene *scene, double value); // of a coordinate along x
const char *draft_name(RandomScene *scene, const char *name);
void draft_head(RandomScene *scene, const char *format, ...);
void draft_body(RandomScene *scene, const char *name, const char *format, ...);
void draft_element(RandomScene *scene, const char *name, const char *format, ...);
// Channel part of a component (renamed as it is); returns its number.
int draft_channel(RandomScene *scene, const char *name, const char *part, SceneRole role,
                  double mirror);
int draft_watch_rigid(RandomScene *scene, const char *name); // x; then y, z, vx, vy, vz, wx, wy, wz
int draft_watch_joint(RandomScene *scene, const char *robot, const char *joint); // q; then qd
// fn; then ft, stick
int draft_watch_contact(RandomScene *scene, const char *name, double mu);
// force; then stick. most: 0 where it follows a load
int draft_watch_friction(RandomScene *scene, const char *name, double mirror, double most);
void draft_fact(RandomScene *scene, int channel, double t, double value, SceneFactKind kind);
void draft_mover(RandomScene *scene, int channel, double mass);

typedef void SceneMaker(RandomScene *scene, Random *random);
SceneMaker draft_make_sliders, draft_make_pendulums, draft_make_arms, draft_make_floating,
    draft_make_chain, draft_make_tip;
SceneMaker draft_make_feet, draft_make_cart, draft_make_stack, draft_make_dominoes,
    draft_make_pushed_below, draft_make_pushed_above, draft_make_slope, draft_make_rolling,
    draft_make_bounce;
SceneMaker draft_make_wedge, draft_make_loop, draft_make_belt, draft_make_spring, draft_make_any, draft_make_newer;

// Parts of a scene of any kind (random_scene_any*.c); `number` tells its names from those of other parts.
typedef void ScenePart(RandomScene *scene, Random *random, int number);
ScenePart draft_add_masses, draft_add_guided, draft_add_rigid, draft_add_robot, draft_add_linkage,
    draft_add_touching;
// The keys of a friction element for something of this inertia (kg or kg m^2), from the tables of models and
// laws. loaded: what it acts on has a load of its own, so that mu may be given. planar: dimensions 2 or 3
// are asked for. Written into text.
void draft_friction(RandomScene *scene, double inertia, bool loaded, bool planar, char *text,
                    size_t size);
// A function of time about as large as size, continuous or not; and one that also knows a place and a speed.
// (A place that jumps does work that no ledger can book.)
const char *draft_path(RandomScene *scene, Random *random, double size);
const char *draft_function(RandomScene *scene, Random *random, double size);
const char *draft_feedback(RandomScene *scene, Random *random, double size, const char *place,
                           const char *speed);
// The plain name of item `item` of part `part`.
const char *draft_numbered(RandomScene *scene, const char *name, int part, int item);
// Stiffness and damping for something of this inertia: soft, or far stiffer than a step resolves.
const char *draft_spring(RandomScene *scene, Random *random, double inertia);
bool draft_one_in(Random *random, int count);

#endif
