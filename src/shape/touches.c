// Candidates for touches, and the choice among them: all corners of two faces that lie on each other,
// or four.
#include "shape/touches.h"

void sti_candidates_add_gap(StiCandidates *candidates, const StiPlaced *a, const StiPlaced *b,
                            const StiGap *gap)
{
    const double radius_a = sti_placed_rounding(a), radius_b = sti_placed_rounding(b);
    const StiTouch touch = {
        .point_a = sti_vec3_add_scaled(gap->point_a, -radius_a, gap->normal),
        .point_b = sti_vec3_add_scaled(gap->point_b, radius_b, gap->normal),
        .normal = gap->normal,
        .gap = gap->gap - radius_a - radius_b,
        .feature = gap->feature,
    };
    sti_candidates_add(candidates, &touch);
}

void sti_candidates_swap(StiCandidates *candidates)
{
    for (int i = 0; i < candidates->count; ++i) {
        StiTouch *const touch = &candidates->at[i];
        const StiVec3 point = touch->point_a;
        touch->point_a = touch->point_b;
        touch->point_b = point;
        touch->normal = sti_vec3_scale(-1.0, touch->normal);
    }
}

// ---- the choice ---------------------------------------------------------------------------------

// Better by less than this part of the best is a tie, and the lowest feature wins: rounding must not
// change the choice from step to step.
static const double TIE = 1e-9;

enum { FEW = 4 };

typedef struct Choice {
    const StiTouch *at;
    int count;
    double shallow, deep; // gaps that weigh 0 and 1
    int chosen[FEW];
    int chosen_count;
} Choice;

static StiVec3 from_chosen(const Choice *choice, int which, int i)
{
    return sti_vec3_sub(choice->at[i].point_a, choice->at[choice->chosen[which]].point_a);
}

// Points near the margin spread the touches, but carry nothing as long as deeper ones do.
static double weight(const Choice *choice, int i)
{
    const double range = choice->shallow - choice->deep;
    return range > 0.0 ? 0.01 + (choice->shallow - choice->at[i].gap) / range : 1.0;
}

static double spread(const Choice *choice)
{
    double most = 0.0;
    for (int i = 1; i < choice->count; ++i)
        most =
            fmax(most, sti_vec3_norm(sti_vec3_sub(choice->at[i].point_a, choice->at[0].point_a)));
    return most;
}

static bool comes_before(const Choice *choice, int i, int best)
{
    return best < 0 || choice->at[i].feature < choice->at[best].feature;
}

static int deepest(const Choice *choice)
{
    const double tie = TIE * spread(choice);
    double least = choice->at[0].gap;
    for (int i = 1; i < choice->count; ++i) least = fmin(least, choice->at[i].gap);
    int best = -1;
    for (int i = 0; i < choice->count; ++i)
        if (choice->at[i].gap <= least + tie && comes_before(choice, i, best)) best = i;
    return best;
}

static double distance_gained(const Choice *choice, int i)
{
    return sti_vec3_norm(from_chosen(choice, 0, i));
}

static double area_gained(const Choice *choice, int i)
{
    const StiVec3 base = from_chosen(choice, 0, choice->chosen[1]);
    return sti_vec3_norm(sti_vec3_cross(base, from_chosen(choice, 0, i)));
}

// What the triangle of the first three grows by.
static double outside_gained(const Choice *choice, int i)
{
    const int *const corner = choice->chosen;
    const StiVec3 normal =
        sti_vec3_cross(from_chosen(choice, 0, corner[1]), from_chosen(choice, 0, corner[2]));
    const double area = sti_vec3_norm(normal);
    double most = 0.0;
    for (int k = 0; k < 3 && area > 0.0; ++k) {
        const StiVec3 edge = from_chosen(choice, k, corner[(k + 1) % 3]);
        const StiVec3 turn = sti_vec3_cross(edge, from_chosen(choice, k, i));
        most = fmax(most, -sti_vec3_dot(turn, normal) / area);
    }
    return most;
}

// Adds the candidate that gains most; nothing where none gains more than `least`.
static bool choose_next(Choice *choice, double (*gained)(const Choice *choice, int i), double least)
{
    double most = least;
    int best = -1;
    for (int i = 0; i < choice->count; ++i)
        most = fmax(most, weight(choice, i) * gained(choice, i));
    for (int i = 0; i < choice->count; ++i) {
        const double here = weight(choice, i) * gained(choice, i);
        if (here > least && here >= most * (1.0 - TIE) && comes_before(choice, i, best)) best = i;
    }
    if (best < 0) return false;
    choice->chosen[choice->chosen_count++] = best;
    return true;
}

static void choose(Choice *choice, int max)
{
    choice->chosen[choice->chosen_count++] = deepest(choice);
    choice->deep = choice->at[choice->chosen[0]].gap;
    const double size = spread(choice), short_edge = 1e-7 * size;
    if (max < 2 || !choose_next(choice, distance_gained, short_edge)) return;
    if (max < 3 || !choose_next(choice, area_gained, short_edge * size)) return;
    if (max >= 4) choose_next(choice, outside_gained, short_edge * size);
}

