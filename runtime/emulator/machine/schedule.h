/* Schedules that see each operation: lanes one by one, turns after each access, stores that others see late, atomics
 * from the highest lane down. tables/schedule.def lists them. They act only between two PTX instructions, so that the
 * operations of one instruction stay together. */
#ifndef EMULATOR_EXECUTION_SCHEDULE_H
#define EMULATOR_EXECUTION_SCHEDULE_H

#include "runtime/emulator/machine/warp.h"

/* Runs the warp's operations from `operation` on until none can continue, or the schedule gives another warp its turn. */
void schedule_run(struct warp *warp, const struct operation *operation);

/* Of all warps that were held up, the latest may continue. Returns false when there is none. */
bool schedule_wake_latest(struct block *blocks, uint64_t count, const struct launch *launch);

#endif
