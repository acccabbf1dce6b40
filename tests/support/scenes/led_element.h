// One element between the ground and a point that moves as told: nothing but the element is
// simulated.
#ifndef STICTION_TESTS_SCENES_LED_ELEMENT_H
#define STICTION_TESTS_SCENES_LED_ELEMENT_H

#include "stiction/stiction.h"
#include "support/plan.h"

typedef struct LedElement {
    StiPlan *plan;
    StiAdmittanceId lead;
    StiElementId element;
} LedElement;

static inline LedElement led_element_plan(double T, const StiMethod *method)
{
    LedElement scene = {.plan = plan_in_stages()};
    sti_plan_set_step(scene.plan, T);
    sti_plan_set_method(scene.plan, method);
    return scene;
}

static inline void led_element_add(LedElement *scene, int dim, StiImpedance element)
{
    const StiWire wire = sti_wire_coordinate(scene->lead, 0, dim);
    scene->element =
        sti_plan_add_impedance(scene->plan, "element", element.kind, element.parameters, &wire);
}

// Led by a function of time that gives x and v.
static inline LedElement scene_led_element(double T, const StiMethod *method,
                                           StiTimeFunction motion, StiImpedance element)
{
    const int dim = motion.count / 2;
    LedElement scene = led_element_plan(T, method);
    scene.lead = sti_plan_add_motion(scene.plan, "lead", dim, motion);
    led_element_add(&scene, dim, element);
    return scene;
}

// Led by the velocity that each step gets as its input "lead".
static inline LedElement scene_hand_led_element(double T, const StiMethod *method, int dim,
                                                StiImpedance element)
{
    LedElement scene = led_element_plan(T, method);
    scene.lead = sti_plan_add_admittance(scene.plan, "point", &sti_kind_motion_source,
                                         &(StiMotionSource){.dim = dim});
    const StiSourceId hand = sti_plan_add_input(scene.plan, "lead", dim, NULL);
    for (int i = 0; i < dim; ++i) { // no element here looks at x
        sti_plan_connect_admittance(scene.plan, sti_signal_scaled(sti_signal_source(hand, i), 0.0),
                                    scene.lead, i);
        sti_plan_connect_admittance(scene.plan, sti_signal_source(hand, i), scene.lead, dim + i);
    }
    led_element_add(&scene, dim, element);
    return scene;
}

#endif
