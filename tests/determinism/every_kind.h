// A network with a component of every kind, which can be declared in any order. Include after cmocka.h.
#ifndef STICTION_TESTS_EVERY_KIND_H
#define STICTION_TESTS_EVERY_KIND_H

#include <stdio.h>

#include "property/friction_models.h"
#include "support/plan.h"
#include "unit/network/built.h"

enum {
    HAND,
    CART,
    TRUCK,
    PUCK,
    GUIDED,
    BALL,
    BOX,
    DOOR,
    ARM,
    FIRST_SLED,
    BODIES = FIRST_SLED + MODEL_COUNT
};
enum { PULL, WIND, TORQUE, SOURCES };
enum { ELEMENTS_MOST = 64, CONNECTIONS_MOST = 20, DECLARATIONS_MOST = 160 };

typedef struct BodyRow {
    const char *name;
    const StiAdmittanceKind *kind;
    const void *parameters;
} BodyRow;

typedef struct ElementRow {
    const char *name;
    const StiImpedanceKind *impedance;
    const StiReactionKind *reaction;
    const void *parameters;
    StiWire wire; // its ends have the numbers of bodies above
} ElementRow;

typedef struct ConnectionRow {
    int type, from, index;
    bool to_body;
    int to, input;
} ConnectionRow;

// What is to be declared, and what has been.
typedef struct Shop {
    BodyRow bodies[BODIES];
    ElementRow elements[ELEMENTS_MOST];
    ConnectionRow connections[CONNECTIONS_MOST];
    int element_count, connection_count;
    StiRobot *robot;
    FrictionModel models[MODEL_COUNT];
    char sled_names[MODEL_COUNT][32], friction_names[MODEL_COUNT][32];
    StiPointMass sleds[MODEL_COUNT];
    StiPlan *plan;
    StiAdmittanceId body_ids[BODIES];
    StiElementId element_ids[ELEMENTS_MOST];
    StiSourceId source_ids[SOURCES];
    bool done[DECLARATIONS_MOST];
} Shop;

static inline StiAdmittanceId body(int number) 
{
    return (StiAdmittanceId){number < 0 ? -1 : number + 1};
}
static inline StiWire line(int a, int b)
{
    return sti_wire_coordinate_pair(body(a), 0, body(b), 0, 1);
}

static inline void impede(Shop *shop, const char *name, const StiImpedanceKind *kind,
                          const void *parameters, StiWire wire)
{
    shop->elements[shop->element_count++] = (ElementRow){name, kind, NULL, parameters, wire};
}
static inline void react(Shop *shop, const char *name, const StiReactionKind *kind,
                         const void *parameters, StiWire wire)
{
    shop->elements[shop->element_count++] = (ElementRow){name, NULL, kind, parameters, wire};
}
// Into the element that was added last.
static inline void listen(Shop *shop, int type, int from, int index, int input)
{
    shop->connections[shop->connection_count++] =
        (ConnectionRow){type, from, index, false, shop->element_count - 1, input};
}

static inline StiRobot *pendulum(void)
{
    static const StiLink link = {.name = "rod",
                                 .joint_name = "pivot",
                                 .parent = -1,
                                 .joint = STI_JOINT_REVOLUTE,
                                 .placement = {.q = {1.0, 0.0, 0.0, 0.0}},
                                 .axis = {0.0, 1.0, 0.2},
                                 .mass = 1.0,
                                 .centre = {0.2, 0.0, 0.0},
                                 .inertia = {0.01, 0.02, 0.02}};
    StiRobot *robot = sti_robot_create(&link, 1, NULL);
    assert_non_null(robot);
    return robot;
}

static inline StiRigidBody spinning(double x, double y, double z)
{
    return (StiRigidBody){.mass = 1.0,
                          .inertia = {0.01, 0.02, 0.02},
                          .position = {x, y, z},
                          .velocity = {0.6, 0.1, 0.0},
                          .angular_velocity = {0.0, 0.0, 1.0}};
}

