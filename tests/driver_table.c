#include "tests/driver_table.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "tests/support.h"

static void *library;
static struct driver_table table;

static bool open_library(void)
{
    char path[SUPPORT_PATH_BYTES];
    if (!library)
        library = dlopen(support_build_path("emulated/libcuda.so.1", path), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fprintf(stderr, "%s\n", dlerror());
    return library != NULL;
}

void *driver_table_symbol(const char *name)
{
    return open_library() ? dlsym(library, name) : NULL;
}

/* Finds a function and stores its address. POSIX lets a data pointer hold it, C has no cast for it. */
static bool find(const char *name, void *slot)
{
    void *symbol = dlsym(library, name);
    if (!symbol)
        fprintf(stderr, "the emulated driver lacks %s\n", name);
    memcpy(slot, &symbol, sizeof symbol);
    return symbol != NULL;
}

const struct driver_table *driver_table_get(void)
{
    if (table.cuInit)
        return &table;
    if (!open_library())
        return NULL;
    bool complete = true;
#define ENTRY(name, since, arguments) complete &= find(#name, &table.name);
#define SAME(name, since, target)
#define ABSENT(name, since)
#include "runtime/emulator/driver/entry_points.def"
#undef ENTRY
#undef SAME
#undef ABSENT
    complete &= find(LOCKSTEP_DRIVER_INTERFACE_NAME, &table.driver_interface);
    complete &= find(LOCKSTEP_NAME_MEMORY_NAME, &table.name_memory);
    complete &= find(LOCKSTEP_POISON_MEMORY_NAME, &table.poison_memory);
    complete &= find(LOCKSTEP_PROTECT_MEMORY_NAME, &table.protect_memory);
    complete &= find(LOCKSTEP_WRITTEN_MEMORY_NAME, &table.written_memory);
    return complete ? &table : NULL;
}
