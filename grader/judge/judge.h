/* Judges one submission for one lab, from source to result. */
#ifndef JUDGE_H
#define JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "grader/compile/compile_step.h"
#include "grader/compile/submission.h"
#include "grader/judge/judge_compile.h"
#include "grader/lab/lab.h"
#include "grader/result/result.h"
#include "runtime/lockstep.h"

struct judge_input {
    const struct lab *lab;
    const struct submission *submission;
    const lockstep_compiled *cached; /* the submission from the cache of compiled modules; NULL: not there */
    uint64_t seed;
    const uint64_t *hidden_key;              /* of the hidden tests (hidden.h); NULL: there are none */
    const struct estimate_gpu *estimate_gpu; /* --gpu; NULL: the first of gpus.def */
    const char *hidden_refusal;              /* why hidden tests may not run (hidden_seed_refuse); NULL */
    const struct trace_request *trace;       /* a case is run once more with a trace (cases_trace.h); NULL: none */
    struct cases_show *show;                 /* keeps the arrays of the run that is reported (cases_show.h); NULL: none */
    bool gpu;                                /* verify and time on the GPU when the emulated driver found nothing */
};

/* Fills the result; result_lab_clear gives it back. Cannot fail: what goes wrong is in the result. */
void judge_submission(const struct judge_input *input, struct result_lab *result);

#endif
