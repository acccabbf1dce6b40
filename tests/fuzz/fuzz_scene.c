// Any bytes as a scene: read, and if it is one, stepped twice.
#include <stdint.h>
#include <stdlib.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_and_step((const char *)data, size, NULL);
    return 0;
}
