/* Judges one submission of a lab whose learner writes a whole program, from source to result. */
#ifndef PROGRAM_JUDGE_H
#define PROGRAM_JUDGE_H

#include "grader/judge/judge.h"

/* Fills the result; result_lab_clear gives it back. Cannot fail: what goes wrong is in the result. */
void program_judge(const struct judge_input *input, struct result_lab *result);

#endif
