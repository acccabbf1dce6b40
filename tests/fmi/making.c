#include "making.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static StiScene *checked(StiScene *scene, StiMessages *messages)
{
    for (int i = 0; scene == NULL && i < sti_messages_count(messages); ++i)
        print_message("%s:%d: %s\n", sti_messages_at(messages, i)->file,
                      sti_messages_at(messages, i)->line, sti_messages_at(messages, i)->text);
    sti_messages_destroy(messages);
    assert_non_null(scene);
    return scene;
}

StiScene *scene_of_file(const char *path)
{
    StiMessages *messages = sti_messages_create();
    return checked(sti_scene_load(path, NULL, messages), messages);
}

StiScene *scene_of_text(const char *text)
{
    StiMessages *messages = sti_messages_create();
    return checked(sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages), messages);
}

FmuSummary make_fmu(const StiScene *scene, const char *archive, int version)
{
    const FmuOptions options = {.version = version};
    FmuSummary summary = {0};
    StiMessages *messages = sti_messages_create();
    const StiStatus status = fmu_export(scene, &options, archive, &summary, messages);
    for (int i = 0; status != STI_OK && i < sti_messages_count(messages); ++i)
        print_message("%s\n", sti_messages_at(messages, i)->text);
    sti_messages_destroy(messages);
    assert_int_equal(status, STI_OK);
    return summary;
}
