// One of each kind, written outside the library with its public headers only: a law, an impedance,
// a body and a wire. A pendulum turns in a dry, worn bearing and drives a cart through a rack; the
// cart runs on a rail with a law of its own.
#include <math.h>
#include <stdio.h>

#include <stiction/stiction.h>

// ---- a law: a level that rises with the square of the speed (a fan of dry friction and air)
// --------
static double air_level(const StiLaw *law, const StiSlip *slip)
{
    return law->p[0] * slip->load + law->p[1] * slip->speed * slip->speed;
}

static double air_slope(const StiLaw *law, const StiSlip *slip)
{
    return 2.0 * law->p[1] * slip->speed;
}

static const StiField air_fields[] = {
    {.name = "level", .unit = "N", .meaning = "dry level", .bound = STI_NOT_NEGATIVE, .offset = 0},
    {.name = "air",
     .unit = "N s^2/m^2",
     .meaning = "air drag",
     .bound = STI_NOT_NEGATIVE,
     .offset = 1},
};

static const StiLawKind air_kind = {
    .table_size = sizeof(StiLawKind),
    .name = "dry-and-air",
    .summary = "level + air speed^2",
    .fields = air_fields,
    .field_count = 2,
    .level = air_level,
    .slope = air_slope,
};

// ---- an impedance: friction that depends on the angle, a bearing worn on one side
// ------------------
typedef struct WornBearing {
    double level; // N m, where it is not worn
    double wear;  // 0 ... 1: how much less on the worn side
    double K;     // N m/rad, stiffness of the stuck bearing
    double B;     // N m s/rad
} WornBearing;

static StiImpedanceSize worn_size(const void *parameters)
{
    (void)parameters;
    return (StiImpedanceSize){.positions = 1, .velocities = 1, .memory = 1};
}

// The library's own element (19) with a level that varies with the angle.
static StiStatus worn_eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                           const double *y, const double *s, double *u, double *ydot)
{
    (void)s;
    const WornBearing *p = parameters;
    const double level = p->level * (1.0 - 0.5 * p->wear * (1.0 + cos(xhat->x[0])));
    const StiElasticCoulomb bearing = {.dim = 1,
                                       .law = sti_law_coulomb(level),
                                       .K = p->K,
                                       .B = p->B};
    sti_elastic_coulomb(&bearing, stage->tau, NULL, xhat->v, y, u, ydot);
    return STI_OK;
}

static double worn_stored(const void *parameters, const StiMotion *xhat, const double *y)
{
    (void)xhat;
    const WornBearing *p = parameters;
    return 0.5 * p->K * y[0] * y[0];
}

static const StiField worn_fields[] = {
    {.name = "level",
     .unit = "N m",
     .meaning = "friction where the bearing is not worn",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(WornBearing, level)},
    {.name = "wear",
     .unit = "1",
     .meaning = "wear, 0 to 1",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(WornBearing, wear)},
    {.name = "stiffness",
     .unit = "N m/rad",
     .meaning = "stiffness of the stuck bearing",
     .bound = STI_POSITIVE,
     .offset = offsetof(WornBearing, K)},
    {.name = "damping",
     .unit = "N m s/rad",
     .meaning = "damping of the stuck bearing",
     .bound = STI_POSITIVE,
     .offset = offsetof(WornBearing, B)},
};

static void worn_check(const void *parameters, const StiCheck *check)
{
    const WornBearing *p = parameters;
    if (p->wear > 1.0) sti_check_error(check, "wear", p->wear, "wear must lie between 0 and 1");
}

static const StiImpedanceKind worn_kind = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "worn-bearing",
             .summary = "friction that depends on the angle",
             .size = sizeof(WornBearing),
             .fields = worn_fields,
             .field_count = 4,
             .check = worn_check},
    .continuous = true,
    .looks_ahead = true,
    .holds = true,
    .size = worn_size,
    .eval = worn_eval,
    .stored = worn_stored,
};

// ---- a body: a pendulum with one coordinate, its angle from hanging
// ---------------------------------
typedef struct Pendulum {
    double mass, length; // kg, m: a point at the end of a massless rod
    double angle;        // rad, at the start
} Pendulum;

