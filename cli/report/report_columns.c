#include "report/report_columns.h"

#include <stdlib.h>
#include <string.h>

#include "report/json.h"
#include "report/report_parts.h"
#include "terminal/text.h"

enum { FRICTIONS = 24 }; // that get pictures of their own

static bool has(const ReportColumns *all, const char *name)
{
    for (int i = 0; i < all->count; ++i)
        if (strcmp(all->columns[i].name, name) == 0) return true;
    return false;
}

// Nothing where it is there already, or cannot be read in this run.
static void add(ReportColumns *all, const char *name, ColumnRole role, const Channels *channels)
{
    if (strcmp(name, "t") == 0 || has(all, name) || all->count == all->capacity) return;
    StiReading *reading = sti_reading_create(all->network, name);
    if (reading == NULL) return;
    const int channel = channels_find(channels, name);
    all->columns[all->count++] =
        (ReportColumn){.name = channel >= 0 ? channels->names[channel] : name,
                       .unit = channel >= 0 ? channels->channels[channel].unit : "",
                       .role = role,
                       .reading = reading};
}

static bool is_of(const char *channel, const char *component)
{
    const size_t length = strlen(component);
    return strncmp(channel, component, length) == 0 && channel[length] == '.' &&
           strchr(channel + length + 1, '.') == NULL;
}

// What of an element's channels is drawn: force and velocity and displacement along its axes.
static bool is_drawn(const char *channel, const char *component)
{
    static const char *const drawn[] = {"force", "fx", "fy", "fz", "v",  "vx",    "vy",
                                        "vz",    "x",  "y",  "z",  "fn", "stick", "ft"};
    const char *own = channel + strlen(component) + 1;
    for (size_t i = 0; i < sizeof drawn / sizeof drawn[0]; ++i)
        if (strcmp(own, drawn[i]) == 0) return true;
    return false;
}

static void add_frictions(ReportColumns *all, const StiNetwork *network, const Channels *channels)
{
    StiComponent element;
    for (int i = 0, n = 0; sti_network_component(network, i, &element) && n < FRICTIONS; ++i) {
        if (!report_is_friction(network, &element)) continue;
        ++n;
        for (int k = 0; k < channels->count; ++k)
            if (is_of(channels->names[k], element.name) &&
                is_drawn(channels->names[k], element.name))
                add(all, channels->names[k], COLUMN_FRICTION, channels);
    }
}

static void add_figures(ReportColumns *all, const StiScene *scene, const Channels *channels)
{
    for (int i = 0; i < scene->figure_count; ++i) {
        const StiFigure *figure = &scene->figures[i];
        add(all, figure->x, COLUMN_FIGURE, channels);
        for (int k = 0; k < figure->y_count; ++k) add(all, figure->y[k], COLUMN_FIGURE, channels);
    }
}

static int figure_columns(const StiScene *scene)
{
    int count = 0;
    for (int i = 0; i < scene->figure_count; ++i) count += 1 + scene->figures[i].y_count;
    return count;
}

ReportColumns report_columns_of(const StiScene *scene, const Channels *channels, bool figures)
{
    static const char *const energies[] = {"energy.work", "energy.stored", "energy.dissipated",
                                           "energy.numerical"};
    ReportColumns all = {.network = scene->network,
                         .capacity = channels->count + figure_columns(scene)};
    all.columns = take((size_t)all.capacity + 1, sizeof *all.columns);
    if (figures) add_figures(&all, scene, channels);
    if (figures && all.count > 0) return all;
    for (int i = 0; i < scene->record_count; ++i)
        add(&all, scene->record[i], COLUMN_RECORD, channels);
    if (figures) return all;
    add_figures(&all, scene, channels);
    add_frictions(&all, scene->network, channels);
    for (int i = 0; i < 4; ++i) add(&all, energies[i], COLUMN_ENERGY, channels);
    return all;
}

void report_columns_release(ReportColumns *columns)
{
    for (int i = 0; i < columns->count; ++i) sti_reading_destroy(columns->columns[i].reading);
    free(columns->columns);
}

void report_columns_read(ReportColumns *columns, double t, const StiRecorder *recorder, double *row)
{
    row[0] = t;
    for (int i = 0; i < columns->count; ++i)
        row[i + 1] = sti_reading_value(columns->columns[i].reading, t, recorder);
}

void report_columns_json(const ReportColumns *columns, FILE *file)
{
    static const char *const roles[] = {"record", "friction", "energy", "figure"};
    fputc('[', file);
    for (int i = 0; i < columns->count; ++i) {
        const ReportColumn *column = &columns->columns[i];
        fprintf(file, "%s{", i > 0 ? "," : "");
        json_key(file, "name", true);
        json_text(file, column->name);
        json_key(file, "unit", false);
        json_text(file, column->unit);
        json_key(file, "role", false);
        json_text(file, roles[column->role]);
        fputc('}', file);
    }
    fputc(']', file);
}

void report_frictions_json(const StiNetwork *network, const ReportColumns *columns, FILE *file)
{
    StiComponent element;
    bool first = true;
    fputc('[', file);
    for (int i = 0; sti_network_component(network, i, &element); ++i) {
        if (!report_is_friction(network, &element)) continue;
        bool recorded = false;
        for (int k = 0; k < columns->count; ++k)
            recorded = recorded || is_of(columns->columns[k].name, element.name);
        if (!recorded) continue;
        fprintf(file, "%s{", first ? "" : ",");
        first = false;
        json_key(file, "name", true);
        json_text(file, element.name);
        json_key(file, "kind", false);
        json_text(file, element.kind);
        fputc('}', file);
    }
    fputc(']', file);
}