static inline void list_bodies(Shop *shop)
{
    static const StiMotionSource hand = {.dim = 1};
    static const StiPointMass cart = {.dim = 1, .mass = 1.0, .velocity = {0.7}};
    static const StiPointMass truck = {.dim = 1, .mass = 3.0, .velocity = {-0.3}};
    static const StiPointMass puck = {.dim = 2, .mass = 0.4, .velocity = {0.5, 1.0}};
    static const StiGuidedBlock guided = {.mass = 2.0, .axis = {1.0, 0.5, 0.2}, .velocity = 0.6};
    static StiRigidBody ball, box, door;
    ball = spinning(0.0, 0.0, 0.2);
    box = spinning(0.0, 1.0, 0.12);
    door = spinning(2.3, 0.0, 0.0);
    static StiRobotBody arm;
    arm.robot = shop->robot;
    shop->bodies[HAND] = (BodyRow){"hand", &sti_kind_motion_source, &hand};
    shop->bodies[CART] = (BodyRow){"cart", &sti_kind_point_mass, &cart};
    shop->bodies[TRUCK] = (BodyRow){"truck", &sti_kind_point_mass, &truck};
    shop->bodies[PUCK] = (BodyRow){"puck", &sti_kind_point_mass, &puck};
    shop->bodies[GUIDED] = (BodyRow){"guided", &sti_kind_guided_block, &guided};
    shop->bodies[BALL] = (BodyRow){"ball", &sti_kind_rigid_body, &ball};
    shop->bodies[BOX] = (BodyRow){"box", &sti_kind_rigid_body, &box};
    shop->bodies[DOOR] = (BodyRow){"door", &sti_kind_rigid_body, &door};
    shop->bodies[ARM] = (BodyRow){"arm", &sti_kind_robot, &arm};
}

// One sled for each friction model, all on the rope of the hand.
static inline void list_sleds(Shop *shop)
{
    static const StiSpringDamper rope = {.dim = 1, .K = 20.0, .B = 0.5};
    static char ropes[MODEL_COUNT][32];
    Random random = {7};
    for (int i = 0; i < MODEL_COUNT; ++i) {
        FrictionModel *m = &shop->models[i];
        choose_model(m, i, &random, 2.0, 1000.0, 0.1);
        snprintf(shop->sled_names[i], sizeof shop->sled_names[i], "sled%02d", i);
        snprintf(shop->friction_names[i], sizeof shop->friction_names[i], "model%02d", 40 - i);
        snprintf(ropes[i], sizeof ropes[i], "rope%02d", (7 * i) % MODEL_COUNT);
        shop->sleds[i] = (StiPointMass){.dim = m->dim, .mass = 1.0, .velocity = {0.3}};
        shop->bodies[FIRST_SLED + i] =
            (BodyRow){shop->sled_names[i], &sti_kind_point_mass, &shop->sleds[i]};
        impede(shop, shop->friction_names[i], m->kind, m->parameters,
               sti_wire_coordinate(body(FIRST_SLED + i), 0, m->dim));
        impede(shop, ropes[i], &sti_kind_spring_damper, &rope, line(FIRST_SLED + i, HAND));
    }
}

