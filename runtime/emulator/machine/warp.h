/* The state of running warps, blocks and grids, and the cold parts of control flow.
 *
 * The lanes of a warp that are at the same place form a fragment. A warp begins as one fragment; a divergent branch splits
 * it, and a join (at the branch's immediate post-dominator) puts the parts together again. One fragment runs at a time, the
 * others wait: ready, at a barrier of the block, at a barrier of the warp, or inside a join. Reconvergence is an
 * optimisation only: when nothing else can run, joins let their lanes continue alone, so that every lane makes progress and
 * no barrier succeeds because lanes were held back.
 */
#ifndef EMULATOR_WARP_H
#define EMULATOR_WARP_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/emulator/machine/affine.h"
#include "runtime/emulator/machine/bytecode.h"
#include "runtime/emulator/machine/launch.h"
#include "runtime/emulator/settings/settings.h"

enum { WARP_LANES = 32, BARRIER_COUNT = 16, SLICE = 1 << 16, POLL_LIMIT = 64 };
#define ALL_LANES    0xFFFFFFFFu
#define WARP_STEPPED (1u << 30) /* more registers than there are */

struct join {
    const struct operation *at; /* the block_join operation where the lanes meet */
    uint32_t expected, arrived; /* lanes; expected shrinks when lanes exit */
    uint32_t depth;             /* of the call that created it */
    bool dissolved;             /* arrived lanes continued alone; the others pass through */
    struct join *parent;
    uint32_t *r; /* frame of the lanes (the same for all) */
    uint64_t *q;
    uint32_t *p;
    uint32_t local_base;
    const struct operation *last_branch;
};

struct fragment {
    uint32_t mask;
    const struct operation *at; /* next operation; of a waiting one: the barrier */
    struct join *join;          /* innermost */
    uint32_t *r;
    uint64_t *q;
    uint32_t *p;
    uint32_t local_base, depth;
    const struct operation *last_branch; /* latest conditional branch: for "which threads left where" */
    uint32_t barrier, barrier_threads;   /* block barrier: number, and threads expected (0: all) */
    uint32_t members;                    /* warp barrier: lanes expected */
    bool passes;                         /* warp barrier released: do not wait again */
};

struct warp {
    /* the running fragment, spread out for speed */
    uint32_t mask;
    uint32_t *r;
    uint64_t *q;
    uint32_t *p;
    int64_t budget;    /* warp instructions left in this slice */
    uint32_t poisoned; /* the checkers' own: registers with a poisoned lane; then they see every step.
                                              WARP_STEPPED more where a schedule or a trace does */
    uint32_t quiet;    /* launch->quiet */
    bool counts;       /* launch->counts */
    bool looked_at;    /* every request is counted again: counters_look_at() */
    bool unchecked;    /* launch->checks is NULL */
    _Alignas(32) int32_t lane_mask[WARP_LANES]; /* -1 where the lane is active */
    uint32_t lane_mask_of;                      /* mask that lane_mask was made for */
    uint32_t saved_mask;                        /* of a guarded operation */
    struct join *join;
    uint32_t local_base, depth;
    const struct operation *last_branch;
    uint32_t polls; /* volatile loads and atomics since the last switch */
    bool polled;    /* there were some before that, since the block's last barrier */
    bool passes;
    const struct operation *parked; /* barrier at which all lanes wait, the state above left as it is; NULL: none */
    const struct operation *resume; /* what follows it, once it is complete; NULL: a fragment is next */
    struct block *block;
    struct launch *launch;
    uint32_t index;  /* in the block */
    uint32_t live;   /* lanes that have not exited */
    uint32_t carry;  /* condition code of add.cc and similar, one bit per lane */
    uint8_t *shared; /* of the block */
    uint8_t *local;  /* lane l at l * local_stride */
    uint32_t local_stride;
    /* slots of `fragments`, one bit each: which are ready, wait at a barrier of the block, wait at one of the warp */
    uint32_t ready, at_barrier, at_warp_barrier;
    uint64_t joins_used; /* slots of `joins` */
    struct fragment fragments[WARP_LANES];
    struct join joins[64];
    uint32_t *r_base;
    uint64_t *q_base;
    uint32_t *p_base;
    struct affine *affine_r, *affine_q; /* of the kernel's frame, by register */
    uint32_t tid[3][WARP_LANES];
    struct poison_warp *poison; /* the checkers' own; NULL below CHECKS_POISON */
    /* counters */
    uint64_t common_instructions;  /* by all 32 lanes */
    uint64_t partial_instructions; /* beyond those, by the lanes of partial_mask, not yet added to: */
    uint32_t partial_mask;
    bool uneven; /* lane_instructions are not all 0 */
    uint64_t lane_instructions[WARP_LANES];
    /* of lanes that have left: the latest conditional branch before (NULL: none), and the exit */
    const struct operation *exit_branch[WARP_LANES], *exit_at[WARP_LANES];
    /* schedules that see each operation: schedule.h, held.h */
    uint32_t yielded;                            /* lanes that had a turn since all others had one */
    uint64_t held_up;                            /* 0, or the number of the event since which others go first */
    uint32_t held_lanes, held_first[WARP_LANES]; /* lanes whose stores others do not see yet; each one's first */
};

