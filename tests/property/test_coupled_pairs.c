// Contacts between robots, between a robot and a rigid body, and of a robot with itself: the
// conditions of COUPLED 1, judged with dense H and J that the solver never sees.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "support/plan.h"
#include "support/scenes/contact_scenes.h"
#include "unit/robot/dense.h"
#include "unit/robot/random_tree.h"

enum { BODIES = 3, POINTS = 3, VELOCITIES = 24 };
static const double T = 1e-3;

// A robot, or a rigid body where there is no tree.
typedef struct Body {
    Tree *tree;
    StiRigidBody rigid;
    StiAdmittanceId id;
    int n;
    double q[32], v[VELOCITIES]; // at the start of a step
} Body;

typedef struct Pair {
    int body[2], link[2];
    double mu;
} Pair;

typedef struct Case {
    Body bodies[BODIES];
    Pair pairs[POINTS];
    int body_count, pair_count;
    StiVec3 gravity;
    Rig rig;
} Case;

static StiJointType one_axis(Random *random, int i)
{
    (void)i;
    return random_below(random, 4) == 0 ? STI_JOINT_PRISMATIC : STI_JOINT_REVOLUTE;
}
static StiJointType on_a_floating_base(Random *random, int i)
{
    return i == 0 ? STI_JOINT_FLOATING : one_axis(random, i);
}

static void add_body(Random *random, StiPlan *plan, Case *c, bool floating)
{
    const int index = c->body_count++;
    Body *body = &c->bodies[index];
    char name[16];
    snprintf(name, sizeof name, "body%d", index);
    if (floating && random_below(random, 3) == 0) {
        body->rigid = (StiRigidBody){.mass = random_decades(random, 0.3, 3.0)};
        random_inertia(random, body->rigid.mass, 0.3, body->rigid.inertia);
        for (int k = 0; k < 3; ++k) {
            body->rigid.inertia[k] += 1e-3;
            body->rigid.position[k] = random_between(random, -1.0, 1.0);
            body->rigid.velocity[k] = random_between(random, -1.0, 1.0);
            body->rigid.angular_velocity[k] = random_between(random, -2.0, 2.0);
        }
        body->n = 6;
        body->id = sti_plan_add_admittance(plan, name, &sti_kind_rigid_body, &body->rigid);
        return;
    }
    body->tree =
        random_tree(random, 1 + random_below(random, 5), floating ? on_a_floating_base : one_axis);
    body->n = body->tree->velocities;
    body->id = sti_plan_add_admittance(plan, name, &sti_kind_robot,
                                       &(StiRobotBody){.robot = body->tree->robot,
                                                       .positions = body->tree->positions,
                                                       .velocities = body->tree->velocities,
                                                       .position = body->tree->q,
                                                       .velocity = body->tree->v});
}

static StiFrame frame_of(const Body *body, const double *q, const double *v, int link)
{
    StiFrame frames[TREE_MOST];
    if (body->tree != NULL) {
        sti_robot_frames(body->tree->robot, q, v, frames);
        return frames[link];
    }
    const StiQuat attitude = {q[3], q[4], q[5], q[6]};
    return (StiFrame){.p = {q[0], q[1], q[2]},
                      .q = attitude,
                      .v = {v[0], v[1], v[2]},
                      .w = sti_quat_rotate(attitude, (StiVec3){v[3], v[4], v[5]})};
}

// A point of one link on a plane of another: what they touch at is chosen first.
static void add_pair(Random *random, StiPlan *plan, Case *c)
{
    Pair *pair = &c->pairs[c->pair_count];
    StiContactShape shapes[2];
    char name[16];
    do {
        for (int j = 0; j < 2; ++j) {
            pair->body[j] = random_below(random, c->body_count);
            const Body *body = &c->bodies[pair->body[j]];
            pair->link[j] = body->tree == NULL ? 0 : random_below(random, body->tree->links);
        }
    } while (pair->body[0] == pair->body[1] && pair->link[0] == pair->link[1]);
    const StiVec3 in_link = random_vec3(random, 0.3), unit = {0.0, 0.0, 1.0};
    const double gap = random_below(random, 2) * random_between(random, -1e-3, 1e-3);
    StiVec3 at = {0.0, 0.0, 0.0};
    for (int j = 0; j < 2; ++j) {
        const Body *body = &c->bodies[pair->body[j]];
        const double start[7] = {body->rigid.position[0], body->rigid.position[1],
                                 body->rigid.position[2], 1.0};
        const double still[6] = {0.0};
        const StiFrame frame = body->tree != NULL
                                   ? frame_of(body, body->tree->q, body->tree->v, pair->link[j])
                                   : frame_of(body, start, still, 0);
        if (j == 0) at = sti_vec3_add(frame.p, sti_quat_rotate(frame.q, in_link));
        const StiVec3 there = sti_quat_unrotate(frame.q, sti_vec3_sub(at, frame.p));
        const StiVec3 below = sti_vec3_sub(there, sti_vec3_scale(gap, unit));
        shapes[j] =
            (StiContactShape){body->id, pair->link[j],
                              j == 0 ? sti_shape_point(in_link) : sti_shape_plane(below, unit)};
    }
    snprintf(name, sizeof name, "contact%d", c->pair_count++);
    pair->mu = random_between(random, 0.0, 0.8);
    contact_between(plan, name, shapes[0], shapes[1], pair->mu);
}

