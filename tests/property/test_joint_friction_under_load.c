// Friction of joints under their own load, on random trees: it only takes energy, step by step,
// stays within mu r N, and what the tree loses is what its joints took.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "stiction/stiction.h"
#include "support/plan.h"
#include "support/scenes/rig.h"
#include "support/short.h"
#include "unit/robot/random_tree.h"

typedef struct Rubbed {
    int count; // joints with friction
    int link[TREE_MOST];
    StiElementId element[TREE_MOST];
    double level; // mu r
} Rubbed;

static StiJointType turn_or_slide(Random *random, int i)
{
    (void)i;
    return random_below(random, 4) == 0 ? STI_JOINT_PRISMATIC : STI_JOINT_REVOLUTE;
}

static StiElementId add_friction(StiPlan *plan, const char *name, bool elastic, double mu,
                                 const StiWire *joint)
{
    const StiLaw law = sti_law_times_load(sti_law_coulomb(mu));
    if (!elastic)
        return sti_plan_add_reaction(plan, name, &sti_kind_finite_time,
                                     &(StiFiniteTime){.dim = 1, .law = law}, joint);
    return sti_plan_add_impedance(plan, name, &sti_kind_elastic_coulomb,
                                  &(StiElasticCoulomb){.dim = 1, .law = law, .K = 500.0, .B = 0.5},
                                  joint);
}

// Rotors on all joints keep the iteration of loads well behaved on random trees.
static Tree *tree_with_rotors(Random *random, int links)
{
    Tree *tree = random_tree(random, links, turn_or_slide);
    for (int i = 0; i < links; ++i) tree->given[i].armature = 0.5;
    sti_robot_destroy(tree->robot);
    tree->robot = sti_robot_create(tree->given, links, NULL);
    assert_non_null(tree->robot);
    return tree;
}

static StiPlan *rub(Tree *tree, bool elastic, Rubbed *rubbed)
{
    StiPlan *plan = plan_in_stages();
    const double mu = 0.2, r = 0.02;
    sti_plan_set_step(plan, 1e-3);
    sti_plan_set_gravity(plan, tree->gravity);
    const StiAdmittanceId arm =
        sti_plan_add_admittance(plan, "tree", &sti_kind_robot,
                                &(StiRobotBody){.robot = tree->robot,
                                                .positions = tree->positions,
                                                .velocities = tree->velocities,
                                                .position = tree->q,
                                                .velocity = tree->v});
    *rubbed = (Rubbed){.level = mu * r};
    for (int i = 0; i < tree->links; ++i) {
        char name[32];
        const StiWire joint = sti_wire_joint(arm, tree->robot, i);
        snprintf(name, sizeof name, "rub%d", i);
        const StiElementId element = add_friction(plan, name, elastic, mu, &joint);
        sti_plan_connect(plan, sti_signal_scaled(sti_signal_load(arm, i), r), element, 0);
        rubbed->link[rubbed->count] = i;
        rubbed->element[rubbed->count++] = element;
    }
    return plan;
}

static double value_of(const StiRecorder *recorder, const StiNetwork *network, const char *format,
                       int i)
{
    char name[64];
    snprintf(name, sizeof name, format, i);
    const int channel = sti_network_channel_find(network, name);
    assert_true(channel >= 0);
    return sti_recorder_value(recorder, channel);
}

static void follow(const Rubbed *rubbed, const Rig *rig, StiRecorder *recorder, bool elastic,
                   double *taken)
{
    rig_step(rig);
    assert_int_equal(sti_recorder_follow(recorder, rig->state, rig->scratch), STI_OK);
    for (int j = 0; j < rubbed->count; ++j) {
        const double now = sti_recorder_dissipated(recorder, rubbed->element[j]);
        if (elastic) // the spring gives back what it stored; together they never give
            assert_true(now >= -1e-9);
        else
            assert_true(now >= taken[j]);
        taken[j] = now;
        const double load = value_of(recorder, rig->network, "tree.joint%d.load", rubbed->link[j]);
        const double force = value_of(recorder, rig->network, "rub%d.force", rubbed->link[j]);
        if (!elastic) assert_true(fabs(force) <= rubbed->level * load + 1e-7 * (1.0 + load));
    }
}

static void assert_dissipative(Random *random, int links, bool elastic)
{
    Tree *tree = tree_with_rotors(random, links);
    Rubbed rubbed;
    double taken[TREE_MOST] = {0.0};
    Rig rig = rig_of(rub(tree, elastic, &rubbed));
    StiRecorder *recorder = sti_recorder_create(rig.network);
    assert_int_equal(sti_recorder_begin(recorder, rig.state, NULL, rig.scratch), STI_OK);
    for (int k = 0; k < 100; ++k) follow(&rubbed, &rig, recorder, elastic, taken);
    const StiEnergy energy = sti_recorder_energy(recorder);
    double sum = 0.0;
    for (int j = 0; j < rubbed.count; ++j) sum += taken[j];
    assert_true(sum > 0.0);
    assert_near(energy.dissipated, sum, 1e-12 * sum);
    assert_near(energy.stored_start - energy.stored + energy.numerical, sum,
                1e-10 * (1.0 + fabs(energy.stored_start)));
    sti_recorder_destroy(recorder);
    rig_free(&rig);
    tree_destroy(tree);
}

static void finite_time(void **state)
{
    (void)state;
    Random random = {5};
    const long trees = steps_or(60, 10);
    for (int trial = 0; trial < trees; ++trial) assert_dissipative(&random, 1 + trial % 8, false);
}

static void elastic_coulomb(void **state)
{
    (void)state;
    Random random = {6};
    const long trees = steps_or(60, 10);
    for (int trial = 0; trial < trees; ++trial) assert_dissipative(&random, 1 + trial % 8, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finite_time),
        cmocka_unit_test(elastic_coulomb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
