/* The reference solution beside a submission: solutions/NAME/NAME.cu or name_fast.cu, whichever defines the plan's
 * kernels. In a kit without solutions, what the compiler made of them (seal.h). */
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
    bool present;             /* false: no solution has this plan, or message says why there is none */
    char message[512];
};

/* Reads and compiles it. Clear in either case. */
void reference_load(const struct lab *lab, int plan, uint64_t seed, struct reference *reference);
void reference_clear(struct reference *reference);

/* Counters of the reference on the budget case of the lab, in the submission's plan.
 *   cases, own   the submission, and its counters: for the very module of the reference they are the reference's too
 *   tally        out: not present when there is no reference, or when it did not run
 *   message      out: why it is not present; "": nothing is known but that it did not run
 */
void reference_count(const struct cases_input *cases, const struct tally own[CASES_RUNS], struct tally tally[CASES_RUNS],
                     char *message, size_t message_bytes);

/* Counts for every plan of the lab now, for this process and those that it forks later, as far as they grade with the same
 * seed. */
void reference_prepare(const struct lab *lab, uint64_t seed);

/* What the kit itself has for a lab, as fingerprints of its PTX. */
struct reference_prints {
    struct reference_file {
        char *path;       /* from the kit's root; owned */
        uint64_t *prints; /* [count], rising; owned */
        size_t count;
    } *files;         /* skeleton, solutions, variants; owned */
    uint64_t *common; /* [common_count] of all of them, rising; owned */
    size_t file_count, file_capacity, common_count;
};

void reference_prints_read(const struct lab *lab, struct reference_prints *prints);
void reference_prints_clear(struct reference_prints *prints);

/* The kit's file that has exactly these fingerprints: as a rule, its code is the same but for names, numbers and layout. NULL: none has.
 *   prints   [count], rising */
const char *reference_prints_find(const struct reference_prints *kit, const uint64_t *prints, size_t count);

#endif
