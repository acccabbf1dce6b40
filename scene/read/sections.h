// Private: the sections of a scene beside bodies and elements.
#ifndef STICTION_SCENE_SECTIONS_H
#define STICTION_SCENE_SECTIONS_H

#include "read/reader.h"

// The words and keys of integrators.
enum { SCENE_METHOD_KEYS = 4 };
extern const char *const scene_adaptive_words[];
extern const Key scene_method_keys[SCENE_METHOD_KEYS];
void scene_read_method(Reader *reader, StiScene *scene);
// Where the scene names none; after all components are there.
void scene_keep_method(Reader *reader, StiScene *scene);

// How reactions are resolved.
enum { SCENE_SOLVER_KEYS = 8 };
extern const Key scene_solver_keys[SCENE_SOLVER_KEYS];
void scene_read_solver(Reader *reader);

// What a variant and the caller change: first parameters, inputs and what is repeated, then all else.
typedef struct Settings Settings;
const Settings *scene_settings(Reader *reader, const Node *root, const StiSceneOptions *options);
void scene_apply_settings(Reader *reader, Node *root, const Settings *settings,
                          bool before_repeats);

// Entries with a key repeat become as many as it says; after the parameters, before all else. False after a message.
enum { SCENE_REPEAT_KEYS = 3 };
extern const Key scene_repeat_keys[SCENE_REPEAT_KEYS];
bool scene_expand_repeats(Reader *reader, Node *root);

// Brings PLACE.NAME and NAME of elements to the form that the plan has; once the tree is as it is to be read.
void scene_settle_element_names(Reader *reader, Node *root);

// What a scene says and nothing does: limits without an element, gravity across the axis of a body.
void scene_warn_of_traps(Reader *reader);

// Of the problem: what moves, and why; not of how it is computed and recorded.
uint64_t scene_fingerprint(const Reader *reader);

void scene_read_expectations(Reader *reader, StiScene *scene);
void scene_read_expectation(Reader *reader, const Node *node, const StiScene *scene,
                            StiExpectation *to);
// A map of paths and values as --set would have them: "friction.model=karnopp".
const char *const *scene_sets_of(Reader *reader, const Node *set, int *count);
void scene_read_variants(Reader *reader, StiScene *scene);
void scene_read_figures(Reader *reader, StiScene *scene); // after the variants, which it names
void scene_read_grid(Reader *reader, StiScene *scene);
void scene_check_grid(Reader *reader, Node *root); // last: it changes the tree
void scene_read_study(Reader *reader, StiScene *scene); // after the expectations
void scene_check_study(Reader *reader, Node *root);     // as scene_check_grid
void scene_read_study_measure(Reader *reader, const Entry *entry, const StiScene *scene,
                              StiExpectation *to, int *goal);
const Key *scene_study_measure_keys(int *count);
void scene_read_fit(Reader *reader, StiScene *scene);
const Key *scene_fit_keys(int *count);
const Key *scene_study_keys(int *count);
const Key *scene_varied_keys(int *count);
// Elements of kind fmu: after the step is known, before bodies, which may follow their outputs.
enum { SCENE_FMU_KEYS = 6 };
extern const Key scene_fmu_keys[SCENE_FMU_KEYS];
void scene_read_fmus(Reader *reader, StiScene *scene);
// Is this name, which nothing has, written like the output of an FMU? Then there is a message, unless the FMU has its own.
bool scene_misses_fmu_output(Reader *reader, const Node *node, const char *name);

// After compiling: names and patterns become channels; the channels of expectations must exist. Where the
// network is not whole, channels may be missing.
void scene_read_record(Reader *reader, StiScene *scene, bool whole);
// What compile found, with places in the file. Of a plan that is not whole: only what components themselves
// have wrong.
void scene_place_findings(Reader *reader, const StiReport *report, bool whole);

#endif
