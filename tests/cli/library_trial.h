// What a C program does with the library, from the plan to a saved state; any failure ends it with 1.
#ifndef STICTION_TESTS_LIBRARY_TRIAL_H
#define STICTION_TESTS_LIBRARY_TRIAL_H

int library_trial(void);

#endif
