#include "report/report_scene.h"

#include <stiction/measure.h>

#include "report/json.h"
#include "report/report_meshes.h"

static void names_json(FILE *file, const char *const *names, int count)
{
    fputc('[', file);
    for (int i = 0; i < count; ++i) {
        if (i > 0) fputc(',', file);
        json_text(file, names[i]);
    }
    fputc(']', file);
}

static void figures_json(const StiScene *scene, FILE *file)
{
    fputc('[', file);
    for (int i = 0; i < scene->figure_count; ++i) {
        const StiFigure *figure = &scene->figures[i];
        fputs(i > 0 ? ",{" : "{", file);
        json_key(file, "title", true);
        json_text(file, figure->title);
        json_key(file, "x", false);
        json_text(file, figure->x);
        json_key(file, "y", false);
        names_json(file, figure->y, figure->y_count);
        json_key(file, "runs", false);
        names_json(file, figure->runs, figure->run_count);
        fputc('}', file);
    }
    fputc(']', file);
}

void report_scene_json(const StiScene *scene, const char *name, FILE *file)
{
    fputc('{', file);
    json_key(file, "name", true);
    json_text(file, name);
    json_key(file, "title", false);
    json_text(file, scene->title);
    json_key(file, "description", false);
    json_text(file, scene->description);
    json_key(file, "figures", false);
    figures_json(scene, file);
    json_key(file, "meshes", false);
    report_meshes(scene, file);
}

static void expectation_json(const StiExpectation *e, double measured, FILE *file)
{
    static const char *const relations[] = {
        [STI_NEAR] = "near", [STI_UNDER] = "under", [STI_OVER] = "over"};
    fputc('{', file);
    json_key(file, "what", true);
    json_text(file, e->what);
    json_key(file, "from", false);
    json_text(file, e->from);
    json_key(file, "channel", false);
    json_text(file, e->channel);
    json_key(file, "relation", false);
    json_text(file, relations[e->relation]);
    json_key(file, "value", false);
    json_number(file, e->value);
    json_key(file, "tolerance", false);
    json_number(file, e->tolerance);
    json_key(file, "measured", false);
    json_number(file, measured);
    json_key(file, "holds", false);
    fputs(sti_expectation_holds(e, measured) ? "true" : "false", file);
    fputc('}', file);
}

void report_expectations_json(const StiScene *scene, const double *measured, bool judged,
                              FILE *file)
{
    fprintf(file, "{\"judged\":%s,\"rows\":[", judged ? "true" : "false");
    for (int i = 0; i < scene->expectation_count; ++i) {
        if (i > 0) fputc(',', file);
        expectation_json(&scene->expectations[i], measured[i], file);
    }
    fputs("]}", file);
}
