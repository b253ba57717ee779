/* The state of a warp in one number, to see whether it recurs: endless.h. */
#ifndef EMULATOR_WARP_STATE_H
#define EMULATOR_WARP_STATE_H

#include "runtime/emulator/machine/warp.h"

/* Numbers, and bytes, added to a number that represents a state. */
uint64_t warp_state_mix(uint64_t state, uint64_t value);
uint64_t warp_state_bytes(uint64_t state, const void *bytes, uint64_t count);

/* The registers of a warp and where its lanes are, in one number; `at`: where the running lanes go on. */
uint64_t warp_state(const struct warp *warp, const struct operation *at);

#endif
