/* Counting the requests of a launch, and writing its counters. Definitions: README.md. */
#ifndef EMULATOR_COUNTERS_H
#define EMULATOR_COUNTERS_H

#include <stdint.h>

struct warp;
struct block;
struct launch;
struct operation;

/* A request inside the site's window; its shape is up to date. `start`: address of the first active lane. */
void counters_request(struct warp *warp, const struct operation *operation, uint64_t start);

/* A request that was done lane by lane. */
void counters_lanes(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t valid);

/* A bulk copy from or to global memory, by one lane. */
void counters_bulk(struct warp *warp, const struct operation *operation, uint64_t address, uint64_t bytes);

/* The same for a request of local memory: `address` is the offset in it. */
void counters_local(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t valid);

/* Opens LOCKSTEP_COUNTERS: at cuInit, since the process may lock itself in afterwards. */
void counters_open(void);

/* A launch, and a block of it, begin. */
void counters_start(struct launch *launch);
void counters_block_start(struct block *block);

/* Writes one line to LOCKSTEP_COUNTERS. */
void counters_end(struct launch *launch);

/* The entry points have copied bytes to or from the host: counted with the next launch. */
void counters_count_host_copy(uint64_t bytes);

#endif
