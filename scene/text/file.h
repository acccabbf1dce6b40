// Private: files of any kind, read as a whole.
#ifndef STICTION_SCENE_FILE_H
#define STICTION_SCENE_FILE_H

#include <stddef.h>

// The whole file, ended by NUL, to be freed; at most `most` bytes and one more, so that the caller can see
// that it is too long. Pipes are read, too, as long as something comes; devices are not.
// NULL: *why says what is wrong.
char *scene_file_read(const char *path, size_t most, size_t *length, const char **why);

#endif
