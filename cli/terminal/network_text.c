#include "terminal/network_text.h"

#include <stdio.h>
#include <string.h>

#include <stiction/contact.h>

#include "terminal/terminal.h"

static void print_heading(const char *text)
{
    printf("\n%s%s%s\n", terminal_ink(stdout, INK_BOLD), text, terminal_ink(stdout, INK_PLAIN));
}

static const char *plural(int count) { return count == 1 ? "" : "s"; }

static void print_body(const StiComponent *body)
{
    if (body->positions + body->velocities == 0)
        printf("driven");
    else
        printf("%d + %d states", body->positions, body->velocities);
}

static void print_element(const StiComponent *element)
{
    if (element->wire != NULL)
        printf("%s: %s, %s", element->wire, element->side_a, element->side_b);
    if (element->memory > 0) printf("; %d state%s", element->memory, plural(element->memory));
    if (element->discrete > 0) printf("; modes");
}

static void print_components(const StiNetwork *network, StiRole role, const char *heading)
{
    StiComponent component;
    bool any = false;
    for (int i = 0; sti_network_component(network, i, &component); ++i) {
        if (component.role != role) continue;
        if (!any) print_heading(heading);
        any = true;
        printf("  %-16s %-19s ", component.name, component.kind);
        if (role == STI_BODY)
            print_body(&component);
        else
            print_element(&component);
        putchar('\n');
    }
}

// A function of time that only its own component uses is no news.
static bool worth_telling(const StiConnection *connection)
{
    return connection->from[0] != '\0' && strcmp(connection->from, connection->to) != 0;
}

static void print_signals(const StiNetwork *network)
{
    StiConnection connection;
    bool any = false;
    for (int i = 0; sti_network_connection(network, i, &connection); ++i) {
        if (!worth_telling(&connection)) continue;
        if (!any) print_heading("Signals");
        any = true;
        printf("  %-16s listens to %s", connection.to, connection.from);
        if (strcmp(connection.value, "source") != 0) printf(".%s", connection.value);
        if (connection.index > 0) printf("[%d]", connection.index);
        if (connection.gain != 1.0) printf(", times %g", connection.gain);
        putchar('\n');
    }
}

static int component_length(const char *channel)
{
    const char *dot = strrchr(channel, '.');
    return dot != NULL ? (int)(dot - channel) : (int)strlen(channel);
}

// One line for each component, with its channels behind it.
static void print_channels(const Channels *channels)
{
    enum { LABEL = 18, COLUMNS = 80 };
    const char *before = "";
    int before_length = -1, column = 0;
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

static void print_contacts(const StiNetwork *network)
{
    StiComponent component;
    bool any = false;
    for (int i = 0; sti_network_component(network, i, &component); ++i) {
        const StiContact *contact = sti_network_parameters(network, i);
        if (component.role != STI_CONTACT || contact == NULL) continue;
        if (!any) print_heading("Contacts");
        any = true;
        printf("  %-16s %d shape%s ", component.name, contact->a_count, plural(contact->a_count));
        if (contact->b_count > 0)
            printf("against %d", contact->b_count);
        else
            printf("against each other");
        const int most = sti_contact_capacity(contact);
        printf("; up to %d point%s\n", most, plural(most));
    }
}

void network_print(const StiNetwork *network, const Channels *channels)
{
    print_components(network, STI_BODY, "Bodies");
    print_components(network, STI_IMPEDANCE, "Elements");
    print_components(network, STI_REACTION, "Reactions");
    print_contacts(network);
    print_signals(network);
    print_channels(channels);
}
