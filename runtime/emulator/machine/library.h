/* Operations that are rare: calls, barriers, device functions that the CUDA runtime provides, special registers. */
#ifndef EMULATOR_LIBRARY_H
#define EMULATOR_LIBRARY_H

#include "runtime/emulator/machine/modes.h"
#include "runtime/emulator/machine/warp.h"

uint64_t library_special(const struct warp *warp, uint32_t special, unsigned lane);
bool library_is_space(const struct warp *warp, uint64_t address, uint32_t space);

const struct operation *library_call(struct warp *warp, const struct operation *operation, const struct code *callee);
const struct operation *library_call_register(struct warp *warp, const struct operation *operation);
const struct operation *library_call_external(struct warp *warp, const struct operation *operation);
void library_call_done(struct warp *warp, const struct operation *operation);
const struct operation *library_return(struct warp *warp);
const struct operation *library_barrier(struct warp *warp, const struct operation *operation);
const struct operation *library_trap(struct warp *warp, const struct operation *operation);

/* An active lane divides an integer by 0, or takes the remainder, and gets `result`: a finding. */
void library_zero_divisor(const struct warp *warp, const struct operation *operation, unsigned lane, int64_t result)
    __attribute__((cold, noinline));

/* The number of the device function of this name that the driver provides (vprintf, __assertfail, malloc, free, those of
 * device_calls.def); -1: there is none. library_provides: is there one? */
int library_find(const char *name);
bool library_provides(const char *name);
/* Does the declaration that a call names have the parameters of the function with that number? */
bool library_fits(int number, const struct ptx_function *declared);

#endif
