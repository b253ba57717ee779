/* How long the timing case would take on a GPU: what the emulated driver counts at a few sizes, and grader/estimate. */
#ifndef CASES_ESTIMATE_H
#define CASES_ESTIMATE_H

#include "grader/estimate/estimate.h"
#include "grader/judge/cases_input.h"

/* Runs a submission that is right at growing sizes, as far as that is cheap, and counts. Leaves *estimate without a GPU
 * where a run fails, or input->estimate_gpu is NULL. */
void cases_estimate(const struct cases_input *input, struct estimate *estimate);

#endif
