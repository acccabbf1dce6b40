#include "page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "load.h"
#include "terminal.h"
#include "text.h"

// Assembled from the built page; ends with a zero byte.
extern const char sti_page[], sti_page_end[];

static const char place[] = "@REPORT@";

bool page_is_there(void)
{
    if (sti_page_end - sti_page > 1) return true;
    terminal_error("this program was built without its report page; to have it, install nodejs and "
                   "npm and build again (npm must reach its registry)");
    return false;
}

bool page_print(FILE *file, const char *json, size_t length)
{
    const char *data = strstr(sti_page, place);
    if (data == NULL) return false;
    const size_t before = (size_t)(data - sti_page);
    const char *rest = data + strlen(place);
    return fwrite(sti_page, 1, before, file) == before && fwrite(json, 1, length, file) == length &&
           fputs(rest, file) >= 0;
}

static bool write_partial(const char *partial, const char *json, size_t length)
{
    FILE *file = fopen(partial, "wb");
    if (file == NULL) return false;
    const bool printed = page_print(file, json, length);
    return fclose(file) == 0 && printed;
}

int page_write(const char *path, const char *json, size_t length)
{
    if (!page_is_there()) return CODE_FILE;
    char *partial = text_new("%s.partial", path);
    bool good = !load_is_folder(path) || (errno = EISDIR, false);
    good = good && write_partial(partial, json, length) && rename(partial, path) == 0;
    if (!good) terminal_error("cannot write %s: %s", path, strerror(errno));
    free(partial);
    return good ? CODE_GOOD : CODE_FILE;
}
