// What friction elements listen to: loads, scales of the level and of its viscous part, the own signals of laws.
#include <stdio.h>
#include <string.h>

#include "read/friction.h"
#include "stiction/spring.h"

static Element *penalty_joint_of(const Filling *f, const Target *target)
{
    for (int i = 0; i < f->reader->element_count; ++i) {
        Element *element = &f->reader->elements[i];
        if (element->joint && target->place != NULL && strcmp(element->name, target->place) == 0)
            return element;
    }
    return NULL;
}

// All friction on a penalty joint listens to one sensor of what its bearing carries.
static StiSignal load_of_penalty_joint(Filling *f, Element *joint)
{
    StiPlan *plan = f->reader->plan;
    if (joint->constraint.number != 0) return sti_signal_constraint(joint->constraint, joint->forces);
    if (joint->load.number == 0) {
        char name[256];
        snprintf(name, sizeof name, "%s.load", joint->name);
        joint->load = sti_plan_add_impedance(plan, name, &sti_kind_bearing_load, &joint->bearing,
                                             &joint->frame);
        for (int i = 0; i < joint->forces; ++i)
            sti_plan_connect(plan, sti_signal_force(joint->id, i), joint->load, i);
    }
    return sti_signal_force(joint->load, 0);
}

// Where the inputs of an element's parts are: each part of a compound has all that the law listens to.
typedef struct Inputs {
    StiElementId element;
    int parts, per_part;
} Inputs;

static void listen_at(Filling *f, const Inputs *inputs, int number, const char *key, ListensTo to,
                      const char *place)
{
    scene_mark_used(f->node, key, f->used);
    for (int i = 0; i < inputs->parts; ++i)
        scene_listen(f->reader, (Listener){.element = inputs->element,
                                           .input = i * inputs->per_part + number,
                                           .key = key,
                                           .node = scene_node_find(f->node, key),
                                           .to = to,
                                           .place = place});
}

static void connect_at(Filling *f, const Inputs *inputs, int number, StiSignal signal)
{
    for (int i = 0; i < inputs->parts; ++i)
        sti_plan_connect(f->reader->plan, signal, inputs->element, i * inputs->per_part + number);
}

// The level of a joint's friction: mu times its own load; where no bearing has radii of its own, times the
// radius at which it rubs.
static void listen_to_own_joint(Filling *f, const Target *target, Element *joint,
                                const Inputs *inputs)
{
    double radius = 1.0;
    bool found;
    const StiBearing *bearing = joint != NULL
                                    ? &joint->bearing
                                    : &sti_robot_link(target->robot->robot, target->link)->bearing;
    if (!scene_number_of(f->reader, f->node, "radius", (Item){0, 1}, f->used, &radius, &found))
        return;
    if (found && sti_bearing_given(bearing)) {
        scene_error(f->reader, scene_node_entry(f->node, "radius")->mark,
                    "%s: the bearing of %s has radii of its own: leave out 'radius'", f->name,
                    target->place);
        return;
    }
    const bool turns = joint != NULL
                           ? joint->hinge.kind->is_angular
                           : sti_robot_link(target->robot->robot, target->link)->joint ==
                                 STI_JOINT_REVOLUTE;
    if (!found && turns && !sti_bearing_given(bearing)) {
        scene_error(f->reader, f->node->mark,
                    "%s: mu on %s, which turns, needs 'radius', m: where it rubs (or the joint a "
                    "bearing: radial_radius, axial_radius, moment_ratio)",
                    f->name, target->place);
        return;
    }
    const StiSignal load = joint != NULL ? load_of_penalty_joint(f, joint)
                                         : sti_signal_load(target->robot->id, target->link);
    connect_at(f, inputs, 0, sti_signal_scaled(load, radius));
}

static void listen_to_load(Filling *f, const Target *target, const Inputs *inputs)
{
    if (scene_node_entry(f->node, "load") != NULL) {
        listen_at(f, inputs, 0, "load", LISTENS_TO_LOAD, NULL);
        return;
    }
    Element *joint = penalty_joint_of(f, target);
    if (target->linkage != NULL)
        connect_at(f, inputs, 0,
                   sti_signal_load(target->linkage->id,
                                   sti_linkage_pair_load(target->linkage->linkage, target->pair)));
    else if (target->robot != NULL || joint != NULL)
        listen_to_own_joint(f, target, joint, inputs);
    else
        scene_error(
            f->reader, f->node->mark,
            "%s: mu needs 'load': a function of time, BODY.load, ELEMENT.force or ELEMENT.fz",
            f->name);
}

// The own signals of a law's kind.
static void listen_to_inputs(Filling *f, const Target *target, const Inputs *inputs, int first)
{
    const StiLawKind *kind = f->law->kind;
    for (int i = 0; i < kind->signals; ++i) {
        const StiInput *input = &kind->inputs[i];
        if (scene_node_find(f->node, input->name) == NULL)
            scene_error(f->reader, f->node->mark,
                        "%s: the law %s listens to '%s': %s, %s; 0 if there is none", f->name,
                        kind->name, input->name, input->meaning, input->unit);
        else
            listen_at(f, inputs, first + i, input->name,
                      input->torque ? LISTENS_TO_TORQUE : LISTENS_TO_LOAD, target->place);
    }
}

// Signals are connected when all elements are known, in the order of sti_law_level.
void scene_friction_listen(Filling *f, const Target *target, StiElementId element, int parts)
{
    const Entry *load = scene_node_entry(f->node, "load");
    const bool times_load = f->law != NULL && f->law->times_load;
    if (load != NULL && !times_load)
        scene_message(f->reader->messages, STI_NOTE, load->mark,
                      "%s: 'load' is used only with mu; level is an effort", f->name);
    if (f->law == NULL) return;
    const Inputs inputs = {element, parts, sti_law_signals(f->law)};
    int next = 0;
    if (times_load) listen_to_load(f, target, &inputs);
    next += times_load;
    if (f->law->scales_level)
        listen_at(f, &inputs, next++, SCENE_LEVEL_SCALE, LISTENS_TO_LOAD, NULL);
    if (f->law->scales_viscous)
        listen_at(f, &inputs, next++, SCENE_VISCOUS_SCALE, LISTENS_TO_LOAD, NULL);
    listen_to_inputs(f, target, &inputs, next);
}
