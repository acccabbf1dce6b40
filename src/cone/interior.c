// The interior point: all nodes well inside their cones at first, then towards the surface, with
// Coulomb's shift |v_t| as a part of Newton's method. A contact has x = (mu f_n, f_t) and
// z = (v_n/mu + |v_t|, v_t), friction within a limit x = (F, f) and z = (s, v) with a fixed head,
// rows that always hold have no cone:
//
//     z = P^-1 (c + W f) + |z_t| e,  x o z = tau e,  tau -> 0
//
// It ends where Newton's method, from the modes that show, finds the answer to rounding.
#include <math.h>
#include <string.h>

#include "cone/by_bodies.h"
#include "cone/equations.h"

enum { ITERATIONS = 80, SHORTENINGS = 12 };
static const double first_try = 1e-5;    // of tau and residual: Newton may end it
static const double next_try = 0.05;     // of those of the last try
static const double from_surface = 0.95; // of the way to it
static const double shorter = 0.7;
static const double central = 1e-4; // of tau: the least product of eigenvalues
static const double stalled = 1e-8;
static const double ended = 1e-13; // tau: no more than rounding is left
static const double nearly = 1e-6; // of the largest c: residuals there

typedef struct Interior {
    Island *island;
    double speed, force; // what 1 stands for
    int cones;
    double tau;   // mean of x.z
    double left;  // largest residual of the equations
    double moved; // share of the last step that was taken
} Interior;

// ---- nodes and their cones ----------------------------------------------------------------------

// Where row k of a node is in its cone.
static inline int place_in_cone(const IslandNode *node, int k)
{
    return node->contact && k == node->unknowns - 1 ? 0 : k + 1;
}

static inline bool rubs(const IslandNode *node) { return node->contact && node->cone > 1; }

// A force is x times this times `force`, a velocity z over it times `speed`.
static inline double factor_of(const Cone *cone, int place)
{
    return place == 0 ? cone->inverse : 1.0;
}

// Contacts without friction and contacts that slide along a line are half lines.
static void choose_cone(const BlockLocal *local, IslandNode *node, Cone *cone)
{
    const bool free = local->limit > 0.0, holds = local->limit == INFINITY;
    const int tangents = free ? node->tangents : 0;
    for (int k = 0; k < tangents; ++k) node->slot[k] = k;
    node->slot[tangents] = NORMAL;
    node->follower = -1;
    const bool moves = !node->contact || local->W_n > 0.0;
    node->unknowns = moves ? tangents + node->contact : 0;
    node->cone = node->unknowns == 0 || holds ? 0 : tangents + 1;
    cone->inverse = rubs(node) ? 1.0 / local->limit : 1.0;
}

// Newton's tries have their own numbering.
static void number_rows(Island *island)
{
    island->rows = 0;
    for (int i = 0; i < island->count; ++i) {
        IslandNode *node = &island->nodes[i];
        choose_cone(&island->local[i], node, &island->cones[i]);
        node->base = island->rows;
        island->rows += node->unknowns;
    }
}

// False if nothing moves.
static bool choose_scales(Interior *in)
{
    const Island *island = in->island;
    double most = 0.0, sum = 0.0;
    int count = 0;
    for (int i = 0; i < island->count; ++i) {
        const IslandNode *node = &island->nodes[i];
        for (int k = 0; k < node->unknowns; ++k) {
            const double by = factor_of(&island->cones[i], place_in_cone(node, k));
            const double W = island->W[9 * node->first + 4 * node->slot[k]] * by * by;
            most = sti_larger(fabs(island->c[3 * i + node->slot[k]]) * by, most);
            sum += W > 0.0 ? W : 0.0;
            count += W > 0.0;
        }
        in->cones += node->cone > 0;
    }
    in->speed = most;
    in->force = most * count / sum;
    return in->cones > 0 && in->force > 0.0 && in->force < INFINITY;
}

static void start(Interior *in)
{
    for (int i = 0; i < in->island->count; ++i) {
        const IslandNode *node = &in->island->nodes[i];
        Cone *cone = &in->island->cones[i];
        for (int k = 0; k < CONE_MOST; ++k) cone->x[k] = cone->z[k] = cone->r[k] = 0.0;
        cone->x[0] = node->contact ? 1.0 : in->island->local[i].limit / in->force;
        cone->z[0] = 1.0;
    }
}

