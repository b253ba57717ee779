/* The picture as text for a terminal, and as SVG. */
#include <string.h>

#include "grader/base/paint.h"
#include "grader/result/picture.h"
#include "runtime/base/printable.h"

void picture_touch_text(const struct picture_touch *touch, char *text, size_t text_bytes)
{
    int used = snprintf(text, text_bytes, "%c", touch->kind), shown = touch->thread_count;
    if (touch->together && touch->thread_count > 2) {
        used += snprintf(text + used, text_bytes - (size_t)used, "%d-%d", touch->threads[0], touch->last);
    } else {
        shown = shown > PICTURE_THREADS ? PICTURE_THREADS : shown;
        for (int i = 0; i < shown; i++)
            used += snprintf(text + used, text_bytes - (size_t)used, "%s%d", i > 0 ? "," : "", touch->threads[i]);
        if (shown < touch->thread_count)
            used += snprintf(text + used, text_bytes - (size_t)used, "+%d", touch->thread_count - shown);
    }
    if (touch->line > 0)
        snprintf(text + used, text_bytes - (size_t)used, ":%d", touch->line);
}

void picture_interval_text(const struct picture *picture, int interval, char *text, size_t text_bytes)
{
    bool first = picture->after_line[interval] < 0;
    if (first)
        snprintf(text, text_bytes, "%s", picture->last[interval] ? "no barrier" : "from the start");
    else if (picture->after_line[interval] == 0)
        snprintf(text, text_bytes, "from a barrier on");
    else
        snprintf(text, text_bytes, "from line %d on", picture->after_line[interval]);
}

/* The texts of a cell, broken into lines of `width`; returns how many lines. lines: [max][256] */
static int break_cell(const struct picture_cell *cell, size_t width, char lines[][256], int max)
{
    int count = 0;
    for (int i = 0; i < cell->count + cell->more; i++) {
        char text[128] = "...";
        if (i < cell->count)
            picture_touch_text(&cell->touches[i], text, sizeof text);
        if (count > 0 && strlen(lines[count - 1]) + 1 + strlen(text) <= width) {
            strcat(strcat(lines[count - 1], " "), text);
        } else if (count < max) {
            snprintf(lines[count], sizeof lines[count], "%s", text);
            count++;
        }
    }
    return count;
}

static void label_of(const struct picture *picture, int row, char label[128])
{
    char name[96] = "";
    printable_append(name, sizeof name, picture->array, strlen(picture->array));
    snprintf(label, 128, "%.80s[%lld]", name, (long long)picture->rows[row]);
}

static const char legend[] = "W writes, A changes atomically, R reads; threads:line. ! marks a write where another thread "
                             "is between the same barriers.";

/* ---- terminal ----------------------------------------------------------------------------------------------------- */

enum { MAX_LINES = PICTURE_TOUCHES + 1, LEAST_COLUMN = 20 };

static void print_row(FILE *file, const struct picture *picture, int row, int label_width, int width, bool colour)
{
    char label[128], lines[PICTURE_INTERVALS][MAX_LINES][256];
    int counts[PICTURE_INTERVALS], height = 1;
    label_of(picture, row, label);
    for (int column = 0; column < picture->interval_count; column++) {
        counts[column] = break_cell(&picture->cells[row][column], (size_t)width - 4, lines[column], MAX_LINES);
        height = counts[column] > height ? counts[column] : height;
    }
    for (int line = 0; line < height; line++) {
        fprintf(file, "    %-*s", label_width, line == 0 ? label : "");
        for (int column = 0; column < picture->interval_count; column++) {
            bool conflict = picture->cells[row][column].conflict, last = column + 1 == picture->interval_count;
            const char *text = line < counts[column] ? lines[column][line] : "";
            fprintf(file, "%s| %c ", paint_off(colour), conflict && line == 0 ? '!' : ' ');
            fprintf(file, "%s%s%s", paint_on(colour, conflict ? PAINT_RED : PAINT_PLAIN), text, paint_off(colour));
            if (!last)
                fprintf(file, "%*s", width - 4 - (int)strlen(text) > 0 ? width - 4 - (int)strlen(text) : 0, "");
        }
        fputc('\n', file);
    }
}

