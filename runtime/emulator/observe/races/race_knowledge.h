/* What fences, barriers and places share in ordering threads: race_fence.c, race_order.c,
 * race_chain.c. */
#ifndef EMULATOR_RACE_KNOWLEDGE_H
#define EMULATOR_RACE_KNOWLEDGE_H

#include "runtime/emulator/observe/races/race.h"

/* Something happens that can order threads. Returns the new time. */
uint32_t race_advance(struct races *races);

struct race_warp *race_warp_of(struct warp *warp);

/* Adds the head of a chain of nodes (0: none) to a list of what was acquired, unless it is already the latest: then
 * false is returned. weak: by a relaxed read. */
void race_add_link(struct races *races, uint32_t *list, struct race_link link);
bool race_acquire(struct races *races, const struct race_block *block, uint32_t *list, uint32_t node, unsigned scope,
                  bool weak);

/* What a lane knows; time: of its own accesses. */
struct race_fence race_snapshot(struct races *races, const struct race_block *block, const struct race_warp *own,
                                unsigned lane, uint32_t time);

/* Does a list of links, with what can be reached from it, know of an access? */
bool race_list_knows(struct races *races, uint32_t list, uint32_t warp, unsigned lane, uint32_t time);

/* Appends a release to a chain, unless it was the same a short time ago. Returns the new head. */
uint32_t race_add_node(struct races *races, const struct race_block *block, const struct race_warp *own, unsigned lane,
                       const struct race_fence *fence, unsigned scope, uint32_t previous);

#endif
