#include "grader/class/csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "grader/base/allocate.h"
#include "grader/base/files.h"

#define CSV_BYTES_MAX (16u << 20)

static bool refuse(const char *path, int line, const char *why, char *message, size_t message_bytes)
{
    if (line > 0)
        snprintf(message, message_bytes, "%.300s:%d: %s", path, line, why);
    else
        snprintf(message, message_bytes, "%.300s: %s", path, why);
    return false;
}

static int find_bad_utf8(const char *text, size_t bytes)
{
    int line = 1;
    for (size_t at = 0; at < bytes;) {
        utf8proc_int32_t point;
        utf8proc_ssize_t used = utf8proc_iterate((const utf8proc_uint8_t *)text + at, (utf8proc_ssize_t)(bytes - at),
                                                 &point);
        if (used <= 0 || point == 0)
            return line;
        line += point == '\n';
        at += (size_t)used;
    }
    return 0;
}

/* The separator: the comma, unless the first line has none. */
static char find_separator(const char *text)
{
    size_t length = strcspn(text, "\r\n");
    if (memchr(text, ',', length))
        return ',';
    return memchr(text, ';', length) ? ';' : memchr(text, '\t', length) ? '\t' : ',';
}

static char *trim(char *start, char *end)
{
    while (start < end && (*start == ' ' || *start == '\t'))
        start++;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *end = '\0';
    return start;
}

/* Takes the quoted field that begins after `at`, in place. Returns what follows the closing quote, NULL: there is none. */
static char *unquote(char *at, char **end, int *line)
{
    char *to = at;
    for (; *at != '\0'; at++) {
        if (*at == '"' && at[1] != '"') {
            *end = to;
            return at + 1;
        }
        at += *at == '"';
        *line += *at == '\n';
        *to++ = *at;
    }
    return NULL;
}

static void add_field(struct csv_row *row, size_t *capacity, char *field)
{
    row->fields = allocate_grown(row->fields, capacity, (size_t)row->field_count + 1, sizeof *row->fields);
    row->fields[row->field_count++] = field;
}

/* Splits one line off. Returns where the next begins; NULL when quotes are not closed. */
static char *split_row(char *at, char separator, int *line, struct csv_row *row)
{
    size_t capacity = 0;
    memset(row, 0, sizeof *row);
    row->line = *line;
    for (;;) {
        char *start = at, *end, stop;
        while (*at == ' ')
            at++;
        if (*at == '"') {
            start = at + 1;
            if (!(at = unquote(start, &end, line)))
                return NULL;
            while (*at != '\0' && *at != separator && *at != '\n' && *at != '\r')
                at++; /* text after a closing quote is ignored */
            stop = *at;
        } else {
            while (*at != '\0' && *at != separator && *at != '\n' && *at != '\r')
                at++;
            end = at;
            stop = *at;
        }
        add_field(row, &capacity, trim(start, end));
        if (stop == separator) {
            at++;
            continue;
        }
        if (stop == '\r' && at[1] == '\n')
            at++;
        *line += stop != '\0';
        return stop == '\0' ? at : at + 1;
    }
}

static bool is_empty(const struct csv_row *row)
{
    for (int i = 0; i < row->field_count; i++)
        if (row->fields[i][0] != '\0')
            return false;
    return true;
}

char *csv_load(const char *path, size_t *bytes, char *message, size_t message_bytes)
{
    return files_read(path, CSV_BYTES_MAX, bytes, message, message_bytes);
}

bool csv_read(const char *path, struct csv *csv, char *message, size_t message_bytes)
{
    size_t bytes;
    memset(csv, 0, sizeof *csv);
    char *text = csv_load(path, &bytes, message, message_bytes);
    return text && csv_parse(path, text, bytes, csv, message, message_bytes);
}

bool csv_parse(const char *path, char *text, size_t bytes, struct csv *csv, char *message, size_t message_bytes)
{
    size_t capacity = 0;
    memset(csv, 0, sizeof *csv);
    csv->text = text;
    int bad = find_bad_utf8(csv->text, bytes), line = 1;
    if (bad > 0)
        return refuse(path, bad, "not UTF-8 text. Save the table as \"CSV UTF-8\".", message, message_bytes);
    char *at = csv->text + (strncmp(csv->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
    char separator = find_separator(at);
    while (*at != '\0') {
        struct csv_row row;
        int first = line;
        at = split_row(at, separator, &line, &row);
        if (!at || is_empty(&row)) {
            free(row.fields);
            if (!at)
                return refuse(path, first, "a quotation mark opens here and never closes.", message, message_bytes);
            continue;
        }
        csv->rows = allocate_grown(csv->rows, &capacity, csv->row_count + 1, sizeof *csv->rows);
        csv->rows[csv->row_count++] = row;
    }
    return csv->row_count > 0 || refuse(path, 0, "the file is empty.", message, message_bytes);
}

void csv_clear(struct csv *csv)
{
    for (size_t i = 0; i < csv->row_count; i++)
        free(csv->rows[i].fields);
    free(csv->rows);
    free(csv->text);
    memset(csv, 0, sizeof *csv);
}

int csv_find_column(const struct csv *csv, const char *name)
{
    for (int i = 0; csv->row_count > 0 && i < csv->rows[0].field_count; i++)
        if (strcasecmp(csv->rows[0].fields[i], name) == 0)
            return i;
    return -1;
}

const char *csv_get(const struct csv_row *row, int column)
{
    return column >= 0 && column < row->field_count ? row->fields[column] : "";
}

static void put_quoted(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

void csv_put(FILE *file, const char *text, char separator, bool is_first)
{
    bool quotes = strchr(text, separator) || strpbrk(text, "\"\r\n") || text[0] == ' ' || text[0] == '\t';
    if (!is_first)
        fputc(separator, file);
    if (quotes)
        put_quoted(file, text);
    else
        fputs(text, file);
}

void csv_put_shown(FILE *file, const char *text, bool is_first)
{
    bool formula = text[0] != '\0' && strchr("=+-@\t\r\n|%", text[strspn(text, " ")]);
    char *cell = allocate_format("%s%s", formula ? "'" : "", text);
    if (!is_first)
        fputc(',', file);
    put_quoted(file, cell);
    free(cell);
}
