/* Reads comma-separated values as spreadsheets write them (RFC 4180): quoted fields, doubled quotes, line ends of any kind,
 * a byte order mark, and ';' or a tab for ',' where the heading has that and no comma.
 */
#ifndef BATCH_CSV_H
#define BATCH_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct csv_row {
    int line;      /* where it begins, from 1 */
    char **fields; /* [field_count], without blanks around them */
    int field_count;
};

struct csv {
    char *text;           /* owned; the fields point into it */
    struct csv_row *rows; /* owned; rows[0] is the heading; rows without any text are left out */
    size_t row_count;
};

/* Reads a file of at most 16 MiB. Returns false with a message (which names the file) when it cannot be read, is empty,
 * binary, not UTF-8, or ends inside quotes. Clear in either case. */
bool csv_read(const char *path, struct csv *csv, char *message, size_t message_bytes);

/* The file's bytes and a NUL, owned by the caller; NULL with a message. And the same table out of text[bytes], which is taken
 * over and must end in a NUL; the message names `path`. Clear after csv_parse in either case. */
char *csv_load(const char *path, size_t *bytes, char *message, size_t message_bytes);
bool csv_parse(const char *path, char *text, size_t bytes, struct csv *csv, char *message, size_t message_bytes);
void csv_clear(struct csv *csv);

/* Writes a cell, with `separator` before it unless it is the first; between quotes where it must be. csv_put_shown is for
 * tables that we make for people, with commas: always between quotes, and never what a spreadsheet takes for a formula. */
void csv_put(FILE *file, const char *text, char separator, bool is_first);
void csv_put_shown(FILE *file, const char *text, bool is_first);

/* Index of the heading's field of that name, without regard to case; -1: there is none. */
int csv_find_column(const struct csv *csv, const char *name);

/* The field, "" where the row is too short or column is -1. */
const char *csv_get(const struct csv_row *row, int column);

#endif
