// Bytes as a file that can be opened by its name and is gone with the process.
#ifndef STICTION_TESTS_MEMORY_FILE_H
#define STICTION_TESTS_MEMORY_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// In a folder of the machine's memory, where there is one.
static inline const char *memory_file(const uint8_t *data, size_t size)
{
    static char name[64];
    snprintf(name, sizeof name, "%s/stiction-fuzz-%ld",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : ".", (long)getpid());
    FILE *file = fopen(name, "wb");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
    return name;
}

#endif