struct barrier {
    uint32_t waiting;           /* threads that wait */
    uint32_t given;             /* threads of bar.arrive */
    uint32_t asked;             /* count that the waiting threads give; 0: all that live */
    const struct operation *at; /* of the first that waits; NULL: none does */
    bool mixed;                 /* others wait at another operation */
};

struct block {
    bool running;
    uint32_t index[3];
    uint64_t linear;
    struct warp *warps; /* [launch->warps_per_block] */
    uint64_t bytes;     /* of the memory that begins at warps */
    uint32_t live_threads;
    struct barrier barriers[BARRIER_COUNT];
    uint32_t barriers_used;            /* one bit each: threads wait there */
    uint32_t parked_threads;           /* in parked warps */
    const struct operation *parked_at; /* of the first; NULL: none is */
    bool parked_apart;                 /* others are parked elsewhere */
    uint8_t *shared;                   /* [launch->shared_bytes] */
    struct block_async *async;         /* copies in flight, barrier objects; NULL: never used */
    struct race_block *races;          /* the checkers' own; NULL below CHECKS_POISON */
    struct flight *flight;             /* the checkers' own; NULL: no asynchronous copy yet */
    bool shared_full;                  /* the checkers' own: no byte of shared memory is poison */
    bool early_exit_reported;
    bool yields;       /* its turn has ended at a barrier */
    uint32_t patience; /* grows with each barrier before which a warp polled, shrinks with others */
};

struct finding_set;
struct checks;
struct held;
struct executor;
struct locality;

struct launch {
    const struct launch_request *request;
    const struct code *code;
    const struct settings *settings;
    const struct schedule *schedule;
    bool stepped;                    /* by schedule_run */
    const struct executor *executor; /* for checks_step; NULL where nothing is stepped */
    bool apart;                      /* lanes never meet again unless something makes them */
    struct held *held;               /* stores that other threads do not see yet; NULL: none so far */
    uint64_t held_up_count;          /* how often a warp was held up */
    struct finding_set *findings;
    struct checks *checks;                  /* poison and races; NULL below CHECKS_POISON */
    int student_file;                       /* place_student_file() */
    bool yields_at_barriers;                /* several blocks take turns, and a turn ends at a barrier */
    uint32_t quiet;                         /* loads from allocations with this quiet_in need no hook; UINT32_MAX: all do */
    bool counts;                            /* counts of instructions and requests are kept */
    struct locality *locality;              /* the counters' own; NULL: no block is observed */
    uint8_t *parameters;                    /* copy of the parameter block */
    struct memory_allocation *grid_barrier; /* of a cooperative launch: what %envreg1 and 2 point to; NULL */
    uint32_t threads_per_block, warps_per_block;
    uint64_t blocks;
    uint32_t shared_bytes, dynamic_offset;
    uint32_t stack_local; /* local memory per lane */
    int64_t fuel;         /* warp instructions until a block must have finished */
    int64_t fuel_limit;
    enum launch_status status; /* worst so far */
    bool aborted;
    char *printf_text;
    size_t printf_length, printf_capacity;
    uint64_t printf_dropped; /* calls since the buffer was full */
    uint64_t printf_format;  /* address of the latest format, and how many values it prints */
    uint32_t printf_conversions;
    /* totals of finished blocks */
    uint64_t warp_instructions, thread_instructions, divergent_branches, barrier_arrivals;
    uint64_t busiest_instructions; /* of the busiest thread of each block */
    double max_thread_share;
    uint64_t heap_used;
};

