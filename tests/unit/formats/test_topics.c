#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "formats/topics.h"

static const StiColumn columns[] = {
    {"t", "s"},         {"block.x", "m"},          {"arm.elbow.q", "rad"},
    {"block.v", "m/s"}, {"arm.elbow.qd", "rad/s"}, {"arm.elbow.friction.force", "N"},
    {"pull", NULL},     {"block.v@quinn", "m/s"},  {"arm.wrist.qd", "rad/s"},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static const Topic *find(const Topics *topics, const char *name)
{
    for (int i = 0; i < topics->count; ++i)
        if (strcmp(topics->topics[i].name, name) == 0) return &topics->topics[i];
    fail_msg("there is no topic %s", name);
    return NULL;
}

static void assert_message(const Topics *topics, const char *name, const char *expected)
{
    static const double row[COLUMNS] = {0.5, 1, 2, 3, 4, 5, 6, 7, 8};
    Bytes json = {0};
    sti_topic_message(find(topics, name), row, 1500000002, &json);
    sti_bytes_add(&json, "", 1);
    assert_string_equal((const char *)json.data, expected);
    sti_bytes_release(&json);
}

static void columns_become_fields(void **state)
{
    (void)state;
    const StiTable table = {.columns = columns, .column_count = COLUMNS};
    Topics topics = sti_topics_create(&table);
    assert_false(topics.failed);
    assert_int_equal(topics.count, 7);
    assert_message(&topics, "/block", "{\"t\":0.5,\"x\":1,\"v\":3}");
    assert_message(&topics, "/arm/elbow", "{\"t\":0.5,\"q\":2,\"qd\":4}");
    assert_message(&topics, "/arm/elbow/friction", "{\"t\":0.5,\"force\":5}");
    assert_message(&topics, "/pull", "{\"t\":0.5,\"value\":6}");
    assert_message(&topics, "/quinn/block", "{\"t\":0.5,\"v\":7}");
    assert_message(&topics, "/arm/joint_states",
                   "{\"timestamp\":{\"sec\":1,\"nsec\":500000002},\"joints\":["
                   "{\"name\":\"elbow\",\"position\":2,\"velocity\":4},"
                   "{\"name\":\"wrist\",\"velocity\":8}]}");
    sti_topics_release(&topics);
}

static void schemas_carry_units(void **state)
{
    (void)state;
    const StiTable table = {.columns = columns, .column_count = COLUMNS};
    Topics topics = sti_topics_create(&table);
    Bytes json = {0}, name = {0};
    sti_topic_schema(find(&topics, "/block"), &json);
    sti_bytes_add(&json, "", 1);
    assert_string_equal((const char *)json.data,
                        "{\"type\":\"object\",\"properties\":{"
                        "\"t\":{\"type\":\"number\",\"description\":\"s\"},"
                        "\"x\":{\"type\":\"number\",\"description\":\"m\"},"
                        "\"v\":{\"type\":\"number\",\"description\":\"m/s\"}}}");
    sti_topic_schema_name(find(&topics, "/quinn/block"), &name);
    assert_string_equal((const char *)name.data, "stiction.quinn.block");
    sti_bytes_clear(&name);
    sti_topic_schema_name(find(&topics, "/arm/joint_states"), &name);
    assert_string_equal((const char *)name.data, "foxglove.JointStates");
    sti_bytes_release(&name);
    sti_bytes_release(&json);
    sti_topics_release(&topics);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_become_fields),
        cmocka_unit_test(schemas_carry_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
