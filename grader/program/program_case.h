/* One run of a program on one case, and what is wrong with it. */
#ifndef PROGRAM_CASE_H
#define PROGRAM_CASE_H

#include "grader/program/calls.h"
#include "grader/program/program_run.h"
#include "grader/result/result.h"

/* Runs a case and judges it into the test: state, findings, values.
 *   calls   out: what the driver saw; the caller clears it */
void program_case_judge(const struct program_job *job, const struct lab_case *the_case, struct result_test *test,
                        struct calls *calls);

#endif
