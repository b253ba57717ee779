/* The observers of a launch: counters, races, poison, recorder, tracer. The driver gives `observers` with each launch. */
#ifndef EMULATOR_OBSERVERS_H
#define EMULATOR_OBSERVERS_H

#include "runtime/emulator/machine/hooks.h"

extern const struct hooks observers;

/* Opens the files that the observers write: at cuInit, since the process may lock itself in afterwards. */
void observers_open(void);

/* At the end of the process: reports what only all launches together show. */
void observers_report(void);

#endif
