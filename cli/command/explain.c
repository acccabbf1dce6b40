// stiction explain NAME: a friction model, a law, a method or a solver in full.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stiction/actuator.h>
#include <stiction/contact.h>
#include <stiction/law.h>
#include <stiction/adaptive.h>
#include <stiction/scene.h>

#include "command/command.h"
#include "command/explanations.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

static const StiLawKind *const law_kinds[] = {
    &sti_law_kind_coulomb, &sti_law_kind_viscous,     &sti_law_kind_stribeck, &sti_law_kind_gear,
    &sti_law_kind_tanh,    &sti_law_kind_directional, &sti_law_kind_table,
};
enum { LAW_KINDS = sizeof law_kinds / sizeof law_kinds[0] };

// Elements of scenes that are not friction and have more to say than their keys.
static const StiInfo *const element_kinds[] = {&sti_kind_dc_motor.info,  &sti_kind_servo.info,
                                               &sti_kind_pid.info,       &sti_kind_joint_limit.info,
                                               &sti_kind_gear_loss.info, &sti_info_contact};
enum { ELEMENT_KINDS = sizeof element_kinds / sizeof element_kinds[0] };

static void print_heading(const char *text)
{
    printf("\n%s%s%s\n", terminal_ink(stdout, INK_BOLD), text, terminal_ink(stdout, INK_PLAIN));
}

static void print_paragraph(const char *heading, const char *text)
{
    if (text == NULL) return;
    print_heading(heading);
    printf("  ");
    text_wrap(stdout, 2, text);
}

static void print_lines(const char *text)
{
    while (text != NULL && *text != '\0') {
        const int length = (int)strcspn(text, "\n");
        printf("  %.*s\n", length, text);
        text += length + 1;
    }
}

static void print_key(const char *key, const char *unit, const char *usual, const char *meaning)
{
    printf("  %-18s %-6s %-9s ", key, unit, usual);
    text_wrap(stdout, 38, meaning);
}

// What a missing key stands for.
static const char *usual_text(char text[NUMBER_SIZE], const StiField *field)
{
    const bool bank = field->type == STI_FIELD_NUMBERS;
    if (bank && strcmp(field->name, "share") == 0) return "1/n";
    if (bank && strcmp(field->name, "bank_level") == 0) return "level/n";
    if (strcmp(field->name, "level") == 0) return "required";
    if (field->bound == STI_POSITIVE && !(field->usual > 0.0)) return "required";
    snprintf(text, NUMBER_SIZE, "%g", field->usual);
    return text;
}

static void print_field(const StiField *field)
{
    char usual[NUMBER_SIZE];
    print_key(field->name, field->unit, usual_text(usual, field), field->meaning);
}

static void print_model_keys(const StiWord *word, const Explanation *explanation)
{
    const StiInfo *info = word->info;
    print_heading("Keys");
    print_key("key", "unit", "default", "meaning");
    for (int i = 0; i < info->field_count; ++i) {
        if (info->fields[i].type != STI_FIELD_LAW) continue;
        print_key("level, or mu", "N", "required",
                  "level of the law; mu is times the load. Further keys come with the law: "
                  "stiction list laws");
        print_key("load", "N", "with mu", "a function of time, or a signal");
    }
    for (int i = 0; i < info->field_count; ++i)
        if (info->fields[i].type != STI_FIELD_LAW) print_field(&info->fields[i]);
    if (!word->reaction)
        print_key("elements", "", "1", "n elements in parallel; keys may then be lists of n");
    print_lines(explanation->switches);
}

static void print_head(const char *kind, const char *name, const char *summary)
{
    printf("%s%s%s (%s)\n  ", terminal_ink(stdout, INK_BOLD), name, terminal_ink(stdout, INK_PLAIN),
           kind);
    text_wrap(stdout, 2, summary);
}

// The papers whose keys stand in the text.
static void print_papers(const char *source)
{
    for (int i = 0; papers[i].key != NULL; ++i) {
        char key[32];
        const int length = snprintf(key, sizeof key, "[%s]", papers[i].key);
        if (strstr(source, key) == NULL) continue;
        printf("  %s ", key);
        text_wrap(stdout, length + 3, papers[i].text);
    }
}

