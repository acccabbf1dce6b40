// The same inputs give the same bits: run again, after a pause in a file, with a scratch that
// others use, and in a network with other parameters that adopts a running state.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "property/friction_models.h"
#include "support/near.h"
#include "support/short.h"
#include "unit/network/built.h"

enum { STEPS = 2000, STEPS_SHORT = 200 };
static const char path[] = "paused.state";

static int step_count(void) { return (int)steps_or(STEPS, STEPS_SHORT); }

static void pull_at(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 0.3 * sin(4.0 * t);
    values[1] = 1.2 * cos(4.0 * t);
}

// Memories of all kinds: one sled for each friction model, on ropes of one hand.
static StiAdmittanceId add_sleds(StiPlan *plan, StiAdmittanceId hand)
{
    Random random = {3};
    StiAdmittanceId sled = {-1};
    for (int i = 0; i < MODEL_COUNT; ++i) {
        FrictionModel m;
        char name[3][32];
        snprintf(name[0], sizeof name[0], "sled%02d", i);
        snprintf(name[1], sizeof name[1], "model%02d", i);
        snprintf(name[2], sizeof name[2], "rope%02d", i);
        choose_model(&m, i, &random, 2.0, 1000.0, 0.1);
        sled =
            sti_plan_add_admittance(plan, name[0], &sti_kind_point_mass,
                                    &(StiPointMass){.dim = m.dim, .mass = 1.0, .velocity = {0.3}});
        const StiWire wire = sti_wire_coordinate(sled, 0, m.dim);
        sti_plan_add_impedance(plan, name[1], m.kind, m.parameters, &wire);
        add_spring(plan, name[2], sti_wire_coordinate_pair(sled, 0, hand, 0, 1), 40.0, 0.5);
    }
    return sled;
}

// Quaternions, contacts that come and go, and a block whose friction listens to its load.
static StiAdmittanceId add_bodies(StiPlan *plan)
{
    const StiVec3 origin = {0.0, 0.0, 0.0}, up = {0.0, 0.0, 1.0};
    const StiAdmittanceId box =
        sti_plan_add_admittance(plan, "box", &sti_kind_rigid_body,
                                &(StiRigidBody){.mass = 1.0,
                                                .inertia = {0.01, 0.02, 0.02},
                                                .position = {0.0, 0.0, 0.15},
                                                .velocity = {0.5, 0.2, 0.0},
                                                .angular_velocity = {1.0, 2.0, 0.0}});
    const StiWire corners = sti_wire_box_plane(box, 0, (StiFrame){.q = STI_QUAT_IDENTITY},
                                               sti_vec3(0.2, 0.1, 0.1), origin, up);
    sti_plan_add_impedance(plan, "contact", &sti_kind_soft_contact,
                           &(StiSoftContact){.points = 8, .K = 1e4, .B = 5.0, .mu = 0.4}, &corners);
    const StiAdmittanceId block = sti_plan_add_admittance(plan, "block", &sti_kind_guided_block,
                                                          &(StiGuidedBlock){.mass = 2.0,
                                                                            .axis = {1.0, 0.5, 0.2},
                                                                            .velocity = 0.6});
    const StiWire guide = sti_wire_coordinate(block, 0, 1);
    const StiElasticCoulomb loaded = {.dim = 1,
                                      .law = sti_law_times_load(sti_law_coulomb(0.2)),
                                      .K = 1e3,
                                      .B = 3.0};
    const StiElementId rub =
        sti_plan_add_impedance(plan, "rub", &sti_kind_elastic_coulomb, &loaded, &guide);
    sti_plan_connect(plan, sti_signal_load(block, 0), rub, 0);
    add_input_force(plan, "push", "hand-force", guide);
    return block;
}

