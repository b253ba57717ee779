#include "grader/excerpt.h"

#include <string.h>

#include "grader/paint.h"
#include "runtime/printable.h"

enum { AROUND = 2, WIDTH = PAINT_COLUMNS - 11 };

/* Start of a line (1-based), NULL when the text has fewer. */
static const char *find_line(const char *source, int line)
{
    for (int i = 1; i < line && source != NULL; i++) {
        source = strchr(source, '\n');
        source = source != NULL ? source + 1 : NULL;
    }
    return source != NULL && *source != '\0' ? source : NULL;
}

static void print_line(FILE *file, const char *source, int line, bool marked, int column, bool colour)
{
    const char *start = find_line(source, line);
    char text[512] = "";
    if (start == NULL)
        return;
    size_t length = strcspn(start, "\r\n");
    printable_append(text, WIDTH < sizeof(text) ? WIDTH : sizeof(text), start, length);
    fprintf(file, "    %s%s%4d %s%s %s%s%s\n", paint_on(colour, marked ? PAINT_RED : PAINT_DIM), marked ? ">" : " ", line,
            "|", paint_off(colour), paint_on(colour, marked ? PAINT_BOLD : PAINT_PLAIN), text, paint_off(colour));
    if (column > 0 && column < WIDTH)
        fprintf(file, "          %s|%s %*s%s^%s\n", paint_on(colour, PAINT_DIM), paint_off(colour), column - 1, "",
                paint_on(colour, PAINT_RED), paint_off(colour));
}

void excerpt_print(FILE *file, const char *source, int line, int line2, int column, bool colour)
{
    if (source == NULL || line <= 0 || find_line(source, line) == NULL)
        return;
    int first = line, last = line;
    if (line2 > 0) {
        first = line2 < first ? line2 : first;
        last = line2 > last ? line2 : last;
    }
    int from = first > AROUND ? first - AROUND : 1, to = last + 1;
    for (int i = from; i <= to; i++) {
        /* Between two distant places only their surroundings are shown. */
        if (i == first + AROUND + 1 && i < last - AROUND) {
            fprintf(file, "          %s...%s\n", paint_on(colour, PAINT_DIM), paint_off(colour));
            i = last - AROUND;
        }
        print_line(file, source, i, i == line || i == line2, i == line ? column : 0, colour);
    }
}
