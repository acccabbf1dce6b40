#include "linkage/channels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LOADS_MOST = 8 };

// What a type of pair shows of its load, in this order.
typedef struct LoadNames {
    int count;
    StiChannelInfo names[LOADS_MOST];
} LoadNames;

static const LoadNames pin = {
    6, {{"load", "N"}, {"reaction", "N"}, {"power", "W"}, {"loss", "W"}, {"fx", "N"}, {"fy", "N"}}};
static const LoadNames rod = {
    5, {{"load", "N"}, {"reaction", "N"}, {"power", "W"}, {"fx", "N"}, {"fy", "N"}}};
static const LoadNames slider = {8,
                                 {{"load", "N"},
                                  {"reaction", "N"},
                                  {"power", "W"},
                                  {"loss", "W"},
                                  {"n1", "N"},
                                  {"n2", "N"},
                                  {"mode", "1"},
                                  {"moment", "N m"}}};
static const LoadNames held = {6,
                               {{"load", "N"},
                                {"reaction", "N"},
                                {"power", "W"},
                                {"fx", "N"},
                                {"fy", "N"},
                                {"moment", "N m"}}};
static const LoadNames wheels = {3, {{"load", "N m"}, {"reaction", "N m"}, {"power", "W"}}};

static const LoadNames *load_names(StiPlanarPairType type)
{
    if (type == STI_PAIR_PRISMATIC) return &slider;
    if (type == STI_PAIR_FIXED) return &held;
    if (type == STI_PAIR_GEAR) return &wheels;
    return sti_pair_kind(type)->slides ? &pin : &rod;
}

// In the order of the names above; returns where the next pair's begin.
static double *write_load(StiPlanarPairType type, const StiPairLoad *load, double *to)
{
    const bool guided = type == STI_PAIR_PRISMATIC;
    *to++ = load->normal;
    *to++ = load->reaction;
    *to++ = load->power;
    if (type == STI_PAIR_GEAR) return to;
    if (sti_pair_kind(type)->slides) *to++ = load->loss;
    *to++ = guided ? load->N1 : load->force.x;
    *to++ = guided ? load->N2 : load->force.y;
    if (guided) *to++ = load->mode;
    if (guided || type == STI_PAIR_FIXED) *to++ = load->moment;
    return to;
}

void sti_linkage_write_loads(const StiLinkage *linkage, const StiPairLoad *loads,
                             const double *efforts, const StiDriven *driven, double *values)
{
    double power = 0.0, loss = 0.0;
    for (int k = 0; k < linkage->pair_count; ++k) {
        values = write_load(linkage->pairs[k].type, &loads[k], values);
        loss += loads[k].loss;
    }
    for (int i = 0; i < linkage->driver_count; ++i) {
        *values++ = efforts[i];
        *values++ = efforts[i] * driven[i].rate;
        power += efforts[i] * driven[i].rate;
    }
    *values++ = loss;
    *values = power;
}

int sti_linkage_corner_loads(const StiLinkage *linkage, int load, int corners[2])
{
    enum { N1 = 4, N2 = 5 }; // see slider
    for (int k = 0; k < linkage->pair_count; ++k) {
        if (linkage->first_load[k] != load || linkage->pairs[k].type != STI_PAIR_PRISMATIC) continue;
        corners[0] = load + N1;
        corners[1] = load + N2;
        return 2;
    }
    return 0;
}

static void name(StiLinkage *linkage, StiChannelInfo *to, const char *part, StiChannelInfo info)
{
    char text[160];
    snprintf(text, sizeof text, "%s.%s", part, info.name);
    *to = (StiChannelInfo){sti_arena_text(&linkage->arena, text), info.unit};
}

static bool name_loads(StiLinkage *linkage)
{
    int count = 0;
    const size_t parts = (size_t)linkage->pair_count + (size_t)linkage->driver_count + 1;
    linkage->first_load = sti_arena_take(&linkage->arena, parts, sizeof(int));
    linkage->load_channels =
        sti_arena_take(&linkage->arena, LOADS_MOST * parts, sizeof(StiChannelInfo));
    if (linkage->arena.failed) return false;
    for (int k = 0; k < linkage->pair_count; ++k) {
        const LoadNames *names = load_names(linkage->pairs[k].type);
        linkage->first_load[k] = count;
        for (int i = 0; i < names->count; ++i)
            name(linkage, &linkage->load_channels[count++], linkage->pairs[k].name,
                 names->names[i]);
    }
    for (int i = 0; i < linkage->driver_count; ++i) {
        const StiDriver *driver = &linkage->drivers[i];
        const bool turns = linkage->pairs[driver->pair].type == STI_PAIR_REVOLUTE;
        linkage->first_load[linkage->pair_count + i] = count;
        name(linkage, &linkage->load_channels[count++], driver->name,
             (StiChannelInfo){"effort", turns ? "N m" : "N"});
        name(linkage, &linkage->load_channels[count++], driver->name,
             (StiChannelInfo){"power", "W"});
    }
    name(linkage, &linkage->load_channels[count++], "", (StiChannelInfo){"loss", "W"});
    name(linkage, &linkage->load_channels[count++], "", (StiChannelInfo){"power", "W"});
    linkage->load_count = count;
    return !linkage->arena.failed;
}

bool sti_linkage_name_channels(StiLinkage *linkage)
{
    static const StiChannelInfo body[6] = {{"x", "m"},    {"y", "m"},    {"angle", "rad"},
                                           {"vx", "m/s"}, {"vy", "m/s"}, {"rate", "rad/s"}};
    const size_t most = 6 * (size_t)linkage->body_count + 2 * (size_t)linkage->pair_count + 1;
    linkage->channels = sti_arena_take(&linkage->arena, most, sizeof(StiChannelInfo));
    if (linkage->channels == NULL || !name_loads(linkage)) return false;
    for (int i = 0; i < 6 * linkage->body_count; ++i)
        name(linkage, &linkage->channels[linkage->channel_count++], linkage->bodies[i / 6].name,
             body[i % 6]);
    for (int k = 0; k < linkage->pair_count; ++k) {
        const StiPlanarPair *pair = &linkage->pairs[k];
        const bool turns = pair->type == STI_PAIR_REVOLUTE;
        if (!sti_pair_kind(pair->type)->slides) continue;
        name(linkage, &linkage->channels[linkage->channel_count++], pair->name,
             (StiChannelInfo){"q", turns ? "rad" : "m"});
        name(linkage, &linkage->channels[linkage->channel_count++], pair->name,
             (StiChannelInfo){"qd", turns ? "rad/s" : "m/s"});
    }
    return !linkage->arena.failed;
}

void sti_linkage_observe(const StiLinkage *linkage, const double *q, const double *v,
                         double *values)
{
    for (int i = 0; i < linkage->body_count; ++i) {
        memcpy(values, q + 3 * i, 3 * sizeof *values);
        memcpy(values + 3, v + 3 * i, 3 * sizeof *values);
        values += 6;
    }
    for (int k = 0; k < linkage->pair_count; ++k) {
        if (!sti_pair_kind(linkage->pairs[k].type)->slides) continue;
        const PairRow along = sti_linkage_coordinate(linkage, k, q, v, &values[1]);
        values[0] = along.C;
        values += 2;
    }
}
