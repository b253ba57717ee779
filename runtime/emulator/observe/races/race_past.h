/* Races between a grid and what it launches. A thread that launches a kernel orders what it has done, and knows of, before
 * that kernel; what it does later, and what others do that it has not waited for, may run at the same time. So the shadow
 * of a grid outlives it while something that it launched is to run, and each access there is looked up in it. */
#ifndef EMULATOR_RACE_PAST_H
#define EMULATOR_RACE_PAST_H

#include <stdbool.h>
#include <stdint.h>

struct operation;
struct past;
struct races;
struct warp;

/* A lane launches a kernel: what that kernel is to be compared with. in_tail: it begins when the grid has ended, so only
 * with what the grid itself was to be compared with. Released by race_past_release; NULL: with nothing. */
struct past *race_past_create(struct races *races, struct warp *warp, unsigned lane, bool in_tail);
void race_past_release(struct past *past);

/* Lanes of a kernel that has a past access these addresses; shared and local memory are left out. */
void race_past_check(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t lanes);

/* The grid has ended, and has launched something: keeps its shadow, until the last past is released. */
void race_past_keep(struct races *races);

/* Frees what race_past_keep has kept. */
void race_past_free(struct races *races);

#endif
