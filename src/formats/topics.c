#include "formats/topics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *part(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

// "/" or "/MODEL/", then the component with slashes for dots, then an ending.
static char *topic_name(const char *model, const char *component, size_t length, const char *ending)
{
    const size_t size = strlen(model) + length + strlen(ending) + 3;
    char *name = malloc(size);
    if (name == NULL) return NULL;
    snprintf(name, size, "/%s%s%.*s%s", model, model[0] != '\0' ? "/" : "", (int)length, component,
             ending);
    for (char *c = name + strlen(model); *c != '\0'; ++c)
        if (*c == '.') *c = '/';
    return name;
}

// The topic of this name, new if there is none; takes the name.
static Topic *find_topic(Topics *all, char *name, bool joints)
{
    for (int i = 0; name != NULL && i < all->count; ++i) {
        if (strcmp(all->topics[i].name, name) != 0) continue;
        free(name);
        return &all->topics[i];
    }
    Topic *more = realloc(all->topics, (size_t)(all->count + 1) * sizeof *more);
    if (more != NULL) all->topics = more;
    if (more == NULL || name == NULL) {
        all->failed = true;
        free(name);
        return NULL;
    }
    all->topics[all->count] = (Topic){.name = name, .joints = joints};
    return &all->topics[all->count++];
}

// The field of this name, new if there is none; takes the name.
static TopicField *find_field(Topics *all, Topic *topic, char *name)
{
    for (int i = 0; name != NULL && i < topic->field_count; ++i) {
        if (strcmp(topic->fields[i].name, name) != 0) continue;
        free(name);
        return &topic->fields[i];
    }
    TopicField *more = realloc(topic->fields, (size_t)(topic->field_count + 1) * sizeof *more);
    if (more != NULL) topic->fields = more;
    if (more == NULL || name == NULL) {
        all->failed = true;
        free(name);
        return NULL;
    }
    topic->fields[topic->field_count] = (TopicField){name, NULL, -1, -1};
    return &topic->fields[topic->field_count++];
}

// A column's name in its parts: "arm.elbow.q@karnopp" -> arm.elbow, q, karnopp.
typedef struct Parts {
    const char *component, *value, *model;
    size_t component_length, value_length;
} Parts;

static Parts split(const char *name)
{
    const char *at = strchr(name, '@');
    const size_t length = at != NULL ? (size_t)(at - name) : strlen(name);
    size_t dot = length;
    while (dot > 0 && name[dot - 1] != '.') --dot;
    Parts parts = {.component = name, .model = at != NULL ? at + 1 : ""};
    if (dot == 0) { // a source of its own
        parts.component_length = length;
        parts.value = "value";
        parts.value_length = strlen("value");
    } else {
        parts.component_length = dot - 1;
        parts.value = name + dot;
        parts.value_length = length - dot;
    }
    return parts;
}

static void add_value(Topics *all, const Parts *parts, const StiColumn *column, int number)
{
    Topic *topic =
        find_topic(all, topic_name(parts->model, parts->component, parts->component_length, ""),
                   false);
    if (topic == NULL) return;
    TopicField *field = find_field(all, topic, part(parts->value, parts->value_length));
    if (field == NULL) return;
    const char *unit = column->unit != NULL ? column->unit : "";
    field->column = number;
    free(field->unit);
    field->unit = part(unit, strlen(unit));
    if (field->unit == NULL) all->failed = true;
}

// ROBOT.JOINT.q and ROBOT.JOINT.qd: only robots' joints of one axis have such channels.
static void add_joint(Topics *all, const Parts *parts, int number)
{
    const bool q = parts->value_length == 1 && parts->value[0] == 'q';
    const bool qd = parts->value_length == 2 && strncmp(parts->value, "qd", 2) == 0;
    const char *dot = memchr(parts->component, '.', parts->component_length);
    if (dot == NULL || (!q && !qd)) return;
    const size_t robot = (size_t)(dot - parts->component);
    Topic *topic =
        find_topic(all, topic_name(parts->model, parts->component, robot, "/joint_states"), true);
    if (topic == NULL) return;
    TopicField *field = find_field(all, topic, part(dot + 1, parts->component_length - robot - 1));
    if (field != NULL) *(q ? &field->column : &field->rate) = number;
}

