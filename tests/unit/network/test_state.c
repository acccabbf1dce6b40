#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "built.h"
#include "network/network.h"
#include "support/plan.h"

static const double bank_K[2] = {100.0, 200.0}, bank_F[2] = {1.0, 2.0};

typedef struct Scene {
    StiAdmittanceId body, block;
    StiElementId bank, modes, rule;
} Scene;

// Declared against the order of names, so that ids and places differ.
static StiPlan *scene(Scene *s)
{
    StiPlan *plan = plan_in_stages();
    s->body = sti_plan_add_admittance(plan, "z", &sti_kind_rigid_body,
                                      &(StiRigidBody){.mass = 1.0,
                                                      .inertia = {1.0, 2.0, 2.5},
                                                      .position = {1.0, 2.0, 3.0},
                                                      .velocity = {4.0, 5.0, 6.0},
                                                      .angular_velocity = {7.0, 8.0, 9.0}});
    s->block = sti_plan_add_admittance(
        plan, "a", &sti_kind_point_mass,
        &(StiPointMass){.dim = 2, .mass = 1.0, .position = {10.0, 11.0}, .velocity = {12.0, 13.0}});
    const StiWire x = sti_wire_coordinate(s->block, 0, 1), y = sti_wire_coordinate(s->block, 1, 1);
    s->rule = add_rule(plan, "rule", x, sti_law_coulomb(1.0), 0.0);
    s->modes = sti_plan_add_impedance(plan, "modes", &sti_kind_gms,
                                      &(StiGms){.law = sti_law_coulomb(1.0),
                                                .elements = 2,
                                                .K = bank_K,
                                                .share = (const double[]){0.5, 0.5},
                                                .Q = 10.0},
                                      &y);
    s->bank =
        sti_plan_add_impedance(plan, "bank", &sti_kind_maxwell_slip,
                               &(StiMaxwellSlip){.elements = 2, .K = bank_K, .F = bank_F}, &x);
    return plan;
}

static void a_new_state_has_the_start_values(void **state)
{
    (void)state;
    Scene s;
    Built built = build_and_destroy(scene(&s));
    static const double q[7] = {1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0},
                        v[6] = {4.0, 5.0, 6.0, 7.0, 8.0, 9.0};
    for (int i = 0; i < 7; ++i) assert_true(position(&built, s.body)[i] == q[i]);
    for (int i = 0; i < 6; ++i) assert_true(velocity(&built, s.body)[i] == v[i]);
    for (int i = 0; i < 2; ++i) {
        assert_true(position(&built, s.block)[i] == 10.0 + i);
        assert_true(velocity(&built, s.block)[i] == 12.0 + i);
        assert_true(memory(&built, s.bank)[i] == 0.0 && memory(&built, s.modes)[i] == 0.0);
    }
    assert_int_equal(sti_state_k(built.state), 0);
    release(&built);
}

// Slices of different components never overlap, and together they are the whole state.
static void slices_cover_the_state(void **state)
{
    (void)state;
    Scene s;
    Built built = build_and_destroy(scene(&s));
    const struct {
        double *slice;
        int count;
    } slices[] = {{position(&built, s.body), 7},  {velocity(&built, s.body), 6},
                  {position(&built, s.block), 2}, {velocity(&built, s.block), 2},
                  {memory(&built, s.bank), 2},    {memory(&built, s.modes), 2},
                  {discrete(&built, s.modes), 3}, {discrete(&built, s.rule), 2}};
    int total = 0;
    for (size_t i = 0; i < sizeof slices / sizeof slices[0]; ++i)
        for (int j = 0; j < slices[i].count; ++j, ++total) slices[i].slice[j] = 1000.0 + total;
    assert_int_equal(total, built.state->count);
    for (int i = 0; i < total; ++i) assert_true(built.state->values[i] >= 1000.0);
    total = 0;
    for (size_t i = 0; i < sizeof slices / sizeof slices[0]; ++i)
        for (int j = 0; j < slices[i].count; ++j, ++total)
            assert_true(slices[i].slice[j] == 1000.0 + total);
    assert_null(memory(&built, s.rule)); // a reaction has modes only
    release(&built);
}

static void the_hash_sees_every_number(void **state)
{
    (void)state;
    Scene s;
    Built built = build_and_destroy(scene(&s));
    const uint64_t before = sti_state_hash(built.state);
    for (int i = 0; i < built.state->count; ++i) {
        const double value = built.state->values[i];
        built.state->values[i] = nextafter(value, 1e9);
        assert_true(sti_state_hash(built.state) != before);
        built.state->values[i] = value;
    }
    ++built.state->k;
    assert_true(sti_state_hash(built.state) != before);
    --built.state->k;
    assert_true(sti_state_hash(built.state) == before);
    release(&built);
}

static void a_copy_is_the_same_and_independent(void **state)
{
    (void)state;
    Scene s;
    Built built = build_and_destroy(scene(&s));
    StiState *copy = sti_state_create(built.network);
    for (int k = 0; k < 10; ++k) assert_steps(&built, NULL);
    assert_true(sti_state_hash(copy) != sti_state_hash(built.state));
    assert_int_equal(sti_state_copy(copy, built.state), STI_OK);
    const uint64_t hash = sti_state_hash(built.state);
    assert_true(sti_state_hash(copy) == hash);
    assert_int_equal(sti_state_k(copy), 10);
    assert_steps(&built, NULL);
    assert_true(sti_state_hash(copy) == hash);
    assert_true(sti_state_hash(built.state) != hash);
    sti_state_destroy(copy);
    release(&built);
}

static Built two_masses(const char *first, const char *second, int dim)
{
    StiPlan *plan = plan_in_stages();
    const StiPointMass mass = {.dim = dim, .mass = 1.0};
    sti_plan_add_admittance(plan, first, &sti_kind_point_mass, &mass);
    sti_plan_add_admittance(plan, second, &sti_kind_point_mass, &mass);
    return build_and_destroy(plan);
}

static void states_of_another_layout_are_refused(void **state)
{
    (void)state;
    Built one = two_masses("a", "b", 1), same = two_masses("b", "a", 1);
    Built others[] = {two_masses("a", "c", 1), two_masses("a", "b", 2)};
    assert_true(sti_network_layout(one.network) == sti_network_layout(same.network));
    assert_int_equal(sti_state_copy(one.state, same.state), STI_OK);
    for (int i = 0; i < 2; ++i) {
        const uint64_t hash = sti_state_hash(one.state);
        assert_int_equal(sti_state_copy(one.state, others[i].state), STI_LAYOUT_MISMATCH);
        assert_int_equal(sti_step(others[i].network, NULL, one.state, others[i].scratch),
                         STI_LAYOUT_MISMATCH);
        assert_true(sti_state_hash(one.state) == hash);
        release(&others[i]);
    }
    release(&one);
    release(&same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_state_has_the_start_values),
        cmocka_unit_test(slices_cover_the_state),
        cmocka_unit_test(the_hash_sees_every_number),
        cmocka_unit_test(a_copy_is_the_same_and_independent),
        cmocka_unit_test(states_of_another_layout_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
