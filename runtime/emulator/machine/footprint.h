/* What a request touches: runs of neighbouring bytes, sectors, banks. For counters and checkers. */
#ifndef EMULATOR_FOOTPRINT_H
#define EMULATOR_FOOTPRINT_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/emulator/machine/bytecode.h"
#include "runtime/emulator/machine/warp.h"

/* Lists the runs of the shape again. Cannot fail: there are at most 32. */
void footprint_list_runs(struct shape *shape, unsigned request_bytes);

/* The runs of the site's latest request: `runs`, `run_count` of them, and `sector_steps`. */
static inline const struct shape *footprint_runs(struct memory_site *site)
{
    if (!site->shape.run_count)
        footprint_list_runs(&site->shape, site->request_bytes);
    return &site->shape;
}

/* Distinct 32-byte sectors of the lanes in `mask`. */
unsigned footprint_sectors(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes);
/* Passes that shared memory needs, and the fewest for that width. Atomics on one place cannot share a pass. */
unsigned footprint_wavefronts(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes, bool atomic,
                              unsigned *ideal);
/* The most lanes that share one address. */
unsigned footprint_multiplicity(const uint64_t address[WARP_LANES], uint32_t mask);

#endif
