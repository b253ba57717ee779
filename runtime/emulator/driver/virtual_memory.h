/* Virtual memory management: physical memory apart from the addresses at which it is seen. */
#ifndef EMULATOR_VIRTUAL_MEMORY_H
#define EMULATOR_VIRTUAL_MEMORY_H

/* Reports physical memory that was never released, at the end of the process. Expects the driver's lock to be held. */
void virtual_memory_report_leaks(void);

#endif