// ---- corners of a polygon -----------------------------------------------------------------------

// While a polygon that lies flat has more than four corners, two neighbours count as one and others
// are left out, if that takes less than this part of its area: two equal faces of which one is turned
// a little have four corners, not eight.
static const double SMALL = 0.01;

static const StiTouch *corner(const StiCandidates *c, int i)
{
    return &c->at[i < 0 ? i + c->count : i < c->count ? i : i - c->count];
}

static double triangle(StiVec3 a, StiVec3 b, StiVec3 c)
{
    return 0.5 * sti_vec3_norm(sti_vec3_cross(sti_vec3_sub(b, a), sti_vec3_sub(c, a)));
}

static double area(const StiCandidates *c)
{
    double sum = 0.0; // of a convex polygon
    for (int i = 2; i < c->count; ++i)
        sum += triangle(c->at[0].point_a, c->at[i - 1].point_a, c->at[i].point_a);
    return sum;
}

static StiVec3 between(StiVec3 a, StiVec3 b) { return sti_vec3_scale(0.5, sti_vec3_add(a, b)); }

static double lost_by_leaving_out(const StiCandidates *c, int i)
{
    return triangle(corner(c, i - 1)->point_a, c->at[i].point_a, corner(c, i + 1)->point_a);
}

static double lost_by_merging(const StiCandidates *c, int i)
{
    const StiVec3 last = corner(c, i - 1)->point_a, here = c->at[i].point_a;
    const StiVec3 next = corner(c, i + 1)->point_a, after = corner(c, i + 2)->point_a;
    return triangle(last, here, next) + triangle(last, next, after) -
           triangle(last, between(here, next), after);
}

static void leave_out(StiCandidates *c, int i)
{
    for (int k = i; k + 1 < c->count; ++k) c->at[k] = c->at[k + 1];
    --c->count;
}

// The place between two corners stands for both, so that neither side is preferred.
static void merge_with_next(StiCandidates *c, int i)
{
    StiTouch *const here = &c->at[i];
    const StiTouch *const next = corner(c, i + 1);
    const StiVec3 middle =
        between(between(here->point_a, here->point_b), between(next->point_a, next->point_b));
    here->gap = fmin(here->gap, next->gap);
    here->point_a = sti_vec3_add_scaled(middle, 0.5 * here->gap, here->normal);
    here->point_b = sti_vec3_add_scaled(middle, -0.5 * here->gap, here->normal);
    if (next->feature < here->feature) here->feature = next->feature;
    leave_out(c, i + 1 < c->count ? i + 1 : 0);
}

// What takes equally little area happens together: the first of it must not decide.
static void simplify(StiCandidates *c, double (*lost)(const StiCandidates *c, int i),
                     void (*apply)(StiCandidates *c, int i))
{
    const double most = SMALL * area(c);
    while (c->count > FEW) {
        double least = INFINITY;
        for (int i = 0; i < c->count; ++i) least = fmin(least, lost(c, i));
        if (!(least < most)) return;
        least =
            fmax(least,
                 0.0); // corners that bend inward by rounding: below 0, and no tie would reach it
        const double tie = fmin(1.01 * least + TIE * most, most);
        for (int i = c->count - 1; i >= 0 && c->count > FEW; --i)
            if (lost(c, i) <= tie) apply(c, i);
    }
}

// All in one plane along the normal, as when resting.
static bool lie_flat(const Choice *choice)
{
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < choice->count; ++i) {
        least = fmin(least, choice->at[i].gap);
        most = fmax(most, choice->at[i].gap);
    }
    return most - least < 1e-4 * spread(choice);
}

static void sort_by_feature(StiTouch *touches, int count)
{
    for (int i = 1; i < count; ++i) {
        if (touches[i - 1].feature <= touches[i].feature) continue;
        const StiTouch touch = touches[i];
        int place = i;
        for (; place > 0 && touches[place - 1].feature > touch.feature; --place)
            touches[place] = touches[place - 1];
        touches[place] = touch;
    }
}

int sti_candidates_choose(StiCandidates *candidates, int max, StiTouch *touches)
{
    const int most = max < STI_TOUCHES ? max : STI_TOUCHES;
    Choice choice = {.at = candidates->at,
                     .count = candidates->count,
                     .shallow = candidates->margin};
    if (most < 1 || choice.count == 0) return 0;
    const bool flat = choice.count > FEW && lie_flat(&choice);
    if (candidates->polygon && flat && choice.count <= STI_TOUCHES) {
        simplify(candidates, lost_by_merging, merge_with_next);
        simplify(candidates, lost_by_leaving_out, leave_out);
        choice.count = candidates->count;
    }
    const bool all = choice.count <= FEW || candidates->polygon || flat;
    if (all && choice.count <= most) {
        for (int i = 0; i < choice.count; ++i) touches[i] = choice.at[i];
        sort_by_feature(touches, choice.count);
        return choice.count;
    }
    choose(&choice, most);
    for (int i = 0; i < choice.chosen_count; ++i) touches[i] = choice.at[choice.chosen[i]];
    sort_by_feature(touches, choice.chosen_count);
    return choice.chosen_count;
}
