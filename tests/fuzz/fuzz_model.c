// Any bytes as a model file of any format: a scene, or a reason why not; the scene is read, too.
#include <string.h>

#include "fuzz.h"
#include "stiction/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    StiMessages *messages = sti_messages_create();
    const StiSceneOptions options = {.confine = "/nonexistent"}; // no file may be read
    char *scene = sti_import_text((const char *)data, size, "fuzz.xml", &options, messages);
    if ((scene == NULL) != (sti_messages_error_count(messages) > 0)) abort(); // always a reason
    sti_messages_destroy(messages);
    if (scene == NULL) return 0;
    messages = sti_messages_create();
    StiScene *read = sti_scene_read(scene, strlen(scene), "fuzz.yaml", &options, messages);
    if ((read == NULL) != (sti_messages_error_count(messages) > 0)) abort();
    sti_scene_destroy(read);
    sti_messages_destroy(messages);
    free(scene);
    return 0;
}