Topics sti_topics_create(const StiTable *table)
{
    Topics all = {0};
    for (int i = 1; i < table->column_count; ++i) {
        const Parts parts = split(table->columns[i].name);
        add_value(&all, &parts, &table->columns[i], i);
        add_joint(&all, &parts, i);
    }
    return all;
}

void sti_topics_release(Topics *topics)
{
    for (int i = 0; i < topics->count; ++i) {
        Topic *topic = &topics->topics[i];
        for (int k = 0; k < topic->field_count; ++k) {
            free(topic->fields[k].name);
            free(topic->fields[k].unit);
        }
        free(topic->fields);
        free(topic->name);
    }
    free(topics->topics);
}

// ---- JSON ---------------------------------------------------------------------------------------

void sti_topic_schema_name(const Topic *topic, Bytes *name)
{
    sti_bytes_print(name, "%s", topic->joints ? "foxglove.JointStates" : "stiction");
    if (!topic->joints) {
        const size_t place = name->size;
        sti_bytes_add(name, topic->name, strlen(topic->name));
        for (size_t i = place; !name->failed && i < name->size; ++i)
            if (name->data[i] == '/') name->data[i] = '.';
    }
    sti_bytes_add(name, "", 1);
}

static const char joint_states_schema[] =
    "{\"title\":\"foxglove.JointStates\",\"type\":\"object\",\"properties\":{"
    "\"timestamp\":{\"type\":\"object\",\"title\":\"time\",\"properties\":{"
    "\"sec\":{\"type\":\"integer\",\"minimum\":0},"
    "\"nsec\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":999999999}}},"
    "\"joints\":{\"type\":\"array\",\"items\":{\"title\":\"foxglove.JointState\","
    "\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},"
    "\"position\":{\"type\":\"number\",\"description\":\"rad or m\"},"
    "\"velocity\":{\"type\":\"number\",\"description\":\"rad/s or m/s\"},"
    "\"effort\":{\"type\":\"number\",\"description\":\"N*m or N\"}}}}}}";

void sti_topic_schema(const Topic *topic, Bytes *json)
{
    if (topic->joints) {
        sti_bytes_add(json, joint_states_schema, strlen(joint_states_schema));
        return;
    }
    sti_bytes_print(json, "{\"type\":\"object\",\"properties\":{"
                          "\"t\":{\"type\":\"number\",\"description\":\"s\"}");
    for (int i = 0; i < topic->field_count; ++i) {
        sti_bytes_add(json, ",", 1);
        sti_bytes_json_text(json, topic->fields[i].name);
        sti_bytes_print(json, ":{\"type\":\"number\",\"description\":");
        sti_bytes_json_text(json, topic->fields[i].unit);
        sti_bytes_add(json, "}", 1);
    }
    sti_bytes_add(json, "}}", 2);
}

static void joint_states(const Topic *topic, const double *row, uint64_t time, Bytes *json)
{
    const unsigned long long second = 1000000000;
    sti_bytes_print(json, "{\"timestamp\":{\"sec\":%llu,\"nsec\":%llu},\"joints\":[", time / second,
                    time % second);
    for (int i = 0; i < topic->field_count; ++i) {
        const TopicField *joint = &topic->fields[i];
        sti_bytes_print(json, "%s{\"name\":", i > 0 ? "," : "");
        sti_bytes_json_text(json, joint->name);
        if (joint->column >= 0) {
            sti_bytes_print(json, ",\"position\":");
            sti_bytes_json_number(json, row[joint->column]);
        }
        if (joint->rate >= 0) {
            sti_bytes_print(json, ",\"velocity\":");
            sti_bytes_json_number(json, row[joint->rate]);
        }
        sti_bytes_add(json, "}", 1);
    }
    sti_bytes_add(json, "]}", 2);
}

void sti_topic_message(const Topic *topic, const double *row, uint64_t time, Bytes *json)
{
    if (topic->joints) {
        joint_states(topic, row, time, json);
        return;
    }
    sti_bytes_add(json, "{\"t\":", 5);
    sti_bytes_json_number(json, row[0]);
    for (int i = 0; i < topic->field_count; ++i) {
        sti_bytes_add(json, ",", 1);
        sti_bytes_json_text(json, topic->fields[i].name);
        sti_bytes_add(json, ":", 1);
        sti_bytes_json_number(json, row[topic->fields[i].column]);
    }
    sti_bytes_add(json, "}", 1);
}
