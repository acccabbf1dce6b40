#include "endpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "interrupt.h"
#include "load.h"
#include "session.h"
#include "text.h"

const char *const endpoint_methods[2] = {"{adaptive: fehlberg, rtol: 1e-13, atol: 1e-14}",
                                         "{adaptive: verner, rtol: 1e-12, atol: 1e-13}"};

static bool is_motion(const char *unit)
{
    static const char *const units[] = {"m", "rad", "m/s", "rad/s"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; ++i)
        if (strcmp(units[i], unit) == 0) return true;
    return false;
}

static void take_values(const Session *session, Endpoint *endpoint)
{
    const StiScene *scene = session->scene;
    endpoint->names = take((size_t)scene->record_count, sizeof *endpoint->names);
    endpoint->values = take((size_t)scene->record_count, sizeof *endpoint->values);
    for (int i = 0; i < scene->record_count; ++i) {
        const int number = channels_find(&session->channels, scene->record[i]);
        StiChannel channel;
        if (number < 0 || !sti_network_channel(scene->network, number, &channel)) continue;
        if (!is_motion(channel.unit)) continue;
        endpoint->names[endpoint->count] = text_new("%s", channel.name);
        endpoint->values[endpoint->count++] = sti_recorder_value(session->recorder, number);
    }
}

static int run_to_the_end(Session *session, Endpoint *endpoint)
{
    const clock_t began = clock();
    StiStatus status = session_begin(session);
    for (int64_t k = 0; status == STI_OK && k < session->scene->steps; ++k) {
        if (interrupt_came()) return CODE_INTERRUPTED;
        status = session_step(session);
    }
    endpoint->seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    if (status != STI_OK) {
        session_complain(session);
        return CODE_FAILED;
    }
    take_values(session, endpoint);
    return CODE_GOOD;
}

int endpoint_reach(const Arguments *arguments, const char *const *changes, Endpoint *endpoint)
{
    int count = 0;
    while (changes[count] != NULL) ++count;
    const char **sets = take((size_t)(arguments->set_count + count), sizeof *sets);
    for (int i = 0; i < arguments->set_count; ++i) sets[i] = arguments->sets[i];
    for (int i = 0; i < count; ++i) sets[arguments->set_count + i] = changes[i];
    const StiSceneOptions options = {.sets = sets,
                                     .set_count = arguments->set_count + count,
                                     .variant = arguments->variant};
    StiScene *scene = NULL;
    *endpoint = (Endpoint){0};
    interrupt_watch();
    int code = load_without_expectations(arguments->words[0], &options, true, &scene);
    Session *session = code == CODE_GOOD ? session_create(scene) : NULL;
    if (code == CODE_GOOD) code = session != NULL ? run_to_the_end(session, endpoint) : CODE_FAILED;
    session_destroy(session);
    if (scene != NULL) sti_scene_destroy(scene);
    free(sets);
    return code;
}

void endpoint_release(Endpoint *endpoint)
{
    for (int i = 0; i < endpoint->count; ++i) free(endpoint->names[i]);
    free(endpoint->names);
    free(endpoint->values);
}

double endpoint_distance(const Endpoint *endpoint, const Endpoint *reference)
{
    double sum = 0.0;
    for (int i = 0; i < reference->count; ++i) {
        double difference = NAN;
        for (int j = 0; j < endpoint->count; ++j)
            if (strcmp(endpoint->names[j], reference->names[i]) == 0)
                difference = endpoint->values[j] - reference->values[i];
        sum = hypot(sum, difference);
    }
    return sum;
}

int endpoint_refer(const Arguments *arguments, Endpoint *reference, double *doubt)
{
    Endpoint second = {0};
    char *changes[2];
    for (int i = 0; i < 2; ++i) changes[i] = text_new("method=%s", endpoint_methods[i]);
    int code = endpoint_reach(arguments, (const char *[]){changes[0], NULL}, reference);
    if (code == CODE_GOOD)
        code = endpoint_reach(arguments, (const char *[]){changes[1], NULL}, &second);
    *doubt = endpoint_distance(&second, reference);
    endpoint_release(&second);
    for (int i = 0; i < 2; ++i) free(changes[i]);
    return code;
}
