// Between two steps: FMUs whose period ends there take their step, give their outputs to the network, and see the channels
// as they are. So what they answer to the channels at t holds from t + period on.
#include "command/drive.h"

#include <math.h>
#include <stdlib.h>

#include <stiction/record.h>

#include "command/command.h"
#include "import/import.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

typedef struct Driver {
    const StiSceneFmu *fmu;
    ForeignFmu *foreign;
    StiReading **readings; // of its inputs
    double *inputs, *outputs;
    int *places; // of its outputs among the inputs of the network
    int64_t every;
} Driver;

struct Drive {
    Session *session;
    Driver *drivers;
    int count;
    double *inputs; // of the network
};

static bool complain(const Drive *drive, const Driver *driver)
{
    const char *error =
        driver->foreign != NULL ? foreign_fmu_error(driver->foreign) : "out of memory";
    if (error == NULL) return true;
    terminal_error("stopped at t = %.9g s: the FMU '%s': %s", session_time(drive->session),
                   driver->fmu->name, error);
    return false;
}

static void read_channels(const Drive *drive, Driver *driver)
{
    const double t = session_time(drive->session);
    for (int i = 0; i < driver->fmu->input_count; ++i)
        driver->inputs[i] = sti_reading_value(driver->readings[i], t, drive->session->recorder);
}

static bool give_outputs(Drive *drive, Driver *driver)
{
    if (!foreign_fmu_outputs(driver->foreign, driver->outputs)) return complain(drive, driver);
    for (int i = 0; i < driver->fmu->output_count; ++i)
        drive->inputs[driver->places[i]] = driver->outputs[i];
    return true;
}

static bool begin(void *context)
{
    Drive *drive = context;
    for (int i = 0; i < drive->count; ++i) {
        Driver *driver = &drive->drivers[i];
        read_channels(drive, driver);
        if (!foreign_fmu_begin(driver->foreign, session_time(drive->session), driver->inputs))
            return complain(drive, driver);
        if (!give_outputs(drive, driver)) return false;
    }
    return true;
}

static bool advance(Drive *drive, Driver *driver, int64_t k)
{
    const double t = sti_network_time(drive->session->scene->network, k - driver->every);
    return (foreign_fmu_step(driver->foreign, t, driver->fmu->period) || complain(drive, driver)) &&
           give_outputs(drive, driver);
}

// Channels are those after the step that ended: the order of FMUs does not matter.
static bool before_step(void *context)
{
    Drive *drive = context;
    const int64_t k = sti_state_k(drive->session->state);
    if (k == 0) return true;
    for (int i = 0; i < drive->count; ++i) {
        Driver *driver = &drive->drivers[i];
        if (k % driver->every != 0) continue;
        if (!advance(drive, driver, k)) return false;
        read_channels(drive, driver);
        if (!foreign_fmu_set_inputs(driver->foreign, driver->inputs))
            return complain(drive, driver);
    }
    return true;
}

static bool prepare(Drive *drive, Driver *driver, const StiSceneFmu *fmu)
{
    const StiNetwork *network = drive->session->scene->network;
    driver->fmu = fmu;
    driver->every = (int64_t)llround(fmu->period / sti_network_step(network));
    driver->readings = take((size_t)fmu->input_count, sizeof *driver->readings);
    driver->inputs = take((size_t)fmu->input_count, sizeof *driver->inputs);
    driver->outputs = take((size_t)fmu->output_count, sizeof *driver->outputs);
    driver->places = take((size_t)fmu->output_count, sizeof *driver->places);
    for (int i = 0; i < fmu->output_count; ++i)
        driver->places[i] = sti_network_input(network, fmu->outputs[i].to);
    for (int i = 0; i < fmu->input_count; ++i) {
        driver->readings[i] = sti_reading_create(network, fmu->inputs[i].from);
        if (driver->readings[i] == NULL) return complain(drive, driver);
    }
    driver->foreign = foreign_fmu_create(fmu);
    return complain(drive, driver);
}

Drive *drive_create(Session *session)
{
    const StiScene *scene = session->scene;
    Drive *drive = take(1, sizeof *drive);
    *drive = (Drive){.session = session,
                     .drivers = take((size_t)scene->fmu_count, sizeof *drive->drivers),
                     .inputs = take((size_t)sti_network_input_count(scene->network),
                                    sizeof *drive->inputs)};
    sti_network_usual_inputs(scene->network, drive->inputs);
    for (int i = 0; i < scene->fmu_count; ++i) {
        ++drive->count;
        if (prepare(drive, &drive->drivers[i], &scene->fmus[i])) continue;
        drive_destroy(drive);
        return NULL;
    }
    session->driven = (Driven){begin, before_step, drive, drive->inputs};
    return drive;
}

static void release(Driver *driver)
{
    foreign_fmu_destroy(driver->foreign);
    for (int i = 0; driver->readings != NULL && i < driver->fmu->input_count; ++i)
        sti_reading_destroy(driver->readings[i]);
    free(driver->readings);
    free(driver->inputs);
    free(driver->outputs);
    free(driver->places);
}

void drive_destroy(Drive *drive)
{
    if (drive == NULL) return;
    for (int i = 0; i < drive->count; ++i) release(&drive->drivers[i]);
    free(drive->drivers);
    free(drive->inputs);
    free(drive);
}
