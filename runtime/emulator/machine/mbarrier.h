/* Operations on barrier objects. PTX ISA 9.7.13.15. */
#ifndef EMULATOR_MBARRIER_H
#define EMULATOR_MBARRIER_H

#include <stdbool.h>

#include "runtime/emulator/machine/warp.h"

/* Called by executors. */
void mbarrier_run(struct warp *warp, const struct operation *operation);

/* Out of fuel: reports threads that wait for a phase which does not complete. Returns false when none do. */
bool mbarrier_report_stuck(const struct block *block, struct launch *launch);

#endif
