// The order of elimination: always the row that has the fewest neighbours left. What has been eliminated
// is kept as elements: its neighbours, which are then neighbours of each other (a quotient graph, with
// the approximate degrees of Amestoy, Davis and Duff).
#include <string.h>

#include "algebra/sparse_blocks.h"

typedef struct Quotient {
    int count;
    int *start;           // of each row: rows next to it, then elements; never more than at first
    int *rows, *elements; // how many
    int *near;
    int *degree, *head, *next, *last; // rows by degree
    int *mark, *weight, *seen;        // weight of an element: rows outside the newest, if seen
} Quotient;

enum { ARRAYS = 10, GONE = -1 };

size_t sti_sparse_integers(int rows, int edges, int room)
{
    return (size_t)(3 * rows + 1 + room) + (size_t)(ARRAYS * rows + 2) + 2 * (size_t)edges;
}

static Quotient lay_out(const StiSparseBlocks *m)
{
    const int n = m->count;
    int *at = m->work;
    Quotient q = {.count = n};
    int **arrays[ARRAYS] = {&q.start, &q.rows, &q.elements, &q.degree, &q.head,
                            &q.next,  &q.last, &q.mark,     &q.weight, &q.seen};
    for (int i = 0; i < ARRAYS; ++i, at += n) *arrays[i] = at + (i > 0);
    q.near = at + 1;
    return q;
}

// Rows by degree, the last one put in first.
static void put(Quotient *q, int i, int degree)
{
    const int first = q->head[degree];
    q->degree[i] = degree;
    q->next[i] = first;
    q->last[i] = -1;
    if (first >= 0) q->last[first] = i;
    q->head[degree] = i;
}

static void take_out(Quotient *q, int i)
{
    if (q->next[i] >= 0) q->last[q->next[i]] = q->last[i];
    if (q->last[i] >= 0)
        q->next[q->last[i]] = q->next[i];
    else
        q->head[q->degree[i]] = q->next[i];
}

// Neighbours of each row, each once.
static void gather(Quotient *q, const int (*edges)[2], int edge_count)
{
    memset(q->start, 0, (size_t)(q->count + 1) * sizeof *q->start);
    for (int e = 0; e < edge_count; ++e) ++q->start[edges[e][0] + 1], ++q->start[edges[e][1] + 1];
    for (int i = 0; i < q->count; ++i) q->start[i + 1] += q->start[i];
    for (int i = 0; i < q->count; ++i) {
        q->rows[i] = q->elements[i] = 0;
        q->mark[i] = q->seen[i] = q->head[i] = -1;
    }
    for (int e = 0; e < edge_count; ++e)
        for (int k = 0; k < 2; ++k) {
            const int i = edges[e][k];
            q->near[q->start[i] + q->rows[i]++] = edges[e][1 - k];
        }
    for (int i = 0; i < q->count; ++i) {
        int *near = q->near + q->start[i], count = 0;
        for (int k = 0; k < q->rows[i]; ++k) {
            if (q->mark[near[k]] == i) continue;
            q->mark[near[k]] = i;
            near[count++] = near[k];
        }
        q->rows[i] = count;
    }
    for (int i = 0; i < q->count; ++i) q->mark[i] = -1;
    for (int i = q->count - 1; i >= 0; --i) put(q, i, q->rows[i]);
}

// The rows next to a pivot, through elements too, which it absorbs. Returns how many, or -1: no room.
static int gather_element(const StiSparseBlocks *m, Quotient *q, int pivot, int stamp, int room)
{
    const int *near = q->near + q->start[pivot], *elements = near + q->rows[pivot];
    int *to = m->row + m->first[stamp], count = 0;
    q->mark[pivot] = stamp;
    for (int k = 0; k < q->rows[pivot]; ++k) {
        if (q->mark[near[k]] == stamp) continue;
        if (count == room) return -1;
        q->mark[near[k]] = stamp;
        to[count++] = near[k];
    }
    for (int e = 0; e < q->elements[pivot]; ++e) {
        const int own = m->place[elements[e]];
        for (int k = m->first[own]; k < m->first[own + 1]; ++k) {
            const int i = m->row[k];
            if (q->mark[i] == stamp) continue;
            if (count == room) return -1;
            q->mark[i] = stamp;
            to[count++] = i;
        }
        q->degree[elements[e]] = GONE;
    }
    return count;
}

// How many rows of the elements around are outside the newest one.
static void weigh(const StiSparseBlocks *m, Quotient *q, int stamp)
{
    for (int k = m->first[stamp]; k < m->first[stamp + 1]; ++k) {
        const int i = m->row[k], *elements = q->near + q->start[i] + q->rows[i];
        for (int e = 0; e < q->elements[i]; ++e) {
            const int element = elements[e], own = m->place[element];
            if (q->degree[element] == GONE) continue;
            if (q->seen[element] != stamp) {
                q->seen[element] = stamp;
                q->weight[element] = m->first[own + 1] - m->first[own];
            }
            --q->weight[element];
        }
    }
}

// What row i is next to now: the newest element stands for all that are in it.
static void compress(const StiSparseBlocks *m, Quotient *q, int i, int pivot, int stamp)
{
    int *near = q->near + q->start[i], rows = 0, elements = 0, degree = 0;
    const int last_rows = q->rows[i], last_elements = q->elements[i];
    for (int k = 0; k < last_rows; ++k)
        if (q->mark[near[k]] != stamp) near[rows++] = near[k];
    for (int e = 0; e < last_elements; ++e) {
        const int element = near[last_rows + e];
        if (q->degree[element] == GONE || q->weight[element] == 0) continue;
        degree += q->weight[element];
        near[rows + elements++] = element;
    }
    near[rows + elements++] = pivot;
    q->rows[i] = rows;
    q->elements[i] = elements;
    degree += rows + m->first[stamp + 1] - m->first[stamp] - 1;
    const int most = q->count - stamp - 2;
    take_out(q, i);
    put(q, i, degree < most ? degree : most < 0 ? 0 : most);
}

static void sort(int *list, int count)
{
    for (int i = 1; i < count; ++i) {
        const int value = list[i];
        int k = i;
        for (; k > 0 && list[k - 1] > value; --k) list[k] = list[k - 1];
        list[k] = value;
    }
}

bool sti_sparse_order(StiSparseBlocks *m, int rows, const int (*edges)[2], int edge_count)
{
    m->count = rows;
    Quotient q = lay_out(m);
    gather(&q, edges, edge_count);
    m->first[0] = 0;
    for (int k = 0, least = 0; k < rows; ++k) {
        while (q.head[least] < 0) ++least;
        const int pivot = q.head[least];
        take_out(&q, pivot);
        const int count = gather_element(m, &q, pivot, k, m->room - m->first[k]);
        if (count < 0) return false;
        m->order[k] = pivot;
        m->place[pivot] = k;
        m->first[k + 1] = m->first[k] + count;
        q.degree[pivot] = count; // an element from now on
        weigh(m, &q, k);
        for (int i = m->first[k]; i < m->first[k + 1]; ++i) compress(m, &q, m->row[i], pivot, k);
        least = least > 0 ? least - 1 : 0;
        for (int i = m->first[k]; i < m->first[k + 1]; ++i)
            if (q.degree[m->row[i]] < least) least = q.degree[m->row[i]];
    }
    for (int k = 0; k < rows; ++k) {
        for (int i = m->first[k]; i < m->first[k + 1]; ++i) m->row[i] = m->place[m->row[i]];
        sort(m->row + m->first[k], m->first[k + 1] - m->first[k]);
    }
    return true;
}
