/* What a grading comes to as a whole: before anything has run, or once every test and budget is judged. */
#ifndef JUDGE_VERDICT_H
#define JUDGE_VERDICT_H

#include "grader/lab/lab.h"
#include "grader/result/result.h"

/* Gives the whole result, and all of its tests, one state and a message. */
void verdict_fail_whole(struct result_lab *result, enum result_state state, const char *message);

/* Adds a finding about the whole. line 0, kernel "": of none. */
void verdict_note(struct result_lab *result, const char *code, lockstep_severity severity, const char *file, int line,
                  const char *kernel, const char *message);

/* The file does not compile: the first error among result->diagnostics says why.
 *   file_name   as messages show it, where the diagnostic names no file */
void verdict_reject(const char *file_name, struct result_lab *result);

/* The file cannot be used at all.
 *   pattern   of the finding: "file", "limits" */
void verdict_refuse(struct result_lab *result, const char *file_name, const char *pattern, const char *message);

/* Where the lab's own code has failed (grader/lab/describe/guard.h), nothing is known of the submission: takes back whatever was found, and
 * says what is wrong with the lab. Returns whether that is so. */
bool verdict_blame_lab(const struct lab *lab, struct result_lab *result);

/* Messages of the tests, points and state of the whole. */
void verdict_conclude(struct result_lab *result);

#endif
