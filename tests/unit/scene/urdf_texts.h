// Robots as URDF: the examples, and short texts. Include after cmocka.h.
#ifndef STICTION_TESTS_URDF_TEXTS_H
#define STICTION_TESTS_URDF_TEXTS_H

#include <stdio.h>
#include <string.h>

#include "urdf_compare.h"

static const char *const robots[] = {"two_link", "six_axis", "floating_base"};

static inline StiUrdf *example(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/examples/robots/%s.urdf", SOURCE_DIR, name);
    StiMessages *messages = sti_messages_create();
    StiUrdf *urdf = sti_urdf_load(path, messages);
    for (int i = 0; urdf == NULL && i < sti_messages_count(messages); ++i)
        print_error("%s\n", sti_messages_at(messages, i)->text);
    assert_non_null(urdf);
    for (int i = 0; i < sti_messages_count(messages); ++i)
        assert_int_equal(sti_messages_at(messages, i)->severity, STI_NOTE);
    sti_messages_destroy(messages);
    return urdf;
}

static inline StiUrdf *read_text(const char *text)
{
    StiMessages *messages = sti_messages_create();
    StiUrdf *urdf = sti_urdf_read(text, strlen(text), "test.urdf", messages);
    for (int i = 0; urdf == NULL && i < sti_messages_count(messages); ++i)
        print_error("%d: %s\n", sti_messages_at(messages, i)->line,
                    sti_messages_at(messages, i)->text);
    sti_messages_destroy(messages);
    assert_non_null(urdf);
    return urdf;
}

#define INERTIAL \
    "<inertial><mass value='1'/>" \
    "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"

#endif
