/* Text on a terminal: colours, wrapping at its width, and student text made harmless. */
#ifndef PAINT_H
#define PAINT_H

#include <stdbool.h>
#include <stdio.h>

#define PAINT_COLUMNS 80

/* Columns to write in: those of the terminal behind `file`, between 40 and 120; 80 when it is none. Asked once, by
 * paint_wanted() for the file that it is asked about; 80 before. */
int paint_width(void);

enum paint { PAINT_PLAIN, PAINT_BOLD, PAINT_DIM, PAINT_RED, PAINT_GREEN, PAINT_YELLOW, PAINT_BLUE };

/* Whether output to `file` should be coloured: a terminal, and NO_COLOR (no-color.org) is not set. Takes the terminal's
 * width for all that is written after it. */
bool paint_wanted(FILE *file);

/* The escape sequences that start and end a style; "" without colour. */
const char *paint_on(bool colour, enum paint style);
const char *paint_off(bool colour);

/* Writes text, wrapped between words, each line after `indent` blanks; a line end in the text starts a new line. Everything
 * that is not printable is escaped. The style is opened and closed on each line. */
void paint_wrapped(FILE *file, int indent, const char *text, bool colour, enum paint style);

/* The same without colour, for a line that has been begun: the cursor is in column `indent` already. */
void paint_continued(FILE *file, int indent, const char *text);

/* Writes "label    text": the label dim, the text from column indent + 9 on, wrapped there too. */
void paint_labelled(FILE *file, int indent, const char *label, const char *text, bool colour);

/* Whether the terminal shows UTF-8, as the locale's variables say. */
bool paint_is_utf8(void);

/* Writes text that is finished: on a terminal that does not show UTF-8, "?" for each column of a character beyond ASCII, so
 * that columns stay; anywhere else as it is. */
void paint_finished(FILE *file, const char *text, size_t bytes);

/* Columns that a printable UTF-8 text takes on the terminal. */
int paint_columns(const char *text);

#endif
