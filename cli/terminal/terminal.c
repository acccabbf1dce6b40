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

void terminal_error(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "stiction: %serror:%s ", terminal_ink(stderr, INK_BAD),
            terminal_ink(stderr, INK_PLAIN));
    char text[2000];
    vsnprintf(text, sizeof text, format, list);
    text_make_printable(text);
    fprintf(stderr, "%s\n", text);
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

void terminal_messages(const StiMessages *messages, StiSeverity least)
{
    for (int i = 0; i < sti_messages_count(messages); ++i) {
        const StiMessage *message = sti_messages_at(messages, i);
        if (message->severity >= least) print_message(message);
    }
    const int errors = sti_messages_error_count(messages);
    if (errors > 0)
        fprintf(stderr, "%d error%s; nothing was run\n", errors, errors == 1 ? "" : "s");
}
