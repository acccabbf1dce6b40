// A scene inside a program: joints and inputs by name, a control loop at 1 kHz, a parameter that changes
// on the way, and a state that is saved to memory and restored.
#include <stdio.h>
#include <stdlib.h>

#include <stiction/scene.h>
#include <stiction/stiction.h>

typedef struct Arm {
    StiAdmittanceId body;
    int angle, rate; // of the shoulder, among the numbers of the body
    int volts;       // among the inputs of a step
} Arm;

static StiScene *load(const char *path)
{
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_load(path, NULL, messages);
    for (int i = 0; scene == NULL && i < sti_messages_count(messages); ++i) {
        const StiMessage *message = sti_messages_at(messages, i);
        fprintf(stderr, "%s:%d:%d: %s\n", message->file, message->line, message->column,
                message->text);
    }
    sti_messages_destroy(messages);
    return scene;
}

static int find_arm(const StiScene *scene, Arm *arm)
{
    StiFound joint, input;
    if (!sti_scene_find(scene, "arm.shoulder", &joint) || joint.role != STI_JOINT) return 0;
    if (!sti_scene_find(scene, "volts", &input) || input.role != STI_INPUT) return 0;
    *arm = (Arm){joint.body, joint.position, joint.velocity, input.number};
    return 1;
}

// Proportional and derivative control towards 0.5 rad.
static StiStatus run(const StiNetwork *network, const Arm *arm, StiState *state,
                     StiScratch *scratch, int steps)
{
    double inputs[1] = {0.0}; // sti_network_input_count(network) of them
    const double *q = sti_state_positions(state, network, arm->body) + arm->angle;
    const double *qd = sti_state_velocities(state, network, arm->body) + arm->rate;
    StiStatus status = STI_OK;
    for (int k = 0; k < steps && status == STI_OK; ++k) {
        inputs[arm->volts] = 30.0 * (0.5 - *q) - 2.0 * *qd;
        status = sti_step(network, inputs, state, scratch);
    }
    printf("t = %.3f s: %.6f rad, %g rad/s\n", sti_network_time(network, sti_state_k(state)), *q,
           *qd);
    return status;
}

// More friction from now on: the plan compiles to a network of the same layout, which takes the state
// over.
static StiStatus run_worn(StiPlan *plan, const Arm *arm, StiState *state, int steps)
{
    StiNetwork *worn;
    if (sti_plan_set(plan, "friction.level", 6.0) != STI_OK) return STI_BAD_ARGUMENT;
    StiStatus status = sti_plan_compile(plan, NULL, &worn);
    if (status != STI_OK) {
        fprintf(stderr, "%s\n", sti_report_finding(sti_plan_findings(plan), 0)->text);
        return status;
    }
    StiState *own = sti_state_create(worn);
    StiScratch *scratch = sti_scratch_create(worn);
    status = sti_state_copy(own, state);
    if (status == STI_OK) status = run(worn, arm, own, scratch, steps);
    if (status == STI_OK) status = sti_state_copy(state, own);
    sti_scratch_destroy(scratch);
    sti_state_destroy(own);
    sti_network_destroy(worn);
    return status;
}

int main(int count, char **words)
{
    StiScene *scene = load(count > 1 ? words[1] : "scene_in_a_loop.yaml");
    Arm arm;
    if (scene == NULL || !find_arm(scene, &arm)) return 1;
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    StiStatus status = run(scene->network, &arm, state, scratch, 200);

    const size_t size = sti_state_write(state, NULL, 0);
    void *saved = malloc(size);
    sti_state_write(state, saved, size);
    if (status == STI_OK) status = run(scene->network, &arm, state, scratch, 1800);
    const uint64_t first = sti_state_hash(state);

    if (status == STI_OK) status = sti_state_read(state, saved, size);
    if (status == STI_OK) status = run(scene->network, &arm, state, scratch, 1800);
    printf("restored: %s\n",
           sti_state_hash(state) == first ? "the same to the last bit" : "different");

    if (status == STI_OK) status = sti_state_read(state, saved, size);
    if (status == STI_OK) status = run_worn(scene->plan, &arm, state, 1800);
    if (status != STI_OK) fprintf(stderr, "%s\n", sti_status_text(status));
    free(saved);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_scene_destroy(scene);
    return status != STI_OK;
}
