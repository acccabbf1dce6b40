#include "command/long_job.h"

#include <stdlib.h>

#include "command/load.h"
#include "files/format.h"
#include "report/page.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

bool job_threads(const char *text, int *threads)
{
    enum { MOST = 4096 };
    char *end;
    const long count = text != NULL ? strtol(text, &end, 10) : 0;
    if (text != NULL && (*end != '\0' || end == text || count < 1 || count > MOST)) {
        terminal_error("--jobs takes a number of threads from 1 on, not '%s'", text);
        return false;
    }
    *threads = (int)count;
    return true;
}

int job_begin(const Arguments *arguments, int *threads)
{
    if (!job_threads(arguments->jobs, threads) || !format_is_good(arguments->output, false))
        return CODE_BAD_INPUT;
    if (arguments->resume && arguments->output == NULL) {
        terminal_error("--resume continues a file: name it with -o");
        return CODE_BAD_INPUT;
    }
    return arguments->report != NULL && !page_is_there() ? CODE_FILE : CODE_GOOD;
}

void *job_load(const Arguments *arguments, const char *const *sets, int count, JobLoad *load,
               bool silent)
{
    const StiSceneOptions options = {.sets = sets,
                                     .set_count = count,
                                     .variant = arguments->variant,
                                     .confine = arguments->confine};
    StiMessages *messages = sti_messages_create();
    char *path = load_file_of(arguments->words[0]);
    if (messages == NULL) end_out_of_memory();
    void *loaded = load(path, &options, messages);
    if (!silent)
        terminal_messages(messages, arguments->quiet || loaded == NULL ? STI_ERROR : STI_WARNING);
    sti_messages_destroy(messages);
    free(path);
    return loaded;
}
