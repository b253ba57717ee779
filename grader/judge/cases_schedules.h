/* Other orders of threads (runtime/tables/schedule.def) for cases whose values were right: a race that was found
 * gets the wrong value that it may lead to, and a result that changes without a race is a finding of its own. */
#ifndef CASES_SCHEDULES_H
#define CASES_SCHEDULES_H

#include "grader/judge/cases_work.h"

/* How large a case turned out to be, and whether it ran to its end. */
struct case_size {
    uint64_t blocks, threads;
    size_t elements; /* in all arrays, of the case as it ran */
    uint64_t work;   /* of the first run */
    bool ran;
};

/* Runs the cases that are small enough, and one of three or more blocks.
 *   sizes   [case_count], of the runs in rising order */
void cases_judge_schedules(struct cases_work *work, const struct case_size *sizes);

#endif
