// stiction through its public headers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

enum { RULE, CUT, EVENTS }; // variants

static const StiAdaptiveOptions tolerances = {.rtol = 1e-8, .atol = 1e-10, .longest_step = 0.1};

static void version(char *text, size_t size) { snprintf(text, size, "stiction %s", STI_VERSION); }

// Methods that cut the step resolve friction along single coordinates, no contacts.
static bool can_follow_events(PeerCase which)
{
    return which == CASE_SPRING_PULL || which == CASE_ZERO_CROSSING || which == CASE_TWO_LINK ||
           which == CASE_ROLLING || which == CASE_SLIDING_BOX;
}

static void destroy(void *data)
{
    World *world = data;
    sti_adaptive_destroy(world->adaptive);
    sti_scratch_destroy(world->scratch);
    sti_state_destroy(world->state);
    if (world->shared == NULL) {
        sti_network_destroy(world->network);
        free(world->loads);
    }
    free(world);
}

static void *build(const PeerTask *task, int variant)
{
    if (variant == EVENTS && !can_follow_events(task->which)) return NULL;
    World *world = calloc(1, sizeof *world);
    world->task = *task;
    world->loads = calloc(1, sizeof *world->loads);
    world->loads->task = *task;
    StiPlan *plan = sti_plan_create();
    sti_plan_set_step(plan, task->T);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -case_gravity_of(task->which)));
    sti_plan_set_method(plan, variant == CUT      ? &sti_method_cut
                              : variant == EVENTS ? &sti_method_continuous
                                                  : &sti_method_rule);
    stiction_machines[task->which](plan, world);
    StiReport *report = sti_report_create();
    const StiStatus status = sti_plan_compile(plan, report, &world->network);
    if (status != STI_OK) fprintf(stderr, "stiction: a plan does not compile\n");
    sti_report_destroy(report);
    sti_plan_destroy(plan);
    if (status == STI_OK) {
        world->state = sti_state_create(world->network);
        world->scratch = sti_scratch_create(world->network);
        if (variant == EVENTS)
            world->adaptive = sti_adaptive_create(world->network, &tolerances, NULL);
        return world;
    }
    free(world->loads);
    free(world);
    return NULL;
}

static void *copy(const void *data)
{
    const World *from = data;
    World *world = calloc(1, sizeof *world);
    *world = *from;
    world->shared = from;
    world->state = sti_state_create(from->network);
    world->scratch = sti_scratch_create(from->network);
    if (from->adaptive != NULL)
        world->adaptive = sti_adaptive_create(from->network, &tolerances, NULL);
    return world;
}

static StiStatus follow(World *world, long steps)
{
    StiStatus status = STI_OK;
    for (long k = 0; k < steps && status == STI_OK; ++k)
        status = sti_adaptive_step(world->adaptive, NULL, world->state, world->scratch);
    return status;
}

static void run(void *data, long steps)
{
    World *world = data;
    const StiStatus status = world->adaptive != NULL ? follow(world, steps)
                                                     : sti_run(world->network, NULL, world->state,
                                                               world->scratch, steps);
    if (status != STI_OK) {
        const StiFault *fault = sti_scratch_fault(world->scratch);
        fprintf(stderr, "stiction: %s of %s at %g s\n", fault->what, fault->component, fault->t);
        exit(1);
    }
}

static void read(void *data, double values[PEER_VALUES])
{
    World *world = data;
    const double *q = sti_state_positions(world->state, world->network, world->body);
    const double *v = sti_state_velocities(world->state, world->network, world->body);
    static const int counts[CASES] = {3, 1, 1, 1, 2, 1, 3, 3, 3, ARM_AXES};
    const int count = world->task.which == CASE_CHAIN ? chain_read(world->task.links)
                                                      : counts[world->task.which];
    for (int i = 0; i < count; ++i) values[i] = q[i], values[count + i] = v[i];
}

static double mass(void *data)
{
    World *world = data;
    StiComponent component;
    double sum = 0.0;
    for (int i = 0; sti_network_component(world->network, i, &component); ++i) {
        const void *p = sti_network_parameters(world->network, i);
        if (component.role != STI_BODY) continue;
        if (strcmp(component.kind, sti_kind_rigid_body.info.name) == 0)
            sum += ((const StiRigidBody *)p)->mass;
        else if (strcmp(component.kind, sti_kind_point_mass.info.name) == 0)
            sum += ((const StiPointMass *)p)->mass;
        else if (strcmp(component.kind, sti_kind_guided_block.info.name) == 0)
            sum += ((const StiGuidedBlock *)p)->mass;
        else if (strcmp(component.kind, sti_kind_robot.info.name) == 0) {
            const StiRobot *robot = ((const StiRobotBody *)p)->robot;
            for (int l = 0; l < sti_robot_links(robot); ++l) sum += sti_robot_link(robot, l)->mass;
        }
    }
    return sum;
}

static double gravity(void *data) { return case_gravity_of(((World *)data)->task.which); }

const Peer peer_stiction = {
    .name = "stiction",
    .version = version,
    .variants = {{"rule", "method rule: finite-time rule, one evaluation a step, order 1"},
                 {"cut", "the default: order 4, steps cut where stick, slip or contact changes"},
                 {"events", "error control (dormand-prince, rtol 1e-8, longest step 0.1 s), "
                            "impacts, stick and slip as events"}},
    .build = build,
    .copy = copy,
    .run = run,
    .read = read,
    .mass = mass,
    .gravity = gravity,
    .destroy = destroy,
};
