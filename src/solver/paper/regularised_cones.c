// From least squares to friction: what sticks beyond its limit slides, (20)(21). The papers' own rule
// cuts such forces back and leaves the others as they are; then a contact that slides while it lands has
// no normal force at first. By default the others are solved again, with the normals of sliding
// contacts as unknowns that drag their friction along: f_n = -c_n/(A_nn - mu s A_nt) for one contact.
// Only rows that are to stand still count as residuals. (With the sliding rows among them, least
// squares would lift sliding bodies to spare friction.)
#include <math.h>

#include "solver/paper/regularised.h"
#include "law/norm.h"

enum { BLOCK_ROUNDS = 8 };
static const double usual_lambda = 1e-8; // of the square of A's diagonal
static const double rounding = 1e-12;    // of a limit
static const double noise = 1e-3;        // of the velocity that the tentative force takes away
static const double approaching = 1e-9;  // of the terms of a normal velocity

static bool slides(const RegularNode *node)
{
    return node->mode == MODE_SLIDE || node->mode == MODE_SMOOTH;
}

// ---- the problem for the present modes ----------------------------------------------------------

static double A(const RegularData *data, int row, int column)
{
    return data->A[(size_t)row * (size_t)data->row_count + (size_t)column];
}

// Velocity of a row per unknown: a sliding contact's normal force brings its friction along.
static double effect(const RegularData *data, const RegularNode *node, int unknown, int row)
{
    double sum = A(data, row, unknown);
    for (int d = 0; node->mode == MODE_SLIDE && d < 2; ++d)
        sum -= node->slide * node->direction[d] * A(data, row, node->row + d);
    return sum;
}

static void add_unknown(RegularData *data, const RegularNode *node, int row, double lambda)
{
    const int u = data->problem.unknowns++;
    const double own = A(data, row, row);
    data->column_row[u] = row;
    data->not_negative[u] = node->point && row == node->row + 2;
    data->problem.lambda[u] = lambda < 0.0 ? usual_lambda * own * own : lambda;
}

static void choose_unknowns(RegularData *data, double lambda)
{
    data->problem.unknowns = 0;
    for (int i = 0; i < data->node_count; ++i) {
        const RegularNode *node = &data->nodes[i];
        for (int d = 0; d < node->dim; ++d) {
            const int row = node->row + d;
            data->f[row] = slides(node) && !node->point ? -node->slide * node->direction[d] : 0.0;
            if (node->mode == MODE_STICK || (node->point && d == 2))
                add_unknown(data, node, row, lambda);
        }
    }
}

static double given_velocity(const RegularData *data, int row)
{
    double sum = data->c[row] + data->d[row];
    for (int i = 0; i < data->node_count; ++i) {
        const RegularNode *node = &data->nodes[i];
        for (int d = 0; !node->point && slides(node) && d < node->dim; ++d)
            sum += A(data, row, node->row + d) * data->f[node->row + d];
    }
    return sum;
}

static void fill_problem(RegularData *data)
{
    LeastSquares *p = &data->problem;
    p->rows = p->unknowns;
    for (int r = 0; r < p->rows; ++r) p->g[r] = given_velocity(data, data->column_row[r]);
    for (int i = 0, u = 0; i < data->node_count; ++i) {
        const RegularNode *node = &data->nodes[i];
        for (; u < p->unknowns && data->column_row[u] < node->row + node->dim; ++u)
            for (int r = 0; r < p->rows; ++r)
                p->B[(size_t)r * (size_t)p->unknowns + (size_t)u] =
                    effect(data, node, data->column_row[u], data->column_row[r]);
    }
}

static void read_forces(RegularData *data)
{
    for (int u = 0; u < data->problem.unknowns; ++u)
        data->f[data->column_row[u]] = data->problem.f[u];
    for (int i = 0; i < data->node_count; ++i) {
        const RegularNode *node = &data->nodes[i];
        for (int d = 0; node->point && slides(node) && d < 2; ++d)
            data->f[node->row + d] = node->mode == MODE_SLIDE ? -node->slide * node->direction[d] *
                                                                    data->f[node->row + 2]
                                                              : 0.0;
    }
}

static void solve_modes(RegularData *data, double lambda)
{
    choose_unknowns(data, lambda);
    fill_problem(data);
    sti_least_squares(&data->problem);
    read_forces(data);
}

// ---- what slides --------------------------------------------------------------------------------

static int tangents_of(const RegularNode *node) { return node->point ? 2 : node->dim; }

