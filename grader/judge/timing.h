/* Time on a GPU: the student's plan against the reference's, measured until the verdict is clear of noise. */
#ifndef TIMING_H
#define TIMING_H

#include "grader/judge/cases_work.h"

/* The ratio of two times out of pairs of runs, one of each, in turn. */
struct timing_ratio {
    double student_ms, reference_ms; /* medians */
    double ratio, low, high;         /* median of the ratios of the pairs, and its 95 % interval */
};

/* [count] times each, count >= 9. The interval comes from order statistics: whatever the distribution, the median lies
 * between the values of rank n/2 -+ 0.98 sqrt(n) with that probability. */
struct timing_ratio timing_summarise(const float *student_ms, const float *reference_ms, int count);

/* What the interval says against a bound: pass and fail only when all of it lies on one side. */
enum result_state timing_verdict(const struct timing_ratio *ratio, double full_at);

/* Verifies two runs of the lab's timing case, then measures, and adds a row of the track "time" to result->budgets.
 * work: its session is open on a GPU. */
void timing_judge(struct cases_work *work, const struct cases_input *reference, struct result_lab *result);

#endif
