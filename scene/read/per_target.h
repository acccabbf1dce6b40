// Private: values for each of several places: on: arm.joints, level: [1, 2, 3].
#ifndef STICTION_SCENE_PER_TARGET_H
#define STICTION_SCENE_PER_TARGET_H

#include "read/reader.h"

// The list of places that an element is on, arm.joints spread out; NULL: there are not several.
const Node *scene_several_places(Reader *reader, const Node *element);
// Does a key that takes one value have a list? Its length must be that of the places; false after a message, too.
bool scene_has_values_for_each(Reader *reader, const Node *element, const Node *places,
                               const Key *keys, int count);
// The element at one of the places, with the values there; NULL: no memory.
const Node *scene_element_at(Reader *reader, const Node *element, const Node *places, int place,
                             const Key *keys, int count);

#endif
