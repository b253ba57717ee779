#include "grader/base/paint.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "runtime/base/printable.h"

enum { LEAST_COLUMNS = 40, MOST_COLUMNS = 120 };

static int columns_of_terminal = PAINT_COLUMNS;

int paint_width(void)
{
    return columns_of_terminal;
}

bool paint_wanted(FILE *file)
{
    struct winsize size;
    if (isatty(fileno(file)) && ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        columns_of_terminal = size.ws_col < LEAST_COLUMNS  ? LEAST_COLUMNS
                              : size.ws_col > MOST_COLUMNS ? MOST_COLUMNS
                                                           : size.ws_col;
    const char *forbidden = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return (!forbidden || forbidden[0] == '\0') && isatty(fileno(file)) && terminal && strcmp(terminal, "dumb") != 0;
}

const char *paint_on(bool colour, enum paint style)
{
    static const char *const codes[] = {
        [PAINT_PLAIN] = "",           [PAINT_BOLD] = "\033[1m",      [PAINT_DIM] = "\033[2m",   [PAINT_RED] = "\033[1;31m",
        [PAINT_GREEN] = "\033[1;32m", [PAINT_YELLOW] = "\033[1;33m", [PAINT_BLUE] = "\033[34m",
    };
    return colour ? codes[style] : "";
}

const char *paint_off(bool colour)
{
    return colour ? "\033[0m" : "";
}

int paint_columns(const char *text)
{
    return printable_columns(text, strlen(text));
}

/* Where a line goes on: below its first word, or, where two blanks follow a label ("expected  void k(...)"), below what
 * follows them. */
static int hanging(const char *text)
{
    const char *gap = strstr(text, "  ");
    if (!gap || gap - text > 12)
        return 0;
    return (int)(gap - text) + (int)strspn(gap, " ");
}

/* One paragraph of escaped text; its first line has begun already, at `indent`. */
static void wrap_paragraph(FILE *file, int indent, const char *text, bool colour, enum paint style)
{
    int column = 0, hang = hanging(text);
    fputs(paint_on(colour, style), file);
    for (const char *at = text; *at != '\0';) {
        size_t blanks = strspn(at, " "), word = strcspn(at + blanks, " ");
        char copy[4096];
        snprintf(copy, sizeof copy, "%.*s", (int)word, at + blanks);
        int width = paint_columns(copy);
        if (column > hang && indent + column + (int)blanks + width > paint_width()) {
            fprintf(file, "%s\n%*s%s", paint_off(colour), indent + hang, "", paint_on(colour, style));
            column = hang;
            blanks = 0;
        }
        fprintf(file, "%*s%s", (int)blanks, "", copy);
        column += (int)blanks + width;
        at += strspn(at, " ") + word;
    }
    fprintf(file, "%s\n", paint_off(colour));
}

/* Each line of the text; `begun`: the first one's indent is there already. */
static void write_lines(FILE *file, int indent, const char *text, bool begun, bool colour, enum paint style)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        char escaped[4096] = "";
        printable_append(escaped, sizeof escaped, text, length);
        fprintf(file, "%*s", begun ? 0 : indent, "");
        wrap_paragraph(file, indent, escaped, colour, style);
        text += length + (text[length] == '\n');
        begun = false;
    }
}

void paint_wrapped(FILE *file, int indent, const char *text, bool colour, enum paint style)
{
    write_lines(file, indent, text, false, colour, style);
}

void paint_continued(FILE *file, int indent, const char *text)
{
    write_lines(file, indent, text, true, false, PAINT_PLAIN);
}

void paint_labelled(FILE *file, int indent, const char *label, const char *text, bool colour)
{
    enum { LABEL_COLUMNS = 9 };
    char escaped[4096] = "";
    printable_append(escaped, sizeof escaped, text, strlen(text));
    fprintf(file, "%*s%s%s%s%*s", indent, "", paint_on(colour, PAINT_DIM), label, paint_off(colour),
            LABEL_COLUMNS - (int)strlen(label), "");
    wrap_paragraph(file, indent + LABEL_COLUMNS, escaped, colour, PAINT_PLAIN);
}

/* setlocale() would change how numbers are written. */
bool paint_is_utf8(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value && value[0] != '\0')
            return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return false;
}

void paint_finished(FILE *file, const char *text, size_t bytes)
{
    bool plain = isatty(fileno(file)) && !paint_is_utf8();
    for (size_t at = 0; at < bytes && plain;) {
        int32_t point;
        size_t taken = printable_point(text + at, bytes - at, &point);
        int columns = printable_columns(text + at, taken > 0 ? taken : 1);
        for (int i = 0; i < columns && (text[at] & 0x80) != 0; i++)
            fputc('?', file);
        if ((text[at] & 0x80) == 0)
            fputc(text[at], file);
        at += taken > 0 ? taken : 1;
    }
    if (!plain)
        fwrite(text, 1, bytes, file);
}
