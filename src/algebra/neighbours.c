#include "algebra/neighbours.h"

#include <string.h>

static void put_at(int *numbers, int from, int to)
{
    const int number = numbers[from];
    memmove(&numbers[to + 1], &numbers[to], (size_t)(from - to) * sizeof *numbers);
    numbers[to] = number;
}

static int fewest_neighbours(const int *degrees, int from, int count)
{
    int best = from;
    for (int i = from + 1; i < count; ++i)
        if (degrees[i] < degrees[best]) best = i;
    return best;
}

void sti_order_neighbours(int count, int *items, int *degrees,
                          bool (*touch)(const void *context, int a, int b), const void *context)
{
    for (int i = 0; i < count; ++i) {
        degrees[i] = 0;
        for (int k = 0; k < count; ++k) degrees[i] += touch(context, items[k], items[i]);
    }
    for (int done = 0, front = 0; done < count; ++front) {
        if (front == done) { // a new island: its loneliest member first
            const int best = fewest_neighbours(degrees, done, count);
            put_at(items, best, done);
            put_at(degrees, best, done++);
        }
        for (int i = done; i < count; ++i)
            if (touch(context, items[front], items[i])) {
                put_at(items, i, done);
                put_at(degrees, i, done++);
            }
    }
}
