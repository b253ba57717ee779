/* A submission, or the reference, on its way to the compile step. */
#ifndef JUDGE_COMPILE_H
#define JUDGE_COMPILE_H

#include <stdbool.h>

#include "grader/compile/compile_step.h"
#include "grader/compile/submission.h"
#include "grader/lab/lab.h"
#include "grader/result/result.h"
#include "grader/run/plan.h"
#include "runtime/lockstep.h"

/* What the compile step needs of a submission; borrows from it. */
struct compile_input judge_compile_input(const struct submission *submission, const struct lab *lab);

/* The question and the hints of a finding are about something else, which explains it: the ladder of that heading. */
void judge_ask_instead(struct result_finding *finding, const char *heading, const char *question);

/* Makes one story of what the compiler warns of and what the tests find, where a test fails: a warning about a line of the
 * first finding comes with it, and the question and the hints are those of the first warning that is hardly ever without
 * meaning. */
void judge_tell_warnings(const struct lab *lab, const struct plan_setup *setup, struct result_lab *result);

/* Looks the submission up in the cache of compiled modules. Returns true on a hit (then lockstep_compiled_clear). */
bool judge_find_cached(const struct submission *submission, const struct lab *lab, lockstep_compiled *compiled);

#endif
