/* Mistakes that the optimizer hides: what only the program shows that was compiled without optimization. */
#ifndef UNOPTIMIZED_H
#define UNOPTIMIZED_H

#include "grader/compile/submission.h"
#include "grader/judge/cases_input.h"
#include "grader/result/result.h"

/* Compiles the submission as for a debugger, runs the smallest visible cases, and adds a note (optimized_away) for the first
 * access to memory that is not there, or use of a value that was never written. Costs no points. Call when every visible test
 * has passed: then the optimized program, which ran with the same checks, does no such thing. Adds nothing where there is no
 * compiler, or the device does not take what it made. */
void unoptimized_tell(const struct submission *submission, const struct cases_input *cases, struct result_lab *result);

#endif
