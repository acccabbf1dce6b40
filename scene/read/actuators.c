// Motors, controllers, limits and gear losses: elements along one axis, mostly a joint of a robot.
#include "read/actuators.h"

#include <stdio.h>
#include <string.h>

#include "stiction/actuator.h"

const Key scene_motor_keys[SCENE_MOTOR_KEYS] = {
    {"kind", VALUE_TEXT, true, "dc-motor", NULL},
    {"on", VALUE_BODY, false, "a joint, a body with one coordinate, or a list of them", NULL},
    {"between", VALUE_PAIR, false, "two joints or bodies with one coordinate", NULL},
    {"voltage", VALUE_FUNCTION, true, "a function of time, or the name of a pid element, V", NULL},
    {"torque_constant", VALUE_NUMBER, true, "N m/A", NULL},
    {"resistance", VALUE_NUMBER, true, "of the winding, ohm", NULL},
    {"gear_ratio", VALUE_NUMBER, false, "motor turns per joint turn; default 1", NULL},
    {"rated_voltage", VALUE_NUMBER, false, "the voltage stays within, V; default: not limited",
     NULL},
    {"rotor_inertia", VALUE_NUMBER, false,
     "of the rotor itself, kg m^2; goes to the joint's armature", NULL},
};
const Key scene_servo_keys[SCENE_SERVO_KEYS] = {
    {"kind", VALUE_TEXT, true, "servo", NULL},
    {"on", VALUE_BODY, false, "a joint, a body with one coordinate, or a list of them", NULL},
    {"between", VALUE_PAIR, false, "two joints or bodies with one coordinate", NULL},
    {"target", VALUE_FUNCTION, true, "a function of time, rad or m", NULL},
    {"torque_constant", VALUE_NUMBER, true, "N m/A", NULL},
    {"resistance", VALUE_NUMBER, true, "of the winding, ohm", NULL},
    {"gear_ratio", VALUE_NUMBER, false, "motor turns per joint turn; default 1", NULL},
    {"rated_voltage", VALUE_NUMBER, false, "the voltage stays within, V; default: not limited",
     NULL},
    {"rotor_inertia", VALUE_NUMBER, false,
     "of the rotor itself, kg m^2; goes to the joint's armature", NULL},
    {"kp", VALUE_NUMBER, false, "V per error, before the gear ratio", NULL},
    {"ki", VALUE_NUMBER, false, "V per integral of the error, before the gear ratio", NULL},
    {"kd", VALUE_NUMBER, false, "V per speed, before the gear ratio", NULL},
    {"off", VALUE_NUMBER, false, "time from which the voltage is 0, s; default: never", NULL},
    {"period", VALUE_NUMBER, true,
     "between two samples, a whole number of steps (under error control any), s", NULL},
};
const Key scene_pid_keys[SCENE_PID_KEYS] = {
    {"kind", VALUE_TEXT, true, "pid", NULL},
    {"on", VALUE_BODY, false,
     "what is measured: a joint, a body with one coordinate, or a list of them", NULL},
    {"between", VALUE_PAIR, false, "two joints or bodies with one coordinate", NULL},
    {"target", VALUE_FUNCTION, true, "a function of time, rad or m", NULL},
    {"target_rate", VALUE_FUNCTION, false, "its velocity, for kd; default 0", NULL},
    {"kp", VALUE_NUMBER, false, "output per error", NULL},
    {"ki", VALUE_NUMBER, false, "output per integral of the error", NULL},
    {"kd", VALUE_NUMBER, false, "output per speed", NULL},
    {"limit", VALUE_NUMBER, false, "the output stays within; default: not limited", NULL},
    {"integral_limit", VALUE_NUMBER, false,
     "the integral's part of the output stays within; default: not limited", NULL},
    {"off", VALUE_NUMBER, false, "time from which the output is 0, s; default: never", NULL},
    {"period", VALUE_NUMBER, true,
     "between two samples, a whole number of steps (under error control any), s", NULL},
};
const Key scene_limit_keys[SCENE_LIMIT_KEYS] = {
    {"kind", VALUE_TEXT, true, "joint-limit", NULL},
    {"on", VALUE_BODY, false, "a joint, a body with one coordinate, or a list of them", NULL},
    {"between", VALUE_PAIR, false, "two joints or bodies with one coordinate", NULL},
    {"lower", VALUE_NUMBER, false,
     "end of the range, rad or m; default: the limit of the robot's joint", NULL},
    {"upper", VALUE_NUMBER, false,
     "end of the range, rad or m; default: the limit of the robot's joint", NULL},
    {"stiffness", VALUE_NUMBER, true, "beyond the range, N m/rad or N/m", NULL},
    {"damping", VALUE_NUMBER, false, "beyond the range, N m s/rad or N s/m", NULL},
};
const Key scene_actuator_keys[SCENE_ACTUATOR_KEYS] = {
    {"kind", VALUE_TEXT, true, "actuator", NULL},
    {"on", VALUE_BODY, false, "a joint, a body with one coordinate, or a list of them", NULL},
    {"between", VALUE_PAIR, false, "two joints or bodies with one coordinate", NULL},
    {"command", VALUE_FUNCTION, false,
     "what the drive is told: a function of time, or the name of an input or of a pid element", NULL},
    {"gain", VALUE_NUMBER, false, "effort per command; default 1", NULL},
    {"stiffness", VALUE_NUMBER, false, "effort taken back per angle, N m/rad or N/m", NULL},
    {"damping", VALUE_NUMBER, false, "effort taken back per speed, N m s/rad or N s/m", NULL},
    {"offset", VALUE_NUMBER, false, "effort without a command, N m or N", NULL},
    {"gear_ratio", VALUE_NUMBER, false, "drive turns per joint turn; default 1", NULL},
    {"lower", VALUE_NUMBER, false,
     "least effort, before the gear; default: not limited, N m or N", NULL},
    {"upper", VALUE_NUMBER, false, "largest effort, before the gear, N m or N", NULL},
};
const Key scene_gear_loss_keys[SCENE_GEAR_LOSS_KEYS] = {
    {"kind", VALUE_TEXT, true, "gear-loss", NULL},
    {"on", VALUE_BODY, false, "a joint, a body with one coordinate, or a list of them", NULL},
    {"between", VALUE_PAIR, false, "two joints or bodies with one coordinate", NULL},
    {"torque", VALUE_FUNCTION, true,
     "what the gear transmits: the name of a motor, servo or force element, or a "
     "function of time, N m",
     NULL},
    {"mu_avg", VALUE_NUMBER, true, "loss per torque, mean of driving and back-driving", NULL},
    {"mu_dif", VALUE_NUMBER, false, "driving is so much above, back-driving so much below the mean",
     NULL},
    {"presliding", VALUE_NUMBER, true, "angle over which the loss builds up, rad", NULL},
};