// Modes in s, reactions that lean on each other, and loads that reactions change.
static void add_reactions(StiPlan *plan, StiAdmittanceId sled, StiAdmittanceId block)
{
    const StiAdmittanceId low = add_moving_mass(plan, "low", 1.0, 0.5);
    const StiAdmittanceId top = add_moving_mass(plan, "top", 0.5, -0.5);
    add_rule(plan, "low.ground", sti_wire_coordinate(low, 0, 1), sti_law_coulomb(2.0), 3.0);
    add_rule(plan, "top.low", sti_wire_coordinate_pair(top, 0, low, 0, 1),
             sti_law_stribeck(0.5, 0.6, 0.1, 2.0, 0.1), 0.7);
    add_rule(plan, "sled.top", sti_wire_coordinate_pair(sled, 0, top, 0, 1), sti_law_coulomb(1.0),
             1.5);
    const StiWire wire = sti_wire_coordinate(block, 0, 1), beside = sti_wire_coordinate(low, 0, 1);
    const StiElementId stick =
        add_rule(plan, "stick", wire, sti_law_times_load(sti_law_coulomb(0.05)), 0.06);
    sti_plan_connect(plan, sti_signal_load(block, 0), stick, 0);
    sti_plan_add_reaction(plan, "karnopp", &sti_kind_karnopp,
                          &(StiKarnopp){.dim = 1, .law = sti_law_coulomb(0.1), .eps = 1e-3},
                          &beside);
}

static StiPlan *workshop(bool reactions, const StiMethod *method)
{
    StiPlan *plan = sti_plan_create();
    const StiAdmittanceId hand =
        sti_plan_add_motion(plan, "hand", 1, (StiTimeFunction){.count = 2, .eval = pull_at});
    const StiAdmittanceId sled = add_sleds(plan, hand), block = add_bodies(plan);
    if (reactions) add_reactions(plan, sled, block);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -9.81));
    sti_plan_set_start(plan, 0.1);
    sti_plan_set_method(plan, method);
    return plan;
}

static void step_with_force(Built *built)
{
    const double force = 3.0 * sin(0.02 * (double)sti_state_k(built->state));
    assert_steps(built, &force);
}

// The whole life of a network, and the hash after each step.
static void hashes_of_run(bool reactions, const StiMethod *method, uint64_t *hashes)
{
    Built built = build_and_destroy(workshop(reactions, method));
    assert_int_equal(sti_network_input_count(built.network), 1);
    for (int k = 0; k < step_count(); ++k) {
        step_with_force(&built);
        hashes[k] = sti_state_hash(built.state);
        if (k > 0) assert_true(hashes[k] != hashes[k - 1]);
    }
    release(&built);
}

typedef void Claim(bool reactions, const StiMethod *method, const uint64_t *hashes);

static void for_each_step(Claim *claim)
{
    static uint64_t hashes[STEPS];
    for (int i = 0; sti_methods[i] != NULL; ++i) {
        if (sti_methods[i]->cuts) continue; // not every kind can run under these: test_cut_bits.c
        hashes_of_run(false, sti_methods[i], hashes);
        claim(false, sti_methods[i], hashes);
    }
    hashes_of_run(true, &sti_method_euler, hashes);
    claim(true, &sti_method_euler, hashes);
}

static void same_bits_again(bool reactions, const StiMethod *method, const uint64_t *hashes)
{
    Built built = build_and_destroy(workshop(reactions, method));
    for (int k = 0; k < step_count(); ++k) {
        step_with_force(&built);
        assert_true(sti_state_hash(built.state) == hashes[k]);
    }
    release(&built);
}

static void repeated_runs_give_the_same_bits(void **state)
{
    (void)state;
    for_each_step(same_bits_again);
}

