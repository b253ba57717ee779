#include "grader/student/watch.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/paint.h"
#include "runtime/base/printable.h"

enum { NEWS_LINES_MAX = 3 };

/* Length of a style's sequence, ESC [ digits and semicolons m; 0 when it is none. Nothing else may reach the terminal. */
static size_t style_length(const char *text)
{
    if (text[0] != '\033' || text[1] != '[')
        return 0;
    size_t length = 2 + strspn(text + 2, "0123456789;");
    return text[length] == 'm' ? length + 1 : 0;
}

/* Writes a character of a line as far as there is room; blanks where a wide one is cut. Returns the bytes that it took;
 * *room becomes less. */
static size_t write_character(FILE *file, const char *at, int *room)
{
    int32_t point;
    size_t taken = printable_point(at, strlen(at), &point), bytes = taken > 0 ? taken : 1;
    bool shown = taken == 1 ? *at >= ' ' && *at != 0x7f : taken > 0 && paint_is_utf8();
    int columns = shown || taken > 1 ? printable_columns(at, bytes) : 1;
    if (columns > *room)
        fprintf(file, "%*s", *room, "");
    else if (shown)
        fwrite(at, 1, bytes, file);
    else
        fprintf(file, "%.*s", columns, "??");
    *room -= columns;
    return bytes;
}

/* Writes one line, [0, length) of text, cut to `columns`, and clears the rest of the row. Returns the columns taken. */
static int write_row(FILE *file, const char *text, size_t length, int columns, bool colour)
{
    char *line = strndup(text, length);
    int room = columns;
    for (const char *at = line ? line : ""; *at != '\0';) {
        size_t style = style_length(at);
        if (style > 0 && colour)
            fwrite(at, 1, style, file);
        at += style > 0 ? style : room > 0 ? write_character(file, at, &room) : 1;
    }
    free(line);
    return columns - (room > 0 ? room : 0);
}

/* Clears the rest of a row, unless it is full: the cursor is then on its last character. */
static void clear_rest(FILE *file, bool full)
{
    fputs(full ? "\033[0m" : "\033[0m\033[K", file);
}

static void end_row(FILE *file, bool full)
{
    clear_rest(file, full);
    fputs("\r\n", file);
}

/* The bar: lab and verdict on the left, the time on the right where there is room for both. */
static void draw_bar(FILE *file, const struct watch_screen *screen)
{
    fputs(screen->colour ? "\033[7m" : "", file);
    int used = write_row(file, screen->bar, strlen(screen->bar), screen->columns, screen->colour);
    int right = (int)strlen(screen->right);
    if (used + 1 + right <= screen->columns) {
        fprintf(file, "%*s", screen->columns - used - right, "");
        write_row(file, screen->right, (size_t)right, right, screen->colour);
    } else {
        fprintf(file, "%*s", screen->columns - used, "");
    }
    end_row(file, true);
}

/* The text in lines of the screen's width. Owned by the caller. */
static char *wrap(const char *text, bool colour, enum paint style)
{
    char *lines = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&lines, &bytes);
    if (!file)
        return strdup("");
    paint_wrapped(file, 0, text, colour, style);
    fclose(file);
    return lines;
}

static int count_lines(const char *text)
{
    int count = 0;
    for (; *text != '\0'; text++)
        count += *text == '\n' || text[1] == '\0';
    return count;
}

/* Writes at most `most` lines, beginning with line `first`. Returns how many. */
static int draw_lines(FILE *file, const char *text, int first, int most, const struct watch_screen *screen)
{
    int line = 0, drawn = 0;
    for (const char *at = text; *at != '\0' && drawn < most; line++) {
        size_t length = strcspn(at, "\n");
        if (line >= first) {
            end_row(file, write_row(file, at, length, screen->columns, screen->colour) >= screen->columns);
            drawn++;
        }
        at += length + (at[length] == '\n');
    }
    return drawn;
}

/* How the rows are shared: the bar and the keys always, then the body, then news and next step. */
struct share {
    char *news, *next; /* owned */
    int news_rows, next_rows, body_rows;
};

static struct share share_rows(const struct watch_screen *screen)
{
    struct share share = {wrap(screen->news, screen->colour, PAINT_BOLD), wrap(screen->next, screen->colour, PAINT_GREEN), 0,
                          0, 0};
    int left = screen->rows - 2;
    share.news_rows = count_lines(share.news);
    if (share.news_rows > NEWS_LINES_MAX)
        share.news_rows = NEWS_LINES_MAX;
    share.next_rows = count_lines(share.next);
    if (left - share.next_rows < 6)
        share.next_rows = 0;
    if (left - share.news_rows - share.next_rows < 4)
        share.news_rows = left > 4 ? 1 : 0;
    share.body_rows = left - share.news_rows - share.next_rows;
    if (share.body_rows < 0)
        share.body_rows = 0;
    return share;
}

static void clear_share(struct share *share)
{
    free(share->news);
    free(share->next);
}

int watch_screen_page(const struct watch_screen *screen)
{
    struct share share = share_rows(screen);
    int rows = share.body_rows;
    clear_share(&share);
    return rows > 2 ? rows - 2 : 1;
}

void watch_screen_draw(FILE *file, struct watch_screen *screen)
{
    struct share share = share_rows(screen);
    int lines = count_lines(screen->body);
    bool more = lines > share.body_rows;
    int shown = more && share.body_rows > 1 ? share.body_rows - 1 : share.body_rows; /* one row says that there is more */
    if (screen->first > lines - shown)
        screen->first = lines - shown;
    if (screen->first < 0)
        screen->first = 0;
    fputs("\033[H", file);
    draw_bar(file, screen);
    draw_lines(file, share.news, 0, share.news_rows, screen);
    int drawn = draw_lines(file, screen->body, screen->first, shown, screen);
    if (more && shown < share.body_rows) {
        char *text = NULL;
        size_t bytes = 0;
        FILE *note = open_memstream(&text, &bytes);
        fprintf(note, "%s-- lines %d to %d of %d: space, b --", paint_on(screen->colour, PAINT_DIM), screen->first + 1,
                screen->first + drawn, lines);
        fclose(note);
        end_row(file, write_row(file, text, bytes, screen->columns, screen->colour) >= screen->columns);
        free(text);
        drawn++;
    }
    for (; drawn < share.body_rows; drawn++)
        end_row(file, false);
    draw_lines(file, share.next, 0, share.next_rows, screen);
    /* No line end after the last row: the screen would scroll. */
    fputs(screen->colour ? "\033[7m" : "", file);
    int used = write_row(file, screen->keys, strlen(screen->keys), screen->columns, screen->colour);
    fprintf(file, "%*s\033[0m", screen->columns - used, "");
    clear_share(&share);
}
