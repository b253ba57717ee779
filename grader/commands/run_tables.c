#include "grader/commands/run_tables.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/paint.h"

enum {
    WHOLE_ROWS = 32,  /* a table of up to so many rows is shown whole … */
    FIRST_ROWS = 8,   /* … else so many … */
    WRONG_ROWS = 16,  /* … and so many wrong ones */
    MATRIX_ROWS = 16, /* of a matrix */
    CELL_BYTES = 40,
    COLUMNS_MOST = 3 * 16,
};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static json_int_t number_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static bool is_output(const json_t *array)
{
    return strcmp(text_of(array, "role"), "output") == 0;
}

static bool is_wrong(const json_t *element)
{
    const char *state = text_of(element, "state");
    return strcmp(state, "wrong") == 0 || strcmp(state, "never written") == 0;
}

/* ---- cells -------------------------------------------------------------------------------------------------------- */

/* `key`: "before", "after" or "expected". */
static void format_cell(const json_t *element, const char *key, char cell[CELL_BYTES])
{
    const json_t *value = json_object_get(element, key);
    bool unwritten = strcmp(key, "after") == 0 && strcmp(text_of(element, "state"), "never written") == 0;
    if (json_is_integer(value))
        snprintf(cell, CELL_BYTES, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(cell, CELL_BYTES, "%.7g", json_real_value(value));
    else if (json_is_string(value))
        snprintf(cell, CELL_BYTES, "%s", json_string_value(value));
    else
        snprintf(cell, CELL_BYTES, "%s", unwritten ? "unwritten" : strcmp(key, "expected") == 0 ? "any" : "");
}

/* Does any element have a value for it? */
static bool has_any(const json_t *array, const char *key)
{
    size_t i;
    json_t *element;
    json_array_foreach(json_object_get(array, "elements"), i, element)
    {
        bool unwritten = strcmp(key, "after") == 0 && json_is_string(json_object_get(element, "state"));
        if (unwritten || !json_is_null(json_object_get(element, key)))
            return true;
    }
    return false;
}

/* The element of an index; NULL: it is not among those that are kept. `at`: where the last one was found, as they are sorted. */
static const json_t *find_element(const json_t *array, json_int_t index, size_t *at)
{
    const json_t *elements = json_object_get(array, "elements");
    while (*at < json_array_size(elements) && number_of(json_array_get(elements, *at), "index") < index)
        ++*at;
    const json_t *element = json_array_get(elements, *at);
    return element && number_of(element, "index") == index ? element : NULL;
}

/* ---- arrays of one dimension, side by side ------------------------------------------------------------------------- */

struct column {
    const json_t *array;
    const char *key;
    char title[CELL_BYTES + 64];
    int width;
    size_t at; /* of find_element */
};

struct table {
    struct column columns[COLUMNS_MOST];
    int column_count;
    json_int_t *rows; /* indices, owned */
    bool *wrong;      /* [row_count], owned */
    size_t row_count;
    json_int_t count; /* elements of each array */
};

static void add_columns(struct table *table, const json_t *array)
{
    static const char *const keys[] = {"before", "after", "expected"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        struct column *column = &table->columns[table->column_count];
        if (table->column_count == COLUMNS_MOST || !has_any(array, keys[k]))
            continue;
        *column = (struct column){.array = array, .key = keys[k]};
        snprintf(column->title, sizeof column->title, is_output(array) ? "%.60s %s" : "%.60s", text_of(array, "name"),
                 keys[k]);
        table->column_count++;
    }
}

/* Which rows: all of a short table, else the first and the wrong ones. */
static void choose_rows(struct table *table)
{
    size_t room = 0, wrong_rows = 0;
    for (int c = 0; c < table->column_count; c++)
        room += json_array_size(json_object_get(table->columns[c].array, "elements"));
    table->rows = allocate_zeroed((room + 1) * sizeof *table->rows);
    table->wrong = allocate_zeroed((room + 1) * sizeof *table->wrong);
    for (json_int_t index = -1;;) {
        json_int_t next = table->count;
        bool wrong = false;
        for (int c = 0; c < table->column_count; c++) { /* the next index that any of them has */
            size_t at = table->columns[c].at;
            find_element(table->columns[c].array, index + 1, &at);
            table->columns[c].at = at;
            const json_t *element = json_array_get(json_object_get(table->columns[c].array, "elements"), at);
            json_int_t own = element ? number_of(element, "index") : table->count;
            wrong = (own == next && wrong) || (own <= next && element && is_wrong(element));
            next = own < next ? own : next;
        }
        if (next >= table->count)
            break;
        index = next;
        if (table->count > WHOLE_ROWS && index >= FIRST_ROWS && !(wrong && wrong_rows < WRONG_ROWS))
            continue;
        wrong_rows += wrong && index >= FIRST_ROWS;
        table->rows[table->row_count] = index;
        table->wrong[table->row_count++] = wrong;
    }
}

static void measure(struct table *table)
{
    for (int c = 0; c < table->column_count; c++) {
        struct column *column = &table->columns[c];
        column->width = paint_columns(column->title);
        column->at = 0;
        for (size_t r = 0; r < table->row_count; r++) {
            char cell[CELL_BYTES] = "";
            const json_t *element = find_element(column->array, table->rows[r], &column->at);
            if (element)
                format_cell(element, column->key, cell);
            int width = paint_columns(cell);
            column->width = width > column->width ? width : column->width;
        }
        column->at = 0;
    }
}

/* Columns [first, last) of the table; those that do not fit beside one another come below. */
static void write_part(FILE *file, struct table *table, int first, int last, int index_width, bool colour)
{
    fprintf(file, "  %s%*s", paint_on(colour, PAINT_DIM), index_width, "index");
    for (int c = first; c < last; c++)
        fprintf(file, "  %*s%s", table->columns[c].width - paint_columns(table->columns[c].title), "",
                table->columns[c].title);
    fprintf(file, "%s\n", paint_off(colour));
    for (size_t r = 0; r < table->row_count; r++) {
        json_int_t before = r > 0 ? table->rows[r - 1] : -1;
        if (table->rows[r] > before + 1)
            fprintf(file, "  %*s\n", index_width, "...");
        fprintf(file, "%s%s %*lld", paint_on(colour && table->wrong[r], PAINT_RED), table->wrong[r] ? ">" : " ", index_width,
                (long long)table->rows[r]);
        for (int c = first; c < last; c++) {
            struct column *column = &table->columns[c];
            char cell[CELL_BYTES] = "";
            const json_t *element = find_element(column->array, table->rows[r], &column->at);
            if (element)
                format_cell(element, column->key, cell);
            fprintf(file, "  %*s", column->width, cell);
        }
        fprintf(file, "%s\n", paint_off(colour && table->wrong[r]));
    }
    if (table->row_count > 0 && table->rows[table->row_count - 1] + 1 < table->count)
        fprintf(file, "  %*s\n", index_width, "...");
}

static void write_table(FILE *file, struct table *table, bool colour)
{
    char number[32];
    int index_width = snprintf(number, sizeof number, "%lld", (long long)table->count);
    index_width = index_width < 5 ? 5 : index_width;
    choose_rows(table);
    measure(table);
    for (int first = 0; first < table->column_count;) {
        int last = first, used = 2 + index_width;
        while (last < table->column_count && (last == first || used + 2 + table->columns[last].width <= paint_width()))
            used += 2 + table->columns[last++].width;
        if (first > 0)
            fputc('\n', file);
        write_part(file, table, first, last, index_width, colour);
        first = last;
    }
    free(table->rows);
    free(table->wrong);
}

/* ---- matrices ------------------------------------------------------------------------------------------------------ */

/* The corner of a matrix that has room on the screen, and the width of its cells, which all three of its pictures share. */
struct corner {
    json_int_t rows, columns;
    int width;
};

static struct corner find_corner(const json_t *array)
{
    static const char *const keys[] = {"before", "after", "expected"};
    json_int_t columns = number_of(array, "columns"), rows = number_of(array, "count") / columns;
    struct corner corner = {rows < MATRIX_ROWS ? rows : MATRIX_ROWS, columns < MATRIX_ROWS ? columns : MATRIX_ROWS, 4};
    size_t i;
    json_t *element;
    json_array_foreach(json_object_get(array, "elements"), i, element)
    {
        json_int_t index = number_of(element, "index");
        if (index / columns >= corner.rows || index % columns >= corner.columns)
            continue;
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            char cell[CELL_BYTES];
            format_cell(element, keys[k], cell);
            int own = paint_columns(cell);
            corner.width = own > corner.width ? own : corner.width;
        }
    }
    json_int_t fit = (paint_width() - 8) / (corner.width + 2);
    corner.columns = corner.columns > fit ? fit : corner.columns;
    return corner;
}

