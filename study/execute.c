// The runs of a study on several threads, rows in order.
#define _POSIX_C_SOURCE 200809L
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stiction/lanes.h"
#include "study.h"

// A row that waits for those before it.
typedef struct Slot {
    StiStudyRow row;
    bool ready;
} Slot;

enum { WINDOW = 4096 };

typedef struct Queue {
    const StiStudy *study;
    const StiStudyTask *task;
    Slot *slots;
    double *numbers;       // of each slot: values, then measures
    omp_lock_t lock;       // of all that follows
    int64_t taken, handed; // places in the order of next
    bool ended, failed;
} Queue;

static double *numbers_of(const Queue *queue, int64_t place)
{
    const StiDesign *design = queue->study->scene->study;
    return queue->numbers + (place % WINDOW) * (design->varied_count + design->measure_count);
}

// A place in the order and its run; -1 where there is none, -2 where a row before it has to come first.
static int64_t take_run(Queue *queue, int64_t *place)
{
    int64_t run = -1;
    omp_set_lock(&queue->lock);
    if (!queue->ended && queue->taken - queue->handed >= WINDOW) {
        run = -2;
    } else if (!queue->ended) {
        run = queue->task->next(queue->task->context);
        *place = queue->taken;
        if (run < 0)
            queue->ended = true;
        else
            ++queue->taken;
    }
    omp_unset_lock(&queue->lock);
    return run;
}

static void hand_rows(Queue *queue)
{
    while (!queue->failed && queue->handed < queue->taken) {
        Slot *slot = &queue->slots[queue->handed % WINDOW];
        if (!slot->ready) return;
        slot->ready = false;
        if (!queue->task->row(queue->task->context, &slot->row))
            queue->ended = queue->failed = true;
        ++queue->handed;
    }
}

static void put_row(Queue *queue, int64_t place, const StiStudyRow *row)
{
    const StiDesign *design = queue->study->scene->study;
    omp_set_lock(&queue->lock);
    Slot *slot = &queue->slots[place % WINDOW];
    double *numbers = numbers_of(queue, place);
    memcpy(numbers, row->values, (size_t)design->varied_count * sizeof *numbers);
    memcpy(numbers + design->varied_count, row->measures,
           (size_t)design->measure_count * sizeof *numbers);
    slot->row = *row;
    slot->row.values = numbers;
    slot->row.measures = numbers + design->varied_count;
    slot->ready = true;
    hand_rows(queue);
    omp_unset_lock(&queue->lock);
}

static bool is_stopped(const Queue *queue)
{
    return queue->task->stop != NULL && queue->task->stop(queue->task->context);
}

static void give_up(Queue *queue)
{
    omp_set_lock(&queue->lock);
    queue->ended = queue->failed = true;
    omp_unset_lock(&queue->lock);
}

// So many runs at once that all threads have some.
static int most_together(const Queue *queue)
{
    const int64_t share = sti_study_runs(queue->study) / omp_get_num_threads();
    const int most = sti_study_together(queue->study);
    return share < 1 ? 1 : share < most ? (int)share : most;
}

// Their places in the order; 0: there is none now, *ended: nor will there be.
static int take_runs(Queue *queue, int most, int64_t *runs, int64_t *places, bool *ended)
{
    int count = 0;
    *ended = false;
    while (count < most) {
        const int64_t run = take_run(queue, &places[count]);
        *ended = run == -1;
        if (run < 0) break;
        runs[count++] = run;
    }
    return count;
}

static bool put_rows(Queue *queue, const int64_t *places, const StiStudyRow *rows, int count)
{
    for (int i = 0; i < count; ++i) {
        if (rows[i].status == STI_INTERRUPTED) return false;
        put_row(queue, places[i], &rows[i]);
    }
    return true;
}

static void work(Queue *queue)
{
    StiStudyWorker *worker = sti_study_worker_create(queue->study);
    int64_t runs[STI_LANES], places[STI_LANES];
    const int most = most_together(queue);
    if (worker == NULL) {
        give_up(queue);
        return;
    }
    sti_study_worker_watch(worker, queue->task->stop, queue->task->context);
    for (bool ended = false; !ended;) {
        const int count = take_runs(queue, most, runs, places, &ended);
        if (count > 0 &&
            !put_rows(queue, places, sti_study_worker_run_together(worker, runs, count), count)) {
            give_up(queue);
            break;
        }
        if (count > 0 || ended) continue;
        if (is_stopped(queue)) break;
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
    sti_study_worker_destroy(worker);
}

StiStatus sti_study_execute(const StiStudy *study, const StiStudyTask *task)
{
    const StiDesign *design = study->scene->study;
    const size_t width = (size_t)design->varied_count + (size_t)design->measure_count;
    Queue queue = {.study = study, .task = task};
    queue.slots = calloc(WINDOW, sizeof *queue.slots);
    queue.numbers = calloc(WINDOW * width, sizeof *queue.numbers);
    const bool memory = queue.slots != NULL && queue.numbers != NULL;
    const int threads = task->threads > 0 ? task->threads : omp_get_num_procs();
    if (memory) {
        omp_init_lock(&queue.lock);
#pragma omp parallel num_threads(threads)
        work(&queue);
        omp_destroy_lock(&queue.lock);
    }
    free(queue.slots);
    free(queue.numbers);
    if (!memory) return STI_OUT_OF_MEMORY;
    return queue.failed ? STI_INTERRUPTED : STI_OK;
}
