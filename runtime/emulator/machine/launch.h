/* Running a grid to its end, and the work that it gives to its device. */
#ifndef EMULATOR_LAUNCH_H
#define EMULATOR_LAUNCH_H

#include "runtime/emulator/machine/launch_request.h"

/* Runs the grid. Device printf goes to stdout when the grid has ended. Findings go to their sink before this returns. */
enum launch_status launch_run(const struct launch_request *request);

#endif
