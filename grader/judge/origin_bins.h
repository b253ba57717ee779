/* What the bins of a wrong histogram show by themselves, together with the text of the kernel: counters that are too small,
 * atomicInc, bins that count a value once, and updates without an element. */
#ifndef ORIGIN_BINS_H
#define ORIGIN_BINS_H

#include <stddef.h>
#include <stdint.h>

#include "grader/judge/origin_log.h"
#include "runtime/language/source.h"

/* Of one wrong case. Borrowed. */
struct origin_bins {
    const int32_t *got; /* [bin_count] */
    size_t bin_count;
    const int32_t *values; /* [count] in 0 … bin_count - 1 */
    size_t count;
    size_t tile; /* elements that a block counts; 0 unknown */
    const struct source *source;
    const struct origin_log *log;
    int launches, stored_line;    /* of the last store to the first wrong bin; 0 unknown */
    const char *name, *data_name; /* of the bins, and of the array with the values, as the log has it */
};

/* The operations of a launch that are atomic, and how many lanes have executed each: at most 8 lines. */
struct origin_atomics {
    int line[8];
    int64_t lanes[8];
    int count;
};
struct origin_atomics origin_bins_atomics(const struct origin_log *log, int launches);

/* Writes what the bins show: facts, then a question. Returns the pattern, NULL when they show nothing.
 *   several   also what is only worth saying where nothing better is known
 *   line      set to the line that it is about, *line2 to that of a declaration; else they stay */
const char *origin_bins_words(const struct origin_bins *bins, bool several, char *text, size_t text_bytes, int *line,
                              int *line2);

#endif
