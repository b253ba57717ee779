/* Host memory behind the emulated device's allocations: zeroed, sparse, and cheap to allocate and free. */
#ifndef EMULATOR_BACKING_H
#define EMULATOR_BACKING_H

#include <stdint.h>

/* Returns `bytes` (> 0) of zeroed memory, 256-byte aligned, or NULL. Large blocks are mapped sparsely (an untouched page
 * costs nothing); some freed ones are kept and cleared for the next caller. */
uint8_t *backing_allocate(uint64_t bytes);

/* Frees what backing_allocate returned for the same `bytes`. NULL is allowed. */
void backing_free(uint8_t *memory, uint64_t bytes);

/* As above, page-aligned, with `guard_bytes` (a multiple of 64 KiB) of address space on both sides that fault when the
 * host itself touches them. */
uint8_t *backing_allocate_guarded(uint64_t bytes, uint64_t guard_bytes);
void backing_free_guarded(uint8_t *memory, uint64_t bytes, uint64_t guard_bytes);

/* Returns the kept blocks to the system. */
void backing_trim(void);

#endif
