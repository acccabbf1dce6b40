// Scenes with more contacts than are needed: a cart on four wheels, dominoes, a falling arch, a
// heap, a tower. `order` changes the order of declaration, `mirrored` turns y around: neither may
// change what happens. Include after cmocka.h.
#ifndef STICTION_TESTS_SCENES_REDUNDANT_H
#define STICTION_TESTS_SCENES_REDUNDANT_H

#include "support/plan.h"
#include "support/random_space.h"
#include "support/scenes/contact_scenes.h"

enum { REDUNDANT_BODIES = 64 };

typedef struct Redundant {
    Rig rig;
    StiRobot *robot; // of the cart
    int count;
    StiAdmittanceId bodies[REDUNDANT_BODIES]; // always in the same order
    int place[REDUNDANT_BODIES];              // of a wheel among the links
} Redundant;

// One step, with figures that count over the whole run.
typedef struct RedundantRun {
    int unsolved, soft;
    double creep;
} RedundantRun;

static inline void redundant_free(Redundant *s)
{
    rig_free(&s->rig);
    if (s->robot != NULL) sti_robot_destroy(s->robot);
}

static inline void redundant_step(const Redundant *s, RedundantRun *run)
{
    rig_step(&s->rig);
    const StiStepFigures f = sti_scratch_figures(s->rig.scratch);
    run->unsolved += f.unsolved > 0;
    run->soft += f.soft > 0;
    run->creep = fmax(run->creep, f.creep);
}

// ---- the cart -----------------------------------------------------------------------------------

enum { CART_WHEELS = 4 };
static const double cart_radius = 0.1;

static inline void cart_torque(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace, (void)t;
    values[0] = 2.0;
}

// Wheels: front left, front right, rear left, rear right; the rear ones are driven with 2 N m.
// first: which of them is declared first, the others follow in turn.
static inline Redundant redundant_cart(double T, bool cylinders, int first, bool mirrored)
{
    static const char *const names[] = {"base", "w0", "w1", "w2", "w3"};
    static const char *const joints[] = {"free", "j0", "j1", "j2", "j3"};
    Redundant s = {.count = 1};
    StiLink links[CART_WHEELS + 1] = {{.name = names[0],
                                       .joint_name = joints[0],
                                       .parent = -1,
                                       .joint = STI_JOINT_FLOATING,
                                       .mass = 10.0,
                                       .inertia = {0.2, 0.4, 0.5}}};
    for (int k = 0; k < CART_WHEELS; ++k) {
        const int i = (first + k) % CART_WHEELS;
        const double y = (i % 2 == 0) != mirrored ? 0.2 : -0.2;
        s.place[i] = 1 + k;
        links[1 + k] = (StiLink){.name = names[1 + k],
                                 .joint_name = joints[1 + k],
                                 .parent = 0,
                                 .joint = STI_JOINT_REVOLUTE,
                                 .placement = {.p = {i < 2 ? 0.3 : -0.3, y, 0.0}},
                                 .axis = {0.0, 1.0, 0.0},
                                 .mass = 0.5,
                                 .inertia = {0.0015, 0.0025, 0.0015}};
    }
    s.robot = sti_robot_create(links, CART_WHEELS + 1, NULL);
    StiPlan *plan = plan_in_stages();
    sti_plan_set_step(plan, T);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -GRAVITY));
    double q[11];
    sti_robot_rest(s.robot, q);
    q[2] = cart_radius;
    s.bodies[0] =
        sti_plan_add_admittance(plan, "cart", &sti_kind_robot,
                                &(StiRobotBody){.robot = s.robot, .positions = 11, .position = q});
    const StiFrame lying = {.q = {sqrt(0.5), sqrt(0.5), 0.0, 0.0}}; // z becomes y
    for (int k = 0; k < CART_WHEELS; ++k) {
        const int i = (first + k) % CART_WHEELS;
        const StiContactShape wheel = {s.bodies[0], 1 + k,
                                       cylinders ? sti_shape_cylinder(lying, cart_radius, 0.02)
                                                 : sti_shape_sphere(lying.p, cart_radius)};
        char name[16];
        snprintf(name, sizeof name, "wheel%d", i);
        contact_between(plan, name, wheel, ground_shape(sti_vec3(0.0, 0.0, 1.0)), 0.8);
        if (i < 2) continue;
        const StiWire wire = sti_wire_joint(s.bodies[0], s.robot, 1 + k);
        snprintf(name, sizeof name, "motor%d", i);
        sti_plan_add_force(plan, name, &wire, 1,
                           (StiTimeFunction){.count = 1, .eval = cart_torque});
    }
    s.rig = rig_of(plan);
    return s;
}

// The load of each wheel in the last step, N.
static inline void cart_loads(const Redundant *s, double loads[CART_WHEELS])
{
    const ContactData *contacts = s->rig.scratch->contacts;
    for (int i = 0; i < CART_WHEELS; ++i) loads[i] = 0.0;
    for (int k = 0; k < contacts->point_count; ++k) {
        const ContactPoint *p = &contacts->points[k];
        const int link = p->frame[0] - s->rig.network->admittances[s->bodies[0].number - 1].link;
        for (int i = 0; i < CART_WHEELS; ++i)
            if (s->place[i] == link) loads[i] += p->force.z;
    }
}

