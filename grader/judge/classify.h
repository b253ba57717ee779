/* What the pattern of the wrong values says about the mistake.
 *
 * A false explanation is worse than none, so every pattern must explain (nearly) every wrong element, over enough elements
 * that chance is ruled out; otherwise the answer is "other" with the bare facts.
 *
 * Patterns that explain the *values* (shifted, transposed, constant per block, doubled) are tried before those that only
 * describe *where* the wrong elements are (tail, period): what is off by a constant beyond block 0 is a tail as well.
 */
#ifndef GRADER_CLASSIFY_H
#define GRADER_CLASSIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/judge/classify_facts.h"

/* Classifies; asks lab->classify first (its text follows the sentence about the first bad element). bad_count must be > 0.
 * Allocates at most one word per element of a block, and does without when there is no memory. */
void classify_wrong(const struct classify_input *input, struct classify_result *result);

/* Writes element `index` of got (want: got NULL) as the student should see it, scaled by expected->scale. */
void classify_format_value(const struct lab_expected *expected, const void *got, size_t index, char *text,
                           size_t text_bytes);

#endif
