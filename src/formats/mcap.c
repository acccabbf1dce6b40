// MCAP (https://mcap.dev/spec), chunked, indexed and not compressed: written here, because it is a
// list of records.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/mcap.h"
#include "stiction/formats.h"
#include "stiction/version.h"

static const char magic[8] = "\x89"
                             "MCAP0\r\n";
static const size_t chunk_size = 1 << 18; // bytes of messages

static void put(McapSink *sink, const void *data, size_t size)
{
    if (fwrite(data, 1, size, sink->file) != size && sink->reason == 0)
        sink->reason = errno != 0 ? errno : EIO;
    sink->crc = sti_crc(&sink->table, sink->crc, data, size);
    sink->size += size;
}

void sti_mcap_record(McapSink *sink, McapOpcode opcode, Bytes *content)
{
    Bytes head = {0};
    sti_bytes_number(&head, opcode, 1);
    sti_bytes_number(&head, content->size, 8);
    if (head.failed || content->failed) sink->reason = ENOMEM;
    if (sink->reason == 0) put(sink, head.data, head.size);
    if (sink->reason == 0) put(sink, content->data, content->size);
    sti_bytes_release(&head);
    sti_bytes_clear(content);
}

void sti_mcap_schema(McapSink *sink, int topic)
{
    Bytes *content = &sink->content, name = {0}, json = {0};
    sti_topic_schema_name(&sink->topics.topics[topic], &name);
    sti_topic_schema(&sink->topics.topics[topic], &json);
    sti_bytes_number(content, (uint64_t)topic + 1, 2);
    if (!name.failed) sti_bytes_text(content, (const char *)name.data);
    sti_bytes_text(content, "jsonschema");
    sti_bytes_number(content, json.size, 4);
    sti_bytes_add(content, json.data, json.size);
    content->failed = content->failed || name.failed || json.failed;
    sti_bytes_release(&name);
    sti_bytes_release(&json);
    sti_mcap_record(sink, MCAP_SCHEMA, content);
}

void sti_mcap_channel(McapSink *sink, int topic)
{
    Bytes *content = &sink->content;
    sti_bytes_number(content, (uint64_t)topic, 2);
    sti_bytes_number(content, (uint64_t)topic + 1, 2); // schema; 0 would mean none
    sti_bytes_text(content, sink->topics.topics[topic].name);
    sti_bytes_text(content, "json");
    sti_bytes_number(content, 0, 4); // no metadata
    sti_mcap_record(sink, MCAP_CHANNEL, content);
}

// ---- the beginning: who wrote it, the notes, the topics -----------------------------------------

static void write_header(McapSink *sink)
{
    put(sink, magic, sizeof magic);
    sti_bytes_text(&sink->content, "");
    sti_bytes_text(&sink->content, "stiction " STI_VERSION);
    sti_mcap_record(sink, MCAP_HEADER, &sink->content);
}

static void add_pair(Bytes *map, const char *key, const char *value)
{
    sti_bytes_text(map, key);
    sti_bytes_text(map, value);
}

static void write_metadata(McapSink *sink, const char *name, const Bytes *map)
{
    Bytes *content = &sink->content;
    if (map->size == 0 && !map->failed) return;
    McapPlace *place = &sink->metadata[sink->metadata_count++];
    *place = (McapPlace){.name = name, .offset = sink->size};
    sti_bytes_text(content, name);
    sti_bytes_number(content, map->size, 4);
    sti_bytes_add(content, map->data, map->size);
    content->failed = content->failed || map->failed;
    sti_mcap_record(sink, MCAP_METADATA, content);
    place->length = sink->size - place->offset;
}

static void write_attachment(McapSink *sink, const char *text)
{
    Bytes *content = &sink->content;
    const size_t length = strlen(text);
    McapPlace *place = &sink->attachment;
    *place = (McapPlace){.name = "scene.yaml", .offset = sink->size, .data_length = length};
    sti_bytes_number(content, 0, 8); // log time
    sti_bytes_number(content, 0, 8); // time of its making: unknown
    sti_bytes_text(content, place->name);
    sti_bytes_text(content, "text/yaml");
    sti_bytes_number(content, length, 8);
    sti_bytes_add(content, text, length);
    const uint32_t crc =
        content->failed ? 0 : sti_crc(&sink->table, 0, content->data, content->size);
    sti_bytes_number(content, crc, 4);
    sti_mcap_record(sink, MCAP_ATTACHMENT, content);
    place->length = sink->size - place->offset;
}

static void write_notes(McapSink *sink, const StiTable *table)
{
    Bytes map = {0};
    for (int i = 0; i < table->note_count; ++i) {
        if (strcmp(table->notes[i].name, "scene") == 0)
            write_attachment(sink, table->notes[i].text);
        else
            add_pair(&map, table->notes[i].name, table->notes[i].text);
    }
    write_metadata(sink, "recording", &map);
    sti_bytes_clear(&map);
    StiParameter parameter;
    for (int i = 0; table->plan != NULL && sti_plan_parameter(table->plan, i, &parameter); ++i) {
        char value[32];
        snprintf(value, sizeof value, "%.17g", parameter.value);
        add_pair(&map, parameter.path, value);
    }
    write_metadata(sink, "parameters", &map);
    sti_bytes_release(&map);
}

