// Memory and text: small tools of every command.
#ifndef STICTION_CLI_TEXT_H
#define STICTION_CLI_TEXT_H

#include <stddef.h>
#include <stdio.h>

// Zeroed memory; ends the program if there is none.
void *take(size_t count, size_t size);
_Noreturn void end_out_of_memory(void);
// A new text, to be freed.
char *text_new(const char *format, ...) __attribute__((format(printf, 1, 2)));
// What steers a terminal becomes '?': texts of foreign files are shown, not obeyed.
void text_make_printable(char *text);

enum { NUMBER_SIZE = 32 };
// As many of nine digits as fit into width characters, NaN as "-". Returns buffer.
const char *text_number(char buffer[NUMBER_SIZE], double value, int width);

// Prints text from column indent on, where the cursor stands, broken at spaces before column 80.
void text_wrap(FILE *file, int indent, const char *text);

// The word that a misspelt one was probably meant to be; NULL if none is near.
const char *text_nearest(const char *word, const char *const *words, int count);

#endif