/* Element after element: where the columns do not fit beside each other. */
static void print_narrow(FILE *file, const struct picture *picture, bool colour)
{
    for (int row = 0; row < picture->row_count; row++) {
        char label[128];
        label_of(picture, row, label);
        fprintf(file, "    %s\n", label);
        for (int column = 0; column < picture->interval_count; column++) {
            const struct picture_cell *cell = &picture->cells[row][column];
            char lines[MAX_LINES][256], text[64];
            int count = break_cell(cell, (size_t)paint_width() - 8, lines, MAX_LINES);
            if (count == 0)
                continue;
            picture_interval_text(picture, column, text, sizeof text);
            fprintf(file, "    %c %s%s%s\n", cell->conflict ? '!' : ' ', paint_on(colour, PAINT_DIM), text,
                    paint_off(colour));
            for (int i = 0; i < count; i++)
                fprintf(file, "        %s%s%s\n", paint_on(colour, cell->conflict ? PAINT_RED : PAINT_PLAIN), lines[i],
                        paint_off(colour));
        }
    }
}

void picture_print(FILE *file, const struct picture *picture, bool colour)
{
    int label_width = 8;
    char label[128], title[256];
    for (int row = 0; row < picture->row_count; row++) {
        label_of(picture, row, label);
        label_width = (int)strlen(label) + 1 > label_width ? (int)strlen(label) + 1 : label_width;
    }
    label_width = label_width > 24 ? 24 : label_width;
    int width = (paint_width() - 4 - label_width) / picture->interval_count;
    snprintf(title, sizeof title, "who touched %.64s in block (%u,%u,%u)", picture->array, picture->block[0],
             picture->block[1], picture->block[2]);
    fputc('\n', file);
    paint_wrapped(file, 4, title, colour, PAINT_BOLD);
    if (width < LEAST_COLUMN) {
        print_narrow(file, picture, colour);
        paint_wrapped(file, 4, legend, colour, PAINT_DIM);
        return;
    }
    fprintf(file, "    %*s", label_width, "");
    for (int column = 0; column < picture->interval_count; column++) {
        char text[64];
        picture_interval_text(picture, column, text, sizeof text);
        bool last = column + 1 == picture->interval_count;
        fprintf(file, "| %s%.*s%s", paint_on(colour, PAINT_DIM), width - 3, text, paint_off(colour));
        if (!last)
            fprintf(file, "%*s", width - 2 - (int)strlen(text) > 0 ? width - 2 - (int)strlen(text) : 1, "");
    }
    fputc('\n', file);
    for (int row = 0; row < picture->row_count; row++)
        print_row(file, picture, row, label_width, width, colour);
    paint_wrapped(file, 4, legend, colour, PAINT_DIM);
}

/* ---- SVG ---------------------------------------------------------------------------------------------------------- */

enum { LABEL_PIXELS = 130, COLUMN_PIXELS = 250, LINE_PIXELS = 20, MARGIN = 16, HEAD_PIXELS = 64, CHARACTERS = 28 };

static void write_escaped(FILE *file, const char *text)
{
    char printable[512] = "";
    printable_append(printable, sizeof printable, text, strlen(text));
    for (const char *at = printable; *at != '\0'; at++) {
        if (*at == '&' || *at == '<' || *at == '>')
            fputs(*at == '&' ? "&amp;" : *at == '<' ? "&lt;" : "&gt;", file);
        else
            fputc(*at, file);
    }
}

static void write_text(FILE *file, const char *kind, int x, int y, const char *text)
{
    fprintf(file, "<text class=\"%s\" x=\"%d\" y=\"%d\">", kind, x, y);
    write_escaped(file, text);
    fputs("</text>\n", file);
}

/* The whole picture in words, for those who do not see it. */
static void write_description(FILE *file, const struct picture *picture)
{
    fputs("<desc id=\"d\">", file);
    for (int row = 0; row < picture->row_count; row++)
        for (int column = 0; column < picture->interval_count; column++) {
            const struct picture_cell *cell = &picture->cells[row][column];
            char text[160];
            if (cell->count == 0)
                continue;
            label_of(picture, row, text);
            write_escaped(file, text);
            picture_interval_text(picture, column, text, sizeof text);
            fprintf(file, ", %s:", text);
            for (int i = 0; i < cell->count; i++) {
                picture_touch_text(&cell->touches[i], text, sizeof text);
                fprintf(file, " %s", text);
            }
            fprintf(file, "%s%s. ", cell->more ? " and more" : "", cell->conflict ? " (conflict)" : "");
        }
    write_escaped(file, legend);
    fputs("</desc>\n", file);
}

