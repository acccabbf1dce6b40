// stiction explain NAME: what the registry, the scene reader and the list of subjects say about a name.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stiction/adaptive.h>
#include <stiction/registry.h>
#include <stiction/scene.h>

#include "command/command.h"
#include "command/topics.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

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
    printf("  %-20s %-9s %-8s ", key, unit, usual);
    text_wrap(stdout, 42, meaning);
}

// What a missing key stands for.
static const char *usual_text(char text[NUMBER_SIZE], const StiField *field)
{
    const bool bank = field->type == STI_FIELD_NUMBERS;
    if (bank && strcmp(field->name, "share") == 0) return "1/n";
    if (bank && strcmp(field->name, "bank_level") == 0) return "level/n";
    if (field->type == STI_FIELD_SWITCH) return "false";
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

// What a scene does not give: counts that follow from where an element acts, laws, parts.
static bool is_key(const StiField *field)
{
    return field->type != STI_FIELD_LAW && field->type != STI_FIELD_PARTS &&
           field->type != STI_FIELD_COUNT;
}

static void print_keys_heading(void)
{
    print_heading("Keys");
    print_key("key", "unit", "default", "meaning");
}

static void print_fields(const StiEntry *entry)
{
    for (int i = 0; i < entry->field_count; ++i)
        if (is_key(&entry->fields[i])) print_field(&entry->fields[i]);
}

static void print_model_keys(const StiEntry *entry)
{
    print_keys_heading();
    for (int i = 0; i < entry->field_count; ++i) {
        if (entry->fields[i].type != STI_FIELD_LAW) continue;
        print_key("level, or mu", "N", "required",
                  "level of the law; mu is times the load. Further keys come with the law: "
                  "stiction list laws");
        print_key("load", "N", "with mu", "a function of time, or a signal");
    }
    print_fields(entry);
    if (entry->reaction == NULL)
        print_key("elements", "", "1", "n elements in parallel; keys may then be lists of n");
}

static void print_law_keys(const StiEntry *entry)
{
    print_keys_heading();
    print_fields(entry);
    if (entry->law->table)
        print_key("table", "m/s, N", "required", "[[speed, level], ...] from speed 0 up");
    print_lines(entry->explanation->keys);
    printf("  mu and mu_static in place of level and static: times the load. level_scale and\n"
           "  viscous_scale: expressions that multiply the dry and the viscous part.\n");
}

// Of a kind of body or element as the reader of scenes has them. False: a scene cannot name it.
static bool print_scene_keys(StiSection section, const char *name)
{
    StiSceneKind kind;
    int number = 0;
    while (sti_scene_kind(section, number, &kind) && strcmp(kind.name, name) != 0) ++number;
    if (!sti_scene_kind(section, number, &kind)) return false;
    StiSceneKey key;
    print_heading("Keys");
    for (int i = 0; sti_scene_kind_key(section, number, i, &key); ++i)
        print_key(key.name, "", key.required ? "required" : "", key.meaning);
    return true;
}

static void print_element_keys(const StiEntry *entry)
{
    if (entry->explanation == NULL) {
        if (!print_scene_keys(STI_SECTION_ELEMENTS, entry->name))
            printf("\n  For programs in C: scenes have no key for it.\n");
        return;
    }
    print_keys_heading();
    print_fields(entry);
    print_lines(entry->explanation->keys);
}

static void print_body_keys(const StiEntry *entry)
{
    print_scene_keys(STI_SECTION_BODIES, entry->name);
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

static void print_texts(const StiExplanation *explanation)
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

typedef struct Layout {
    bool letters;                        // of the models' equations
    void (*keys)(const StiEntry *entry); // NULL: none
} Layout;

static const Layout layouts[STI_ROLES] = {
    [STI_ROLE_FRICTION] = {true, print_model_keys},
    [STI_ROLE_LAW] = {false, print_law_keys},
    [STI_ROLE_ELEMENT] = {false, print_element_keys},
    [STI_ROLE_BODY] = {false, print_body_keys},
};

static void print_entry(const StiEntry *entry)
{
    const StiExplanation *explanation = entry->explanation;
    const Layout *layout = &layouts[entry->role];
    print_head(sti_role_name(entry->role), entry->name, entry->summary);
    if (explanation != NULL) {
        print_heading("Equations");
        print_lines(explanation->equations);
    }
    if (layout->letters) print_letters();
    if (layout->keys != NULL) layout->keys(entry);
    if (explanation != NULL) print_texts(explanation);
}

// What has no equations and no entry of its own in the registry.
static void print_plain(const char *kind, const char *name, const char *summary,
                        const char *heading, const StiExplanation *explanation)
{
    print_head(kind, name, summary);
    print_heading(heading);
    print_lines(explanation->equations);
    print_texts(explanation);
}

static bool explain_adaptive(const char *name)
{
    StiAdaptiveMethod method;
    for (int i = 0; sti_adaptive_method(i, &method); ++i) {
        if (strcmp(method.name, name) != 0) continue;
        print_plain("method with error control", name, method.summary, "Equations",
                    method.explanation);
        return true;
    }
    return false;
}

// Kinds of elements that scenes have beside those of the registry: friction, which is all models.
static bool explain_scene_element(const char *name)
{
    StiSceneKind kind;
    StiEntry entry;
    if (sti_registry_find(STI_ROLE_ELEMENT, name, &entry)) return false;
    for (int i = 0; sti_scene_kind(STI_SECTION_ELEMENTS, i, &kind); ++i) {
        if (strcmp(kind.name, name) != 0) continue;
        print_head(sti_role_name(STI_ROLE_ELEMENT), name, kind.summary);
        return print_scene_keys(STI_SECTION_ELEMENTS, name);
    }
    return false;
}

static bool explain_topic(const char *name)
{
    const Topic *topic = topic_find(name);
    if (topic == NULL) return false;
    print_plain(topic->kind, name, topic->summary, "In short", &topic->explanation);
    return true;
}

// All names that can be explained.
enum { MOST_NAMES = 256 };
typedef struct Names {
    const char *names[MOST_NAMES];
    int count;
} Names;

static void add_name(Names *all, const char *name)
{
    if (all->count < MOST_NAMES) all->names[all->count++] = name;
}

static void refuse(const char *name)
{
    Names all = {.count = 0};
    StiEntry entry;
    StiAdaptiveMethod adaptive;
    for (int role = 0; role < STI_ROLES; ++role)
        for (int i = 0; sti_registry_at((StiKindRole)role, i, &entry); ++i)
            add_name(&all, entry.name);
    for (int i = 0; sti_adaptive_method(i, &adaptive); ++i) add_name(&all, adaptive.name);
    for (int i = 0; topic_at(i) != NULL; ++i) add_name(&all, topic_at(i)->name);
    const char *nearest = text_nearest(name, all.names, all.count);
    if (nearest != NULL)
        terminal_error("nothing is called '%s'; did you mean %s?", name, nearest);
    else
        terminal_error("nothing is called '%s'; stiction list shows what there is", name);
}

// A name may have several meanings: coulomb is a model and a law, a point is a body and a shape.
static int run(const Arguments *arguments)
{
    static bool (*const others[])(const char *) = {explain_adaptive, explain_scene_element,
                                                   explain_topic};
    const char *name = arguments->words[0];
    int found = 0;
    for (int role = 0; role < STI_ROLES; ++role) {
        StiEntry entry;
        if (!sti_registry_find((StiKindRole)role, name, &entry)) continue;
        if (found++ > 0) printf("\n\n");
        print_entry(&entry);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) found += others[i](name);
    if (found > 0) return CODE_GOOD;
    refuse(name);
    return CODE_BAD_INPUT;
}

const Command command_explain = {
    .name = "explain",
    .summary = "a model, law, method, body, ...: equations, keys, when to use it",
    .words = "NAME",
    .fewest = 1,
    .most = 1,
    .text = "Explains whatever stiction list shows by its name, or a subject (methods, adaptive, "
            "events, painleve): equations in plain text, the keys that a scene may give with "
            "their units and defaults, when to use it, whether it drifts, and where it comes "
            "from. A name with several meanings gets all of them.",
    .run = run,
};
