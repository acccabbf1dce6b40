#define _XOPEN_SOURCE 700 // setitimer
#include "terminal/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "command/command.h"

// A signal handler has no other way to be heard.
static volatile sig_atomic_t came, watchers;

enum { PATIENCE = 150000 }; // us of processor time, for who does not look

static void end(void)
{
    static const char text[] = "stiction: interrupted\n";
    const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    _exit(CODE_INTERRUPTED);
}

static void remember(int signal)
{
    if (watchers == 0 || came != 0 || signal == SIGPROF) end();
    came = 1;
    const struct itimerval patience = {.it_value = {0, PATIENCE}};
    setitimer(ITIMER_PROF, &patience, NULL);
}

void interrupt_listen(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = remember;
    action.sa_flags = SA_RESTART; // writes go on, they are not to fail
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGPROF, &action, NULL);
}

void interrupt_watch(void) { ++watchers; }

// Who looked has heard: what is left to do is not to be cut short.
void interrupt_unwatch(void)
{
    const struct itimerval none = {.it_value = {0, 0}};
    if (came != 0) setitimer(ITIMER_PROF, &none, NULL);
    --watchers;
}

bool interrupt_came(void) { return came != 0; }
