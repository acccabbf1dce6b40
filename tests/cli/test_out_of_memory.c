// The program and the library, where one allocation fails: an error, never a signal, and never a result
// that looks good and is another. Each trial is a process of its own. Allocations of HDF5, SUNDIALS and of
// C++ are not touched: these libraries do not survive them.
// STI_MEMORY_ALL=1: each of the first 3000 and 1000 later ones; else a selection.
// With arguments, the words of another command: that one alone, at each of the first 3000.
// STI_MEMORY_AT=N STI_MEMORY_CASE=I: one trial, in this process; STI_MEMORY_STOP=1: for a debugger.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "library_trial.h"
#include "support/random.h"

int stiction_main(int count, char **texts);

// ---- an allocator that fails once ------------------------------------------------------------------

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

static long countdown = -1; // fails where it comes to 0
static long counted;
static bool stops; // for a debugger, where it fails

enum { MOST_RANGES = 200 };
static struct {
    uintptr_t from, to;
} excused[MOST_RANGES];
static int excused_count;

static int find_excused(struct dl_phdr_info *info, size_t size, void *context)
{
    static const char *const names[] = {"hdf5", "sundials", "libsz",  "libaec",
                                        "libz", "curl",     "crypto", "libm."};
    (void)size, (void)context;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (strstr(info->dlpi_name, names[i]) == NULL) continue;
        for (int k = 0; k < info->dlpi_phnum && excused_count < MOST_RANGES; ++k) {
            const ElfW(Phdr) *part = &info->dlpi_phdr[k];
            if (part->p_type != PT_LOAD) continue;
            excused[excused_count].from = info->dlpi_addr + part->p_vaddr;
            excused[excused_count++].to = info->dlpi_addr + part->p_vaddr + part->p_memsz;
        }
        break;
    }
    return 0;
}

static bool fails(const void *caller)
{
    if (countdown < 0 && counted < 0) return false;
    const uintptr_t from = (uintptr_t)caller;
    for (int i = 0; i < excused_count; ++i)
        if (from >= excused[i].from && from < excused[i].to) return false;
    ++counted;
    const bool now = countdown > 0 && --countdown == 0;
    if (now && stops) raise(SIGTRAP);
    if (now) errno = ENOMEM; // as malloc does: fopen fails by this reason
    return now;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}
