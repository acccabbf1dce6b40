#include "mesh/triangles.h"

#include <math.h>
#include <stdlib.h>

#include "text/file.h"

// ---- merging ------------------------------------------------------------------------------------

static uint64_t cube_of(const uint16_t *place, unsigned step)
{
    return (uint64_t)(place[0] / step) << 32 | (uint64_t)(place[1] / step) << 16 | place[2] / step;
}

// The first place in the cube of each place, by a table of twice as many slots.
static bool find_first(const uint16_t *places, int count, unsigned step, int *first)
{
    size_t slots = 16;
    while (slots < 2 * (size_t)count) slots *= 2;
    int *table = malloc(slots * sizeof *table);
    if (table == NULL) return false;
    for (size_t i = 0; i < slots; ++i) table[i] = -1;
    for (int i = 0; i < count; ++i) {
        const uint64_t cube = cube_of(places + 3 * (size_t)i, step);
        size_t slot = (size_t)((cube * 0x9e3779b97f4a7c15u) >> 20) & (slots - 1);
        while (table[slot] >= 0 && cube_of(places + 3 * (size_t)table[slot], step) != cube)
            slot = (slot + 1) & (slots - 1);
        if (table[slot] < 0) table[slot] = i;
        first[i] = table[slot];
    }
    free(table);
    return true;
}

static int new_number(const Triangles *from, int place, int *number, Triangles *to)
{
    if (number[place] == 0) {
        for (size_t k = 0; k < 3; ++k)
            to->places[3 * (size_t)to->place_count + k] = from->places[3 * (size_t)place + k];
        number[place] = ++to->place_count;
    }
    return number[place] - 1;
}

// Triangles that keep three corners; places in the order in which they are used.
static void keep_triangles(const Triangles *from, const int *first, int *number, Triangles *to)
{
    for (size_t i = 0; i < (size_t)from->count; ++i) {
        const int *c = from->corners + 3 * i;
        const int a = first[c[0]], b = first[c[1]], d = first[c[2]];
        if (a == b || b == d || d == a) continue;
        int *kept = to->corners + 3 * (size_t)to->count++;
        kept[0] = new_number(from, a, number, to);
        kept[1] = new_number(from, b, number, to);
        kept[2] = new_number(from, d, number, to);
    }
}

bool triangles_merge(const Triangles *from, int step, Triangles *to)
{
    const size_t places = (size_t)from->place_count, count = (size_t)from->count;
    int *first = malloc((places + 1) * sizeof *first), *number = calloc(places + 1, sizeof *number);
    *to = (Triangles){.low = from->low,
                      .cell = from->cell,
                      .places = malloc((3 * places + 1) * sizeof *to->places),
                      .corners = malloc((3 * count + 1) * sizeof *to->corners)};
    const bool good = first != NULL && number != NULL && to->places != NULL &&
                      to->corners != NULL &&
                      find_first(from->places, from->place_count, (unsigned)step, first);
    if (good)
        keep_triangles(from, first, number, to);
    else
        triangles_free(to);
    free(first);
    free(number);
    return good;
}

void triangles_free(Triangles *triangles)
{
    free(triangles->places);
    free(triangles->corners);
    *triangles = (Triangles){0};
}

// ---- the grid -----------------------------------------------------------------------------------

static StiVec3 span_of(const Mesh *mesh, StiVec3 *low)
{
    StiVec3 high = *low = mesh->points[0];
    for (int i = 1; i < mesh->count; ++i) {
        const StiVec3 p = mesh->points[i];
        *low = sti_vec3(fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z));
        high = sti_vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    return sti_vec3_sub(high, *low);
}

// False: it has no size that can be divided.
static bool put_on_grid(const Mesh *mesh, Triangles *to)
{
    const StiVec3 span = span_of(mesh, &to->low);
    to->cell = fmax(span.x, fmax(span.y, span.z)) / TRIANGLES_GRID;
    if (!(to->cell > 0.0) || !isfinite(to->cell)) return false;
    for (int i = 0; i < mesh->count; ++i) {
        const StiVec3 d = sti_vec3_sub(mesh->points[i], to->low);
        const double along[3] = {d.x, d.y, d.z};
        for (size_t k = 0; k < 3; ++k)
            to->places[3 * (size_t)i + k] =
                (uint16_t)fmin(TRIANGLES_GRID, floor(along[k] / to->cell + 0.5));
    }
    to->place_count = mesh->count;
    return true;
}

// ---- files --------------------------------------------------------------------------------------

static bool make(const Mesh *mesh, int *corners, int count, Triangles *to, const char **why)
{
    Triangles raw = {.corners = corners,
                     .count = count,
                     .places = malloc(3 * (size_t)mesh->count * sizeof *raw.places)};
    *why = "out of memory";
    bool good = raw.places != NULL;
    if (good && !put_on_grid(mesh, &raw)) {
        *why = "it has no size";
        good = false;
    }
    good = good && triangles_merge(&raw, 1, to);
    free(raw.places);
    return good;
}

bool triangles_read(const char *text, size_t length, Triangles *to, const char **why)
{
    Mesh mesh;
    int count;
    *to = (Triangles){0};
    if (!mesh_read(text, length, &mesh, why)) return false;
    int *corners = mesh_corners(text, length, mesh.count, &count, why);
    const bool good = corners != NULL && make(&mesh, corners, count, to, why);
    free(corners);
    free(mesh.points);
    return good;
}

bool triangles_load(const char *path, Triangles *to, const char **why)
{
    size_t length;
    *to = (Triangles){0};
    char *text = scene_file_read(path, MESH_MOST_BYTES, &length, why);
    if (text == NULL) return false;
    *why = "it is too large";
    const bool good = length <= MESH_MOST_BYTES && triangles_read(text, length, to, why);
    free(text);
    return good;
}