static double pendulum_inertia(const Pendulum *p) { return p->mass * p->length * p->length; }

static StiAdmittanceSize pendulum_size(const void *parameters)
{
    (void)parameters;
    return (StiAdmittanceSize){.positions = 1, .velocities = 1, .prepared = 1};
}

static void pendulum_start(const void *parameters, double *q, double *v)
{
    q[0] = ((const Pendulum *)parameters)->angle;
    v[0] = 0.0;
}

static void pendulum_pose(const void *parameters, const double *q, const double *v,
                          const double *signals, StiFrame *links)
{
    (void)parameters, (void)q, (void)v, (void)signals, (void)links; // no links: wires use the angle
}

static StiStatus pendulum_eval(const void *parameters, const StiStage *stage, const double *q,
                               const double *v, const double *signals, const StiForce *uhat,
                               double *qdot, double *vdot, double *loads)
{
    (void)signals, (void)loads;
    const Pendulum *p = parameters;
    const double weight = p->mass * p->length * stage->gravity.z * sin(q[0]);
    qdot[0] = v[0];
    vdot[0] = (uhat->generalized[0] + weight) / pendulum_inertia(p);
    return STI_OK;
}

static StiStatus pendulum_prepare(const void *parameters, const double *q, const bool *locked,
                                  const double *added, double *prepared)
{
    (void)q;
    const double H = pendulum_inertia(parameters) + (added != NULL ? added[0] : 0.0);
    prepared[0] = locked != NULL && locked[0] ? 0.0 : 1.0 / H;
    return STI_OK;
}

static void pendulum_respond(const void *parameters, const double *prepared, const double *q,
                             const StiForce *force, double *dv)
{
    (void)parameters, (void)q;
    dv[0] = prepared[0] * force->generalized[0];
}

static void pendulum_move(const void *parameters, const double *v, double T, double *q)
{
    (void)parameters;
    q[0] += T * v[0];
}

static double pendulum_stored(const void *parameters, StiVec3 gravity, const double *q,
                              const double *v, double *workspace)
{
    (void)workspace;
    const Pendulum *p = parameters;
    return 0.5 * pendulum_inertia(p) * v[0] * v[0] + p->mass * p->length * gravity.z * cos(q[0]);
}

static int pendulum_channels(const void *parameters, const StiChannelInfo **names)
{
    static const StiChannelInfo channels[] = {{"angle", "rad"}, {"rate", "rad/s"}};
    (void)parameters;
    *names = channels;
    return 2;
}

static void pendulum_observe(const void *parameters, const double *q, const double *v,
                             const double *signals, double *values)
{
    (void)parameters, (void)signals;
    values[0] = q[0];
    values[1] = v[0];
}

static const StiField pendulum_fields[] = {
    {.name = "mass",
     .unit = "kg",
     .meaning = "mass at the end",
     .bound = STI_POSITIVE,
     .offset = offsetof(Pendulum, mass)},
    {.name = "length",
     .unit = "m",
     .meaning = "length of the rod",
     .bound = STI_POSITIVE,
     .offset = offsetof(Pendulum, length)},
    {.name = "angle",
     .unit = "rad",
     .meaning = "angle at the start",
     .offset = offsetof(Pendulum, angle)},
};

static const StiAdmittanceKind pendulum_kind = {
    .table_size = sizeof(StiAdmittanceKind),
    .info = {.name = "pendulum",
             .summary = "a point on a rod",
             .size = sizeof(Pendulum),
             .fields = pendulum_fields,
             .field_count = 3},
    .size = pendulum_size,
    .start = pendulum_start,
    .pose = pendulum_pose,
    .eval = pendulum_eval,
    .prepare = pendulum_prepare,
    .respond = pendulum_respond,
    .move = pendulum_move,
    .stored = pendulum_stored,
    .channels = pendulum_channels,
    .observe = pendulum_observe,
};

// ---- a wire: pinion (an angle of a) against rack (a coordinate of b)
// --------------------------------
static StiWireSize rack_size(const StiWire *wire)
{
    (void)wire;
    return (StiWireSize){.positions = 1, .velocities = 1};
}

