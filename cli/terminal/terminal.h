// What is said on standard error, and colours where a terminal shows them.
#ifndef STICTION_CLI_TERMINAL_H
#define STICTION_CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#include <stiction/scene.h>

typedef enum Ink { INK_PLAIN, INK_BOLD, INK_GOOD, INK_BAD, INK_WARNING, INK_NOTE } Ink;

// The codes that switch an ink on and off again; "" unless file is a terminal that may be coloured.
const char *terminal_ink(FILE *file, Ink ink);
bool terminal_is(FILE *file);

// "stiction: error: ..." on standard error.
void terminal_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void terminal_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

// All messages from a severity on, as FILE:LINE:COLUMN: error: TEXT, and the count of errors.
void terminal_messages(const StiMessages *messages, StiSeverity least);

#endif
