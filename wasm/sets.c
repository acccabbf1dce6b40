#include "sets.h"

#include <stdlib.h>
#include <string.h>

#include "terminal/text.h"

Sets sets_of(const char *text, const char *variant, const char *more)
{
    Sets sets = {.text = text_new("%s\n%s", text, more), .variant = text_new("%s", variant)};
    int count = 0;
    sets.lines = take(strlen(sets.text) + 1, sizeof *sets.lines);
    for (char *rest = sets.text, *line; (line = strtok_r(rest, "\n\t", &rest)) != NULL;)
        sets.lines[count++] = line;
    sets.options = (StiSceneOptions){.sets = sets.lines,
                                     .set_count = count,
                                     .variant = variant[0] != '\0' ? sets.variant : NULL};
    return sets;
}

void sets_release(Sets *sets)
{
    free(sets->text);
    free(sets->lines);
    free(sets->variant);
}
