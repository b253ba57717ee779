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
#define COUNTER(name, unit, profiler, title, meaning, aim) TALLY_##name,
#define LARGEST(name, unit, profiler, title, meaning, aim) TALLY_##name,
#define DERIVED(name, unit, profiler, title, meaning, aim, formula)
#include "runtime/tables/counters.def"
#undef COUNTER
#undef LARGEST
#undef DERIVED
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
    double value[TALLY_COUNTER_COUNT];        /* over the launches: the sum, or the largest */
    bool present;                             /* at least one launch was read */
    struct estimate estimate;                 /* of the timing case; without a GPU where nothing could be estimated */
    struct tally_line lines[TALLY_MAX_LINES]; /* in the order in which they were met; further ones are left out */
    int line_count;
};

/* Does it say how work is shared out, so that it depends on the order of blocks and warps where they take work as they run? */
bool tally_depends_on_order(const char *metric);

/* Takes over such values where the other order shared the work out better. */
void tally_take_better_order(struct tally *tally, const struct tally *other);

/* Reads text[bytes], one JSON object per launch, each on a line. */
void tally_read(const char *text, size_t bytes, struct tally *tally);

/* Value of a row of counters.def. NAN when there is no such metric, or when it is a share of nothing. */
double tally_get(const struct tally *tally, const char *metric);

/* The same on one line of the source; the largest of a launch is known of no line, and 0. */
double tally_line_get(const struct tally_line *line, const char *metric);

/* Its name for people: "global sectors"; the metric itself when it is not in the table. */
const char *tally_title(const char *metric);

/* Writes every row of counters.def that has a value. Returns how many. */
int tally_list(const struct tally *tally, struct result_counter *list, int capacity);

#endif
