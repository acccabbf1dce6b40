// The equations' forces. W is factored with pivots, W = L L^T, L as wide as its rank: where equations
// repeat each other W^+ = L (L^T L)^-2 L^T gives the forces of least norm.
#include <math.h>
#include <string.h>

#include "algebra/cholesky.h"
#include "algebra/slices.h"
#include "assembly/assembly.h"
#include "robot/recursion.h"

// A row whose own share of W is below this part of it only repeats others.
static const double repeats = 1e-11;
// What equations leave of a response that they take away entirely is rounding, of either sign.
static const double cancelled = 1e-13;
// A row with less than this part of the largest one has nothing that could move along it.
static const double nothing = 1e-20;

AssemblyMemory sti_assembly_memory(const Assembly *a, double *memory)
{
    AssemblyMemory m = {0};
    const int rows = a->row_count, all = a->velocities;
    const int frame = (int)(sizeof(StiFrame) / sizeof(double)),
              row = (int)(sizeof(EquationRow) / sizeof(double)) + 1;
    struct {
        void *to; // the address of a pointer
        int size;
    } parts[] = {
        {&m.prepared, a->prepared},
        {&m.J, rows * all},
        {&m.columns, rows * all},
        {&m.factor, rows * rows},
        {&m.gram, rows * rows},
        {&m.W, rows * rows},
        {&m.scale, rows},
        {&m.order, rows + 1},
        {&m.C, rows},
        {&m.rate, rows},
        {&m.force, rows},
        {&m.work, rows},
        {&m.rows, rows * row},
        {&m.generalized, all},
        {&m.dv, all},
        {&m.locked, all},
        {&m.wrenches, 6 * a->links},
        {&m.frames, frame * a->links},
        {&m.moved, frame * a->links},
        {&m.bias, 6 * a->links},
        {&m.rest, 0},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
        if (memory != NULL) {
            void *at = memory + m.size;
            memcpy(parts[i].to, &at, sizeof at);
        }
        m.size += parts[i].size;
    }
    return m;
}

static bool takes_part(const Equation *e, int member)
{
    if (e->loop) return e->a.member == member || e->b.member == member;
    for (int k = 0; k < e->term_count; ++k)
        if (e->terms[k].member == member) return true;
    return false;
}

static StiForce force_on(const Member *b, const AssemblyMemory *m)
{
    return (StiForce){m->generalized + b->v, m->wrenches + b->link};
}

static void clear_force(const Assembly *a, const AssemblyMemory *m)
{
    memset(m->generalized, 0, (size_t)a->velocities * sizeof *m->generalized);
    memset(m->wrenches, 0, (size_t)a->links * sizeof *m->wrenches);
}

// H^-1 J^T of one row.
static void set_column(const Assembly *a, const Equation *e, int row, const double *q,
                       AssemblyMemory *m)
{
    double *column = m->columns + row * a->velocities;
    memset(column, 0, (size_t)a->velocities * sizeof *column);
    clear_force(a, m);
    sti_equation_push(e, row, 1.0, m, m->generalized, m->wrenches);
    for (int i = 0; i < a->member_count; ++i) {
        const Member *b = &a->members[i];
        const StiForce force = force_on(b, m);
        if (takes_part(e, i))
            b->kind->respond(b->parameters, m->prepared + b->prepared, q + b->q, &force,
                             column + b->v);
    }
}

// The rows' wrenches on a robot, carried to the root: linear in its links.
static void add_robot(const Member *b, const EquationRow *row, AssemblyMemory *m, double *J)
{
    const RobotMemory robot = sti_robot_memory(b->robot, m->prepared + b->prepared);
    StiWrench *loads = m->wrenches + b->link;
    memset(loads, 0, (size_t)b->size.links * sizeof *loads);
    for (int side = 0; side < 2; ++side) {
        const int link = row->link[side] - b->link;
        if (row->link[side] >= 0 && link >= 0 && link < b->size.links)
            loads[link] = sti_wrench_add(loads[link], row->wrench[side]);
    }
    sti_robot_collect(b->robot, robot.spots, loads);
    sti_robot_efforts(b->robot, robot.axes, m->dv, loads, J + b->v); // m->dv is 0
}

