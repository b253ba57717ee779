/* Operations that are rare: calls, barriers, device functions that the CUDA runtime provides, special registers. */
#ifndef EMULATOR_LIBRARY_H
#define EMULATOR_LIBRARY_H

#include "runtime/emulator/machine/warp.h"

enum carry_flags {
    CARRY_IN = 1,
    CARRY_OUT = 2,
    CARRY_SUBTRACT = 4,
    CARRY_WIDE = 8,
    CARRY_MULTIPLY = 16,
    CARRY_HIGH = 32,
    CARRY_SIGNED = 64
};
enum shuffle_mode { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BUTTERFLY, SHUFFLE_INDEX };
enum vote_mode { VOTE_ALL, VOTE_ANY, VOTE_UNIFORM, VOTE_BALLOT };
enum barrier_flags {
    BARRIER_ARRIVE = 1,
    BARRIER_AND = 2,
    BARRIER_OR = 4,
    BARRIER_POPC = 8,
    BARRIER_ALIGNED = 16,
    BARRIER_NEGATED = 32,
    BARRIER_PLAIN = 64 /* of all threads, by a constant number, which is in `immediate` */
};
enum space_test { TEST_GLOBAL, TEST_SHARED, TEST_LOCAL, TEST_CONST, TEST_PARAM };

uint64_t library_special(const struct warp *warp, uint32_t special, unsigned lane);
bool library_is_space(const struct warp *warp, uint64_t address, uint32_t space);

const struct operation *library_call(struct warp *warp, const struct operation *operation, const struct code *callee);
const struct operation *library_call_register(struct warp *warp, const struct operation *operation);
const struct operation *library_call_external(struct warp *warp, const struct operation *operation);
void library_call_done(struct warp *warp, const struct operation *operation);
const struct operation *library_return(struct warp *warp);
const struct operation *library_barrier(struct warp *warp, const struct operation *operation);
const struct operation *library_trap(struct warp *warp, const struct operation *operation);

/* Is there a device function of this name that the driver provides (vprintf, __assertfail, malloc, free)? */
bool library_provides(const char *name);

#endif