// ---- rows ---------------------------------------------------------------------------------------

static void add_message(McapSink *sink, int topic, const double *values, uint64_t time)
{
    Bytes *chunk = &sink->chunk;
    const size_t start = chunk->size;
    sti_bytes_number(&sink->indexes[topic], time, 8);
    sti_bytes_number(&sink->indexes[topic], start, 8);
    sti_bytes_number(chunk, MCAP_MESSAGE, 1);
    sti_bytes_number(chunk, 0, 8); // length, filled in below
    sti_bytes_number(chunk, (uint64_t)topic, 2);
    sti_bytes_number(chunk, (uint32_t)sink->rows, 4); // sequence
    sti_bytes_number(chunk, time, 8);
    sti_bytes_number(chunk, time, 8);
    sti_topic_message(&sink->topics.topics[topic], values, time, chunk);
    sti_bytes_number_at(chunk, start + 1, chunk->size - start - 9, 8);
    if ((chunk->failed || sink->indexes[topic].failed) && sink->reason == 0) sink->reason = ENOMEM;
}

// ns since 0; since the start of the run where that is before 0. MCAP has no negative times.
static uint64_t time_of(McapSink *sink, double t)
{
    if (sink->rows == 0) sink->origin = t < 0.0 ? t : 0.0;
    const double time = round((t - sink->origin) * 1e9);
    return time > 0.0 ? (uint64_t)time : 0;
}

static bool check_written(const McapSink *sink)
{
    if (sink->reason != 0) errno = sink->reason;
    return sink->reason == 0;
}

static bool mcap_row(void *inside, const double *values)
{
    McapSink *sink = inside;
    const uint64_t time = time_of(sink, values[0]);
    if (sink->rows == 0) sink->first = time;
    if (sink->chunk.size == 0) sink->chunk_first = time;
    sink->last = time;
    for (int i = 0; i < sink->topics.count; ++i) add_message(sink, i, values, time);
    ++sink->rows;
    if (sink->chunk.size >= chunk_size) sti_mcap_end_chunk(sink);
    return check_written(sink);
}

static bool mcap_flush(void *inside)
{
    McapSink *sink = inside;
    sti_mcap_flush_chunk(sink);
    if (fflush(sink->file) != 0 && sink->reason == 0) sink->reason = errno;
    return check_written(sink);
}

// ---- opening and closing ------------------------------------------------------------------------

static bool release(McapSink *sink)
{
    if (sink->file != NULL && fclose(sink->file) != 0 && sink->reason == 0) sink->reason = errno;
    for (int i = 0; sink->indexes != NULL && i < sink->topics.count; ++i)
        sti_bytes_release(&sink->indexes[i]);
    for (int i = 0; i < sink->chunk_count; ++i) free(sink->chunks[i].indexes);
    free(sink->chunks);
    free(sink->indexes);
    sti_topics_release(&sink->topics);
    sti_bytes_release(&sink->chunk);
    sti_bytes_release(&sink->content);
    const int reason = sink->reason;
    free(sink);
    if (reason != 0) errno = reason;
    return reason == 0;
}

static bool mcap_close(void *inside)
{
    McapSink *sink = inside;
    sti_mcap_end_chunk(sink);
    sti_bytes_number(&sink->content, sink->crc, 4);
    sti_mcap_record(sink, MCAP_DATA_END, &sink->content);
    sti_mcap_summary(sink);
    if (sink->reason == 0) put(sink, magic, sizeof magic);
    return release(sink);
}

static void *mcap_open(const char *path, const StiTable *table)
{
    McapSink *sink = calloc(1, sizeof *sink);
    if (sink == NULL) return NULL;
    sink->table = sti_crc_table();
    sink->topics = sti_topics_create(table);
    sink->indexes = calloc((size_t)sink->topics.count + 1, sizeof *sink->indexes);
    const bool memory = !sink->topics.failed && sink->indexes != NULL;
    sink->file = memory ? fopen(path, "wb") : NULL;
    sink->reason = sink->file != NULL ? 0 : memory ? errno : ENOMEM;
    if (sink->reason == 0) {
        write_header(sink);
        write_notes(sink, table);
        for (int i = 0; i < sink->topics.count; ++i) {
            sti_mcap_schema(sink, i);
            sti_mcap_channel(sink, i);
        }
    }
    if (sink->reason == 0) return sink;
    const bool made = sink->file != NULL;
    release(sink);
    const int reason = errno;
    if (made) remove(path);
    errno = reason;
    return NULL;
}

const StiSinkKind sti_sink_mcap = {
    .table_size = sizeof(StiSinkKind),
    .ending = ".mcap",
    .summary = "MCAP with JSON messages; for Foxglove, PlotJuggler and rerun",
    .over_time = true,
    .open = mcap_open,
    .row = mcap_row,
    .flush = mcap_flush,
    .close = mcap_close,
};
