/* What the text says of steps at the distances 1, 2, 4 ... where a sum is wrong: steps that end too soon, the last one that is made,
 * a comparison that leaves one thread out. */
#ifndef STORY_STEPS_H
#define STORY_STEPS_H

#include "grader/result/result.h"
#include "runtime/language/source.h"

/* Call where what the wrong value is made of is known. */
void story_steps_tell(const struct source *source, struct result_finding *finding);

#endif
