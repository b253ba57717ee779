/* What a warp waits for: the longest chain of instructions that need one another's results, basic block by basic block. From
 * the PTX text alone, which ptxas reorders: loads are taken to be asked for as early as their addresses are known and no
 * store or barrier stands before them, which is what it does. For the estimate of time.
 */
#ifndef EMULATOR_CHAIN_H
#define EMULATOR_CHAIN_H

#include <stdint.h>

#include "runtime/emulator/machine/bytecode.h"

/* Sums over the warps of a launch. */
struct chain {
    uint64_t issue_slots;  /* instructions of the machine, as far as the text tells: a division is many */
    uint64_t cycles;       /* on the chain: arithmetic, barriers */
    uint64_t shared_reads; /* on the chain */
    uint64_t global_reads; /* on the chain: loads of global memory, atomic operations whose result is used */
};

/* Adds a function's share. Adds nothing when out of memory. */
void chain_add(const struct code *code, struct chain *chain);

#endif
