/* A launch that will never end: proof by a state that recurs.
 *
 * All that a launch computes follows from its memory, its registers and where its lanes are. Where all of that is as it was
 * before, with threads that ran in between, everything will recur for ever. Fuel (launch.h) stays for loops in which
 * something changes, a counter for example.
 */
#ifndef EMULATOR_ENDLESS_H
#define EMULATOR_ENDLESS_H

#include "runtime/emulator/machine/warp.h"

/* What is remembered of a launch's state; the caller owns it, zeroed at first. */
struct endless {
    uint64_t *warps; /* [capacity]: states of the blocks and warps that run */
    size_t capacity, count;
    uint64_t memory;
    bool has_memory; /* `memory` is of the same moment */
    uint64_t round, taken, next;
    uint64_t period; /* in rounds, once it is proven; perhaps several in one */
    bool meets;      /* loops store what others may wait for: not looked at again */
};

/* Threads of the process that do nothing meanwhile: not the host's, which may write to its memory. */
extern unsigned endless_idle_threads;

/* The blocks have had a turn each, and only wait or poll. Returns true when their state, with that of all memory, is one that
 * has been there before, so that no thread will ever do anything else. False also where that cannot be known: other parts of
 * the state (copies in flight, stores held back), memory that the host may write to meanwhile, or too much of it. */
bool endless_is_proven(struct endless *endless, const struct launch *launch, struct block *blocks, uint64_t slots);
/* A block has ended or begun: starts over. */
void endless_forget(struct endless *endless);
void endless_clear(struct endless *endless);

#endif
