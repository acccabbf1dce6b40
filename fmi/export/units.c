#include "export/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const base_unit_names[BASE_UNITS] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};

typedef struct KnownUnit {
    const char *name;
    UnitDefinition definition;
} KnownUnit;

static const KnownUnit known[] = {
    {"1", {{0}, 1.0}},
    {"kg", {{1}, 1.0}},
    {"g", {{1}, 1e-3}},
    {"m", {{0, 1}, 1.0}},
    {"mm", {{0, 1}, 1e-3}},
    {"s", {{0, 0, 1}, 1.0}},
    {"ms", {{0, 0, 1}, 1e-3}},
    {"A", {{0, 0, 0, 1}, 1.0}},
    {"K", {{0, 0, 0, 0, 1}, 1.0}},
    {"rad", {{0, 0, 0, 0, 0, 0, 0, 1}, 1.0}},
    {"deg", {{0, 0, 0, 0, 0, 0, 0, 1}, 0.017453292519943295}},
    {"N", {{1, 1, -2}, 1.0}},
    {"Nm", {{1, 2, -2}, 1.0}},
    {"J", {{1, 2, -2}, 1.0}},
    {"W", {{1, 2, -3}, 1.0}},
    {"Pa", {{1, -1, -2}, 1.0}},
    {"Hz", {{0, 0, -1}, 1.0}},
    {"V", {{1, 2, -3, -1}, 1.0}},
    {"Ohm", {{1, 2, -3, -2}, 1.0}},
    {"ohm", {{1, 2, -3, -2}, 1.0}},
    {"H", {{1, 2, -2, -2}, 1.0}},
    {"Wb", {{1, 2, -2, -1}, 1.0}},
};

static bool multiply(UnitDefinition *by, const char *word, size_t length, int power)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        if (strlen(known[i].name) != length || memcmp(known[i].name, word, length) != 0) continue;
        for (int b = 0; b < BASE_UNITS; ++b) by->powers[b] += power * known[i].definition.powers[b];
        by->factor *= pow(known[i].definition.factor, power);
        return true;
    }
    return false;
}

// Factors one after the other; what follows '/' divides, one factor or a bracket of them.
bool unit_define(const char *unit, UnitDefinition *definition)
{
    int sign = 1, bracket = 0;
    *definition = (UnitDefinition){.factor = 1.0};
    if (*unit == '\0') return false;
    while (*unit != '\0') {
        if (*unit == ' ' || *unit == '*') {
            ++unit;
        } else if (*unit == '/') {
            sign = -1;
            ++unit;
        } else if (*unit == '(' || *unit == ')') {
            bracket = *unit++ == '(' ? sign : 0;
        } else {
            const size_t length = strcspn(unit, " */()^");
            const char *word = unit;
            unit += length;
            int power = 1;
            if (*unit == '^') {
                char *end;
                power = (int)strtol(unit + 1, &end, 10);
                if (end == unit + 1) return false;
                unit = end;
            }
            if (!multiply(definition, word, length, (bracket != 0 ? bracket : sign) * power))
                return false;
        }
        if (bracket == 0 && *unit == ' ') sign = 1;
    }
    return true;
}
