#include "files/provenance.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <stiction/version.h>

#include "terminal/text.h"

// NULL where it cannot be read any more.
static char *file_text(const char *path)
{
    struct stat about;
    errno = 0;
    FILE *file = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "r") : NULL;
    char *text = NULL;
    size_t size = 0;
    if (file == NULL && errno == ENOMEM) end_out_of_memory();
    if (file == NULL) return NULL;
    if (getdelim(&text, &size, '\0', file) < 0) {
        if (!feof(file) && !ferror(file)) end_out_of_memory();
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

// "friction.level=12" line by line; NULL if nothing was changed.
static char *changes_text(const StiSceneOptions *options)
{
    char *text = NULL;
    for (int i = 0; options != NULL && i < options->set_count; ++i) {
        char *longer = text_new("%s%s%s", text != NULL ? text : "", text != NULL ? "\n" : "",
                                options->sets[i]);
        free(text);
        text = longer;
    }
    return text;
}

static void add(Provenance *provenance, const char *name, const char *text)
{
    if (text != NULL && text[0] != '\0')
        provenance->notes[provenance->count++] = (StiNote){name, text};
}

Provenance provenance_of(const StiScene *scene, const StiSceneOptions *options)
{
    Provenance provenance = {.scene = file_text(scene->path), .changes = changes_text(options)};
    add(&provenance, "title", scene->title);
    add(&provenance, "description", scene->description);
    add(&provenance, "version", "stiction " STI_VERSION);
    add(&provenance, "path", scene->path);
    add(&provenance, "scene", provenance.scene);
    add(&provenance, "variant", options != NULL ? options->variant : NULL);
    add(&provenance, "changes", provenance.changes);
    return provenance;
}

void provenance_release(Provenance *provenance)
{
    free(provenance->scene);
    free(provenance->changes);
}
