#include "library_trial.h"

#include <stdio.h>

#include <stiction/stiction.h>

static void pull(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 2.0 * t;
    values[1] = 2.0;
}

static StiRobot *arm(void)
{
    const StiLink links[2] = {{.name = "upper",
                               .joint_name = "shoulder",
                               .parent = -1,
                               .joint = STI_JOINT_REVOLUTE,
                               .axis = {0.0, 1.0, 0.0},
                               .mass = 1.0,
                               .inertia = {0.1, 0.1, 0.1}},
                              {.name = "fore",
                               .joint_name = "elbow",
                               .parent = 0,
                               .joint = STI_JOINT_REVOLUTE,
                               .placement = {.p = {0.0, 0.0, -0.4}},
                               .axis = {0.0, 1.0, 0.0},
                               .mass = 1.0,
                               .inertia = {0.1, 0.1, 0.1}}};
    return sti_robot_create(links, 2, NULL);
}

static StiPlan *plan_of(const StiRobot *robot)
{
    StiPlan *plan = sti_plan_create();
    if (plan == NULL) return NULL;
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -9.81));
    const StiAdmittanceId hand =
        sti_plan_add_motion(plan, "hand", 1, (StiTimeFunction){.count = 2, .eval = pull});
    const StiAdmittanceId block = sti_plan_add_admittance(plan, "block", &sti_kind_point_mass,
                                                          &(StiPointMass){.dim = 1, .mass = 1.0});
    const StiAdmittanceId body =
        sti_plan_add_admittance(plan, "arm", &sti_kind_robot, &(StiRobotBody){.robot = robot});
    const StiWire between = sti_wire_coordinate_pair(block, 0, hand, 0, 1);
    const StiWire table = sti_wire_coordinate(block, 0, 1), joint = sti_wire_joint(body, robot, 1);
    const StiFiniteTime rule = {.dim = 1, .law = sti_law_coulomb(10.0)};
    sti_plan_add_impedance(plan, "spring", &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = 1, .K = 90.0}, &between);
    sti_plan_add_reaction(plan, "friction", &sti_kind_finite_time, &rule, &table);
    sti_plan_add_reaction(plan, "elbow", &sti_kind_finite_time, &rule, &joint);
    return plan;
}

static int record(const StiNetwork *network, StiState *state, StiScratch *scratch)
{
    const int channel = sti_network_channel_find(network, "block.x");
    StiRecorder *recorder = sti_recorder_create(network);
    StiCsv *csv = sti_csv_open("library.csv", network, &channel, 1);
    bool good = recorder != NULL && csv != NULL &&
                sti_recorder_begin(recorder, state, NULL, scratch) == STI_OK;
    for (int k = 0; good && k < 20; ++k)
        good = sti_run(network, NULL, state, scratch, 1) == STI_OK &&
               sti_recorder_follow(recorder, state, scratch) == STI_OK &&
               sti_csv_row(csv, 0.0, recorder) == STI_OK;
    if (csv != NULL) good = sti_csv_close(csv) == STI_OK && good;
    sti_recorder_destroy(recorder);
    return good ? 0 : 1;
}

static int follow(const StiNetwork *network)
{
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    int code = state != NULL && scratch != NULL ? record(network, state, scratch) : 1;
    if (code == 0) code = sti_state_save(state, "library.state") == STI_OK ? 0 : 1;
    if (code == 0) code = sti_state_load(state, "library.state") == STI_OK ? 0 : 1;
    if (code == 0) printf("%016llx\n", (unsigned long long)sti_state_hash(state));
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    return code;
}

int library_trial(void)
{
    StiRobot *robot = arm();
    StiPlan *plan = robot != NULL ? plan_of(robot) : NULL;
    StiReport *report = sti_report_create();
    StiNetwork *network = NULL;
    int code = 1;
    if (plan != NULL && report != NULL && sti_plan_compile(plan, report, &network) == STI_OK)
        code = follow(network);
    sti_network_destroy(network);
    sti_report_destroy(report);
    sti_plan_destroy(plan);
    sti_robot_destroy(robot);
    return code;
}
