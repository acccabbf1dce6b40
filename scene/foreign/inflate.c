#include "foreign/inflate.h"

#include <string.h>

enum { LONGEST_CODE = 15, LITERALS = 288, DISTANCES = 30, END_OF_BLOCK = 256 };

typedef struct Stream {
    const unsigned char *in;
    size_t in_length, in_at;
    unsigned bits; // read and not yet used, the first one lowest
    int bit_count;
    unsigned char *out;
    size_t out_size, out_at;
    bool damaged;
} Stream;

// Canonical Huffman codes: how many there are of each length, and their symbols in order.
typedef struct Codes {
    short counts[LONGEST_CODE + 1];
    short symbols[LITERALS];
} Codes;

static int take_bits(Stream *s, int count)
{
    while (s->bit_count < count) {
        if (s->in_at == s->in_length) {
            s->damaged = true;
            return 0;
        }
        s->bits |= (unsigned)s->in[s->in_at++] << s->bit_count;
        s->bit_count += 8;
    }
    const int value = (int)(s->bits & ((1u << count) - 1u));
    s->bits >>= count;
    s->bit_count -= count;
    return value;
}

static void put(Stream *s, unsigned char byte)
{
    if (s->out_at == s->out_size)
        s->damaged = true;
    else
        s->out[s->out_at++] = byte;
}

// False: more codes of a length than there can be.
static bool make_codes(Codes *codes, const unsigned char *lengths, int count)
{
    short places[LONGEST_CODE + 1] = {0};
    int left = 1;
    memset(codes, 0, sizeof *codes);
    for (int i = 0; i < count; ++i) ++codes->counts[lengths[i]];
    codes->counts[0] = 0;
    for (int length = 1; length <= LONGEST_CODE; ++length) {
        left = 2 * left - codes->counts[length];
        if (left < 0) return false;
        if (length < LONGEST_CODE)
            places[length + 1] = (short)(places[length] + codes->counts[length]);
    }
    for (int i = 0; i < count; ++i)
        if (lengths[i] > 0) codes->symbols[places[lengths[i]]++] = (short)i;
    return true;
}

static int take_symbol(Stream *s, const Codes *codes)
{
    int code = 0, first = 0, place = 0;
    for (int length = 1; length <= LONGEST_CODE && !s->damaged; ++length) {
        code |= take_bits(s, 1);
        const int count = codes->counts[length];
        if (code - first < count) return codes->symbols[place + code - first];
        place += count;
        first = (first + count) << 1;
        code <<= 1;
    }
    s->damaged = true;
    return END_OF_BLOCK;
}

static void copy_back(Stream *s, int length, int distance)
{
    if ((size_t)distance > s->out_at) s->damaged = true;
    for (int i = 0; i < length && !s->damaged; ++i) put(s, s->out[s->out_at - (size_t)distance]);
}

static void take_coded(Stream *s, const Codes *literals, const Codes *distances)
{
    static const short length_base[] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                        15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                        67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const unsigned char length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static const short distance_base[] = {1,    2,    3,    4,     5,     7,    9,    13,
                                          17,   25,   33,   49,    65,    97,   129,  193,
                                          257,  385,  513,  769,   1025,  1537, 2049, 3073,
                                          4097, 6145, 8193, 12289, 16385, 24577};
    while (!s->damaged) {
        const int symbol = take_symbol(s, literals);
        if (symbol == END_OF_BLOCK) return;
        if (symbol < END_OF_BLOCK) {
            put(s, (unsigned char)symbol);
            continue;
        }
        const int l = symbol - END_OF_BLOCK - 1;
        if (l >= (int)sizeof length_bits) break;
        const int length = length_base[l] + take_bits(s, length_bits[l]);
        const int d = take_symbol(s, distances);
        if (s->damaged || d >= DISTANCES) break;
        copy_back(s, length, distance_base[d] + take_bits(s, d < 2 ? 0 : d / 2 - 1));
    }
    s->damaged = true;
}

static void take_stored(Stream *s)
{
    s->bits = 0;
    s->bit_count = 0;
    if (s->in_length - s->in_at < 4) {
        s->damaged = true;
        return;
    }
    const unsigned char *at = s->in + s->in_at;
    const size_t length = (size_t)at[0] | (size_t)at[1] << 8,
                 check = (size_t)at[2] | (size_t)at[3] << 8;
    s->in_at += 4;
    if ((length ^ check) != 0xffff || s->in_length - s->in_at < length ||
        s->out_size - s->out_at < length) {
        s->damaged = true;
        return;
    }
    memcpy(s->out + s->out_at, s->in + s->in_at, length);
    s->in_at += length;
    s->out_at += length;
}

static void take_fixed(Stream *s)
{
    unsigned char lengths[LITERALS];
    Codes literals, distances;
    for (int i = 0; i < LITERALS; ++i)
        lengths[i] = (unsigned char)(i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);
    make_codes(&literals, lengths, LITERALS);
    memset(lengths, 5, DISTANCES);
    make_codes(&distances, lengths, DISTANCES);
    take_coded(s, &literals, &distances);
}

// The lengths of both codes are coded themselves, with repeats.
static bool take_lengths(Stream *s, const Codes *codes, unsigned char *lengths, int count)
{
    for (int i = 0; i < count;) {
        const int symbol = take_symbol(s, codes);
        if (s->damaged) return false;
        if (symbol < 16) {
            lengths[i++] = (unsigned char)symbol;
            continue;
        }
        if (symbol == 16 && i == 0) return false;
        const unsigned char value = symbol == 16 ? lengths[i - 1] : 0;
        int repeat = symbol == 16   ? 3 + take_bits(s, 2)
                     : symbol == 17 ? 3 + take_bits(s, 3)
                                    : 11 + take_bits(s, 7);
        if (repeat > count - i) return false;
        while (repeat-- > 0) lengths[i++] = value;
    }
    return true;
}

static void take_dynamic(Stream *s)
{
    static const unsigned char order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                            11, 4,  12, 3, 13, 2, 14, 1, 15};
    unsigned char lengths[LITERALS + 32] = {0};
    Codes codes, distances;
    const int literal_count = take_bits(s, 5) + 257, distance_count = take_bits(s, 5) + 1,
              length_count = take_bits(s, 4) + 4;
    for (int i = 0; i < length_count; ++i) lengths[order[i]] = (unsigned char)take_bits(s, 3);
    const bool good = literal_count <= 286 && distance_count <= DISTANCES && !s->damaged &&
                      make_codes(&codes, lengths, 19);
    memset(lengths, 0, sizeof lengths);
    if (!good || !take_lengths(s, &codes, lengths, literal_count + distance_count) ||
        !make_codes(&codes, lengths, literal_count) ||
        !make_codes(&distances, lengths + literal_count, distance_count)) {
        s->damaged = true;
        return;
    }
    take_coded(s, &codes, &distances);
}

bool foreign_inflate(const unsigned char *packed, size_t length, unsigned char *out, size_t size)
{
    Stream s = {.in = packed, .in_length = length, .out = out, .out_size = size};
    bool last = false;
    while (!last && !s.damaged) {
        last = take_bits(&s, 1) == 1;
        const int type = take_bits(&s, 2);
        if (s.damaged) break;
        if (type == 0)
            take_stored(&s);
        else if (type == 1)
            take_fixed(&s);
        else if (type == 2)
            take_dynamic(&s);
        else
            s.damaged = true;
    }
    return !s.damaged && s.out_at == size;
}