// Other bodies have few velocities: one after the other.
static void add_body(const Member *b, const EquationRow *row, const double *q, AssemblyMemory *m,
                     double *J)
{
    for (int k = 0; k < b->size.velocities; ++k) {
        m->dv[b->v + k] = 1.0;
        b->kind->pose(b->parameters, q + b->q, m->dv + b->v, NULL, m->moved + b->link);
        m->dv[b->v + k] = 0.0;
        for (int side = 0; side < 2; ++side) {
            const int link = row->link[side];
            if (link < b->link || link >= b->link + b->size.links) continue;
            const StiFrame *frame = &m->moved[link];
            J[b->v + k] += sti_wrench_power(row->wrench[side], (StiTwist){frame->w, frame->v});
        }
    }
}

static void set_J(const Assembly *a, const Equation *e, int row, const double *q, AssemblyMemory *m)
{
    double *J = m->J + row * a->velocities;
    memset(J, 0, (size_t)a->velocities * sizeof *J);
    for (int k = 0; k < e->term_count; ++k) J[e->terms[k].velocity] += e->terms[k].factor;
    for (int i = 0; e->loop && i < a->member_count; ++i) {
        const Member *b = &a->members[i];
        if (!takes_part(e, i)) continue;
        if (b->robot != NULL)
            add_robot(b, &m->rows[row], m, J);
        else
            add_body(b, &m->rows[row], q, m, J);
    }
}

void sti_assembly_rates(const Assembly *a, const AssemblyMemory *m, const double *v, double *rates)
{
    for (int row = 0; row < a->row_count; ++row)
        rates[row] = sti_dot(a->velocities, m->J + row * a->velocities, v);
}

// The row with the largest part left that those before do not explain; -1: none has any.
static int next_pivot(int n, const double *left, const double *scale, const double *order, int rank)
{
    int best = -1;
    double most = repeats;
    for (int i = rank; i < n; ++i) {
        const int row = (int)order[1 + i];
        const double share = left[row] * scale[row];
        if (share > most) {
            most = share;
            best = i;
        }
    }
    return best;
}

static double largest_own(int n, const double *W, int from, int to)
{
    double most = 0.0;
    for (int i = from; i < to; ++i) most = fmax(most, W[i * n + i]);
    return most;
}

// Rows of one loop that have the same unit are measured by the largest of them: a planar loop in space has a row
// along its normal, which next to nothing moves along and which must not be a pivot.
static void set_scales(const Assembly *a, AssemblyMemory *m)
{
    const int n = a->row_count;
    const double most = largest_own(n, m->W, 0, n);
    for (int k = 0; k < a->equation_count; ++k) {
        const Equation *e = &a->equations[k];
        const int forces = e->loop ? e->row + sti_loop_force_rows(e->type) : e->row;
        const double force = largest_own(n, m->W, e->row, forces),
                     moment = largest_own(n, m->W, forces, e->row + e->rows);
        for (int i = e->row; i < e->row + e->rows; ++i)
            m->scale[i] =
                m->W[i * n + i] > nothing * most ? 1.0 / (i < forces ? force : moment) : 0.0;
    }
}

// W = L L^T. L has a row for each row of W, as wide as the rank.
static int factor_by_pivots(int n, int most_rank, AssemblyMemory *m)
{
    double *L = m->factor, *left = m->work;
    int rank = 0;
    for (int i = 0; i < n; ++i) {
        left[i] = m->W[i * n + i];
        m->order[1 + i] = i;
    }
    for (int pivot;
         rank < most_rank && (pivot = next_pivot(n, left, m->scale, m->order, rank)) >= 0; ++rank) {
        const double kept = m->order[1 + rank];
        m->order[1 + rank] = m->order[1 + pivot];
        m->order[1 + pivot] = kept;
        const int p = (int)m->order[1 + rank];
        const double root = sqrt(left[p]);
        for (int i = 0; i < n; ++i) L[i * n + rank] = 0.0;
        L[p * n + rank] = root;
        for (int k = rank + 1; k < n; ++k) {
            const int i = (int)m->order[1 + k];
            const double sum = m->W[i * n + p] - sti_dot(rank, L + i * n, L + p * n);
            L[i * n + rank] = sum / root;
            left[i] -= L[i * n + rank] * L[i * n + rank];
        }
    }
    m->order[0] = rank;
    return rank;
}

static bool factor_gram(int n, int rank, AssemblyMemory *m)
{
    for (int i = 0; i < rank; ++i)
        for (int j = 0; j <= i; ++j) {
            double sum = 0.0;
            for (int k = 0; k < n; ++k) sum += m->factor[k * n + i] * m->factor[k * n + j];
            m->gram[i * rank + j] = sum;
        }
    return sti_cholesky_factor(rank, m->gram);
}

