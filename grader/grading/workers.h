/* Grades several submissions at once, each in a process of its own, as many as there are cores. A worker is the grader
 * itself, not the child that touches what the student wrote; if it dies anyway, that is a failure of the kit
 * for this one submission.
 */
#ifndef WORKERS_H
#define WORKERS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "grader/grading/jobs.h"

struct workers_input {
    const struct jobs *jobs;
    uint64_t seed;
    const uint64_t *hidden_key; /* hidden.h; NULL: no hidden tests */
    bool gpu;
    const struct trace_request *trace; /* cases_trace.h; NULL: no case is traced */
    bool show;                         /* the answer has `run` too (cases_show.h), and its report only the cause */
    bool colour;
    bool fingerprints;                       /* the answer has `fingerprint` too (fingerprint.h) */
    const struct estimate_gpu *estimate_gpu; /* --gpu; NULL: the first of grader/estimate/gpus.def */
    const char *hidden_refusal;              /* why hidden tests may not run: hidden_seed_refuse; NULL */
};

/* Called once for every job, in their order.
 *   answer   {lab: element of `labs`, machine: its device, report: text for the terminal, seconds, fingerprint, run}; borrowed
 */
typedef void workers_answer_fn(void *context, const struct job *job, const json_t *answer);

/* How many are to run at once, one for each core that this process may use: the default of workers_stream. */
size_t workers_cores(void);

/* The same for jobs that nobody holds all at once, in the order in which they end.
 *   most      how many run at once
 *   next      gives the next job and a number for it, or none: not now, while others run, or not any more
 *   take      gets its answer; false: no further job is begun
 * input->jobs is not looked at. A job's submission and cached module are cleared here. */
enum workers_next { WORKERS_JOB, WORKERS_LATER, WORKERS_NO_MORE };
typedef enum workers_next workers_next_fn(void *context, struct job *job, size_t *number);
typedef bool workers_take_fn(void *context, size_t number, const struct job *job, const json_t *answer);
void workers_stream(const struct workers_input *input, size_t most, workers_next_fn *next, workers_take_fn *take,
                    void *context);

void workers_run(const struct workers_input *input, workers_answer_fn *take, void *context);

#endif
