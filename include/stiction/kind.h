// What every kind says about itself: its name, its parameters (each addressable by a path such as
// "friction.level"), and a check for what the bounds of single fields cannot say.
#ifndef STICTION_KIND_H
#define STICTION_KIND_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

typedef enum StiBound { STI_ANY, STI_NOT_NEGATIVE, STI_POSITIVE } StiBound;

typedef enum StiFieldType {
    STI_FIELD_NUMBER, // double, or double[length] inside the structure
    STI_FIELD_AXES,   // double[length] inside the structure, of which the int at count_offset count
    STI_FIELD_NUMBERS, // const double *, as many as the int at count_offset says
    STI_FIELD_LAW,     // StiLaw; its own parameters are addressed without a further dot
    STI_FIELD_PARTS,   // const StiImpedance *, as many as the int at count_offset says
    STI_FIELD_COUNT,   // int: how many axes or elements; part of the structure, so it has no path
    STI_FIELD_SWITCH   // bool: which form of the model; no path either
} StiFieldType;

typedef struct StiField {
    const char *name;    // the word used in paths and scenes
    const char *unit;    // SI; "" for none
    const char *meaning; // one line
    StiFieldType type;
    StiBound bound;
    size_t offset;       // in the parameter structure
    size_t count_offset; // AXES, NUMBERS and PARTS
    int length;          // NUMBER: 0 or 1 for a plain double
    double usual;        // a sensible default
    bool asks; // of a law: a scene that gives this key and names no law means this one
} StiField;

// What `stiction explain` says about a kind beside its fields.
typedef struct StiExplanation {
    const char *equations; // lines of at most 78 characters, each ended by a newline
    const char *keys;      // further keys of a scene, lines as above; NULL: none
    const char *use;       // when to use it
    const char *drift;     // does it hold what is stuck? NULL where this has no meaning
    const char *source;    // papers and equation numbers
} StiExplanation;

// A signal that a kind listens to, in the order of its inputs. Its name is the key of scenes.
typedef struct StiInput {
    const char *name, *unit, *meaning;
    bool torque; // in a scene the name of an element that drives stands for what it gives along +
} StiInput;

// Handed to check functions. step is 0 where none is known yet.
typedef struct StiCheck {
    StiReport *report;
    const char *component;
    double step;
    bool allow_unphysical; // turns "unphysical" findings into warnings
} StiCheck;

// A number among the parameters of a component.
typedef struct StiNumber {
    const char *path; // below the component: "level", "stiffness[3]", "2.level", "joint0.armature"
    const char *unit;
    const char *meaning;
    StiBound bound;
    double *value;
} StiNumber;

typedef bool (*StiVisit)(void *context, const StiNumber *number); // false: stop

// Parameters that no table of fields can describe: the links of a robot.
typedef struct StiInside {
    size_t table_size; // sizeof(StiInside): another one is refused
    // Every number; false: was stopped. What is pointed to is changed only after own.
    bool (*visit)(void *parameters, StiVisit visit, void *context);
    // The structure was copied byte by byte: what it points to is replaced by copies of its own,
    // made anew from their numbers. False: no memory, and nothing is owned.
    bool (*own)(void *parameters);
    void (*release)(void *parameters); // what own took
} StiInside;

typedef struct StiInfo {
    const char *name;    // "elastic-coulomb"
    const char *summary; // one line
    size_t size;         // of the parameter structure
    const StiField *fields;
    int field_count;
    const StiInside *inside;                                      // may be NULL
    void (*check)(const void *parameters, const StiCheck *check); // may be NULL
    const StiExplanation *explanation;                            // may be NULL
    // Parameters that pass the check and run: what tests, fuzzers and first trials begin with. May be NULL.
    const void *example;
} StiInfo;

#ifdef __cplusplus
extern "C" {
#endif

// Wrong in any case: never allowed.
STI_API void sti_check_error(const StiCheck *check, const char *parameter, double value,
                             const char *text, ...) __attribute__((format(printf, 4, 5)));
// Possible to compute but against physics (it would make energy): an error unless allowed.
STI_API void sti_check_unphysical(const StiCheck *check, const char *parameter, double value,
                                  const char *text, ...) __attribute__((format(printf, 4, 5)));
STI_API void sti_check_warning(const StiCheck *check, const char *parameter, double value,
                               const char *text, ...) __attribute__((format(printf, 4, 5)));

// Checks all fields against their bounds, the laws and parts inside, then calls info->check.
STI_API void sti_kind_check(const StiInfo *info, const void *parameters, const StiCheck *check);

// Writes the usual value of every number and count that has one; the rest of the structure, of info->size
// bytes, stays as it is. sti_default_dahl() and so on start from zeros.
STI_API void sti_kind_default(const StiInfo *info, void *parameters);

// The number behind a path below a component ("level", "stiffness[3]", "2.level"), or NULL.
STI_API double *sti_kind_find(const StiInfo *info, void *parameters, const char *path);

#ifdef __cplusplus
}
#endif
#endif
