#include "grader/result/excerpt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/paint.h"
#include "runtime/base/printable.h"

/* NUMBER: ">  14 | ", after an indent where the terminal is not NARROW. */
enum { AROUND = 2, NUMBER_COLUMNS = 8, INDENT = 4, NARROW = 60 };

static int indent(void)
{
    return paint_width() < NARROW ? 0 : INDENT;
}

/* Columns for the text of a line. */
static int text_columns(void)
{
    return paint_width() - NUMBER_COLUMNS - indent();
}

/* Columns that stay visible before the first mark of a long line. */
static int context_columns(void)
{
    return text_columns() < 60 ? text_columns() / 3 : 20;
}

/* `#line 40 "file"`, `# 40 "file"`. Returns the number of the line that follows, 0 when it is no such directive. */
static int directed_line(const char *text, bool *other_file)
{
    text += strspn(text, " \t");
    if (*text != '#')
        return 0;
    text += 1 + strspn(text + 1, " \t");
    if (strncmp(text, "line", 4) == 0)
        text += 4 + strspn(text + 4, " \t");
    if (!isdigit((unsigned char)*text))
        return 0;
    char *end;
    long line = strtol(text, &end, 10);
    *other_file |= end[strspn(end, " \t")] == '"';
    return (int)line;
}

/* Start of a line (1-based), NULL when the text has none of that number. */
static const char *find_line(const char *source, int line)
{
    bool other_file = false;
    int number = 1;
    for (const char *at = source; *at != '\0'; number++) {
        int next = directed_line(at, &other_file);
        if (number == line && next == 0 && !other_file)
            return at;
        number = next > 0 ? next - 1 : number;
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return NULL;
}

bool excerpt_has_line(const char *source, int line)
{
    return source && line > 0 && find_line(source, line);
}

char *excerpt_line(const char *source, int line, bool *altered)
{
    const char *start = source && line > 0 ? find_line(source, line) : NULL;
    if (!start)
        return NULL;
    size_t length = strcspn(start, "\r\n");
    char *text = allocate_zeroed(EXCERPT_LINE_BYTES + 1);
    *altered = printable_append(text, EXCERPT_LINE_BYTES + 1, start, length) != length;
    return text;
}

/* Columns that the first `bytes` of a line take when they are shown. */
static int shown_columns(const char *text, size_t bytes)
{
    char *shown = allocate_zeroed(4 * bytes + 8);
    printable_append(shown, 4 * bytes + 8, text, bytes);
    int columns = paint_columns(shown);
    free(shown);
    return columns;
}

/* Carets below the marks of a line, of which `skipped` bytes are not shown and `before` columns take their place. */
static void print_marks(FILE *file, const char *start, size_t length, size_t skipped, int before, int line,
                        const struct result_mark *marks, int mark_count, bool colour)
{
    char carets[PAINT_COLUMNS * 2 + 1];
    int width = text_columns(), end = 0;
    if (width >= (int)sizeof carets)
        return;
    memset(carets, ' ', sizeof carets);
    for (int i = 0; i < mark_count; i++) {
        size_t first = (size_t)marks[i].column - 1, last = first + (size_t)marks[i].width;
        if (marks[i].line != line || marks[i].column < 1 || marks[i].width < 1 || first < skipped || last > length)
            continue;
        while (last < length && ((unsigned char)start[last] & 0xc0) == 0x80) /* the whole character */
            last++;
        int from = before + shown_columns(start + skipped, first - skipped);
        int to = before + shown_columns(start + skipped, last - skipped);
        for (int k = from; k < to && k < width; k++)
            carets[k] = '^';
        end = to > end ? to : end;
    }
    if (end > 0)
        fprintf(file, "%*s%s|%s %s%.*s%s\n", indent() + NUMBER_COLUMNS - 2, "", paint_on(colour, PAINT_DIM),
                paint_off(colour), paint_on(colour, PAINT_RED), end < width ? end : width, carets, paint_off(colour));
}

/* Where a long line begins to be shown: so that all its marks are seen; where they are too far apart, its first. */
static size_t choose_start(const char *start, size_t length, int line, const struct result_mark *marks, int mark_count)
{
    int width = text_columns(), context = context_columns();
    size_t from = length, to = 0, first_to = 0, skipped = 0;
    for (int i = 0; i < mark_count; i++) {
        size_t first = (size_t)marks[i].column - 1, last = first + (size_t)marks[i].width;
        if (marks[i].line != line || marks[i].column < 1 || marks[i].width < 1 || last > length)
            continue;
        first_to = first < from ? last : first_to;
        from = first < from ? first : from;
        to = last > to ? last : to;
    }
    enum { DOTS = 3 }; /* at either end */
    if (from >= to || shown_columns(start, to) <= width - DOTS)
        return 0;
    if (shown_columns(start + from, to - from) > width - 2 * DOTS)
        to = first_to; /* not all of them */
    if (shown_columns(start, to) <= width - DOTS)
        return 0;
    skipped = from > (size_t)context ? from - (size_t)context : 0;
    while (skipped < from && shown_columns(start + skipped, to - skipped) > width - 2 * DOTS)
        skipped++;
    while (skipped > 0 && ((unsigned char)start[skipped] & 0xc0) == 0x80) /* not inside a character */
        skipped--;
    return skipped;
}

static void print_line(FILE *file, const char *source, int line, bool marked, const struct result_mark *marks,
                       int mark_count, bool colour)
{
    const char *start = find_line(source, line);
    char text[512] = "";
    if (!start)
        return;
    size_t length = strcspn(start, "\r\n"), room = (size_t)text_columns();
    size_t skipped = marked ? choose_start(start, length, line, marks, mark_count) : 0;
    if (skipped > 0)
        strcpy(text, "...");
    printable_append(text, room + 1 < sizeof text ? room + 1 : sizeof text, start + skipped, length - skipped);
    fprintf(file, "%*s%s%s%4d %s%s %s%s%s\n", indent(), "", paint_on(colour, marked ? PAINT_RED : PAINT_DIM),
            marked ? ">" : " ", line, "|", paint_off(colour), paint_on(colour, marked ? PAINT_BOLD : PAINT_PLAIN), text,
            paint_off(colour));
    if (marked)
        print_marks(file, start, length, skipped, skipped > 0 ? 3 : 0, line, marks, mark_count, colour);
}

void excerpt_print(FILE *file, const char *source, int line, int line2, const struct result_mark *marks, int mark_count,
                   bool colour)
{
    if (!excerpt_has_line(source, line))
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
            fprintf(file, "%*s%s...%s\n", indent() + NUMBER_COLUMNS - 2, "", paint_on(colour, PAINT_DIM), paint_off(colour));
            i = last - AROUND;
        }
        print_line(file, source, i, i == line || i == line2, marks, mark_count, colour);
    }
}
