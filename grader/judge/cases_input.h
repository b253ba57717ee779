/* What the cases of a lab are run with. */
#ifndef CASES_INPUT_H
#define CASES_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/run/plan.h"

struct cases_show;
struct estimate_gpu;

/* What is run; borrowed. */
struct cases_input {
    struct plan_setup setup;
    const char *ptx;
    size_t ptx_bytes;
    uint64_t seed;
    const struct estimate_gpu *estimate_gpu; /* whose times are estimated */
    const uint64_t *hidden_key;              /* seed of the hidden cases; NULL where these are the visible ones */
    bool hidden_follow;                      /* these are the visible ones, and there are others */
    struct cases_show *show;                 /* keeps what the reported run left (cases_show.h); NULL: nothing does */
    const char *file;                        /* the student's file as findings name it */
};

/* What a submission has cost so far, in the driver's units of work (lockstep_device_set_work): the same on every machine. */
struct cases_effort {
    uint64_t work;        /* of all runs */
    uint64_t failed_work; /* of those since a test failed */
    bool ran_out;         /* a case did not end: the rest gets little */
};

/* Index of the lab's budget case; -1 when it has none. */
static inline int cases_find_budget(const struct lab *lab)
{
    for (int i = 0; i < lab->case_count; i++)
        if (lab->cases[i].budget)
            return i;
    return -1;
}

#endif
