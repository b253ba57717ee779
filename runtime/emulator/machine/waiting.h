/* Threads that wait: which wait where, which have left where, and what is reported when they wait in vain. */
#ifndef EMULATOR_WAITING_H
#define EMULATOR_WAITING_H

#include <stdint.h>

#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/warp.h"

/* Visits every fragment of the block that waits at barrier `number`. */
#define FOR_WAITING(block, launch, number, warp, fragment)                                              \
    for (struct warp *warp = (block)->warps; warp < (block)->warps + (launch)->warps_per_block; warp++) \
        for (uint32_t rest_ = warp->at_barrier; rest_; rest_ &= rest_ - 1)                              \
            for (struct fragment *fragment = &warp->fragments[__builtin_ctz(rest_)];                    \
                 fragment && fragment->barrier == (number); fragment = NULL)

/* The threads that wait at a barrier of the block. */
struct waiting {
    uint32_t threads;           /* that wait */
    uint32_t asked;             /* the count that the waiting threads give; 0: all */
    const struct operation *at; /* of the first; NULL: none waits */
    struct place place;
    uint32_t first_threads; /* at that line */
    struct warp *warp;
    unsigned lane;
    const struct operation *other_at; /* one at another line; NULL when there is none */
    struct warp *other_warp;
    unsigned other_lane;
    uint32_t other_threads; /* at that line */
};

struct waiting waiting_at(struct block *block, struct launch *launch, uint32_t number);

/* Each adds a finding to the launch's; all but the early exit fail it. */
void waiting_report_mismatch(struct launch *launch, const struct waiting *waiting);
/* Threads have left the kernel before a barrier that the others complete without them. */
void waiting_report_early_exit(struct block *block, struct launch *launch, const struct waiting *waiting);
/* No thread can move. */
void waiting_report_deadlock(struct block *block, struct launch *launch);
/* Out of fuel: the loop that runs, or the barrier at which others wait for the looping threads. */
void waiting_report_fuel(struct block *block, struct launch *launch);
/* Nothing will ever change any more; not_begun: blocks that cannot begin before others end. Aborts the launch. */
void waiting_report_endless(struct launch *launch, uint64_t not_begun);
/* The work is spent between two blocks, of which so many have finished. */
void waiting_report_work(struct launch *launch, uint64_t finished);
/* An operation of a warp names lanes that cannot arrive, or leaves out one of `lanes`, which execute it. */
void waiting_report_mask(struct warp *warp, const struct operation *at, uint32_t lanes, uint32_t members);

/* Lanes of a warp name different tiles to load or store together: `lane` is the first that differs from lane 0. */
void waiting_report_tile(struct warp *warp, const struct operation *at, unsigned lane, bool stride);

/* The lane has left, but only after it went around the operation and on: a GPU does not wait for it. */
void waiting_report_gone_around(struct warp *warp, const struct operation *at, uint32_t members, unsigned lane);

/* The block polls for something that only a block that has not begun can do: reports a deadlock and aborts the launch. */
void waiting_report_stuck(struct block *block, struct launch *launch, uint64_t not_begun);

#endif
