/* Grades several submissions at once, each in a process of its own, as many as there are cores. A worker is the grader
 * itself, not the child that touches what the student wrote; if it should die all the same, that is a failure of the kit
 * for this one submission.
 */
#ifndef WORKERS_H
#define WORKERS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "grader/jobs.h"

struct workers_input {
    const struct jobs *jobs;
    uint64_t seed;
    const uint64_t *hidden_key;   /* hidden.h; NULL: no hidden tests */
    bool gpu;
    const char *pictures;   /* folder for pictures; NULL: none */
    bool colour;
};

/* Called once for every job, in their order.
 *   answer   {lab: element of `labs`, machine: its device, report: text for the terminal, seconds}; borrowed
 */
typedef void workers_answer_fn(void *context, const struct job *job, const json_t *answer);

void workers_run(const struct workers_input *input, workers_answer_fn *take, void *context);

#endif
