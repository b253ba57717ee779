/* Which instructions lead to a result: stores and atomic operations, and what computes their addresses and values. Not
 * control flow, nothing whose value is dropped, no store into memory of the block, or into a variable of the module, that no
 * thread reads, and nothing that only leads to stores that no thread has executed yet. For the counters that say who did the
 * work.
 *
 * Nor what has had no effect in any execution that was looked at (struct outcome): an instruction that always gave the same
 * result, and what computes its operands; one that gave one of its operands each time, and what computes the others; a store
 * or an atomic operation that changed no memory. If a launch shows an effect after all in the blocks that are looked at, which
 * are its first, it counts in the blocks after them.
 *
 * Registers and shared arrays are looked at as wholes, without regard to order: a register is useful once a useful
 * instruction reads it anywhere, and a store into a shared array once a useful instruction reads that array.
 */
#ifndef EMULATOR_USEFUL_H
#define EMULATOR_USEFUL_H

struct program;

/* Sets the weights of all basic blocks and guards (struct branch_counters), from what the launches so far have executed; a
 * function that never ran is taken to execute everything. After decoding, and at the end of a launch that was counted,
 * while its counters are there. Out of memory, the weights stay as they are. */
void useful_weigh(const struct program *program);

/* The same during a launch, when outcomes have changed. */
void useful_weigh_again(const struct program *program);

#endif
