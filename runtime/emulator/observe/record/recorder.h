/* Writes down who touched what, for pictures: LOCKSTEP_RECORD. One JSON object a line for each request of a warp to shared
 * memory, and for each barrier of a block; only the first blocks of a launch, and only so many requests. */
#ifndef EMULATOR_RECORDER_H
#define EMULATOR_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

struct warp;
struct block;
struct launch;
struct operation;
struct recorder;

/* Opens LOCKSTEP_RECORD: at cuInit, since the process may lock itself in afterwards. */
void recorder_open(void);

/* NULL when nothing is to be recorded, or the file cannot be opened (said on stderr). */
struct recorder *recorder_start(struct launch *launch);
void recorder_end(struct recorder *recorder);

/* A request to [offset of the first active lane in the block's shared memory, …); its shape is up to date. */
void recorder_request(struct recorder *recorder, const struct warp *warp, const struct operation *operation,
                      uint64_t offset);
/* One that was done lane by lane. */
void recorder_lanes(struct recorder *recorder, const struct warp *warp, const struct operation *operation,
                    const uint64_t address[32], uint32_t valid);

/* All threads have met at a barrier, and what they touch from now on belongs to the next interval. */
void recorder_barrier(struct recorder *recorder, const struct block *block, uint32_t number);

#endif
