// The solver `semi-implicit`: friction of each joint first, from the torque that its gear handed to
// the link in the last step, in closed form; then contacts by the regularised problem (28). Linear in
// the number of joints. [semi-implicit] III
#include <math.h>

#include "robot/tree.h"
#include "solver/paper/regularised.h"

// ---- friction of a joint ------------------------------------------------------------------------

typedef struct Gear {
    double inertia; // gamma^2 I_M: the armature
    double ratio;   // gamma
    double drive;   // N m: E e - D qdot and whatever else acts on the joint
    double torque;  // tau[k-1]
    double v;       // rad/s
    double d;       // rad: displacement since it sticks
} Gear;

// What would bring the rotor to rest within the step, on the joint's side: gamma tau_f.   (25)-(27)
static double tentative_friction(const Gear *gear, double h, double k_q, double lambda_q)
{
    const double A = h / gear->inertia; // A_q tau_f = A gamma tau_f
    const double lambda = lambda_q / (gear->ratio * gear->ratio);
    const double c = A * (gear->drive - gear->torque) + gear->v;
    if (lambda == 0.0 && k_q == 0.0) // the same, without a division that rounds
        return -(gear->drive - gear->torque + gear->v * (gear->inertia / h));
    return -A / (A * A + lambda) * (c + k_q * gear->d);
}

static double sign(double v) { return v < 0.0 ? -1.0 : 1.0; }

// Of slip at the end of the step: friction keeps the direction of what it is cut back from. The
// papers take the velocity at the start, whose sign is noise where a joint is about to stop.  (9)
static double direction_of_slip(const Gear *gear, double tentative, bool literal)
{
    return literal ? sign(gear->v) : -sign(tentative);
}

// The torques that hold the joints where they are, all accelerations 0: where a run begins.
static void static_torques(const StiNetwork *network, StiScratch *scratch)
{
    const Response *response = &scratch->reactions->response;
    const StageData *now = &scratch->stages[0];
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->robot != NULL)
            sti_robot_inverse(a->robot, network->gravity, now->x + a->q, now->x + a->v,
                              response->still + a->generalized, now->wrenches + a->link,
                              response->dv + a->generalized, NULL, scratch->workspace);
    }
}

static Gear gear_of(const StiNetwork *network, StiScratch *scratch, int reaction)
{
    const Reaction *e = &network->reactions[reaction];
    const StageData *now = &scratch->stages[0];
    const StiEnd *joint = &e->wire.wire.a;
    const Admittance *a = &network->admittances[joint->admittance];
    const FrictionMemory *memory = sti_friction_memory(network, reaction, scratch->reactions->s);
    const bool known = memory->known == 1.0;
    return (Gear){
        .inertia = a->robot->armature[joint->place],
        .ratio = regular_data(scratch)->gear_ratio[reaction],
        .drive = now->generalized[a->generalized + joint->place],
        .torque =
            known ? memory->torque : scratch->reactions->response.dv[a->generalized + joint->place],
        .v = now->velocity[e->wire.v],
        .d = known ? now->position[e->wire.x] - memory->anchor[0] : 0.0,
    };
}

static void resolve_joint(const StiNetwork *network, StiScratch *scratch, int reaction)
{
    const Reaction *e = &network->reactions[reaction];
    const StiSolverConstants *p = &network->solver_constants;
    const Gear gear = gear_of(network, scratch, reaction);
    const double tentative = tentative_friction(&gear, network->step, p->k_q, p->lambda_q);
    const double direction = direction_of_slip(&gear, tentative, p->literal);
    const StiReactionLevel level =
        e->kind->level(e->parameters, scratch->stages[0].ports + e->port,
                       scratch->reactions->s + e->s, fabs(gear.v), direction);
    const bool stuck = fabs(tentative) <= level.sticking; // (21)
    scratch->reactions->answers[reaction] =
        (StiReactionAnswer){.r = {stuck ? -tentative : direction * level.slipping}, .stuck = stuck};
}

static void resolve_joints(const StiNetwork *network, StiScratch *scratch)
{
    bool known = true;
    for (int i = 0; i < network->reaction_count; ++i)
        known = known && sti_friction_memory(network, i, scratch->reactions->s)->known == 1.0;
    if (!known) static_torques(network, scratch);
    for (int i = 0; i < network->reaction_count; ++i) resolve_joint(network, scratch, i);
}

