// Which points of a mesh file are corners of one triangle.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/triangles.h"

typedef struct Corners {
    int *items;
    size_t count, room;
} Corners;

static bool put(Corners *corners, int corner)
{
    if (corners->count == corners->room) {
        const size_t room = 2 * corners->room + 768;
        int *longer = realloc(corners->items, room * sizeof *longer);
        if (longer == NULL) return false;
        corners->items = longer;
        corners->room = room;
    }
    corners->items[corners->count++] = corner;
    return true;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// "7", "7/1/2" or "-1", which is the last point so far; *at moves behind it. -1: no such point.
static int read_corner(const char **at, const char *end, int so_far, int points)
{
    const char *c = *at;
    const bool back = c < end && *c == '-';
    long number = 0;
    for (c += back; c < end && *c >= '0' && *c <= '9' && number <= INT_MAX / 16; ++c)
        number = 10 * number + (*c - '0');
    const bool ended = c == end || is_blank(*c) || *c == '/';
    while (c < end && !is_blank(*c)) ++c;
    *at = c;
    const long corner = back ? so_far - number : number - 1;
    return ended && number > 0 && corner >= 0 && corner < points ? (int)corner : -1;
}

// A polygon, as a fan about its first corner. False: *why says what is wrong.
static bool read_face(const char *at, const char *end, int so_far, int points, Corners *corners,
                      const char **why)
{
    int fan[2] = {-1, -1};
    for (int i = 0;; ++i) {
        while (at < end && is_blank(*at)) ++at;
        if (at == end) break;
        const int corner = read_corner(&at, end, so_far, points);
        *why = "a face names a point that is not there";
        if (corner < 0) return false;
        *why = "out of memory";
        if (i >= 2 && !(put(corners, fan[0]) && put(corners, fan[1]) && put(corners, corner)))
            return false;
        fan[i == 0 ? 0 : 1] = corner;
    }
    return true;
}

static bool read_faces(const char *text, size_t length, int points, Corners *corners,
                       const char **why)
{
    const char *end = text + length;
    int so_far = 0;
    for (const char *line = text; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (stop == NULL) stop = end;
        const char *at = line;
        while (at < stop && is_blank(*at)) ++at;
        const bool word = stop - at > 1 && is_blank(at[1]);
        so_far += word && at[0] == 'v';
        if (word && at[0] == 'f' && !read_face(at + 1, stop, so_far, points, corners, why))
            return false;
        line = stop < end ? stop + 1 : end;
    }
    return true;
}

static bool in_threes(int points, Corners *corners, const char **why)
{
    *why = "out of memory";
    for (int i = 0; i < points - points % 3; ++i)
        if (!put(corners, i)) return false;
    return true;
}

int *mesh_corners(const char *text, size_t length, int points, int *triangles, const char **why)
{
    Corners corners = {0};
    bool good = mesh_is_stl(text, length) ? in_threes(points, &corners, why)
                                          : read_faces(text, length, points, &corners, why);
    if (good && (corners.count == 0 || corners.count > INT_MAX)) {
        *why = "it has no triangles, or too many";
        good = false;
    }
    *triangles = good ? (int)(corners.count / 3) : 0;
    if (good) return corners.items;
    free(corners.items);
    return NULL;
}
