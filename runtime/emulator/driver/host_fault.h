/* A program that follows a device pointer itself: says so before the signal ends it. Or that touches memory which pending
 * work uses: says so, and the program goes on. */
#ifndef EMULATOR_HOST_FAULT_H
#define EMULATOR_HOST_FAULT_H

#include <stdbool.h>
#include <stdint.h>

/* Takes SIGSEGV where nobody else has, under `lockstep exec`. The signal still ends the program, as it would without. */
void host_fault_watch(void);

/* Asks the function first about an address that may not be accessed, with the place of the instruction: in the signal
 * handler. If it returns true, it has opened the page, and the program goes on. */
void host_fault_ask(bool (*take_touch)(uint64_t address, const void *place, bool is_write));

/* Does it have SIGSEGV, still? */
bool host_fault_is_watched(void);

#endif
