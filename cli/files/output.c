#include "files/output.h"

#include <errno.h>
#include <string.h>

#include "command/command.h"
#include "command/load.h"
#include "terminal/terminal.h"

static int fail(const Output *output, int reason)
{
    terminal_error("cannot write %s: %s", output->path, strerror(reason));
    return CODE_FILE;
}

bool output_open(Output *output, const char *path)
{
    *output = (Output){.path = path};
    if (load_is_folder(path))
        errno = EISDIR;
    else
        output->draft = sti_draft_open(path);
    if (output->draft != NULL) output->file = fopen(sti_draft_name(output->draft), "wb");
    if (output->file != NULL) return true;
    const int reason = errno;
    if (output->draft != NULL) sti_draft_close(output->draft, STI_DRAFT_REMOVED);
    fail(output, reason);
    return false;
}

int output_close(Output *output, bool good)
{
    good = good && ferror(output->file) == 0;
    int reason = good ? 0 : errno;
    if (fclose(output->file) != 0 && good) {
        good = false;
        reason = errno;
    }
    const StiStatus status =
        sti_draft_close(output->draft, good ? STI_DRAFT_COMPLETE : STI_DRAFT_REMOVED);
    if (good && status == STI_OK) return CODE_GOOD;
    return fail(output, good ? errno : reason);
}

void output_abandon(Output *output)
{
    fclose(output->file);
    sti_draft_close(output->draft, STI_DRAFT_REMOVED);
}
