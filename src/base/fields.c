#include "base/fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stiction/impedance.h"
#include "stiction/law.h"

enum { PATH_LENGTH = 128 };

static void *member(const void *parameters, size_t offset)
{
    return (unsigned char *)(uintptr_t)parameters + offset;
}

static int count_of(const void *parameters, const StiField *field)
{
    return *(const int *)member(parameters, field->count_offset);
}

typedef struct Walk {
    char prefix[PATH_LENGTH]; // "" or "2."
    bool coefficients;        // in a law that is multiplied by a load
    StiVisit visit;
    void *context;
} Walk;

static const char *unit_of(const Walk *walk, const StiField *field)
{
    const bool effort = field->unit != NULL && strcmp(field->unit, "N") == 0;
    return walk->coefficients && effort ? "1" : field->unit;
}

static bool visit_numbers(const Walk *walk, const StiField *field, double *values, int count)
{
    for (int i = 0; i < count; ++i) {
        char path[2 * PATH_LENGTH];
        const bool indexed = count > 1 || field->type != STI_FIELD_NUMBER;
        const char *format = indexed ? "%s%s[%d]" : "%s%s";
        snprintf(path, sizeof path, format, walk->prefix, field->name, i);
        const StiNumber number = {path, unit_of(walk, field), field->meaning, field->bound,
                                  &values[i]};
        if (!walk->visit(walk->context, &number)) return false;
    }
    return true;
}

// The same walk one level further down: "2.", "law.".
static Walk below(const Walk *walk, const char *name)
{
    Walk inner = *walk;
    const size_t used = strlen(inner.prefix);
    snprintf(inner.prefix + used, sizeof inner.prefix - used, "%s.", name);
    return inner;
}

static bool has_number(const StiInfo *info, const char *name)
{
    for (int i = 0; i < info->field_count; ++i)
        if (info->fields[i].type != STI_FIELD_LAW && strcmp(info->fields[i].name, name) == 0)
            return true;
    return false;
}

static bool visit_law(const Walk *walk, const StiInfo *info, const StiField *own, StiLaw *law)
{
    if (law->kind == NULL || law->kind->table_size != sizeof *law->kind) return true;
    Walk outer = *walk;
    outer.coefficients = law->times_load;
    const Walk inner = below(&outer, own->name);
    for (int i = 0; i < law->kind->field_count; ++i) {
        const StiField *field = &law->kind->fields[i];
        const Walk *from = has_number(info, field->name) ? &inner : &outer;
        if (!visit_numbers(from, field, &law->p[field->offset], 1)) return false;
    }
    return true;
}

// Parts that are not are reported by the check and left alone until then.
static bool complete(const StiImpedance *part)
{
    return part->kind != NULL && (part->parameters != NULL || part->kind->info.size == 0);
}

static bool visit_all(const Walk *walk, const StiInfo *info, void *parameters);

static bool visit_parts(const Walk *walk, const StiField *field, void *parameters)
{
    const StiImpedance *parts = *(const StiImpedance *const *)member(parameters, field->offset);
    for (int i = 0; parts != NULL && i < count_of(parameters, field); ++i) {
        if (!complete(&parts[i])) continue;
        char number[16];
        snprintf(number, sizeof number, "%d", i);
        const Walk inner = below(walk, number);
        void *part = (void *)(uintptr_t)parts[i].parameters;
        if (!visit_all(&inner, &parts[i].kind->info, part)) return false;
    }
    return true;
}

static bool visit_field(const Walk *walk, const StiInfo *info, const StiField *field,
                        void *parameters)
{
    void *at = member(parameters, field->offset);
    switch (field->type) {
    case STI_FIELD_NUMBER:
        return visit_numbers(walk, field, at, field->length > 1 ? field->length : 1);
    case STI_FIELD_AXES: {
        const int axes = count_of(parameters, field);
        return visit_numbers(walk, field, at, axes < field->length ? axes : field->length);
    }
    case STI_FIELD_NUMBERS: {
        double *values = *(double **)at;
        return values == NULL || visit_numbers(walk, field, values, count_of(parameters, field));
    }
    case STI_FIELD_LAW:
        return visit_law(walk, info, field, at);
    case STI_FIELD_PARTS:
        return visit_parts(walk, field, parameters);
    case STI_FIELD_COUNT:
    case STI_FIELD_SWITCH:
        return true;
    }
    return true;
}

static bool add_prefix(void *context, const StiNumber *number)
{
    const Walk *walk = context;
    char path[2 * PATH_LENGTH];
    StiNumber whole = *number;
    snprintf(path, sizeof path, "%s%s", walk->prefix, number->path);
    whole.path = path;
    return walk->visit(walk->context, &whole);
}

static bool visit_inside(const Walk *walk, const StiInside *inside, void *parameters)
{
    if (walk->prefix[0] == '\0') return inside->visit(parameters, walk->visit, walk->context);
    Walk unchanged = *walk;
    return inside->visit(parameters, add_prefix, &unchanged);
}

// A table of another size is reported when the plan compiles, and not called until then.
static bool has_inside(const StiInfo *info)
{
    return info->inside != NULL && info->inside->table_size == sizeof *info->inside;
}

static bool visit_all(const Walk *walk, const StiInfo *info, void *parameters)
{
    for (int i = 0; i < info->field_count; ++i)
        if (!visit_field(walk, info, &info->fields[i], parameters)) return false;
    return !has_inside(info) || visit_inside(walk, info->inside, parameters);
}

bool sti_fields_visit(const StiInfo *info, void *parameters, StiVisit visit, void *context)
{
    const Walk walk = {.visit = visit, .context = context};
    return visit_all(&walk, info, parameters);
}

