// documentation/index.html: what the model is, and what can be set and seen.
#include "export/describe.h"

static void put_cell(FmuText *to, const char *text)
{
    fmu_text_add(to, "<td>");
    fmu_text_escape(to, text);
    fmu_text_add(to, "</td>");
}

static void put_table(FmuText *to, const Exported *exported, VariableRole role, const char *title)
{
    bool any = false;
    for (int i = 0; i < exported->variables->scalar_count; ++i) {
        const Variable *variable = &exported->variables->items[i];
        if (variable->role != role) continue;
        if (!any)
            fmu_text_add(to,
                         "<h2>%s</h2>\n<table>\n<tr><th>name</th><th>unit</th><th>value</th><th></"
                         "th></tr>\n",
                         title);
        any = true;
        fmu_text_add(to, "<tr>");
        put_cell(to, variable->name);
        put_cell(to, variable->unit);
        fmu_text_add(to, "<td>");
        if (role == VARIABLE_INPUT || role == VARIABLE_PARAMETER)
            fmu_text_number(to, describe_start(exported, variable));
        fmu_text_add(to, "</td><td>");
        fmu_text_escape(to, variable->meaning);
        fmu_text_add(to, "%s</td></tr>\n", variable->tunable ? " (tunable)" : "");
    }
    if (any) fmu_text_add(to, "</table>\n");
}

void describe_page(FmuText *to, const Exported *exported)
{
    fmu_text_add(to, "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>");
    fmu_text_escape(to, exported->title);
    fmu_text_add(to, "</title>\n<style>body{font-family:sans-serif;max-width:60em;margin:2em auto}"
                     "td,th{text-align:left;padding:0 1em 0 0}</style></head>\n<body>\n<h1>");
    fmu_text_escape(to, exported->title);
    fmu_text_add(to, "</h1>\n");
    if (exported->about != NULL) {
        fmu_text_add(to, "<p>");
        fmu_text_escape(to, exported->about);
        fmu_text_add(to, "</p>\n");
    }
    fmu_text_add(to, "<p>Method of co-simulation: %s, step ",
                 sti_network_method(exported->scene->network)->name);
    fmu_text_number(to, sti_network_step(exported->scene->network));
    fmu_text_add(
        to, " s. A communication step that is no multiple of it ends with a shorter one.</p>\n");
    if (exported->exchange)
        fmu_text_add(to,
                     "<p>Model exchange: %d continuous states, %d event indicators for stick, slip "
                     "and contact.</p>\n",
                     exported->variables->state_count, exported->variables->indicator_count);
    put_table(to, exported, VARIABLE_INPUT, "Inputs");
    put_table(to, exported, VARIABLE_OUTPUT, "Outputs");
    put_table(to, exported, VARIABLE_PARAMETER, "Parameters");
    fmu_text_add(to, "</body>\n</html>\n");
}
