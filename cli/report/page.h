// The page that shows reports: one HTML file, built from web/ and embedded into the program.
#ifndef STICTION_CLI_PAGE_H
#define STICTION_CLI_PAGE_H

#include <stdbool.h>
#include <stdio.h>

bool page_is_there(void); // false after a message: the program was built without it
// The page with this JSON in it.
bool page_print(FILE *file, const char *json, size_t length);
// The same as a file, which has the name PATH.partial until it is complete. Returns an exit code.
int page_write(const char *path, const char *json, size_t length);

#endif