typedef struct Search {
    const char *path;
    double *found;
} Search;

static bool compare(void *context, const StiNumber *number)
{
    Search *search = context;
    if (strcmp(number->path, search->path) != 0) return true;
    search->found = number->value;
    return false;
}

double *sti_kind_find(const StiInfo *info, void *parameters, const char *path)
{
    Search search = {.path = path};
    sti_fields_visit(info, parameters, compare, &search);
    return search.found;
}

static bool check_number(void *context, const StiNumber *number)
{
    const StiCheck *check = context;
    const double value = *number->value;
    if (!isfinite(value))
        sti_check_error(check, number->path, value, "%s must be a finite number", number->meaning);
    else if (number->bound == STI_POSITIVE && !(value > 0.0))
        sti_check_error(check, number->path, value, "%s must be above 0 %s", number->meaning,
                        number->unit);
    else if (number->bound == STI_NOT_NEGATIVE && !(value >= 0.0))
        sti_check_error(check, number->path, value, "%s must be 0 or more %s", number->meaning,
                        number->unit);
    return true;
}

static bool check_inside(const StiInfo *info, const void *parameters, const StiCheck *check);

// Findings about a part carry its number: "friction.2".
static bool check_part(const StiImpedance *part, int number, const StiCheck *check)
{
    char name[PATH_LENGTH];
    StiCheck inner = *check;
    snprintf(name, sizeof name, "%s.%d", check->component, number);
    inner.component = name;
    if (complete(part)) return check_inside(&part->kind->info, part->parameters, &inner);
    sti_check_error(&inner, "", NAN, "a part needs a kind and its parameters");
    return false;
}

static bool check_parts(const StiField *field, const void *parameters, const StiCheck *check)
{
    const StiImpedance *parts = *(const StiImpedance *const *)member(parameters, field->offset);
    const int count = count_of(parameters, field);
    bool whole = parts != NULL || count <= 0;
    if (!whole) sti_check_error(check, field->name, count, "the parts are missing");
    for (int i = 0; parts != NULL && i < count; ++i)
        whole = check_part(&parts[i], i, check) && whole;
    return whole;
}

static bool check_law(const StiField *field, const StiLaw *law, const StiCheck *check)
{
    if (law->kind == NULL)
        sti_check_error(check, field->name, NAN, "a law is missing, for example Coulomb");
    else if (law->kind->table_size != sizeof *law->kind)
        sti_check_error(check, field->name, NAN,
                        "the law's table says table_size = %zu, and this library has %zu",
                        law->kind->table_size, sizeof *law->kind);
    else if (law->kind->check != NULL)
        law->kind->check(law, check);
    return law->kind != NULL && law->kind->table_size == sizeof *law->kind;
}

// False if a law or a part is missing: then not even the component's size is known.
static bool check_inside(const StiInfo *info, const void *parameters, const StiCheck *check)
{
    bool whole = true;
    for (int i = 0; i < info->field_count; ++i) {
        const StiField *field = &info->fields[i];
        if (field->type == STI_FIELD_LAW)
            whole = check_law(field, member(parameters, field->offset), check) && whole;
        else if (field->type == STI_FIELD_PARTS)
            whole = check_parts(field, parameters, check) && whole;
    }
    if (whole && info->check != NULL) info->check(parameters, check);
    return whole;
}

void sti_kind_check(const StiInfo *info, const void *parameters, const StiCheck *check)
{
    const int before = check->report != NULL ? sti_report_error_count(check->report) : 0;
    sti_fields_visit(info, (void *)(uintptr_t)parameters, check_number, (void *)(uintptr_t)check);
    const int after = check->report != NULL ? sti_report_error_count(check->report) : 0;
    // What relates numbers to each other is only worth saying once each of them is sound.
    if (after == before) check_inside(info, parameters, check);
}

static void copy_parts(const StiField *field, void *parameters, StiArena *arena)
{
    StiImpedance **at = member(parameters, field->offset);
    const int count = count_of(parameters, field);
    if (*at == NULL || count <= 0) return;
    StiImpedance *parts = sti_arena_copy(arena, *at, (size_t)count * sizeof *parts);
    for (int i = 0; parts != NULL && i < count; ++i)
        if (complete(&parts[i]))
            parts[i].parameters = sti_fields_copy(&parts[i].kind->info, parts[i].parameters, arena);
    *at = parts;
}

static void copy_field(const StiField *field, void *parameters, StiArena *arena)
{
    void *at = member(parameters, field->offset);
    if (field->type == STI_FIELD_NUMBERS) {
        double **values = at;
        const int count = count_of(parameters, field);
        if (*values != NULL && count > 0)
            *values = sti_arena_copy(arena, *values, (size_t)count * sizeof **values);
    } else if (field->type == STI_FIELD_LAW) {
        StiLaw *law = at;
        if (law->table != NULL && law->table_points > 0)
            law->table =
                sti_arena_copy(arena, law->table, 2 * (size_t)law->table_points * sizeof(double));
    } else if (field->type == STI_FIELD_PARTS) {
        copy_parts(field, parameters, arena);
    }
}

void *sti_fields_copy(const StiInfo *info, const void *parameters, StiArena *arena)
{
    static const double nothing;
    void *copy = sti_arena_copy(arena, parameters != NULL ? parameters : &nothing,
                                parameters != NULL ? info->size : 0);
    if (copy == NULL || parameters == NULL) return copy;
    for (int i = 0; i < info->field_count; ++i) copy_field(&info->fields[i], copy, arena);
    if (!has_inside(info)) return copy;
    if (info->inside->own(copy))
        sti_arena_entrust(arena, copy, info->inside->release);
    else
        arena->failed = 1;
    return arena->failed ? NULL : copy;
}