static Case case_create(Random *random, bool floating)
{
    Case c = {.gravity = floating ? (StiVec3){0.0, 0.0, 0.0} : random_vec3(random, 10.0)};
    StiPlan *plan = plan_in_stages();
    sti_plan_set_step(plan, T);
    sti_plan_set_gravity(plan, c.gravity);
    const int bodies = 1 + random_below(random, BODIES);
    const int pairs = 1 + random_below(random, POINTS);
    for (int i = 0; i < bodies; ++i)
        add_body(random, plan, &c, floating || random_below(random, 3) == 0);
    const Body *only = &c.bodies[0];
    if (bodies == 1 && (only->tree == NULL || only->tree->links == 1))
        add_body(random, plan, &c, false);
    for (int i = 0; i < pairs; ++i) add_pair(random, plan, &c);
    c.rig = rig_of(plan);
    return c;
}

static void case_destroy(Case *c)
{
    rig_free(&c->rig);
    for (int i = 0; i < c->body_count; ++i)
        if (c->bodies[i].tree != NULL) tree_destroy(c->bodies[i].tree);
}

static void remember(Case *c)
{
    for (int i = 0; i < c->body_count; ++i) {
        Body *body = &c->bodies[i];
        const int positions = body->tree != NULL ? body->tree->positions : 7;
        memcpy(body->q, rig_x(&c->rig, body->id), (size_t)positions * sizeof *body->q);
        memcpy(body->v, rig_v(&c->rig, body->id), (size_t)body->n * sizeof *body->v);
    }
}

// Velocity per velocity of the body, of a point that is `arm` (world) from the link's origin.
static void jacobian(const Body *body, int link, StiVec3 arm, StiVec3 *columns)
{
    double J[3 * VELOCITIES];
    const StiFrame frame = frame_of(body, body->q, body->v, link);
    for (int k = 0; body->tree == NULL && k < 6; ++k) {
        const StiVec3 unit = {k % 3 == 0, k % 3 == 1, k % 3 == 2};
        columns[k] = k < 3 ? unit : sti_vec3_cross(sti_quat_rotate(frame.q, unit), arm);
    }
    if (body->tree == NULL) return;
    sti_robot_point_jacobian(body->tree->robot, body->q, link, sti_quat_unrotate(frame.q, arm), J,
                             body->tree->workspace);
    for (int k = 0; k < body->n; ++k)
        columns[k] = (StiVec3){J[k], J[body->n + k], J[2 * body->n + k]};
}

static StiVec3 times3(const double full[3][3], StiVec3 w)
{
    return sti_vec3(full[0][0] * w.x + full[0][1] * w.y + full[0][2] * w.z,
                    full[1][0] * w.x + full[1][1] * w.y + full[1][2] * w.z,
                    full[2][0] * w.x + full[2][1] * w.y + full[2][2] * w.z);
}

// k wm x I wm of the free motion, wm = w + dw/2 with I dw = -T k wm x I wm, k = tan h/h, h = T |wm|/2: the
// gyroscopic moment that keeps energy and angular momentum. A fixed point; T w is small.
static StiVec3 gyroscopic(const double full[3][3], StiVec3 w)
{
    StiVec3 wm = w, turn = {0.0, 0.0, 0.0};
    for (int i = 0; i < 60; ++i) {
        const double h = 0.5 * T * sti_vec3_norm(wm), k = h > 0.0 ? tan(h) / h : 1.0;
        turn = sti_vec3_scale(k, sti_vec3_cross(wm, times3(full, wm)));
        double dw[3] = {-T * turn.x, -T * turn.y, -T * turn.z}, copy[9];
        memcpy(copy, full, sizeof copy);
        dense_solve(3, copy, dw);
        wm = sti_vec3_add(w, sti_vec3(0.5 * dw[0], 0.5 * dw[1], 0.5 * dw[2]));
    }
    return turn;
}

