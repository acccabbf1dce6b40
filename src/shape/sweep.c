// Sort and sweep: shapes are sorted by where they begin along the widest axis; those that begin
// before another one ends are compared.
#include "shape/placed.h"

static double lower(const StiBounds *bounds, int axis)
{
    return axis == 0 ? bounds->lower.x : axis == 1 ? bounds->lower.y : bounds->lower.z;
}
static double upper(const StiBounds *bounds, int axis)
{
    return axis == 0 ? bounds->upper.x : axis == 1 ? bounds->upper.y : bounds->upper.z;
}

// ---- rules --------------------------------------------------------------------------------------

static int compare(StiPair p, StiPair q)
{
    if (p.a != q.a) return p.a < q.a ? -1 : 1;
    return p.b == q.b ? 0 : p.b < q.b ? -1 : 1;
}

static bool is_excluded(const StiPairRules *rules, StiPair pair)
{
    int low = 0, high = rules->excluded_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const int order = compare(rules->excluded[middle], pair);
        if (order == 0) return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

bool sti_pair_allowed(const StiPairRules *rules, StiPair pair)
{
    const StiOwner *const a = &rules->owners[pair.a], *const b = &rules->owners[pair.b];
    if (a->body == b->body) {
        if (a->body < 0 || a->link == b->link) return false;
        if (a->parent == b->link || b->parent == a->link) return false;
    }
    return !is_excluded(rules, pair);
}

// ---- sorting ------------------------------------------------------------------------------------

void sti_sweep_start(int *memory, int count)
{
    for (int i = 0; i < count; ++i) memory[i] = i;
}

typedef struct Sorting {
    const StiBounds *bounds;
    int axis;
} Sorting;

static bool before(const Sorting *sorting, int i, int j)
{
    const double a = lower(&sorting->bounds[i], sorting->axis);
    const double b = lower(&sorting->bounds[j], sorting->axis);
    return a < b || (a == b && i < j);
}

static void merge(const Sorting *sorting, int *order, int first, int middle, int end, int *spare)
{
    if (before(sorting, order[middle - 1], order[middle])) return; // in order already
    int i = first, j = middle, k = first;
    while (i < middle && j < end)
        spare[k++] = before(sorting, order[j], order[i]) ? order[j++] : order[i++];
    while (i < middle) spare[k++] = order[i++];
    for (int l = first; l < k; ++l) order[l] = spare[l];
}

static void sort(const Sorting *sorting, int *order, int count, int *spare)
{
    for (int width = 1; width < count; width *= 2)
        for (int first = 0; first + width < count; first += 2 * width) {
            const int end = first + 2 * width < count ? first + 2 * width : count;
            merge(sorting, order, first, first + width, end, spare);
        }
}

// Pairs are few; sorted in place. (heap sort)
static void sink(StiPair *pairs, int root, int count)
{
    for (int child = 2 * root + 1; child < count; root = child, child = 2 * root + 1) {
        if (child + 1 < count && compare(pairs[child], pairs[child + 1]) < 0) ++child;
        if (compare(pairs[root], pairs[child]) >= 0) return;
        const StiPair pair = pairs[root];
        pairs[root] = pairs[child];
        pairs[child] = pair;
    }
}

static void sort_pairs(StiPair *pairs, int count)
{
    for (int i = count / 2 - 1; i >= 0; --i) sink(pairs, i, count);
    for (int end = count - 1; end > 0; --end) {
        const StiPair pair = pairs[0];
        pairs[0] = pairs[end];
        pairs[end] = pair;
        sink(pairs, 0, end);
    }
}

// ---- the sweep ----------------------------------------------------------------------------------

// Spread of the middles of finite bounds.
static double spread(const StiBounds *bounds, int count, int axis)
{
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < count; ++i) {
        const double middle = 0.5 * (lower(&bounds[i], axis) + upper(&bounds[i], axis));
        if (!(fabs(middle) < INFINITY)) continue;
        least = fmin(least, middle);
        most = fmax(most, middle);
    }
    return most - least;
}

static int widest_axis(const StiBounds *bounds, int count)
{
    const double x = spread(bounds, count, 0), y = spread(bounds, count, 1);
    const double z = spread(bounds, count, 2);
    if (x >= y && x >= z) return 0;
    return y >= z ? 1 : 2;
}

static bool near_along(const StiBounds *a, const StiBounds *b, int axis, double margin)
{
    return lower(a, axis) - margin <= upper(b, axis) && lower(b, axis) - margin <= upper(a, axis);
}

int sti_sweep(const StiBounds *bounds, int count, const StiPairRules *rules, double margin,
              int *memory, int max, StiPair *pairs)
{
    const int axis = widest_axis(bounds, count), other = (axis + 1) % 3, third = (axis + 2) % 3;
    sort(&(Sorting){bounds, axis}, memory, count, memory + count);
    int found = 0;
    for (int i = 0; i < count; ++i) {
        const StiBounds *const a = &bounds[memory[i]];
        const double end = upper(a, axis) + margin;
        for (int j = i + 1; j < count && lower(&bounds[memory[j]], axis) <= end; ++j) {
            const StiBounds *const b = &bounds[memory[j]];
            if (!near_along(a, b, other, margin) || !near_along(a, b, third, margin)) continue;
            const StiPair pair = memory[i] < memory[j] ? (StiPair){memory[i], memory[j]}
                                                       : (StiPair){memory[j], memory[i]};
            if (!sti_pair_allowed(rules, pair)) continue;
            if (found < max) pairs[found] = pair;
            ++found;
        }
    }
    sort_pairs(pairs, found < max ? found : max);
    return found;
}
