// Candidates for touches, and the choice of at most four of them.
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

// Better by less than this part of the best is a tie, and the first one wins: rounding must not
// change the choice from step to step.
static const double TIE = 1e-9;

typedef struct Choice {
    const StiTouch *at;
    int count;
    double shallow, deep; // gaps that weigh 0 and 1
    int chosen[STI_TOUCHES];
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

static int deepest(const Choice *choice)
{
    const double tie = TIE * spread(choice);
    int best = 0;
    for (int i = 1; i < choice->count; ++i)
        if (choice->at[i].gap < choice->at[best].gap - tie) best = i;
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
    for (int i = 0; i < choice->count; ++i) {
        const double here = weight(choice, i) * gained(choice, i);
        if (!(here > most * (1.0 + TIE))) continue;
        most = here;
        best = i;
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
    if (choice.count <= most) {
        for (int i = 0; i < choice.count; ++i) touches[i] = choice.at[i];
        choice.chosen_count = choice.count;
    } else {
        choose(&choice, most);
        for (int i = 0; i < choice.chosen_count; ++i) touches[i] = choice.at[choice.chosen[i]];
    }
    sort_by_feature(touches, choice.chosen_count);
    return choice.chosen_count;
}
