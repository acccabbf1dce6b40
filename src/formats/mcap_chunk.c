// Chunks of messages. One that is not full yet is flushed in its final place and overwritten when more rows are
// there: so the bytes of a file do not depend on when it was flushed.
#include <errno.h>

#include "formats/mcap.h"

enum { HEAD = 1 + 8 + 8 + 8 + 8 + 4 + 4 + 8 }; // bytes of a chunk's record before its messages

static void add_head(const McapSink *sink, Bytes *piece)
{
    const Bytes *messages = &sink->chunk;
    sti_bytes_number(piece, MCAP_CHUNK, 1);
    sti_bytes_number(piece, HEAD - 9 + messages->size, 8);
    sti_bytes_number(piece, sink->chunk_first, 8);
    sti_bytes_number(piece, sink->last, 8);
    sti_bytes_number(piece, messages->size, 8);
    sti_bytes_number(piece, sti_crc(&sink->table, 0, messages->data, messages->size), 4);
    sti_bytes_text(piece, ""); // no compression
    sti_bytes_number(piece, messages->size, 8);
}

// Chunk, then one index for each topic: time and place of each of its messages. about: NULL, or filled.
static void add_chunk(const McapSink *sink, McapChunk *about, Bytes *piece)
{
    add_head(sink, piece);
    sti_bytes_add(piece, sink->chunk.data, sink->chunk.size);
    if (about != NULL)
        *about = (McapChunk){.first = sink->chunk_first,
                             .last = sink->last,
                             .offset = sink->size,
                             .length = piece->size,
                             .data_length = sink->chunk.size,
                             .indexes = about->indexes};
    for (int i = 0; i < sink->topics.count; ++i) {
        const Bytes *index = &sink->indexes[i];
        if (about != NULL) about->indexes[i] = sink->size + piece->size;
        sti_bytes_number(piece, MCAP_MESSAGE_INDEX, 1);
        sti_bytes_number(piece, 2 + 4 + index->size, 8);
        sti_bytes_number(piece, (uint64_t)i, 2);
        sti_bytes_number(piece, index->size, 4);
        sti_bytes_add(piece, index->data, index->size);
        piece->failed = piece->failed || index->failed;
    }
    if (about != NULL) about->indexes_length = piece->size - about->length;
    piece->failed = piece->failed || sink->chunk.failed;
}

static bool write_at(McapSink *sink, uint64_t place, const unsigned char *data, size_t size)
{
    errno = 0;
    const bool good = fseeko(sink->file, (off_t)(sink->size + place), SEEK_SET) == 0 &&
                      fwrite(data, 1, size, sink->file) == size && fflush(sink->file) == 0;
    if (!good && sink->reason == 0) sink->reason = errno != 0 ? errno : EIO;
    return good;
}

// What is there already counts until the new head, written last and at once, says that there is more. What then
// follows the old chunk are whole messages again, and readers of a torn file take them.
static void write_piece(McapSink *sink, const Bytes *piece)
{
    const size_t from = HEAD + sink->flushed;
    if (sink->flushed == 0)
        write_at(sink, 0, piece->data, piece->size);
    else if (write_at(sink, from, piece->data + from, piece->size - from))
        write_at(sink, 0, piece->data, HEAD);
}

static void forget(McapSink *sink)
{
    for (int i = 0; i < sink->topics.count; ++i) sti_bytes_clear(&sink->indexes[i]);
    sti_bytes_clear(&sink->chunk);
    sink->flushed = 0;
}

void sti_mcap_flush_chunk(McapSink *sink)
{
    Bytes *piece = &sink->content;
    if (sink->chunk.size == sink->flushed || sink->reason != 0) return;
    add_chunk(sink, NULL, piece);
    if (piece->failed) sink->reason = ENOMEM;
    if (sink->reason == 0) write_piece(sink, piece);
    sink->flushed = sink->chunk.size;
    sti_bytes_clear(piece);
}

void sti_mcap_end_chunk(McapSink *sink)
{
    Bytes *piece = &sink->content;
    if (sink->chunk.size == 0 || sink->reason != 0) return;
    McapChunk *about = sti_mcap_next_chunk(sink);
    if (about != NULL) add_chunk(sink, about, piece);
    if (about == NULL || piece->failed) sink->reason = ENOMEM;
    if (sink->reason == 0) write_piece(sink, piece);
    if (sink->reason == 0) {
        sink->crc = sti_crc(&sink->table, sink->crc, piece->data, piece->size);
        sink->size += piece->size;
        write_at(sink, 0, piece->data, 0); // what follows goes to its end
    }
    sti_bytes_clear(piece);
    forget(sink);
}
