/* Hooks of the observed executors: counters of every request, and the checkers that see every access (poison, races). */
#ifndef EMULATOR_CHECKS_H
#define EMULATOR_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct warp;
struct block;
struct launch;
struct operation;
struct checks;
struct memory_allocation;

/* A request whose active lanes are all inside the site's window; `start` is the address of the first one. Only where
 * launch->checks is set. Loads from allocations that are quiet in this launch (memory.h) need not be reported while
 * no register is poison. */
void checks_request(struct warp *warp, const struct operation *operation, uint64_t start);

/* Counts such a request; only where launch->counts is set. */
void checks_count(struct warp *warp, const struct operation *operation, uint64_t start);

/* Both for a request that was done lane by lane, local memory included; `valid`: the lanes that were not suppressed.
 * Called by every executor, before any lane's data moves. */
void checks_lanes(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t valid);

/* Runs the warp's operations from `operation` on until one returns NULL; only where launch->checks is set. */
void checks_run(struct warp *warp, const struct operation *operation);

/* Runs one operation, with checks or without. Returns what runs next. */
const struct operation *checks_step(struct warp *warp, const struct operation *operation);

/* Must each operation of this block be seen? Then checks_step() runs them. */
bool checks_sees_steps(const struct launch *launch, const struct block *block);

/* The active lanes, which have all arrived, exchange values: shuffle, vote, match, redux. Called before registers change. */
void checks_exchange(struct warp *warp, const struct operation *operation);

/* The same where the lanes are at several instructions: each group gives its values before registers change; then each gets
 * its result. */
struct poison_exchange {
    uint32_t lanes;              /* that take part */
    uint32_t poisoned, doubtful; /* of them: whose value is poison; which may read from any lane (a shuffle) */
    uint32_t votes;              /* that vote yes */
    uint32_t origin;             /* number of the load that brought the poison */
    uint64_t bits[32];           /* of the poisoned values */
    uint8_t asked[32];           /* by each lane of a shuffle */
};
void checks_exchange_give(struct warp *warp, const struct operation *operation, struct poison_exchange *exchange);
void checks_exchange_get(struct warp *warp, const struct operation *operation, const struct poison_exchange *exchange);

void checks_fence(struct warp *warp, const struct operation *operation);
void checks_warp_barrier(struct warp *warp, uint32_t lanes);

/* A lane prints a value in its local memory, at [offset, offset + bytes). */
void checks_print(struct warp *warp, const struct operation *operation, unsigned lane, uint64_t offset, unsigned bytes);

/* A block barrier completes: the waiting fragments, or the parked warps, are still in place, with their registers
 * unchanged. */
void checks_barrier(struct launch *launch, struct block *block, uint32_t number);
/* bar.arrive: the active lanes give to barrier `number` without waiting. */
void checks_arrive(struct warp *warp, uint32_t number);

/* ---- words for findings: explain.h ---- */

struct finding;
struct ptx_variable;

/* Name of a parameter of the launch's kernel: the student's, where the source is known, else
 * "parameter 1". */
void checks_name_parameter(const struct launch *launch, uint32_t index, char *text, size_t bytes);
/* Fills array and columns of a finding about a variable of `bytes` bytes, accessed by elements of `element_bytes`. */
void checks_name_variable(const struct launch *launch, const struct ptx_variable *variable, uint64_t bytes,
                          unsigned element_bytes, struct finding *finding);
/* Type of an array's elements, or of what a parameter points to, as the source declares it: "f32", "u8"; NULL if unknown. */
const char *checks_element_type(const struct launch *launch, const char *name);
/* Turns the index of an access to a member of a structure, `p[i].y`, into that of the element, where the source shows it. */
void checks_name_member(const struct warp *warp, const struct operation *operation, struct finding *finding);
/* Fills marks, arithmetic and remark of a finding whose place, array, index and thread are set. */
void checks_explain(const struct warp *warp, const struct operation *operation, struct finding *finding);
/* The same for the other access of two. */
void checks_explain_second(const struct launch *launch, const struct operation *operation, const uint32_t thread[3],
                           const uint32_t block[3], struct finding *finding);

/* ---- asynchronous copies and barrier objects: execution/async.h ---- */

struct async_source;
struct async_landing {
    const struct operation *operation;
    const struct async_source *source;
    struct memory_allocation *allocation; /* of the target; NULL: shared memory */
    uint64_t to;
    uint32_t bytes, thread; /* thread: that issued it, in the block */
    bool own;               /* it arrives because that thread waited for it */
};

/* A lane issues a bulk copy: the range that it will read. */
void checks_async_read(struct warp *warp, const struct operation *operation, unsigned lane,
                       const struct async_source *source);
/* A lane issues a copy to [to, to + bytes) of shared memory. */
void checks_async_issue(struct warp *warp, const struct operation *operation, unsigned lane, uint64_t to, uint64_t bytes);
/* Lanes have issued copies other than bulk copies: for the counters. */
void checks_async_request(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t issued);
/* A copy has been done. */
void checks_async_land(struct block *block, struct launch *launch, const struct async_landing *landing);

/* Lanes are about to use barrier objects. */
void checks_mbarrier_access(struct warp *warp, const struct operation *operation, const uint64_t address[32],
                            uint32_t valid);
/* Lanes arrive: what they did so far is added to the chain. Or lanes have seen a phase complete: they know the chain. */
void checks_mbarrier_release(struct warp *warp, uint32_t lanes, uint32_t *chain);
void checks_mbarrier_acquire(struct warp *warp, uint32_t lanes, uint32_t chain);

void checks_block_start(struct launch *launch, struct block *block);
void checks_block_end(struct launch *launch, struct block *block);
/* Bytes of the block's shared memory that the system has written. */
void checks_shared_written(struct block *block, uint64_t offset, uint64_t bytes);
/* The slot is released. */
void checks_block_destroy(struct block *block);

/* Returns false when out of memory. */
bool checks_launch_start(struct launch *launch);
/* Writes the counters of the launch. */
void checks_launch_end(struct launch *launch);

#endif
