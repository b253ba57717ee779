/* A program that follows a device pointer itself: says so before the signal ends it. Or that touches memory which pending work
 * uses: says so, and the program goes on (unordered.h). */
#ifndef EMULATOR_HOST_FAULT_H
#define EMULATOR_HOST_FAULT_H

#include <stdbool.h>

/* Takes SIGSEGV where nobody else has, under `lockstep exec`. The signal still ends the program, as it would without. */
void host_fault_watch(void);

/* Does it have SIGSEGV, still? */
bool host_fault_is_watched(void);

#endif