// Nothing touches it: robots then take a step of their own (unit/step/flight judges it).
static bool flies(const Case *c, int body)
{
    const ContactData *contacts = c->rig.scratch->contacts;
    for (int i = 0; i < contacts->point_count; ++i) {
        const int *bodies = c->pairs[contacts->points[i].contact].body;
        if (sti_vec3_norm(contacts->points[i].force) > 0.0 &&
            (bodies[0] == body || bodies[1] == body))
            return false;
    }
    return true;
}

// H and the forces of the motion without contacts, at the start but for gyroscopic moments.
static void inertia(const Case *c, const Body *body, double *H, double *left)
{
    const double none[VELOCITIES] = {0.0};
    double bias[VELOCITIES];
    memset(H, 0, VELOCITIES * VELOCITIES * sizeof *H);
    if (body->tree != NULL) {
        sti_robot_mass_matrix(body->tree->robot, body->q, H, body->tree->workspace);
        sti_robot_inverse(body->tree->robot, c->gravity, body->q, body->v, none, NULL, bias, NULL,
                          body->tree->workspace);
        for (int k = 0; k < body->n; ++k) left[k] = -T * bias[k];
        return;
    }
    const double *I = body->rigid.inertia, m = body->rigid.mass;
    const double full[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    const StiVec3 w = {body->v[3], body->v[4], body->v[5]};
    const StiVec3 turn = gyroscopic(full, w);
    const double forces[6] = {m * c->gravity.x, m * c->gravity.y, m * c->gravity.z,
                              -turn.x,          -turn.y,          -turn.z};
    for (int k = 0; k < 6; ++k) left[k] = T * forces[k];
    for (int k = 0; k < 3; ++k) H[7 * k] = m;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) H[6 * (3 + a) + 3 + b] = full[a][b];
}

// The largest velocity that these impulses alone make.
static double reached(int n, const double *H, const double *impulses)
{
    double copy[VELOCITIES * VELOCITIES], v[VELOCITIES], most = 0.0;
    memcpy(copy, H, sizeof copy);
    memcpy(v, impulses, (size_t)n * sizeof *v);
    dense_solve(n, copy, v);
    for (int k = 0; k < n; ++k) most = fmax(most, fabs(v[k]));
    return most;
}

typedef struct Motion {
    double H[BODIES][VELOCITIES * VELOCITIES], left[BODIES][VELOCITIES];
    double speed; // largest in play
} Motion;

// Coulomb and Signorini at one point, as a velocity; its force is one of those that are left.
static double judge_point(const Case *c, const ContactPoint *p, Motion *motion)
{
    const Pair *pair = &c->pairs[p->contact];
    StiVec3 w = {0.0, 0.0, 0.0};
    for (int j = 0; j < 2; ++j) {
        const Body *body = &c->bodies[pair->body[j]];
        const double *end = rig_v(&c->rig, body->id), sense = j == 0 ? 1.0 : -1.0;
        StiVec3 columns[VELOCITIES];
        double own[VELOCITIES];
        jacobian(body, pair->link[j], p->arm[j], columns);
        for (int k = 0; k < body->n; ++k) {
            w = sti_vec3_add(w, sti_vec3_scale(sense * end[k], columns[k]));
            own[k] = sense * T * sti_vec3_dot(columns[k], p->force);
            motion->left[pair->body[j]][k] += own[k];
        }
        motion->speed = fmax(motion->speed, reached(body->n, motion->H[pair->body[j]], own));
    }
    const StiVec3 normal = p->touch.normal;
    const double fn = sti_vec3_dot(p->force, normal), vn = sti_vec3_dot(w, normal);
    const StiVec3 wt = sti_vec3_sub(w, sti_vec3_scale(vn, normal));
    const StiVec3 ft = sti_vec3_sub(p->force, sti_vec3_scale(fn, normal));
    const double slip = sti_vec3_norm(wt), limit = pair->mu * fn, wn = vn + p->open / T;
    const StiVec3 off = sti_vec3_add(ft, sti_vec3_scale(limit / (slip > 0.0 ? slip : 1.0), wt));
    double worst = fmax(-wn, fn > 0.0 ? fabs(wn) : 0.0);
    assert_true(fn >= 0.0);
    if (fn > 0.0) worst = fmax(worst, slip * sti_vec3_norm(off) / fn);
    return fmax(worst, fn > 0.0 ? (sti_vec3_norm(ft) - limit) / fn : sti_vec3_norm(ft));
}