// ---- boxes --------------------------------------------------------------------------------------

typedef struct RedundantBox {
    StiVec3 half, at, turn; // turn: initial angular velocity, body axes
    StiQuat attitude;
    double mass;
} RedundantBox;

// Adds them in this order or from the last to the first, with the ground, and mu everywhere.
static inline Redundant redundant_boxes(double T, const RedundantBox *boxes, int count, double mu,
                                        bool reversed, bool mirrored)
{
    Redundant s = {.count = count};
    StiContactShape shapes[REDUNDANT_BODIES + 1];
    StiPlan *plan = plan_in_stages();
    sti_plan_set_step(plan, T);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -GRAVITY));
    for (int k = 0; k < count; ++k) {
        const int i = reversed ? count - 1 - k : k;
        const RedundantBox *box = &boxes[i];
        const double y = mirrored ? -1.0 : 1.0;
        char name[16];
        snprintf(name, sizeof name, "box%d", i);
        StiRigidBody body = box_body(box->mass, box->half, box->at);
        body.position[1] *= y;
        const double attitude[4] = {box->attitude.w, y * box->attitude.x, box->attitude.y,
                                    y * box->attitude.z};
        const double turn[3] = {y * box->turn.x, box->turn.y, y * box->turn.z};
        for (int d = 0; d < 4; ++d) body.attitude[d] = attitude[d];
        for (int d = 0; d < 3; ++d) body.angular_velocity[d] = turn[d];
        s.bodies[i] = sti_plan_add_admittance(plan, name, &sti_kind_rigid_body, &body);
        shapes[k] = box_shape(s.bodies[i], box->half);
    }
    shapes[count] = ground_shape(sti_vec3(0.0, 0.0, 1.0));
    sti_plan_add_contact(plan, "touch", &(StiContact){.a = shapes, .a_count = count + 1, .mu = mu});
    s.rig = rig_of(plan);
    return s;
}

// A row along x; the first leans on its lower edge, too far to come back.
static inline int dominoes(RedundantBox *boxes, int count)
{
    const StiVec3 half = {0.01, 0.04, 0.08};
    const double lean = 0.2, c = cos(lean), s = sin(lean);
    for (int i = 0; i < count; ++i)
        boxes[i] = (RedundantBox){.half = half,
                                  .at = {0.06 * i, 0.0, half.z},
                                  .attitude = STI_QUAT_IDENTITY,
                                  .mass = 0.2};
    boxes[0].at = sti_vec3(half.x - c * half.x + s * half.z, 0.0, c * half.z + s * half.x);
    boxes[0].attitude = (StiQuat){cos(0.5 * lean), 0.0, sin(0.5 * lean), 0.0};
    return count;
}

// Stones on half a circle without abutments: it spreads and comes down.
static inline int falling_arch(RedundantBox *boxes)
{
    enum { STONES = 11 };
    const double radius = 0.5, pi = 3.14159265358979323846;
    for (int i = 0; i < STONES; ++i) {
        const double angle = pi * (i + 0.5) / STONES, half = 0.5 * (pi / 2.0 - angle);
        const double width = radius * sin(0.5 * pi / STONES) * 0.85;
        boxes[i] = (RedundantBox){.half = {width, 0.06, 0.07},
                                  .at = {radius * cos(angle), 0.0, radius * sin(angle) + 0.012},
                                  .attitude = {cos(half), 0.0, sin(half), 0.0},
                                  .mass = 0.5};
    }
    return STONES;
}

// Layers of boxes of several sizes, turned and falling onto each other.
static inline int heap_of_boxes(RedundantBox *boxes, int count, uint64_t seed)
{
    Random random = {seed};
    for (int i = 0; i < count; ++i) {
        const double size = random_between(&random, 0.03, 0.06);
        boxes[i] = (RedundantBox){.half = {size, random_between(&random, 0.03, 0.06),
                                           random_between(&random, 0.03, 0.06)},
                                  .at = {0.2 * (i % 3) + random_between(&random, -0.01, 0.01),
                                         0.2 * (i / 3 % 3) + random_between(&random, -0.01, 0.01),
                                         0.12 + 0.22 * (i / 9)},
                                  .attitude = random_attitude(&random),
                                  .mass = 4000.0 * size * size * size};
    }
    return count;
}

static inline int tower_of_boxes(RedundantBox *boxes, int count)
{
    for (int i = 0; i < count; ++i)
        boxes[i] = (RedundantBox){.half = {0.1, 0.1, 0.05},
                                  .at = {0.0, 0.0, 0.05 * (2 * i + 1)},
                                  .attitude = STI_QUAT_IDENTITY,
                                  .mass = 1.0};
    return count;
}

#endif
