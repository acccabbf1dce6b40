// A loop at 1 kHz around a simulated drive with friction: a PD controller follows a slow sine, alone and with
// friction compensated by its model, fitted or wrong, and by an observer that knows the mass only.
#include <math.h>
#include <stdio.h>

#include <stiction/stiction.h>

static const double T = 1e-3, mass = 2.0, level = 5.0, viscous = 2.0; // s, kg, N, N s/m

typedef enum Compensation { NONE, BY_LAW, BY_RULE, BY_LUGRE, BY_OBSERVER } Compensation;

typedef struct Loop {
    StiNetwork *network;
    StiState *state;
    StiScratch *scratch;
    StiAdmittanceId body;
} Loop;

static bool open_loop(Loop *loop)
{
    const StiLaw law = sti_law_viscous(level, viscous);
    const double nothing = 0.0;
    StiPlan *plan = sti_plan_create();
    loop->body = sti_plan_add_admittance(plan, "drive", &sti_kind_point_mass,
                                         &(StiPointMass){.dim = 1, .mass = mass});
    StiWire on = sti_wire_coordinate(loop->body, 0, 1);
    StiSourceId command = sti_plan_add_input(plan, "command", 1, &nothing);
    StiElementId force = sti_plan_add_impedance(plan, "motor", &sti_kind_force_source,
                                                &(StiForceSource){.dim = 1}, &on);
    sti_plan_connect(plan, sti_signal_source(command, 0), force, 0);
    sti_plan_add_reaction(plan, "friction", &sti_kind_finite_time,
                          &(StiFiniteTime){.dim = 1, .law = law}, &on);
    const bool good = sti_plan_compile(plan, NULL, &loop->network) == STI_OK;
    sti_plan_destroy(plan);
    loop->state = good ? sti_state_create(loop->network) : NULL;
    loop->scratch = good ? sti_scratch_create(loop->network) : NULL;
    return loop->state != NULL && loop->scratch != NULL;
}

static void close_loop(Loop *loop)
{
    sti_scratch_destroy(loop->scratch);
    sti_state_destroy(loop->state);
    sti_network_destroy(loop->network);
}

// The largest error within 0.1 s after reversals, m; NAN where something fails. share: of the true level that the
// controller believes in.
static double follow(Compensation how, double share)
{
    const StiLaw law = sti_law_viscous(share * level, viscous);
    const StiLuGre bristle = {.law = sti_law_coulomb(share * level),
                              .sigma0 = 1e5,
                              .sigma1 = 300.0,
                              .sigma2 = viscous};
    const StiFrictionObserver observer = {.M = mass,
                                          .T = T,
                                          .bandwidth = 200.0,
                                          .most = 2.0 * level};
    Loop loop = {0};
    double worst = open_loop(&loop) ? 0.0 : NAN, seen = 0.0, y = 0.0, s = 0.0, u = 0.0;
    for (int k = 0; k < 8000 && !isnan(worst); ++k) {
        const double t = k * T, w = 2.0, since = fmod(w * t + 1.57079632679, 3.14159265359) / w;
        const double goal = 0.05 * sin(w * t), rate = 0.05 * w * cos(w * t),
                     rise = -0.05 * w * w * sin(w * t);
        const double x = *sti_state_positions(loop.state, loop.network, loop.body),
                     v = *sti_state_velocities(loop.state, loop.network, loop.body);
        const double plain = mass * rise + 800.0 * (goal - x) + 60.0 * (rate - v);
        double f = how == BY_OBSERVER ? sti_compensate_observer(&observer, v, u, &seen) : 0.0;
        if (how == BY_LAW) f = sti_compensate_law(&law, rate, rise, NULL);
        if (how == BY_RULE) f = sti_compensate_finite_time(&law, mass, T, rate, mass * rise, NULL);
        if (how == BY_LUGRE &&
            sti_compensate_model(&sti_kind_lugre, &bristle, T, rate, NULL, &y, &s, &f) != STI_OK)
            worst = NAN;
        u = plain + f;
        if (sti_step(loop.network, &u, loop.state, loop.scratch) != STI_OK) worst = NAN;
        if (t > 2.0 && since < 0.1) worst = fmax(worst, fabs(goal - x));
    }
    close_loop(&loop);
    return worst;
}

int main(void)
{
    static const struct {
        const char *name;
        Compensation how;
        double share;
    } cases[] = {{"without compensation", NONE, 1.0},
                 {"by the law, fitted", BY_LAW, 1.0},
                 {"by the law, 30 % too low", BY_LAW, 0.7},
                 {"by the law, 30 % too high", BY_LAW, 1.3},
                 {"by the finite-time rule", BY_RULE, 1.0},
                 {"by LuGre, fitted", BY_LUGRE, 1.0},
                 {"by an observer", BY_OBSERVER, 1.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        printf("%-26s %.3f mm at reversal\n", cases[i].name,
               1e3 * follow(cases[i].how, cases[i].share));
    return 0;
}
