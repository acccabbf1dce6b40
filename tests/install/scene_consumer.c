// A scene from text, and an expression. Exit status 0 if both are understood.
#include <stdio.h>
#include <string.h>

#include <stiction/scene.h>

static const char text[] =
    "step: 1e-3\n"
    "stop: 2\n"
    "bodies:\n"
    "  block: {kind: point, mass: 1, velocity: 3}\n"
    "elements:\n"
    "  friction: {kind: friction, on: block, model: finite-time, level: 10}\n";

static int count_steps(void)
{
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages);
    const int steps = scene != NULL ? (int)scene->steps : -1;
    for (int i = 0; i < sti_messages_count(messages); ++i) puts(sti_messages_at(messages, i)->text);
    sti_scene_destroy(scene);
    sti_messages_destroy(messages);
    return steps;
}

int main(void)
{
    const char *names[] = {"block.x"};
    char error[200] = "";
    StiExpression *expression =
        sti_expression_create("2*block.x + 1", names, 1, error, sizeof error);
    const double value =
        expression != NULL ? sti_expression_value(expression, (double[]){20.5}) : 0.0;
    sti_expression_destroy(expression);
    const int steps = count_steps();
    printf("stiction scene: %d steps, value %g %s\n", steps, value, error);
    return steps == 2000 && value == 42.0 ? 0 : 1;
}
