// A random word in the address: who does not know it is refused.
#ifndef STICTION_CLI_VIEW_TOKEN_H
#define STICTION_CLI_VIEW_TOKEN_H

#include <stdbool.h>

enum { TOKEN_BYTES = 16, TOKEN_LENGTH = 2 * TOKEN_BYTES };

bool token_make(char token[TOKEN_LENGTH + 1]); // false after a message
// What follows "/TOKEN/" in a path; NULL where another word stands there.
const char *token_rest(const char token[TOKEN_LENGTH + 1], const char *path);

#endif
