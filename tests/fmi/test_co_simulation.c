// Co-simulation gives the bits of the library's own steps, in every scene and in random ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stiction/record.h>

#include "importer.h"
#include "making.h"
#include "support/files.h"
#include "support/random.h"

// The scene as the library itself runs it.
typedef struct Reference {
    StiScene *scene;
    StiState *state;
    StiScratch *scratch;
    StiRecorder *recorder;
} Reference;

// Without error control, as an FMU has it.
static Reference reference_of(const StiScene *scene)
{
    StiMessages *messages = sti_messages_create();
    char *plain = sti_scene_plain(scene);
    Reference r = {.scene = sti_scene_read(plain, strlen(plain), scene->path, NULL, messages)};
    assert_non_null(r.scene);
    sti_messages_destroy(messages);
    free(plain);
    r.state = sti_state_create(r.scene->network);
    r.scratch = sti_scratch_create(r.scene->network);
    r.recorder = sti_recorder_create(r.scene->network);
    assert_int_equal(sti_recorder_begin(r.recorder, r.state, NULL, r.scratch), STI_OK);
    return r;
}

static StiStatus reference_step(Reference *r)
{
    const StiStatus status = sti_step(r->scene->network, NULL, r->state, r->scratch);
    return status == STI_OK ? sti_recorder_follow(r->recorder, r->state, r->scratch) : status;
}

static void reference_end(Reference *r)
{
    sti_recorder_destroy(r->recorder);
    sti_scratch_destroy(r->scratch);
    sti_state_destroy(r->state);
    sti_scene_destroy(r->scene);
}

static int outputs_that_differ(const Fmu2 *fmu, fmi2Component c, const Reference *r)
{
    int different = 0;
    StiChannel channel;
    for (int i = 0; sti_network_channel(r->scene->network, i, &channel); ++i) {
        const int reference = fmu_reference(fmu->xml, channel.name);
        if (reference < 0) continue;
        const fmi2ValueReference at = (fmi2ValueReference)reference;
        double value = 0.0;
        assert_int_equal(fmu->fmi2GetReal(c, &at, 1, &value), fmi2OK);
        const double expected = sti_recorder_value(r->recorder, i);
        if (memcmp(&value, &expected, sizeof value) == 0 || (value == 0.0 && expected == 0.0))
            continue;
        if (different++ == 0)
            print_message("%s: %.17g, not %.17g\n", channel.name, value, expected);
    }
    return different;
}

// steps communication steps of `many` internal ones each.
static void compare(const StiScene *scene, const char *archive, int steps, int many)
{
    Fmu2 fmu;
    make_fmu(scene, archive, 2);
    assert_true(fmu2_open(&fmu, archive, "unpacked"));
    Reference r = reference_of(scene);
    const double T = sti_network_step(r.scene->network);
    fmi2Component c = fmu2_instantiate(&fmu, "one", fmi2CoSimulation);
    if (c == NULL) print_message("%s\n", last_message);
    assert_non_null(c);
    if (!fmu2_begin(&fmu, c, scene->start)) fail_msg("%s: %s", scene->path, last_message);
    int different = outputs_that_differ(&fmu, c, &r);
    for (int k = 0; k < steps && different == 0; ++k) {
        StiStatus status = STI_OK;
        for (int i = 0; i < many && status == STI_OK; ++i) status = reference_step(&r);
        const fmi2Status got = fmu.fmi2DoStep(c, scene->start + k * (many * T), many * T, fmi2True);
        assert_int_equal(got, status == STI_OK ? fmi2OK : fmi2Error);
        if (status != STI_OK) break;
        different += outputs_that_differ(&fmu, c, &r);
    }
    if (different > 0) print_message("%s\n", scene->path);
    assert_int_equal(different, 0);
    fmu.fmi2FreeInstance(c);
    reference_end(&r);
    fmu2_close(&fmu);
}

static void every_scene(void **state)
{
    (void)state;
    static const char *const patterns[] = {SOURCE_DIR "/scenes/*/scene.yaml",
                                           SOURCE_DIR "/papers/*/*/scene.yaml"};
    for (int p = 0; p < 2; ++p) {
        glob_t found = files_like(patterns[p]);
        for (size_t i = 0; i < found.gl_pathc; ++i) {
            StiScene *scene = scene_of_file(found.gl_pathv[i]);
            compare(scene, "scene.fmu", 12, 1);
            sti_scene_destroy(scene);
        }
        globfree(&found);
    }
}

static void an_arm_for_a_second(void **state)
{
    (void)state;
    StiScene *scene = scene_of_file(SOURCE_DIR "/scenes/six-axis-arm/scene.yaml");
    compare(scene, "arm.fmu", 100, 10);
    sti_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_scene),
                                       cmocka_unit_test(an_arm_for_a_second)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
