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

/* The same for a request that was done lane by lane, local memory included; `valid`: the lanes that were not suppressed.
 * Called by every executor, before any lane's data moves. */
void checks_lanes(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t valid);

/* Runs the warp's operations from `operation` on until one returns NULL; only where launch->checks is set. */
void checks_run(struct warp *warp, const struct operation *operation);

/* The active lanes, which have all come, exchange values: shuffle, vote, match, redux. Called before registers change. */
void checks_exchange(struct warp *warp, const struct operation *operation);

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
