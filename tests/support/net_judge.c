#include "support/net_judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const names[NET_JUDGES] = {
    [JUDGE_APPLIES] = "applies",   [JUDGE_ENDS] = "ends",     [JUDGE_SOLVED] = "solved",
    [JUDGE_CLOSED] = "closed",     [JUDGE_LIMIT] = "limit",   [JUDGE_STICK] = "stick",
    [JUDGE_FORCE] = "force",       [JUDGE_MOTION] = "motion", [JUDGE_ENERGY] = "energy",
    [JUDGE_MOMENTUM] = "momentum", [JUDGE_MIRROR] = "mirror", [JUDGE_ORDER] = "order",
};

const char *net_judge_name(NetJudge judge) { return names[judge]; }

static const NetVerdict not_asked = {.holds = true}, fine = {.asked = true, .holds = true};

static NetVerdict objection(double excess, const char *format, ...)
{
    NetVerdict verdict = {.asked = true, .excess = excess};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(verdict.detail, sizeof verdict.detail, format, arguments);
    va_end(arguments);
    return verdict;
}

// Negated comparison, so that a number that is none fails.
static NetVerdict near(NetVerdict before, double measured, double expected, double tolerance,
                       const char *channel, double t, const char *what)
{
    const double excess = fabs(measured - expected) / tolerance;
    if (measured == expected || excess <= 1.0 || (before.asked && before.excess >= excess))
        return before;
    return objection(excess, "%s(%g) = %.9g, %s %.9g, off by %.2g, tolerance %.2g", channel, t,
                     measured, what, expected, fabs(measured - expected), tolerance);
}

static double row_time(const NetCase *c, int row) { return c->scene->stop * row / NET_ROWS; }

static bool done(const NetRun *run) { return run != NULL && run->outcome == NET_DONE; }

static int levels(NetMethod method) { return net_method_adapts(method) ? 1 : NET_LEVELS; }

static bool all_done(const NetCase *c, NetMethod method)
{
    for (int i = 0; i < levels(method); ++i)
        if (!done(c->runs[method][i])) return false;
    return true;
}

static const NetRun *finest(const NetCase *c, NetMethod method)
{
    return c->runs[method][levels(method) - 1];
}

// Error control, or else the steps of highest order.
static const NetRun *exact_run(const NetCase *c, NetMethod method)
{
    if (method != NET_EVENTS && done(c->runs[NET_EVENTS][0])) return c->runs[NET_EVENTS][0];
    if (method != NET_CUT && method != NET_EVENTS && all_done(c, NET_CUT))
        return finest(c, NET_CUT);
    return NULL;
}

// The largest difference between two runs in channels of a role; first row to last.
static double apart(const NetCase *c, const NetRun *a, const NetRun *b, SceneRole role, int first,
                    int last)
{
    double most = 0.0;
    for (int row = first; row <= last; ++row)
        for (int i = 0; i < c->scene->channel_count; ++i)
            if (c->scene->channels[i].role == role)
                most = fmax(most, fabs(a->values[row][i] - b->values[row][i]));
    return most;
}

static double largest(const NetCase *c, const NetRun *run, SceneRole role)
{
    double most = 0.0;
    for (int row = 0; row <= NET_ROWS; ++row)
        for (int i = 0; i < c->scene->channel_count; ++i)
            if (c->scene->channels[i].role == role) most = fmax(most, fabs(run->values[row][i]));
    return most;
}

// What is left at T/8 by the order p that the steps show: d3/(2^p - 1), where d1, d2, d3 are the
// differences from one step to the next and 4^p = d1/d3. Where a step meets an event is chance:
// differences may be small by luck. So p counts between 1/2 and the method's order, the largest
// difference counts, and the result is taken four times.
static double left_over(const NetCase *c, NetMethod method, SceneRole role, int first, int last)
{
    NetRun *const *runs = c->runs[method];
    double d[NET_LEVELS - 1];
    for (int i = 0; i < NET_LEVELS - 1; ++i)
        d[i] = apart(c, runs[i], runs[i + 1], role, first, last);
    const double order = method == NET_CUT ? 4.0 : 1.0;
    const double ratio =
        fmin(fmax(d[2] > 0.0 ? sqrt(d[0] / d[2]) : INFINITY, sqrt(2.0)), pow(2.0, order));
    return 4.0 * fmax(d[2], fmax(d[1], d[0] / ratio) / ratio) / (ratio - 1.0);
}

