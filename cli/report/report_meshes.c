#include "report/report_meshes.h"

#include <stiction/import.h>

#include "report/json.h"

static void mesh_json(const StiDrawnMesh *mesh, FILE *file)
{
    fputc('{', file);
    json_key(file, "low", true);
    json_numbers(file, &mesh->low.x, 3);
    json_key(file, "cell", false);
    json_number(file, mesh->cell);
    json_key(file, "places", false);
    json_bytes(file, mesh->places, 3 * (size_t)mesh->place_count * sizeof *mesh->places);
    json_key(file, "corners", false);
    json_bytes(file, mesh->corners, 3 * (size_t)mesh->count * sizeof *mesh->corners);
    fputc('}', file);
}

static void part_json(const StiDrawnPart *part, FILE *file)
{
    const StiQuat q = part->at.q;
    fprintf(file, "{\"body\":%d,\"link\":%d,\"mesh\":%d,\"visual\":%s", part->body, part->link,
            part->mesh, part->visual ? "true" : "false");
    json_key(file, "scale", false);
    json_numbers(file, &part->scale.x, 3);
    json_key(file, "p", false);
    json_numbers(file, &part->at.p.x, 3);
    json_key(file, "q", false);
    json_numbers(file, (const double[]){q.w, q.x, q.y, q.z}, 4);
    fputc('}', file);
}

static void note_json(const StiDrawing *drawing, FILE *file)
{
    char note[256] = "";
    int length = 0;
    if (drawing->left_out > 0)
        length = snprintf(note, sizeof note,
                          "Meshes not drawn, as there are no STL or OBJ files of them: %d. ",
                          drawing->left_out);
    if (drawing->merged > 0.0)
        snprintf(note + length, sizeof note - (size_t)length,
                 "Details of meshes below %.2g m are merged: %d triangles are the most.",
                 drawing->merged, STI_MOST_TRIANGLES);
    json_key(file, "note", true);
    json_text(file, note);
}

static void drawing_json(const StiDrawing *drawing, FILE *file)
{
    fputc('{', file);
    note_json(drawing, file);
    fputs(",\"meshes\":[", file);
    for (int i = 0; i < drawing->mesh_count; ++i) {
        if (i > 0) fputc(',', file);
        mesh_json(&drawing->meshes[i], file);
    }
    fputs("],\"parts\":[", file);
    for (int i = 0; i < drawing->part_count; ++i) {
        if (i > 0) fputc(',', file);
        part_json(&drawing->parts[i], file);
    }
    fputs("]}", file);
}

void report_meshes(const StiScene *scene, FILE *file)
{
    StiDrawing *drawing = sti_scene_drawing(scene);
    if (drawing != NULL && drawing->part_count + drawing->left_out > 0)
        drawing_json(drawing, file);
    else
        fputs("null", file);
    sti_drawing_destroy(drawing);
}
