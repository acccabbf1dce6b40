// Losses of a gear as they are identified on servos: what is lost grows with the torques of the motor and of
// the load, whose shares differ for driving and back-driving. The laws m1 to m6 of M. Duclusaud, G. Passault,
// V. Padois, O. Ly 2025, of which each has the numbers of the ones before it and some more.
//
//     F = level + |km tm - ke te| + (static - level + |kms tm - kes te| + q) exp(-(speed/VS)^delta) + B speed
//     q = keq te^2 where the motor drives, kmq tm^2 where the load does, 0 where both push one way
#include <math.h>

#include "law/shape.h"
#include "stiction/elementary.h"

enum {
    LEVEL,
    STATIC,
    SPEED,
    EXPONENT,
    VISCOUS,
    MOTOR,
    LOAD,
    MOTOR_STRIBECK,
    LOAD_STRIBECK,
    MOTOR_QUADRATIC,
    LOAD_QUADRATIC
};

static double quadratic(const double *p, double motor, double load)
{
    if (!(motor * load < 0.0)) return 0.0;
    if (fabs(motor) > fabs(load)) return p[LOAD_QUADRATIC] * load * load;
    return fabs(motor) < fabs(load) ? p[MOTOR_QUADRATIC] * motor * motor : 0.0;
}

// What fades with speed.
static double height(const StiLaw *law, const StiSlip *slip)
{
    const double *p = law->p, motor = slip->signals[0], load = slip->signals[1];
    return (p[STATIC] - p[LEVEL]) * slip->load +
           fabs(p[MOTOR_STRIBECK] * motor - p[LOAD_STRIBECK] * load) + quadratic(p, motor, load);
}

static double level(const StiLaw *law, const StiSlip *slip)
{
    const double *p = law->p;
    const double decay = sti_exp(-sti_pow(slip->speed / p[SPEED], p[EXPONENT]));
    return p[LEVEL] * slip->load + fabs(p[MOTOR] * slip->signals[0] - p[LOAD] * slip->signals[1]) +
           height(law, slip) * decay + p[VISCOUS] * slip->viscosity * slip->speed;
}

static double slope(const StiLaw *law, const StiSlip *slip)
{
    const double *p = law->p;
    const double x = slip->speed / p[SPEED], fades = height(law, slip);
    const double decay = sti_exp(-sti_pow(x, p[EXPONENT])), viscous = p[VISCOUS] * slip->viscosity;
    if (fades == 0.0 || decay == 0.0) return viscous; // 0 times infinity otherwise
    return viscous - fades * p[EXPONENT] / p[SPEED] * sti_pow(x, p[EXPONENT] - 1.0) * decay;
}

// As of the Stribeck curve.
static double steepest(const StiLaw *law)
{
    const double delta = law->p[EXPONENT];
    return delta > 1.0 ? law->p[SPEED] * sti_pow((delta - 1.0) / delta, 1.0 / delta) : 0.0;
}

StiLaw sti_law_gear_load(double F, double motor_share, double load_share)
{
    return (StiLaw){.kind = &sti_law_kind_gear_load,
                    .p = {[LEVEL] = F,
                          [STATIC] = F,
                          [SPEED] = 0.1,
                          [EXPONENT] = 1.0,
                          [MOTOR] = motor_share,
                          [LOAD] = load_share}};
}

static void check(const StiLaw *law, const StiCheck *check)
{
    sti_check_static(check, law->p[STATIC], law->p[LEVEL]);
}

static const StiInput inputs[] = {
    {"motor", "N m", "what the motor gives at the joint, along +", true},
    {"external", "N m", "what the load gives at the joint, along +: gravity, a spring, a force",
     true},
};

