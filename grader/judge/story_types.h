/* What the text says beside values that have lost their fraction or their sign: the variables of a type without fractions, and
 * the calls that return whole numbers or drop a sign. */
#ifndef STORY_TYPES_H
#define STORY_TYPES_H

#include "grader/result/result.h"
#include "runtime/language/source.h"

void story_types_tell(const struct source *source, struct result_finding *finding);

#endif
