/* The timeline of a program as lines of text: a row for each stream. */
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/paint.h"
#include "grader/result/report.h"

enum { NAME_COLUMNS = 20, MOST_STREAMS = 12, MOST_COLUMNS = 72, LEAST_COLUMNS = 20, INDENT = 4 };

static const char signs[RESULT_PIECE_KINDS] = {[RESULT_TO_DEVICE] = '>', [RESULT_TO_HOST] = '<', [RESULT_KERNEL] = '#'};

/* Columns of a piece: at least one. */
static void draw_piece(const struct result_timeline *timeline, const struct result_piece *piece, int columns, char *row)
{
    double scale = timeline->us > 0 ? columns / timeline->us : 0;
    int from = (int)(piece->start_us * scale + 0.5), to = (int)(piece->end_us * scale + 0.5);
    from = from < columns ? from : columns - 1;
    to = to > columns ? columns : to > from ? to : from + 1;
    memset(row + from, signs[piece->kind], (size_t)(to - from));
}

/* Columns of the longest name, with the gap behind it. */
static int name_columns(const struct result_timeline *timeline)
{
    size_t most = NAME_COLUMNS;
    for (size_t i = 0; i < timeline->piece_count; i++) {
        size_t length = strlen(timeline->pieces[i].stream) + 2;
        most = length > most ? length : most;
    }
    return (int)most;
}

static void print_stream(FILE *file, const struct result_timeline *timeline, const char *stream, int names, int columns)
{
    char *row = allocate_zeroed((size_t)columns + 1);
    memset(row, ' ', (size_t)columns);
    for (int kernels = 0; kernels < 2; kernels++) /* last, as they may be short and are not to be covered */
        for (size_t i = 0; i < timeline->piece_count; i++)
            if (strcmp(timeline->pieces[i].stream, stream) == 0 && (timeline->pieces[i].kind == RESULT_KERNEL) == kernels)
                draw_piece(timeline, &timeline->pieces[i], columns, row);
    for (int end = columns; end > 0 && row[end - 1] == ' '; end--)
        row[end - 1] = '\0';
    fprintf(file, "%*s%-*s%s\n", INDENT, "", names, stream, row);
    free(row);
}

void report_timeline(FILE *file, const struct result_lab *result, bool colour)
{
    const struct result_timeline *timeline = &result->timeline;
    int names = name_columns(timeline), columns = paint_width() - INDENT - names - 1;
    size_t shown = 0, left = 0;
    if (!timeline->the_case)
        return;
    columns = columns < MOST_COLUMNS ? columns : MOST_COLUMNS;
    fprintf(file, "\n  %stimeline%s  %s: %.3g µs; one piece of work at a time: %.3g µs\n", paint_on(colour, PAINT_BOLD),
            paint_off(colour), timeline->the_case, timeline->us, timeline->in_a_row_us);
    for (size_t i = 0; i < timeline->piece_count; i++) {
        const char *stream = timeline->pieces[i].stream;
        bool is_new = true;
        for (size_t k = 0; k < i && is_new; k++)
            is_new = strcmp(timeline->pieces[k].stream, stream) != 0;
        if (is_new && shown < MOST_STREAMS && columns >= LEAST_COLUMNS) {
            print_stream(file, timeline, stream, names, columns);
            shown++;
        } else if (is_new) {
            left++;
        }
    }
    if (left > 0)
        fprintf(file, "%*s%zu %sstream%s\n", INDENT, "", left, shown > 0 ? "more " : "", left == 1 ? "" : "s");
    paint_wrapped(file, INDENT, "> copy to the device   # kernel   < copy to the host", colour, PAINT_PLAIN);
    paint_wrapped(file, INDENT, result_timeline_model, colour, PAINT_DIM);
}
