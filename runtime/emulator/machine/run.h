/* Running a block: turns of its warps, barriers. */
#ifndef EMULATOR_RUN_H
#define EMULATOR_RUN_H

#include "runtime/emulator/machine/warp.h"

/* Of the host's memory that a resident block takes, observers apart. */
uint64_t block_bytes(const struct launch *launch);

/* Prepares the warps of a block slot for their first block, and for each further one. */
bool block_create(struct block *block, struct launch *launch);
void block_start(struct block *block, struct launch *launch, uint64_t position);
void block_destroy(struct block *block);

/* A block that polls in a loop with barriers waits for others: from this patience on, where one barrier after a poll
 * adds as much as this many without a poll subtract. */
enum { POLL_PATIENCE = 256, POLL_WEIGHT = 8 };

/* Every warp's running lanes become a fragment, for what is reported. */
void block_settle(struct block *block, const struct launch *launch);

/* Runs until the block has ended (true) or only polls (false). */
bool block_run(struct block *block, struct launch *launch);

#endif
