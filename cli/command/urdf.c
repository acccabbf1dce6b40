// stiction urdf SCENE [BODY]: a robot of a scene as URDF.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stiction/urdf.h>

#include "command/command.h"
#include "command/load.h"
#include "files/output.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

// A new text: "arm, leg and tail".
static char *names_of(const StiScene *scene)
{
    char *names = text_new("%s", scene->robots[0].name);
    for (int i = 1; i < scene->robot_count; ++i) {
        const bool last = i + 1 == scene->robot_count;
        char *longer = text_new("%s%s%s", names, last ? " and " : ", ", scene->robots[i].name);
        free(names);
        names = longer;
    }
    return names;
}

static const StiSceneRobot *find(const StiScene *scene, const char *name)
{
    for (int i = 0; i < scene->robot_count; ++i)
        if (strcmp(scene->robots[i].name, name) == 0) return &scene->robots[i];
    return NULL;
}

// The robot that is asked for, or NULL after a message.
static const StiSceneRobot *choose(const StiScene *scene, const char *name)
{
    if (scene->robot_count == 0) {
        terminal_error("%s has no robot", scene->path);
        return NULL;
    }
    if (name == NULL && scene->robot_count == 1) return &scene->robots[0];
    const StiSceneRobot *robot = name != NULL ? find(scene, name) : NULL;
    if (robot != NULL) return robot;
    char *names = names_of(scene);
    if (name == NULL)
        terminal_error("which robot? %s has %s", scene->path, names);
    else
        terminal_error("there is no robot '%s' in %s, but %s", name, scene->path, names);
    free(names);
    return NULL;
}

static int write_file(const char *path, const char *text)
{
    Output output;
    if (!output_open(&output, path)) return CODE_FILE;
    return output_close(&output, fputs(text, output.file) >= 0);
}

static int write_robot(const StiSceneRobot *robot, const char *output)
{
    const size_t length = sti_urdf_write(robot->urdf, NULL, 0);
    char *text = take(length + 1, 1);
    sti_urdf_write(robot->urdf, text, length + 1);
    int code = CODE_GOOD;
    if (output != NULL)
        code = write_file(output, text);
    else
        fputs(text, stdout);
    free(text);
    return code;
}

static int run(const Arguments *arguments)
{
    const StiSceneOptions options = load_options(arguments);
    StiScene *scene;
    int code = load_scene(arguments->words[0], &options, arguments->quiet, &scene);
    if (code != CODE_GOOD) return code;
    const StiSceneRobot *robot =
        choose(scene, arguments->word_count > 1 ? arguments->words[1] : NULL);
    code = robot != NULL ? write_robot(robot, arguments->output) : CODE_BAD_INPUT;
    sti_scene_destroy(scene);
    return code;
}

const Command command_urdf = {
    .name = "urdf",
    .summary = "write a robot of a scene as URDF",
    .words = "SCENE [BODY]",
    .fewest = 1,
    .most = 2,
    .text = "Writes the robot BODY of a scene, or the only one there is, as URDF: links, joints, "
            "inertias, limits and collision shapes. Reading the file gives the same robot to the "
            "last bit. Inertias of motors' rotors are part of the joints' armature, an extension "
            "of URDF, as are spherical joints. damping and friction are written where the scene "
            "took them from a URDF file; friction elements of the scene itself are not written, "
            "because URDF has no words for them.",
    .options = {OPTION_URDF, OPTION_SET, OPTION_VARIANT, OPTION_CONFINE, OPTION_QUIET},
    .run = run,
};
