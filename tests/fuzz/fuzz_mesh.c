// Any bytes as a mesh, and its hull.
#include "fuzz.h"
#include "mesh/mesh.h"
#include "mesh/quickhull.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Mesh mesh;
    const char *why = NULL;
    if (!mesh_read((const char *)data, size, &mesh, &why)) {
        if (why == NULL || mesh.points != NULL) abort();
        return 0;
    }
    StiVec3 chosen[STI_HULL_VERTICES];
    int count;
    double outside;
    if (quickhull(mesh.points, mesh.count, STI_HULL_VERTICES, chosen, &count, &outside) &&
        (count < 4 || count > STI_HULL_VERTICES || !(outside >= 0.0)))
        abort();
    free(mesh.points);
    return 0;
}
