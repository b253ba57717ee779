/* How long launches would take on a GPU that is not there: a first-order estimate from the counters of the emulated driver.
 * It is made to rank versions of a kernel as the hardware does; tests/gpu/measured.md says how far off it is.
 */
#ifndef ESTIMATE_H
#define ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

#include "grader/lab/lab.h"

/* A GPU: a row of gpus.def, which says where the figures come from. */
struct estimate_gpu {
    const char *key, *name;
    double multiprocessors, mhz, threads, blocks, shared_kb; /* the last three: that one multiprocessor holds */
    double memory_gb_s, level_2_mb, level_2_gb_s;
    double level_2_store_g_s; /* lines of 128 bytes, or parts of one, that it takes */
    double blocks_g_s;        /* blocks that start */
    double launch_us, level_1_ns, level_2_ns, memory_ns, shared_cycles;
    double atomic_g_s, atomic_one_g_s; /* passes over a sector: everywhere, at one sector */
    double atomic_shared_cycles;
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

/* A run that was counted stands for a larger one. */
struct estimate_scale {
    double blocks; /* factor for the blocks, of launches of more than one; they touch as much more memory */
    double work;   /* factor for what each of them has to do */
};

/* Between two cases of a lab: blocks grow as the bytes of its arrays, work as its operations. */
struct estimate_scale estimate_scale_to(const struct lab *lab, const struct lab_case *counted,
                                        const struct lab_case *larger);

struct estimate {
    const struct estimate_gpu *gpu;        /* NULL: nothing is estimated */
    double ms, launch_ms;                  /* in all; of that, what launching costs */
    double limit_ms[ESTIMATE_LIMIT_COUNT]; /* time that each would take were it alone */
    enum estimate_limit limit;             /* what takes most of it */
    double memory_bytes;                   /* to and from memory */
    double blocks, instructions;           /* started; issued by warps */
    int launches;
};

/* Estimates the launches of text[bytes]: what LOCKSTEP_COUNTERS wrote, one JSON object per line. Returns false, and an
 * estimate without a GPU, when there is no launch with costs. */
bool estimate_launches(const char *text, size_t bytes, const struct estimate_gpu *gpu, const struct estimate_scale *scale,
                       struct estimate *estimate);

/* "0.041 ms, limited by memory: 201 MB at 4.3 TB/s" */
void estimate_describe(const struct estimate *estimate, char *text, size_t bytes);

#endif
