/* After a run: what the driver and the kernels left behind. */
#ifndef CASES_COLLECT_H
#define CASES_COLLECT_H

#include "grader/judge/cases_work.h"
#include "grader/judge/tally.h"

/* Reads the findings of the run that ended, takes what kernels printed, and adds the counters to `tally` (NULL: they are
 * dropped). Notes whether the run finished, and closes the session when it did not survive.
 *   printed  out: the kernels' output; the caller frees its text; NULL: it is dropped
 *   fresh    out: the findings of this run alone; the caller frees fresh->list
 */
void cases_collect(struct cases_work *work, const struct run_reply *reply, struct result_printed *printed,
                   struct tally *tally, struct result_findings *fresh);

/* Adds findings that the test does not have yet: the second run and other orders say the same again. */
void cases_merge_findings(struct result_test *test, const struct result_findings *fresh);

#endif