// Saved at a moment, forgotten, and loaded into a state of a network that was compiled anew.
static void same_bits_after_pause(bool reactions, const StiMethod *method, const uint64_t *hashes)
{
    for (int pause = 0; pause < step_count(); pause += step_count() / 4 + 7) {
        Built before = build_and_destroy(workshop(reactions, method));
        for (int k = 0; k < pause; ++k) step_with_force(&before);
        assert_int_equal(sti_state_save(before.state, path), STI_OK);
        release(&before);
        Built after = build_and_destroy(workshop(reactions, method));
        for (int k = 0; k < 10; ++k) step_with_force(&after); // to be forgotten
        assert_int_equal(sti_state_load(after.state, path), STI_OK);
        assert_int_equal(sti_state_k(after.state), pause);
        for (int k = pause; k < step_count(); ++k) {
            step_with_force(&after);
            assert_true(sti_state_hash(after.state) == hashes[k]);
        }
        release(&after);
    }
    remove(path);
}

static void a_pause_changes_no_bit(void **state)
{
    (void)state;
    for_each_step(same_bits_after_pause);
}

// Two states in turns on one scratch, thrown away now and then: it holds nothing that matters.
static void same_bits_with_shared_scratch(bool reactions, const StiMethod *method,
                                          const uint64_t *hashes)
{
    Built built = build_and_destroy(workshop(reactions, method));
    StiState *first = built.state, *late = sti_state_create(built.network);
    for (int k = 0; k < step_count(); ++k) {
        step_with_force(&built);
        assert_true(sti_state_hash(first) == hashes[k]);
        built.state = late;
        if (k >= 50) step_with_force(&built);
        if (k >= 50) assert_true(sti_state_hash(late) == hashes[k - 50]);
        built.state = first;
        if (k % 97 > 0) continue;
        sti_scratch_destroy(built.scratch);
        built.scratch = sti_scratch_create(built.network);
        assert_non_null(built.scratch);
    }
    assert_int_equal(sti_state_copy(late, first), STI_OK);
    assert_true(sti_state_hash(late) == hashes[step_count() - 1]);
    sti_state_destroy(late);
    release(&built);
}

static void a_scratch_holds_nothing_that_matters(void **state)
{
    (void)state;
    for_each_step(same_bits_with_shared_scratch);
}

// After half the steps a network of the same layout with another level and another mass takes over
// the running state, as a copy or as it is; the first network can go on with it, too.
static void adopted_states_go_on(bool reactions, const StiMethod *method, const uint64_t *hashes)
{
    StiPlan *plan = workshop(reactions, method);
    Built built = build(plan);
    assert_int_equal(sti_plan_set(plan, "model07.level", 0.5), STI_OK);
    assert_int_equal(sti_plan_set(plan, "sled03.mass", 1.5), STI_OK);
    Built changed = build_and_destroy(plan);
    assert_true(sti_network_layout(changed.network) == sti_network_layout(built.network));
    const int half = step_count() / 2;
    for (int k = 0; k < half; ++k) step_with_force(&built);
    assert_int_equal(sti_state_copy(changed.state, built.state), STI_OK);
    assert_true(sti_state_hash(changed.state) == hashes[half - 1]);
    step_with_force(&changed);
    assert_true(sti_state_hash(changed.state) != hashes[half]);
    assert_int_equal(sti_state_k(changed.state), half + 1);
    // the very state, stepped by the other network; and back again
    const double force = 3.0 * sin(0.02 * half);
    StiState *running = sti_state_create(built.network);
    assert_int_equal(sti_state_copy(running, built.state), STI_OK);
    assert_int_equal(sti_run(changed.network, &force, running, changed.scratch, 1), STI_OK);
    assert_true(sti_state_hash(running) == sti_state_hash(changed.state));
    assert_int_equal(sti_state_copy(running, built.state), STI_OK);
    assert_int_equal(sti_run(built.network, &force, running, built.scratch, 1), STI_OK);
    assert_true(sti_state_hash(running) == hashes[half]);
    sti_state_destroy(running);
    release(&changed);
    release(&built);
}

static void a_changed_network_adopts_a_running_state(void **state)
{
    (void)state;
    for_each_step(adopted_states_go_on);
}

