/* Memory as the device's own functions use it for a lane: its addresses, and the heap of kernels. */
#ifndef EMULATOR_KERNEL_MEMORY_H
#define EMULATOR_KERNEL_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/emulator/machine/warp.h"

/* Where the bytes are that a lane names by a generic address, other than shared memory; NULL: nowhere. */
const uint8_t *kernel_memory_translate(struct warp *warp, uint64_t address, uint64_t bytes, unsigned lane);

/* malloc of a kernel: the address; 0 when it does not fit the heap. name: for findings. */
uint64_t kernel_memory_allocate(struct warp *warp, const struct operation *operation, uint64_t bytes, const char *name);

/* Frees what a kernel has allocated. Returns false, and does nothing, where no such memory begins. */
bool kernel_memory_free(struct warp *warp, uint64_t address);

/* free of a kernel: of any other pointer than NULL, a finding, and the launch fails. */
void kernel_memory_free_or_report(struct warp *warp, const struct operation *operation, unsigned lane, uint64_t address);

#endif
