#include "base/default.h"

void sti_kind_default(const StiInfo *info, void *parameters)
{
    for (int i = 0; i < info->field_count; ++i) {
        const StiField *field = &info->fields[i];
        if (field->type != STI_FIELD_NUMBER || field->usual == 0.0) continue;
        double *numbers = (double *)((unsigned char *)parameters + field->offset);
        for (int j = 0; j < (field->length > 1 ? field->length : 1); ++j)
            numbers[j] = field->usual;
    }
}
