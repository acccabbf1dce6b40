// mpirun -n 8 stiction-mpi sweep SCENE ...: a sweep over many processes, on one machine or many. Rank 0 hands out runs by a
// counter that the others fetch and raise one-sidedly, receives rows and writes them in order; the others compute.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command/command.h"
#include "stiction/lanes.h"
#include "study/sweep.h"
#include "terminal/interrupt.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

enum { TAG_ROW = 1, TAG_END = 2 };

// A row on its way; its numbers follow: varied parameters, then measures.
typedef struct Parcel {
    int64_t place, run;
    int32_t status;
    char reason[STI_REASON_SIZE];
} Parcel;

static size_t parcel_size(const StiDesign *design)
{
    return sizeof(Parcel) +
           sizeof(double) * ((size_t)design->varied_count + (size_t)design->measure_count);
}

static MPI_Win open_counter(int rank, int64_t **counter)
{
    MPI_Win window;
    MPI_Win_allocate(rank == 0 ? sizeof **counter : 0, sizeof **counter, MPI_INFO_NULL,
                     MPI_COMM_WORLD, counter, &window);
    return window;
}

// ---- rank 0 -------------------------------------------------------------------------------------------------

// Rows that came before their turn, by place from `first` on.
typedef struct Waiting {
    unsigned char *parcels;
    bool *ready;
    size_t size; // of a parcel
    int64_t first, capacity;
} Waiting;

static unsigned char *slot_of(const Waiting *waiting, int64_t place)
{
    return waiting->parcels + (size_t)(place % waiting->capacity) * waiting->size;
}

static void make_room(Waiting *waiting, int64_t place)
{
    if (place - waiting->first < waiting->capacity) return;
    Waiting larger = *waiting;
    while (place - waiting->first >= larger.capacity)
        larger.capacity = larger.capacity > 0 ? 2 * larger.capacity : 1024;
    larger.parcels = take((size_t)larger.capacity, larger.size);
    larger.ready = take((size_t)larger.capacity, sizeof *larger.ready);
    for (int64_t i = waiting->first; i < waiting->first + waiting->capacity; ++i) {
        if (!waiting->ready[i % waiting->capacity]) continue;
        memcpy(slot_of(&larger, i), slot_of(waiting, i), waiting->size);
        larger.ready[i % larger.capacity] = true;
    }
    free(waiting->parcels);
    free(waiting->ready);
    *waiting = larger;
}

static bool hand_rows(Sweep *sweep, Waiting *waiting)
{
    const StiDesign *design = sti_study_design(sweep->study);
    while (waiting->capacity > 0 && waiting->ready[waiting->first % waiting->capacity]) {
        const unsigned char *bytes = slot_of(waiting, waiting->first);
        Parcel parcel;
        memcpy(&parcel, bytes, sizeof parcel);
        StiStudyRow row = {.run = parcel.run, .status = (StiStatus)parcel.status};
        row.values = (const double *)(const void *)(bytes + sizeof parcel);
        row.measures = row.values + design->varied_count;
        memcpy(row.reason, parcel.reason, sizeof row.reason);
        waiting->ready[waiting->first % waiting->capacity] = false;
        ++waiting->first;
        if (!sweep_take_row(sweep, &row)) return false;
    }
    return true;
}

// A message, if there is one: a row, or the word that a rank has nothing more to do.
static bool receive(Waiting *waiting, unsigned char *bytes, int *working)
{
    MPI_Status status;
    int came = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &came, &status);
    if (!came) return false;
    MPI_Recv(bytes, (int)waiting->size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (status.MPI_TAG == TAG_END) {
        --*working;
        return true;
    }
    int64_t place;
    memcpy(&place, bytes, sizeof place);
    make_room(waiting, place);
    memcpy(slot_of(waiting, place), bytes, waiting->size);
    waiting->ready[place % waiting->capacity] = true;
    return true;
}

static StiStatus collect(Sweep *sweep, int ranks)
{
    Waiting waiting = {.size = parcel_size(sti_study_design(sweep->study)), .first = sweep->next};
    unsigned char *bytes = take(1, waiting.size);
    StiStatus status = STI_OK;
    int working = ranks - 1;
    while (working > 0 && status == STI_OK) {
        if (!receive(&waiting, bytes, &working))
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL); // leave the processor to others
        if (!hand_rows(sweep, &waiting) || interrupt_came()) status = STI_INTERRUPTED;
    }
    free(bytes);
    free(waiting.parcels);
    free(waiting.ready);
    return status;
}

static bool begun; // the others wait for the word to begin, or that there is nothing to do

