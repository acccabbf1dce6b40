// The summary of a finished run.
#ifndef STICTION_CLI_SUMMARY_H
#define STICTION_CLI_SUMMARY_H

#include "terminal/session.h"

void summary_title(const StiScene *scene, const char *variant);
// Of the method that runs: reactions are resolved by the rule unless the step is cut.
const char *summary_method_name(const StiScene *scene);
// Which method was chosen and why, where the scene names none.
void summary_method(const StiScene *scene);
void summary_print(const Session *session);
// "3 changes, stuck at the end"
void summary_sticking(char *text, size_t size, const Sticking *sticking);

#endif
