// Private: columns as topics of JSON messages.
#ifndef STICTION_SRC_FORMATS_TOPICS_H
#define STICTION_SRC_FORMATS_TOPICS_H

#include "formats/bytes.h"
#include "stiction/sink.h"

typedef struct TopicField {
    char *name; // "v"; of joint states: the joint's name
    char *unit; // NULL for joint states
    int column; // of joint states: q, or -1
    int rate;   // of joint states: qd, or -1
} TopicField;

typedef struct Topic {
    char *name;  // "/block"
    bool joints; // foxglove.JointStates
    TopicField *fields;
    int field_count;
} Topic;

typedef struct Topics {
    Topic *topics;
    int count;
    bool failed; // out of memory
} Topics;

// The first column is t.
Topics sti_topics_create(const StiTable *table);
void sti_topics_release(Topics *topics);

void sti_topic_schema_name(const Topic *topic, Bytes *name); // with a 0 behind it
void sti_topic_schema(const Topic *topic, Bytes *json);
// time: ns. Every message of a component also has its t, with all digits.
void sti_topic_message(const Topic *topic, const double *row, uint64_t time, Bytes *json);

#endif
