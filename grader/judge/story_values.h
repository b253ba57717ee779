/* What the text says beside wrong values: a line that treats special numbers in another way, a function that rounds in another
 * direction or returns another value than one may think, a sum that is lost before it is read. Each sentence is true of the
 * text; whether it is the cause, the reader decides. */
#ifndef STORY_VALUES_H
#define STORY_VALUES_H

#include "grader/judge/repair_source.h"
#include "grader/result/result.h"
#include "runtime/language/source.h"

/* Of a comparison as it is found. */
void story_values_tell(const struct repair_source *own, struct result_finding *finding);

/* What needs the line that stored a wrong value.
 *   handed_on   the finding's kernel gets its arrays from one that runs before it */
void story_values_tell_measured(const struct source *source, bool handed_on, struct result_finding *finding);

#endif
