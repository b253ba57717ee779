/* The expected values of one run, in memory that exists in the grader's own process only. */
#ifndef EXPECT_H
#define EXPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/lab/lab.h"
#include "grader/run/plan.h"

struct expect {
    uint8_t *bytes; /* owned; see allocate_secret */
    size_t capacity_bytes;
    struct lab_expected outputs[LAB_MAX_OUTPUTS]; /* of the latest run; point into bytes */
    char rules[LAB_MAX_OUTPUTS][128];             /* in words, of those that the lab states as data */
};

/* Computes what the plan's outputs must hold.
 *   counts     what plan_rehearse noted: which outputs, how many elements
 *   data       inputs of the run
 * Cannot fail (see allocate.h). */
void expect_compute(struct expect *expect, const struct plan_setup *setup, const struct lab_case *the_case,
                    const struct plan_output counts[LAB_MAX_OUTPUTS], const struct lab_data *data);

/* Type of an output's elements. */
enum lab_type expect_type(const struct lab *lab, int output);

void expect_release(struct expect *expect);

#endif
