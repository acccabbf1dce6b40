// The files of the parts of a sweep (--shard) become one.
#ifndef STICTION_CLI_SWEEP_MERGE_H
#define STICTION_CLI_SWEEP_MERGE_H

// paths: .csv files, all parts of one study, in any order. The result has the bytes that one sweep would have
// written. Returns an exit code, after a message.
int sweep_merge(const char *const *paths, int count, const char *output);

#endif
