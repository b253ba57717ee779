/* What the text says beside a wrong value or a race: types that are too narrow, a cell that is found in
 * another way than the others, a function that is called again before all have left it. */
#ifndef STORY_SOURCE_H
#define STORY_SOURCE_H

#include "grader/result/result.h"
#include "runtime/language/source.h"

void story_source_tell(const struct source *source, struct result_finding *finding);
/* What needs the line that stored a wrong value, or what it is made of: after both have been found out. */
void story_source_tell_measured(const struct source *source, struct result_finding *finding);

#endif
