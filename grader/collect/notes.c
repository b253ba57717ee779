#include "grader/collect/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "runtime/base/printable.h"

static char *make_printable(const char *text)
{
    char shown[1024] = "";
    printable_append(shown, sizeof shown, text, strlen(text));
    return allocate_text(shown, strlen(shown));
}

void notes_add(struct notes *notes, bool must_look, const char *place, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    if (notes->count >= NOTES_MOST) {
        notes->left_out++;
        return;
    }
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    notes->list = allocate_grown(notes->list, &notes->capacity, notes->count + 1, sizeof *notes->list);
    notes->list[notes->count++] = (struct note){must_look, make_printable(place), make_printable(text ? text : "")};
    free(text);
}

void notes_clear(struct notes *notes)
{
    for (size_t i = 0; i < notes->count; i++) {
        free(notes->list[i].place);
        free(notes->list[i].message);
    }
    free(notes->list);
    memset(notes, 0, sizeof *notes);
}
