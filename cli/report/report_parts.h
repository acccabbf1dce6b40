// The parts of a network, for the page that draws them.
#ifndef STICTION_CLI_REPORT_PARTS_H
#define STICTION_CLI_REPORT_PARTS_H

#include <stdio.h>

#include <stiction/network.h>

void report_bodies(const StiNetwork *network, FILE *file);
void report_elements(const StiNetwork *network, FILE *file);
void report_parameter(const StiParameter *parameter, FILE *file);
// Whether an element is friction, or a contact with friction.
bool report_is_friction(const StiNetwork *network, const StiComponent *element);

#endif
