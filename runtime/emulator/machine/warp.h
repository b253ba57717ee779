/* The state of running warps, blocks and grids.
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
#include "runtime/emulator/machine/launch_request.h"
#include "runtime/emulator/settings/settings.h"

enum { WARP_LANES = 32, BARRIER_COUNT = 16, POLL_LIMIT = 64 };
/* Warp instructions of a slice; of one where the warp is known to spin. */
enum { SLICE = 1 << 16, SHORT_SLICE = 1 << 11 };
#define ALL_LANES    0xFFFFFFFFu
#define WARP_STEPPED (1u << 30) /* more than observers need: they count registers */

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
    int64_t budget;   /* warp instructions left in this slice */
    int64_t slice;    /* that it has: the launch's, or SHORT_SLICE once the warp spins */
    uint32_t watches; /* not 0: hooks->step sees each operation. The observers' own number, and WARP_STEPPED more where
                          operations are run one by one */
    uint32_t quiet;   /* launch->quiet */
    bool counts;      /* launch->counts */
    bool counts_anew; /* every request goes to hooks->count */
    bool unwatched;   /* !launch->watched */
    _Alignas(32) int32_t lane_mask[WARP_LANES]; /* -1 where the lane is active */
    uint32_t lane_mask_of;                      /* mask that lane_mask was made for */
    uint32_t saved_mask;                        /* of a guarded operation */
    struct join *join;
    uint32_t local_base, depth;
    const struct operation *last_branch;
    uint32_t polls; /* volatile loads and atomics since the last switch */
    bool polled;    /* there were some before that, since the block's last barrier */
    bool passes;
    uint64_t slices, slices_taken, state; /* used up without a poll; the state after one of them: warp_yield() */
    bool any_skipped;
    struct {
        int32_t line, instruction; /* of a repair: the access that was left out last (memory_site.skips_outside); 0: none */
    } skipped[WARP_LANES];
    const struct operation *parked; /* barrier at which all lanes wait, the state above left as it is; NULL: none */
    const struct operation *resume; /* what follows it, once it is complete; NULL: a fragment is next */
    struct block *block;
    struct launch *launch;
    uint32_t index;        /* in the block */
    uint32_t live;         /* lanes that have not exited */
    uint32_t carry;        /* condition code of add.cc and similar, one bit per lane */
    uint8_t *shared;       /* of the block */
    struct block *reached; /* whose shared memory the request reaches: the block's own, or another of its cluster */
    uint32_t cluster_arrived,
        cluster_owes; /* lanes that have arrived in this phase; that have to wait before they arrive again */
    uint8_t *local;   /* lane l at l * local_stride */
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
    struct poison_warp *poison; /* an observer's own; NULL: none so far */
    /* counters */
    uint64_t shared_read;          /* bytes of shared memory, by all lanes */
    uint32_t arrivals;             /* waits at which copies of its own arrived: async.h */
    uint64_t common_instructions;  /* by all 32 lanes */
    uint64_t partial_instructions; /* beyond those, by the lanes of partial_mask, not yet added to: */
    uint32_t partial_mask;
    bool uneven; /* lane_instructions are not all 0 */
    uint64_t lane_instructions[WARP_LANES];
    uint32_t fences;
    uint32_t handed[2]; /* an observer's own: counters/handoff.h */
    /* of lanes that have left: the latest conditional branch before (NULL: none), and the exit */
    const struct operation *exit_branch[WARP_LANES], *exit_at[WARP_LANES];
    /* schedules that see each operation: schedule.h, held.h */
    uint32_t yielded;                            /* lanes that had a turn since all others had one */
    uint32_t kept_waiting;                       /* turns that ended after a poll, while joins held lanes back */
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
    uint64_t cluster; /* number of its cluster; of a launch without clusters: its own */
    uint32_t cluster_rank;
    uint32_t cluster_released, cluster_complete; /* the checkers' own: as in struct mbarrier, of the cluster's barrier */
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
    struct race_block *races;          /* an observer's own; NULL: none so far */
    struct flight *flight;             /* an observer's own; NULL: none so far */
    uint32_t barriers_passed;          /* completed since the block began */
    struct {                           /* an observer's own: counters/handoff.h */
        uint32_t settled[2], pending[2], at, fences;
        uint64_t instructions;
        bool taken;
    } handed;
    bool shared_full;                    /* an observer's own: shared memory has been written whole */
    uint64_t loaded_bytes, stored_bytes; /* of global memory, by all lanes; only where launch->counts */
    uint64_t shared_read;                /* the same of shared memory */
    bool early_exit_reported;
    bool mismatched;      /* threads have met at different barriers: which came to which no longer says where they went */
    uint32_t live_judged; /* live threads when threads that had left were last looked at */
    bool idle;            /* its latest turns ended because it only polls */
    uint64_t releases, taken;    /* barriers completed; of which the state is that: run.c, ends_turn() */
    uint64_t state, first_state; /* of all warps, and of the first one */
    bool yields;                 /* its turn has ended at a barrier */
    uint32_t patience;           /* grows with each barrier before which a warp polled, shrinks with others */
};

struct finding_set;
struct held;
struct executor;
struct hooks;
struct observation;
struct words;

/* See turn.h. */
struct turn {
    struct warp *warp; /* whose operations are noted, where its lane takes part; NULL: none */
    unsigned lane;
    uint64_t *seen; /* [code->operation_count] of the kernel: the step at which it was noted last, from 1; owned */
    uint64_t steps;
    const struct operation *latest; /* noted; NULL: none yet */
    bool alone;                     /* the warp is stepped for this alone */
};