// ---- the point ----------------------------------------------------------------------------------

// Forces of x and their velocities.
static void write_forces(const Interior *in)
{
    Island *island = in->island;
    for (int i = 0; i < island->count; ++i) {
        const IslandNode *node = &island->nodes[i];
        const Cone *cone = &island->cones[i];
        double *f = island->f + 3 * i;
        f[0] = f[1] = f[2] = 0.0;
        for (int k = 0; k < node->unknowns; ++k) {
            const int place = place_in_cone(node, k);
            f[node->slot[k]] = cone->x[place] * factor_of(cone, place) * in->force;
        }
    }
    sti_island_velocity(island);
}

// What is left of one node's equations, and the direction of its slip.
static void look_at(const Interior *in, int i, double *most)
{
    const IslandNode *node = &in->island->nodes[i];
    Cone *cone = &in->island->cones[i];
    const double slip = rubs(node) ? sti_cone_tail(cone->z, node->cone) : 0.0;
    cone->d[0] = slip > 0.0 ? cone->z[1] / slip : 0.0;
    cone->d[1] = slip > 0.0 && node->cone > 2 ? cone->z[2] / slip : 0.0;
    for (int k = 0; k < node->unknowns; ++k) {
        const int place = place_in_cone(node, k);
        const double v = in->island->v[3 * i + node->slot[k]] / in->speed;
        const double z = node->cone > 0 ? cone->z[place] : 0.0;
        cone->r[place] = v * factor_of(cone, place) - z + (place == 0 ? slip : 0.0);
        *most = sti_larger(fabs(cone->r[place]), *most);
    }
}

// tau, residual, scalings; false if the point has left its cones or is not a number.
static bool look(Interior *in)
{
    const Island *island = in->island;
    double power = 0.0, most = 0.0;
    bool inside = true;
    for (int i = 0; i < island->count; ++i) {
        const int n = island->nodes[i].cone;
        Cone *cone = &island->cones[i];
        look_at(in, i, &most);
        if (n == 0) continue;
        power += sti_cone_dot(cone->x, cone->z, n);
        inside = sti_cone_prepare(cone, n) && inside;
    }
    in->tau = power / in->cones;
    in->left = most;
    return inside && isfinite(power) && isfinite(most);
}

// ---- one step -----------------------------------------------------------------------------------

// L Theta of a node, one number.
static double theta_of(const IslandNode *node, const Cone *cone, int a, int b)
{
    double sum = cone->theta[a][b];
    for (int t = 1; a == 0 && t < node->cone; ++t) sum -= cone->d[t - 1] * cone->theta[t][b];
    return sum;
}

// L Theta into the square of a node: L = 1 - e (0, d)^T.
static void add_theta(const Island *island, const Envelope *envelope, int i)
{
    const IslandNode *node = &island->nodes[i];
    const Cone *cone = &island->cones[i];
    for (int k = 0; node->cone > 0 && k < node->unknowns; ++k)
        for (int l = 0; l < node->unknowns; ++l) {
            const int a = place_in_cone(node, k), b = place_in_cone(node, l);
            *sti_place(island, envelope, node->base + k, node->base + l) +=
                theta_of(node, cone, a, b);
        }
}

// The same equations in the velocities of bodies.
static bool factor_bodies(const Interior *in)
{
    Island *island = in->island;
    const double unit = in->force / in->speed;
    if (!island->fits) return false;
    sti_bodies_clear(island);
    for (int i = 0; i < island->count; ++i) {
        const IslandNode *node = &island->nodes[i];
        const Cone *cone = &island->cones[i];
        NodeEquations e = {.gain = sqrt(unit), .by = {1.0, 1.0, 1.0}};
        for (int k = 0; k < node->unknowns; ++k) {
            const int slot = node->slot[k], a = place_in_cone(node, k);
            e.by[slot] = factor_of(cone, a);
            e.B[k][slot] = 1.0;
            e.A[k][k] = island->W[9 * node->first + 4 * slot] > 0.0
                            ? unit * e.by[slot] * e.by[slot] * island->softness
                            : 0.0;
            for (int l = 0; node->cone > 0 && l < node->unknowns; ++l)
                e.A[k][l] += theta_of(node, cone, a, place_in_cone(node, l));
        }
        if (!sti_bodies_add(island, i, &e)) return false;
    }
    return sti_bodies_factor(island);
}

