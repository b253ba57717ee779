/* What the student reads on the terminal: one lab at a time, the first cause first. */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "grader/lab/lab.h"
#include "grader/result/result.h"

/* Writes the verdict of one lab.
 *   source   the student's file, NUL-terminated, for excerpts; NULL when it could not be read
 */
void report_lab(FILE *file, const struct result_lab *result, const struct lab *lab, const char *source, bool colour);

/* The part that says what is wrong and why: the first cause, its place and its case. Nothing when all is well. */
void report_cause(FILE *file, const struct result_lab *result, const struct lab *lab, const char *source, bool colour);

/* Writes what explains a finding, below its message: the calls, the arithmetic of the index, the lines around it. */
void report_explanation(FILE *file, const struct result_finding *finding, const char *source, bool colour);

/* Writes how the lab's budgets came out, where one was judged (report_budget.c). */
void report_budgets(FILE *file, const struct result_lab *result, bool colour);

/* Writes the time that a GPU would take, where none was measured. */
void report_estimate(FILE *file, const struct result_lab *result, bool colour);

/* The timeline of a program; nothing where there is none. */
void report_timeline(FILE *file, const struct result_lab *result, bool colour);

/* A state as a coloured word of four letters ("pass", "FAIL"). */
const char *report_state_word(enum result_state state);
void report_state(FILE *file, enum result_state state, bool colour);

#endif