static inline void list_elements(Shop *shop)
{
    const StiVec3 origin = {0.0, 0.0, 0.0}, up = {0.0, 0.0, 1.0}, corner = {0.1, 0.2, 0.3};
    const StiFrame edge = {.p = {-0.3, 0.0, 0.0}}, middle = {.p = origin},
                   post = {.p = {2.0, 0.0, 0.0}};
    const StiWire crank = sti_wire_point_pair(body(GUIDED), 0, corner, body(DOOR), 0, origin, 3);
    const StiWire anchor = sti_wire_point(body(BOX), 0, corner, up, 3);
    const StiWire frames = sti_wire_frame(body(DOOR), 0, edge, body(-1), 0, post);
    const StiWire hinge = sti_wire_hinge(body(DOOR), 0, edge, body(-1), 0, post);
    const StiWire rolling = sti_wire_sphere_plane(body(BALL), 0, origin, 0.2, origin, up);
    const StiWire standing =
        sti_wire_box_plane(body(BOX), 0, middle, sti_vec3(0.2, 0.1, 0.1), origin, up);
    static const StiSpringDamper spring = {.dim = 1, .K = 50.0, .B = 0.3};
    static const StiSpringDamper spring_3 = {.dim = 3, .K = 20.0, .B = 0.1, .rest = {0.1, 0, 0}};
    static const StiPenaltyJoint stiff = {.Kp = 1e4, .Bp = 30.0, .Kr = 100.0, .Br = 0.3};
    static const StiSoftContact ball = {.points = 1, .K = 1e4, .B = 3.0, .mu = 0.3};
    static const StiSoftContact box = {.points = 8, .K = 1e4, .B = 5.0, .mu = 0.4};
    static const StiForceSource force = {1};
    static const StiDcMotor drive = {.K_M = 0.01, .R = 2.0, .gamma = 50.0};
    static const StiGearLoss gear = {.mu_avg = 0.2, .mu_dif = 0.05, .h = 0.01};
    static const StiServo servo = {
        .motor = {0.01, 2.0, 10.0, 24.0}, .K_P = 2.0, .K_I = 1.0, .K_D = 0.1, .period = 5e-3};
    static const StiJointLimit stop = {.lower = -0.3, .upper = 0.2, .K = 500.0, .B = 1.0};
    static StiElasticCoulomb dry = {.dim = 1, .K = 1e3, .B = 3.0},
                             loaded = {.dim = 1, .K = 1e3, .B = 3.0};
    dry.law = sti_law_stribeck(0.05, 0.07, 0.1, 2.0, 0.01);
    loaded.law = sti_law_times_load(sti_law_coulomb(0.2));
    impede(shop, "buffer", &sti_kind_spring_damper, &spring, line(CART, TRUCK));
    impede(shop, "leash", &sti_kind_spring_damper, &spring, line(HAND, CART));
    impede(shop, "crank", &sti_kind_spring_damper, &spring_3, crank);
    impede(shop, "anchor", &sti_kind_spring_damper, &spring_3, anchor);
    impede(shop, "post", &sti_kind_penalty_joint, &stiff, frames);
    impede(shop, "post.rub", &sti_kind_elastic_coulomb, &dry, hinge);
    impede(shop, "roll", &sti_kind_soft_contact, &ball, rolling);
    impede(shop, "stand", &sti_kind_soft_contact, &box, standing);
    impede(shop, "guide.rub", &sti_kind_elastic_coulomb, &loaded, line(GUIDED, -1));
    listen(shop, STI_SIGNAL_LOAD, GUIDED, 0, 0);
    impede(shop, "arm.rub", &sti_kind_elastic_coulomb, &loaded, line(ARM, -1));
    listen(shop, STI_SIGNAL_LOAD, ARM, 0, 0);
    impede(shop, "arm.motor", &sti_kind_force_source, &force, line(ARM, -1));
    listen(shop, STI_SIGNAL_SOURCE, TORQUE, 0, 0);
    impede(shop, "wind", &sti_kind_force_source, &force, line(TRUCK, -1));
    listen(shop, STI_SIGNAL_SOURCE, WIND, 0, 0);
    impede(shop, "arm.drive", &sti_kind_dc_motor, &drive, line(ARM, -1));
    listen(shop, STI_SIGNAL_SOURCE, WIND, 0, 0);
    impede(shop, "arm.gear", &sti_kind_gear_loss, &gear, line(ARM, -1));
    listen(shop, STI_SIGNAL_FORCE, shop->element_count - 2, 0, 0);
    impede(shop, "cart.servo", &sti_kind_servo, &servo, line(CART, -1));
    listen(shop, STI_SIGNAL_SOURCE, PULL, 0, 0);
    impede(shop, "cart.stop", &sti_kind_joint_limit, &stop, line(CART, -1));
    // follows the rub of the guide, whose name comes later in the alphabet
    impede(shop, "echo", &sti_kind_force_source, &force, line(TRUCK, -1));
    const int guide_rub = shop->element_count - 9;
    assert_string_equal(shop->elements[guide_rub].name, "guide.rub");
    listen(shop, STI_SIGNAL_FORCE, guide_rub, 0, 0);
    for (int i = 0; i < 2; ++i)
        shop->connections[shop->connection_count++] =
            (ConnectionRow){STI_SIGNAL_SOURCE, PULL, i, true, HAND, i};
}

static inline void list_reactions(Shop *shop)
{
    static StiFiniteTime held = {.dim = 1, .level_static = 2.5}, planar = {.dim = 2},
                         slope = {.dim = 1, .approximate = true}, loaded = {.dim = 1};
    static StiKarnopp karnopp = {.dim = 1, .eps = 1e-3};
    static StiQuinn quinn = {.dim = 1, .eps = 1e-2};
    held.law = slope.law = sti_law_viscous(2.0, 0.1);
    planar.law = sti_law_coulomb(0.3);
    loaded.law = sti_law_times_load(sti_law_coulomb(0.1));
    karnopp.law = quinn.law = sti_law_coulomb(1.0);
    react(shop, "cart.ground", &sti_kind_finite_time, &held, line(CART, -1));
    react(shop, "cart.truck", &sti_kind_finite_time, &slope, line(TRUCK, CART));
    react(shop, "truck.sled", &sti_kind_finite_time, &held, line(FIRST_SLED, TRUCK));
    react(shop, "puck.ice", &sti_kind_finite_time, &planar, sti_wire_coordinate(body(PUCK), 0, 2));
    react(shop, "guide.stick", &sti_kind_finite_time, &loaded, line(GUIDED, -1));
    listen(shop, STI_SIGNAL_LOAD, GUIDED, 0, 0);
    react(shop, "sled1.karnopp", &sti_kind_karnopp, &karnopp, line(FIRST_SLED + 1, -1));
    react(shop, "sled2.quinn", &sti_kind_quinn, &quinn, line(FIRST_SLED + 2, -1));
}

