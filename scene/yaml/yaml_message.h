// Private: what libyaml says, in our words.
#ifndef STICTION_SCENE_YAML_MESSAGE_H
#define STICTION_SCENE_YAML_MESSAGE_H

#include <yaml.h>

#include "text/messages.h"

// Says what libyaml stumbled over, and what would be right. text is what the parser reads.
void scene_yaml_message(const yaml_parser_t *parser, const char *text, size_t length,
                        const char *file, StiMessages *messages);

// libyaml counts from 0.
Mark scene_yaml_mark(const char *file, yaml_mark_t mark);

#endif
