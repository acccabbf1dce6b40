// Private: robots in scenes.
#ifndef STICTION_SCENE_ROBOTS_H
#define STICTION_SCENE_ROBOTS_H

#include "read/reader.h"

enum { SCENE_ROBOT_KEYS = 5, SCENE_JOINT_KEYS = 7 };
extern const Key scene_robot_keys[SCENE_ROBOT_KEYS], scene_joint_keys[SCENE_JOINT_KEYS];
void scene_build_robot(Reader *reader, Body *body);
void scene_show_robots(const Reader *reader, StiScene *scene);
// The link whose joint "arm.joint0" names, and its robot's body; -1 if the name is no joint of a robot.
int scene_find_joint(const Reader *reader, const char *name, const Body **body);

#endif
