/* Prototypes of all entry points, from the table, and what a file needs to define one. */
#ifndef EMULATOR_ENTRY_POINTS_H
#define EMULATOR_ENTRY_POINTS_H

#include "runtime/cuda/driver_api.h"

#define DRIVER_EXPORT __attribute__((visibility("default")))

#define ENTRY(name, since, arguments) DRIVER_EXPORT CUresult name arguments;
#define SAME(name, since, target)
#define ABSENT(name, since) DRIVER_EXPORT CUresult name(void);
#include "runtime/emulator/driver/entry_points.def"
#undef ENTRY
#undef SAME
#undef ABSENT

/* a second pass, since a name may precede its target */
#define ENTRY(name, since, arguments)
#define SAME(name, since, target) DRIVER_EXPORT extern __typeof__(target) name;
#define ABSENT(name, since)
#include "runtime/emulator/driver/entry_points.def"
#undef ENTRY
#undef SAME
#undef ABSENT

/* Exports a function of this file under another name, as a SAME row of the table says. */
#define DRIVER_SAME(name, target) DRIVER_EXPORT __typeof__(target) name __attribute__((alias(#target)))

#endif
