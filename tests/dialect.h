/* The comments in which fixtures say what is expected of them. There is one dialect: an entry is a comment
 *
 *     // word: text
 *     //   | more text
 *
 * on a line of its own; a line that begins with | continues the entry above it. Other comments are ignored. What
 * the text means depends on the word, and is described where "used by" says.
 *
 *     word                 text                                         used by
 *     test                 name of a launch with values in and out      fixture.h: tests/fixtures/{ptx,cuda,corpus}
 *     kernel launch cooperative value in out inout is near prints fails refused only
 *                          the launch of the `test` above it, and       fixture.h
 *                          what must come out
 *     check                a launch that is watched for mistakes        checks.h: tests/fixtures/checks, barriers_needed.cu
 *     expect exactly expect-more mark
 *                          what the `check` above it must find          checks.h: tests/fixtures/checks
 *     //@needed, //@needless, //@unknown at the end of a barrier's line
 *                          what the `check` says of the barrier         needless_suite.c: barriers_needed.cu
 *     refused              RESULT LINE:COLUMN words of the message      malformed_suite.c: first line in
 *                                                                       tests/fixtures/malformed
 *     expect               CODE[|CODE] [PATTERN[|PATTERN]] [line=N] - why, or budget METRIC[|METRIC] - why
 *                          the cause that the grader must name          first line in labs/NAME/wrong, tests/hostile:
 *                                                                       grader/lab/expectation.h, dialect.py
 *
 * Where a text is a list of words, those with a value are written key=value: dialect_pair(). Lines of code can be labelled
 * for these words with a comment //@LABEL at their end: dialect_line_of().
 */
#ifndef TESTS_DIALECT_H
#define TESTS_DIALECT_H

#include <stdbool.h>

enum dialect_kind { DIALECT_END, DIALECT_CODE, DIALECT_ENTRY };

/* A source that is being read. What it points to lives until the next call. */
struct dialect {
    int number;        /* of the line, from 1 */
    const char *at;    /* the line's begin in the source */
    char *word, *text; /* of an entry; may be written to */
    const char *next, *end;
    int next_number;
};

void dialect_begin(struct dialect *dialect, const char *source);

/* Goes on to the next line of code or entry; empty lines and other comments are skipped. After DIALECT_END nothing is
 * left to be freed. */
enum dialect_kind dialect_next(struct dialect *dialect);

/* Ends the reading of a source before its end. */
void dialect_stop(struct dialect *dialect);

/* The next blank-separated word of *rest, cut off; *value is what follows its first '=', "" where there is none. Returns
 * NULL when no word is left. */
char *dialect_pair(char **rest, char **value);

/* Line of the label //@LABEL: the first one from `from` on, else in the source. 0 when there is none. */
int dialect_line_of(const char *source, const char *from, const char *label);

#endif