StiStatus sti_assembly_prepare(const Assembly *a, const double *q, const bool *locked,
                               const double *added, AssemblyMemory *m)
{
    const int n = a->row_count;
    memset(m->dv, 0, (size_t)a->velocities * sizeof *m->dv);
    for (int i = 0; i < a->member_count; ++i) {
        const Member *b = &a->members[i];
        const StiStatus status =
            b->kind->prepare(b->parameters, q + b->q, locked != NULL ? locked + b->v : NULL,
                             added != NULL ? added + b->v : NULL, m->prepared + b->prepared);
        if (status != STI_OK) return status;
    }
    for (int i = 0; i < a->equation_count; ++i) {
        const Equation *e = &a->equations[i];
        for (int row = e->row; row < e->row + e->rows; ++row) {
            set_J(a, e, row, q, m);
            set_column(a, e, row, q, m);
        }
    }
    for (int row = 0; row < n; ++row)
        sti_assembly_rates(a, m, m->columns + row * a->velocities, m->W + row * n);
    set_scales(a, m);
    const int rank = factor_by_pivots(n, a->rank, m);
    return rank == n || factor_gram(n, rank, m) ? STI_OK : STI_BAD_ARGUMENT;
}

int sti_assembly_rank(const Assembly *a, const AssemblyMemory *m)
{
    (void)a;
    return (int)m->order[0];
}

// L y = x, then L^T f = y, by the pivots.
static void solve_fully(int n, const AssemblyMemory *m, double *x)
{
    for (int k = 0; k < n; ++k) {
        const int i = (int)m->order[1 + k];
        const double *L = m->factor + i * n;
        for (int j = 0; j < k; ++j) x[i] -= L[j] * x[(int)m->order[1 + j]];
        x[i] /= L[k];
    }
    for (int k = n - 1; k >= 0; --k) {
        const int i = (int)m->order[1 + k];
        for (int j = k + 1; j < n; ++j) {
            const int later = (int)m->order[1 + j];
            x[i] -= m->factor[later * n + k] * x[later];
        }
        x[i] /= m->factor[i * n + k];
    }
}

static void solve_least(int n, int rank, const AssemblyMemory *m, double *x)
{
    double *y = m->work;
    for (int j = 0; j < rank; ++j) {
        y[j] = 0.0;
        for (int i = 0; i < n; ++i) y[j] += m->factor[i * n + j] * x[i];
    }
    sti_cholesky_solve(rank, m->gram, y);
    sti_cholesky_solve(rank, m->gram, y);
    for (int i = 0; i < n; ++i) x[i] = sti_dot(rank, m->factor + i * n, y);
}

void sti_assembly_solve(const Assembly *a, AssemblyMemory *m, const double *rates, double *force)
{
    const int n = a->row_count, rank = (int)m->order[0];
    for (int i = 0; i < n; ++i) force[i] = -rates[i];
    if (rank == n)
        solve_fully(n, m, force);
    else
        solve_least(n, rank, m, force);
}

void sti_assembly_accelerate(const Assembly *a, const AssemblyMemory *m, const double *force,
                             double *v)
{
    for (int row = 0; row < a->row_count; ++row)
        for (int k = 0; k < a->velocities; ++k)
            v[k] += force[row] * m->columns[row * a->velocities + k];
}

void sti_assembly_respond(const Assembly *a, const double *q, const StiForce *force, double *dv,
                          AssemblyMemory *m)
{
    for (int i = 0; i < a->member_count; ++i) {
        const Member *b = &a->members[i];
        const StiForce own = {force->generalized + b->v, force->links + b->link};
        b->kind->respond(b->parameters, m->prepared + b->prepared, q + b->q, &own, dv + b->v);
    }
    sti_assembly_rates(a, m, dv, m->rate);
    sti_assembly_solve(a, m, m->rate, m->force);
    for (int k = 0; k < a->velocities; ++k) {
        double sum = dv[k], size = fabs(dv[k]);
        for (int row = 0; row < a->row_count; ++row) {
            const double part = m->force[row] * m->columns[row * a->velocities + k];
            sum += part;
            size += fabs(part);
        }
        dv[k] = fabs(sum) > cancelled * size ? sum : 0.0;
    }
}
