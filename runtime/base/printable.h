/* Untrusted text (a compiler's log quotes the student's file), made safe to print: no control characters, no escape
 * sequences, nothing that reverses or hides other text. */
#ifndef RUNTIME_PRINTABLE_H
#define RUNTIME_PRINTABLE_H

#include <stddef.h>
#include <stdint.h>

/* Appends text[0 .. bytes) to the string `target`, which already ends in NUL and has room for target_bytes.
 * Tabs become spaces; printable ASCII and printable UTF-8 stay; everything else becomes \xNN, byte by byte. Text that
 * does not fit is cut between characters and ends in "...". Returns the new length. */
size_t printable_append(char *target, size_t target_bytes, const char *text, size_t bytes);

/* Bytes of the well-formed UTF-8 character at text[0 .. bytes), its code point in *point; 0 when it is malformed, or bytes is
 * 0. */
size_t printable_point(const char *text, size_t bytes, int32_t *point);

/* Columns that text[0 .. bytes) takes on a terminal: 2 for each wide character (Chinese, Japanese, Korean, emoji), 0 for each
 * that combines with the one before it. A malformed byte counts as one. */
int printable_columns(const char *text, size_t bytes);

#endif
