/* Bytes of shared memory that an asynchronous copy is about to write, or still reads: an access to them before a wait for
 * the copy is a finding. */
#ifndef EMULATOR_FLIGHT_H
#define EMULATOR_FLIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/emulator/machine/warp.h"

/* What is in flight in a block; block->flight. */
struct flight {
    uint32_t *copies;                    /* by word of shared memory: place in `operations` + 1, and FLIGHT_READS */
    uint32_t low, high;                  /* words outside [low, high) are 0 */
    uint32_t words;                      /* that are not 0 */
    uint32_t total;                      /* words of shared memory */
    const struct operation **operations; /* copies seen so far */
    uint32_t operation_count, operation_capacity;
};

/* A copy of a lane is issued: its target, or the shared memory that it reads. */
void flight_begin(struct warp *warp, const struct operation *operation, unsigned lane, uint32_t offset, uint32_t bytes,
                  bool reads);
/* It is done. */
void flight_end(struct block *block, uint32_t offset, uint32_t bytes);

/* A request: see hooks->request and hooks->lanes. Only where block->flight is set. */
void flight_request(struct warp *warp, const struct operation *operation, uint64_t start);
void flight_lanes(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t valid);

void flight_block_start(struct block *block);
void flight_block_destroy(struct block *block);

#endif