static void rack_sense(const StiWire *wire, const StiSide *a, const StiSide *b, double *x,
                       double *v)
{
    const double radius = *(const double *)wire->parameters;
    x[0] = radius * a->q[wire->a.place] - b->q[wire->b.place];
    v[0] = radius * a->v[wire->a.place] - b->v[wire->b.place];
}

// The same row the other way: what the wire takes from one side it gives to the other.
static void rack_apply(const StiWire *wire, const StiSide *a, const StiSide *b, const double *u,
                       const StiForce *force_a, const StiForce *force_b)
{
    (void)a, (void)b;
    const double radius = *(const double *)wire->parameters;
    force_a->generalized[wire->a.place] -= radius * u[0];
    force_b->generalized[wire->b.place] += u[0];
}

static const StiWireKind rack_kind = {
    .table_size = sizeof(StiWireKind),
    .info = {.name = "rack", .summary = "pinion against rack", .size = sizeof(double)},
    .size = rack_size,
    .sense = rack_sense,
    .apply = rack_apply,
};

// ---- the machine
// ------------------------------------------------------------------------------------
int main(void)
{
    StiPlan *plan = sti_plan_create();
    sti_plan_set_step(plan, 1e-4);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -9.81));
    const StiAdmittanceId pendulum =
        sti_plan_add_admittance(plan, "pendulum", &pendulum_kind,
                                &(Pendulum){.mass = 1.0, .length = 0.5, .angle = 2.0});
    const double radius = 0.05; // of the pinion; the cart starts where the teeth fit
    const StiAdmittanceId cart =
        sti_plan_add_admittance(plan, "cart", &sti_kind_point_mass,
                                &(StiPointMass){.dim = 1, .mass = 0.5, .position = {2.0 * radius}});
    const StiWire turn = sti_wire_coordinate(pendulum, 0, 1),
                  roll = sti_wire_coordinate(cart, 0, 1);
    sti_plan_add_impedance(plan, "bearing", &worn_kind,
                           &(WornBearing){.level = 0.4, .wear = 0.5, .K = 2000.0, .B = 1.0}, &turn);

    const StiWire teeth = {.kind = &rack_kind,
                           .a = {.body = pendulum},
                           .b = {.body = cart},
                           .dim = 1,
                           .parameters = &radius};
    sti_plan_add_impedance(plan, "teeth", &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = 1, .K = 1e5, .B = 50.0}, &teeth);

    StiLaw rail = sti_law_own(&air_kind, NULL);
    rail.p[0] = 1.0;
    rail.p[1] = 0.5;
    sti_plan_add_impedance(plan, "rail", &sti_kind_elastic_coulomb,
                           &(StiElasticCoulomb){.dim = 1, .law = rail, .K = 1e5, .B = 50.0}, &roll);

    StiReport *report = sti_report_create();
    StiNetwork *network;
    const StiStatus status = sti_plan_compile(plan, report, &network);
    char text[2048];
    sti_report_print(report, text, sizeof text);
    fputs(text, stdout);
    if (status != STI_OK) return 1;

    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    StiRecorder *recorder = sti_recorder_create(network);
    sti_recorder_begin(recorder, state, NULL, scratch);
    const int angle = sti_network_channel_find(network, "pendulum.angle");
    const int rate = sti_network_channel_find(network, "pendulum.rate");
    for (int k = 0; k <= 50000; ++k) {
        if (k % 10000 == 0)
            printf("t = %g s: angle %+.4f rad, rate %+.4f rad/s\n", sti_network_time(network, k),
                   sti_recorder_value(recorder, angle), sti_recorder_value(recorder, rate));
        if (sti_step(network, NULL, state, scratch) != STI_OK) return 1;
        sti_recorder_follow(recorder, state, scratch);
    }
    const StiEnergy energy = sti_recorder_energy(recorder);
    printf("energy: %.4f J lost, %.4f J dissipated, numerical %.1e J\n",
           energy.stored_start - energy.stored, energy.dissipated, energy.numerical);
    const bool balanced = fabs(energy.residual) < 1e-9 * energy.dissipated;
    sti_recorder_destroy(recorder);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_network_destroy(network);
    sti_report_destroy(report);
    sti_plan_destroy(plan);
    return balanced ? 0 : 1;
}