// Along one axis, or NULL after a message.
static const Target *read_axes(Reader *reader, const char *name, const Node *node, const char *what,
                               int *count)
{
    const Target *targets = scene_read_targets(reader, name, node, count);
    for (int i = 0; targets != NULL && i < *count; ++i) {
        if (targets[i].dim == 1) continue;
        const Node *on = scene_node_find(node, "on"),
                   *at = on != NULL ? on : scene_node_find(node, "between");
        scene_error(reader, at->type == NODE_LIST && on != NULL ? at->items[i]->mark : at->mark,
                    "%s acts along one axis; '%s' has %d", what,
                    targets[i].place != NULL ? targets[i].place : name, targets[i].dim);
        return NULL;
    }
    return targets;
}

// Numbers that stand under the names of the kind's fields.
static bool fill(Reader *reader, const Node *node, const StiInfo *info, void *parameters)
{
    bool good = true;
    for (int i = 0; i < info->field_count; ++i) {
        double *value = (double *)(void *)((unsigned char *)parameters + info->fields[i].offset);
        *value = info->fields[i].usual;
        good = scene_number_at(reader, node, info->fields[i].name, value) && good;
    }
    return good;
}

static StiElementId add(Reader *reader, const char *name, const Node *node, const Target *target,
                        const StiImpedanceKind *kind, const void *parameters)
{
    const StiElementId id =
        sti_plan_add_impedance(reader->plan, target->name, kind, parameters, &target->wire);
    scene_add_element(reader, (Element){.name = target->name,
                                        .entry = name,
                                        .node = node,
                                        .place = target->place,
                                        .controller = kind->only_senses,
                                        .drives = kind->gives_work,
                                        .forces = kind->only_senses ? 0 : 1,
                                        .id = id});
    return id;
}

static void listen(Reader *reader, const Node *node, const Target *target, StiElementId id,
                   int input, const char *key, ListensTo to)
{
    scene_listen(reader, (Listener){.element = id,
                                    .input = input,
                                    .key = key,
                                    .node = scene_node_find(node, key),
                                    .to = to,
                                    .place = target->place});
}

// The rotor turns with a joint of a robot; elsewhere its inertia would be read and forgotten.
static bool check_rotor(Reader *reader, const char *name, const Node *node, const Target *targets,
                        int count, double gear)
{
    const Entry *entry = scene_node_entry(node, "rotor_inertia");
    double inertia = 0.0;
    if (entry == NULL) return true;
    if (!scene_number(reader, entry->value, "rotor_inertia", &inertia)) return false;
    if (inertia < 0.0) {
        scene_error(reader, entry->mark, "%s: rotor_inertia must be 0 kg m^2 or more, not %g", name,
                    inertia);
        return false;
    }
    for (int i = 0; targets != NULL && i < count; ++i) {
        if (targets[i].robot == NULL) {
            scene_error(reader, entry->mark,
                        "%s: 'rotor_inertia' has no effect here: only joints of robots carry it; "
                        "add gear_ratio^2 "
                        "times it to the moving mass",
                        name);
            return false;
        }
        scene_message(reader->messages, STI_NOTE, entry->mark,
                      "%s: gear_ratio^2 rotor_inertia = %g kg m^2 is added to the armature of %s",
                      name, gear * gear * inertia, targets[i].place);
    }
    return true;
}

