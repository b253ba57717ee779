/* The reference solution beside a submission: solutions/NN_name/name.cu or name_fast.cu, whichever defines the plan's
 * kernels. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "grader/compile/compile_step.h"
#include "grader/compile/submission.h"
#include "grader/judge/cases.h"
#include "grader/judge/tally.h"

struct reference {
    struct submission submission;
    struct compile_result compiled;
    struct cases_input cases; /* borrows from the other members and from the lab */
    bool present;             /* false: no solution has this plan */
};

/* Reads and compiles it. Clear in either case. */
void reference_load(const struct lab *lab, int plan, uint64_t seed, struct reference *reference);
void reference_clear(struct reference *reference);

/* Counters of the reference on the budget case of the lab, in the submission's plan.
 *   cases, own   the submission, and its counters: for the very module of the reference they are the reference's too
 *   tally        out: not present when there is no reference, or when it did not run
 */
void reference_count(const struct cases_input *cases, const struct tally own[CASES_RUNS], struct tally tally[CASES_RUNS]);

/* Counts for every plan of the lab now, for this process and those that it forks later, as far as they grade with the same
 * seed. */
void reference_prepare(const struct lab *lab, uint64_t seed);

/* Fingerprints of what the kit itself has for the lab: skeleton, solutions, variants. Rising, owned by the caller (free). */
void reference_fingerprints(const struct lab *lab, uint64_t **prints, size_t *count);

#endif
