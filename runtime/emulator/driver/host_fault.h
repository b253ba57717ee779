/* A program that follows a device pointer itself: says so before the signal ends it. */
#ifndef EMULATOR_HOST_FAULT_H
#define EMULATOR_HOST_FAULT_H

/* Takes SIGSEGV where nobody else has, under `lockstep exec`. The signal still ends the program, as it would without. */
void host_fault_watch(void);

#endif
