/* Hooks of the observed executors: counters of every request, and the checkers that see every access (poison, races). */
#ifndef EMULATOR_CHECKS_H
#define EMULATOR_CHECKS_H

#include <stdbool.h>
#include <stdint.h>

struct warp;
struct block;
struct launch;
struct operation;
struct checks;

/* A request whose active lanes are all inside the site's window; `start` is the address of the first one. */
void checks_request(struct warp *warp, const struct operation *operation, uint64_t start);

/* The same for a request that was done lane by lane; `valid`: the lanes that were not suppressed. Called by every executor:
 * does nothing unless the launch is observed. */
void checks_lanes(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t valid);

void checks_fence(struct warp *warp, const struct operation *operation);
void checks_warp_barrier(struct warp *warp, uint32_t lanes);

/* A block barrier completes: the waiting fragments are still in their places. */
void checks_barrier(struct launch *launch, struct block *block, uint32_t number);
/* bar.arrive: the active lanes give to barrier `number` without waiting. */
void checks_arrive(struct warp *warp, uint32_t number);

void checks_block_start(struct launch *launch, struct block *block);
void checks_block_end(struct launch *launch, struct block *block);

/* Returns false when out of memory. */
bool checks_launch_start(struct launch *launch);
/* Writes the counters of the launch. */
void checks_launch_end(struct launch *launch);

#endif
