/* Compares what a kernel left in an output with what the reference expects. */
#ifndef GRADER_COMPARE_H
#define GRADER_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/lab/lab.h"

/* Labs' modules call these. */
#pragma GCC visibility push(default)

struct compare_result {
    size_t count;               /* elements compared */
    size_t bad_count;           /* rejected */
    size_t first_bad, last_bad; /* indices; `count` when nothing was rejected */
    double worst_error;         /* largest |got - want| over finite pairs, accepted ones included */
    double worst_in_bounds;     /* largest |got - want| / bound; INFINITY where a bound of 0 or an exact rule was broken */
    size_t worst_index;         /* where worst_in_bounds was found (0 when all equal) */
    size_t not_finite_count;    /* rejected because one side is NaN or infinite and the other is not the same */
};

/* Compares expected->count elements.
 *   expected    from the lab's reference; host memory, borrowed. expected->i for integer outputs, else expected->f
 *   got         [expected->count] elements of expected->type; host memory, borrowed
 *   result      out
 * Integers are exact. A float is accepted when |got - want| <= bound (bound NULL: when it equals want); NaN matches only NaN
 * (of any payload), an infinity only the same infinity; the two zeros are equal.
 * Returns the number of rejected elements. Cannot fail, allocates nothing.
 */
size_t compare_output(const struct lab_expected *expected, const void *got, struct compare_result *result);

/* Whether one element is accepted by the same rule. */
bool compare_element(const struct lab_expected *expected, const void *got, size_t index);

/* What is left of the poison in an output: evidence, on any device, of elements that no store reached. */
struct compare_unwritten {
    size_t count;       /* elements that still hold their poison word */
    size_t first, last; /* indices; both 0 when count is 0 */
};

/* Looks for poison in got[0, count), the elements from `first` on of an array that random_poison_fill filled.
 * `expected` (may be
 * NULL) excuses an element whose right value happens to be its poison. An element of 1 or 2 bytes may hold its poison by
 * accident: it counts where a whole word of 4 bytes does, where it lies beside one that counts, and where all
 * rejected elements
 * hold theirs. Allocates nothing. */
void compare_find_unwritten(const void *got, enum lab_type type, size_t count, uint64_t key, size_t first,
                            const struct lab_expected *expected, struct compare_unwritten *unwritten);

#pragma GCC visibility pop

#endif
