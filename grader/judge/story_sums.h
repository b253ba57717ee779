/* What the text says of the variables in which a sum is collected, where the sum is wrong: a type that cannot hold a fraction, a
 * line that sets it back in every turn. */
#ifndef STORY_SUMS_H
#define STORY_SUMS_H

#include "grader/result/result.h"
#include "runtime/language/source.h"

/* Call where the line that stored the wrong value is known. */
void story_sums_tell(const struct source *source, struct result_finding *finding);

#endif
