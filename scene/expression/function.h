// Private: functions of time, from expressions and tables, as the core wants them.
#ifndef STICTION_SCENE_FUNCTION_H
#define STICTION_SCENE_FUNCTION_H

#include "yaml/document.h"
#include "expression/program.h"
#include "expression/table.h"

typedef struct Reader Reader;

// How a function depends on time.
typedef enum Degree {
    DEGREE_CONSTANT,
    DEGREE_LINE,
    DEGREE_ANY,
    DEGREE_STATE // not on time alone
} Degree;

// One function of time.
typedef struct Piece {
    enum { PIECE_CONSTANT, PIECE_EXPRESSION, PIECE_TABLE } type;
    double constant;
    Program program; // its code belongs to the scene
    const Table *table;
    const Node *node; // where the scene has it; NULL: nowhere
    bool uses_inputs;
    Degree degree;
} Piece;

// What expressions may name: t, then the inputs, then the parameters.
typedef struct Names {
    const char **names;
    double *values;       // of parameters
    bool *broken;         // could not be read: what uses them is not judged
    const Table **tables; // of each name: the table that an input is, or NULL
    const Piece *inputs;
    StiSourceId *sources; // of the plan: the inputs
    int input_count;
    int parameter_count;      // read so far
    int total;                // names, those of parameters not yet read included
    int depth;                // the stack that the deepest program needs
    double start, stop, step; // of the run, s
} Names;

static inline int scene_name_count(const Names *names) // known so far
{
    return 1 + names->input_count + names->parameter_count;
}

// A function with several values; the data of a StiTimeFunction.
typedef struct Function {
    const Names *names;
    int count;
    const Piece *pieces; // count of them
    int rates;           // how many derivatives follow the values (motion without v), 0 or count
} Function;

bool scene_read_parameters(Reader *reader);
bool scene_read_inputs(Reader *reader);

// A number, an expression, or {csv: ...}; false after a message.
bool scene_read_piece(Reader *reader, const Node *node, const char *what, Piece *piece);
// A function or a list of them; 0 after a message.
int scene_read_pieces(Reader *reader, const Node *node, const char *what, int most, Piece *pieces);

// breaks: of which the scene says so itself.
StiTimeFunction scene_time_function(Reader *reader, const Piece *pieces, int count, int rates,
                                    const double *breaks, int break_count);

// Value, rate and acceleration of one coordinate, of which the first given are functions and the others
// their derivatives.
StiTimeFunction scene_drive_function(Reader *reader, const Piece *pieces, int given,
                                     const double *breaks, int break_count);

// ---- evaluation -----------------------------------------------------------------------------------------
// Of all functions of a scene: at a new time each input is evaluated once.
typedef struct Workspace {
    const Names *names;
    double t;       // of the values; NaN: none yet
    double jet_t;   // of the jets
    double *values; // t and the inputs
    Jet *jets;      // the same
    double *stack;
    Jet *jet_stack;
} Workspace;

Workspace *scene_workspace_open(const Names *names);
void scene_workspace_close(Workspace *workspace);
double scene_piece_value(Workspace *workspace, const Piece *piece, double t);
// margins: as those of scene_program_jet.
Jet scene_piece_jet(Workspace *workspace, const Piece *piece, double t, Margin *margins);

// ---- breaks ---------------------------------------------------------------------------------------------
// How an expression depends on time, jumps and kinks left out.
Degree scene_degree(const Names *names, const Program *program);
// The same of variables that stand for others (origins; NULL: for themselves), and of the two margins of each
// instruction (NULL: not asked for). False if memory is out.
bool scene_trace_degrees(const Names *names, const Program *program, const int *origins,
                         Degree (*margins)[2], Degree *result);

// All jumps and kinks of the functions between start and stop of the run, and those given, in order.
// NULL if memory is out, or if there are none.
const double *scene_find_breaks(Reader *reader, const Piece *pieces, int count, const double *given,
                                int given_count, int *found);

// The same of expressions that also use channels: of what depends on time alone. origins: of each variable 0
// for t, the number of an input, or -1 for a channel. What switches with a channel is said, once.
const double *scene_find_state_breaks(Reader *reader, const Program *programs,
                                      const Node *const *nodes, int count, const int *origins,
                                      int variable_count, int *found);

// Where a function of time changes its sign, in memory of the scene: kinks of what uses its size.
const double *scene_find_zeros(Reader *reader, const Piece *piece, int *found);

// The value of a constant expression of the parameters known so far.
bool scene_constant(Reader *reader, const Node *node, const char *what, double *value);

#endif
