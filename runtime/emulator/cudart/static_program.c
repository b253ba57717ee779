/* Programs with NVIDIA's runtime library built in, which is nvcc's default.
 *
 * That library talks to NVIDIA's driver through undocumented tables, so it cannot work on another driver. But the
 * program calls the library's documented functions, which the program's symbol table still names. When this library
 * is loaded (before the program's own start), each of them gets a jump to the function of the same name here. Nothing in
 * the file changes. This cannot help a program without a symbol table (strip): cuGetExportTable of the emulated driver says
 * so.
 */
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/cudart/built_in.h"
#include "runtime/emulator/cudart/runtime.h"

struct entry {
    const char *name;
    void *function;
};

/* Sorted by name, as the table is (tests/entry_points_suite.c). */
static const struct entry entries[] = {
#define ENTRY(type, name, arguments) {#name, (void *)name},
#define SAME(name, target)           {#name, (void *)name},
#define ABSENT(name)                 {#name, (void *)name},
#include "runtime/emulator/cudart/entry_points.def"
#undef ENTRY
#undef SAME
#undef ABSENT
};

static int compare(const void *name, const void *entry)
{
    return strcmp(name, ((const struct entry *)entry)->name);
}

static void *find_entry(const char *name)
{
    const struct entry *entry = bsearch(name, entries, sizeof entries / sizeof entries[0], sizeof entries[0], compare);
    return entry ? entry->function : NULL;
}

/* Where the program is: the first object that the loader lists. */
static int first_object(struct dl_phdr_info *info, size_t bytes, void *base)
{
    (void)bytes;
    *(uintptr_t *)base = info->dlpi_addr;
    return 1;
}

__attribute__((constructor)) static void redirect_built_in_runtime(void)
{
    struct built_in_symbols symbols;
    uintptr_t base = 0;
    if (!built_in_open("/proc/self/exe", SHT_SYMTAB, &symbols))
        return;
    dl_iterate_phdr(first_object, &base);
    if (built_in_version(&symbols) == CUDART_MAJOR && !built_in_redirect(&symbols, base, find_entry))
        fputs("lockstep: this program has NVIDIA's runtime library built in, and its calls cannot be redirected on this "
              "machine. Build it with nvcc -cudart shared.\n",
              stderr);
    built_in_close(&symbols);
}