static StiStatus distribute(Sweep *sweep, int jobs)
{
    int ranks;
    int64_t first = sweep->next, *counter;
    (void)jobs; // each rank is one thread
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    begun = true;
    MPI_Bcast(&first, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    MPI_Win window = open_counter(0, &counter);
    *counter = first;
    MPI_Barrier(MPI_COMM_WORLD); // the counter has its start value
    const StiStatus status = collect(sweep, ranks);
    if (status == STI_OK) MPI_Win_free(&window);
    return status;
}

static int lead(const Arguments *arguments)
{
    int64_t none = -1;
    const int code = sweep_run(arguments, distribute);
    if (!begun) MPI_Bcast(&none, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    if (code == CODE_INTERRUPTED || code == CODE_FILE) MPI_Abort(MPI_COMM_WORLD, code);
    return code;
}

// ---- the others ---------------------------------------------------------------------------------------------

// Reserves `count` consecutive runs for this rank; returns the first.
static int64_t take_places(MPI_Win window, int64_t count)
{
    int64_t first;
    MPI_Fetch_and_op(&count, &first, MPI_INT64_T, 0, 0, MPI_SUM, window);
    MPI_Win_flush(0, window);
    return first;
}

static bool is_interrupted(void *context)
{
    (void)context;
    return interrupt_came();
}

static void send_row(const StiDesign *design, const StiStudyRow *row, int64_t place,
                     unsigned char *bytes)
{
    Parcel parcel = {.place = place, .run = row->run, .status = (int32_t)row->status};
    memcpy(parcel.reason, row->reason, sizeof parcel.reason);
    double *numbers = (double *)(void *)(bytes + sizeof parcel);
    memcpy(bytes, &parcel, sizeof parcel);
    memcpy(numbers, row->values, (size_t)design->varied_count * sizeof *numbers);
    memcpy(numbers + design->varied_count, row->measures,
           (size_t)design->measure_count * sizeof *numbers);
    MPI_Send(bytes, (int)parcel_size(design), MPI_BYTE, 0, TAG_ROW, MPI_COMM_WORLD);
}

// As many runs at a time as go side by side, but at least one for each rank that computes.
static int64_t share_of_rank(const StiStudy *study, int64_t runs)
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int64_t share = runs / (ranks - 1), most = sti_study_together(study);
    return share < 1 ? 1 : share < most ? share : most;
}

static void compute(const StiStudy *study, Shard shard, MPI_Win window)
{
    const StiDesign *design = sti_study_design(study);
    const int64_t runs = sweep_runs_of(sti_study_runs(study), shard);
    const int64_t share = share_of_rank(study, runs);
    unsigned char *bytes = take(1, parcel_size(design));
    StiStudyWorker *worker = sti_study_worker_create(study);
    if (worker == NULL) end_out_of_memory();
    sti_study_worker_watch(worker, is_interrupted, NULL);
    for (int64_t first; !interrupt_came() && (first = take_places(window, share)) < runs;) {
        const int count = (int)(first + share <= runs ? share : runs - first);
        int64_t numbers[STI_LANES];
        for (int i = 0; i < count; ++i) numbers[i] = shard.number + (first + i) * shard.count;
        const StiStudyRow *rows = sti_study_worker_run_together(worker, numbers, count);
        bool interrupted = false;
        for (int i = 0; i < count; ++i) interrupted = interrupted || rows[i].status == STI_INTERRUPTED;
        if (interrupted) break;
        for (int i = 0; i < count; ++i) send_row(design, &rows[i], first + i, bytes);
    }
    MPI_Send(bytes, 0, MPI_BYTE, 0, TAG_END, MPI_COMM_WORLD);
    sti_study_worker_destroy(worker);
    free(bytes);
}

// What is wrong with the command or the scene is said by rank 0.
static int help_out(const Arguments *arguments)
{
    Shard shard;
    int64_t first, *counter;
    StiStudy *study =
        sweep_read_shard(arguments->shard, &shard) ? sweep_load(arguments, true) : NULL;
    MPI_Bcast(&first, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    if (first >= 0 && study == NULL) MPI_Abort(MPI_COMM_WORLD, CODE_BAD_INPUT);
    if (first >= 0) {
        MPI_Win window = open_counter(1, &counter);
        MPI_Barrier(MPI_COMM_WORLD);
        interrupt_watch();
        MPI_Win_lock_all(0, window);
        compute(study, shard, window);
        MPI_Win_unlock_all(window);
        interrupt_unwatch();
        MPI_Win_free(&window);
    }
    sti_study_destroy(study);
    return CODE_GOOD;
}

int main(int count, char **texts)
{
    int rank, ranks, code = CODE_BAD_INPUT;
    MPI_Init(&count, &texts);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    interrupt_listen();
    Arguments arguments = {0};
    const bool sweeps = count > 1 && strcmp(texts[1], "sweep") == 0;
    if (rank == 0 && !sweeps) terminal_error("stiction-mpi has one command: sweep SCENE");
    if (rank == 0 && sweeps && ranks == 1)
        terminal_error("start it with mpirun -n N: one rank writes, N - 1 compute");
    if (sweeps && ranks > 1 && arguments_read(&command_sweep, count - 2, texts + 2, &arguments))
        code = rank == 0 ? lead(&arguments) : help_out(&arguments);
    arguments_release(&arguments);
    MPI_Finalize();
    return rank == 0 || code == CODE_GOOD ? code : CODE_GOOD;
}
