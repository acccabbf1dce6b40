// What explain says about friction models, laws, actuators, methods and solvers, beside their parameters.
#ifndef STICTION_CLI_EXPLANATIONS_H
#define STICTION_CLI_EXPLANATIONS_H

typedef struct Explanation {
    const char *name;
    const char *equations; // lines
    const char *switches;  // keys that are true or false, a line each; NULL: none
    const char *source;    // papers and equation numbers
    const char *use;       // when to use it
    const char *drift;     // does it hold what is stuck? NULL where this has no meaning
} Explanation;

// NULL if there is none.
const Explanation *explanation_of_model(const char *name);
const Explanation *explanation_of_law(const char *name);
const Explanation *explanation_of_element(const char *name);
const Explanation *explanation_of_method(const char *name);
const Explanation *explanation_of_solver(const char *name);

// A subject that is no single model, law or method.
typedef struct Topic {
    const char *kind, *summary;
    Explanation explanation;
} Topic;
const Topic *topic_find(const char *name); // NULL if there is none
const Topic *topic_at(int number);         // NULL past the last

// The paper behind a key such as "fixed-step"; NULL if there is none.
typedef struct Paper {
    const char *key, *text;
} Paper;
extern const Paper papers[]; // key NULL after the last

#endif
