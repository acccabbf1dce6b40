#include "reference.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "cases.h"

// Slides from F/(K V) on; the hand stops at 2 s; the block swings about X - F/K and stops.
double reference_spring_pull_rest(void)
{
    const double K = pull_stiffness, F = block_level, V = 2.0, w = sqrt(K / block_mass);
    const double start = F / (K * V), s = 2.0 - start;
    const double x = V * s - V / w * sin(w * s), v = V - V * cos(w * s); // at 2 s
    const double centre = pull_hand(2.0) - F / K, a = x - centre;
    return centre + hypot(a, v / w);
}

double reference_crossing_velocity(double t)
{
    const double down = (crossing_force + block_level) / block_mass,
                 up = (crossing_force - block_level) / block_mass,
                 crossing = -crossing_velocity / down;
    return t < crossing ? crossing_velocity + down * t : up * (t - crossing);
}

double reference_rolling_distance(double t)
{
    const double a = ball_mu * case_gravity, rolls = 2.0 / 7.0 * ball_speed / a;
    if (t < rolls) return ball_speed * t - 0.5 * a * t * t;
    return ball_speed * rolls - 0.5 * a * rolls * rolls + 5.0 / 7.0 * ball_speed * (t - rolls);
}

double reference_sliding_distance(double t) { return 0.25 * box_mu * case_gravity * t * t; }

// ---- two-link arm -------------------------------------------------------------------------------------

// Of each joint: 0 stuck, +1 or -1 the direction of slip.
typedef struct Modes {
    int of[2];
} Modes;

// H a = tau + friction - c. Stuck joints do not accelerate; friction[] is what joints get.
static void accelerate(const double s[4], double t, Modes modes, double a[2], double friction[2])
{
    const double m = arm2_mass, l = arm2_length, J = arm2_inertia(), r = 0.5 * l;
    const double c = cos(s[1]), sine = sin(s[1]), h = m * l * r * sine;
    const double H11 = J + m * r * r, H01 = H11 + m * l * r * c,
                 H00 = H11 + J + m * (r * r + l * l) + 2.0 * m * l * r * c;
    double b[2] = {h * s[3] * (2.0 * s[2] + s[3]), -h * s[2] * s[2]};
    for (int i = 0; i < 2; ++i) {
        friction[i] = -arm2_level * modes.of[i];
        b[i] += arm2_torque(i, t) + friction[i];
    }
    a[0] = a[1] = 0.0;
    if (modes.of[0] != 0 && modes.of[1] != 0) {
        const double det = H00 * H11 - H01 * H01;
        a[0] = (H11 * b[0] - H01 * b[1]) / det;
        a[1] = (H00 * b[1] - H01 * b[0]) / det;
    } else if (modes.of[0] != 0)
        a[0] = b[0] / H00;
    else if (modes.of[1] != 0)
        a[1] = b[1] / H11;
    if (modes.of[0] == 0) friction[0] = H01 * a[1] - b[0];
    if (modes.of[1] == 0) friction[1] = H01 * a[0] - b[1];
}

// left: loads at the end of the step are those before a kink.
static void step(const double s[4], double t, double h, Modes modes, double out[4])
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double slope[4] = {0.0}, sum[4] = {0.0}, friction[2];
    for (int r = 0; r < 4; ++r) {
        double x[4];
        for (int i = 0; i < 4; ++i) x[i] = s[i] + at[r] * h * slope[i];
        const double inside = fmin(t + at[r] * h, t + h - 1e-13);
        slope[0] = x[2], slope[1] = x[3];
        accelerate(x, inside, modes, &slope[2], friction);
        for (int i = 0; i < 4; ++i) sum[i] += weight[r] / 6.0 * slope[i];
    }
    for (int i = 0; i < 4; ++i) out[i] = s[i] + h * sum[i];
    for (int i = 0; i < 2; ++i)
        if (modes.of[i] == 0) out[2 + i] = 0.0;
}

static bool still_holds(const double s[4], double t, Modes modes)
{
    double a[2], friction[2];
    accelerate(s, t, modes, a, friction);
    for (int i = 0; i < 2; ++i)
        if (modes.of[i] == 0 ? fabs(friction[i]) > arm2_level : modes.of[i] * s[2 + i] < 0.0)
            return false;
    return true;
}

// For joints at rest: the one choice that agrees with itself at the level of accelerations.
static Modes choose(const double s[4], double t)
{
    Modes modes = {{0, 0}};
    for (int code = 0; code < 9; ++code) {
        const int order[3] = {0, 1, -1};
        modes.of[0] = s[2] != 0.0 ? (s[2] > 0.0 ? 1 : -1) : order[code % 3];
        modes.of[1] = s[3] != 0.0 ? (s[3] > 0.0 ? 1 : -1) : order[code / 3];
        double a[2], friction[2];
        accelerate(s, t, modes, a, friction);
        bool good = true;
        for (int i = 0; i < 2; ++i) {
            if (s[2 + i] != 0.0) continue;
            good = good &&
                   (modes.of[i] == 0 ? fabs(friction[i]) <= arm2_level : modes.of[i] * a[i] > 0.0);
        }
        if (good) break;
    }
    return modes;
}

// The first time within h at which the modes end, found by halving; the state is moved there.
static double advance(double s[4], double t, double h, Modes *modes)
{
    double out[4];
    step(s, t, h, *modes, out);
    if (still_holds(out, t + h - 1e-13, *modes)) {
        memcpy(s, out, sizeof out);
        return h;
    }
    double low = 0.0, high = h;
    while (high - low > 1e-15) {
        const double middle = 0.5 * (low + high);
        step(s, t, middle, *modes, out);
        if (still_holds(out, t + middle, *modes))
            low = middle;
        else
            high = middle;
        if (middle == low && middle == high) break;
        if (0.5 * (low + high) == low || 0.5 * (low + high) == high) break;
    }
    step(s, t, high, *modes, out);
    for (int i = 0; i < 2; ++i)
        if (modes->of[i] * out[2 + i] < 0.0) out[2 + i] = 0.0;
    memcpy(s, out, sizeof out);
    *modes = choose(s, t + high);
    return high;
}

void reference_two_link(double t_end, double h, double state[4])
{
    const double kinks[] = {0.52 / 0.3, 4.0, INFINITY};
    double t = 0.0;
    int kink = 0;
    memset(state, 0, 4 * sizeof *state);
    Modes modes = {{0, 0}};
    while (t < t_end - 1e-12) {
        while (t >= kinks[kink] - 1e-12) t = kinks[kink++];
        const double room = fmin(kinks[kink], t_end) - t;
        modes = choose(state, t);
        t += advance(state, t, fmin(h, room), &modes);
    }
}