static bool is_whole(const json_t *array)
{
    struct corner corner = find_corner(array);
    return corner.rows * corner.columns == number_of(array, "count");
}

static void write_matrix(FILE *file, const json_t *array, const char *key, bool colour)
{
    struct corner corner = find_corner(array);
    json_int_t columns = number_of(array, "columns"), rows = number_of(array, "count") / columns;
    char cell[CELL_BYTES];
    size_t at = 0;
    fprintf(file, "  %s%s%s%s, %lld x %lld%s\n", paint_on(colour, PAINT_DIM), text_of(array, "name"),
            is_output(array) ? " " : "", is_output(array) ? key : "", (long long)rows, (long long)columns,
            paint_off(colour));
    for (json_int_t row = 0; row < corner.rows; row++) {
        fprintf(file, "    ");
        for (json_int_t column = 0; column < corner.columns; column++) {
            const json_t *found = find_element(array, row * columns + column, &at);
            bool wrong = found && is_wrong(found) && strcmp(key, "after") == 0;
            cell[0] = '\0';
            if (found)
                format_cell(found, key, cell);
            fprintf(file, " %s%*s%s%s", paint_on(colour && wrong, PAINT_RED), corner.width, cell, wrong ? "*" : " ",
                    paint_off(colour && wrong));
        }
        fprintf(file, "%s\n", corner.columns < columns ? " ..." : "");
    }
    if (corner.rows < rows)
        fprintf(file, "     ...\n");
}

