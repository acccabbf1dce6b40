// The end of an MCAP file: what readers look at first, to jump to any time.
#include <stdlib.h>

#include "formats/mcap.h"

McapChunk *sti_mcap_next_chunk(McapSink *sink)
{
    if (sink->chunk_count == sink->chunk_capacity) {
        const int capacity = 2 * sink->chunk_capacity + 16;
        McapChunk *more = realloc(sink->chunks, (size_t)capacity * sizeof *more);
        if (more == NULL) return NULL;
        sink->chunks = more;
        sink->chunk_capacity = capacity;
    }
    uint64_t *indexes = calloc((size_t)sink->topics.count + 1, sizeof *indexes);
    if (indexes == NULL) return NULL;
    sink->chunks[sink->chunk_count] = (McapChunk){.indexes = indexes};
    return &sink->chunks[sink->chunk_count++];
}

static void write_schemas(McapSink *sink)
{
    for (int i = 0; i < sink->topics.count; ++i) sti_mcap_schema(sink, i);
}

static void write_channels(McapSink *sink)
{
    for (int i = 0; i < sink->topics.count; ++i) sti_mcap_channel(sink, i);
}

static void write_statistics(McapSink *sink)
{
    Bytes *content = &sink->content;
    const uint64_t topics = (uint64_t)sink->topics.count, rows = (uint64_t)sink->rows;
    sti_bytes_number(content, rows * topics, 8);
    sti_bytes_number(content, topics, 2);
    sti_bytes_number(content, topics, 4);
    sti_bytes_number(content, sink->attachment.offset > 0, 4);
    sti_bytes_number(content, (uint64_t)sink->metadata_count, 4);
    sti_bytes_number(content, (uint64_t)sink->chunk_count, 4);
    sti_bytes_number(content, sink->first, 8);
    sti_bytes_number(content, sink->last, 8);
    sti_bytes_number(content, topics * (2 + 8), 4); // bytes of the map
    for (uint64_t i = 0; i < topics; ++i) {
        sti_bytes_number(content, i, 2);
        sti_bytes_number(content, rows, 8);
    }
    sti_mcap_record(sink, MCAP_STATISTICS, content);
}

static void write_chunk_index(McapSink *sink, const McapChunk *chunk)
{
    Bytes *content = &sink->content;
    sti_bytes_number(content, chunk->first, 8);
    sti_bytes_number(content, chunk->last, 8);
    sti_bytes_number(content, chunk->offset, 8);
    sti_bytes_number(content, chunk->length, 8);
    sti_bytes_number(content, (uint64_t)sink->topics.count * (2 + 8), 4); // bytes of the map
    for (int i = 0; i < sink->topics.count; ++i) {
        sti_bytes_number(content, (uint64_t)i, 2);
        sti_bytes_number(content, chunk->indexes[i], 8);
    }
    sti_bytes_number(content, chunk->indexes_length, 8);
    sti_bytes_text(content, ""); // no compression
    sti_bytes_number(content, chunk->data_length, 8);
    sti_bytes_number(content, chunk->data_length, 8);
    sti_mcap_record(sink, MCAP_CHUNK_INDEX, content);
}

static void write_chunk_indexes(McapSink *sink)
{
    for (int i = 0; i < sink->chunk_count; ++i) write_chunk_index(sink, &sink->chunks[i]);
}

static void write_attachment_index(McapSink *sink)
{
    Bytes *content = &sink->content;
    const McapPlace *place = &sink->attachment;
    if (place->offset == 0) return;
    sti_bytes_number(content, place->offset, 8);
    sti_bytes_number(content, place->length, 8);
    sti_bytes_number(content, 0, 8); // log time
    sti_bytes_number(content, 0, 8); // time of its making
    sti_bytes_number(content, place->data_length, 8);
    sti_bytes_text(content, place->name);
    sti_bytes_text(content, "text/yaml");
    sti_mcap_record(sink, MCAP_ATTACHMENT_INDEX, content);
}

static void write_metadata_indexes(McapSink *sink)
{
    for (int i = 0; i < sink->metadata_count; ++i) {
        sti_bytes_number(&sink->content, sink->metadata[i].offset, 8);
        sti_bytes_number(&sink->content, sink->metadata[i].length, 8);
        sti_bytes_text(&sink->content, sink->metadata[i].name);
        sti_mcap_record(sink, MCAP_METADATA_INDEX, &sink->content);
    }
}

typedef struct Group {
    McapOpcode opcode;
    void (*write)(McapSink *sink);
} Group;

static const Group groups[] = {
    {MCAP_SCHEMA, write_schemas},
    {MCAP_CHANNEL, write_channels},
    {MCAP_STATISTICS, write_statistics},
    {MCAP_CHUNK_INDEX, write_chunk_indexes},
    {MCAP_ATTACHMENT_INDEX, write_attachment_index},
    {MCAP_METADATA_INDEX, write_metadata_indexes},
};
enum { GROUPS = sizeof groups / sizeof groups[0] };

// The checksum covers the summary and the footer up to the checksum itself.
static void write_footer(McapSink *sink, uint64_t summary, uint64_t offsets)
{
    Bytes head = {0}, *content = &sink->content;
    sti_bytes_number(content, summary, 8);
    sti_bytes_number(content, offsets, 8);
    sti_bytes_number(&head, MCAP_FOOTER, 1);
    sti_bytes_number(&head, content->size + 4, 8);
    content->failed = content->failed || head.failed;
    if (!content->failed) {
        sink->crc = sti_crc(&sink->table, sink->crc, head.data, head.size);
        sink->crc = sti_crc(&sink->table, sink->crc, content->data, content->size);
    }
    sti_bytes_release(&head);
    sti_bytes_number(content, sink->crc, 4);
    sti_mcap_record(sink, MCAP_FOOTER, content);
}

void sti_mcap_summary(McapSink *sink)
{
    const uint64_t summary = sink->size;
    uint64_t starts[GROUPS + 1];
    sink->crc = 0;
    for (int i = 0; i < GROUPS; ++i) {
        starts[i] = sink->size;
        groups[i].write(sink);
    }
    starts[GROUPS] = sink->size;
    for (int i = 0; i < GROUPS; ++i) {
        if (starts[i + 1] == starts[i]) continue;
        sti_bytes_number(&sink->content, groups[i].opcode, 1);
        sti_bytes_number(&sink->content, starts[i], 8);
        sti_bytes_number(&sink->content, starts[i + 1] - starts[i], 8);
        sti_mcap_record(sink, MCAP_SUMMARY_OFFSET, &sink->content);
    }
    write_footer(sink, summary, starts[GROUPS]);
}
