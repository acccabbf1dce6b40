// Impedances in parallel on one wire: forces add, in the order of the parts; memories, discrete
// values and signals stand one after the other.
#include <stdio.h>
#include <string.h>

#include "base/default.h"
#include "stiction/friction.h"

enum {
    MOST_VELOCITIES = 24,
    MOST_CHANNELS = 8
}; // of the widest wire: one part's forces fit on the stack

// Where one part's values stand among those of all parts.
typedef struct Place {
    int memory, discrete, signals;
} Place;

static StiImpedanceSize part_size(const StiImpedance *part)
{
    return part->kind->size(part->parameters);
}

static Place after(Place place, const StiImpedance *part)
{
    const StiImpedanceSize size = part_size(part);
    return (Place){place.memory + size.memory, place.discrete + size.discrete,
                   place.signals + size.signals};
}

// A vector without entries may be NULL, and NULL must not be counted on.
static const double *from(const double *values, int offset)
{
    return values != NULL ? values + offset : NULL;
}

static double *from_written(double *values, int offset)
{
    return values != NULL ? values + offset : NULL;
}

static StiMotion part_motion(const StiMotion *xhat, Place place)
{
    return (StiMotion){.x = xhat->x, .v = xhat->v, .signals = from(xhat->signals, place.signals)};
}

static int wider(int a, int b) { return a > b ? a : b; }

static StiImpedanceSize size(const void *parameters)
{
    const StiCompound *p = parameters;
    StiImpedanceSize sum = {0};
    for (int i = 0; i < p->count; ++i) {
        const StiImpedanceSize part = part_size(&p->parts[i]);
        sum.positions = wider(sum.positions, part.positions);
        sum.velocities = wider(sum.velocities, part.velocities);
        sum.memory += part.memory;
        sum.discrete += part.discrete;
        sum.signals += part.signals;
    }
    return sum;
}

static void start(const void *parameters, double *y)
{
    const StiCompound *p = parameters;
    Place place = {0};
    for (int i = 0; i < p->count; ++i) {
        const StiImpedance *part = &p->parts[i];
        if (part->kind->start != NULL) part->kind->start(part->parameters, y + place.memory);
        place = after(place, part);
    }
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    const StiCompound *p = parameters;
    const int velocities = part_size(&p->parts[0]).velocities;
    for (int j = 0; j < velocities; ++j) u[j] = 0.0;
    Place place = {0};
    for (int i = 0; i < p->count; ++i) {
        const StiImpedance *part = &p->parts[i];
        const StiMotion motion = part_motion(xhat, place);
        double force[MOST_VELOCITIES];
        const StiStatus status =
            part->kind->eval(part->parameters, stage, &motion, from(y, place.memory),
                             from(s, place.discrete), force, from_written(ydot, place.memory));
        if (status != STI_OK) return status;
        for (int j = 0; j < velocities; ++j) u[j] += force[j];
        place = after(place, part);
    }
    return STI_OK;
}

static void settle(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                   const double *y, double *s)
{
    const StiCompound *p = parameters;
    Place place = {0};
    for (int i = 0; i < p->count; ++i) {
        const StiImpedance *part = &p->parts[i];
        const StiMotion motion = part_motion(xhat, place);
        if (part->kind->settle != NULL)
            part->kind->settle(part->parameters, stage, &motion, from(y, place.memory),
                               from_written(s, place.discrete));
        place = after(place, part);
    }
}

static double stored(const void *parameters, const StiMotion *xhat, const double *y)
{
    const StiCompound *p = parameters;
    double sum = 0.0;
    Place place = {0};
    for (int i = 0; i < p->count; ++i) {
        const StiImpedance *part = &p->parts[i];
        const StiMotion motion = part_motion(xhat, place);
        if (part->kind->stored != NULL)
            sum += part->kind->stored(part->parameters, &motion, from(y, place.memory));
        place = after(place, part);
    }
    return sum;
}

