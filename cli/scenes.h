// The scenes that come with the project: files *.yaml below papers/ and scenes/.
#ifndef STICTION_CLI_SCENES_H
#define STICTION_CLI_SCENES_H

typedef struct SceneFile {
    char *name; // "fixed-step/spring-pull" for papers/fixed-step/spring-pull/scene.yaml
    char *path; // of the file
} SceneFile;

typedef struct SceneFiles {
    int count;
    SceneFile *files; // in the order of their names
} SceneFiles;

// The folder that holds papers/ or scenes/: root if given, else the present one, else where the
// program's data are installed. A new text; NULL after a message.
char *scenes_root(const char *root);
SceneFiles scenes_find(const char *root, const char *folder); // below root/folder; may be none
void scenes_release(SceneFiles *files);

#endif