/* The wrong elements of a matrix, in a line each: they may lie outside the corner that is shown. */
static void write_wrong(FILE *file, const json_t *array, bool colour)
{
    json_int_t columns = number_of(array, "columns");
    size_t i, lines = 0;
    json_t *element;
    json_array_foreach(json_object_get(array, "elements"), i, element)
    {
        char after[CELL_BYTES], expected[CELL_BYTES];
        json_int_t index = number_of(element, "index");
        if (!is_wrong(element) || lines++ >= FIRST_ROWS)
            continue;
        format_cell(element, "after", after);
        format_cell(element, "expected", expected);
        fprintf(file, "%s> %s[%lld][%lld] is %s, expected %s%s\n", paint_on(colour, PAINT_RED), text_of(array, "name"),
                (long long)(index / columns), (long long)(index % columns), after, expected, paint_off(colour));
    }
}

/* ---- all arrays ----------------------------------------------------------------------------------------------------- */

static bool is_vector(const json_t *array)
{
    return number_of(array, "columns") == 0 && !json_is_true(json_object_get(array, "scalar"));
}

/* How many of an output are wrong, in words; nothing where the run did not get that far. */
static void write_summary(FILE *file, const json_t *array, bool colour)
{
    json_int_t wrong = number_of(array, "wrong"), count = number_of(array, "count");
    if (!is_output(array) || !has_any(array, "after") || json_is_true(json_object_get(array, "scalar")))
        return;
    char *text = wrong == 0 && count == 1 ? allocate_format("%s: the only element is right", text_of(array, "name"))
                 : wrong == 0 ? allocate_format("%s: all %lld elements are right", text_of(array, "name"), (long long)count)
                              : allocate_format("%s: %lld of %lld elements %s not right", text_of(array, "name"),
                                                (long long)wrong, (long long)count, wrong == 1 ? "is" : "are");
    fprintf(file, "  %s%s%s\n", paint_on(colour, wrong == 0 ? PAINT_GREEN : PAINT_RED), text, paint_off(colour));
    free(text);
}

static void write_scalar(FILE *file, const json_t *array, bool colour)
{
    const json_t *element = json_array_get(json_object_get(array, "elements"), 0);
    char after[CELL_BYTES], expected[CELL_BYTES];
    bool wrong = is_wrong(element), there = json_is_string(json_object_get(element, "state"));
    format_cell(element, "after", after);
    format_cell(element, "expected", expected);
    fprintf(file, "%s%s %s: %s%sexpected %s%s\n", paint_on(colour && wrong, PAINT_RED), wrong ? ">" : " ",
            text_of(array, "name"), there ? after : "", there ? ", " : "", expected, paint_off(colour && wrong));
}

