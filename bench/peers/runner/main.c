// bench_peers FOLDER [quick [ID]]
// Runs all cases through all simulators and writes FOLDER/RESULTS.md and FOLDER/results/*.csv.
// quick: fewer repetitions, for trying; ID: only runs whose id (name of the CSV) begins so.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "experiments.h"

static void write_settings(FILE *file)
{
    fprintf(
        file,
        "\n## Who ran, with which settings\n\n| simulator | settings | meaning |\n|---|---|---|\n");
    for (int p = 0; peers[p] != NULL; ++p)
        for (int v = 0; v < PEER_VARIANTS && peers[p]->variants[v].name != NULL; ++v) {
            char version[64];
            peers[p]->version(version, sizeof version);
            fprintf(file, "| %s | %s | %s |\n", version, peers[p]->variants[v].name,
                    peers[p]->variants[v].settings);
        }
    for (int i = 0; peers_missing[i] != NULL; ++i)
        fprintf(file, "\nSkipped: %s.\n", peers_missing[i]);
}

static void write_machine(FILE *file)
{
    char line[256], day[32];
    const time_t now = time(NULL);
    FILE *cpu = fopen("/proc/cpuinfo", "r");
    strftime(day, sizeof day, "%Y-%m-%d", gmtime(&now));
    fprintf(file, "Written by `make bench-peers` on %s", day);
    while (cpu != NULL && fgets(line, sizeof line, cpu) != NULL)
        if (strncmp(line, "model name", 10) == 0) {
            line[strcspn(line, "\n")] = '\0';
            fprintf(file, " on one core of: %s", strchr(line, ':') + 2);
            break;
        }
    if (cpu != NULL) fclose(cpu);
    fprintf(file,
            ".\nTimes are processor times, medians of runs that alternate between the simulators. "
            "`docs/benchmarks.md` says what was measured, how to repeat it and what it does not "
            "show.\n");
}

static void write_all(const char *folder, const char *tables, const char *losses)
{
    char path[512];
    snprintf(path, sizeof path, "%s/RESULTS.md", folder);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(1);
    }
    fprintf(file, "# stiction beside other simulators\n\n");
    write_machine(file);
    fprintf(file, "\n## Where stiction is not the best\n\n%s",
            losses[0] != '\0' ? losses : "Nowhere in this run.\n");
    write_settings(file);
    fprintf(file, "%s", tables);
    fclose(file);
}

int main(int count, char **arguments)
{
    if (count < 2) return fprintf(stderr, "usage: bench_peers FOLDER [quick [ID]]\n"), 2;
    const bool quick = count > 2 && strcmp(arguments[2], "quick") == 0;
    char folder[512], *tables, *losses;
    size_t size;
    snprintf(folder, sizeof folder, "%s/results", arguments[1]);
    Report report = {open_memstream(&tables, &size), NULL, folder, count > 3 ? arguments[3] : NULL};
    size_t losses_size;
    report.losses = open_memstream(&losses, &losses_size);
    process_pin(true);
    for (int i = 0; peers_missing[i] != NULL; ++i) printf("skipped: %s\n", peers_missing[i]);
    if (!check_physics()) return 1;
    run_experiments(&report, quick ? 1 : 3);
    run_costs(&report, quick ? 11 : 101);
    run_work_precision(&report, quick ? 1 : 3);
    run_batch(&report, quick ? 100 : 1000);
    fclose(report.tables);
    fclose(report.losses);
    write_all(arguments[1], tables, losses);
    free(tables), free(losses);
    return 0;
}
