// FMUs that drive a session.
#ifndef STICTION_CLI_DRIVE_H
#define STICTION_CLI_DRIVE_H

#include "terminal/session.h"

typedef struct Drive Drive;

// Instances of all FMUs of the session's scene, which set the inputs of the session from now on. NULL after a message.
Drive *drive_create(Session *session);
void drive_destroy(Drive *drive);

#endif
