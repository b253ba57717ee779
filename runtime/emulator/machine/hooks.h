/* What the machine reports to the observers of a launch: the driver gives the table with the launch (launch_request),
 * and observe/observers.c fills it. The machine calls through it and does not know the observers; without any,
 * launch->hooks is NULL and nothing is called. Start says what is wanted: all but the two of counting, `lanes` and those of
 * launch and blocks are called only where launch->watched. Every function is there. None changes what the kernel computes.
 */
#ifndef EMULATOR_HOOKS_H
#define EMULATOR_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

struct warp;
struct block;
struct launch;
struct operation;
struct past;
struct memory_allocation;
struct async_source;

/* An asynchronous copy has been done. */
struct async_landing {
    const struct operation *operation;
    const struct async_source *source;
    struct memory_allocation *allocation; /* of the target; NULL: shared memory */
    uint64_t to;
    uint32_t bytes, thread; /* thread: that issued it, in the block */
    bool own;               /* it arrives because that thread waited for it */
};

struct hooks {
    /* ---- the launch and its blocks ---- */

    /* Before the first block. Sets launch->watched, counts and quiet. Returns false when out of memory: no launch. */
    bool (*start)(struct launch *launch);
    /* After the last block, and before the findings are written. Also after a start that returned false. */
    void (*end)(struct launch *launch);
    /* The warps are at the kernel's first operation; sets warp->counts_anew and warp->watches. */
    void (*block_start)(struct launch *launch, struct block *block);
    /* The slot is released. */
    void (*block_destroy)(struct block *block);

    /* A lane launches a kernel, at the end of this grid (in_tail) or beside it: what the observers want to know of the
     * grid when that kernel runs (launch_request.past); NULL: nothing. Only where launch->watched. let_go: it has run;
     * NULL is allowed. */
    struct past *(*launches)(struct warp *warp, unsigned lane, bool in_tail);
    void (*let_go)(struct past *past);

    /* ---- requests: before any lane's data moves ---- */

    /* The active lanes are all inside the site's window; `start` is the address of the first one. A load
     * from an allocation that is quiet in this launch (memory.h) may be left out while warp->watches is 0. */
    void (*request)(struct warp *warp, const struct operation *operation, uint64_t start);
    /* The same for counting; only where launch->counts. A request that costs what it cost before may be left out unless
     * warp->counts_anew. */
    void (*count)(struct warp *warp, const struct operation *operation, uint64_t start);
    /* Both, for a request that was done lane by lane, local memory included; `valid`: lanes that were not suppressed. */
    void (*lanes)(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t valid);
    /* A lane prints from its local memory at [offset, offset + bytes). */
    void (*print)(struct warp *warp, const struct operation *operation, unsigned lane, uint64_t offset, unsigned bytes);
    /* The system has written to the block's shared memory. */
    void (*shared_written)(struct block *block, uint64_t offset, uint64_t bytes);

    /* ---- operations one by one: while warp->watches is not 0 ---- */

    void (*step)(struct warp *warp, const struct operation *operation);
    /* It has run, and `next` comes next; only where the schedule runs operations one by one, or follows() is true. */
    void (*stepped)(struct warp *warp, const struct operation *operation, const struct operation *next);
    /* Must each operation of this block run by itself? */
    bool (*follows)(const struct launch *launch, const struct block *block);

    /* ---- threads meet ---- */

    /* The active lanes, which have all arrived, exchange values: shuffle, vote, match, redux. Before registers change. */
    void (*exchange)(struct warp *warp, const struct operation *operation);
    /* The same where the lanes are at several instructions: each group gives its values before registers change
     * (first: of an exchange), then each gets its result. */
    void (*exchange_give)(struct warp *warp, const struct operation *operation, bool first);
    void (*exchange_get)(struct warp *warp, const struct operation *operation);
    void (*fence)(struct warp *warp, const struct operation *operation);
    void (*warp_barrier)(struct warp *warp, uint32_t lanes);
    /* A block barrier completes: the waiting fragments, or the parked warps, are still in place, with their registers
     * unchanged. */
    void (*barrier)(struct launch *launch, struct block *block, uint32_t number);
    /* bar.arrive: the active lanes give to barrier `number` without waiting. */
    void (*arrive)(struct warp *warp, uint32_t number);

    /* ---- asynchronous copies and barrier objects: async.h ---- */

    /* A lane issues a bulk copy: the range that it will read. */
    void (*async_read)(struct warp *warp, const struct operation *operation, unsigned lane,
                       const struct async_source *source);
    /* A lane issues a copy to [to, to + bytes) of shared memory. */
    void (*async_issue)(struct warp *warp, const struct operation *operation, unsigned lane, uint64_t to, uint64_t bytes);
    /* Lanes have issued copies other than bulk copies: for counting; only where launch->counts. */
    void (*async_count)(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t issued);
    /* A lane has issued a bulk copy from or to global memory; only where launch->counts. */
    void (*bulk_count)(struct warp *warp, const struct operation *operation, uint64_t address, uint64_t bytes);
    void (*async_land)(struct block *block, struct launch *launch, const struct async_landing *landing);
    /* Lanes are about to use barrier objects. */
    void (*mbarrier_access)(struct warp *warp, const struct operation *operation, const uint64_t address[32],
                            uint32_t valid);
    /* Lanes arrive: what they did so far is added to the chain. Or lanes have seen a phase complete: they know the chain. */
    void (*mbarrier_release)(struct warp *warp, uint32_t lanes, uint32_t *chain);
    void (*mbarrier_acquire)(struct warp *warp, uint32_t lanes, uint32_t chain);
};

#endif
