/* What can be said against a lab's cases without running a kernel. */
#ifndef CHECK_CASES_H
#define CHECK_CASES_H

#include "grader/lab/lab.h"

/* Takes a complaint: one or two sentences with the place and the way to fix it. */
typedef void check_cases_complain_fn(void *context, const char *text);

/* Complains about points that do not add up to 100, about cases that are the same, about sizes that are all whole numbers of
 * warps or blocks, and, where a plan is a list of steps, about elements that reference.c does not write. */
void check_cases(const struct lab *lab, check_cases_complain_fn *complain, void *context);

#endif
