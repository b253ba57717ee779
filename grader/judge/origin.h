/* Where wrong values come from: after a lab has failed with wrong values, a small case that shows them runs again in the
 * emulated driver's hand, with a record of who stored what, and with other inputs, which measures what the wrong elements are
 * made of. Visible tests alone run. */
#ifndef ORIGIN_H
#define ORIGIN_H

#include "grader/judge/cases_work.h"

/* Adds line, kernel, message and pattern to the findings about wrong values. Call when every case is judged and its findings
 * are sorted. */
void origin_find(struct cases_work *work);

#endif
