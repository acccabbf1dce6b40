#include "model/mesh_hull.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mesh/mesh.h"
#include "mesh/quickhull.h"
#include "text/confined.h"

enum { LONGEST_PATH = 4096 };

struct MeshHull {
    const char *file, *path;
    StiVec3 scale;
    const StiHull *hull; // NULL: none
    MeshHull *next;
};

// ---- where the file is --------------------------------------------------------------------------

static bool is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

// The folder of the model, with a slash at its end; "" for the present one.
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

// "NAME/rest" below one of the folders above the model, or in the one that is called NAME.
static bool find_package(const char *model, const char *file, char *path, size_t size)
{
    const size_t name = strcspn(file, "/");
    for (size_t length = folder_length(model); length > 0;) {
        snprintf(path, size, "%.*s%s", (int)length, model, file);
        if (is_file(path)) return true;
        size_t above = length - 1;
        while (above > 0 && model[above - 1] != '/') --above;
        if (length - 1 - above == name && strncmp(model + above, file, name) == 0) {
            snprintf(path, size, "%.*s%s", (int)(length - 1), model, file + name);
            if (is_file(path)) return true;
        }
        length = above;
    }
    return false;
}

// The same from the root on: a model of the present folder has folders above it, too.
static bool find_package_above(const char *model, const char *file, char *path, size_t size)
{
    char here[LONGEST_PATH], whole[2 * LONGEST_PATH];
    if (model[0] == '/' || getcwd(here, sizeof here) == NULL)
        return find_package(model, file, path, size);
    snprintf(whole, sizeof whole, "%s/%s", here, model);
    return find_package(whole, file, path, size);
}

static bool find_file(const MeshHulls *hulls, const char *file, char *path, size_t size)
{
    const char *scheme = strstr(file, "://");
    if (scheme != NULL && strncmp(file, "file", 4) != 0)
        return find_package_above(hulls->model, scheme + 3, path, size);
    if (scheme != NULL) file = scheme + 3;
    const size_t folder = file[0] == '/' ? 0 : folder_length(hulls->model);
    const int length = snprintf(path, size, "%.*s%s", (int)folder, hulls->model, file);
    return length > 0 && (size_t)length < size && is_file(path);
}

bool mesh_find(const MeshHulls *hulls, const char *file, char *path, size_t size)
{
    return find_file(hulls, file, path, size) && scene_is_confined(hulls->confine, path);
}

// ---- its hull -----------------------------------------------------------------------------------

static const char *last_part(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash != NULL ? slash + 1 : file;
}

static const StiHull *make_hull(const MeshHulls *hulls, const Mesh *mesh, StiVec3 scale, double *outside)
{
    StiVec3 chosen[STI_HULL_VERTICES];
    int count;
    for (int i = 0; i < mesh->count; ++i) {
        StiVec3 *p = &mesh->points[i];
        *p = sti_vec3(scale.x * p->x, scale.y * p->y, scale.z * p->z);
    }
    if (!quickhull(mesh->points, mesh->count, STI_HULL_VERTICES, chosen, &count, outside)) return NULL;
    StiHull *hull = sti_arena_take(hulls->arena, 1, sizeof *hull);
    if (hull == NULL || sti_hull_build(chosen, count, hull) != STI_OK) return NULL;
    return hull;
}

// path: where the file was found.
static const StiHull *load(const MeshHulls *hulls, Mark mark, const char *file, StiVec3 scale,
                           char path[LONGEST_PATH])
{
    char name[160];
    const char *why = "";
    Mesh mesh;
    double outside;
    if (!mesh_find(hulls, file, path, LONGEST_PATH)) {
        gather(hulls->gathered, STI_NOTE, mark, "left out: contact of meshes whose files are not there",
               last_part(file), 0.0);
        return NULL;
    }
    if (!mesh_load(path, &mesh, &why)) {
        snprintf(name, sizeof name, "%.80s (%.60s)", last_part(file), why);
        gather(hulls->gathered, STI_WARNING, mark, "left out: contact of meshes that cannot be read", name,
               0.0);
        return NULL;
    }
    const StiHull *hull = make_hull(hulls, &mesh, scale, &outside);
    free(mesh.points);
    snprintf(name, sizeof name, "%.80s (%.2g m)", last_part(file), outside);
    if (hull != NULL)
        gather(hulls->gathered, STI_NOTE, mark,
               "read: meshes as convex hulls of at most 64 points, and how far others are outside", name,
               outside);
    else
        gather(hulls->gathered, STI_WARNING, mark, "left out: contact of meshes that are flat",
               last_part(file), 0.0);
    return hull;
}

const StiHull *mesh_hull(MeshHulls *hulls, Mark mark, const char *file, StiVec3 scale)
{
    for (const MeshHull *known = hulls->first; known != NULL; known = known->next)
        if (strcmp(known->file, file) == 0 && memcmp(&known->scale, &scale, sizeof scale) == 0)
            return known->hull;
    char path[LONGEST_PATH] = "";
    MeshHull *made = sti_arena_take(hulls->arena, 1, sizeof *made);
    if (made == NULL) return NULL;
    *made = (MeshHull){.file = sti_arena_text(hulls->arena, file),
                       .scale = scale,
                       .hull = load(hulls, mark, file, scale, path),
                       .next = hulls->first};
    made->path = sti_arena_text(hulls->arena, path);
    if (made->file == NULL || made->path == NULL) return NULL;
    hulls->first = made;
    return made->hull;
}

const char *mesh_hull_path(const MeshHulls *hulls, const char *file)
{
    for (const MeshHull *known = hulls->first; known != NULL; known = known->next)
        if (strcmp(known->file, file) == 0) return known->hull != NULL ? known->path : NULL;
    return NULL;
}
