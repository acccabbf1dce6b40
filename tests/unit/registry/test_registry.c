// What the registry says of every kind: names, texts, fields, examples.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "stiction/stiction.h"

static void assert_lines(const char *text)
{
    for (const char *line = text; line != NULL && *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        assert_true(length <= 78); // they are printed two columns in
        assert_int_equal(line[length], '\n');
        line += length + 1;
    }
}

static void assert_full(const StiEntry *entry)
{
    const StiExplanation *e = entry->explanation;
    if (e == NULL) fail_msg("%s %s is not explained", sti_role_name(entry->role), entry->name);
    if (strlen(e->equations) == 0 || strlen(e->use) == 0 || strlen(e->source) == 0)
        fail_msg("%s %s: a text is missing", sti_role_name(entry->role), entry->name);
    assert_lines(e->equations);
    assert_lines(e->keys);
}

static void every_name_is_found(void **state)
{
    (void)state;
    for (int role = 0; role < STI_ROLES; ++role) {
        StiEntry entry, found;
        int count = 0;
        for (; sti_registry_at((StiKindRole)role, count, &entry); ++count) {
            assert_int_equal(entry.role, role);
            assert_true(strlen(entry.summary) > 5);
            assert_true(sti_registry_find((StiKindRole)role, entry.name, &found));
            assert_memory_equal(&entry, &found, sizeof entry); // so no name is there twice
        }
        assert_true(count >= 4);
        assert_true(strlen(sti_role_name((StiKindRole)role)) > 0);
        assert_true(strlen(sti_role_list((StiKindRole)role)) > 0);
        assert_false(sti_registry_at((StiKindRole)role, -1, &entry));
        assert_false(sti_registry_find((StiKindRole)role, "columb", &entry));
    }
    StiEntry entry;
    assert_false(sti_registry_at(STI_ROLES, 0, &entry));
    assert_string_equal(sti_role_name(STI_ROLES), "");
}

static void what_computes_is_explained(void **state)
{
    (void)state;
    static const StiKindRole roles[] = {STI_ROLE_FRICTION, STI_ROLE_LAW, STI_ROLE_METHOD,
                                        STI_ROLE_SOLVER};
    for (size_t r = 0; r < sizeof roles / sizeof roles[0]; ++r) {
        StiEntry entry;
        for (int i = 0; sti_registry_at(roles[r], i, &entry); ++i) assert_full(&entry);
    }
    static const char *const elements[] = {"dc-motor",    "servo",   "pid", "joint-limit",
                                           "gear-loss", "contact"};
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; ++i) {
        StiEntry entry;
        assert_true(sti_registry_find(STI_ROLE_ELEMENT, elements[i], &entry));
        assert_full(&entry);
    }
}

// A text that begins with "No" must not stand beside a model that claims nothing, and the reverse.
static void texts_agree_with_claims(void **state)
{
    (void)state;
    StiEntry entry;
    for (int i = 0; sti_registry_at(STI_ROLE_FRICTION, i, &entry); ++i) {
        assert_true((entry.impedance == NULL) != (entry.reaction == NULL));
        assert_non_null(entry.explanation->drift);
        if (entry.holds != (strncmp(entry.explanation->drift, "No", 2) == 0))
            fail_msg("%s: '%s'", entry.name, entry.explanation->drift);
    }
}

static size_t size_of_field(const StiField *field)
{
    switch (field->type) {
    case STI_FIELD_NUMBER:
    case STI_FIELD_AXES:
        return (size_t)(field->length > 1 ? field->length : 1) * sizeof(double);
    case STI_FIELD_LAW:
        return sizeof(StiLaw);
    case STI_FIELD_COUNT:
        return sizeof(int);
    case STI_FIELD_SWITCH:
        return sizeof(bool);
    case STI_FIELD_NUMBERS:
    case STI_FIELD_PARTS:
        return sizeof(void *);
    }
    return 0;
}

static void fields_are_described(void **state)
{
    (void)state;
    for (int role = 0; role < STI_ROLES; ++role) {
        StiEntry entry;
        for (int i = 0; sti_registry_at((StiKindRole)role, i, &entry); ++i) {
            for (int f = 0; f < entry.field_count; ++f) {
                const StiField *field = &entry.fields[f];
                assert_true(strlen(field->name) > 0 && strlen(field->meaning) > 0);
                assert_non_null(field->unit);
                if (field->bound == STI_POSITIVE) assert_true(field->usual >= 0.0);
                if (entry.law != NULL)
                    assert_true(field->offset < STI_LAW_PARAMETERS);
                else if (role != STI_ROLE_SHAPE) // of which a check is handed the StiShape
                    assert_true(field->offset + size_of_field(field) <= entry.info->size);
            }
        }
    }
}

// Of all friction models and laws; what a user or a fuzzer begins with.
static void examples_are_sound(void **state)
{
    (void)state;
    StiEntry entry;
    int count = 0;
    for (int role = STI_ROLE_FRICTION; role <= STI_ROLE_WIRE; ++role) {
        for (int i = 0; sti_registry_at((StiKindRole)role, i, &entry); ++i) {
            const void *example = entry.info != NULL ? entry.info->example : NULL;
            if (role == STI_ROLE_LAW) {
                assert_non_null(entry.law->example);
                assert_ptr_equal(entry.law->example->kind, entry.law);
                continue;
            }
            if (role == STI_ROLE_FRICTION) assert_non_null(example);
            if (example == NULL) continue;
            StiReport *report = sti_report_create();
            const StiCheck check = {.report = report, .component = entry.name, .step = 1e-3};
            sti_kind_check(entry.info, example, &check);
            if (sti_report_count(report) > 0)
                fail_msg("%s: %s", entry.name, sti_report_finding(report, 0)->text);
            sti_report_destroy(report);
            ++count;
        }
    }
    assert_true(count >= 13);
}

static void laws_and_fields_by_name(void **state)
{
    (void)state;
    StiDahl dahl = sti_default_dahl();
    assert_ptr_equal(sti_kind_law(&sti_kind_dahl.info, &dahl), &dahl.law);
    assert_null(sti_kind_law(&sti_kind_maxwell_slip.info, &dahl));
    assert_string_equal(sti_kind_field(&sti_kind_dahl.info, "stiffness")->unit, "N/m");
    assert_int_equal(sti_kind_field(&sti_kind_dahl.info, "stiff")->type, STI_FIELD_SWITCH);
    assert_null(sti_kind_field(&sti_kind_dahl.info, "stifness"));
    assert_int_equal(sti_default_elastic_coulomb().dim, 1); // from the field of a count
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_is_found),     cmocka_unit_test(what_computes_is_explained),
        cmocka_unit_test(texts_agree_with_claims), cmocka_unit_test(fields_are_described),
        cmocka_unit_test(examples_are_sound),      cmocka_unit_test(laws_and_fields_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
