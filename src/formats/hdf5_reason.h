// Private: HDF5's own errors as errno values, without its printing.
#ifndef STICTION_SRC_FORMATS_HDF5_REASON_H
#define STICTION_SRC_FORMATS_HDF5_REASON_H

#include <hdf5.h>

// HDF5 prints its errors unless that is switched off; the caller's choice is put back at the end.
typedef struct Hdf5Silence {
    H5E_auto2_t print;
    void *context;
} Hdf5Silence;
Hdf5Silence sti_hdf5_silence_begin(void);
void sti_hdf5_silence_end(Hdf5Silence silence);

// Why the last call failed: the errno that HDF5 met below, or EIO.
int sti_hdf5_reason(void);

#endif
