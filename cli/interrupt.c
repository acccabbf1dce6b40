#include "interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

// A signal handler has no other way to be heard.
static volatile sig_atomic_t came;

static void remember(int signal)
{
    (void)signal;
    came = 1;
}

void interrupt_watch(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = remember;
    action.sa_flags = (int)(SA_RESETHAND | SA_RESTART); // writes go on, they are not to fail
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool interrupt_came(void) { return came != 0; }
