// The surface of the WebAssembly module: plain C functions that JavaScript calls (web/src/engine.js does), no glue code.
// Texts are UTF-8 and end with NUL. A text that is returned is new: sti_web_free it. Files are those of the host's WASI.
#ifndef STICTION_WASM_SURFACE_H
#define STICTION_WASM_SURFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STI_WEB(name) __attribute__((export_name(#name))) name

// ---- memory: what is handed over stands in it ----
void *STI_WEB(sti_web_take)(size_t size); // NULL: there is none
void STI_WEB(sti_web_free)(void *memory);

// ---- a run of a scene ----
typedef struct WebRun WebRun;

// Reads the scene at path and puts it at its start. sets: as --set takes them, one in each line, or "". variant: "" for the
// scene itself. forever: without an end. NULL: out of memory. With errors the run holds its messages only.
WebRun *STI_WEB(sti_web_open)(const char *path, const char *sets, const char *variant,
                              bool forever);
void STI_WEB(sti_web_close)(WebRun *run);
bool STI_WEB(sti_web_good)(const WebRun *run);
char *STI_WEB(sti_web_messages)(
    const WebRun *run); // JSON: [[severity 0 to 2, file, line, column, text], ...]
char *STI_WEB(sti_web_fault)(const WebRun *run); // why the last call failed, "" if it did not

// JSON: title, time [start, stop, step, steps], method, channels [[name, unit], ...], record, parameters [[path, value,
// unit, meaning], ...], frictions, variants.
char *STI_WEB(sti_web_describe)(const WebRun *run);

// n steps without looking at channels; what recording adds up (energies) begins anew after them. False: fault says why.
bool STI_WEB(sti_web_steps)(WebRun *run, double n);
// Rows of t and these channels, each after `every` steps, row after row into out. Returns how many are complete.
int STI_WEB(sti_web_rows)(WebRun *run, int rows, int every, const int *channels, int count,
                          double *out);
double STI_WEB(sti_web_value)(const WebRun *run, int channel); // now; NaN: there is none
double STI_WEB(sti_web_time)(const WebRun *run);               // s
double STI_WEB(sti_web_step_number)(const WebRun *run);
uint64_t STI_WEB(sti_web_hash)(const WebRun *run); // of the state: equal bits, equal hash

// Between two steps: the running state is kept. False: nothing has changed, and fault says why.
bool STI_WEB(sti_web_set)(WebRun *run, const char *path, double value);

// The state as bytes: returns the size, and writes it where it fits.
size_t STI_WEB(sti_web_save)(const WebRun *run, void *bytes, size_t size);
bool STI_WEB(sti_web_restore)(WebRun *run, const void *bytes, size_t size);

// ---- the same run as the live page shows it: the messages of `stiction view` ----
char *STI_WEB(sti_web_page)(const WebRun *run); // JSON
void STI_WEB(sti_web_pause)(WebRun *run, bool pause);
void STI_WEB(sti_web_speed)(WebRun *run,
                            double speed); // seconds of the run per second; 0: as fast as it can
bool STI_WEB(sti_web_restart)(WebRun *run);
bool STI_WEB(sti_web_advance)(
    WebRun *run, double seconds); // steps that are due, not longer than this; true: there is news
char *STI_WEB(sti_web_frame)(WebRun *run, bool whole);
char *STI_WEB(sti_web_parameters)(const WebRun *run);
char *STI_WEB(sti_web_parts)(const WebRun *run);

// ---- whole runs ----
// Writes the channels of `record` to a file (.csv, .mcap). The exit code of `stiction run`; errors are on standard error.
int STI_WEB(sti_web_record)(const char *path, const char *sets, const char *variant,
                            const char *output);
// JSON of the report of a run, or of several with one title: lines of "name<TAB>set<TAB>set..." in runs.
// NULL: errors are on standard error.
char *STI_WEB(sti_web_report)(const char *path, const char *sets, const char *variant,
                              const char *runs);

// ---- what scenes may say ----
char *STI_WEB(sti_web_schema)(void); // JSON Schema
char *STI_WEB(sti_web_models)(void); // JSON: [[friction model, summary], ...]

#endif
