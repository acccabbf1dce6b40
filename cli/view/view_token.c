#include "view/view_token.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "terminal/terminal.h"

bool token_make(char token[TOKEN_LENGTH + 1])
{
    unsigned char bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        terminal_error("the system gives no random numbers");
        return false;
    }
    for (int i = 0; i < TOKEN_BYTES; ++i) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

// As long for a wrong word as for the right one: the time does not show how much of it is right.
const char *token_rest(const char token[TOKEN_LENGTH + 1], const char *path)
{
    int wrong = 0;
    if (strlen(path) < TOKEN_LENGTH + 2 || path[0] != '/' || path[TOKEN_LENGTH + 1] != '/')
        return NULL;
    for (int i = 0; i < TOKEN_LENGTH; ++i) wrong |= token[i] ^ path[i + 1];
    return wrong == 0 ? path + TOKEN_LENGTH + 2 : NULL;
}
