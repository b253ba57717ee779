/* Why a run of a program is wrong, from what the driver saw of it: findings for its test. */
#ifndef PROGRAM_EXPLAIN_H
#define PROGRAM_EXPLAIN_H

#include "grader/program/calls.h"
#include "grader/program/program_run.h"
#include "grader/result/result.h"

/* What is known of the run; borrowed. */
struct program_facts {
    const struct program_job *job;
    const struct exchange *exchange;
    const struct execution *execution;
    const struct calls *calls;
    const struct call *failed; /* the first call that failed; NULL: none */
    const char *remark;        /* what the driver says of that; "" nothing */
};

/* A call that failed, although nothing had told it to. */
void program_explain_calls(const struct program_facts *facts, struct result_findings *findings);

/* The program's end. Returns true when it ended well, so that its output counts. */
bool program_explain_end(const struct program_facts *facts, struct result_findings *findings);

/* Output that is not what it should be. */
void program_explain_answer(const struct program_facts *facts, const struct exchange_answer *answer,
                            struct result_findings *findings);

/* The same where nothing is known of the calls: what the output has, not why. */
void program_explain_only_numbers(const struct program_facts *facts, const struct exchange_answer *answer,
                                  struct result_findings *findings);

/* Puts the first wrong number into the test: its place, what was expected, what came. */
void program_explain_values(const struct program_facts *facts, const struct exchange_answer *answer,
                            struct result_test *test);

/* Starts a finding at a line of the submission; line 0: at none. */
struct result_finding program_explain_begin(const struct program_job *job, const char *code, const char *pattern, int line);

#endif
