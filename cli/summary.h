// What a finished run has to tell.
#ifndef STICTION_CLI_SUMMARY_H
#define STICTION_CLI_SUMMARY_H

#include "session.h"

void summary_title(const StiScene *scene, const char *variant);
void summary_print(const Session *session);
// "3 changes, stuck at the end"
void summary_sticking(char *text, size_t size, const Sticking *sticking);

#endif
