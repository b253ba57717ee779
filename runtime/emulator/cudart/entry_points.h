/* Prototypes of all entry points of the runtime, from the table, and what a file needs to define one. */
#ifndef EMULATOR_CUDART_ENTRY_POINTS_H
#define EMULATOR_CUDART_ENTRY_POINTS_H

#include "runtime/emulator/cudart/types.h"
#include "runtime/emulator/driver/entry_points.h"

#define RUNTIME_EXPORT __attribute__((visibility("default")))

#define ENTRY(type, name, arguments) RUNTIME_EXPORT type name arguments;
#define SAME(name, target)
#define ABSENT(name) RUNTIME_EXPORT cudaError_t name(void);
#include "runtime/emulator/cudart/entry_points.def"
#undef ENTRY
#undef SAME
#undef ABSENT

#define ENTRY(type, name, arguments)
#define SAME(name, target) RUNTIME_EXPORT extern __typeof__(target) name;
#define ABSENT(name)
#include "runtime/emulator/cudart/entry_points.def"
#undef ENTRY
#undef SAME
#undef ABSENT

/* Exports a function of this file under another name, as a SAME row of the table says. */
#define RUNTIME_SAME(name, target) RUNTIME_EXPORT __typeof__(target) name __attribute__((alias(#target)))

#endif
