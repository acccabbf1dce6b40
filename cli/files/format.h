// Recording formats by the ending of a file's name.
#ifndef STICTION_CLI_FORMAT_H
#define STICTION_CLI_FORMAT_H

#include <stiction/sink.h>

const StiSinkKind *format_of(const char *path); // NULL: none has this ending

// False after a message. NULL, no file, is good. over_time: the rows have a time.
bool format_is_good(const char *path, bool over_time);

bool format_has_ending(const char *path, const char *ending); // in either case

#endif