// Only the changed number is felt: a mass under a level of 0.5 in place of 2 from half time on
// slides on at (F - 0.5)/M.
static void an_adopted_state_feels_the_new_level(void **state)
{
    (void)state;
    const double force = 1.5;
    StiPlan *plan = sti_plan_create();
    const StiAdmittanceId mass = add_mass(plan, "mass", 2.0);
    add_rule(plan, "rub", sti_wire_coordinate(mass, 0, 1), sti_law_coulomb(2.0), 0.0);
    add_input_force(plan, "push", "force", sti_wire_coordinate(mass, 0, 1));
    Built built = build(plan);
    assert_int_equal(sti_plan_set(plan, "rub.level", 0.5), STI_OK);
    Built changed = build_and_destroy(plan);
    for (int k = 0; k < 100; ++k) assert_steps(&built, &force);
    assert_true(*position(&built, mass) == 0.0);
    for (int k = 0; k < 100; ++k)
        assert_int_equal(sti_run(changed.network, &force, built.state, changed.scratch, 1), STI_OK);
    assert_near(*velocity(&built, mass), 0.1 * (force - 0.5) / 2.0, 1e-15);
    release(&changed);
    release(&built);
}

// Another name, another kind, another size: the state stays as it was, and so does the stranger.
static void states_of_another_layout_are_refused(void **state)
{
    (void)state;
    for (int other = 0; other < 3; ++other) {
        StiPlan *plans[2];
        for (int i = 0; i < 2; ++i) {
            const bool odd = i == 1;
            plans[i] = sti_plan_create();
            const StiAdmittanceId mass = sti_plan_add_admittance(
                plans[i], odd && other == 0 ? "block" : "mass", &sti_kind_point_mass,
                &(StiPointMass){.dim = odd && other == 1 ? 2 : 1, .mass = 1.0, .velocity = {1.0}});
            const StiWire wire = sti_wire_coordinate(mass, 0, 1);
            const StiDahl dahl = {.law = sti_law_coulomb(1.0), .K = 10.0, .alpha = 1.0};
            const StiLuGre lugre = {.law = sti_law_coulomb(1.0), .sigma0 = 10.0};
            if (odd && other == 2)
                sti_plan_add_impedance(plans[i], "f", &sti_kind_lugre, &lugre, &wire);
            else
                sti_plan_add_impedance(plans[i], "f", &sti_kind_dahl, &dahl, &wire);
        }
        Built ours = build_and_destroy(plans[0]), theirs = build_and_destroy(plans[1]);
        assert_true(sti_network_layout(ours.network) != sti_network_layout(theirs.network));
        assert_steps(&ours, NULL);
        const uint64_t hash = sti_state_hash(ours.state);
        assert_int_equal(sti_run(theirs.network, NULL, ours.state, theirs.scratch, 1),
                         STI_LAYOUT_MISMATCH);
        assert_int_equal(sti_scratch_fault(theirs.scratch)->status, STI_LAYOUT_MISMATCH);
        assert_int_equal(sti_state_copy(ours.state, theirs.state), STI_LAYOUT_MISMATCH);
        assert_int_equal(sti_state_save(theirs.state, path), STI_OK);
        assert_int_equal(sti_state_load(ours.state, path), STI_LAYOUT_MISMATCH);
        assert_true(sti_state_hash(ours.state) == hash);
        assert_steps(&ours, NULL);
        release(&ours);
        release(&theirs);
    }
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeated_runs_give_the_same_bits),
        cmocka_unit_test(a_pause_changes_no_bit),
        cmocka_unit_test(a_scratch_holds_nothing_that_matters),
        cmocka_unit_test(a_changed_network_adopts_a_running_state),
        cmocka_unit_test(an_adopted_state_feels_the_new_level),
        cmocka_unit_test(states_of_another_layout_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