/* A plan may hand over the same elements twice, for two reasons. */
static bool is_repeated(const json_t *arrays, size_t index)
{
    static const char *const keys[] = {"name", "after_launches", "columns", "elements"};
    for (size_t i = 0; i < index; i++) {
        bool same = true;
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            same = same
                   && json_equal(json_object_get(json_array_get(arrays, i), keys[k]),
                                 json_object_get(json_array_get(arrays, index), keys[k]));
        if (same)
            return true;
    }
    return false;
}

/* Is there an output at the end of the plan beside which an input has its column? */
static bool has_neighbour(const json_t *arrays, const json_t *input, const json_t *last)
{
    size_t i;
    json_t *array;
    json_array_foreach(arrays, i, array)
    {
        if (is_output(array) && is_vector(array) && is_vector(input)
            && number_of(array, "count") == number_of(input, "count")
            && json_equal(json_object_get(array, "after_launches"), (json_t *)last))
            return true;
    }
    return false;
}

/* Is the array shown now? moment: after how many launches; NULL: before them, when inputs come that no output is beside. */
static bool is_due(const json_t *arrays, const json_t *array, const json_t *moment, const json_t *last)
{
    if (is_output(array))
        return moment && json_equal((json_t *)moment, json_object_get(array, "after_launches"));
    return has_neighbour(arrays, array, last) ? moment == last : !moment;
}

/* All arrays that are due, those of one length side by side. */
static void write_moment(FILE *file, const json_t *arrays, const json_t *moment, const json_t *last, bool colour)
{
    size_t count = json_array_size(arrays);
    bool *done = allocate_zeroed(count + 1), *shown = allocate_zeroed(count + 1);
    for (size_t i = 0; i < count; i++)
        done[i] = is_repeated(arrays, i);
    for (size_t i = 0; i < count; i++) {
        const json_t *array = json_array_get(arrays, i);
        if (done[i] || !is_due(arrays, array, moment, last))
            continue;
        if (is_vector(array)) {
            memset(shown, 0, count * sizeof *shown);
            struct table table = {.count = number_of(array, "count")};
            fputc('\n', file);
            for (size_t k = i; k < count; k++) {
                const json_t *other = json_array_get(arrays, k);
                if (done[k] || !is_due(arrays, other, moment, last) || !is_vector(other)
                    || number_of(other, "count") != table.count)
                    continue;
                add_columns(&table, other);
                done[k] = shown[k] = true;
            }
            write_table(file, &table, colour);
            for (size_t k = i; k < count; k++)
                if (shown[k] && number_of(json_array_get(arrays, k), "count") == table.count)
                    write_summary(file, json_array_get(arrays, k), colour);
        } else if (json_is_true(json_object_get(array, "scalar"))) {
            fputc('\n', file);
            write_scalar(file, array, colour);
        } else {
            static const char *const keys[] = {"before", "after", "expected"};
            for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
                if (has_any(array, keys[k])) {
                    fputc('\n', file);
                    write_matrix(file, array, keys[k], colour);
                }
            if (!is_whole(array))
                write_wrong(file, array, colour);
            write_summary(file, array, colour);
        }
    }
    free(done);
    free(shown);
}

void run_tables_write(FILE *file, const json_t *run, bool colour)
{
    const json_t *arrays = json_object_get(run, "arrays");
    json_int_t latest = 0, launches = 0, first = -1;
    size_t i;
    json_t *array;
    json_array_foreach(arrays, i, array)
    {
        json_int_t after = number_of(array, "after_launches");
        if (!is_output(array))
            continue;
        latest = after > latest ? after : latest;
        first = first < 0 || after < first ? after : first;
        launches = number_of(array, "launches");
    }
    json_t *last = json_integer(latest);
    write_moment(file, arrays, NULL, last, colour);
    for (json_int_t moment = 0; moment <= latest; moment++) {
        json_t *now = moment == latest ? json_incref(last) : json_integer(moment);
        bool any = false;
        json_array_foreach(arrays, i, array) any |= json_equal(now, json_object_get(array, "after_launches"));
        if (any && first < latest)
            fprintf(file, "\n%safter launch %lld of %lld%s\n", paint_on(colour, PAINT_BOLD), (long long)moment,
                    (long long)launches, paint_off(colour));
        if (any)
            write_moment(file, arrays, now, last, colour);
        json_decref(now);
    }
    json_decref(last);
    if (!json_is_true(json_object_get(run, "finished")))
        fprintf(file, "\n  %sThe run did not finish, so there is nothing after it to show.%s\n",
                paint_on(colour, PAINT_YELLOW), paint_off(colour));
}