// Along the velocity; where there is none to speak of, so that the force keeps its direction.
static void set_direction(RegularData *data, RegularNode *node, bool literal)
{
    const int count = tangents_of(node);
    const double *v = data->start + node->row, *f = data->f + node->row;
    const double speed = sti_norm(count, v), force = sti_norm(count, f);
    double reach = 0.0;
    for (int d = 0; d < count; ++d)
        reach = fmax(reach, A(data, node->row + d, node->row + d) * force);
    const bool moves = literal ? speed > 0.0 : node->point && speed > noise * reach;
    for (int d = 0; d < count; ++d)
        node->direction[d] = moves ? v[d] / speed : force > 0.0 ? -f[d] / force : 0.0;
}

// How far beyond its limit, as a share of it; at most 1: it holds.
static double need(const RegularData *data, const RegularNode *node)
{
    const double *f = data->f + node->row;
    const double limit = node->point ? node->limit * f[2] : node->limit;
    const double force = sti_norm(tangents_of(node), f);
    return force > limit * (1.0 + rounding) ? force / limit : 1.0;
}

static void let_slide(RegularData *data, RegularNode *node, bool literal)
{
    set_direction(data, node, literal);
    node->mode = MODE_SLIDE;
}

// Contacts beyond their limits slide, and friction: all of it, or only the one furthest beyond. Returns how many
// began to slide.                                                                (20)(21)
static int release(RegularData *data, bool literal, bool one_only)
{
    RegularNode *worst = NULL;
    int count = 0;
    for (int i = 0; i < data->node_count; ++i) {
        RegularNode *node = &data->nodes[i];
        if (node->mode != MODE_STICK || !(need(data, node) > 1.0)) continue;
        const bool waits = one_only && !node->point;
        if (waits && (worst == NULL || need(data, node) > need(data, worst))) worst = node;
        if (waits) continue;
        let_slide(data, node, literal);
        ++count;
    }
    if (worst == NULL) return count;
    let_slide(data, worst, literal);
    return count + 1;
}

// Velocity along its direction at the end of the step, beside that of sticking, which takes a displacement back;
// size: of the terms that it is the sum of.
static double slip_along(const RegularData *data, const RegularNode *node, double *size)
{
    double along = 0.0;
    *size = 0.0;
    for (int d = 0; d < node->dim; ++d) {
        const int row = node->row + d;
        double v = data->c[row] + data->d[row];
        *size += fabs(v);
        for (int j = 0; j < data->row_count; ++j) {
            v += A(data, row, j) * data->f[j];
            *size += fabs(A(data, row, j) * data->f[j]);
        }
        along += node->direction[d] * v;
    }
    return along;
}

// Friction that would slide against its own direction sticks again: it was let go by what others needed that
// slide now. It would drive its joint otherwise. Returns how many.
static int take_back(RegularData *data, bool one_only)
{
    int count = 0;
    for (int i = 0; i < data->node_count; ++i) {
        RegularNode *node = &data->nodes[i];
        double size;
        if (node->point || node->mode != MODE_SLIDE) continue;
        if (!(slip_along(data, node, &size) < -rounding * size)) continue;
        node->mode = MODE_STICK;
        node->limit =
            fmax(node->limit, node->slide); // of the speed at the start it can take as much
        ++count;
        if (one_only) break;
    }
    return count;
}

// What slides although it has its static level goes over to that of sliding, one after the other: which of them do
// depends on what the others still hold. False: there is none.
static bool release_static(RegularData *data)
{
    RegularNode *worst = NULL;
    double most = 0.0;
    for (int i = 0; i < data->node_count; ++i) {
        RegularNode *node = &data->nodes[i];
        double size;
        if (!node->holds_static || node->mode != MODE_SLIDE) continue;
        const double slip = slip_along(data, node, &size) / A(data, node->row, node->row);
        if (worst == NULL || slip > most) {
            worst = node;
            most = slip;
        }
    }
    if (worst == NULL) return false;
    worst->holds_static = false;
    worst->slide = worst->limit = worst->kinetic;
    return true;
}

// The papers' own rule: cut back, and that is all.
static void cut_back(RegularData *data)
{
    for (int i = 0; i < data->node_count; ++i) {
        const RegularNode *node = &data->nodes[i];
        if (node->mode != MODE_SLIDE) continue;
        const double level = node->slide * (node->point ? data->f[node->row + 2] : 1.0);
        for (int d = 0; d < tangents_of(node); ++d)
            data->f[node->row + d] = -level * node->direction[d];
    }
}

