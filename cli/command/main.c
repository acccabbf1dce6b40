// stiction COMMAND ...
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <stiction/version.h>

#include "command/command.h"
#include "terminal/interrupt.h"
#include "command/load.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

static const Command *const commands[] = {
    &command_run,       &command_check,   &command_list,      &command_explain,
    &command_reproduce, &command_compare, &command_report,    &command_view,
    &command_plot,      &command_import,  &command_urdf,      &command_reference,
    &command_converge,  &command_sweep, &command_fit,   &command_merge,
    &command_export,
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const char exit_codes[] = "Exit codes\n"
                                 "  0    all went well\n"
                                 "  1    a run failed, or an expectation\n"
                                 "  2    a scene or the command line is wrong; nothing was run\n"
                                 "  3    a file cannot be read or written\n"
                                 "  130  interrupted (Ctrl-C, SIGTERM)\n";

static int print_help(void)
{
    printf("stiction %s: friction-true simulation of mechanical systems\n\n"
           "Usage: stiction COMMAND [words and options]\n\n",
           STI_VERSION);
    for (int i = 0; i < COMMANDS; ++i)
        printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    printf("\n  stiction COMMAND --help explains a command; stiction --version\n\n%s\n"
           "Start with: stiction list scenes; stiction run SCENE -o out.csv\n",
           exit_codes);
    return CODE_GOOD;
}

static int print_command_help(const Command *command)
{
    printf("Usage: stiction %s%s%s [options]\n\n", command->name,
           command->words[0] != '\0' ? " " : "", command->words);
    text_wrap(stdout, 0, command->text);
    printf("\nOptions\n");
    options_help(command);
    printf("\n%s", exit_codes);
    return CODE_GOOD;
}

static const Command *find(const char *name)
{
    const char *names[COMMANDS];
    for (int i = 0; i < COMMANDS; ++i) {
        names[i] = commands[i]->name;
        if (strcmp(name, names[i]) == 0) return commands[i];
    }
    const char *nearest = text_nearest(name, names, COMMANDS);
    if (nearest != NULL)
        terminal_error("there is no command '%s'; did you mean %s?", name, nearest);
    else
        terminal_error("there is no command '%s'; see stiction --help", name);
    return NULL;
}

static bool confine(const Arguments *arguments)
{
    load_confine(arguments->confine);
    if (arguments->confine == NULL || load_is_folder(arguments->confine)) return true;
    terminal_error("--confine needs a folder, not '%s'", arguments->confine);
    return false;
}

static int run_command(const Command *command, int count, char **texts)
{
    Arguments arguments;
    int code = CODE_BAD_INPUT;
    if (arguments_read(command, count, texts, &arguments) && confine(&arguments))
        code = arguments.help ? print_command_help(command) : command->run(&arguments);
    arguments_release(&arguments);
    return code;
}

static bool asks_for(const char *text, const char *name, const char *brief)
{
    return strcmp(text, name) == 0 || strcmp(text, brief) == 0;
}

// What was printed must have arrived: a full disk behind a pipe is an error, too.
static int check_output(int code)
{
    if (fflush(stdout) == 0 && ferror(stdout) == 0) return code;
    terminal_error("cannot write to standard output");
    return code == CODE_GOOD ? CODE_FILE : code;
}

// A file that is opened while one of these is closed would get its number, and with it all that is printed.
// Output to a closed standard output is lost, which is reported; messages to a closed standard error are dropped.
static void open_standard_files(void)
{
    static const int modes[3] = {O_RDONLY, O_RDONLY, O_WRONLY};
    for (int file = 0; file < 3; ++file)
        if (fcntl(file, F_GETFD) < 0 && open("/dev/null", modes[file]) != file) _exit(CODE_FILE);
}

int main(int count, char **texts)
{
    open_standard_files();
    signal(SIGXFSZ, SIG_IGN); // a file that becomes too long is an error of the write
    interrupt_listen();
    if (count < 2) {
        terminal_error("a command is needed: run, check, list, explain, reproduce, compare, "
                       "report, view, plot, sweep, fit or urdf; see stiction --help");
        return CODE_BAD_INPUT;
    }
    if (asks_for(texts[1], "--help", "-h")) return check_output(print_help());
    if (asks_for(texts[1], "--version", "-V")) {
        printf("stiction %s\n", STI_VERSION);
        return check_output(CODE_GOOD);
    }
    const bool help = strcmp(texts[1], "help") == 0;
    if (help && count == 2) return check_output(print_help());
    const Command *command = find(texts[help ? 2 : 1]);
    if (command == NULL) return CODE_BAD_INPUT;
    return check_output(help ? print_command_help(command)
                             : run_command(command, count - 2, texts + 2));
}