// Largest violation as a velocity, relative to the largest in play.
static double judge(const Case *c)
{
    static Motion motion;
    double worst = 0.0;
    motion.speed = 1e-6;
    for (int i = 0; i < c->body_count; ++i) {
        const Body *body = &c->bodies[i];
        inertia(c, body, motion.H[i], motion.left[i]);
        motion.speed = fmax(motion.speed, reached(body->n, motion.H[i], motion.left[i]));
        for (int k = 0; k < body->n; ++k) motion.speed = fmax(motion.speed, fabs(body->v[k]));
    }
    for (int i = 0; i < c->rig.scratch->contacts->point_count; ++i)
        worst = fmax(worst, judge_point(c, &c->rig.scratch->contacts->points[i], &motion));
    for (int i = 0; i < c->body_count; ++i) {
        const Body *body = &c->bodies[i];
        const double *end = rig_v(&c->rig, body->id);
        double change[VELOCITIES], Hv[VELOCITIES];
        if (body->tree != NULL && flies(c, i)) continue;
        for (int k = 0; k < body->n; ++k) change[k] = end[k] - body->v[k];
        dense_times(body->n, motion.H[i], change, Hv);
        for (int k = 0; k < body->n; ++k) Hv[k] -= motion.left[i][k];
        worst = fmax(worst, reached(body->n, motion.H[i], Hv));
    }
    return worst / motion.speed;
}

static void run(uint64_t seed, bool floating)
{
    Random random = {seed};
    const int cases = rig_short() ? 100 : 1500;
    int unsolved = 0, touching = 0;
    double worst = 0.0, power = -1.0;
    for (int i = 0; i < cases; ++i) {
        Case c = case_create(&random, floating);
        for (int warm = 0; warm < 3; ++warm) {
            remember(&c);
            rig_step(&c.rig);
            const StiStepFigures f = sti_scratch_figures(c.rig.scratch);
            power = fmax(power, f.reaction_power);
            unsolved += f.unsolved > 0;
            touching += f.points > 0;
            if (f.unsolved == 0) worst = fmax(worst, judge(&c));
        }
        case_destroy(&c);
    }
    print_message("%d of %d steps touch, %d unsolved, worst %.1e, power %g\n", touching, 3 * cases,
                  unsolved, worst, power);
    assert_true(3 * touching > cases && unsolved <= 1 + cases / 500);
    assert_true(worst < 1e-9);
    assert_true(power <= 1e-12);
}

static void robots_and_bodies_push_each_other(void **state)
{
    (void)state;
    run(41, false);
}

static void floating_ones_too(void **state)
{
    (void)state;
    run(42, true);
}

// ---- two sliders --------------------------------------------------------------------------------

static const StiFrame no_frame = {.q = {1.0, 0.0, 0.0, 0.0}};

// Two sliders of 1 kg along x with spheres of 0.1 m that touch.
typedef struct Sliders {
    StiRobot *robots[2];
    StiAdmittanceId ids[2];
    Rig rig;
} Sliders;

static void push_right(const void *data, void *workspace, double t, double *values)
{
    (void)workspace, (void)t;
    values[0] = *(const double *)data;
}

static Sliders sliders(double e, double speed, const double *push)
{
    Sliders s;
    StiPlan *plan = plan_in_stages();
    StiContactShape balls[2];
    for (int i = 0; i < 2; ++i) {
        const StiLink link = {.name = "cart",
                              .joint_name = "rail",
                              .parent = -1,
                              .joint = STI_JOINT_PRISMATIC,
                              .axis = {1.0, 0.0, 0.0},
                              .mass = 1.0,
                              .inertia = {0.01, 0.01, 0.01}};
        const double at = 0.2 * i, v = i == 0 ? speed : 0.0;
        s.robots[i] = sti_robot_create(&link, 1, NULL);
        s.ids[i] = sti_plan_add_admittance(plan, i == 0 ? "left" : "right", &sti_kind_robot,
                                           &(StiRobotBody){.robot = s.robots[i],
                                                           .positions = 1,
                                                           .velocities = 1,
                                                           .position = &at,
                                                           .velocity = &v});
        balls[i] = (StiContactShape){s.ids[i], 0, sti_shape_sphere(no_frame.p, 0.1)};
    }
    sti_plan_add_contact(plan, "touch",
                         &(StiContact){.a = &balls[0],
                                       .a_count = 1,
                                       .b = &balls[1],
                                       .b_count = 1,
                                       .mu = 0.3,
                                       .restitution = e});
    if (push != NULL) {
        const StiWire wire = sti_wire_joint(s.ids[0], s.robots[0], 0);
        sti_plan_add_force(plan, "push", &wire, 1,
                           (StiTimeFunction){.count = 1, .eval = push_right, .data = push});
    }
    s.rig = rig_of(plan);
    return s;
}