// Smaller steps come nearer: to what is exact, or else to each other. Looked at over all steps, as one
// of them may be near by luck.
static NetVerdict judge_convergence(const NetCase *c, NetMethod method, const NetRun *exact,
                                    double rounding)
{
    NetRun *const *runs = c->runs[method];
    double e[NET_LEVELS] = {0};
    const int count = exact != NULL ? NET_LEVELS : NET_LEVELS - 1;
    for (int i = 0; i < count; ++i)
        e[i] = apart(c, runs[i], exact != NULL ? exact : runs[i + 1], ROLE_PLACE, 1, NET_ROWS);
    const double last = e[count - 1], before = fmax(e[0], fmax(e[1], exact != NULL ? e[2] : 0.0));
    if (last <= 0.75 * before + rounding) return fine;
    return objection(last / before,
                     "does not converge: %s %.2g at T, %.2g at T/2, %.2g at T/4, %.2g at T/8",
                     exact != NULL ? "off error control by" : "next step moves it by", e[0], e[1],
                     e[2], e[3]);
}

// Rounding, and under error control the integrator's tolerance over a run.
static double grain(NetMethod method, SceneRole role)
{
    const double rounding = role == ROLE_PLACE ? 1e-9 : 1e-8;
    return net_method_adapts(method) ? 1e3 * rounding : rounding;
}

static NetVerdict judge_applies(const NetCase *c, NetMethod method)
{
    const NetRun *run = c->runs[method][0];
    if (c->from_file || (method != NET_CUT && method != NET_RULE))
        return not_asked; // others refuse by their documents
    return run->outcome == NET_REFUSED ? objection(INFINITY, "%s", run->message) : fine;
}

static NetVerdict judge_ends(const NetCase *c, NetMethod method)
{
    for (int i = 0; i < levels(method); ++i) {
        const NetRun *run = c->runs[method][i];
        if (run->outcome == NET_REFUSED) return not_asked;
        if (run->outcome != NET_DONE)
            return objection(INFINITY, "at T/%d: %s", 1 << i, run->message);
        for (int row = 0; row <= NET_ROWS; ++row)
            for (int k = 0; k < c->scene->channel_count; ++k)
                if (!isfinite(run->values[row][k]))
                    return objection(INFINITY, "%s(%g) is %g", c->scene->channels[k].name,
                                     row_time(c, row), run->values[row][k]);
    }
    return fine;
}

static NetVerdict judge_solved(const NetCase *c, NetMethod method)
{
    for (int i = 0; i < levels(method); ++i) {
        const NetRun *run = c->runs[method][i];
        const long all = run->unsolved + run->unsettled + run->lost + run->fallbacks;
        if (all > 0)
            return objection((double)all,
                             "at T/%d: steps without friction %ld, joints unsettled %ld, points "
                             "lost %ld, not cut %ld",
                             1 << i, run->unsolved, run->unsettled, run->lost, run->fallbacks);
    }
    return fine;
}

static NetVerdict judge_closed(const NetCase *c, NetMethod method)
{
    if (c->scene->fact_count == 0) return not_asked;
    const NetRun *run = finest(c, method);
    const bool paper = method == NET_SEMI_IMPLICIT || method == NET_IMPLICIT;
    NetVerdict verdict = fine;
    for (int i = 0; i < c->scene->fact_count; ++i) {
        const SceneFact *fact = &c->scene->facts[i];
        const SceneChannel *channel = &c->scene->channels[fact->channel];
        const int row = (int)rint(fact->t / c->scene->stop * NET_ROWS);
        double tolerance = grain(method, channel->role);
        if (channel->role == ROLE_FORCE) tolerance *= 100.0 * fmax(1.0, fabs(fact->value));
        if (paper)
            tolerance =
                1e-4 * (channel->role == ROLE_FORCE ? 10.0 * fmax(1.0, fabs(fact->value)) : 1.0);
        if (channel->role == ROLE_STICK)
            tolerance = 0.01;
        else if (fact->kind == FACT_TENDS && !net_method_adapts(method))
            tolerance +=
                left_over(c, method, channel->role, channel->role == ROLE_PLACE ? 1 : row, row);
        verdict = near(verdict, run->values[row][fact->channel], fact->value, tolerance,
                       channel->name, fact->t, "closed form");
    }
    return verdict;
}

