// The same tetrahedron as STL in bytes, STL in text and OBJ.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/mesh.h"
#include "mesh/quickhull.h"

static const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static void is_the_tetrahedron(const char *text, size_t length, int count)
{
    Mesh mesh;
    const char *why = "";
    assert_true(mesh_read(text, length, &mesh, &why));
    assert_int_equal(mesh.count, count);
    StiVec3 chosen[STI_HULL_VERTICES];
    int kept;
    double outside;
    assert_true(quickhull(mesh.points, mesh.count, STI_HULL_VERTICES, chosen, &kept, &outside));
    assert_int_equal(kept, 4);
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) sum += chosen[i].x + chosen[i].y + chosen[i].z;
    assert_true(sum == 6.0 && outside == 0.0);
    free(mesh.points);
}

static void stl_of_bytes(void **state)
{
    (void)state;
    char bytes[84 + 4 * 50] = "solid in spite of its first word";
    bytes[80] = 4;
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k) memcpy(bytes + 84 + 50 * i + 12 + 12 * k, corners[faces[i][k]], 12);
    is_the_tetrahedron(bytes, sizeof bytes, 12);
}

static void stl_and_obj_of_text(void **state)
{
    (void)state;
    char stl[2048] = "solid t\n", obj[512] = "# comment\no t\n";
    for (int i = 0; i < 4; ++i) {
        const size_t from = strlen(obj);
        snprintf(obj + from, sizeof obj - from, "v %g %g %g\r\n", corners[i][0], corners[i][1],
                 corners[i][2]);
    }
    strcat(obj, "vn 9 9 9\nf 1 3 2\n");
    for (int i = 0; i < 4; ++i) {
        strcat(stl, "facet normal 9 9 9\n outer loop\n");
        for (int k = 0; k < 3; ++k) {
            const float *c = corners[faces[i][k]];
            const size_t from = strlen(stl);
            snprintf(stl + from, sizeof stl - from, "  vertex %g %g %e\n", c[0], c[1], c[2]);
        }
        strcat(stl, " endloop\nendfacet\n");
    }
    is_the_tetrahedron(stl, strlen(stl), 12);
    is_the_tetrahedron(obj, strlen(obj), 4);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "solid empty\nendsolid", "v 1 2\n", "v a b c\n", "hello",
                                        "v 1e999 0 0\nv 0 0 0\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        Mesh mesh;
        const char *why = NULL;
        assert_false(mesh_read(texts[i], strlen(texts[i]), &mesh, &why));
        assert_true(why != NULL && why[0] != '\0' && mesh.points == NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stl_of_bytes),
        cmocka_unit_test(stl_and_obj_of_text),
        cmocka_unit_test(other_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
