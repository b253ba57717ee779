/* Sums the counters that the emulated driver wrote through LOCKSTEP_COUNTERS over the launches of a plan, and derives the
 * metrics that budgets speak of.
 */
#ifndef TALLY_H
#define TALLY_H

#include <stdbool.h>
#include <stddef.h>

#include "grader/estimate/estimate.h"
#include "grader/result/result.h"

enum tally_counter {
#define COUNTER(name) TALLY_##name,
#include "runtime/tables/counters.def"
#undef COUNTER
    TALLY_COUNTER_COUNT
};

#define TALLY_MAX_LINES 256

/* One request of a warp: what its lanes accessed. */
struct tally_request {
    char space[8], access[8]; /* "global" or "shared"; "load", "store" or "atomic" */
    int units;                /* sectors or wavefronts that it took; 0: no request is known */
    int bytes;                /* of a lane */
    int64_t offset[32];       /* bytes from the start of the array; -1: the lane took no part */
};

/* What one line of the source did. */
struct tally_line {
    int line;
    double value[TALLY_COUNTER_COUNT];
    struct tally_request worst; /* that took most */
};

struct tally {
    double value[TALLY_COUNTER_COUNT];
    double max_thread_share;                  /* the largest over the launches */
    bool present;                             /* at least one launch was read */
    struct estimate estimate;                 /* of the timing case; without a GPU where nothing could be estimated */
    struct tally_line lines[TALLY_MAX_LINES]; /* in the order in which they were met; further ones are left out */
    int line_count;
};

/* Reads text[bytes], one JSON object per launch, each on a line. */
void tally_read(const char *text, size_t bytes, struct tally *tally);

/* Value of a counter or derived metric (list in grader/lab/lab.h). NAN when there is no such metric. */
double tally_get(const struct tally *tally, const char *metric);

/* Value of a counter or derived metric on one line of the source. */
double tally_line_get(const struct tally_line *line, const char *metric);

/* Writes all counters and derived metrics, in the order of the table. Returns how many. */
int tally_list(const struct tally *tally, struct result_counter *list, int capacity);

#endif
