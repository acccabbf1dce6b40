// Random meshes through the grid and back, and merged as an independent search says.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/triangles.h"

enum { POINTS = 60, FACES = 80, ROUNDS = 40 };

static uint64_t seed = 20261118;

static double uniform(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}

typedef struct Soup {
    float points[POINTS][3];
    int faces[FACES][3];
} Soup;

static Soup random_soup(void)
{
    Soup soup;
    const double size = pow(10.0, 6.0 * uniform() - 3.0), away = 10.0 * size * (uniform() - 0.5);
    for (int i = 0; i < POINTS; ++i)
        for (int k = 0; k < 3; ++k) soup.points[i][k] = (float)(away + size * uniform());
    for (int i = 0; i < FACES; ++i) {
        int *f = soup.faces[i];
        do {
            for (int k = 0; k < 3; ++k) f[k] = (int)(POINTS * uniform());
        } while (f[0] == f[1] || f[1] == f[2] || f[2] == f[0]);
    }
    return soup;
}

static size_t as_stl(const Soup *soup, char *bytes)
{
    memset(bytes, 0, 84 + 50 * FACES);
    bytes[80] = FACES;
    for (int i = 0; i < FACES; ++i)
        for (int k = 0; k < 3; ++k)
            memcpy(bytes + 84 + 50 * i + 12 + 12 * k, soup->points[soup->faces[i][k]], 12);
    return 84 + 50 * FACES;
}

// Faces after all points, counted from the front or from the back.
static size_t as_obj(const Soup *soup, char *text, size_t size)
{
    size_t at = 0;
    for (int i = 0; i < POINTS; ++i) {
        const float *p = soup->points[i];
        at += (size_t)snprintf(text + at, size - at, "v %.17g %.17g %.17g\n", p[0], p[1], p[2]);
    }
    for (int i = 0; i < FACES; ++i) {
        const int *f = soup->faces[i], back = i % 2 == 0 ? POINTS : -1;
        at += (size_t)snprintf(text + at, size - at, "f %d/1/2 %d//3 %d\r\n", f[0] - back,
                               f[1] - back, f[2] - back);
    }
    return at;
}

static double coordinate(const Triangles *t, int corner, int axis)
{
    const double low[3] = {t->low.x, t->low.y, t->low.z};
    return low[axis] + t->cell * t->places[3 * t->corners[corner] + axis];
}

static void is_the_soup(const Triangles *t, const Soup *soup)
{
    assert_int_equal(t->count, FACES);
    assert_true(t->place_count <= POINTS);
    for (int i = 0; i < 3 * FACES; ++i)
        for (int k = 0; k < 3; ++k) {
            const double there = soup->points[soup->faces[i / 3][i % 3]][k];
            assert_true(fabs(coordinate(t, i, k) - there) <= 0.5001 * t->cell);
        }
}

static void random_meshes_come_back(void **state)
{
    (void)state;
    static char text[200 * (POINTS + FACES)];
    for (int round = 0; round < ROUNDS; ++round) {
        const Soup soup = random_soup();
        const char *why = "";
        for (int kind = 0; kind < 2; ++kind) {
            const size_t length =
                kind == 0 ? as_stl(&soup, text) : as_obj(&soup, text, sizeof text);
            Triangles triangles;
            assert_true(triangles_read(text, length, &triangles, &why));
            is_the_soup(&triangles, &soup);
            triangles_free(&triangles);
        }
    }
}

// The first place of the same cube, by trying all.
static int first_of(const Triangles *t, int place, int step)
{
    int first = 0;
    for (;; ++first) {
        bool same = true;
        for (int k = 0; k < 3; ++k)
            same = same && t->places[3 * first + k] / step == t->places[3 * place + k] / step;
        if (same) return first;
    }
}

static void is_merged(const Triangles *from, int step, const Triangles *to)
{
    int kept = 0;
    for (int i = 0; i < from->count; ++i) {
        int c[3];
        for (int k = 0; k < 3; ++k) c[k] = first_of(from, from->corners[3 * i + k], step);
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
        assert_true(kept < to->count);
        for (int k = 0; k < 3; ++k)
            assert_memory_equal(to->places + 3 * to->corners[3 * kept + k], from->places + 3 * c[k],
                                3 * sizeof *to->places);
        ++kept;
    }
    assert_int_equal(kept, to->count);
    assert_true(to->place_count <= 3 * to->count);
}

static void merging_takes_the_first_of_each_cube(void **state)
{
    (void)state;
    static char text[200 * (POINTS + FACES)];
    static const int steps[] = {1, 1000, 9000, 20000, 40000, TRIANGLES_GRID + 1};
    const char *why = "";
    for (int round = 0; round < ROUNDS; ++round) {
        const Soup soup = random_soup();
        Triangles all, merged;
        assert_true(triangles_read(text, as_stl(&soup, text), &all, &why));
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; ++i) {
            assert_true(triangles_merge(&all, steps[i], &merged));
            is_merged(&all, steps[i], &merged);
            if (steps[i] > TRIANGLES_GRID) assert_int_equal(merged.count, 0);
            triangles_free(&merged);
        }
        triangles_free(&all);
    }
}

static void polygons_are_fans(void **state)
{
    (void)state;
    static const char text[] =
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nv 0 0 1\nf -5 -4 -1\nf 1 2\nf 2 2 3\n";
    static const int expected[] = {0, 1, 2, 0, 2, 3, 0, 1, 4};
    Triangles triangles;
    const char *why = "";
    assert_true(triangles_read(text, sizeof text - 1, &triangles, &why));
    assert_int_equal(triangles.count, 3); // the last has no area
    assert_memory_equal(triangles.corners, expected, sizeof expected);
    triangles_free(&triangles);
}

static void malformed_meshes_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"v 0 0 0\nv 1 0 0\nv 0 1 0\n",
                                        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n",
                                        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n",
                                        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n",
                                        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3x\n",
                                        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf a b c\n",
                                        "v 0 0 0\nf -1 -2 -3\nv 1 0 0\nv 0 1 0\n",
                                        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999\n",
                                        "v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n",
                                        "solid x\nvertex 0 0 0\nvertex 1 0 0\n",
                                        "v -1e308 0 0\nv 1e308 0 0\nv 0 1e308 0\nf 1 2 3\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        Triangles triangles;
        const char *why = NULL;
        assert_false(triangles_read(texts[i], strlen(texts[i]), &triangles, &why));
        assert_true(why != NULL && triangles.places == NULL && triangles.corners == NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_meshes_come_back),
        cmocka_unit_test(merging_takes_the_first_of_each_cube),
        cmocka_unit_test(polygons_are_fans),
        cmocka_unit_test(malformed_meshes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