static void print_texts(const Explanation *explanation)
{
    print_paragraph("When to use it", explanation->use);
    print_paragraph("Does it drift?", explanation->drift);
    print_paragraph("From", explanation->source);
    print_papers(explanation->source);
}

// Every letter that the models' equations have in common.
static void print_letters(void)
{
    printf("\n  ");
    text_wrap(
        stdout, 2,
        "v: velocity of side a against side b; f: resistance along it; F or s(v): level of the "
        "law; K: stiffness; B: damping; T: step; tau: the step that a stage is carried over; "
        "gsat(F, a): a where |a| <= F, else F a/|a|");
}

static bool explain_model(const char *name)
{
    int count;
    const StiWord *words = sti_scene_models(&count);
    const Explanation *explanation = explanation_of_model(name);
    for (int i = 0; explanation != NULL && i < count; ++i) {
        if (strcmp(words[i].name, name) != 0) continue;
        print_head("friction model", name, words[i].summary);
        print_heading("Equations");
        print_lines(explanation->equations);
        print_letters();
        print_model_keys(&words[i], explanation);
        print_texts(explanation);
        return true;
    }
    return false;
}

static bool explain_law(const char *name)
{
    const Explanation *explanation = explanation_of_law(name);
    for (int i = 0; explanation != NULL && i < LAW_KINDS; ++i) {
        if (strcmp(law_kinds[i]->name, name) != 0) continue;
        print_head("law", name, law_kinds[i]->summary);
        print_heading("Equations");
        print_lines(explanation->equations);
        print_heading("Keys");
        print_key("key", "unit", "default", "meaning");
        for (int f = 0; f < law_kinds[i]->field_count; ++f) print_field(&law_kinds[i]->fields[f]);
        if (law_kinds[i]->table)
            print_key("table", "m/s, N", "required", "[[speed, level], ...] from speed 0 up");
        printf("  mu and mu_static in place of level and static: times the load.\n");
        print_texts(explanation);
        return true;
    }
    return false;
}

static bool explain_element(const char *name)
{
    const Explanation *explanation = explanation_of_element(name);
    for (int i = 0; explanation != NULL && i < ELEMENT_KINDS; ++i) {
        const StiInfo *info = element_kinds[i];
        if (strcmp(info->name, name) != 0) continue;
        print_head("kind of element", name, info->summary);
        print_heading("Equations");
        print_lines(explanation->equations);
        print_heading("Keys");
        print_key("key", "unit", "default", "meaning");
        for (int f = 0; f < info->field_count; ++f) print_field(&info->fields[f]);
        print_lines(explanation->switches);
        print_texts(explanation);
        return true;
    }
    return false;
}

static const char subject[] = "subject"; // of a topic that has no equations

static bool explain_plain(const char *kind, const char *name, const char *summary,
                          const Explanation *explanation)
{
    if (explanation == NULL) return false;
    print_head(kind, name, summary);
    print_heading(strcmp(kind, subject) == 0 ? "In short" : "Equations");
    print_lines(explanation->equations);
    print_texts(explanation);
    return true;
}

static bool explain_method(const char *name)
{
    const StiMethod *method = sti_method_find(name);
    if (method != NULL)
        return explain_plain("method", name, method->summary, explanation_of_method(name));
    StiAdaptiveMethod adaptive;
    for (int i = 0; sti_adaptive_method(i, &adaptive); ++i)
        if (strcmp(adaptive.name, name) == 0)
            return explain_plain("method with error control", name, adaptive.summary,
                                 explanation_of_method(name));
    return false;
}

static bool explain_solver(const char *name)
{
    int count;
    const StiWord *words = sti_scene_solvers(&count);
    for (int i = 0; i < count; ++i)
        if (strcmp(words[i].name, name) == 0)
            return explain_plain("solver", name, words[i].summary, explanation_of_solver(name));
    return false;
}

