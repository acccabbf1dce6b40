// Private: functions of time, from expressions and tables, as the core wants them.
#ifndef STICTION_SCENE_FUNCTION_H
#define STICTION_SCENE_FUNCTION_H

#include "document.h"
#include "table.h"

typedef struct Reader Reader;

// One function of time.
typedef struct Piece {
    enum { PIECE_CONSTANT, PIECE_EXPRESSION, PIECE_TABLE } type;
    double constant;
    const char *text;
    const Table *table;
    bool uses_inputs;
} Piece;

// What expressions may name: t, then the inputs, then the parameters.
typedef struct Names {
    const char **names;
    double *values; // of parameters; t and inputs are filled in at each evaluation
    bool *broken;   // could not be read: what uses them is not judged
    const Piece *inputs;
    int input_count;
    int parameter_count; // read so far
    int total;           // names, those of parameters not yet read included
} Names;

static inline int scene_name_count(const Names *names) // known so far
{
    return 1 + names->input_count + names->parameter_count;
}

// A function with several values; the data of a StiTimeFunction.
typedef struct Function {
    const Names *names;
    int count;
    const Piece *pieces;  // count of them
    int rates;            // how many derivatives follow the values (motion without v), 0 or count
    const double *breaks; // times that a difference quotient must not cross
    int break_count;
} Function;

bool scene_read_parameters(Reader *reader);
bool scene_read_inputs(Reader *reader);

// A number, an expression, or {csv: ...}; false after a message.
bool scene_read_piece(Reader *reader, const Node *node, const char *what, Piece *piece);
// A function or a list of them; 0 after a message.
int scene_read_pieces(Reader *reader, const Node *node, const char *what, int most, Piece *pieces);

StiTimeFunction scene_time_function(Reader *reader, const Piece *pieces, int count, int rates,
                                    const double *breaks, int break_count);

// Value, rate and acceleration of one coordinate, of which the first given are functions and the others
// their derivatives.
StiTimeFunction scene_drive_function(Reader *reader, const Piece *pieces, int given,
                                     const double *breaks, int break_count);

// Adds the jumps and kinks of the functions to those that are given, in order; how many there are then.
int scene_find_breaks(const Names *names, const Piece *pieces, int count, double *breaks, int given,
                      int most);

// The value of a constant expression of the parameters known so far.
bool scene_constant(Reader *reader, const Node *node, const char *what, double *value);

#endif
