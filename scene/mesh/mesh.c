#include "mesh/mesh.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "text/file.h"
#include "text/number.h"

enum { STL_HEAD = 84, STL_TRIANGLE = 50 };

static uint32_t little_endian(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double single(const char *bytes)
{
    const uint32_t bits = little_endian(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool is_binary_stl(const char *text, size_t length)
{
    return length >= STL_HEAD &&
           length == STL_HEAD + (size_t)STL_TRIANGLE * little_endian(text + STL_HEAD - 4);
}

static bool is_text_stl(const char *text, size_t length)
{
    return length >= 5 && memcmp(text, "solid", 5) == 0;
}

bool mesh_is_stl(const char *text, size_t length)
{
    return is_binary_stl(text, length) || is_text_stl(text, length);
}

static bool read_binary_stl(const char *text, Mesh *mesh, const char **why)
{
    const size_t triangles = little_endian(text + STL_HEAD - 4);
    mesh->points = malloc((3 * triangles + 1) * sizeof *mesh->points);
    *why = "out of memory";
    if (mesh->points == NULL) return false;
    for (size_t i = 0; i < triangles; ++i)
        for (size_t k = 0; k < 3; ++k) {
            const char *at = text + STL_HEAD + STL_TRIANGLE * i + 12 + 12 * k;
            mesh->points[mesh->count++] = sti_vec3(single(at), single(at + 4), single(at + 8));
        }
    return true;
}

// ---- text ---------------------------------------------------------------------------------------

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) ++at;
    return at;
}

static bool read_point(const char *at, const char *end, StiVec3 *point)
{
    double numbers[3];
    for (int i = 0; i < 3; ++i) {
        at = skip_blanks(at, end);
        const char *from = at;
        while (at < end && *at != ' ' && *at != '\t' && *at != '\r') ++at;
        char word[64]; // ended by NUL, which the file need not be
        const size_t length = (size_t)(at - from);
        if (length >= sizeof word) return false;
        memcpy(word, from, length);
        word[length] = '\0';
        if (!scene_number_read(word, length, &numbers[i])) return false;
    }
    *point = sti_vec3(numbers[0], numbers[1], numbers[2]);
    return true;
}

// Lines that begin with a word and have a point after it: "vertex" of STL, "v" of OBJ.
static bool read_lines(const char *text, size_t length, const char *word, Mesh *mesh, const char **why)
{
    const size_t word_length = strlen(word);
    const char *end = text + length;
    size_t room = 0;
    for (const char *line = text; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (stop == NULL) stop = end;
        const char *at = skip_blanks(line, stop);
        if ((size_t)(stop - at) > word_length && memcmp(at, word, word_length) == 0 &&
            (at[word_length] == ' ' || at[word_length] == '\t')) {
            if ((size_t)mesh->count == room) {
                room = 2 * room + 256;
                StiVec3 *longer = realloc(mesh->points, room * sizeof *longer);
                *why = "out of memory";
                if (longer == NULL) return false;
                mesh->points = longer;
            }
            *why = "a line has no three numbers";
            if (!read_point(at + word_length, stop, &mesh->points[mesh->count++])) return false;
        }
        line = stop < end ? stop + 1 : end;
    }
    return true;
}

static bool all_finite(const Mesh *mesh)
{
    for (int i = 0; i < mesh->count; ++i)
        if (!isfinite(sti_vec3_norm(mesh->points[i]))) return false;
    return true;
}

bool mesh_read(const char *text, size_t length, Mesh *mesh, const char **why)
{
    *mesh = (Mesh){NULL, 0};
    const bool solid = is_text_stl(text, length);
    bool good = is_binary_stl(text, length) ? read_binary_stl(text, mesh, why)
                                            : read_lines(text, length, solid ? "vertex" : "v", mesh, why);
    if (good && mesh->count == 0) {
        *why = "it has no points (STL and OBJ are read)";
        good = false;
    }
    if (good && !all_finite(mesh)) {
        *why = "its points are not finite";
        good = false;
    }
    if (!good) {
        free(mesh->points);
        *mesh = (Mesh){NULL, 0};
    }
    return good;
}

bool mesh_load(const char *path, Mesh *mesh, const char **why)
{
    size_t length;
    *mesh = (Mesh){NULL, 0};
    char *text = scene_file_read(path, MESH_MOST_BYTES, &length, why);
    if (text == NULL) return false;
    *why = "it is too large";
    const bool good = length <= MESH_MOST_BYTES && mesh_read(text, length, mesh, why);
    free(text);
    return good;
}