// A sliding contact that still comes nearer, though its normal force is 0: friction would press it in
// harder than its normal force could lift it (Painleve). It goes without friction, and is reported.
static int smooth_stuck_normals(const StiNetwork *network, StiScratch *scratch)
{
    RegularData *data = regular_data(scratch);
    int count = 0;
    for (int i = 0; i < data->node_count; ++i) {
        RegularNode *node = &data->nodes[i];
        const int n = node->row + 2;
        if (!node->point || node->mode != MODE_SLIDE || data->f[n] > 0.0) continue;
        double v = data->c[n] + data->d[n], size = fabs(data->c[n]) + fabs(data->d[n]);
        for (int j = 0; j < data->row_count; ++j) {
            v += A(data, n, j) * data->f[j];
            size += fabs(A(data, n, j) * data->f[j]);
        }
        if (!(v < -approaching * size) || !(A(data, n, n) > 0.0)) continue;
        node->mode = MODE_SMOOTH;
        ++count;
        scratch->figures.unsolved_at =
            network->contacts[scratch->contacts->points[node->index].contact].name;
    }
    scratch->figures.unsolved += count;
    return count;
}

// ---- the answer ---------------------------------------------------------------------------------

static double sign(double v) { return v < 0.0 ? -1.0 : 1.0; }

static void levels_of_friction(const StiNetwork *network, const StiScratch *scratch)
{
    RegularData *data = regular_data(scratch);
    const bool literal = network->solver_constants.literal;
    for (int i = 0; i < data->node_count; ++i) {
        RegularNode *node = &data->nodes[i];
        if (node->point) continue;
        const Reaction *e = &network->reactions[node->index];
        const double *v = data->start + node->row;
        const double direction = node->dim == 1 ? sign(v[0]) : 0.0;
        const StiReactionLevel level =
            e->kind->level(e->parameters, scratch->stages[0].ports + e->port,
                           scratch->reactions->s + e->s, sti_norm(node->dim, v), direction);
        node->limit = level.sticking;
        node->slide = node->kinetic = level.slipping;
        node->holds_static = !literal && node->limit > node->kinetic;
        if (node->holds_static) node->slide = node->limit;
    }
}

static double residual(const RegularData *data)
{
    const LeastSquares *p = &data->problem;
    double most = 0.0;
    for (int r = 0; r < p->rows; ++r) {
        double sum = p->g[r];
        for (int u = 0; u < p->unknowns; ++u)
            sum += p->B[(size_t)r * (size_t)p->unknowns + (size_t)u] * p->f[u];
        if (p->f[r] != 0.0 || sum < 0.0 || !p->not_negative[r]) most = fmax(most, fabs(sum));
    }
    return most;
}

// Friction that no round found a mode for gives what it may, against the force that would hold it. Returns how many.
static int cut_unsettled(RegularData *data)
{
    int count = 0;
    for (int i = 0; i < data->node_count; ++i) {
        RegularNode *node = &data->nodes[i];
        if (node->point || node->mode != MODE_STICK || !(need(data, node) > 1.0)) continue;
        set_direction(data, node, false);
        node->mode = MODE_SLIDE;
        for (int d = 0; d < node->dim; ++d)
            data->f[node->row + d] = -node->slide * node->direction[d];
        ++count;
    }
    return count;
}

// Modes change, and all is solved again, until nothing has to change.
static void settle_modes(const StiNetwork *network, StiScratch *scratch, double lambda)
{
    RegularData *data = regular_data(scratch);
    const int limit = BLOCK_ROUNDS + 5 * data->node_count + 2;
    for (int round = 0; round < limit; ++round) {
        const bool one_only = round >= BLOCK_ROUNDS; // all at once may circle
        solve_modes(data, lambda);
        if (take_back(data, one_only) == 0 && release(data, false, one_only) == 0 &&
            smooth_stuck_normals(network, scratch) == 0 && !release_static(data))
            return;
    }
    solve_modes(data, lambda);
    scratch->figures.unsettled_joints += cut_unsettled(data);
}

void sti_regular_solve(const StiNetwork *network, StiScratch *scratch, Compliance compliance)
{
    RegularData *data = regular_data(scratch);
    data->problem.iterations = 0;
    levels_of_friction(network, scratch);
    if (network->solver_constants.literal) {
        solve_modes(data, compliance.lambda);
        release(data, true, false);
        cut_back(data);
    } else {
        settle_modes(network, scratch, compliance.lambda);
    }
    scratch->figures.block_iterations = data->problem.iterations;
    scratch->figures.reaction_residual = residual(data);
}
