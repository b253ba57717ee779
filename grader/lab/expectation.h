/* The first line of a wrong version: the cause that the grader must name.
 *
 *     // expect: CODE[|CODE] [PATTERN[|PATTERN]] [line=N] - why
 *     // expect: budget METRIC[|METRIC] - why
 */
#ifndef EXPECTATION_H
#define EXPECTATION_H

#include <stdbool.h>

struct expectation {
    char code[128], second[128]; /* with | between alternatives; second: patterns, or a budget's metrics; may be "" */
    int line;                    /* 0: any */
};

/* Returns false when the source does not begin with such a line. */
bool expectation_read(const char *source, struct expectation *expectation);

/* Whether it is about points lost, not about a cause. */
bool expectation_is_budget(const struct expectation *expectation);

/* Whether a cause, or for a budget its metric alone, is what is expected. */
bool expectation_fits_cause(const struct expectation *expectation, const char *code, const char *pattern, int line);
bool expectation_fits_metric(const struct expectation *expectation, const char *metric);

#endif
