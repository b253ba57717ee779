/* Schedules that look at each operation: lanes one by one, turns after each access, stores that others see late, atomics
 * from the highest lane down. base/schedule.def says what there is. They act only between two PTX instructions, so that what
 * one instruction was decoded to stays together. */
#ifndef EMULATOR_EXECUTION_SCHEDULE_H
#define EMULATOR_EXECUTION_SCHEDULE_H

#include "runtime/emulator/machine/warp.h"

/* Runs the warp's operations from `operation` on until none can go on, or the schedule gives another warp its turn. */
void schedule_run(struct warp *warp, const struct operation *operation);

/* Of all warps that were held up, the latest may go on. Returns false when there is none. */
bool schedule_wake_latest(struct block *blocks, uint64_t count, const struct launch *launch);

#endif
