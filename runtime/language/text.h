/* A source file's bytes, read as its author meant them. Editors save CUDA C in many ways, the compiler takes only one. */
#ifndef RUNTIME_TEXT_H
#define RUNTIME_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the file bytes[count] and returns its text, which the caller frees: UTF-8 with a NUL after *text_bytes bytes. NULL
 * when memory is short. What it changes keeps every line its number:
 *   a byte order mark         is left out
 *   UTF-16, with or without   becomes UTF-8
 *   a carriage return alone   becomes a line feed
 *   blanks of typography      become a space (no-break space, thin space ...), but for those in literals
 *   characters without width  are left out (zero width space, soft hyphen ...), but for those in literals
 *   bytes that are not UTF-8  are taken for Windows-1252, which includes Latin-1, but for those in literals
 * Text that needs none of this stays as it is, and so does what comes out when it is read again. A zero byte stays. */
char *text_read(const char *bytes, size_t count, size_t *text_bytes);

/* Characters that look like one of C's, or that word processors put in the place of one. */
struct text_lookalike {
    const char *name; /* "a typographic apostrophe" */
    const char *type; /* what to type: "'"; "" when it must only be deleted */
};

/* The row of characters.def for the character; false when it has none. `storage` holds what the row points to where a
 * whole range has one row (full-width forms). */
bool text_find_lookalike(int32_t point, struct text_lookalike *lookalike, char storage[2]);

#endif
