#include "support/net.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = NET_METHODS * (NET_LEVELS + SCENE_VERSIONS) };

typedef struct Cell {
    int passed, failed, worst_seed;
    double worst;
    char detail[240];
} Cell;

typedef struct Sheet {
    Cell cells[NET_METHODS][NET_JUDGES];
    int refused[NET_METHODS], late[NET_METHODS];
    double seconds[NET_METHODS];
} Sheet;

typedef struct Net {
    const NetPlan *plan;
    RandomScene *scenes[SCENE_VERSIONS];
    NetRun *runs; // RUNS of them
} Net;

static unsigned marks(const Net *net, const char *kind, NetMethod method)
{
    for (int i = 0; i < net->plan->family_count; ++i)
        if (strcmp(net->plan->families[i].kind, kind) == 0 &&
            net->plan->families[i].method == method)
            return net->plan->families[i].fails;
    return 0;
}

static bool wanted(const char *variable, const char *name)
{
    const char *value = getenv(variable);
    return value == NULL || strcmp(value, name) == 0;
}

static NetScene as_scene(const NetCase *c, const RandomScene *scene)
{
    return (NetScene){.text = scene->text,
                      .path = c->from_file ? scene->text : NULL,
                      .step = scene->step,
                      .stop = scene->stop,
                      .channels = scene->channels,
                      .channel_count = scene->channel_count};
}

static void run_method(const Net *net, NetCase *c, NetMethod method, Sheet *sheet)
{
    NetRun *runs = net->runs + method * (NET_LEVELS + SCENE_VERSIONS);
    const int levels = net_method_adapts(method) ? 1 : NET_LEVELS;
    for (int i = 0; i < levels; ++i) {
        const NetScene scene = as_scene(c, net->scenes[SCENE_PLAIN]);
        c->runs[method][i] = &runs[i];
        net_run(&scene, method, 1 << i, net->plan->seconds, &runs[i]);
        sheet->seconds[method] += runs[i].seconds;
        sheet->late[method] += runs[i].outcome == NET_LATE;
        if (runs[i].outcome != NET_DONE) { // the finer ones would not fare better
            for (int k = i + 1; k < levels; ++k) runs[k] = runs[i], c->runs[method][k] = &runs[k];
            return;
        }
    }
    if (method > NET_EVENTS || c->from_file) return;
    for (int v = SCENE_MIRRORED; v < SCENE_VERSIONS; ++v) {
        const NetScene scene = as_scene(c, net->scenes[v]);
        c->versions[method][v] = &runs[NET_LEVELS + v];
        net_run(&scene, method, 1, net->plan->seconds, &runs[NET_LEVELS + v]);
        sheet->seconds[method] += runs[NET_LEVELS + v].seconds;
    }
}

static void keep_scene(const Net *net, const NetCase *c)
{
    const char *folder = getenv("STI_NET_SCENES");
    char path[600];
    if (folder == NULL || c->from_file) return;
    snprintf(path, sizeof path, "%s/%s-%d.yaml", folder, c->kind, c->seed);
    FILE *file = fopen(path, "w");
    if (file == NULL) return;
    fputs(net->scenes[SCENE_PLAIN]->text, file);
    fclose(file);
}

static void note(Cell *cell, const NetVerdict *verdict, int seed)
{
    if (!verdict->asked) return;
    if (verdict->holds) {
        ++cell->passed;
        return;
    }
    if (cell->failed++ == 0 || verdict->excess > cell->worst) {
        cell->worst = verdict->excess;
        cell->worst_seed = seed;
        snprintf(cell->detail, sizeof cell->detail, "%s", verdict->detail);
    }
}

static void judge_case(const Net *net, const NetCase *c, Sheet *sheet)
{
    for (NetMethod m = 0; m < NET_METHODS; ++m) {
        if (c->runs[m][0] == NULL) continue;
        sheet->refused[m] += c->runs[m][0]->outcome == NET_REFUSED;
        if (c->from_file && c->runs[m][0]->outcome == NET_REFUSED)
            printf("%s %s refused: %s\n", c->kind, net_method_name(m), c->runs[m][0]->message);
        for (NetJudge j = 0; j < NET_JUDGES; ++j) {
            const NetVerdict verdict = net_judge(c, m, j);
            note(&sheet->cells[m][j], &verdict, c->seed);
            if (verdict.holds) continue;
            keep_scene(net, c);
            if (getenv("STI_NET_SEED") != NULL || getenv("STI_NET_SCENES") != NULL)
                printf("%s seed %d, %s, %s: %s\n", c->kind, c->seed, net_method_name(m),
                       net_judge_name(j), verdict.detail);
        }
    }
}

static void cast_case(const Net *net, NetCase *c, Sheet *sheet)
{
    for (NetMethod m = 0; m < NET_METHODS; ++m) {
        const bool hangs = sheet->late[m] > 1; // once more says no more
        const bool skip = !net->plan->all && (marks(net, c->kind, m) & 1u << JUDGE_ENDS) != 0;
        const bool asked = wanted("STI_NET_METHOD", net_method_name(m)) || m == NET_EVENTS;
        const bool short_of = !net->plan->all && c->seed > 0 && m > NET_EVENTS; // once is enough there
        const bool planned = !short_of && (net->plan->methods == 0 || m < net->plan->methods);
        if (!hangs && !skip && asked && planned) run_method(net, c, m, sheet);
    }
    judge_case(net, c, sheet);
}

