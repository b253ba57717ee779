/* NVIDIA's runtime library inside a shared object that is stripped of its symbols (cuda.bindings.runtime). Each of the library's
 * functions hands its own name to profilers: it is the one that refers to a string with this name. */
#ifndef STAND_INS_STRIPPED_RUNTIME_H
#define STAND_INS_STRIPPED_RUNTIME_H

#include <stdbool.h>

#include "runtime/emulator/cudart/built_in.h"

/* Maps the file and finds the library's functions in it; built_in_close ends it.
 *   is_wanted   is that the name of one?
 * Returns false, with nothing to close, when the file has symbols, when the library is not built into it, and when there are
 * kernels in it: the functions that register these name themselves to nobody. */
bool stripped_runtime_open(const char *path, bool (*is_wanted)(const char *name), struct built_in_symbols *symbols);

#endif
