/* One JSON object on one line, written member by member: the format of LOCKSTEP_FINDINGS and LOCKSTEP_COUNTERS. The long
 * prefix avoids clashes with jansson, which tests link too. */
#ifndef EMULATOR_JSON_H
#define EMULATOR_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Grows on the heap; when out of memory, the whole line is dropped. */
struct json_line {
    char *text;
    size_t length, capacity;
    bool first; /* no comma before the next member */
    bool failed;
};

void json_line_begin(struct json_line *line);
void json_line_text(struct json_line *line, const char *name, const char *value);
void json_line_integer(struct json_line *line, const char *name, int64_t value);
void json_line_integer_or_null(struct json_line *line, const char *name, int64_t value); /* 0 is written as null */
void json_line_real(struct json_line *line, const char *name, double value);
void json_line_null(struct json_line *line, const char *name);
void json_line_pair(struct json_line *line, const char *name, int64_t first, int64_t second);
void json_line_triple(struct json_line *line, const char *name, const uint32_t value[3]);
/* name NULL: an element of an array. */
void json_line_open(struct json_line *line, const char *name, char bracket);
void json_line_close(struct json_line *line, char bracket);
/* Writes the line to `file` in one piece, flushes, frees. */
void json_line_end(struct json_line *line, FILE *file);

#endif
