/* The emulated driver as a client sees it: loaded with dlopen, every implemented entry point found by its name. */
#ifndef TESTS_DRIVER_TABLE_H
#define TESTS_DRIVER_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/cuda/driver_api.h"
#include "runtime/emulator/lockstep_driver.h"

struct driver_table {
#define ENTRY(name, since, arguments) CUresult(*name) arguments;
#define SAME(name, since, target)
#define ABSENT(name, since)
#include "runtime/emulator/driver/entry_points.def"
#undef ENTRY
#undef SAME
#undef ABSENT
    lockstep_driver_interface_fn *driver_interface;
    lockstep_name_memory_fn *name_memory;
    lockstep_poison_memory_fn *poison_memory;
    lockstep_protect_memory_fn *protect_memory;
    lockstep_written_memory_fn *written_memory;
};

/* The driver of this build, loaded on the first call. NULL, with the reason on stderr, when it cannot be loaded or lacks an
 * entry point. */
const struct driver_table *driver_table_get(void);

/* Any exported function by name; NULL when there is none. */
void *driver_table_symbol(const char *name);

#endif