/* What passing.c has found out. */
struct passing {
    const struct operation *around, *branch, *exit, *went_on;
};
enum { PASSINGS = 16 };

/* The latest wait for a time: whose it is, and by executed warp instructions when the warp last looked; by the clock, when
 * it began. */
struct clock_wait {
    uint64_t block;
    uint32_t warp;
    uint64_t looked, began;
};

struct launch {
    const struct launch_request *request;
    const struct code *code;
    const struct settings *settings;
    const struct schedule *schedule;
    bool stepped;                    /* by schedule_run */
    const struct executor *executor; /* for warp_step() */
    bool apart;                      /* lanes never meet again unless something makes them */
    struct held *held;               /* stores that other threads do not see yet; NULL: none so far */
    uint64_t held_up_count;          /* how often a warp was held up */
    struct finding_set *findings;
    const struct hooks *hooks;              /* NULL: no observers */
    struct observation *observation;        /* the observers' own */
    const struct words *words;              /* for findings */
    bool watched;                           /* every access is shown to the observers */
    int student_file;                       /* place_student_file() */
    bool yields_at_barriers;                /* several blocks take turns, and a turn ends at a barrier */
    uint32_t quiet;                         /* loads from allocations with this quiet_in need no hook; UINT32_MAX: all do */
    bool counts;                            /* instructions are counted, and hooks->count sees requests */
    uint8_t *parameters;                    /* copy of the parameter block */
    struct memory_allocation *grid_barrier; /* of a cooperative launch: what %envreg1 and 2 point to; NULL */
    bool misses_grid_barrier;               /* a thread has asked for it, and there is none */
    uint32_t threads_per_block, warps_per_block;
    uint64_t blocks;
    uint32_t cluster[3], cluster_blocks; /* blocks of a cluster: in x, y, z, and together; 1 without clusters */
    uint32_t shared_bytes, dynamic_offset;
    uint32_t shared_room; /* what a block gets: shared_bytes in whole granules */
    bool leaves_shared;   /* an access has gone beyond shared_bytes, into the rest of the last granule */
    uint32_t stack_local; /* local memory per lane */
    int64_t fuel;         /* warp instructions until a block must have finished */
    int64_t fuel_limit;
    struct warp *spender; /* whose lanes were running when fuel or work was spent; NULL: not known */
    const struct fragment *spent_at;
    bool fuel_of_copies;       /* copies and fills that it asked the device for took some of it */
    int64_t slice;             /* warp instructions of a warp until others get their turn; no more than there is fuel */
    enum launch_status status; /* worst so far */
    bool aborted;
    struct block *resident; /* [slots], those with `running` */
    uint64_t slots;
    bool spins; /* a warp is known to spin without polling */
    uint64_t clock_reads;
    uint64_t skipped_ticks; /* by which clocks are ahead of the warp instructions, for waits */
    struct clock_wait clock_wait;
    uint64_t changes; /* atomics that changed memory, or may have */
    struct passing passings[PASSINGS];
    struct turn turn;
    char *printf_text;
    size_t printf_length, printf_capacity;
    uint64_t printf_dropped; /* calls since the buffer was full */
    uint64_t printf_format;  /* address of the latest format, and how many values it prints */
    uint32_t printf_conversions;
    /* totals of finished blocks */
    uint64_t warp_instructions, thread_instructions, divergent_branches, barrier_arrivals;
    uint64_t local_passes;         /* lines of local memory that requests touch, added up */
    uint64_t busiest_instructions; /* of the busiest thread of each block */
    uint64_t warp_busiest[64];     /* of the busiest thread of each warp: sums of those with the same logarithm */
    uint64_t busiest_thread;       /* of the busiest of all */
    uint64_t block_work[64];       /* of all threads of each block: sums of those with the same logarithm */
    uint64_t busiest_block;
    double max_thread_share; /* of the instructions that lead to a result */
    bool relearnt;           /* an instruction that was left out of these has an effect after all */
    uint64_t useful_instructions;
    /* the most of one block: instructions of its lanes that lead to a result, bytes of global memory */
    uint64_t busiest_block_instructions, busiest_block_loaded, busiest_block_stored;
    uint64_t heap_used;
    const struct operation *refused_malloc; /* the first malloc that returned NULL; NULL: none did */
    uint64_t refused_bytes, refused_used;   /* what it asked for, and what was in use */
    uint64_t stray_start, stray_end;        /* addresses at which neither device nor host has anything: the latest found */
    struct device_works *device_works;      /* what its threads ask for: device_work.h; NULL: nothing so far */
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

/* Runs one operation by itself, and shows it to the observers. Returns what runs next. */
const struct operation *warp_step(struct warp *warp, const struct operation *operation);

/* Runs one operation by its own function, not that of several fused ones, and comes back where an observer must see what
 * follows: warp->watches is not 0. Operations on lanes alone know nothing of observers and go on by themselves, so such a
 * one runs before a stop, where a fused one would take the stop for its second part. Returns what runs next. */
const struct operation *warp_run_alone(struct warp *warp, const struct operation *operation);

/* The function of an operation at which a warp stops: returns NULL. */
operation_run warp_stop;

/* Sets the active lanes (and what is derived from them). */
void warp_set_mask(struct warp *warp, uint32_t mask);

/* A launch ends no better than with this status; and ends now. */
static inline void launch_raise(struct launch *launch, enum launch_status status)
{
    if (status > launch->status)
        launch->status = status;
}

static inline void launch_abort(struct launch *launch, enum launch_status status)
{
    launch_raise(launch, status);
    launch->aborted = true;
}

#endif
