#include "report/report_shapes.h"

#include <stdlib.h>
#include <string.h>

#include <stiction/shape.h>

#include "report/json.h"
#include "terminal/text.h"

enum { MOST_SHAPES = 2000 }; // that a page draws

static bool same_shape(const StiShapeOn *a, const StiShapeOn *b)
{
    const StiShape *s = a->shape, *t = b->shape;
    if (a->body != b->body || a->link != b->link || s->kind != t->kind) return false;
    if (memcmp(&s->p, &t->p, sizeof s->p) != 0 || memcmp(&s->q, &t->q, sizeof s->q) != 0)
        return false;
    if (s->radius != t->radius || memcmp(&s->half, &t->half, sizeof s->half) != 0) return false;
    if ((s->hull == NULL) != (t->hull == NULL)) return false;
    return s->hull == NULL ||
           (s->hull->vertex_count == t->hull->vertex_count &&
            memcmp(s->hull->vertices, t->hull->vertices,
                   (size_t)s->hull->vertex_count * sizeof *s->hull->vertices) == 0);
}

static int compare_places(const void *a, const void *b)
{
    const StiShapeOn *x = a, *y = b;
    if (x->body != y->body) return x->body < y->body ? -1 : 1;
    if (x->link != y->link) return x->link < y->link ? -1 : 1;
    const double mine[] = {x->shape->p.x, x->shape->p.y, x->shape->p.z, x->shape->radius},
                 others[] = {y->shape->p.x, y->shape->p.y, y->shape->p.z, y->shape->radius};
    for (int i = 0; i < 4; ++i)
        if (mine[i] != others[i]) return mine[i] < others[i] ? -1 : 1;
    return strcmp(x->shape->kind->info.name, y->shape->kind->info.name);
}

static void hull_json(const StiHull *hull, FILE *file)
{
    json_key(file, "vertices", false);
    json_numbers(file, &hull->vertices[0].x, 3 * hull->vertex_count);
    fputs(",\"faces\":[", file);
    for (int i = 0; i < hull->face_count; ++i) {
        fputs(i > 0 ? ",[" : "[", file);
        for (int k = hull->first[i]; k < hull->first[i + 1]; ++k)
            fprintf(file, k > hull->first[i] ? ",%d" : "%d", hull->corners[k]);
        fputc(']', file);
    }
    fputc(']', file);
}

static void shape_json(const StiShapeOn *on, FILE *file)
{
    const StiShape *shape = on->shape;
    const StiQuat q = shape->q;
    const double turn[] = {q.w, q.x, q.y, q.z}, none[] = {1.0, 0.0, 0.0, 0.0};
    fprintf(file, "{\"body\":%d,\"link\":%d", on->body, on->link);
    json_key(file, "kind", false);
    json_text(file, shape->kind->info.name);
    json_key(file, "p", false);
    json_numbers(file, &shape->p.x, 3);
    json_key(file, "q", false);
    json_numbers(file, q.w == 0.0 && q.x == 0.0 && q.y == 0.0 && q.z == 0.0 ? none : turn, 4);
    json_key(file, "radius", false);
    json_number(file, shape->radius);
    json_key(file, "half", false);
    json_numbers(file, &shape->half.x, 3);
    if (shape->hull != NULL) hull_json(shape->hull, file);
    fputc('}', file);
}

static int gather_shapes(const StiNetwork *network, StiShapeOn *shapes)
{
    StiComponent element;
    StiShapeOn shape;
    int count = 0;
    for (int i = 0; sti_network_component(network, i, &element); ++i)
        for (int k = 0; sti_network_contact_shape(network, i, k, &shape); ++k) {
            if (shapes != NULL) shapes[count] = shape;
            ++count;
        }
    return count;
}

void report_shapes(const StiNetwork *network, FILE *file)
{
    const int count = gather_shapes(network, NULL);
    StiShapeOn *shapes = take((size_t)count + 1, sizeof *shapes);
    gather_shapes(network, shapes);
    qsort(shapes, (size_t)count, sizeof *shapes, compare_places);
    fputc('[', file);
    for (int i = 0, written = 0; i < count && written < MOST_SHAPES; ++i) {
        bool known = false;
        for (int j = i - 1; j >= 0 && !known && compare_places(&shapes[j], &shapes[i]) == 0; --j)
            known = same_shape(&shapes[i], &shapes[j]);
        if (known) continue;
        if (written++ > 0) fputc(',', file);
        shape_json(&shapes[i], file);
    }
    fputc(']', file);
    free(shapes);
}
