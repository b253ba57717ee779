/* How findings are weighed against one another: within diagnose.c and first_test.c. A smaller weight comes first. */
#ifndef DIAGNOSE_WEIGHT_H
#define DIAGNOSE_WEIGHT_H

#include <stdbool.h>

#include "grader/result/result.h"

/* Of a finding by itself. */
int diagnose_weight(const struct result_finding *finding);

/* Among the others of its test, which may explain it. */
int diagnose_weight_among(const struct result_findings *findings, const struct result_finding *finding);

/* Is what it says, of memory or of poison, the consequence of a race in the list? */
bool diagnose_follows_from_race(const struct result_findings *findings, const struct result_finding *finding);

/* Wrong values, and nothing that explains them. */
bool diagnose_is_bare(const struct result_finding *finding);

#endif
