// Any bytes as URDF: read, and if it is a robot, built, written and read again.
#include <string.h>

#include "fuzz.h"
#include "stiction/urdf.h"

static StiUrdf *read_robot(const char *text, size_t size)
{
    StiMessages *messages = sti_messages_create();
    StiUrdf *urdf = sti_urdf_read(text, size, "fuzz.urdf", messages);
    if ((urdf == NULL) != (sti_messages_error_count(messages) > 0)) abort(); // always a reason
    for (int i = 0; i < sti_messages_count(messages); ++i)
        if (sti_messages_at(messages, i)->text[0] == '\0') abort();
    sti_messages_destroy(messages);
    return urdf;
}

// The same text comes from what is read of it. To be freed.
static char *write_robot(const StiUrdf *urdf, size_t *length)
{
    *length = sti_urdf_write(urdf, NULL, 0);
    char *text = malloc(*length + 1);
    if (text == NULL || sti_urdf_write(urdf, text, *length + 1) != *length) abort();
    return text;
}

static void write_and_read(const StiUrdf *urdf)
{
    size_t length, length_again;
    char *text = write_robot(urdf, &length);
    StiUrdf *again = read_robot(text, length);
    if (again == NULL || again->count != urdf->count) abort();
    char *text_again = write_robot(again, &length_again);
    if (length != length_again || memcmp(text, text_again, length) != 0) abort();
    free(text_again);
    sti_urdf_destroy(again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    StiUrdf *urdf = read_robot((const char *)data, size);
    if (urdf == NULL) return 0;
    write_and_read(urdf);
    StiReport *report = sti_report_create();
    sti_robot_destroy(sti_robot_create(urdf->links, urdf->count, report));
    sti_report_destroy(report);
    sti_urdf_destroy(urdf);
    return 0;
}