// tau[k] of the first stage: what acts on the joint, less what turns the rotor.          (2)
static void remember_torques(const StiNetwork *network, StiScratch *scratch)
{
    const StageData *now = &scratch->stages[0];
    for (int i = 0; i < network->reaction_count; ++i) {
        const StiEnd *joint = &network->reactions[i].wire.wire.a;
        const Admittance *a = &network->admittances[joint->admittance];
        regular_data(scratch)->torque[i] =
            now->generalized[a->generalized + joint->place] -
            a->robot->armature[joint->place] * now->xdot[a->v + joint->place];
    }
}

// ---- the step -----------------------------------------------------------------------------------

static StiStatus step(const StiNetwork *network, const double *inputs, StiState *state,
                      StiScratch *scratch)
{
    const StiSolverConstants *p = &network->solver_constants;
    const Compliance compliance = sti_compliance(network, p->k_v, p->lambda_v);
    StiStatus status = sti_regular_begin(network, inputs, state, scratch);
    if (status != STI_OK) return status;
    resolve_joints(network, scratch); // (27)(21)
    status = sti_regular_accelerate(network, scratch, false);
    if (status != STI_OK) return status;
    sti_regular_rows(network, scratch, false);
    sti_regular_inertia(network, scratch, compliance.k); // (29)
    if (scratch->contacts->point_count > 0) {
        sti_regular_solve(network, scratch, compliance); // (28)(20)
        status = sti_regular_accelerate(network, scratch, true);
        if (status != STI_OK) return status;
    }
    remember_torques(network, scratch);
    status = sti_regular_finish(network, state, scratch);
    if (status != STI_OK) return status;
    sti_regular_settle(network, scratch); // (23)(24)
    return sti_step_commit(network, state, scratch, &scratch->stages[0].stage);
}

static void *take(StiArena *arena, const StiNetwork *network, StiScratch *scratch)
{
    (void)scratch;
    return sti_regular_take(arena, network, false);
}

static const char *refuse(const StiNetwork *network, const char **element)
{
    const char *refusal = sti_regular_refuse(network, element);
    for (int i = 0; refusal == NULL && i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        *element = e->name;
        if (!sti_reaction_of_joint(network, e))
            return "resolves friction of a robot's joints only; coupled and implicit resolve more";
        const StiEnd *joint = &e->wire.wire.a;
        if (!(network->admittances[joint->admittance].robot->armature[joint->place] > 0.0))
            return "friction of a joint acts on its rotor: give the joint an armature, or its "
                   "motor "
                   "a rotor_inertia";
        for (int k = 0; k < i; ++k) {
            const StiEnd *other = &network->reactions[k].wire.wire.a;
            if (other->admittance == joint->admittance && other->place == joint->place)
                return "resolves one element of friction per joint";
        }
    }
    return refusal;
}

static const StiExplanation explanation = {
    .equations = "joints, one by one; I = gamma^2 I_M (armature), tau: last joint torque\n"
                 "  A = h/I,  c = A (E e - D qd - tau) + qd,  d = q - q_r             (26)\n"
                 "  gamma tau_f = -A/(A^2 + lambda_q/gamma^2) (c + k_q d)             (27)\n"
                 "  beyond the static level: the law's level at qd, and q_r = q  (21)(24)\n"
                 "contacts; A = J H^-1 J^T h by articulated bodies, c: velocity without f\n"
                 "  f = argmin |A f + c + k_v d|^2 + lambda_v |f|^2,  f_n >= 0        (28)\n"
                 "  beyond mu_s f_n: they slide, the others are solved again          (20)\n"
                 "then Runge-Kutta-Gill with f, tau_f and inputs held\n"
                 "\n"
                 "in a scene: solver: {name: semi-implicit, k_q, lambda_q, k_v, lambda_v}\n"
                 "  k_q, lambda_q: 0 if not given; k_v: 0.05/step;\n"
                 "  lambda_v: 1e-8 of the squares of A's diagonal\n"
                 "  literal: true    forces are cut back (20)(21), nothing is solved again\n",
    .use = "The paper's method, to compare with: linear in the number of joints. Friction on "
           "joints of robots only, each with an armature; no restitution. Keep k_q h below "
           "armature/H_ii.",
    .drift = "No: what sticks is a stiff spring about an anchor, which stays.",
    .source = "[semi-implicit] III, with the corrections of docs/equations.md.",
};

const StiSolver sti_solver_semi_implicit = {
    .name = "semi-implicit",
    .summary = "joint friction from the last joint torque, then regularised contacts; linear time",
    .contacts = true,
    .refuse = refuse,
    .discrete = sti_regular_discrete,
    .take = take,
    .step = step,
    .explanation = &explanation,
};
