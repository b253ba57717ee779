/* Races in shared memory between two barriers of a block: the fast path, which switches to cells where it does not suffice.
 * See race_epoch.c. */
#ifndef EMULATOR_RACE_EPOCH_H
#define EMULATOR_RACE_EPOCH_H

#include "runtime/emulator/observe/races/race.h"

/* A load, store or atomic of the block's shared memory, done lane by lane; offset: where in the block's shared memory.
 * Returns false when the epoch is, or has now become, exact: the cells must decide. For whole requests, see
 * race_shared_request() in race.h. */
bool race_epoch_lanes(struct races *races, struct warp *warp, const struct memory_site *site, const uint64_t *offset,
                      uint32_t mask);

/* Lanes of a warp have met. */
void race_epoch_sync(struct races *races, struct race_block *block);
/* Before anything but a whole barrier or warp barrier orders threads of the block: makes the epoch exact. */
void race_epoch_make_exact(struct races *races, struct race_block *block);
/* All threads of the block have met, or it begins: a new epoch. */
void race_epoch_begin(struct races *races, struct race_block *block);
void race_epoch_free(struct race_epoch *epoch);

#endif
