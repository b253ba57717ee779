/* A cause is proven by the repair that cures it: after a lab has failed, the repairs that fit its first cause
 * (runtime/tables/repairs.def) are tried in the emulated driver's hand, on the compiled program, and the result says which one
 * makes the tests pass. Visible tests alone run; what is tried, and in which order, depends on the findings and never on a
 * clock.
 */
#ifndef REPAIR_H
#define REPAIR_H

#include "grader/judge/cases_work.h"

/* Tries, and fills work->result->repair. Call when every case is judged and its findings are sorted. */
void repair_find(struct cases_work *work);

#endif
