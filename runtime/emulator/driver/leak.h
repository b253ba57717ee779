/* The leak check: device memory that was never freed. */
#ifndef EMULATOR_LEAK_H
#define EMULATOR_LEAK_H

struct context;

/* Reports the live cuMemAlloc allocations of a context (NULL: of all) as `leak` warnings, when LOCKSTEP_CHECKS=all; not those of a
 * context in which a kernel has failed, where nothing can be freed. Expects the driver's lock to be held. */
void leak_report(const struct context *context);

#endif
