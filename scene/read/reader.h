// Private: what the parts of the reader share. A scene is read in this order: parameters, inputs, bodies,
// penalty joints, other elements, signals; then the plan compiles and its findings get their places.
#ifndef STICTION_SCENE_READER_H
#define STICTION_SCENE_READER_H

#include "yaml/document.h"
#include "expression/function.h"
#include "stiction/constraint.h"
#include "stiction/contact.h"
#include "stiction/linkage.h"
#include "stiction/registry.h"
#include "stiction/robot.h"

typedef enum BodyShape {
    BODY_COORDINATES,
    BODY_RIGID,
    BODY_ROBOT,
    BODY_LINKAGE,
    BODY_ROTOR, // one angle
    BODY_MOTION // coordinates that follow a given motion
} BodyShape;

typedef struct Body {
    const char *name;
    const Node *node;
    bool complete; // no required key is missing
    BodyShape shape;
    int dim;   // coordinates that wires may join
    int loads; // forces of constraints that can be listened to
    StiAdmittanceId id;
    const StiRobot *robot;         // of a robot
    const StiLinkage *linkage;     // of a linkage
    const StiContactShape *shapes; // for contact, on its links
    int shape_count;
    bool shapes_broken; // their own error is reported
} Body;

// An element of the plan; several may come from one entry of the scene (on: [A, B]).
typedef struct Element {
    const char *name;
    const char *entry; // name in the scene
    const Node *node;
    const char *place; // what the scene names under "on"; NULL: between two
    bool friction, joint;
    bool controller; // gives a signal and no force
    bool drives;     // its force is one that a gear transmits
    int forces;      // numbers that can be listened to
    StiElementId id;
    StiConstraintId constraint; // of a coupling or a loop; zero: it is an element of the plan
    // Of a penalty joint: its free axis, its six axes, what its bearing is, who senses the bearing's load.
    StiWire hinge, frame;
    StiBearing bearing;
    StiElementId load; // zero: not made yet
} Element;

// What an input may be besides a function of time.
typedef enum ListensTo {
    LISTENS_TO_TIME,       // nothing
    LISTENS_TO_LOAD,       // BODY.load, ELEMENT.force
    LISTENS_TO_CONTROLLER, // the name of a pid element
    LISTENS_TO_TORQUE      // the name of an element that drives the same joint
} ListensTo;

// An input of an element: connected once all elements are known.
typedef struct Listener {
    StiElementId element;
    int input;
    const char *key;
    const Node *node; // NULL: a constant 0
    ListensTo to;
    const char *place; // of the listener: its partner among several is the one at the same place
    const struct StateFunction *state; // an expression that uses channels: of all its inputs
} Listener;

typedef struct KeptRobot KeptRobot;
struct KeptRobot {
    StiRobot *robot;
    StiSceneRobot shown;
    KeptRobot *next; // the one before
};

typedef struct KeptLinkage KeptLinkage;
struct KeptLinkage {
    StiLinkage *linkage;
    KeptLinkage *next;
};

// An input that is set from outside the scene.
typedef struct Outside {
    const char *name;
    StiSourceId source;
} Outside;

typedef struct NamedFile NamedFile;

typedef struct Reader {
    StiArena *arena;
    StiMessages *messages;
    const Node *root;
    const Node *expect;     // of the scene, or of the variant
    const char *folder;     // of the scene file, for CSV files
    const char *confine;    // the folder that files must be in; NULL: anywhere
    bool fmus;              // may stand in the scene
    const NamedFile *files; // that the scene named (file.h)
    StiPlan *plan;
    Names names;
    Outside *outside;
    int outside_count, outside_capacity;
    Body *bodies;
    int body_count;
    Element *elements;
    int element_count, element_capacity;
    KeptRobot *robots; // destroyed with the scene
    KeptLinkage *linkages;
    Listener *listeners;
    int listener_count, listener_capacity;
    int parts; // of all compounds and banks
    struct Materials *materials; // read/materials.h; NULL: the scene has no table
} Reader;

// ---- keys ---------------------------------------------------------------------------------------------
// What may stand under a key: for reading, for the JSON Schema, for the documentation.
typedef enum ValueType {
    VALUE_NUMBER,
    VALUE_VECTOR,
    VALUE_NUMBERS, // numbers: a number or a list of any length
    VALUE_COUNT,
    VALUE_TRUTH,
    VALUE_TEXT,
    VALUE_WORD,
    VALUE_MODEL, // the name of a friction model; and so on: what the registry has of a role
    VALUE_LAW,
    VALUE_JOINT_TYPE,
    VALUE_SOLVER_NAME,
    VALUE_FUNCTION,
    VALUE_FUNCTIONS,
    VALUE_BODY,
    VALUE_PAIR,
    VALUE_PLANE,
    VALUE_FRAME,
    VALUE_TABLE,
    VALUE_POINTS,
    VALUE_TEXTS,
    VALUE_LINKS,
    VALUE_CHAIN,
    VALUE_JOINTS, // of a robot
    VALUE_SHAPES,
    VALUE_SHAPE,
    VALUE_OBSTACLES,
    VALUE_PAIRS, // of contacts; shape: also a word
    VALUE_METHOD,
    VALUE_SOLVER,
    VALUE_ANY
} ValueType;

