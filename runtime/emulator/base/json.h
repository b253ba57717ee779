/* One JSON object on one line, written member by member: the format of LOCKSTEP_FINDINGS and LOCKSTEP_COUNTERS. */
#ifndef EMULATOR_JSON_H
#define EMULATOR_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Grows on the heap; a line that does not fit into memory is dropped whole. */
struct json_line {
    char *text;
    size_t length, capacity;
    bool first;      /* no comma before the next member */
    bool failed;
};

void json_begin(struct json_line *line);
void json_text(struct json_line *line, const char *name, const char *value);
void json_integer(struct json_line *line, const char *name, int64_t value);
void json_integer_or_null(struct json_line *line, const char *name, int64_t value);   /* 0 is written as null */
void json_real(struct json_line *line, const char *name, double value);
void json_null(struct json_line *line, const char *name);
void json_pair(struct json_line *line, const char *name, int64_t first, int64_t second);
void json_triple(struct json_line *line, const char *name, const uint32_t value[3]);
/* name NULL: an element of an array. */
void json_open(struct json_line *line, const char *name, char bracket);
void json_close(struct json_line *line, char bracket);
/* Writes the line to `file` in one piece, flushes, frees. */
void json_end(struct json_line *line, FILE *file);

#endif
