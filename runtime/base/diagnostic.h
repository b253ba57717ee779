/* The record that goes with a failed status: where, what, and what to do about it. The caller owns it; nothing allocates. */
#ifndef EMULATOR_DIAGNOSTIC_H
#define EMULATOR_DIAGNOSTIC_H

struct diagnostic {
    int line;          /* line of the PTX text, 1-based; 0 when there is none */
    int column;        /* of that line, in bytes, 1-based; 0 when only the line is known */
    char message[512]; /* one sentence or two, no newline at the end */
};

/* Writes line and printf-style message into `diagnostic` (NULL is allowed and ignored). The first message wins: a record
 * that already holds one is left alone. */
void diagnostic_set(struct diagnostic *diagnostic, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same, with a column. */
void diagnostic_set_at(struct diagnostic *diagnostic, int line, int column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Empties the record. */
void diagnostic_clear(struct diagnostic *diagnostic);

#endif
