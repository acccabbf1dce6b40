#include "formats/hdf5_reason.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

Hdf5Silence sti_hdf5_silence_begin(void)
{
    Hdf5Silence silence = {0};
    H5Eget_auto2(H5E_DEFAULT, &silence.print, &silence.context);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return silence;
}

void sti_hdf5_silence_end(Hdf5Silence silence)
{
    const int reason = errno;
    H5Eset_auto2(H5E_DEFAULT, silence.print, silence.context);
    errno = reason;
}

// HDF5 hands the number on in a text only: "..., errno = 28, error message = ...".
static herr_t look_for_errno(unsigned depth, const H5E_error2_t *error, void *context)
{
    (void)depth;
    const char *found = error->desc != NULL ? strstr(error->desc, "errno = ") : NULL;
    int number;
    if (found != NULL && sscanf(found, "errno = %d", &number) == 1 && number != 0)
        *(int *)context = number;
    return 0;
}

int sti_hdf5_reason(void)
{
    int reason = EIO;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look_for_errno, &reason);
    return reason;
}
