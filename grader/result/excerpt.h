/* Lines of the student's file around the place that a finding names. */
#ifndef EXCERPT_H
#define EXCERPT_H

#include <stdbool.h>
#include <stdio.h>

#include "grader/result/result.h"

/* Has the text a line of that number? */
bool excerpt_has_line(const char *source, int line);

/* A line of the text as it can be shown, at most EXCERPT_LINE_BYTES of it, owned by the caller (free); NULL when there
 * is none of that number. *altered: something was escaped or cut, so that columns of marks no longer fit. */
enum { EXCERPT_LINE_BYTES = 500 };
char *excerpt_line(const char *source, int line, bool *altered);

/* Writes the lines around `line` with their numbers, the line itself marked; `line2` too (0: none). The marks get carets
 * below, where the terminal is wide enough; of a line that is too long, the part with the first mark is shown. Lines are
 * counted as the compiler does: after `#line 40` comes line 40, and what `#line` gives to another file is left out. When
 * the line does not exist, nothing is written. */
void excerpt_print(FILE *file, const char *source, int line, int line2, const struct result_mark *marks, int mark_count,
                   bool colour);

#endif