static void cast_kind(const Net *net, const char *kind, Sheet *sheet)
{
    const char *one = getenv("STI_NET_SEED");
    const int first = one != NULL ? atoi(one) : 0, end = one != NULL ? first + 1 : net->plan->seeds;
    for (int seed = first; seed < end; ++seed) {
        NetCase c = {.kind = kind, .seed = seed, .scene = net->scenes[SCENE_PLAIN]};
        for (int v = 0; v < SCENE_VERSIONS; ++v)
            random_scene_make(net->scenes[v], kind, seed, (SceneVersion)v);
        cast_case(net, &c, sheet);
    }
}

static bool print_cell(const Net *net, const char *kind, NetMethod m, NetJudge j, const Cell *cell)
{
    const bool marked = (marks(net, kind, m) & 1u << j) != 0;
    const bool wrong = marked
                           ? net->plan->all && cell->failed == 0 && getenv("STI_NET_SEED") == NULL
                           : cell->failed > 0;
    if (cell->failed == 0 && !wrong) return false;
    printf("  %-13s %-15s %-9s %3d of %3d fail%s; worst seed %d: %s\n", kind, net_method_name(m),
           net_judge_name(j), cell->failed, cell->failed + cell->passed,
           !wrong   ? " as marked"
           : marked ? ": TAKE THE MARK AWAY"
                    : ": NOT MARKED",
           cell->worst_seed, cell->detail);
    return wrong;
}

// A row of the table of marks, as it would have to be.
static void print_marks(const char *kind, NetMethod m, unsigned fails)
{
    static const char *const words[NET_METHODS] = {"NET_RULE",      "NET_CUT",
                                                   "NET_EVENTS",    "NET_BDF",
                                                   "NET_REFERENCE", "NET_SEMI_IMPLICIT",
                                                   "NET_IMPLICIT"};
    bool first = true;
    printf("    {\"%s\", %s, ", kind, words[m]);
    for (NetJudge j = 0; j < NET_JUDGES; ++j) {
        if ((fails & 1u << j) == 0) continue;
        printf("%s", first ? "" : " | ");
        for (const char *c = net_judge_name(j); *c != '\0'; ++c) putchar(*c - 'a' + 'A');
        first = false;
    }
    printf("},\n");
}

static int print_sheet(const Net *net, const char *kind, const Sheet *sheet)
{
    int wrong = 0;
    for (NetMethod m = 0; m < NET_METHODS; ++m) {
        int passed = 0, failed = 0;
        unsigned fails = 0;
        bool off = false;
        for (NetJudge j = 0; j < NET_JUDGES; ++j) {
            passed += sheet->cells[m][j].passed, failed += sheet->cells[m][j].failed;
            if (sheet->cells[m][j].failed > 0) fails |= 1u << j;
        }
        if (passed + failed > 0)
            printf("%-13s %-15s %4d verdicts hold, %4d do not, refused %d, %.1f s\n", kind,
                   net_method_name(m), passed, failed, sheet->refused[m], sheet->seconds[m]);
        for (NetJudge j = 0; j < NET_JUDGES; ++j)
            off |= print_cell(net, kind, m, j, &sheet->cells[m][j]);
        if (fails != 0 && getenv("STI_NET_MARKS") != NULL) print_marks(kind, m, fails);
        wrong += off;
    }
    fflush(stdout);
    return wrong;
}

static Net net_open(const NetPlan *plan)
{
    Net net = {.plan = plan, .runs = net_runs_create(RUNS)};
    for (int v = 0; v < SCENE_VERSIONS; ++v) net.scenes[v] = calloc(1, sizeof *net.scenes[v]);
    return net;
}

static void net_close(Net *net)
{
    net_runs_destroy(net->runs, RUNS);
    for (int v = 0; v < SCENE_VERSIONS; ++v) free(net->scenes[v]);
}

int net_cast(const NetPlan *plan)
{
    Net net = net_open(plan);
    int wrong = 0;
    for (int k = 0; random_scene_kind(k) != NULL; ++k) {
        if (!wanted("STI_NET_KIND", random_scene_kind(k))) continue;
        Sheet *sheet = calloc(1, sizeof *sheet);
        cast_kind(&net, random_scene_kind(k), sheet);
        wrong += print_sheet(&net, random_scene_kind(k), sheet);
        free(sheet);
    }
    net_close(&net);
    return wrong;
}

static int cast_file(const Net *net, const char *kind, const char *path)
{
    RandomScene *scene = net->scenes[SCENE_PLAIN];
    int wrong = 0;
    if (!wanted("STI_NET_KIND", kind) || !net_scene_of_file(path, scene)) return 0;
    NetCase c = {.kind = kind, .scene = scene, .from_file = true};
    Sheet *sheet = calloc(1, sizeof *sheet);
    cast_case(net, &c, sheet);
    wrong = print_sheet(net, kind, sheet);
    free(sheet);
    return wrong;
}

int net_cast_files(const NetPlan *plan, const char *root, const char *const *patterns, int count)
{
    Net net = net_open(plan);
    int wrong = 0, number = 0;
    for (int i = 0; i < count; ++i) {
        char pattern[600], kind[200];
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s/%s", root, patterns[i]);
        if (glob(pattern, 0, NULL, &found) != 0) ++wrong; // a pattern without a file is a mistake
        for (size_t k = 0; k < found.gl_pathc; ++k) {
            snprintf(kind, sizeof kind, "%s", found.gl_pathv[k] + strlen(root) + 1);
            if (number++ % plan->file_stride == 0)
                wrong += cast_file(&net, kind, found.gl_pathv[k]);
        }
        globfree(&found);
    }
    net_close(&net);
    return wrong;
}
