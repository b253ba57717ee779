/* What a warp waits for: the longest chain of instructions that need one another's results, basic block by basic block. From
 * the PTX text alone, which ptxas reorders: loads are assumed to be issued as soon as their addresses are known and no
 * store or barrier precedes them, which is what it does. For the estimate of time.
 */
#ifndef EMULATOR_CHAIN_H
#define EMULATOR_CHAIN_H

#include <stdint.h>

#include "runtime/emulator/machine/bytecode.h"

/* Sums over the warps of a launch. */
struct chain {
    uint64_t issue_slots;    /* machine instructions, as far as the text shows: a division is many */
    uint64_t double_slots;   /* of those, arithmetic in double */
    uint64_t fences;         /* of the GPU or the system */
    uint64_t cycles;         /* on the chain: arithmetic, barriers */
    uint64_t shared_reads;   /* on the chain */
    uint64_t global_reads;   /* on the chain: loads of global memory, asynchronous copies that are awaited */
    uint64_t neighbours;     /* loads of global memory by one register: of neighbouring addresses, as a rule */
    uint64_t atomics;        /* on the chain: atomic operations on global memory whose result is used */
    uint64_t shared_atomics; /* the same on shared memory */
};

/* Adds a function's share. Adds nothing when out of memory. */
void chain_add(const struct code *code, struct chain *chain);

#endif