static void sliders_free(Sliders *s)
{
    rig_free(&s->rig);
    for (int i = 0; i < 2; ++i) sti_robot_destroy(s->robots[i]);
}

static void equal_sliders_exchange_their_velocities(void **state)
{
    (void)state;
    Sliders s = sliders(1.0, 1.0, NULL);
    rig_run(&s.rig, 5);
    const double a = rig_v(&s.rig, s.ids[0])[0], b = rig_v(&s.rig, s.ids[1])[0];
    assert_true(fabs(a) < 1e-12 && fabs(b - 1.0) < 1e-12);
    assert_true(fabs(0.5 * (a * a + b * b) - 0.5) < 1e-12);
    sliders_free(&s);
}

static void a_pushed_pair_shares_the_force(void **state)
{
    (void)state;
    static const double push = 10.0;
    Sliders s = sliders(0.0, 0.0, &push);
    for (int k = 1; k <= 200; ++k) {
        rig_step(&s.rig);
        assert_int_equal(s.rig.scratch->contacts->point_count, 1);
        const ContactPoint *p = &s.rig.scratch->contacts->points[0];
        assert_true(fabs(fabs(p->force.x) - 5.0) < 1e-9);
        for (int i = 0; i < 2; ++i)
            assert_true(fabs(rig_v(&s.rig, s.ids[i])[0] - 5e-3 * k) < 1e-12);
    }
    sliders_free(&s);
}

// A floating robot of one link and a rigid body, or two of the same, collide and rub.
static void collide(Random *random, int robots)
{
    StiPlan *plan = plan_in_stages();
    StiRobot *robot[2] = {NULL, NULL};
    StiAdmittanceId ids[2];
    StiContactShape shapes[2];
    double mass[2], before[3] = {0.0};
    for (int i = 0; i < 2; ++i) {
        mass[i] = random_decades(random, 0.3, 3.0);
        const double at = 0.21 * i, v[3] = {i == 0 ? 1.0 : -1.0, random_between(random, -1.0, 1.0),
                                            random_between(random, -1.0, 1.0)};
        const StiLink link = {.name = "ball",
                              .joint_name = "free",
                              .parent = -1,
                              .joint = STI_JOINT_FLOATING,
                              .mass = mass[i],
                              .inertia = {0.01, 0.01, 0.01}};
        const StiRigidBody body = {.mass = mass[i],
                                   .inertia = {0.01, 0.01, 0.01},
                                   .position = {at},
                                   .velocity = {v[0], v[1], v[2]}};
        const double q[7] = {at, 0.0, 0.0, 1.0}, twist[6] = {v[0], v[1], v[2]};
        if (i < robots) robot[i] = sti_robot_create(&link, 1, NULL);
        ids[i] = i < robots ? sti_plan_add_admittance(plan, i == 0 ? "a" : "b", &sti_kind_robot,
                                                      &(StiRobotBody){.robot = robot[i],
                                                                      .positions = 7,
                                                                      .velocities = 6,
                                                                      .position = q,
                                                                      .velocity = twist})
                            : sti_plan_add_admittance(plan, i == 0 ? "a" : "b",
                                                      &sti_kind_rigid_body, &body);
        shapes[i] = (StiContactShape){ids[i], 0, sti_shape_sphere(no_frame.p, 0.1)};
        for (int k = 0; k < 3; ++k) before[k] += mass[i] * v[k];
    }
    contact_between(plan, "touch", shapes[0], shapes[1], random_between(random, 0.0, 1.0));
    Rig rig = rig_of(plan);
    int touched = 0;
    for (int step = 0; step < 50; ++step) {
        rig_step(&rig);
        touched += sti_scratch_figures(rig.scratch).points;
        for (int k = 0; k < 3; ++k) {
            const double now = mass[0] * rig_v(&rig, ids[0])[k] + mass[1] * rig_v(&rig, ids[1])[k];
            assert_true(fabs(now - before[k]) < 1e-12);
        }
    }
    assert_true(touched > 0);
    rig_free(&rig);
    for (int i = 0; i < robots; ++i) sti_robot_destroy(robot[i]);
}

static void momentum_is_kept(void **state)
{
    (void)state;
    Random random = {43};
    for (int i = 0; i < 60; ++i) collide(&random, i % 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robots_and_bodies_push_each_other),
        cmocka_unit_test(floating_ones_too),
        cmocka_unit_test(equal_sliders_exchange_their_velocities),
        cmocka_unit_test(a_pushed_pair_shares_the_force),
        cmocka_unit_test(momentum_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
