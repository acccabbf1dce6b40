// What held in the last step mostly still holds, with the forces that it had: then nothing has to be
// built or solved. The same looks as those of an island, at the rows as the caller has them.
#include "cone/look.h"
#include "cone/rows.h"

// One island of points of contact, all of which stuck before? (One alone is solved exactly instead.)
static bool may_hold(const StiBlock *block)
{
    const int count = block->node_count;
    if (count < 2 || block->pairs == NULL || block->W_size == NULL) return false;
    if (!block->resumed) return false; // it may be an answer of many, and not the one wanted
    if (block->pair_count != count * (count + 1) / 2) return false;
    for (int i = 0; i < count; ++i) {
        const StiBlockNode *node = &block->nodes[i];
        if (!node->stuck_before || node->kind != STI_BLOCK_CONTACT || node->dim != 3) return false;
        if (node->sliding) return false;
    }
    return true;
}

static inline void add_force(const double *W, int stride, const double *f, double *v)
{
    for (int k = 0; k < 3; ++k, W += stride) v[k] += W[0] * f[0] + W[1] * f[1] + W[2] * f[2];
}

static inline void add_transposed(const double *W, int stride, const double *f, double *v)
{
    const double *x = W, *y = W + stride, *z = y + stride;
    for (int k = 0; k < 3; ++k) v[k] += x[k] * f[0] + y[k] * f[1] + z[k] * f[2];
}

// v += W f of node i: itself, then the others. False if the pairs are in another order than that of
// a triangle.
static bool add_forces(const StiBlock *block, const double *f, int i, double *v)
{
    const StiBlockPair *line = block->pairs + i * (i + 1) / 2, *pair = line + i;
    if (pair->a != i || pair->b != i) return false;
    add_force(block->W + pair->place, pair->stride, f + 3 * i, v);
    for (int j = 0; j < i; ++j) {
        if (line[j].a != i || line[j].b != j) return false;
        add_force(block->W + line[j].place, line[j].stride, f + 3 * j, v);
    }
    for (int j = i + 1; j < block->node_count; ++j) {
        pair += j; // (j, i)
        if (pair->a != j || pair->b != i) return false;
        add_transposed(block->W + pair->place, pair->stride, f + 3 * j, v);
    }
    return true;
}

typedef struct Held {
    double Wf_most, residual;
    int worst;
} Held;

// v becomes the velocity. False if it does not stick, or if more than `most` is left.
static bool holds(const StiBlock *block, const double *f, int i, double most, double *v, Held *held)
{
    const StiBlockNode *given = &block->nodes[i];
    const StiBlockPair *own = block->pairs + i * (i + 1) / 2 + i;
    IslandNode node;
    BlockLocal local;
    node.contact = true;
    node.tangents = NORMAL;
    if (!add_forces(block, f, i, v)) return false;
    sti_gather_W(&node, block->W + own->place, own->stride, block->W_size[3 * i + 2], &local);
    local.limit = given->limit_static > given->limit ? given->limit_static : given->limit;
    const double left = sti_look_at_contact(&node, &local, f + 3 * i, v);
    if (node.mode != STI_BLOCK_STICK || !(local.limit > 0.0) || !(left <= most)) return false;
    held->Wf_most = sti_larger(sti_Wf_of(&node, &local, f + 3 * i), held->Wf_most);
    if (left <= held->residual) return true;
    held->residual = left;
    held->worst = i;
    return true;
}

bool sti_block_still_holds(const StiBlock *block, StiBlockAnswer *answer)
{
    const int count = block->node_count;
    double c_most = 0.0, *v = answer->v;
    if (!may_hold(block)) return false;
    for (int i = 0; i < count; ++i) {
        const double *size = block->c_size != NULL ? block->c_size + 3 * i : NULL;
        c_most = sti_larger(sti_gather_c(3, NORMAL, block->c + 3 * i, size, v + 3 * i), c_most);
    }
    Held held = {.worst = sti_complete_order(count, 0)};
    for (int k = 0; k < count; ++k) {
        const int i = sti_complete_order(count, k);
        if (!holds(block, answer->f, i, STI_ACCEPTED * STI_CANCELLING * c_most, v + 3 * i, &held))
            return false;
    }
    if (held.residual > STI_ACCEPTED * sti_velocity_in_play(c_most, held.Wf_most)) return false;
    for (int i = 0; i < count; ++i) {
        v[3 * i] = v[3 * i + 1] = v[3 * i + 2] = 0.0;
        answer->mode[i] = STI_BLOCK_STICK;
        if (answer->released != NULL) answer->released[i] = false;
        if (answer->order != NULL) answer->order[i] = sti_complete_order(count, i);
    }
    answer->residual = answer->left = held.residual;
    answer->worst = held.worst;
    answer->islands = 1;
    return true;
}
