/* Which barriers of a launch no conflict needs: see race_need.c. */
#ifndef EMULATOR_RACE_NEED_H
#define EMULATOR_RACE_NEED_H

#include <stdbool.h>
#include <stdint.h>

struct races;
struct race_block;
struct launch;
struct warp;
struct block;
struct operation;
struct memory_allocation;
struct need;       /* of a launch */
struct need_block; /* of a slot that blocks run in */

/* Begins to follow the launch, where there is a barrier that may be needless. Returns NULL where there is none, or
 * when out of memory: then nothing is reported. */
struct need *need_start(struct races *races);
/* The verdicts go to the program's barrier_lines. complete: every block ran to its end, and nothing is wrong. */
void need_end(struct races *races, bool complete);

void need_block_start(struct races *races, struct race_block *block);
void need_block_free(struct need_block *block);

/* Lanes access memory, at the address of the first lane + delta[lane]. allocation NULL: address is the offset in the block's
 * shared memory. */
void need_request(struct races *races, struct warp *warp, const struct operation *operation,
                  const struct memory_allocation *allocation, uint64_t address, const uint64_t *delta, uint32_t mask);
/* A lane reads or writes a range: an asynchronous copy. */
void need_range(struct races *races, struct warp *warp, unsigned lane, const struct memory_allocation *allocation,
                uint64_t address, uint64_t bytes, bool write);

/* A barrier of the block completes. whole: all threads that the block began with wait there. */
void need_barrier(struct races *races, struct block *slot, uint32_t number, bool whole);
/* Something else orders threads, which is not followed: every barrier of the launch counts as needed. */
void need_doubt(struct races *races);

#endif
