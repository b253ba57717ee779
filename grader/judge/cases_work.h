/* What the passes over the cases share (cases.c, cases_gpu.c): one device at a time, inputs, expected values. */
#ifndef CASES_WORK_H
#define CASES_WORK_H

#include <stdbool.h>

#include "grader/judge/barriers.h"
#include "grader/judge/cases_input.h"
#include "grader/judge/expect.h"
#include "grader/judge/verify.h"
#include "grader/result/result.h"
#include "grader/run/run_step.h"

/* Up to so many elements, in all arrays, a case is a small one. */
enum { CASES_SMALL = 4096 };

struct cases_work {
    const struct cases_input *input;
    struct result_lab *result;
    struct run_memory memory;
    struct expect expect[2]; /* of run 0 and run 1; large cases use the first for both */
    const char *checks;      /* LOCKSTEP_CHECKS asked for; the largest cases get less */
    struct run_settings settings;
    struct run_session session;
    struct lab_case fitted;   /* the case at hand, smaller where the device does not have the memory for it, or it
                               * takes the kernel too long (result_test.halvings, slow_halvings) */
    struct barriers barriers; /* what the runs have shown of each */
    struct cases_effort effort;
    uint64_t run_limit; /* what the next run may cost at most, beside what is left for all; 0: what its size deserves */
    bool open;
    uint64_t fuel_limit; /* of runs that only try something; 0: none */
    /* Changes the inputs of a run that only tries something; NULL: they are the case's. */
    void (*change)(const void *context, const struct lab *lab, struct lab_data *data);
    const void *change_context;
};

/* Makes the shared memory and default settings. Returns false when the machine has no memory for it. */
bool cases_work_begin(struct cases_work *work, const struct cases_input *input, struct result_lab *result);
void cases_work_end(struct cases_work *work);

/* Closes the session; the next run opens one with the settings of that moment. */
void cases_work_close_session(struct cases_work *work);

/* One run of a case from inputs to reply: fills, starts, computes what is expected meanwhile, waits. On a device with little
 * memory the case is smaller; its result says how much (result_test.halvings).
 *   run->data, expect, memory and so on are set for the verification that follows
 *   data      out: inputs of the run; must live as long as `run` is used
 */
void cases_work_run(struct cases_work *work, int case_index, int run_index, bool last, struct lab_data *data,
                    struct verify_run *run, struct run_reply *reply);

/* How much work further runs may cost; 0: none is worth starting. */
uint64_t cases_work_left(const struct cases_work *work);

/* Elements in all arrays of a case as it runs next, and what that run may cost. */
size_t cases_work_elements(const struct cases_work *work, int case_index);
uint64_t cases_work_of_run(const struct cases_work *work, int case_index);
/* The checks that it runs with, and whether they are fewer than those of a case of so many elements. */
const char *cases_work_checks(const struct cases_work *work, int case_index);
bool cases_work_checks_less(const struct cases_work *work, int case_index, size_t elements);
/* And what it would deserve, whatever is left. */
uint64_t cases_work_whole(const struct cases_work *work, int case_index);
/* Had the last run, which was of this case, less work to spend than its size deserves, because of tests before it? */
bool cases_work_was_short(const struct cases_work *work, int case_index);

/* How often a case is run: twice, with other inputs the second time, but a large one once when the submission has failed. */
int cases_work_runs(const struct cases_work *work, int case_index);

#endif
