#include "study/study_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "command/load.h"
#include "study/study.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

// One line of the table.
typedef struct Claim {
    char *variant; // NULL: the scene itself
    char *method;
    double step, scale;
    double error; // only an upper bound if below
    bool below;
    double order; // NaN: not claimed
    double over;  // from this many steps in one
} Claim;

typedef struct Table {
    Claim *claims;
    int count;
} Table;

static const double factor = 3.0, order_tolerance = 0.3;

// ---- reading ------------------------------------------------------------------------------------

enum { FIELDS = 7 };
static const char header[] = "variant,method,step,scale,error,order,over";

static bool number_in(const char *field, double *value)
{
    char *end;
    if (field[0] == '\0') return true;
    *value = strtod(field, &end);
    return *end == '\0';
}

static bool read_claim(char *line, Claim *claim)
{
    char *fields[FIELDS];
    int count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *field = line; field != NULL && count < FIELDS; ++count) {
        fields[count] = field;
        field = strchr(field, ',');
        if (field != NULL) *field++ = '\0';
    }
    if (count != FIELDS) return false;
    *claim = (Claim){.scale = 1.0, .order = NAN, .over = 2.0, .below = fields[4][0] == '<'};
    const bool good = number_in(fields[2], &claim->step) && number_in(fields[3], &claim->scale) &&
                      number_in(fields[4] + claim->below, &claim->error) &&
                      number_in(fields[5], &claim->order) && number_in(fields[6], &claim->over) &&
                      claim->step > 0.0 && claim->scale > 0.0 && claim->error > 0.0 &&
                      claim->over > 1.0 && fields[1][0] != '\0';
    if (good && fields[0][0] != '\0') claim->variant = text_new("%s", fields[0]);
    if (good) claim->method = text_new("%s", fields[1]);
    return good;
}

static int read_lines(FILE *file, const char *path, Table *table)
{
    char *line = NULL;
    size_t size = 0;
    int code = CODE_GOOD;
    bool headed = false;
    for (int number = 1; code == CODE_GOOD && getline(&line, &size, file) > 0; ++number) {
        Claim claim;
        if (line[0] == '#') continue;
        if (!headed && strncmp(line, header, strlen(header)) == 0) {
            headed = true;
            continue;
        }
        if (!headed || !read_claim(line, &claim)) {
            terminal_error("%s:%d: must be %s%s", path, number, header,
                           headed ? ", numbers from step on" : "");
            code = CODE_BAD_INPUT;
            break;
        }
        Claim *more = take((size_t)table->count + 1, sizeof *more);
        if (table->count > 0) memcpy(more, table->claims, (size_t)table->count * sizeof *more);
        free(table->claims);
        table->claims = more;
        table->claims[table->count++] = claim;
    }
    free(line);
    return code;
}

static int read_table(const char *path, Table *table)
{
    FILE *file = load_open(path);
    if (file == NULL) return CODE_FILE;
    const int code = read_lines(file, path, table);
    fclose(file);
    return code;
}

static void release(Table *table)
{
    for (int i = 0; i < table->count; ++i) {
        free(table->claims[i].variant);
        free(table->claims[i].method);
    }
    free(table->claims);
}

// ---- measuring ----------------------------------------------------------------------------------

static int measure(const Arguments *arguments, const Claim *claim, double step, const Exact *exact,
                   Result *result)
{
    char *changes[] = {text_new("method=%s", claim->method), text_new("step=%.17g", step), NULL};
    const int code =
        study_measure(arguments, (const char *const *)changes, exact, claim->scale, false, result);
    free(changes[0]);
    free(changes[1]);
    return code;
}

static const char *verdict_of(const Claim *claim, double error, double order)
{
    const bool rough = !(error <= factor * claim->error);
    const bool other = !isnan(claim->order) && !(fabs(order - claim->order) <= order_tolerance);
    if (rough || other) return "FAIL";
    return claim->below || error >= claim->error / factor ? "ok" : "ok, smaller";
}

static void print_claim(const Claim *claim, double error, double order, const char *verdict)
{
    char orders[32] = "";
    if (!isnan(claim->order)) snprintf(orders, sizeof orders, "%.2f (%.2f)", order, claim->order);
    printf("  %-16s %-10s %-8g %9.2e (%s%.1e) %12s  %s%s%s\n",
           claim->variant != NULL ? claim->variant : "scene", claim->method, claim->step, error,
           claim->below ? "<" : "", claim->error, orders,
           terminal_ink(stdout, strcmp(verdict, "FAIL") == 0 ? INK_BAD : INK_GOOD), verdict,
           terminal_ink(stdout, INK_PLAIN));
    fflush(stdout);
}

static int judge(const Arguments *arguments, const Claim *claim, const Exact *exact, bool *holds)
{
    Result fine = {0}, coarse = {.error = {NAN, NAN}};
    int code = measure(arguments, claim, claim->step, exact, &fine);
    if (code == CODE_GOOD && !isnan(claim->order))
        code = measure(arguments, claim, claim->over * claim->step, exact, &coarse);
    if (code != CODE_GOOD) return code;
    const double order = log(coarse.error.end / fine.error.end) / log(claim->over);
    const char *verdict = verdict_of(claim, fine.error.end, order);
    *holds = strcmp(verdict, "FAIL") != 0;
    if (!arguments->quiet || !*holds) print_claim(claim, fine.error.end, order, verdict);
    return CODE_GOOD;
}

static bool same_variant(const Claim *a, const Claim *b)
{
    if (a->variant == NULL || b->variant == NULL) return a->variant == b->variant;
    return strcmp(a->variant, b->variant) == 0;
}

int study_check(const Arguments *arguments, const char *path)
{
    Table table = {0};
    Exact exact = {0};
    int failed = 0, code = read_table(path, &table);
    Arguments one = *arguments;
    if (code == CODE_GOOD && !arguments->quiet)
        printf("  %s%-16s %-10s %-8s %9s %11s %12s%s\n", terminal_ink(stdout, INK_BOLD), "variant",
               "method", "step, s", "error", "(claimed)", "order", terminal_ink(stdout, INK_PLAIN));
    for (int i = 0; i < table.count && code == CODE_GOOD; ++i) {
        const Claim *claim = &table.claims[i];
        bool holds = false;
        one.variant = claim->variant;
        if (i == 0 || !same_variant(claim, claim - 1)) {
            exact_release(&exact);
            code = exact_find(&one, &exact);
        }
        if (code == CODE_GOOD) code = judge(&one, claim, &exact, &holds);
        failed += !holds;
    }
    if (code == CODE_GOOD && (!arguments->quiet || failed > 0))
        printf("  %d of %d rows hold\n", table.count - failed, table.count);
    exact_release(&exact);
    release(&table);
    return code == CODE_GOOD && failed > 0 ? CODE_FAILED : code;
}
