#include "terminal/terminal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "terminal/text.h"

bool terminal_is(FILE *file) { return isatty(fileno(file)) == 1; }

// https://no-color.org: any text in NO_COLOR means none.
static bool coloured(FILE *file)
{
    const char *refused = getenv("NO_COLOR"), *type = getenv("TERM");
    if (refused != NULL && refused[0] != '\0') return false;
    if (type != NULL && strcmp(type, "dumb") == 0) return false;
    return terminal_is(file);
}

const char *terminal_ink(FILE *file, Ink ink)
{
    static const char *const codes[] = {
        [INK_PLAIN] = "\033[0m",  [INK_BOLD] = "\033[1m",       [INK_GOOD] = "\033[32m",
        [INK_BAD] = "\033[1;31m", [INK_WARNING] = "\033[1;35m", [INK_NOTE] = "\033[1;36m",
    };
    return coloured(file) ? codes[ink] : "";
}

static void say(const char *word, Ink ink, const char *format, va_list list)
{
    char text[2000];
    vsnprintf(text, sizeof text, format, list);
    text_make_printable(text);
    fprintf(stderr, "stiction: %s%s:%s %s\n", terminal_ink(stderr, ink), word,
            terminal_ink(stderr, INK_PLAIN), text);
}

void terminal_error(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say("error", INK_BAD, format, list);
    va_end(list);
}

void terminal_warning(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say("warning", INK_WARNING, format, list);
    va_end(list);
}

static void print_message(const StiMessage *message)
{
    static const char *const words[] = {"note", "warning", "error"};
    static const Ink inks[] = {INK_NOTE, INK_WARNING, INK_BAD};
    fputs(terminal_ink(stderr, INK_BOLD), stderr);
    fputs(message->file, stderr);
    if (message->line > 0) fprintf(stderr, ":%d:%d", message->line, message->column);
    fprintf(stderr, ":%s %s%s:%s %s\n", terminal_ink(stderr, INK_PLAIN),
            terminal_ink(stderr, inks[message->severity]), words[message->severity],
            terminal_ink(stderr, INK_PLAIN), message->text);
}

// Of one place, and alike but for a name or a number in them: as of each joint of a robot.
static bool is_like(const StiMessage *a, const StiMessage *b)
{
    if (b == NULL || a->severity == STI_ERROR || a->severity != b->severity || a->line == 0 ||
        a->line != b->line || a->column != b->column || strcmp(a->file, b->file) != 0)
        return false;
    const size_t length = strlen(a->text), other = strlen(b->text),
                 shorter = length < other ? length : other;
    size_t first = 0, last = 0;
    while (first < shorter && a->text[first] == b->text[first]) ++first;
    while (last + first < shorter && a->text[length - 1 - last] == b->text[other - 1 - last])
        ++last;
    return 4 * (first + last) > 3 * shorter;
}

// Notes and warnings that repeat each other are shown once, with how many there are.
static int print_group(const StiMessages *messages, int first)
{
    const StiMessage *message = sti_messages_at(messages, first);
    int next = first + 1;
    print_message(message);
    while (is_like(message, sti_messages_at(messages, next))) ++next;
    if (next == first + 2) print_message(sti_messages_at(messages, first + 1));
    if (next > first + 2)
        fprintf(stderr, "  and %d more like this, the last: %s\n", next - first - 1,
                sti_messages_at(messages, next - 1)->text);
    return next;
}

void terminal_messages(const StiMessages *messages, StiSeverity least)
{
    for (int i = 0; i < sti_messages_count(messages);)
        i = sti_messages_at(messages, i)->severity >= least ? print_group(messages, i) : i + 1;
    const int errors = sti_messages_error_count(messages);
    if (errors > 0)
        fprintf(stderr, "%d error%s; nothing was run\n", errors, errors == 1 ? "" : "s");
}
