// Recording formats beside CSV. A library of its own (stiction_formats), on top of the core: it
// needs HDF5.
#ifndef STICTION_FORMATS_H
#define STICTION_FORMATS_H

#include <stdint.h>

#include "sink.h"

#ifdef __cplusplus
extern "C" {
#endif

// HDF5 (1.10 or later reads it): dataset /t where the first column is so named, the others as
// /channels/NAME; chunked, shuffled and compressed, with attributes "units". Notes are attributes of
// the file, the plan's parameters attributes of /parameters. Written for a single writer and many
// readers (SWMR): it can be read while it grows, and after the writer was killed.
STI_API extern const StiSinkKind sti_sink_hdf5;
// HDF5 tidies up when the process exits, and crashes there if the disk was full. A program that has
// no HDF5 files of its own calls this before the first sink.
STI_API void sti_hdf5_stay_away_from_exit(void);

// MCAP: JSON messages, one topic for each component ("block.v" is the field v of /block) and
// foxglove.JointStates for robots (/arm/joint_states from arm.JOINT.q and arm.JOINT.qd). Notes are a
// metadata record, the note "scene" an attachment. A cut file is good up to its last whole chunk.
STI_API extern const StiSinkKind sti_sink_mcap;

// Reads what sti_sink_hdf5 wrote, complete or not.
typedef struct StiHdf5 StiHdf5;
STI_API StiHdf5 *sti_hdf5_open(const char *path); // NULL: errno, or 0 where it is no such file
STI_API void sti_hdf5_close(StiHdf5 *file);
STI_API int sti_hdf5_columns(const StiHdf5 *file);
STI_API StiColumn sti_hdf5_column(const StiHdf5 *file, int column); // as long as the file is open
STI_API int64_t sti_hdf5_rows(const StiHdf5 *file);                 // that all columns have
STI_API StiStatus sti_hdf5_read(const StiHdf5 *file, int column, double *values);
STI_API StiStatus sti_hdf5_read_part(const StiHdf5 *file, int column, int64_t first, int64_t rows,
                                     double *values);

#ifdef __cplusplus
}
#endif
#endif
