// Meshes that a replay draws.
#include <string.h>

#include "model/model.h"

void model_draw(const ModelReader *reader, Model *model, ModelDrawing drawing)
{
    if (model->drawing_count == model->drawing_capacity) {
        const int capacity = 2 * model->drawing_capacity + 16;
        ModelDrawing *longer = sti_arena_take(reader->arena, (size_t)capacity, sizeof *longer);
        if (longer == NULL) return;
        if (model->drawing_count > 0)
            memcpy(longer, model->drawings, (size_t)model->drawing_count * sizeof *longer);
        model->drawings = longer;
        model->drawing_capacity = capacity;
    }
    model->drawings[model->drawing_count++] = drawing;
}