static void print_kind_keys(StiSection section, int kind)
{
    StiSceneKey key;
    print_heading("Keys");
    for (int i = 0; sti_scene_kind_key(section, kind, i, &key); ++i)
        print_key(key.name, "", key.required ? "required" : "", key.meaning);
}

static bool explain_kind(StiSection section, const char *what, const char *name)
{
    StiSceneKind kind;
    for (int i = 0; sti_scene_kind(section, i, &kind); ++i) {
        if (strcmp(kind.name, name) != 0) continue;
        print_head(what, name, kind.summary);
        print_kind_keys(section, i);
        return true;
    }
    return false;
}

static bool explain_body(const char *name)
{
    return explain_kind(STI_SECTION_BODIES, "kind of body", name);
}

// Elements without more to say than their keys.
static bool explain_other_element(const char *name)
{
    for (int i = 0; i < ELEMENT_KINDS; ++i)
        if (strcmp(element_kinds[i]->name, name) == 0) return false;
    return explain_kind(STI_SECTION_ELEMENTS, "kind of element", name);
}

static bool explain_topic(const char *name)
{
    const Topic *topic = topic_find(name);
    return topic != NULL && explain_plain(topic->kind, name, topic->summary, &topic->explanation);
}

static void refuse(const char *name)
{
    enum { MOST = 128 };
    const char *names[MOST];
    int count = 0, words = 0;
    const StiWord *lists[3] = {sti_scene_models(&words)};
    for (int i = 0; i < words && count < MOST; ++i) names[count++] = lists[0][i].name;
    lists[1] = sti_scene_laws(&words);
    for (int i = 0; i < words && count < MOST; ++i) names[count++] = lists[1][i].name;
    lists[2] = sti_scene_solvers(&words);
    for (int i = 0; i < words && count < MOST; ++i) names[count++] = lists[2][i].name;
    for (int i = 0; sti_methods[i] != NULL && count < MOST; ++i)
        names[count++] = sti_methods[i]->name;
    for (int i = 0; i < ELEMENT_KINDS && count < MOST; ++i) names[count++] = element_kinds[i]->name;
    StiSceneKind kind;
    for (int s = STI_SECTION_BODIES; s <= STI_SECTION_ELEMENTS; ++s)
        for (int i = 0; sti_scene_kind((StiSection)s, i, &kind) && count < MOST; ++i)
            names[count++] = kind.name;
    for (int i = 0; topic_at(i) != NULL && count < MOST; ++i)
        names[count++] = topic_at(i)->explanation.name;
    const char *nearest = text_nearest(name, names, count);
    if (nearest != NULL)
        terminal_error("there is no model, law, method or solver '%s'; did you mean %s?", name,
                       nearest);
    else
        terminal_error("there is no model, law, method or solver '%s'; see stiction list models",
                       name);
}

// coulomb is a model and a law: both are explained.
static int run(const Arguments *arguments)
{
    static bool (*const explain[])(
        const char *) = {explain_model,   explain_law,  explain_method,        explain_solver,
                         explain_element, explain_body, explain_other_element, explain_topic};
    int found = 0;
    for (size_t i = 0; i < sizeof explain / sizeof explain[0]; ++i) {
        if (found > 0 && i == 1 && explanation_of_law(arguments->words[0]) != NULL) printf("\n\n");
        found += explain[i](arguments->words[0]);
    }
    if (found > 0) return CODE_GOOD;
    refuse(arguments->words[0]);
    return CODE_BAD_INPUT;
}

const Command command_explain = {
    .name = "explain",
    .summary = "a friction model, law or method: equations, keys, when to use it",
    .words = "NAME",
    .fewest = 1,
    .most = 1,
    .text = "Explains a friction model, a law, a method, a solver, a body or an element by its "
            "name, or a "
            "subject "
            "(methods, "
            "adaptive, painleve): equations in plain "
            "text, the keys that a scene may give with their units and defaults, when to use it, "
            "whether it drifts, and where it comes from. The list commands print the names.",
    .run = run,
};
