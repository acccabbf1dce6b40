// Any bytes as a recording in CSV and as a reference: an exit code, never a crash.
#include "files/csv_file.h"
#include "study/exact.h"
#include "memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CsvFile csv;
    Exact exact;
    const char *name = memory_file(data, size);
    csv_file_read(name, (size & 1) != 0, &csv);
    csv_file_release(&csv);
    exact_read(name, &exact);
    exact_release(&exact);
    remove(name);
    return 0;
}
