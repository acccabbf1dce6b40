// The Pareto front: rows that no other beats.
#include <math.h>
#include <stdlib.h>

#include "stiction/study.h"

typedef struct Front {
    const double *measures;
    const int *goals;
    int columns;
} Front;

static double score(const Front *front, int64_t row, int column)
{
    return front->goals[column] * front->measures[row * front->columns + column];
}

// At least as good in all goals, and better in one.
static bool beats(const Front *front, int64_t a, int64_t b)
{
    bool better = false;
    for (int i = 0; i < front->columns; ++i) {
        if (front->goals[i] == 0) continue;
        if (score(front, a, i) < score(front, b, i)) return false;
        better = better || score(front, a, i) > score(front, b, i);
    }
    return better;
}

static bool is_whole(const Front *front, int64_t row)
{
    bool any = false;
    for (int i = 0; i < front->columns; ++i) {
        if (front->goals[i] == 0) continue;
        if (isnan(score(front, row, i))) return false;
        any = true;
    }
    return any;
}

// Each row against those that are on the front so far, which are few: what a new row beats leaves it.
bool sti_pareto_front(const double *measures, int64_t rows, int columns, const int *goals,
                      bool *front)
{
    const Front all = {measures, goals, columns};
    int64_t *members = malloc((size_t)(rows > 0 ? rows : 1) * sizeof *members), count = 0;
    if (members == NULL) return false;
    for (int64_t row = 0; row < rows; ++row) {
        front[row] = is_whole(&all, row);
        for (int64_t i = 0; i < count && front[row]; ++i)
            if (beats(&all, members[i], row)) front[row] = false;
        if (!front[row]) continue;
        int64_t kept = 0;
        for (int64_t i = 0; i < count; ++i) {
            if (beats(&all, row, members[i]))
                front[members[i]] = false;
            else
                members[kept++] = members[i];
        }
        members[kept++] = row;
        count = kept;
    }
    free(members);
    return true;
}
