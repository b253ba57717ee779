/* What a kernel that does not fit into a thread's memory declares too large. */
#ifndef LOCAL_ARRAYS_H
#define LOCAL_ARRAYS_H

#include <stdbool.h>

#include "grader/result/result.h"
#include "grader/run/plan.h"

/* Has the driver refused a kernel for the local memory of its threads? Then message, line and array of the finding say so in the
 * words of the source. */
bool local_arrays_explain(const struct plan_setup *setup, const char *refusal, struct result_finding *finding);

/* Does the source declare an array of that name that every thread has for itself? */
bool local_arrays_declare(const struct plan_setup *setup, const char *name);

#endif