// A part without a tangent adds nothing.
static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    const StiCompound *p = parameters;
    const int velocities = part_size(&p->parts[0]).velocities;
    for (int j = 0; j < velocities * velocities; ++j) Z[j] = 0.0;
    Place place = {0};
    for (int i = 0; i < p->count; ++i) {
        const StiImpedance *part = &p->parts[i];
        const StiMotion motion = part_motion(xhat, place);
        double added[MOST_VELOCITIES * MOST_VELOCITIES] = {0};
        if (part->kind->tangent != NULL)
            part->kind->tangent(part->parameters, stage, &motion, from(y, place.memory),
                                from(s, place.discrete), added);
        for (int j = 0; j < velocities * velocities; ++j) Z[j] += added[j];
        place = after(place, part);
    }
}

static const StiChannelInfo channels[] = {{"stick", "1"}};

// Does this part say that it sticks?
static bool sticks(const StiImpedance *part, const StiStage *stage, const StiMotion *motion,
                   const double *y, const double *s, const double *u)
{
    double values[MOST_CHANNELS];
    for (int i = 0; i < part->kind->channel_count && i < MOST_CHANNELS; ++i) {
        if (strcmp(part->kind->channels[i].name, "stick") != 0) continue;
        part->kind->observe(part->parameters, stage, motion, y, s, u, values);
        return values[i] != 0.0;
    }
    return false;
}

// A compound sticks while one of its parts does.
static void observe(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values)
{
    const StiCompound *p = parameters;
    Place place = {0};
    values[0] = 0.0;
    for (int i = 0; i < p->count; ++i) {
        const StiMotion motion = part_motion(xhat, place);
        if (sticks(&p->parts[i], stage, &motion, from(y, place.memory), from(s, place.discrete), u))
            values[0] = 1.0;
        place = after(place, &p->parts[i]);
    }
}

static const StiField fields[] = {
    {.name = "parts",
     .unit = "",
     .meaning = "impedances in parallel",
     .type = STI_FIELD_PARTS,
     .offset = offsetof(StiCompound, parts),
     .count_offset = offsetof(StiCompound, count)},
};

static void check_part(const StiCompound *p, int index, const StiCheck *check)
{
    const StiImpedanceSize first = part_size(&p->parts[0]), part = part_size(&p->parts[index]);
    const StiImpedanceSize all = size(p);
    const StiImpedanceKind *kind = p->parts[index].kind;
    char name[16];
    snprintf(name, sizeof name, "%d", index);
    if (part.velocities != first.velocities)
        sti_check_error(check, name, part.velocities,
                        "part %d (%s) acts on %d velocities, part 0 (%s) on %d: all parts share "
                        "one wire and must agree",
                        index, kind->info.name, part.velocities, p->parts[0].kind->info.name,
                        first.velocities);
    if (part.positions != 0 && part.positions != all.positions)
        sti_check_error(check, name, part.positions,
                        "part %d (%s) looks at %d positions, another part at %d: all parts share "
                        "one wire and must agree",
                        index, kind->info.name, part.positions, all.positions);
    if (part.velocities > MOST_VELOCITIES)
        sti_check_error(check, name, part.velocities, "at most %d velocities", MOST_VELOCITIES);
}

static void check(const void *parameters, const StiCheck *check)
{
    const StiCompound *p = parameters;
    if (p->count < 1) sti_check_error(check, "parts", p->count, "at least one part is needed");
    for (int i = 0; i < p->count; ++i) check_part(p, i, check);
}

// The flags speak for the kind and cannot know the parts: eval returns STI_NO_CONTINUOUS_LIMIT at
// tau = 0 if a part does, and nothing is claimed about drift.
const StiImpedanceKind sti_kind_compound = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "compound",
             .summary = "impedances in parallel on one wire",
             .size = sizeof(StiCompound),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check},
    .continuous = true,
    .looks_ahead = true,
    .holds = false,
    .size = size,
    .start = start,
    .eval = eval,
    .settle = settle,
    .stored = stored,
    .tangent = tangent,
    .channels = channels,
    .channel_count = 1,
    .observe = observe,
};

STI_DEFAULT(StiCompound, compound, sti_kind_compound.info)