/* One bit per lane to 0 or -1 per lane. */
static inline void spread_lanes(int32_t flags[WARP_LANES], uint32_t bits)
{
#define EIGHT(n) (1u << (n)), (2u << (n)), (4u << (n)), (8u << (n)), (16u << (n)), (32u << (n)), (64u << (n)), (128u << (n))
    static const uint32_t bit_of[WARP_LANES] = {EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24)};
#undef EIGHT
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        flags[lane] = -(int32_t)((bits & bit_of[lane]) == bit_of[lane]);
}

/* The affine form of a register of the kernel's frame: by its offset in r, in q. */
static inline struct affine *warp_affine_r(const struct warp *warp, uint32_t offset)
{
    return (struct affine *)((char *)warp->affine_r + (offset >> AFFINE_R_SHIFT));
}

static inline struct affine *warp_affine_q(const struct warp *warp, uint32_t offset)
{
    return (struct affine *)((char *)warp->affine_q + (offset >> AFFINE_Q_SHIFT));
}

/* The value of a register of the running fragment, wherever it is kept. */
uint64_t warp_value(const struct warp *warp, uint32_t offset, bool wide, unsigned lane);

/* ---- called by executors ---- */

/* Splits the fragment: `taken` lanes go to the target, the others fall through. Returns what runs next. */
const struct operation *warp_diverge(struct warp *warp, const struct operation *branch, uint32_t taken);

/* A fragment with a join has reached a possible meeting place. Returns what runs next, or NULL. */
const struct operation *warp_arrive(struct warp *warp, const struct operation *at);

/* The active lanes leave the kernel. */
const struct operation *warp_exit(struct warp *warp, const struct operation *at);

/* The slice is used up, or the fragment polls: others get their turn. */
const struct operation *warp_yield(struct warp *warp, const struct operation *at);

/* The active lanes wait at a barrier of the block. */
const struct operation *warp_wait_block(struct warp *warp, const struct operation *at, uint32_t number, uint32_t threads);

/* The same for a whole warp at an ordinary barrier (BARRIER_PLAIN), at less cost: nothing is saved. */
void warp_park(struct warp *warp, const struct operation *at);

/* Makes all lanes of `members` meet at `at` before it executes: returns true when they are all in the running fragment (or
 * can never arrive, which is a finding). Otherwise *next is what runs instead: the fragment waits, or has met lanes that
 * were elsewhere and continued (exchange.h). */
bool warp_gather(struct warp *warp, const struct operation *at, uint32_t members, const struct operation **next);

/* Lanes of the running fragment become a ready fragment at `at`. */
void warp_set_aside(struct warp *warp, const struct operation *at, uint32_t lanes);

/* Picks the next ready fragment. NULL when none is. */
const struct operation *warp_next(struct warp *warp);

/* Sets the active lanes (and what is derived from them). */
void warp_set_mask(struct warp *warp, uint32_t mask);

/* Stops the whole launch with a status. */
void launch_abort(struct launch *launch, enum launch_status status);
void launch_raise(struct launch *launch, enum launch_status status);

/* ---- run.c ---- */

/* Prepares the warps of a block slot for their first block, and for each further one. */
bool block_create(struct block *block, struct launch *launch);
void block_start(struct block *block, struct launch *launch, uint64_t linear);
void block_destroy(struct block *block);

/* A block that polls in a loop with barriers waits for others: from this patience on, where one barrier after a poll
 * adds as much as this many without a poll subtract. */
enum { POLL_PATIENCE = 256, POLL_WEIGHT = 8 };

/* Runs until the block has ended (true) or only polls (false). */
bool block_run(struct block *block, struct launch *launch);

/* The block polls for something that only a block that has not begun can do: reports a deadlock and aborts the launch. */
void block_report_stuck(struct block *block, struct launch *launch, uint64_t not_begun);

#endif
