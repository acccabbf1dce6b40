#include "stiction/version.h"

const char *sti_version(void) { return STI_VERSION; }
