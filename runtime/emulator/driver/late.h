/* Work of streams that is done later than it was issued:
 *   - under the schedule "late", when the program waits for it, and not before, so that a missing wait shows in what the
 *     program computes;
 *   - under each schedule, a kernel that may wait for the host (kernel_launch.h), and what is ordered after it: the host
 *     can release it only after the call that launches it has returned.
 *
 * What the program waits for is what order.h knows: a piece of work is done when the host is about to count it as complete,
 * or before another piece that is ordered after it. Of pieces in no order, the latest is done first. A host that makes no
 * call may be looking at memory until work is done: after a while of silence, a thread of its own does what is kept. So a
 * kernel runs beside the host then, and they may signal each other. All functions expect the driver's lock to be held. */
#ifndef EMULATOR_LATE_H
#define EMULATOR_LATE_H

#include <stdbool.h>

#include "runtime/cuda/driver_api.h"
#include "runtime/emulator/driver/order.h"
#include "runtime/emulator/driver/stream_work.h"

struct context;

/* A piece of work has begun (unordered_begin). Either it is kept for later, checked as far as its call must tell, with
 * copies of what the call gave; or the caller is to do it now, and all that it is ordered after has been done.
 *   taken   out: it is kept
 * Returns what the call must return; the failure of a kernel that ran before it. */
CUresult late_put(struct context *context, const struct stream_work *work, bool *taken);

/* The same for work that is always done at once. */
CUresult late_catch_up(const struct context *context);

/* Is anything kept, or may it be? */
bool late_is_on(void);

/* Is kept work being done, in whatever call? */
bool late_is_performing(void);

/* Is all work done that the clock counts? No, if some of it is kept, the first time that it is asked for; then it is done.
 * A program that goes on without looking at the answer sees what it misses, and one that asks until the answer is yes ends.
 * Always no where a kernel may wait for the host, which might release it after that: silence ends it. */
bool late_is_done(const struct order_clock *clock);

/* Does all that is kept, in whatever order: what it needs is about to be taken away. */
void late_finish(void);

/* The process ends: frees that are kept are done. What else is kept is not, and stderr says so. */
void late_abandon(void);

#endif
