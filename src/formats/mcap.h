// Private: an MCAP file while it is written.
#ifndef STICTION_SRC_FORMATS_MCAP_H
#define STICTION_SRC_FORMATS_MCAP_H

#include <stdio.h>

#include "formats/topics.h"

typedef enum McapOpcode {
    MCAP_HEADER = 0x01,
    MCAP_FOOTER,
    MCAP_SCHEMA,
    MCAP_CHANNEL,
    MCAP_MESSAGE,
    MCAP_CHUNK,
    MCAP_MESSAGE_INDEX,
    MCAP_CHUNK_INDEX,
    MCAP_ATTACHMENT,
    MCAP_ATTACHMENT_INDEX,
    MCAP_STATISTICS,
    MCAP_METADATA,
    MCAP_METADATA_INDEX,
    MCAP_SUMMARY_OFFSET,
    MCAP_DATA_END
} McapOpcode;

// Where a record stands, bytes from the beginning of the file.
typedef struct McapPlace {
    const char *name;
    uint64_t offset, length;
    uint64_t data_length;
} McapPlace;

typedef struct McapChunk {
    uint64_t first, last; // ns
    uint64_t offset, length;
    uint64_t data_length;
    uint64_t *indexes; // where the index of each topic stands
    uint64_t indexes_length;
} McapChunk;

typedef struct McapSink {
    FILE *file;
    int reason; // errno of the first failure; nothing is written after it
    CrcTable table;
    uint32_t crc;  // of all that was written, or of the summary
    uint64_t size; // of the file
    Topics topics;
    int64_t rows;
    double origin;        // s, time 0 of the messages
    uint64_t first, last; // ns
    uint64_t chunk_first; // ns
    Bytes content;        // of the record being built
    Bytes chunk;          // messages, ...
    size_t flushed;       // ... so many bytes of which are in the file
    Bytes *indexes;       // of the chunk's messages, for each topic
    McapChunk *chunks;
    int chunk_count, chunk_capacity;
    McapPlace metadata[2];
    int metadata_count;
    McapPlace attachment; // offset 0: none
} McapSink;

// Writes a record and clears its content.
void sti_mcap_record(McapSink *sink, McapOpcode opcode, Bytes *content);
void sti_mcap_schema(McapSink *sink, int topic);
void sti_mcap_channel(McapSink *sink, int topic);
McapChunk *sti_mcap_next_chunk(McapSink *sink); // NULL: out of memory
// The messages so far: more may follow in the same chunk; or it ends.
void sti_mcap_flush_chunk(McapSink *sink);
void sti_mcap_end_chunk(McapSink *sink);
void sti_mcap_summary(McapSink *sink);          // all after the data, with the footer

#endif
