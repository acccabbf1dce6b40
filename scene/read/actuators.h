// Private: motors, controllers, limits and gear losses in scenes.
#ifndef STICTION_SCENE_ACTUATORS_H
#define STICTION_SCENE_ACTUATORS_H

#include "read/reader.h"

enum {
    SCENE_MOTOR_KEYS = 9,
    SCENE_SERVO_KEYS = 14,
    SCENE_PID_KEYS = 12,
    SCENE_LIMIT_KEYS = 7,
    SCENE_GEAR_LOSS_KEYS = 7,
    SCENE_ACTUATOR_KEYS = 11
};
extern const Key scene_motor_keys[SCENE_MOTOR_KEYS], scene_servo_keys[SCENE_SERVO_KEYS],
    scene_pid_keys[SCENE_PID_KEYS], scene_limit_keys[SCENE_LIMIT_KEYS],
    scene_gear_loss_keys[SCENE_GEAR_LOSS_KEYS], scene_actuator_keys[SCENE_ACTUATOR_KEYS];

void scene_read_motor(Reader *reader, const char *name, const Node *node, bool complete);
void scene_read_servo(Reader *reader, const char *name, const Node *node, bool complete);
void scene_read_pid(Reader *reader, const char *name, const Node *node, bool complete);
void scene_read_limit(Reader *reader, const char *name, const Node *node, bool complete);
void scene_read_gear_loss(Reader *reader, const char *name, const Node *node, bool complete);
void scene_read_actuator(Reader *reader, const char *name, const Node *node, bool complete);

// Inertia of all rotors on a joint ("arm.elbow"), gear_ratio^2 rotor_inertia, before elements are read: a robot's
// armatures must be known when it is made. number: of the joint among those that arm.joints stands for. What cannot be read counts as 0; its element has the error.
double scene_rotors_on(const Reader *reader, const char *joint, int number);

#endif
