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
};

/* Copies of one instruction in flight, or arrivals after copies: of lanes whose sources are alike. */
struct async_row {
    const struct operation *operation;
    struct memory_allocation *allocation; /* NULL: shared memory */
    uint32_t lanes;                       /* whose copy is still in flight */
    uint32_t group;
    uint32_t source_bytes;          /* that are read; the others become 0 */
    uint32_t bytes;                 /* 0: an arrival */
    uint64_t warp_read, block_read; /* bytes of shared memory, when it was issued; only where launch->counts */
    uint64_t offset[WARP_LANES];    /* in the allocation or the block's shared memory */
    uint32_t to[WARP_LANES];        /* in the block's shared memory; of an arrival: where the mbarrier is */
};

struct async_bulk {
    const struct operation *operation;
    struct async_source source;
    struct memory_allocation *allocation; /* of the target; NULL: shared memory */
    uint64_t to;
    uint32_t thread;     /* in the block, warps of 32 */
    uint32_t group;      /* of a copy to global memory */
    uint32_t barrier;    /* where the mbarrier of one to shared memory is */
    uint64_t block_read; /* as of an item */
};

struct async_arrival {        /* copies into shared memory that arrive at one wait; kept only where launch->counts */
    struct memory_site *site; /* of the one that was issued last */
    struct warp *warp;        /* that waited; NULL: they completed at a barrier object */
    uint64_t bytes;
    uint64_t read; /* from shared memory by the warp, or the block, since that one was issued */
};

struct async_warp {
    struct async_row *rows; /* [first, count) are in flight, oldest first */
    uint32_t first, count, capacity;
    uint32_t group[WARP_LANES], bulk_group[WARP_LANES]; /* committed so far */
};

/* What the copy that is being issued reads, by lane. */
struct async_batch {
    uint32_t found; /* lanes; the copies of the others are suppressed */
    bool alike;     /* all that are found have the allocation and the bytes of lane 0, whether that is active or not */
    struct memory_allocation *allocation[WARP_LANES]; /* NULL: shared memory */
    uint32_t bytes[WARP_LANES];
    uint64_t offset[WARP_LANES];
};

struct block_async {
    uint32_t threads;         /* warps of a block * 32 */
    struct async_warp *warps; /* [threads / 32] */
    struct async_bulk *bulk;
    uint32_t bulk_count, bulk_capacity;
    struct async_arrival *arrivals;
    uint32_t arrival_count, arrival_capacity, at_barriers; /* those of no warp */
    struct mbarrier *barriers;
    uint32_t barrier_count, barrier_capacity;
    struct async_batch batch;
};

/* ---- called by executors ---- */

/* Lane by lane. So that the executor can find the next such request by its shape, they set the site's window. */
void async_source(struct warp *warp, const struct operation *operation);
void async_copy(struct warp *warp, const struct operation *operation);
void async_group(struct warp *warp, const struct operation *operation);
/* Goes back to the window before. */
void async_swap_windows(struct memory_site *site);
/* A new row of the warp, whose offsets, targets and group the caller fills in. NULL when out of memory: the launch is aborted. */
struct async_row *async_push(struct warp *warp, const struct operation *operation);
/* Have the lanes committed equally often? */
bool async_groups_alike(const struct async_warp *queue, uint32_t lanes);

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
