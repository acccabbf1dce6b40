// Private: expressions that also use channels: values of bodies and elements as they are at the time.
#ifndef STICTION_SCENE_STATE_FUNCTION_H
#define STICTION_SCENE_STATE_FUNCTION_H

#include "read/reader.h"
#include "stiction/spring.h"

// Up to three expressions of the same variables: t first, then inputs and channels.
typedef struct StateFunction StateFunction;

// Does the text of the node, or of an entry of it, name a channel of a body or an element?
bool scene_uses_channels(const Reader *reader, const Node *node);

// NULL after a message.
const StateFunction *scene_state_function(Reader *reader, const Node *node, const char *what);
StiSignalForce scene_state_force(const StateFunction *function);
int scene_state_count(const StateFunction *function); // of expressions

// Connects the variables to the inputs of the element; after all elements are known.
void scene_connect_state(Reader *reader, const StateFunction *function, StiElementId element);

#endif
