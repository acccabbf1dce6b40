// Boxes of 1 kg on a plane through the origin: alone, pushed, sliding, on a slope, stacked. Include after cmocka.h.
#ifndef STICTION_TESTS_SCENES_BOXES_H
#define STICTION_TESTS_SCENES_BOXES_H

#include "support/plan.h"
#include "support/scenes/contact_scenes.h"

static const double PI = 3.14159265358979323846;
static const StiVec3 box_half = {0.1, 0.1, 0.05};
static const double directions[4] = {0.0, 22.5, 30.0, 45.0}; // deg

static inline StiVec3 level_gravity(void) { return sti_vec3(0.0, 0.0, -GRAVITY); }

// Down along x.
static inline StiVec3 slope_gravity(double degrees)
{
    const double slope = degrees * PI / 180.0;
    return sti_vec3(GRAVITY * sin(slope), 0.0, -GRAVITY * cos(slope));
}

// solver NULL: the one that a plan takes by itself.
static inline StiPlan *box_on_plane(const StiSolver *solver, StiVec3 gravity, double mu,
                                    StiVec3 velocity, StiAdmittanceId *box)
{
    StiPlan *plan = plan_in_stages();
    if (solver != NULL) sti_plan_set_solver(plan, solver);
    sti_plan_set_gravity(plan, gravity);
    StiRigidBody body = box_body(1.0, box_half, sti_vec3(0.0, 0.0, box_half.z));
    body.velocity[0] = velocity.x;
    body.velocity[1] = velocity.y;
    *box = sti_plan_add_admittance(plan, "box", &sti_kind_rigid_body, &body);
    contact_between(plan, "floor", box_shape(*box, box_half), ground_shape(sti_vec3(0.0, 0.0, 1.0)),
                    mu);
    return plan;
}

// Pushed by 3 + 1.5 sin(2 pi 5 t) N at this height above its centre, below what friction holds.
static inline StiPlan *pushed_box(const StiSolver *solver, const Dither *dither, double height,
                                  StiAdmittanceId *box)
{
    StiPlan *plan = box_on_plane(solver, level_gravity(), 0.5, sti_vec3(0.0, 0.0, 0.0), box);
    const StiWire wire =
        sti_wire_point(*box, 0, sti_vec3(0.0, 0.0, height), sti_vec3(0.0, 0.0, 0.0), 3);
    sti_plan_add_force(plan, "push", &wire, 3,
                       (StiTimeFunction){.count = 3, .eval = dither_force, .data = dither});
    return plan;
}

// Of a box that slides at 1 m/s with mu = 0.3.
typedef struct Slide {
    double stop, way, beside, lift; // s; m along and across; m/s upwards at most
} Slide;

static inline Slide slide_of(const StiSolver *solver, double degrees, double at_rest)
{
    const double angle = degrees * PI / 180.0;
    StiAdmittanceId box;
    Rig rig = rig_of(
        box_on_plane(solver, level_gravity(), 0.3, sti_vec3(cos(angle), sin(angle), 0.0), &box));
    Slide slide = {0};
    for (int k = 0; k < 500; ++k) {
        rig_step(&rig);
        const double *v = rig_v(&rig, box);
        slide.lift = fmax(slide.lift, fabs(v[2]));
        if (slide.stop == 0.0 && hypot(v[0], v[1]) < at_rest) slide.stop = rig_time(&rig);
    }
    const double *x = rig_x(&rig, box);
    slide.way = x[0] * cos(angle) + x[1] * sin(angle);
    slide.beside = x[1] * cos(angle) - x[0] * sin(angle);
    print_message("%g deg: stops %g s after %.6f m, beside %g, lift %g\n", degrees, slide.stop,
                  slide.way, slide.beside, slide.lift);
    rig_free(&rig);
    return slide;
}

// The velocity along a slope of 20 degrees after 1 s with mu = 0.3, and what it is exactly.
static inline double speed_on_slope(const StiSolver *solver, double *exact)
{
    const double slope = 20.0 * PI / 180.0;
    StiAdmittanceId box;
    Rig rig = rig_of(box_on_plane(solver, slope_gravity(20.0), 0.3, sti_vec3(0.0, 0.0, 0.0), &box));
    rig_run(&rig, 1000);
    const double v = rig_v(&rig, box)[0];
    *exact = GRAVITY * (sin(slope) - 0.3 * cos(slope));
    print_message("slides: %.9f, exact %.9f m/s\n", v, *exact);
    rig_free(&rig);
    return v;
}

enum { STACKED = 10 };

typedef struct Stack {
    StiPlan *plan;
    StiAdmittanceId boxes[STACKED];
} Stack;

static inline StiVec3 place_in_stack(int i)
{
    return sti_vec3(0.0, 0.0, box_half.z * (2.0 * i + 1.0));
}

static inline Stack stack_of_boxes(void)
{
    Stack stack = {.plan = plan_in_stages()};
    StiContactShape shapes[STACKED + 1];
    sti_plan_set_gravity(stack.plan, level_gravity());
    for (int i = 0; i < STACKED; ++i) {
        char name[16];
        snprintf(name, sizeof name, "box%d", i);
        const StiRigidBody body = box_body(1.0, box_half, place_in_stack(i));
        stack.boxes[i] = sti_plan_add_admittance(stack.plan, name, &sti_kind_rigid_body, &body);
        shapes[i] = box_shape(stack.boxes[i], box_half);
    }
    shapes[STACKED] = ground_shape(sti_vec3(0.0, 0.0, 1.0));
    sti_plan_add_contact(stack.plan, "stack",
                         &(StiContact){.a = shapes, .a_count = STACKED + 1, .mu = 0.5});
    return stack;
}

// The largest distance of a box from where it began.
static inline double stack_moved(const Rig *rig, const Stack *stack)
{
    double most = 0.0;
    for (int i = 0; i < STACKED; ++i) {
        const double *x = rig_x(rig, stack->boxes[i]);
        most = fmax(most, hypot(hypot(x[0], x[1]), x[2] - place_in_stack(i).z));
    }
    return most;
}

#endif
