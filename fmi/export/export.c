#include "export/export.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stiction/draft.h>
#include <stiction/version.h>

#include "base/hash.h"
#include "base/locale.h"
#include "export/choose.h"
#include "export/describe.h"
#include "export/files.h"
#include "export/sources.h"
#include "export/zip.h"

extern const char sti_fmu_binary[], sti_fmu_binary_end[];

typedef struct Export {
    const StiScene *given;
    const FmuOptions *options;
    StiScene *scene; // as the FMU will read it
    char *plain;
    FmuText lines; // of resources/stiction.txt
    Description description;
    Variables variables;
    Exported exported;
    char identifier[64];
    Zip zip;
    StiMessages *messages;
} Export;

static bool complain(const Export *e, const char *text)
{
    sti_messages_add(e->messages, STI_ERROR, e->given->path, text);
    return false;
}

// "arm.fmu" and "scenes/six-axis-arm/scene.yaml" become arm and six_axis_arm.
static void name_model(Export *e, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const size_t length = strcspn(name, ".");
    size_t to = 0;
    if (!isalpha((unsigned char)name[0])) e->identifier[to++] = 'm';
    for (size_t i = 0; i < length && to + 1 < sizeof e->identifier; ++i)
        e->identifier[to++] =
            (char)(isalnum((unsigned char)name[i]) && (unsigned char)name[i] < 128 ? name[i] : '_');
    if (to == 0) e->identifier[to++] = 'm';
    e->identifier[to] = '\0';
}

// Messages about the scene were shown when it was read: of this reading only errors matter.
static bool read_as_fmu(Export *e)
{
    e->plain = sti_scene_plain(e->given);
    StiMessages *messages = sti_messages_create();
    if (e->plain != NULL && messages != NULL)
        e->scene = sti_scene_read(e->plain, strlen(e->plain), e->given->path, NULL, messages);
    for (int i = 0; e->scene == NULL && messages != NULL && i < sti_messages_count(messages); ++i) {
        const StiMessage *message = sti_messages_at(messages, i);
        if (message->severity == STI_ERROR) complain(e, message->text);
    }
    sti_messages_destroy(messages);
    if (e->scene != NULL && e->given->adaptive != NULL)
        sti_messages_add(e->messages, STI_NOTE, e->given->path,
                         "co-simulation takes fixed steps in place of the scene's error control; "
                         "with model exchange "
                         "the importer controls errors");
    return e->scene != NULL || (e->plain == NULL && complain(e, "out of memory"));
}

static bool describe(Export *e)
{
    char why[256] = "out of memory";
    char *text = malloc(e->lines.length + 1);
    if (text == NULL || e->lines.failed) {
        free(text);
        return complain(e, why);
    }
    memcpy(text, e->lines.bytes, e->lines.length + 1);
    if (!description_read(text, &e->description)) return complain(e, why);
    return variables_create(e->scene, &e->description, &e->variables, why, sizeof why) ||
           complain(e, why);
}

static void put_token(FmuText *to, uint64_t hash)
{
    uint64_t second = sti_hash_bytes(hash ^ UINT64_C(0x9e3779b97f4a7c15), &hash, sizeof hash);
    fmu_text_add(to, "token {%08x-%04x-%04x-%04x-%04x%08x}\n", (unsigned)(hash >> 32),
                 (unsigned)(hash >> 16) & 0xffff, (unsigned)hash & 0xffff, (unsigned)(second >> 48),
                 (unsigned)(second >> 32) & 0xffff, (unsigned)second);
}

// Chooses variables; the scene and its files go into the archive.
static bool gather(Export *e)
{
    FmuText chosen = {0};
    char *place = NULL;
    uint64_t hash = sti_hash_text(STI_HASH_START, STI_VERSION);
    bool good = choose_variables(e->scene, e->options, &chosen, e->messages);
    good = good && files_add(e->scene, e->plain, &e->zip, &place, &hash, e->messages);
    if (good) {
        hash = sti_hash_bytes(hash, &e->options->version, sizeof e->options->version);
        if (chosen.bytes != NULL) hash = sti_hash_text(hash, chosen.bytes);
        hash = sti_hash_bytes(hash, sti_fmu_binary, (size_t)(sti_fmu_binary_end - sti_fmu_binary));
        put_token(&e->lines, hash);
        fmu_text_add(&e->lines, "scene %s\n", place);
        fmu_text_append(&e->lines, chosen.bytes, chosen.length);
        zip_add(&e->zip, "resources/stiction.txt", e->lines.bytes, e->lines.length);
    }
    e->lines.failed = e->lines.failed || chosen.failed;
    fmu_text_release(&chosen);
    free(place);
    return good;
}

