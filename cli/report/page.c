#include "report/page.h"

#include <string.h>

#include "command/command.h"
#include "files/output.h"
#include "terminal/terminal.h"

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

int page_write(const char *path, const char *json, size_t length)
{
    Output output;
    if (!page_is_there() || !output_open(&output, path)) return CODE_FILE;
    return output_close(&output, page_print(output.file, json, length));
}
