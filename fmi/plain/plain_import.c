// In an FMU: models of other programs were written as scenes by the export, so that their readers stay outside.
#include <stiction/import.h>

#include "text/messages.h"

bool sti_is_model(const char *text, size_t length)
{
    (void)text, (void)length;
    return false;
}

char *sti_import_text(const char *text, size_t length, const char *path, const StiSceneOptions *options,
                      StiMessages *messages)
{
    (void)text, (void)length, (void)options;
    scene_message(messages, STI_ERROR, (Mark){path, 0, 0}, "an FMU reads scenes, not models of other programs");
    return NULL;
}
