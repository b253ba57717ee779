/* One run of a program on one case, and what is wrong with it. */
#ifndef PROGRAM_CASE_H
#define PROGRAM_CASE_H

#include "grader/program/calls.h"
#include "grader/program/exchange.h"
#include "grader/program/execution.h"
#include "grader/result/result.h"

/* A program that is ready to run; borrowed. */
struct program_job {
    const struct lab *lab;
    const struct build *build;
    const struct submission *submission;
    uint64_t seed;
};

/* Runs the program on the inputs.
 *   failure   "copy:3": that call is to fail; NULL: none
 * What the driver wrote is in execution->findings and execution->calls. */
void program_case_run(const struct program_job *job, const struct exchange *exchange, const char *failure,
                      struct execution *execution);

/* Runs a case and judges it into the test: state, findings, values.
 *   calls   out: what the driver saw; the caller clears it */
void program_case_judge(const struct program_job *job, const struct lab_case *the_case, struct result_test *test,
                        struct calls *calls);

/* How it ended, for a sentence: "ends with status 3", "is ended by signal 11 (Segmentation fault)". */
void program_case_describe_end(const struct execution *execution, char *text, size_t text_bytes);

#endif
