// Files and folders as such.
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "command/load.h"
#include "terminal/terminal.h"

bool load_is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

FILE *load_open(const char *path)
{
    struct stat about;
    FILE *file = NULL;
    const char *why = "it is a pipe or a device, not a file";
    if (stat(path, &about) != 0)
        why = strerror(errno);
    else if (S_ISDIR(about.st_mode))
        why = strerror(EISDIR);
    else if (S_ISREG(about.st_mode)) {
        file = fopen(path, "r");
        why = strerror(errno);
    }
    if (file == NULL) terminal_error("cannot read %s: %s", path, why);
    return file;
}
