/* How many threads a kernel wants in a block, and how many elements a block covers.
 *
 * In the order of the contract: `extern "C" __constant__ int KERNEL_block[3]`, else __launch_bounds__ (.maxntid, .reqntid),
 * else the lab's default. `extern "C" __constant__ int KERNEL_items` (two of them for a two-dimensional kernel: columns,
 * rows; three for a kernel of three) says how many elements a block covers, else one element per thread. Where the
 * lab lets a kernel
 * choose its grid, `extern "C" __constant__ int KERNEL_grid[3]` does. The grid of a kernel of one dimension
 * has one dimension, so the threads of all directions of its block count.
 */
#ifndef GEOMETRY_H
#define GEOMETRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/lab/lab.h"
#include "runtime/language/ptx/summary.h"

struct geometry {
    uint32_t block[3]; /* threads */
    uint32_t items[3]; /* elements per block, in each direction */
    uint32_t grid[3];  /* blocks that the module asks for; grid[0] 0: none */
    bool asked;        /* the module asks for this block; false: the lab's default */
};

/* Decides the geometry of a kernel of the lab.
 *   entry     the kernel in the module
 *   message   out: when the wish makes no sense, one sentence for the student
 * Returns false when the kernel cannot be launched as asked. Limits of the device are the driver's business. */
bool geometry_decide(const struct lab_kernel *kernel, const struct ptx_entry *entry, const struct ptx_summary *summary,
                     struct geometry *geometry, char *message, size_t message_bytes);

#endif
