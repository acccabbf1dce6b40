// Any bytes as a mesh, its hull, and its triangles.
#include "fuzz.h"
#include "mesh/mesh.h"
#include "mesh/quickhull.h"
#include "mesh/triangles.h"

static void draw(const char *text, size_t size)
{
    Triangles all, merged;
    const char *why = NULL;
    if (!triangles_read(text, size, &all, &why)) {
        if (why == NULL || all.places != NULL || all.corners != NULL) abort();
        return;
    }
    for (int i = 0; i < 3 * all.count; ++i)
        if (all.corners[i] < 0 || all.corners[i] >= all.place_count) abort();
    if (!triangles_merge(&all, 5000, &merged) || merged.count > all.count) abort();
    triangles_free(&merged);
    triangles_free(&all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Mesh mesh;
    const char *why = NULL;
    if (!mesh_read((const char *)data, size, &mesh, &why)) {
        if (why == NULL || mesh.points != NULL) abort();
        return 0;
    }
    draw((const char *)data, size);
    StiVec3 chosen[STI_HULL_VERTICES];
    int count;
    double outside;
    if (quickhull(mesh.points, mesh.count, STI_HULL_VERTICES, chosen, &count, &outside) &&
        (count < 4 || count > STI_HULL_VERTICES || !(outside >= 0.0)))
        abort();
    free(mesh.points);
    return 0;
}