typedef struct Key {
    const char *name;
    ValueType type;
    bool required;
    const char *meaning;
    const char *const *words; // VALUE_WORD: NULL after the last
} Key;

// Reports unknown keys (with the nearest one) and missing ones; false if a required one is missing, so
// that reading can go on and find more.
bool scene_check_keys(Reader *reader, const Node *map, const char *what, const Key *keys,
                      int count);
void scene_error(Reader *reader, Mark mark, const char *text, ...)
    __attribute__((format(printf, 3, 4)));

// ---- values: false after a message ----------------------------------------------------------------------
bool scene_number(Reader *reader, const Node *node, const char *what, double *value);
// least <= count <= most numbers; a single number is a vector of one.
bool scene_vector(Reader *reader, const Node *node, const char *what, int least, int most,
                  double *values, int *count);
bool scene_count(Reader *reader, const Node *node, const char *what, int least, int most,
                 int *value);
bool scene_truth(Reader *reader, const Node *node, const char *what, bool *value);
bool scene_text(Reader *reader, const Node *node, const char *what, const char **value);
// Index of a word in a list that ends with NULL, -1 after a message.
int scene_word(Reader *reader, const Node *node, const char *what, const char *const *words);

// What the registry has under the name of a node; false after a message.
bool scene_registered(Reader *reader, const Node *node, const char *what, StiKindRole role,
                      StiEntry *entry);

// Optional keys of a component: leave the value alone where the key is missing. true: no error.
bool scene_number_at(Reader *reader, const Node *map, const char *key, double *value);
// attitude of a map, [w, x, y, z]; q stays where there is none. Zero is no attitude.
bool scene_attitude_at(Reader *reader, const Node *map, double q[4]);
bool scene_vector_at(Reader *reader, const Node *map, const char *key, int least, int most,
                     double *values);

// ---- inputs set from outside (outside.c) ---------------------------------------------------------------
enum { SCENE_OUTSIDE_KEYS = 2 };
extern const Key scene_outside_keys[SCENE_OUTSIDE_KEYS];
bool scene_is_outside(const Node *node); // does this entry of inputs describe one?
// The section inputs without them, NULL if there is none: the names that expressions may use.
const Node *scene_inside_inputs(Reader *reader);
void scene_read_outside(Reader *reader);
// One more, under a name that lives as long as the scene.
void scene_add_outside(Reader *reader, const char *name, double value, const char *unit);
// Is this node the name of one?
bool scene_find_outside(const Reader *reader, const Node *node, StiSignal *signal);

// ---- parts ----------------------------------------------------------------------------------------------
void scene_read_bodies(Reader *reader);
void scene_read_elements(Reader *reader);
// The signal of a channel that an expression names: a coordinate or velocity, a force, a load, the output of a
// controller. False after a message at the expression.
bool scene_find_channel(Reader *reader, const Node *node, const char *name, StiSignal *signal);
void scene_listen(Reader *reader, Listener listener);
void scene_connect_signals(Reader *reader);
// Whether a node is the name of an element of the scene.
bool scene_names_element(const Reader *reader, const Node *node);
const Body *scene_find_body(const Reader *reader, const char *name);
const Element *scene_find_element(const Reader *reader, const char *name);

// The wires of an element: one for "between" or "on: BODY", several for "on: [A, B]".
typedef struct Target {
    const char *name;  // of the element on this target
    const char *place; // what the scene names there; NULL: between two
    StiWire wire;
    int dim;
    const Body *robot; // with link: the joint of a robot; NULL elsewhere
    int link;
    const Body *linkage; // with pair: the joint of a linkage; NULL elsewhere
    int pair;
} Target;
// NULL after a message.
const Target *scene_read_targets(Reader *reader, const char *name, const Node *node, int *count);
// "arm.joints" as the list of its joints; else on itself.
const Node *scene_spread_joints(Reader *reader, const Node *on);
// "A.NAME": the element on one of several places; and whether entry i of a list is there before.
const char *scene_name_on(Reader *reader, const char *name, const Node *on);
bool scene_named_before(const Node *list, int i);
Element *scene_add_element(Reader *reader, Element element);
// radial_radius, axial_radius, moment_ratio of a map; false after a message.
bool scene_read_bearing(Reader *reader, const Node *map, StiBearing *bearing);
bool scene_read_frame(Reader *reader, const Node *node, const char *what, StiFrame *frame);

void scene_read_friction(Reader *reader, const char *name, const Node *node, bool complete);

// ---- tables for the schema ------------------------------------------------------------------------------
typedef struct Kind {
    const char *name;
    const char *summary;
    const Key *keys;
    int key_count;
} Kind;
// Index of the kind that an entry names under "kind", -1 after a message.
int scene_kind(Reader *reader, const Entry *entry, const char *what, const Kind *kinds,
               size_t count);
const Kind *scene_body_kinds(int *count);
const Kind *scene_element_kinds(int *count);
const Key *scene_top_level(int *count);
const Key *scene_expectation_keys(int *count);
const Key *scene_figure_keys(int *count);

#endif
