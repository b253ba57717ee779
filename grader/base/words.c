#include "grader/base/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "runtime/base/printable.h"

void words_error(const lockstep_error *error, char *text, size_t text_bytes)
{
    size_t length = strlen(error->message);
    bool ended = length > 0 && strchr(".!?\n", error->message[length - 1]);
    if (error->remedy[0] == '\0')
        snprintf(text, text_bytes, "%s", error->message);
    else
        snprintf(text, text_bytes, "%s%s %s", error->message, ended ? "" : ".", error->remedy);
}

static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";

char *words_shell(const char *path)
{
    size_t length = strlen(path), bytes = 4 * length + 16; /* a byte becomes four at the most */
    if (length > 0 && strspn(path, harmless) == length && path[0] != '-')
        return allocate_format("%s", path);
    char *shown = allocate_zeroed(bytes), *word = allocate_zeroed(bytes);
    printable_append(shown, bytes, path, length);
    bool plain = strcmp(shown, path) == 0;
    size_t used = (size_t)sprintf(word, plain ? "'" : "$'");
    if (plain) {
        for (const char *at = path; *at; at++)
            used += (size_t)sprintf(word + used, *at == '\'' ? "'\\''" : "%c", *at);
    } else {
        for (const char *at = path; *at;) { /* character by character: what is printable stays */
            int32_t point;
            size_t count = printable_point(at, strlen(at), &point);
            count = count > 0 ? count : 1;
            shown[0] = '\0';
            printable_append(shown, bytes, at, count);
            bool escapes = *at == '\'' || *at == '\\';
            used += (size_t)sprintf(word + used, "%s%s", escapes ? "\\" : "", *at == '\t' ? "\\t" : shown);
            at += count;
        }
    }
    sprintf(word + used, "'");
    free(shown);
    return word;
}
