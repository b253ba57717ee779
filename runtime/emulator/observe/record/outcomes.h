/* What instructions give and change, lane by lane: for machine/useful.h, which leaves out of the counters of work what has no
 * effect. The first blocks of each launch that is counted are looked at, in the default schedule. */
#ifndef EMULATOR_OUTCOMES_H
#define EMULATOR_OUTCOMES_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/emulator/machine/warp.h"
#include "runtime/emulator/observe/record/trace_request.h"

enum { OUTCOME_SOURCES = 3, OUTCOME_BYTES = 32 };

/* Of one launch. All zero at its start. */
struct outcomes {
    uint64_t steps; /* looked at, in the blocks that are followed */
    /* the operation that runs now */
    struct outcome *outcome; /* of its instruction; NULL: nothing more is to be learnt */
    uint32_t lanes;
    uint64_t source[OUTCOME_SOURCES][WARP_LANES];
    struct trace_request request; /* of a store or an atomic operation */
    uint8_t before[WARP_LANES][OUTCOME_BYTES];
};

/* Are the operations of this block to be shown one by one? */
bool outcomes_follow(const struct outcomes *outcomes, const struct launch *launch, const struct block *block);

/* Before an operation runs, and after it. alone: nobody else needs to see the operations of the block one by one. */
void outcomes_before(struct outcomes *outcomes, const struct warp *warp, const struct operation *operation);
void outcomes_after(struct outcomes *outcomes, struct warp *warp, const struct operation *operation, bool alone);

#endif