static int row_height(const struct picture *picture, int row)
{
    char lines[MAX_LINES][256];
    int most = 1;
    for (int column = 0; column < picture->interval_count; column++) {
        int count = break_cell(&picture->cells[row][column], CHARACTERS, lines, MAX_LINES);
        most = count > most ? count : most;
    }
    return most * LINE_PIXELS + 8;
}

static void write_row(FILE *file, const struct picture *picture, int row, int y)
{
    char label[128], lines[MAX_LINES][256];
    int height = row_height(picture, row);
    label_of(picture, row, label);
    write_text(file, picture->rows[row] == picture->index ? "label here" : "label", MARGIN, y + LINE_PIXELS, label);
    for (int column = 0; column < picture->interval_count; column++) {
        const struct picture_cell *cell = &picture->cells[row][column];
        int x = MARGIN + LABEL_PIXELS + column * COLUMN_PIXELS;
        int count = break_cell(cell, CHARACTERS, lines, MAX_LINES);
        fprintf(file, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
                cell->conflict ? "cell bad" : "cell", x, y, COLUMN_PIXELS - 10, height - 2);
        if (cell->conflict)
            write_text(file, "mark", x + 6, y + LINE_PIXELS - 2, "!");
        for (int i = 0; i < count; i++)
            write_text(file, cell->conflict ? "touch loud" : "touch", x + 20, y + (i + 1) * LINE_PIXELS - 2, lines[i]);
    }
}

void picture_write_svg(FILE *file, const struct picture *picture)
{
    static const char style[] =
        "<style>\n"
        "text{font:14px ui-monospace,Menlo,Consolas,monospace;fill:#1f2328}\n"
        ".page{fill:#fff}.title{font:600 16px system-ui,sans-serif}.small{font:12px system-ui,sans-serif;fill:#57606a}\n"
        ".cell{fill:#f6f8fa;stroke:#d0d7de}.bad{fill:#ffebe9;stroke:#cf222e}.here,.mark{font-weight:700}\n"
        ".mark,.loud{fill:#a40e26}\n"
        "@media (prefers-color-scheme:dark){text{fill:#e6edf3}.page{fill:#0d1117}.small{fill:#9198a1}\n"
        ".cell{fill:#161b22;stroke:#3d444d}.bad{fill:#3c1618;stroke:#f85149}.mark,.loud{fill:#ff8f87}}\n"
        "</style>\n";
    char title[200];
    int width = 2 * MARGIN + LABEL_PIXELS + picture->interval_count * COLUMN_PIXELS, y = HEAD_PIXELS;
    int height = HEAD_PIXELS + 44;
    width = width < 560 ? 560 : width;
    for (int row = 0; row < picture->row_count; row++)
        height += row_height(picture, row);
    snprintf(title, sizeof title, "Who touched %.64s in block (%u,%u,%u), from barrier to barrier", picture->array,
             picture->block[0], picture->block[1], picture->block[2]);
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" "
            "aria-labelledby=\"t d\">\n<title id=\"t\">",
            width, height, width, height);
    write_escaped(file, title);
    fputs("</title>\n", file);
    write_description(file, picture);
    fprintf(file, "%s<rect class=\"page\" width=\"%d\" height=\"%d\"/>\n", style, width, height);
    write_text(file, "title", MARGIN, 26, title);
    for (int column = 0; column < picture->interval_count; column++) {
        char text[64];
        picture_interval_text(picture, column, text, sizeof text);
        write_text(file, "small", MARGIN + LABEL_PIXELS + column * COLUMN_PIXELS, HEAD_PIXELS - 10, text);
    }
    for (int row = 0; row < picture->row_count; row++) {
        write_row(file, picture, row, y);
        y += row_height(picture, row);
    }
    write_text(file, "small", MARGIN, y + 18, "W writes, A changes atomically, R reads; threads:line.");
    write_text(file, "small", MARGIN, y + 34, "! marks a write where another thread is between the same barriers.");
    fputs("</svg>\n", file);
}