// P^-1 W P^-1 + L Theta.
static bool factor(const Interior *in)
{
    Island *island = in->island;
    island->factored = -1.0;
    if (island->bodies > 0) return factor_bodies(in);
    const int size = sti_island_lay_out(island);
    const double unit = in->force / in->speed;
    memset(island->factor, 0, (size_t)(2 * size + island->rows) * sizeof *island->factor);
    const Envelope envelope = sti_envelope_of(island);
    for (int i = 0; i < island->count; ++i) {
        const IslandNode *node = &island->nodes[i];
        for (int e = node->first; e < node->end; ++e) {
            const int j = island->neighbour[e];
            const IslandNode *other = &island->nodes[j];
            for (int k = 0; k < node->unknowns; ++k)
                for (int l = 0; l < other->unknowns; ++l)
                    *sti_place(island, &envelope, node->base + k, other->base + l) =
                        unit * island->W[9 * e + 3 * node->slot[k] + other->slot[l]] *
                        factor_of(&island->cones[i], place_in_cone(node, k)) *
                        factor_of(&island->cones[j], place_in_cone(other, l));
        }
        add_theta(island, &envelope, i);
    }
    return sti_factor_envelope(&envelope, 0.0);
}

// q from what is wanted of x o z to dz without dx, and what that asks of a node's rows.
static void write_wanted(const IslandNode *node, Cone *cone, double *x)
{
    double quotient[CONE_MOST];
    if (node->cone > 0) {
        sti_cone_divide(cone->lambda, cone->q, node->cone, quotient);
        sti_cone_scale(cone, quotient, node->cone, -1.0, cone->q);
    }
    for (int k = 0; k < node->unknowns; ++k) {
        const int place = place_in_cone(node, k);
        x[k] = (node->cone > 0 ? cone->q[place] : 0.0) - cone->r[place];
        for (int t = 1; place == 0 && t < node->cone; ++t) x[k] -= cone->d[t - 1] * cone->q[t];
    }
}

static void read_direction(const IslandNode *node, const double *x, Cone *cone)
{
    cone->dx[0] = 0.0;
    for (int k = 0; k < node->unknowns; ++k) cone->dx[place_in_cone(node, k)] = x[k];
    for (int a = 0; a < node->cone; ++a)
        cone->dz[a] = cone->q[a] - sti_cone_dot(cone->theta[a], cone->dx, node->cone);
}

// q of all cones is what is wanted of x o z: then dx and dz.
static void find_direction(const Interior *in)
{
    const Island *island = in->island;
    double *x = island->solution;
    for (int i = 0; i < island->count; ++i)
        write_wanted(&island->nodes[i], &island->cones[i], x + island->nodes[i].base);
    if (island->bodies > 0) {
        sti_bodies_solve(island, x);
    } else {
        const Envelope envelope = sti_envelope_of(island);
        sti_solve_envelope(&envelope, x);
    }
    for (int i = 0; i < island->count; ++i)
        read_direction(&island->nodes[i], x + island->nodes[i].base, &island->cones[i]);
}

static double reach(const Interior *in)
{
    double a = 1e9;
    for (int i = 0; i < in->island->count; ++i) {
        const int n = in->island->nodes[i].cone;
        const Cone *cone = &in->island->cones[i];
        if (n == 0) continue;
        a = fmin(a,
                 fmin(sti_cone_reach(cone->x, cone->dx, n), sti_cone_reach(cone->z, cone->dz, n)));
    }
    return a;
}

// Predictor: straight to tau = 0. Returns which part of tau the corrector should aim at.
static double predict(const Interior *in)
{
    const Island *island = in->island;
    double power = 0.0;
    for (int i = 0; i < island->count; ++i) {
        Cone *cone = &island->cones[i];
        sti_cone_product(cone->lambda, cone->lambda, island->nodes[i].cone, cone->q);
        for (int k = 0; k < island->nodes[i].cone; ++k) cone->q[k] = -cone->q[k];
    }
    find_direction(in);
    const double a = fmin(1.0, reach(in));
    for (int i = 0; i < island->count; ++i)
        if (island->nodes[i].cone > 0)
            sti_cone_least(&island->cones[i], a, island->nodes[i].cone, &power);
    const double share = fmin(1.0, fmax(power / in->cones, 0.0) / in->tau);
    double aim = share * share * share;
    if (a < 0.9) aim = fmax(aim, 0.1 * (1.0 - a) * (1.0 - a));
    if (in->moved < 0.3) aim = fmax(aim, 0.5);
    return fmax(aim, fmin(1.0, 0.1 * in->left / in->tau));
}