void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}
void *realloc(void *memory, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

// ---- trials ------------------------------------------------------------------------------------------

typedef struct Case {
    const char *name;
    const char *texts[12]; // of the command line; none: the library
} Case;

static const Case cases[] = {
    {"run",
     {"run", SOURCE_DIR "/tests/cli/scenes/robots.yaml", "-q", "-o", "out.csv", "--stop", "0.02"}},
    {"run to MCAP",
     {"run", SOURCE_DIR "/scenes/slider-crank/scene.yaml", "-q", "-o", "out.mcap", "--stop",
      "0.01"}},
    {"check", {"check", SOURCE_DIR "/scenes/two-link-arm/scene.yaml"}},
    {"compare",
     {"compare", SOURCE_DIR "/tests/cli/scenes/spring.yaml", "--models", "coulomb,karnopp", "-q",
      "-o", "out.csv", "--set", "friction.eps=0.01"}},
    {"urdf", {"urdf", SOURCE_DIR "/tests/cli/scenes/robots.yaml", "arm", "-o", "out.urdf"}},
    {"reference",
     {"reference", SOURCE_DIR "/tests/cli/scenes/spring.yaml", "-q", "--stop", "0.02", "-o",
      "out.csv"}},
    {"an error", {"check", SOURCE_DIR "/tests/golden/eight-errors.yaml"}},
    {"library", {NULL}},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static int perform(const Case *trial)
{
    if (trial->texts[0] == NULL) return library_trial();
    char *texts[14] = {(char *)"stiction"};
    int count = 1;
    for (; count < 13 && trial->texts[count - 1] != NULL; ++count)
        texts[count] = (char *)(uintptr_t)trial->texts[count - 1];
    return stiction_main(count, texts);
}

// What a good run leaves: standard output and its file.
typedef struct Results {
    char *bytes;
    size_t size;
} Results;

static Results read_results(void)
{
    static const char *const names[] = {"stdout", "out.csv", "out.mcap", "out.urdf"};
    Results results = {0};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        FILE *file = fopen(names[i], "rb");
        struct stat about;
        if (file == NULL) continue;
        if (fstat(fileno(file), &about) != 0) abort();
        const size_t more = (size_t)about.st_size;
        results.bytes = realloc(results.bytes, results.size + more + 1);
        results.size += fread(results.bytes + results.size, 1, more, file);
        fclose(file);
    }
    return results;
}

static void clear(void)
{
    DIR *here = opendir(".");
    for (struct dirent *entry; here != NULL && (entry = readdir(here)) != NULL;)
        if (entry->d_name[0] != '.') remove(entry->d_name);
    if (here != NULL) closedir(here);
}

static void be_trial(const Case *trial, long at, int pipe_end)
{
    const struct rlimit seconds = {20, 20}, no_core = {0, 0};
    const int out = open("stdout", O_CREAT | O_TRUNC | O_WRONLY, 0600);
    const int none = open("/dev/null", O_WRONLY);
    setrlimit(RLIMIT_CPU, &seconds);
    setrlimit(RLIMIT_CORE, &no_core);
    dup2(out, STDOUT_FILENO);
    dup2(none, STDERR_FILENO);
    counted = 0;
    countdown = at > 0 ? at : 0;
    const int code = perform(trial);
    fflush(stdout);
    const long seen = counted;
    counted = countdown = -1;
    if (pipe_end >= 0 && write(pipe_end, &seen, sizeof seen) != sizeof seen) _exit(99);
    _exit(code);
}

// at 0: nothing fails. Returns the wait status; *seen: how many allocations there were.
static int run_trial(const Case *trial, long at, long *seen)
{
    int ends[2], status = 0;
    *seen = 0;
    clear();
    if (pipe(ends) != 0) abort();
    fflush(stdout); // or the child would print it once more
    const pid_t child = fork();
    if (child == 0) be_trial(trial, at, ends[1]);
    close(ends[1]);
    if (read(ends[0], seen, sizeof *seen) != sizeof *seen) *seen = 0;
    close(ends[0]);
    waitpid(child, &status, 0);
    return status;
}

static int judge(const Case *trial, long at, int status, int good_code, const Results *good)
{
    if (WIFSIGNALED(status)) {
        printf("%s: signal %d where allocation %ld fails\n", trial->name, WTERMSIG(status), at);
        return 1;
    }
    if (WEXITSTATUS(status) != good_code) return 0;
    const Results results = read_results();
    const bool same = results.size == good->size &&
                      (good->size == 0 || memcmp(results.bytes, good->bytes, good->size) == 0);
    free(results.bytes);
    if (same) return 0;
    printf("%s: another result, and exit code %d, where allocation %ld fails\n", trial->name,
           good_code, at);
    return 1;
}

static int try_case(const Case *trial, bool all)
{
    const long first = all ? 3000 : 150, later = all ? 1000 : 150;
    long total, seen;
    int failures = 0;
    Random random = {11};
    const int status = run_trial(trial, 0, &total);
    if (!WIFEXITED(status) || total == 0) {
        printf("%s: does not run at all (%d)\n", trial->name, status);
        return 1;
    }
    const Results good = read_results();
    for (long i = 0; i < first + later; ++i) {
        const long at =
            i < first && (all || i % 2 == 0) ? i + 1 : 1 + (long)random_below(&random, (int)total);
        if (at > total) continue;
        failures += judge(trial, at, run_trial(trial, at, &seen), WEXITSTATUS(status), &good);
    }
    printf("%-12s %ld allocations, %d failures\n", trial->name, total, failures);
    free(good.bytes);
    return failures;
}

static Case given_case(int count, char **words)
{
    Case given = {.name = words[1]};
    for (int i = 1; i < count && i < 12; ++i) given.texts[i - 1] = words[i];
    return given;
}

int main(int count, char **words)
{
    const char *one = getenv("STI_MEMORY_AT"), *which = getenv("STI_MEMORY_CASE");
    counted = countdown = -1;
    dl_iterate_phdr(find_excused, NULL);
    char folder[] = "memory.XXXXXX";
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) return 1;
    if (one != NULL && which != NULL) {
        stops = getenv("STI_MEMORY_STOP") != NULL;
        counted = 0;
        countdown = strtol(one, NULL, 10);
        const Case given = given_case(count, words);
        return perform(count > 1 ? &given : &cases[strtol(which, NULL, 10) % CASES]);
    }
    int failures = 0;
    const Case given = given_case(count, words);
    if (count > 1) failures = try_case(&given, true);
    for (int i = 0; count == 1 && i < CASES; ++i)
        failures += try_case(&cases[i], getenv("STI_MEMORY_ALL") != NULL);
    clear();
    if (chdir("..") == 0) rmdir(folder);
    return failures > 0;
}