static const StiField fields[] = {
    {.name = "level",
     .unit = "N m",
     .meaning = "friction F without torques",
     .bound = STI_NOT_NEGATIVE,
     .offset = LEVEL},
    {.name = "static",
     .unit = "N m",
     .meaning = "the same just above zero speed",
     .bound = STI_NOT_NEGATIVE,
     .offset = STATIC},
    {.name = "stribeck_speed",
     .unit = "rad/s",
     .meaning = "speed VS over which what is more at rest fades",
     .bound = STI_POSITIVE,
     .offset = SPEED,
     .usual = 0.1},
    {.name = "stribeck_exponent",
     .unit = "",
     .meaning = "exponent delta of the fading",
     .bound = STI_POSITIVE,
     .offset = EXPONENT,
     .usual = 1.0},
    {.name = "viscous",
     .unit = "N m s/rad",
     .meaning = "rise B of the level with speed",
     .bound = STI_NOT_NEGATIVE,
     .offset = VISCOUS},
    {.name = "motor_share",
     .unit = "",
     .meaning = "share km of the motor's torque that is lost",
     .bound = STI_NOT_NEGATIVE,
     .offset = MOTOR,
     .asks = true},
    {.name = "load_share",
     .unit = "",
     .meaning = "share ke of the load's torque that is lost (1 or more locks)",
     .bound = STI_NOT_NEGATIVE,
     .offset = LOAD,
     .asks = true},
    {.name = "motor_share_stribeck",
     .unit = "",
     .meaning = "share kms that is lost in addition near rest",
     .bound = STI_NOT_NEGATIVE,
     .offset = MOTOR_STRIBECK,
     .asks = true},
    {.name = "load_share_stribeck",
     .unit = "",
     .meaning = "share kes that is lost in addition near rest",
     .bound = STI_NOT_NEGATIVE,
     .offset = LOAD_STRIBECK,
     .asks = true},
    {.name = "motor_quadratic",
     .unit = "1/(N m)",
     .meaning = "quadratic part kmq near rest where the load drives",
     .bound = STI_NOT_NEGATIVE,
     .offset = MOTOR_QUADRATIC,
     .asks = true},
    {.name = "load_quadratic",
     .unit = "1/(N m)",
     .meaning = "quadratic part keq near rest where the motor drives",
     .bound = STI_NOT_NEGATIVE,
     .offset = LOAD_QUADRATIC,
     .asks = true},
};

static const StiExplanation explanation = {
    .equations = "F(v) = level + |km tm - ke te| + viscous |v|\n"
                 "     + (static - level + |kms tm - kes te| + q) exp(-(|v|/vs)^delta)\n"
                 "q = load_quadratic te^2     |tm| > |te|, opposed: the motor drives\n"
                 "  = motor_quadratic tm^2    |tm| < |te|, opposed: the load drives\n"
                 "tm: motor, te: external, along +; km: motor_share, ke: load_share; kms, kes:\n"
                 "the same with _stribeck; vs: stribeck_speed, delta: stribeck_exponent\n"
                 "efficiency, moving:  (1 - km)/(1 + ke) driving, (1 - ke)/(1 + km) driven back\n",
    .keys = "motor: NAME         an element that drives, an expression, or 0\n"
            "external: NAME      the same: what the load gives\n",
    .use = "Gears of servos and drives whose loss was measured: m1 level, viscous; m2 + static, "
           "stribeck_speed; m3 motor_share = load_share; m4 both; m5 shares that differ; m6 + "
           "quadratic parts. With load_share 1 or more no load can drive it back: a worm gear.",
    .source = "M. Duclusaud, G. Passault, V. Padois, O. Ly 2025: extended friction models for the "
              "simulation of servo actuators.",
};

static const StiLaw example = {.kind = &sti_law_kind_gear_load,
                               .p = {0.005, 0.01, 2.5, 0.8, 0.004, 0.25, 0.05, 0.07, 0.08, 0.1,
                                     0.1}};

const StiLawKind sti_law_kind_gear_load = {
    .table_size = sizeof(StiLawKind),
    .name = "gear-load",
    .summary = "losses of a gear by the torques of motor and load: driving, back-driving, locking",
    .fields = fields,
    .field_count = sizeof fields / sizeof fields[0],
    .signals = sizeof inputs / sizeof inputs[0],
    .inputs = inputs,
    .level = level,
    .slope = slope,
    .steepest = steepest,
    .check = check,
    .explanation = &explanation,
    .example = &example,
};