static void correct(const Interior *in, double aim)
{
    for (int i = 0; i < in->island->count; ++i) {
        const int n = in->island->nodes[i].cone;
        Cone *cone = &in->island->cones[i];
        double dx[CONE_MOST], dz[CONE_MOST], square[CONE_MOST], second[CONE_MOST];
        if (n == 0) continue;
        sti_cone_scale(cone, cone->dx, n, -1.0, dx);
        sti_cone_scale(cone, cone->dz, n, 1.0, dz);
        sti_cone_product(cone->lambda, cone->lambda, n, square);
        sti_cone_product(dx, dz, n, second);
        for (int k = 0; k < n; ++k)
            cone->q[k] = (k == 0 ? aim * in->tau : 0.0) - square[k] - second[k];
    }
    find_direction(in);
}

// As far as all pairs stay central.
static double take_step(const Interior *in)
{
    const Island *island = in->island;
    double a = fmin(1.0, from_surface * reach(in));
    for (int n = 0; n < SHORTENINGS; ++n, a *= shorter) {
        double power = 0.0, least = INFINITY;
        for (int i = 0; i < island->count; ++i)
            if (island->nodes[i].cone > 0)
                least = fmin(least,
                             sti_cone_least(&island->cones[i], a, island->nodes[i].cone, &power));
        if (least >= central * power / in->cones) break;
    }
    for (int i = 0; i < island->count; ++i) {
        const IslandNode *node = &island->nodes[i];
        Cone *cone = &island->cones[i];
        const int n = node->cone > 0 ? node->cone : node->unknowns + 1;
        for (int k = 0; k < n; ++k) cone->x[k] += a * cone->dx[k];
        for (int k = 0; k < node->cone; ++k) cone->z[k] += a * cone->dz[k];
    }
    return a;
}

// ---- the whole ----------------------------------------------------------------------------------

// Does Newton's method end it from here? Keeps the forces that came nearest.
static bool try_newton(Interior *in, double *nearest)
{
    Island *island = in->island;
    if (sti_island_newton(island, NEWTON_AS_IT_IS)) return true;
    sti_island_look(island);
    if (island->residual < *nearest) {
        *nearest = island->residual;
        memcpy(island->best, island->f, (size_t)(3 * island->count) * sizeof *island->f);
    }
    if (sti_island_newton(island, NEWTON_WITH_SWEEPS)) return true;
    number_rows(island);
    return false;
}

// The point as it is: near the surface where nodes touch, at rest, and carry nothing, which modes of
// Newton's method do not settle.
static bool accept(const Interior *in)
{
    sti_island_look(in->island);
    if (!(in->island->residual <= nearly * in->island->scale)) return false;
    sti_island_settle(in->island);
    return true;
}

static bool iterate(Interior *in)
{
    double threshold = first_try, nearest = INFINITY;
    for (int n = 0; n < ITERATIONS && in->moved > stalled; ++n) {
        ++in->island->interior_steps;
        write_forces(in);
        if (!look(in)) return false;
        const double now = fmax(in->tau, in->left);
        if (now <= threshold) {
            threshold = next_try * now;
            if (try_newton(in, &nearest)) return true;
        }
        if (in->tau < ended && in->left < nearly) return accept(in);
        if (now < 1e-15 || sti_watch_ends(in->island->watch) || !factor(in)) return false;
        correct(in, predict(in));
        in->moved = take_step(in);
    }
    return false;
}

bool sti_island_interior(Island *island)
{
    const size_t bytes = (size_t)(3 * island->count) * sizeof *island->f;
    Interior in = {.island = island, .moved = 1.0};
    memcpy(island->best, island->f, bytes);
    number_rows(island);
    if (!choose_scales(&in)) return false;
    start(&in);
    if (iterate(&in)) return true;
    memcpy(island->f, island->best, bytes);
    sti_island_velocity(island);
    sti_island_look(island);
    return false;
}
