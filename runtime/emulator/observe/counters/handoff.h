/* Chains of threads that wait for one another: who takes a lock, a flag or a ticket waits for the thread that had it before.
 * A chain grows by one where a thread reads, by an atomic operation whose result is used or by a strong load, what another
 * thread has written in this launch by such an operation, and it is handed on by what the reader's warp, or after a barrier
 * its block, writes afterwards. For the estimate of time.
 *
 * What a block has published before it waited counts, even if it publishes more afterwards: so a block that looks back at
 * the sums of others does not lengthen the chain. Nor does a counter that all threads advance: the hardware does that
 * without waiting for what they make of it.
 */
#ifndef EMULATOR_HANDOFF_H
#define EMULATOR_HANDOFF_H

#include <stdbool.h>
#include <stdint.h>

struct block;
struct operation;
struct warp;

/* A launch begins; one runs at a time. */
void handoff_begin(void);

/* A block begins. */
void handoff_block_start(struct block *block);

/* Lanes in `mask` access `address`es: of global memory, or as offsets in shared memory. */
void handoff_request(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t mask,
                     bool in_shared);

struct handoff_totals {
    uint64_t longest;      /* chain through global memory */
    uint64_t in_blocks;    /* longest chain through shared memory in each block, summed over the blocks */
    uint64_t published;    /* how often something was handed on that had been taken; for the means of: */
    uint64_t instructions; /* that the thread executed in between */
    uint64_t fences;       /* of them */
    uint64_t waiting;      /* lanes that asked at places where many blocks ask */
    uint64_t places;       /* how many such places there are */
};

/* Of the launch, at its end. */
void handoff_end(struct handoff_totals *totals);

#endif
