/* What the source says about threads that do not wait for one another: the `continue`, the `if` or the loop by which they get
 * around a barrier, and a `__syncwarp()` between two accesses that it does not order. Rewrites findings; no verdict and no
 * point depends on it. */
#ifndef STORY_ORDER_H
#define STORY_ORDER_H

#include "grader/judge/repair_source.h"
#include "grader/result/result.h"

/* Call for the findings of each test, before repairs are tried and hints chosen. */
void story_order_tell(const struct repair_source *source, struct result_findings *findings);

/* What a barrier that cures the race proves of it. */
void story_order_note_barrier(const struct repair_place *place, bool alone, struct result_finding *finding);

#endif
