// Units of parameters follow the coordinate: every registered friction model, law and spring on a mass and on a rotor.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "network/units.h"
#include "stiction/stiction.h"

// By the letters: a force becomes a moment, a length below the line or in front an angle.
static void turn_by_letters(const char *line, char *turn, size_t size)
{
    const char *slash = strchr(line, '/');
    if (line[0] == 'N')
        snprintf(turn, size, "N m%s", line + 1);
    else if (line[0] == 'm')
        snprintf(turn, size, "rad%s", line + 1);
    else if (strcmp(line, "kg") == 0) // what a model takes for the inertia behind it
        snprintf(turn, size, "kg m^2");
    else
        snprintf(turn, size, "%s", line);
    if (slash == NULL || slash[1] != 'm') return;
    char *below = strchr(turn, '/');
    snprintf(below, size - (size_t)(below - turn), "/rad%s", slash + 2);
}

static StiPlan *plan_with(const StiEntry *entry, bool turns)
{
    StiPlan *plan = sti_plan_create();
    const StiRotor rotor = {.inertia = 1.0};
    const StiPointMass mass = {.dim = 1, .mass = 1.0};
    const StiAdmittanceId body =
        turns ? sti_plan_add_admittance(plan, "body", &sti_kind_rotor, &rotor)
              : sti_plan_add_admittance(plan, "body", &sti_kind_point_mass, &mass);
    const StiWire wire = sti_wire_coordinate(body, 0, 1);
    if (entry->reaction != NULL)
        sti_plan_add_reaction(plan, "e", entry->reaction, entry->info->example, &wire);
    else
        sti_plan_add_impedance(plan, "e", entry->impedance, entry->info->example, &wire);
    return plan;
}

static int compare_units(const StiEntry *entry)
{
    StiPlan *line = plan_with(entry, false), *turn = plan_with(entry, true);
    StiParameter a, b;
    int changed = 0;
    for (int i = 0; sti_plan_parameter(line, i, &a); ++i) {
        char expected[64];
        if (strncmp(a.path, "e.", 2) != 0) continue;
        double value;
        assert_int_equal(sti_plan_get(turn, a.path, &value), STI_OK);
        for (int k = 0; sti_plan_parameter(turn, k, &b) && strcmp(a.path, b.path) != 0; ++k) {}
        turn_by_letters(a.unit, expected, sizeof expected);
        if (strstr(a.path, "radius") == NULL) assert_string_equal(b.unit, expected);
        changed += strcmp(a.unit, b.unit) != 0;
    }
    sti_plan_destroy(line);
    sti_plan_destroy(turn);
    return changed;
}

static void units_follow_the_coordinate(void **unused)
{
    (void)unused;
    StiEntry entry;
    int kinds = 0, changed = 0;
    for (int i = 0; sti_registry_at(STI_ROLE_FRICTION, i, &entry); ++i) {
        if (entry.info->example == NULL) continue;
        changed += compare_units(&entry);
        ++kinds;
    }
    print_message("%d units of %d kinds\n", changed, kinds);
    assert_true(kinds > 10 && changed > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(units_follow_the_coordinate)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
