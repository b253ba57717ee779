/* Lines of the student's file around the place that a finding names. */
#ifndef EXCERPT_H
#define EXCERPT_H

#include <stdbool.h>
#include <stdio.h>

/* Writes the lines around `line` with their numbers, the line itself marked; `line2` too (0: none). `column` (0: none) gets
 * a caret. Blank lines at the edges are left out. Nothing is written when the line does not exist. */
void excerpt_print(FILE *file, const char *source, int line, int line2, int column, bool colour);

#endif
