/* Memory that cudaMemset filled byte by byte, and that a kernel reads by wider elements: memset(x, 1, …) makes each int
 * 0x01010101, which is rarely what the program meant. */
#ifndef EMULATOR_FILLS_H
#define EMULATOR_FILLS_H

#include <stdint.h>

struct memory_allocation;
struct operation;
struct warp;

/* Lanes are about to access global memory at these addresses.
 *   allocation   that all of them are in; NULL: each is looked up */
void fills_request(struct warp *warp, const struct operation *operation, const struct memory_allocation *allocation,
                   const uint64_t address[32], uint32_t valid);

#endif
