/* Asynchronous copies, and the barrier objects in shared memory that they complete at (mbarrier).
 *
 * A copy is not done when it is issued but as late as PTX allows: at the wait for its group, or when a thread tests whether
 * the phase of its mbarrier is complete. A program that forgets to wait reads the old contents. Sections: PTX ISA
 * 9.7.9.25 (copies), 9.7.13.15 (mbarrier).
 */
#ifndef EMULATOR_ASYNC_H
#define EMULATOR_ASYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/emulator/machine/mbarrier_object.h"
#include "runtime/emulator/machine/warp.h"

/* operation->extra of async_source and async_copy. The two follow each other and are one copy: the first says where it
 * reads (a: address, b: bytes to read in r or UINT32_MAX, c: predicate "read nothing" or UINT32_MAX), the second where it
 * writes and that it is issued. */
enum async_flags { ASYNC_BULK = 1, ASYNC_OUT = 2 };

/* operation->extra of async_group; immediate: how many groups may remain in flight. */
enum async_group { ASYNC_COMMIT, ASYNC_WAIT, ASYNC_WAIT_ALL, ASYNC_BULK_COMMIT, ASYNC_BULK_WAIT };

/* operation->extra of mbarrier. a: address of the object; d: state in q, predicate of the tests, or UINT32_MAX; b: count,
 * bytes or parity in r, state in q, or UINT32_MAX. */
enum mbarrier_operation {
    MBARRIER_INIT,
    MBARRIER_INVALIDATE,
    MBARRIER_ARRIVE,
    MBARRIER_DROP,
    MBARRIER_EXPECT,
    MBARRIER_COMPLETE,
    MBARRIER_TEST,
    MBARRIER_TEST_PARITY,
    MBARRIER_COPIES, /* arrives when the thread's copies so far have arrived */
    MBARRIER_BULK,   /* the bulk copy that was issued just before completes here */
    MBARRIER_OPERATION = 15,
    MBARRIER_EXPECTS = 16,      /* arrive.expect_tx: b is bytes */
    MBARRIER_NO_COMPLETE = 32,  /* must not complete the phase */
    MBARRIER_NO_INCREMENT = 64, /* of MBARRIER_COPIES: the arrival is one of those that init counted */
};

struct async_source {                     /* what a lane's copy reads */
    struct memory_allocation *allocation; /* NULL: shared memory */
    uint64_t offset;
    uint32_t bytes;
    bool found; /* false: the copy is suppressed */
};

struct async_item { /* a copy in flight, or an arrival after copies */
    const struct operation *operation;
    struct async_source source;
    uint32_t to; /* in the block's shared memory; of an arrival: where the mbarrier is */
    uint32_t group;
    uint32_t bytes; /* 0: an arrival */
};

struct async_bulk {
    const struct operation *operation;
    struct async_source source;
    struct memory_allocation *allocation; /* of the target; NULL: shared memory */
    uint64_t to;
    uint32_t thread;  /* in the block, warps of 32 */
    uint32_t group;   /* of a copy to global memory */
    uint32_t barrier; /* where the mbarrier of one to shared memory is */
};

struct async_lane {
    struct async_item *items; /* [first, count) are in flight, oldest first */
    uint32_t first, count, capacity;
    uint32_t group, bulk_group; /* committed so far */
};

struct block_async {
    uint32_t threads;         /* warps of a block * 32 */
    struct async_lane *lanes; /* [threads] */
    struct async_bulk *bulk;
    uint32_t bulk_count, bulk_capacity;
    struct mbarrier *barriers;
    uint32_t barrier_count, barrier_capacity;
    struct async_source source[WARP_LANES]; /* of the copy that is being issued */
};

/* ---- called by executors ---- */

void async_source(struct warp *warp, const struct operation *operation);
void async_copy(struct warp *warp, const struct operation *operation);
void async_group(struct warp *warp, const struct operation *operation);

/* ---- called by run.c ---- */

/* A block begins: nothing is in flight. After hooks->block_start(). */
void async_block_start(struct block *block, struct launch *launch);
/* It ends: copies to global memory without a wait are done now, with a finding; those to shared memory are lost. */
void async_block_end(struct block *block, struct launch *launch);
void async_block_destroy(struct block *block);

/* ---- called by mbarrier.c ---- */

/* The asynchronous state of the warp's block, made at its first use. NULL when out of memory: the launch is aborted. */
struct block_async *async_of(struct warp *warp);
/* The object at an offset of shared memory, or NULL. */
struct mbarrier *mbarrier_find(const struct block_async *async, uint32_t offset);
/* Puts an arrival after the copies of a lane. */
bool async_push_arrival(struct warp *warp, const struct operation *operation, unsigned lane, uint32_t barrier);
/* Everything that completes at the object arrives now. */
void async_land_at(struct block *block, struct launch *launch, struct mbarrier *barrier);

#endif