static void add_text(Export *e, const char *name, void (*write)(FmuText *, const Exported *))
{
    FmuText text = {0};
    write(&text, &e->exported);
    if (text.failed) e->zip.bytes.failed = true;
    if (text.length > 0) zip_add(&e->zip, name, text.bytes, text.length);
    fmu_text_release(&text);
}

static bool assemble(Export *e)
{
    const bool three = e->options->version == 3;
    char binary[160];
    e->exported =
        (Exported){.scene = e->scene,
                   .description = &e->description,
                   .variables = &e->variables,
                   .identifier = e->identifier,
                   .title = e->scene->title != e->scene->path ? e->scene->title : e->identifier,
                   .about = e->scene->description,
                   .exchange = e->variables.state_count > 0};
    const char **sources = e->options->sources ? sources_add(e->options->version, &e->zip) : NULL;
    e->exported.sources = sources;
    if (e->options->sources && sources == NULL) return complain(e, "out of memory");
    if (three && sources != NULL) add_text(e, "sources/buildDescription.xml", describe_build);
    add_text(e, "modelDescription.xml", three ? describe_fmi3 : describe_fmi2);
    add_text(e, "documentation/index.html", describe_page);
    if (three) add_text(e, "terminalsAndIcons/terminalsAndIcons.xml", describe_terminals);
    snprintf(binary, sizeof binary, "binaries/%s/%s.so", three ? "x86_64-linux" : "linux64",
             e->identifier);
    zip_add(&e->zip, binary, sti_fmu_binary, (size_t)(sti_fmu_binary_end - sti_fmu_binary));
    sources_release(sources);
    return zip_finish(&e->zip) || complain(e, "out of memory, or files of more than 2 GB");
}

static StiStatus write_file(const Export *e, const char *path)
{
    StiDraft *draft = sti_draft_open(path);
    if (draft == NULL) return STI_FILE_ERROR;
    FILE *file = fopen(sti_draft_name(draft), "wb");
    bool good = file != NULL &&
                fwrite(e->zip.bytes.bytes, 1, e->zip.bytes.length, file) == e->zip.bytes.length;
    int why = errno;
    if (file != NULL && fclose(file) != 0) {
        if (good) why = errno;
        good = false;
    }
    const StiStatus status = sti_draft_close(draft, good ? STI_DRAFT_COMPLETE : STI_DRAFT_REMOVED);
    if (!good) errno = why;
    return good ? status : STI_FILE_ERROR;
}

static void summarize(const Export *e, FmuSummary *summary)
{
    *summary = (FmuSummary){.inputs = e->description.input_count,
                            .outputs = e->description.output_count,
                            .parameters = e->description.parameter_count,
                            .states = e->variables.state_count,
                            .indicators = e->variables.indicator_count,
                            .exchange = e->exported.exchange,
                            .size = e->zip.bytes.length};
    memcpy(summary->identifier, e->identifier, sizeof summary->identifier);
    for (int i = 0; i < e->description.parameter_count; ++i)
        summary->tunables += e->description.parameters[i].tunable;
}

StiStatus fmu_export(const StiScene *scene, const FmuOptions *options, const char *path,
                     FmuSummary *summary, StiMessages *messages)
{
    Export e = {.given = scene, .options = options, .messages = messages};
    const StiLocale locale = sti_locale_begin();
    name_model(&e, path);
    StiStatus status = STI_BAD_ARGUMENT;
    if (read_as_fmu(&e) && gather(&e) && describe(&e) && assemble(&e)) {
        summarize(&e, summary);
        status = write_file(&e, path);
    }
    variables_release(&e.variables);
    description_release(&e.description);
    fmu_text_release(&e.lines);
    zip_release(&e.zip);
    sti_scene_destroy(e.scene);
    free(e.plain);
    sti_locale_end(locale);
    return status;
}
