/* Cases on a device with little memory, and of kernels that take too long. */
#ifndef FIT_H
#define FIT_H

#include <stdbool.h>

#include "grader/lab/lab.h"

/* A case runs in memory of this many times its arrays: those, scratch arrays as large, and what the driver and the module
 * take. At the timing case there are two sets of inputs and the reference's arrays as well, and what empties the cache. */
enum { FIT_CASE = 3, FIT_TIMING = 8 };

/* Halves the largest dimension of a case until its arrays fit `times` into memory_bytes. Returns how often; 0 is what a
 * device of 1 GB does. A dimension of 1 stays. */
int fit_case(const struct lab *lab, struct lab_case *the_case, int times, uint64_t memory_bytes);

/* Halves the largest dimension `halvings` times; a large one keeps its remainder by the threads of a block. */
void fit_halve(struct lab_case *the_case, int halvings);

/* "at 1/4 of its size: this device has little memory", appended to text, after "; " where there is some; slow: and that the
 * kernel was too slow for all of it, or, others: that other tests had left too little work for it; right: that the part is
 * right, and what that is worth. */
void fit_describe(int halvings, int slow_halvings, bool others, bool right, char *text, size_t text_bytes);

#endif
