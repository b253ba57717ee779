/* How a thread that has left came past an operation at which others wait: it left before, or it went around and on. */
#ifndef EMULATOR_PASSING_H
#define EMULATOR_PASSING_H

#include "runtime/emulator/machine/warp.h"

/* The operations that may come after one, at most 3. Returns how many. */
unsigned passing_next(const struct operation *at, const struct operation *next[3]);
/* Marks every operation that can follow `from`. Returns NULL when out of memory, else [operation_count], to be freed. */
bool *passing_list_following(const struct code *code, const struct operation *from);

/* Did the lane, which has left, go around the operation and on to what comes after it, as with `if (c) __syncthreads(); more();`?
 * Returns the first thing that it did there; NULL where it left instead, as with `if (c) return;`, and where that cannot be
 * known, as in a function that is called. */
const struct operation *passing_went_on(const struct warp *warp, unsigned lane, const struct operation *around);

#endif
