#include "command/scenes.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/load.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

static bool is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static bool holds_scenes(const char *root)
{
    char *papers = text_new("%s/papers", root), *scenes = text_new("%s/scenes", root);
    const bool found = load_is_folder(papers) || load_is_folder(scenes);
    free(papers);
    free(scenes);
    return found;
}

// The folder of this program, so that an installation may be moved; "" where it cannot be known.
static void find_program(char *folder, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash != NULL) *slash = '\0';
}

// The first place that holds scenes: here, the installation, the source. A new text, or NULL.
static char *find_root(void)
{
    char program[4096];
    find_program(program, sizeof program);
    char *const places[] = {text_new("."), text_new("%s/../share/stiction", program),
                            text_new("%s/..", program), text_new("%s", STI_DATA_DIR)};
    char *found = NULL;
    for (int i = 0; i < 4; ++i) {
        if (found == NULL && holds_scenes(places[i]))
            found = places[i];
        else
            free(places[i]);
    }
    return found;
}

char *scenes_root(const char *root)
{
    if (root != NULL) {
        if (holds_scenes(root)) return text_new("%s", root);
        terminal_error("there is no papers/ and no scenes/ in %s", root);
        return NULL;
    }
    char *found = find_root();
    if (found == NULL)
        terminal_error("there is no papers/ and no scenes/ here; --root DIR says where they are");
    return found;
}

static void add(SceneFiles *files, const char *name, const char *path)
{
    SceneFile *more = realloc(files->files, (size_t)(files->count + 1) * sizeof *more);
    if (more == NULL) return;
    files->files = more;
    more[files->count++] = (SceneFile){.name = text_new("%s", name), .path = text_new("%s", path)};
}

enum { DEEPEST = 4 };

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

static void search(SceneFiles *files, const char *folder, const char *name, int depth);

// folder/scene.yaml has the name of its folder, any other file its own.
static void visit(SceneFiles *files, const char *folder, const char *name, const char *entry,
                  int depth)
{
    char *path = text_new("%s/%s", folder, entry);
    char *inner = text_new("%s%s%s", name, name[0] != '\0' ? "/" : "", entry);
    if (load_is_folder(path)) {
        search(files, path, inner, depth + 1);
    } else if (is_file(path) && ends_with(entry, ".yaml")) {
        inner[strlen(inner) - strlen(".yaml")] = '\0';
        add(files, strcmp(entry, "scene.yaml") == 0 && name[0] != '\0' ? name : inner, path);
    }
    free(path);
    free(inner);
}

// name: of the folder, below the one that was asked for; "" for that one itself.
static void search(SceneFiles *files, const char *folder, const char *name, int depth)
{
    DIR *listing = depth < DEEPEST ? opendir(folder) : NULL;
    if (listing == NULL) return;
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;)
        if (entry->d_name[0] != '.') visit(files, folder, name, entry->d_name, depth);
    closedir(listing);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const SceneFile *)a)->name, ((const SceneFile *)b)->name);
}

static void search_folder(SceneFiles *files, const char *root, const char *folder, const char *name)
{
    const int before = files->count;
    char *top = strcmp(root, ".") == 0 ? text_new("%s", folder) : text_new("%s/%s", root, folder);
    search(files, top, name, 0);
    free(top);
    if (files->count > before + 1)
        qsort(files->files + before, (size_t)(files->count - before), sizeof *files->files,
              by_name);
}

SceneFiles scenes_find(const char *root)
{
    SceneFiles files = {0};
    search_folder(&files, root, "papers", "");
    search_folder(&files, root, "scenes", "scenes");
    return files;
}

char *scenes_file(const char *name)
{
    char *root = find_root(), *ending = text_new("/%s", name);
    SceneFiles files = root != NULL ? scenes_find(root) : (SceneFiles){0};
    const char *found = NULL;
    int endings = 0;
    for (int i = 0; i < files.count; ++i) {
        const bool same = strcmp(files.files[i].name, name) == 0;
        if (!same && !ends_with(files.files[i].name, ending)) continue;
        found = files.files[i].path;
        endings = same ? 1 : endings + 1;
        if (same) break;
    }
    char *path = endings == 1 ? text_new("%s", found) : NULL;
    scenes_release(&files);
    free(ending);
    free(root);
    return path;
}

void scenes_release(SceneFiles *files)
{
    for (int i = 0; i < files->count; ++i) {
        free(files->files[i].name);
        free(files->files[i].path);
    }
    free(files->files);
}
