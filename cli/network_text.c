#include "network_text.h"

#include <stdio.h>
#include <string.h>

#include "terminal.h"

static int component_length(const char *channel)
{
    const char *dot = strrchr(channel, '.');
    return dot != NULL ? (int)(dot - channel) : (int)strlen(channel);
}

// One line for each component, with its channels behind it.
void network_print(const StiNetwork *network, const Channels *channels)
{
    enum { LABEL = 20, COLUMNS = 80 };
    const char *before = "";
    int before_length = -1, column = 0;
    (void)network;
    printf("\n%sChannels%s", terminal_ink(stdout, INK_BOLD), terminal_ink(stdout, INK_PLAIN));
    for (int i = 0; i < channels->count; ++i) {
        const char *name = channels->names[i];
        const int length = component_length(name);
        const char *own = name[length] == '.' ? name + length + 1 : "(input)";
        if (length != before_length || strncmp(name, before, (size_t)length) != 0) {
            printf("\n  %-*.*s", LABEL - 2, length, name);
            column = LABEL;
        } else if (column + (int)strlen(own) + 1 > COLUMNS) {
            printf("\n%*s", LABEL, "");
            column = LABEL;
        }
        column += printf(" %s", own);
        before = name;
        before_length = length;
    }
    putchar('\n');
}
