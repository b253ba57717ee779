/* Counting the requests of a launch, and writing its counters. Definitions: README.md. */
#ifndef EMULATOR_OBSERVE_H
#define EMULATOR_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

struct warp;
struct launch;
struct operation;

/* A request inside the site's window; its shape is up to date. `start`: address of the first active lane. */
void observe_request(struct warp *warp, const struct operation *operation, uint64_t start);

/* A request that was done lane by lane. */
void observe_lanes(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t valid);

/* Opens LOCKSTEP_COUNTERS: at cuInit, since the process may lock itself in afterwards. */
void observe_open(void);

/* Returns false when out of memory. */
bool observe_start(struct launch *launch);

/* Writes one line to LOCKSTEP_COUNTERS. */
void observe_end(struct launch *launch);

#endif
