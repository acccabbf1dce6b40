// Private: the variables of an FMU. A value reference is the number of a variable in this table; the export
// writes it into the description of the model, the FMU makes the same table from the same scene.
#ifndef STICTION_FMI_VARIABLES_H
#define STICTION_FMI_VARIABLES_H

#include <stiction/record.h>
#include <stiction/scene.h>

#include "fmu/description.h"

typedef enum VariableRole {
    VARIABLE_TIME,
    VARIABLE_INPUT,
    VARIABLE_OUTPUT,
    VARIABLE_PARAMETER,
    VARIABLE_STATE,      // that is no output
    VARIABLE_DERIVATIVE, // of a state
    VARIABLE_INDICATOR,  // of an event
    VARIABLE_ARRAY       // of outputs, FMI 3 only: a number of all joints of a robot
} VariableRole;

typedef struct Variable {
    VariableRole role;
    char name[272];
    char unit[24];
    char meaning[160];
    int number; // of an input: among the inputs; of an output: its channel; of a parameter: in the
        // description; of a derivative or an indicator: which; of an array: its first member
    int state;    // among the states, of outputs, states and derivatives; -1: none
    int count;    // numbers it has: 1, or those of an array
    bool tunable; // parameter
} Variable;

typedef struct Variables {
    Variable *items;
    int count;
    int scalar_count;                 // arrays come after these
    int state_count, indicator_count; // 0 where there is no continuous-time form
    int *state_variables;             // of each state
    int *members;                     // channels of all arrays
    int first_output, first_derivative, first_indicator;
} Variables;

// False: a name of the description is not in the scene (why), or no memory.
bool variables_create(const StiScene *scene, const Description *description, Variables *variables,
                      char *why, size_t size);
void variables_release(Variables *variables);

// Is this channel a sum over a run (an energy, a count of an integrator)? Such are not exported: states that
// are set from outside do not have it.
bool variables_is_sum(const StiNetwork *network, int channel);
// Does the network have a form in continuous time, for model exchange?
bool variables_continuous(const StiNetwork *network);

#endif
