// States in files and in memory: a header, the numbers, and a hash over both. Little-endian, as the machine has
// them; a file from another byte order fails the check of its first word.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "network/network.h"
#include "stiction/draft.h"

enum { FILE_VERSION = 1 };

typedef struct Header {
    uint64_t magic;
    uint64_t version;
    uint64_t layout;
    int64_t k;
    int64_t count;
} Header;

static const uint64_t magic = UINT64_C(0x65746174732d6974); // "ti-state"

static uint64_t checksum(const Header *header, const double *values)
{
    const uint64_t hash = sti_hash_bytes(STI_HASH_START, header, sizeof *header);
    return sti_hash_bytes(hash, values, (size_t)header->count * sizeof *values);
}

static Header header_of(const StiState *state)
{
    return (Header){magic, FILE_VERSION, state->layout, state->k, state->count};
}

static size_t length_of(const StiState *state)
{
    return sizeof(Header) + (size_t)state->count * sizeof(double) + sizeof(uint64_t);
}

size_t sti_state_write(const StiState *state, void *buffer, size_t size)
{
    const size_t values = (size_t)state->count * sizeof(double), length = length_of(state);
    if (size < length) return length;
    const Header header = header_of(state);
    const uint64_t sum = checksum(&header, state->values);
    unsigned char *at = buffer;
    memcpy(at, &header, sizeof header);
    memcpy(at + sizeof header, state->values, values);
    memcpy(at + sizeof header + values, &sum, sizeof sum);
    return length;
}

StiStatus sti_state_read(StiState *state, const void *buffer, size_t size)
{
    const unsigned char *at = buffer;
    const size_t values = (size_t)state->count * sizeof(double);
    Header header;
    uint64_t sum;
    if (size < sizeof header) return STI_FILE_ERROR;
    memcpy(&header, at, sizeof header);
    if (header.magic != magic) return STI_FILE_ERROR;
    if (header.version != FILE_VERSION || header.layout != state->layout ||
        header.count != state->count)
        return STI_LAYOUT_MISMATCH;
    if (size != length_of(state)) return STI_FILE_ERROR;
    memcpy(&sum, at + sizeof header + values, sizeof sum);
    uint64_t found = sti_hash_bytes(STI_HASH_START, &header, sizeof header);
    found = sti_hash_bytes(found, at + sizeof header, values);
    if (sum != found) return STI_FILE_ERROR;
    state->k = header.k;
    memcpy(state->values, at + sizeof header, values);
    return STI_OK;
}

static bool write_all(FILE *file, const StiState *state)
{
    const Header header = header_of(state);
    const uint64_t sum = checksum(&header, state->values);
    const size_t count = (size_t)state->count;
    return fwrite(&header, sizeof header, 1, file) == 1 &&
           fwrite(state->values, sizeof(double), count, file) == count &&
           fwrite(&sum, sizeof sum, 1, file) == 1;
}

// Written under another name first: a file of the wanted name is always complete.
StiStatus sti_state_save(const StiState *state, const char *path)
{
    StiDraft *draft = sti_draft_open(path);
    if (draft == NULL) return errno == ENOMEM ? STI_OUT_OF_MEMORY : STI_FILE_ERROR;
    FILE *file = fopen(sti_draft_name(draft), "wb");
    bool good = file != NULL && write_all(file, state);
    if (file != NULL && fclose(file) != 0) good = false;
    const StiStatus closed = sti_draft_close(draft, good ? STI_DRAFT_COMPLETE : STI_DRAFT_REMOVED);
    return good ? closed : STI_FILE_ERROR;
}

static StiStatus read_all(FILE *file, StiState *state, double *values)
{
    Header header;
    uint64_t sum;
    if (fread(&header, sizeof header, 1, file) != 1 || header.magic != magic) return STI_FILE_ERROR;
    if (header.version != FILE_VERSION || header.layout != state->layout ||
        header.count != state->count)
        return STI_LAYOUT_MISMATCH;
    if (fread(values, sizeof(double), (size_t)state->count, file) != (size_t)state->count ||
        fread(&sum, sizeof sum, 1, file) != 1 || sum != checksum(&header, values) ||
        fgetc(file) != EOF)
        return STI_FILE_ERROR;
    state->k = header.k;
    memcpy(state->values, values, (size_t)state->count * sizeof *values);
    return STI_OK;
}

StiStatus sti_state_load(StiState *state, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return STI_FILE_ERROR;
    double *values = malloc(((size_t)state->count + 1) * sizeof *values);
    const StiStatus status = values != NULL ? read_all(file, state, values) : STI_OUT_OF_MEMORY;
    free(values);
    fclose(file);
    return status;
}
