/* What the text says of values that threads hand to one another: a shuffle whose result every lane adds, a flag that is set before
 * its value, the number that an atomic operation returns. */
#ifndef STORY_PASSING_H
#define STORY_PASSING_H

#include "grader/result/result.h"
#include "runtime/language/source.h"

/* Call after the orders of threads and what a wrong value is made of are known. */
void story_passing_tell(const struct source *source, struct result_finding *finding);

#endif
