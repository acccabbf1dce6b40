// stiction merge PART... -o FILE: the parts of a sweep as one file.
#include "command/command.h"
#include "study/sweep_merge.h"
#include "terminal/terminal.h"

static int run(const Arguments *arguments)
{
    if (arguments->output != NULL)
        return sweep_merge(arguments->words, arguments->word_count, arguments->output);
    terminal_error("merge needs a file to write: -o FILE.csv");
    return CODE_BAD_INPUT;
}

const Command command_merge = {
    .name = "merge",
    .summary = "the parts of a sweep (--shard) as one file",
    .words = "FILE...",
    .fewest = 1,
    .most = 1000000,
    .text = "Joins the .csv files that stiction sweep --shard 1/N to N/N have written, in any order. The result has "
            "the bytes that one sweep would have written. A part that is missing or unfinished is an error.",
    .options = {OPTION_TABLE},
    .run = run,
};
