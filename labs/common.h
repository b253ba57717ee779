/* What several labs' descriptions share: extents, and the traffic that cannot be avoided. */
#ifndef LABS_COMMON_H
#define LABS_COMMON_H

#include <stddef.h>
#include <stdint.h>

#include "grader/lab/lab.h"

/* Rows of a table that is an array. */
#define COMMON_COUNT(array) ((int)(sizeof array / sizeof *(array)))

/* Every lab gives 60 points for right results, divided among its cases, and 40 for its budgets: for doing the work in
 * parallel and without waste. */
#define COMMON_CORRECT_POINTS 60

/* What several labs' budgets say. */
#define COMMON_WHY_SHARE                                                                                           \
    "in a block of 256 threads each has 1/256 of the work; one that does more than a tenth of it works while the " \
    "others wait. Only instructions that lead to a result count"
#define COMMON_WHY_BLOCK                                                                                                \
    "blocks work at the same time, so no block should move more than its part. Full points as long as the busiest one " \
    "moves no more than 40 % of the data; a GPU with 132 multiprocessors needs many more blocks to be busy"

/* size[0] elements, whatever the array. An `extent` of struct lab. */
size_t common_extent(const struct lab *lab, const struct lab_case *the_case, int index);

/* How many 32-byte sectors `count` 4-byte elements from an aligned start fill: what coalesced accesses of any width touch,
 * summed over the requests, as long as every request starts on a sector. */
double common_sectors(int64_t count);

/* How many warps of 32 it takes to do `count` things, one a lane. */
double common_warps(int64_t count);

#endif