static NetVerdict judge_limit(const NetCase *c, NetMethod method)
{
    NetVerdict verdict = fine;
    for (int level = 0; level < levels(method); ++level) {
        const NetRun *run = c->runs[method][level];
        const double rounding = 1e-6 * fmax(largest(c, run, ROLE_FORCE), 1e-3);
        for (int row = 1; row <= NET_ROWS; ++row)
            for (int i = 0; i < c->scene->channel_count; ++i) {
                const SceneChannel *channel = &c->scene->channels[i];
                const double force = fabs(run->values[row][i]);
                const double most = channel->of_load > 0.0
                                        ? channel->of_load * run->values[row][i - 1]
                                        : channel->most;
                if ((channel->of_load > 0.0 || channel->most > 0.0) && !(force <= most + rounding))
                    verdict = near(verdict, force, most, rounding, channel->name, row_time(c, row),
                                   "at most");
            }
    }
    return verdict;
}

// Neither begins nor ends to stick about this row.
static bool stands(const NetRun *run, int row, int channel)
{
    const double now = run->values[row][channel];
    return run->values[row - 1][channel] == now &&
           (row == NET_ROWS || run->values[row + 1][channel] == now);
}

static NetVerdict judge_stick(const NetCase *c, NetMethod method)
{
    const NetRun *run = finest(c, method), *exact = exact_run(c, method);
    if (exact == NULL) return not_asked;
    for (int row = 1; row <= NET_ROWS; ++row)
        for (int i = 0; i < c->scene->channel_count; ++i)
            if (c->scene->channels[i].role == ROLE_STICK && stands(exact, row, i) &&
                stands(run, row, i) && run->values[row][i] != exact->values[row][i])
                return objection(1.0, "%s(%g) = %g, under error control %g",
                                 c->scene->channels[i].name, row_time(c, row), run->values[row][i],
                                 exact->values[row][i]);
    return fine;
}

static NetVerdict judge_force(const NetCase *c, NetMethod method)
{
    const NetRun *run = finest(c, method), *exact = c->runs[NET_EVENTS][0];
    // forces of steps are means over them, only those under error control are of a moment
    if (method == NET_EVENTS || !done(exact)) return not_asked;
    NetVerdict verdict = fine;
    const double size = largest(c, exact, ROLE_FORCE);
    for (int row = NET_ROWS / 2; row <= NET_ROWS; row += NET_ROWS / 2)
        for (int i = 0; i < c->scene->channel_count; ++i) {
            if (c->scene->channels[i].role != ROLE_FORCE) continue;
            double tolerance = (net_method_adapts(method) ? 1e-4 : 1e-6) * size;
            if (!net_method_adapts(method)) tolerance += left_over(c, method, ROLE_FORCE, row, row);
            verdict = near(verdict, run->values[row][i], exact->values[row][i], tolerance,
                           c->scene->channels[i].name, row_time(c, row), "under error control");
        }
    return verdict;
}

static NetVerdict judge_motion(const NetCase *c, NetMethod method)
{
    const NetRun *run = finest(c, method), *exact = exact_run(c, method);
    double tolerance = 1e-5;
    NetVerdict verdict = fine;
    if (!net_method_adapts(method)) {
        tolerance = 100.0 * grain(NET_RULE, ROLE_PLACE);
        verdict = judge_convergence(c, method, exact, tolerance);
        if (!verdict.holds) return verdict;
        tolerance += left_over(c, method, ROLE_PLACE, 1, NET_ROWS);
    }
    if (exact == NULL) return net_method_adapts(method) ? not_asked : verdict;
    for (int row = 1; row <= NET_ROWS; ++row)
        for (int i = 0; i < c->scene->channel_count; ++i)
            if (c->scene->channels[i].role == ROLE_PLACE)
                verdict = near(verdict, run->values[row][i], exact->values[row][i], tolerance,
                               c->scene->channels[i].name, row_time(c, row), "under error control");
    return verdict;
}

