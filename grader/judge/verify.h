/* Judges one finished run: outcome, damage, findings of the driver, and the outputs against what is expected. */
#ifndef VERIFY_H
#define VERIFY_H

#include "grader/judge/expect.h"
#include "grader/result/result.h"
#include "grader/run/run_step.h"

/* What is known of the run. Everything is borrowed. */
struct verify_run {
    const struct plan_setup *setup;
    const struct lab_case *the_case;
    const struct lab_data *data;     /* inputs */
    const struct run_memory *memory; /* outputs */
    const struct expect *expect;
    const struct expect *first; /* in run 1: what run 0 expected; NULL: not kept */
    bool first_right;           /* in run 1: run 0 was right */
    int run;
    uint64_t poison_key;
    const char *file; /* the student's file, for findings that the grader makes itself */
    bool hurried;     /* other cases failed already, so the clock was set short: a hang proves nothing */
};

/* Adds what the outcome of the run itself says (refused, fault, hang, damage) to the test, and sets its state when the
 * submission or the harness is at fault. Call after the driver's findings were read. */
void verify_outcome(const struct verify_run *run, const struct run_reply *reply, struct result_test *test);

/* Of a run that a kernel's fault ended: compares what was handed over before. */
void verify_handed_over(const struct verify_run *run, const struct run_reply *reply, struct result_test *test);

/* Compares every output. Adds at most one finding an output. Returns true when all are right. Only for RUN_RAN. */
bool verify_outputs(const struct verify_run *run, const struct run_reply *reply, struct result_test *test);

/* Whether those outputs that are there are right. */
bool verify_present_are_right(const struct verify_run *run, const struct plan_output outputs[LAB_MAX_OUTPUTS]);

/* One wrong element, in words. */
struct verify_wrong {
    char place[128]; /* "out[5]"; the output's name when it is a scalar */
    char expected[64], actual[64];
};

/* Whether every output is right, without a finding about it.
 *   wrong   out: the first element that is not; its texts are empty when outputs are missing altogether */
bool verify_is_right(const struct verify_run *run, const struct run_reply *reply, struct verify_wrong *wrong);

#endif
