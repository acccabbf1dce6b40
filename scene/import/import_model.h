// Private: a model file of any format.
#ifndef STICTION_SCENE_IMPORT_MODEL_H
#define STICTION_SCENE_IMPORT_MODEL_H

#include "model/model.h"

bool import_read_model(const ModelReader *reader, const char *text, size_t length, Model *model);

#endif