static NetVerdict judge_energy(const NetCase *c, NetMethod method)
{
    // what sticks is a spring to the papers' solvers, and gives back what it took
    const bool paper = method == NET_SEMI_IMPLICIT || method == NET_IMPLICIT;
    double numerical[NET_LEVELS] = {0};
    for (int i = 0; i < levels(method); ++i) {
        const NetRun *run = c->runs[method][i];
        const double rounding = 1e-9 * fmax(run->energy, 1e-3);
        numerical[i] = fabs(run->numerical);
        if (!(run->residual <= rounding))
            return objection(run->residual / rounding, "at T/%d: residual %.2g J of %.2g J", 1 << i,
                             run->residual, run->energy);
        if (!paper && !(run->regained <= (net_method_adapts(method) ? 1e3 : 1.0) * rounding))
            return objection(run->regained / rounding,
                             "at T/%d: friction and contact give %.2g J of %.2g J in one step",
                             1 << i, run->regained, run->energy);
    }
    const double energy = fmax(c->runs[method][0]->energy, 1e-3);
    if (net_method_adapts(method))
        return numerical[0] <= 1e-4 * energy
                   ? fine
                   : objection(1e4 * numerical[0] / energy, "the method gives %.2g J of %.2g J",
                               numerical[0], energy);
    const double most = fmax(numerical[0], fmax(numerical[1], numerical[2])), last = numerical[3];
    return last <= 0.75 * most + 1e-8 * energy
               ? fine
               : objection(last / most,
                           "the method gives %.2g J at T, %.2g at T/2, %.2g at T/4, %.2g at T/8",
                           numerical[0], numerical[1], numerical[2], last);
}

static double momentum(const NetCase *c, const NetRun *run, int row, double *size)
{
    double sum = 0.0;
    *size = 0.0;
    for (int i = 0; i < c->scene->mover_count; ++i) {
        const double share =
            c->scene->movers[i].mass * run->values[row][c->scene->movers[i].channel];
        sum += share, *size += fabs(share);
    }
    return sum;
}

static NetVerdict judge_momentum(const NetCase *c, NetMethod method)
{
    if (c->scene->mover_count == 0) return not_asked;
    const NetRun *run = finest(c, method);
    double size, now;
    const double start = momentum(c, run, 0, &size);
    NetVerdict verdict = fine;
    for (int row = 1; row <= NET_ROWS; ++row)
        verdict =
            near(verdict, momentum(c, run, row, &now), start, grain(method, ROLE_PLACE) * size,
                 "momentum", row_time(c, row), "at the start");
    return verdict;
}

static NetVerdict compare_version(const NetCase *c, NetMethod method, SceneVersion version)
{
    const NetRun *run = c->runs[method][0], *other = c->versions[method][version];
    if (other == NULL) return not_asked;
    if (other->outcome != run->outcome)
        return objection(INFINITY, "plain runs, the other version: %s", other->message);
    const double force = fmax(1.0, largest(c, run, ROLE_FORCE));
    NetVerdict verdict = fine;
    for (int row = 0; row <= NET_ROWS; ++row)
        for (int i = 0; i < c->scene->channel_count; ++i) {
            const SceneChannel *channel = &c->scene->channels[i];
            const double sign = version == SCENE_MIRRORED ? channel->mirror : 1.0;
            double tolerance = grain(method, channel->role);
            if (channel->role == ROLE_FORCE) tolerance *= 100.0 * force;
            if (channel->role == ROLE_STICK && (row == 0 || !stands(run, row, i))) continue;
            verdict = near(verdict, sign * other->values[row][i], run->values[row][i], tolerance,
                           channel->name, row_time(c, row),
                           version == SCENE_MIRRORED ? "unmirrored" : "under the other names");
        }
    return verdict;
}

static NetVerdict judge_order(const NetCase *c, NetMethod method)
{
    const NetRun *run = c->runs[method][0], *other = c->versions[method][SCENE_REVERSED];
    if (other != NULL && memcmp(run->values, other->values, sizeof run->values) != 0)
        return objection(INFINITY, "other bits where parts are declared in reverse");
    return compare_version(c, method, SCENE_RENAMED);
}

NetVerdict net_judge(const NetCase *c, NetMethod method, NetJudge judge)
{
    if (judge == JUDGE_APPLIES) return judge_applies(c, method);
    if (judge == JUDGE_ENDS) return judge_ends(c, method);
    if (!all_done(c, method)) return not_asked;
    switch (judge) {
    case JUDGE_SOLVED:
        return judge_solved(c, method);
    case JUDGE_CLOSED:
        return judge_closed(c, method);
    case JUDGE_LIMIT:
        return judge_limit(c, method);
    case JUDGE_STICK:
        return judge_stick(c, method);
    case JUDGE_FORCE:
        return judge_force(c, method);
    case JUDGE_MOTION:
        return judge_motion(c, method);
    case JUDGE_ENERGY:
        return judge_energy(c, method);
    case JUDGE_MOMENTUM:
        return judge_momentum(c, method);
    case JUDGE_MIRROR:
        return compare_version(c, method, SCENE_MIRRORED);
    default:
        return judge_order(c, method);
    }
}
