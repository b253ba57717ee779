#include "grader/base/words.h"

#include <stdio.h>
#include <string.h>

void words_error(const lockstep_error *error, char *text, size_t text_bytes)
{
    size_t length = strlen(error->message);
    bool ended = length > 0 && strchr(".!?\n", error->message[length - 1]);
    if (error->remedy[0] == '\0')
        snprintf(text, text_bytes, "%s", error->message);
    else
        snprintf(text, text_bytes, "%s%s %s", error->message, ended ? "" : ".", error->remedy);
}
