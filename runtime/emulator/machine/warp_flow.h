/* Control flow of a warp: divergence, joins, and the waiting states of its fragments. */
#ifndef EMULATOR_WARP_FLOW_H
#define EMULATOR_WARP_FLOW_H

#include "runtime/emulator/machine/warp.h"

/* Splits the fragment: `taken` lanes go to the target, the others fall through. Returns what runs next. */
const struct operation *warp_diverge(struct warp *warp, const struct operation *branch, uint32_t taken);

/* A fragment with a join has reached a possible meeting place. Returns what runs next, or NULL. */
const struct operation *warp_arrive(struct warp *warp, const struct operation *at);

/* The active lanes leave the kernel. */
const struct operation *warp_exit(struct warp *warp, const struct operation *at);

/* The slice is used up, or the fragment polls: others get their turn. */
const struct operation *warp_yield(struct warp *warp, const struct operation *at);

/* A schedule gives another warp its turn. */
void warp_give_way(struct warp *warp, const struct operation *at);

/* The active lanes wait at a barrier of the block. */
const struct operation *warp_wait_block(struct warp *warp, const struct operation *at, uint32_t number, uint32_t threads);

/* The same for a whole warp at an ordinary barrier (BARRIER_PLAIN), at less cost: nothing is saved. */
void warp_park(struct warp *warp, const struct operation *at);

/* Makes all lanes of `members` meet at `at` before it executes: returns true when they are all in the running fragment (or
 * can never arrive, which is a finding). Otherwise *next is what runs instead: the fragment waits, or has met lanes that
 * were elsewhere and continued (exchange.h). */
bool warp_gather(struct warp *warp, const struct operation *at, uint32_t members, const struct operation **next);

/* Lanes of the running fragment become a ready fragment at `at`. */
void warp_set_aside(struct warp *warp, const struct operation *at, uint32_t lanes);

/* Picks the next ready fragment. NULL when none is. */
const struct operation *warp_next(struct warp *warp);

#endif
