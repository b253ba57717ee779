/* How long launches would take on a GPU that is not there: an estimate from what the emulated driver counts at a few small
 * sizes of the problem. tests/gpu/measured.md says how far off it is, for kernels that it was not made with.
 */
#ifndef ESTIMATE_H
#define ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

/* A GPU: a row of gpus.def, which says where the figures come from. */
struct estimate_gpu {
    const char *key, *name;
    double multiprocessors, mhz, threads, blocks, shared_kb; /* the last three: that one multiprocessor holds */
    double memory_gb_s, level_2_mb, level_2_gb_s;
    double reader_gb_s;        /* from level 2, of one multiprocessor */
    double level_2_store_g_s;  /* lines of 128 bytes, or parts of one, that it takes */
    double level_2_sector_g_s; /* sectors that lie apart */
    double blocks_g_s;         /* blocks that start */
    double launch_us;          /* the first */
    double next_launch_us;     /* another, that does little */
    double gap_us;             /* between two that do more */
    double level_1_ns, level_2_ns, memory_ns, shared_cycles;
    double atomic_ns, shared_atomic_ns, fence_ns;
    double handoff_ns, shared_handoff_ns;
    double atomic_g_s, atomic_one_g_s; /* passes over a sector: everywhere, at one sector */
    double atomic_float;               /* times as long */
    double atomic_shared_cycles;
    double double_lanes;
};

/* NULL: there is no such row. Key NULL: the first. */
const struct estimate_gpu *estimate_find_gpu(const char *key);

/* Writes the keys, separated by ", ". */
void estimate_list_gpus(char *text, size_t bytes);

/* What bounds the time: whichever takes longest. */
enum estimate_limit {
#define LIMIT(id, key, text) ESTIMATE_##id,
#include "grader/estimate/limits.def"
#undef LIMIT
    ESTIMATE_LIMIT_COUNT
};

/* "memory", "latency": the key in the result file. */
const char *estimate_limit_key(enum estimate_limit limit);

/* A launch of a plan. */
struct estimate_launch {
    const char *kernel;
    double blocks, threads; /* threads: of a block */
    double cover;           /* elements that the grid covers; of a matrix, all */
    double items;           /* elements that a block covers; 0: the plan chose the grid */
};

/* A case of a lab: its launches in their order, and what was counted of them. */
struct estimate_run {
    const struct estimate_launch *launches;
    size_t count;
    double depth;     /* of a matrix product: how many products an element is the sum of; else 0 */
    const char *text; /* [bytes] what LOCKSTEP_COUNTERS wrote, one JSON object per line; NULL: it was not run */
    size_t bytes;
};

struct estimate {
    const struct estimate_gpu *gpu;        /* NULL: nothing is estimated */
    double ms, launch_ms;                  /* in all; of that, what launching costs */
    double limit_ms[ESTIMATE_LIMIT_COUNT]; /* time that each would take were it alone */
    enum estimate_limit limit;             /* what takes most of it */
    double high_ms;                        /* where it may as well take longer: up to here; else 0 */
    double memory_bytes;                   /* to and from memory */
    double blocks, instructions;           /* started; issued by warps */
    struct {
        double ms;                        /* that the limit would take were it alone */
        const char *kernel;               /* borrowed from the target */
        double blocks, threads;           /* that it starts; of a block */
        double busy;                      /* multiprocessors with work */
        double share;                     /* of the work, that the busiest thread does */
        double at_once;                   /* threads on a multiprocessor at a time / those that it has room for */
        double handoffs, shared_handoffs; /* the longest chain of threads: in the grid; in a block */
    } longest[ESTIMATE_LIMIT_COUNT];      /* of the launches, the one in which each limit takes longest */
    int launches;
};

enum { ESTIMATE_RUNS = 4 };

/* Estimates the launches of `target` from those of `runs`, in growing size. In the runs of a matrix product, the depth grows
 * first; one more with the first depth has more elements. Returns false, and an estimate without a GPU, when nothing was
 * counted. */
bool estimate_make(const struct estimate_run *runs, size_t run_count, const struct estimate_run *target,
                   const struct estimate_gpu *gpu, struct estimate *estimate);

/* "0.041 ms, limited by memory: 201 MB at 4.3 TB/s" */
void estimate_describe(const struct estimate *estimate, char *text, size_t bytes);

#endif
