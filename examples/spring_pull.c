// [fixed-step] Simulation I: a spring-pulled block under six friction models, recorded side by side
// into out/spring_pull.csv. What is stuck stays stuck in some of them; this shows in which.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <stiction/stiction.h>

enum { STEPS = 4000, MODELS = 6 };

static void pull(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 2.0 * fmin(t, 2.0);
    values[1] = t < 2.0 ? 2.0 : 0.0;
}

typedef struct Model {
    const char *name;
    const StiReactionKind *reaction; // one of the two kinds
    const StiImpedanceKind *impedance;
    const void *parameters;
} Model;

// Everything one run needs; the plan is gone after compiling.
typedef struct Run {
    StiNetwork *network;
    StiState *state;
    StiScratch *scratch;
    StiRecorder *recorder;
    int v, force, stick;
} Run;

static StiNetwork *build(const Model *model)
{
    StiPlan *plan = sti_plan_create();
    const StiAdmittanceId hand =
        sti_plan_add_motion(plan, "hand", 1, (StiTimeFunction){.count = 2, .eval = pull});
    const StiAdmittanceId block = sti_plan_add_admittance(plan, "block", &sti_kind_point_mass,
                                                          &(StiPointMass){.dim = 1, .mass = 1.0});
    const StiWire between = sti_wire_coordinate_pair(block, 0, hand, 0, 1);
    const StiWire on_table = sti_wire_coordinate(block, 0, 1);
    sti_plan_add_impedance(plan, "spring", &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = 1, .K = 90.0}, &between);
    if (model->reaction != NULL)
        sti_plan_add_reaction(plan, "friction", model->reaction, model->parameters, &on_table);
    else
        sti_plan_add_impedance(plan, "friction", model->impedance, model->parameters, &on_table);
    StiReport *report = sti_report_create();
    StiNetwork *network = NULL;
    if (sti_plan_compile(plan, report, &network) != STI_OK) {
        char text[4096];
        sti_report_print(report, text, sizeof text);
        fputs(text, stderr);
        exit(1);
    }
    sti_report_destroy(report);
    sti_plan_destroy(plan);
    return network;
}

static Run start(const Model *model)
{
    Run run = {.network = build(model)};
    run.state = sti_state_create(run.network);
    run.scratch = sti_scratch_create(run.network);
    run.recorder = sti_recorder_create(run.network);
    run.v = sti_network_channel_find(run.network, "block.v");
    run.force = sti_network_channel_find(run.network, "friction.force");
    run.stick = sti_network_channel_find(run.network, "friction.stick");
    if (sti_recorder_begin(run.recorder, run.state, NULL, run.scratch) != STI_OK) exit(1);
    return run;
}

static void finish(Run *run)
{
    sti_recorder_destroy(run->recorder);
    sti_scratch_destroy(run->scratch);
    sti_state_destroy(run->state);
    sti_network_destroy(run->network);
}

static void write_row(FILE *file, const Run *runs)
{
    fprintf(file, "%.17g", sti_network_time(runs[0].network, sti_state_k(runs[0].state)));
    for (int i = 0; i < MODELS; ++i)
        fprintf(file, ",%.17g,%.17g", sti_recorder_value(runs[i].recorder, runs[i].v),
                sti_recorder_value(runs[i].recorder, runs[i].force));
    fputc('\n', file);
}

int main(void)
{
    const StiLaw coulomb = sti_law_coulomb(10.0);
    const StiFiniteTime finite_time = {.dim = 1, .law = coulomb};
    const StiKarnopp karnopp = {.dim = 1, .law = coulomb, .eps = 1e-2};
    const StiQuinn quinn = {.dim = 1, .law = coulomb, .eps = 1e-4};
    const StiElasticCoulomb elastic = {.dim = 1, .law = coulomb, .K = 1e5, .B = 100.0};
    const StiLuGre lugre = {.law = coulomb, .sigma0 = 1e5, .sigma1 = 100.0};
    const StiDahl dahl = {.law = coulomb, .K = 1e5, .alpha = 1.0};
    const Model models[MODELS] = {
        {"finite-time", &sti_kind_finite_time, NULL, &finite_time},
        {"karnopp", &sti_kind_karnopp, NULL, &karnopp},
        {"quinn", &sti_kind_quinn, NULL, &quinn},
        {"elastic-coulomb", NULL, &sti_kind_elastic_coulomb, &elastic},
        {"lugre", NULL, &sti_kind_lugre, &lugre},
        {"dahl", NULL, &sti_kind_dahl, &dahl},
    };
    FILE *file = fopen("out/spring_pull.csv", "w");
    if (file == NULL) {
        fputs("cannot write out/spring_pull.csv: make the folder out first\n", stderr);
        return 1;
    }
    Run runs[MODELS];
    fputc('t', file);
    for (int i = 0; i < MODELS; ++i) {
        runs[i] = start(&models[i]);
        fprintf(file, ",%s.v,%s.force", models[i].name, models[i].name);
    }
    fputc('\n', file);
    write_row(file, runs);
    for (int k = 0; k < STEPS; ++k) {
        for (int i = 0; i < MODELS; ++i) {
            if (sti_run(runs[i].network, NULL, runs[i].state, runs[i].scratch, 1) != STI_OK)
                return 1;
            sti_recorder_follow(runs[i].recorder, runs[i].state, runs[i].scratch);
        }
        write_row(file, runs);
    }
    printf("A 1 kg block, friction 10 N, pulled by a spring until t = 2 s; at t = 4 s:\n\n");
    printf("  %-16s %14s %14s %12s\n", "model", "velocity m/s", "friction N", "dissipated J");
    for (int i = 0; i < MODELS; ++i) {
        printf("  %-16s %14.3g %14.4f %12.4f\n", models[i].name,
               sti_recorder_value(runs[i].recorder, runs[i].v),
               sti_recorder_value(runs[i].recorder, runs[i].force),
               sti_recorder_energy(runs[i].recorder).dissipated);
        finish(&runs[i]);
    }
    printf("\nexact: stops at 2.0212 s and then holds 2.4064 N indefinitely\n");
    return fclose(file) == 0 ? 0 : 1;
}