void scene_read_motor(Reader *reader, const char *name, const Node *node, bool complete)
{
    int count;
    StiDcMotor p = {0};
    const Target *targets = read_axes(reader, name, node, "a dc-motor", &count);
    bool good = fill(reader, node, &sti_kind_dc_motor.info, &p) && complete;
    good = check_rotor(reader, name, node, targets, count, p.gamma) && good;
    for (int i = 0; good && targets != NULL && i < count; ++i) {
        const StiElementId id = add(reader, name, node, &targets[i], &sti_kind_dc_motor, &p);
        listen(reader, node, &targets[i], id, 0, "voltage", LISTENS_TO_CONTROLLER);
    }
}

void scene_read_servo(Reader *reader, const char *name, const Node *node, bool complete)
{
    int count;
    StiServo p = {0};
    const Target *targets = read_axes(reader, name, node, "a servo", &count);
    bool good = fill(reader, node, &sti_kind_servo.info, &p) && complete;
    good = check_rotor(reader, name, node, targets, count, p.motor.gamma) && good;
    for (int i = 0; good && targets != NULL && i < count; ++i) {
        const StiElementId id = add(reader, name, node, &targets[i], &sti_kind_servo, &p);
        listen(reader, node, &targets[i], id, 0, "target", LISTENS_TO_TIME);
    }
}

void scene_read_pid(Reader *reader, const char *name, const Node *node, bool complete)
{
    int count;
    StiPid p = {0};
    const Target *targets = read_axes(reader, name, node, "a pid", &count);
    const bool good = fill(reader, node, &sti_kind_pid.info, &p) && complete;
    for (int i = 0; good && targets != NULL && i < count; ++i) {
        const StiElementId id = add(reader, name, node, &targets[i], &sti_kind_pid, &p);
        listen(reader, node, &targets[i], id, 0, "target", LISTENS_TO_TIME);
        listen(reader, node, &targets[i], id, 1, "target_rate", LISTENS_TO_TIME);
    }
}

// What the scene gives, or the limits of the joint itself.
static bool read_range(Reader *reader, const char *name, const Node *node, const Target *target,
                       StiJointLimit *p)
{
    const StiLink *link =
        target->robot != NULL ? sti_robot_link(target->robot->robot, target->link) : NULL;
    const char *missing = scene_node_find(node, "lower") == NULL   ? "lower"
                          : scene_node_find(node, "upper") == NULL ? "upper"
                                                                   : NULL;
    if (link != NULL && link->limited) {
        p->lower = link->lower;
        p->upper = link->upper;
    } else if (missing != NULL) {
        scene_error(reader, node->mark, "%s: '%s' is missing, and %s has no limits of its own",
                    name, missing, target->place != NULL ? target->place : "this");
        return false;
    }
    const bool good = scene_number_at(reader, node, "lower", &p->lower);
    return scene_number_at(reader, node, "upper", &p->upper) && good;
}

void scene_read_limit(Reader *reader, const char *name, const Node *node, bool complete)
{
    int count;
    StiJointLimit p = {0};
    const Target *targets = read_axes(reader, name, node, "a joint-limit", &count);
    const bool good = fill(reader, node, &sti_kind_joint_limit.info, &p) && complete;
    for (int i = 0; good && targets != NULL && i < count; ++i)
        if (read_range(reader, name, node, &targets[i], &p))
            add(reader, name, node, &targets[i], &sti_kind_joint_limit, &p);
}

void scene_read_gear_loss(Reader *reader, const char *name, const Node *node, bool complete)
{
    int count;
    StiGearLoss p = {0};
    const Target *targets = read_axes(reader, name, node, "a gear-loss", &count);
    const bool good = fill(reader, node, &sti_kind_gear_loss.info, &p) && complete;
    for (int i = 0; good && targets != NULL && i < count; ++i) {
        const StiElementId id = add(reader, name, node, &targets[i], &sti_kind_gear_loss, &p);
        listen(reader, node, &targets[i], id, 0, "torque", LISTENS_TO_TORQUE);
    }
}

void scene_read_actuator(Reader *reader, const char *name, const Node *node, bool complete)
{
    int count;
    StiActuator p = {0};
    const Target *targets = read_axes(reader, name, node, "an actuator", &count);
    const bool good = fill(reader, node, &sti_kind_actuator.info, &p) && complete;
    for (int i = 0; good && targets != NULL && i < count; ++i) {
        const StiElementId id = add(reader, name, node, &targets[i], &sti_kind_actuator, &p);
        listen(reader, node, &targets[i], id, 0, "command", LISTENS_TO_CONTROLLER);
    }
}
