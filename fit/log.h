// Private: measured logs.
#ifndef STICTION_FIT_LOG_H
#define STICTION_FIT_LOG_H

#include "messages.h"

typedef struct Log {
    char *file;
    int rows, columns;
    char **names;
    double *values; // column after column
    double *t;      // the column of the time, one of them
} Log;

// False after a message with file, line and column. time NULL: the first column.
bool log_read(Log *log, const char *file, const char *time, StiMessages *messages);
void log_release(Log *log);
// An expression of the columns in every row, to be freed. NULL after a message.
double *log_evaluate(const Log *log, const char *expression, const char *what,
                     StiMessages *messages);
// The usual distance of its times, s.
double log_interval(const Log *log);

// The deviation of its noise: of what differs from the parabola through neighbours.
double log_noise(const Log *log, const double *values);

#endif