static inline void pull_at(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 0.5 * sin(3.0 * t);
    values[1] = 1.5 * cos(3.0 * t);
}

static inline void declare_source(Shop *shop, int i)
{
    if (i == PULL)
        shop->source_ids[i] =
            sti_plan_add_time_function(shop->plan, "pull",
                                       (StiTimeFunction){.count = 2, .eval = pull_at});
    else
        shop->source_ids[i] =
            sti_plan_add_input(shop->plan, i == WIND ? "gusts" : "torque", 1, NULL);
}

static inline void declare_element(Shop *shop, int i)
{
    const ElementRow *e = &shop->elements[i];
    StiWire wire = e->wire;
    wire.a.body = shop->body_ids[wire.a.body.number - 1];
    if (wire.b.body.number > 0) wire.b.body = shop->body_ids[wire.b.body.number - 1];
    shop->element_ids[i] =
        e->impedance != NULL
            ? sti_plan_add_impedance(shop->plan, e->name, e->impedance, e->parameters, &wire)
            : sti_plan_add_reaction(shop->plan, e->name, e->reaction, e->parameters, &wire);
}

static inline void declare_connection(Shop *shop, const ConnectionRow *c)
{
    const StiSignal signal =
        c->type == STI_SIGNAL_SOURCE ? sti_signal_source(shop->source_ids[c->from], c->index)
        : c->type == STI_SIGNAL_LOAD ? sti_signal_load(shop->body_ids[c->from], c->index)
                                     : sti_signal_force(shop->element_ids[c->from], c->index);
    if (c->to_body)
        sti_plan_connect_admittance(shop->plan, signal, shop->body_ids[c->to], c->input);
    else
        sti_plan_connect(shop->plan, sti_signal_scaled(signal, 0.9), shop->element_ids[c->to],
                         c->input);
}

// Declaration i: bodies, then sources, elements and connections. False if it must wait for others.
static inline bool declare(Shop *shop, int i)
{
    const bool *bodies = shop->done, *sources = bodies + BODIES, *elements = sources + SOURCES;
    if (i < BODIES) {
        const BodyRow *row = &shop->bodies[i];
        shop->body_ids[i] =
            sti_plan_add_admittance(shop->plan, row->name, row->kind, row->parameters);
        return true;
    }
    if ((i -= BODIES) < SOURCES) {
        declare_source(shop, i);
        return true;
    }
    if ((i -= SOURCES) < shop->element_count) {
        const int a = shop->elements[i].wire.a.body.number, b = shop->elements[i].wire.b.body.number;
        if (!bodies[a - 1] || (b > 0 && !bodies[b - 1])) return false;
        declare_element(shop, i);
        return true;
    }
    const ConnectionRow *c = &shop->connections[i - shop->element_count];
    const bool *from = c->type == STI_SIGNAL_SOURCE ? sources
                       : c->type == STI_SIGNAL_LOAD ? bodies
                                                    : elements;
    if (!from[c->from] || !(c->to_body ? bodies : elements)[c->to]) return false;
    declare_connection(shop, c);
    return true;
}

static inline StiPlan *declared_in_order(Shop *shop, uint64_t seed)
{
    const int count = BODIES + SOURCES + shop->element_count + shop->connection_count;
    int order[DECLARATIONS_MOST];
    Random random = {seed};
    assert_in_range(count, 1, DECLARATIONS_MOST);
    shop->plan = plan_in_stages();
    sti_plan_set_gravity(shop->plan, sti_vec3(0.0, 0.0, -9.81));
    for (int i = 0; i < count; ++i) {
        const int j = seed == 0 ? i : random_below(&random, i + 1); // seed 0: as listed
        order[i] = order[j];
        order[j] = i;
        shop->done[i] = false;
    }
    for (int left = count; left > 0;)
        for (int i = 0; i < count; ++i)
            if (!shop->done[order[i]] && declare(shop, order[i])) {
                shop->done[order[i]] = true;
                --left;
            }
    return shop->plan;
}

// seed 0: in the order of the lists above. With reactions, or with impedances alone.
static inline StiPlan *every_kind(bool reactions, uint64_t seed)
{
    static Shop shop;
    shop = (Shop){.robot = pendulum()};
    list_bodies(&shop);
    list_sleds(&shop);
    list_elements(&shop);
    if (reactions) list_reactions(&shop);
    StiPlan *plan = declared_in_order(&shop, seed);
    sti_robot_destroy(shop.robot); // the plan has its own
    return plan;
}

#endif
