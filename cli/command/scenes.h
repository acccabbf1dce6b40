// The scenes that come with the project: files *.yaml below papers/ and scenes/.
#ifndef STICTION_CLI_SCENES_H
#define STICTION_CLI_SCENES_H

typedef struct SceneFile {
    // "fixed-step/spring-pull" for papers/fixed-step/spring-pull/scene.yaml,
    // "scenes/two-link-arm" for scenes/two-link-arm/scene.yaml
    char *name;
    char *path; // of the file
} SceneFile;

typedef struct SceneFiles {
    int count;
    SceneFile *files; // in the order of their names
} SceneFiles;

// The folder that holds papers/ or scenes/: root if given, else the present one, else where the
// program's data are installed. A new text; NULL after a message.
char *scenes_root(const char *root);
SceneFiles scenes_find(const char *root); // of the papers, then our own; may be none
// The file of the scene "fixed-step/spring-pull", "scenes/two-link-arm" or, where no other scene ends
// so, "two-link-arm". A new text; NULL: there is none, or several.
char *scenes_file(const char *name);
void scenes_release(SceneFiles *files);

#endif
