#include "base/default.h"

void sti_kind_default(const StiInfo *info, void *parameters)
{
    for (int i = 0; i < info->field_count; ++i) {
        const StiField *field = &info->fields[i];
        unsigned char *at = (unsigned char *)parameters + field->offset;
        if (field->usual == 0.0) continue;
        if (field->type == STI_FIELD_COUNT) *(int *)(void *)at = (int)field->usual;
        if (field->type != STI_FIELD_NUMBER) continue;
        for (int j = 0; j < (field->length > 1 ? field->length : 1); ++j)
            ((double *)(void *)at)[j] = field->usual;
    }
}
