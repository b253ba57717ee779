/* The kernels that a PTX text defines, with the sizes of their parameters: for messages, for names as in the source, and
 * because a driver reads past the arguments when there are too few. It is a scan, not a parser: text it does
 * not understand yields fewer entries or unknown parameters, never a failure. Internal to the runtime. */
#ifndef RUNTIME_PTX_ENTRIES_H
#define RUNTIME_PTX_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>

#define PTX_MAX_PARAMETERS 64

struct ptx_entry {
    char *name;          /* as in the PTX: "_Z10vector_addPKfS0_Pfi"; owned */
    int parameter_count; /* -1: not understood, or more than PTX_MAX_PARAMETERS */
    size_t parameter_bytes[PTX_MAX_PARAMETERS];
};

struct ptx_entries {
    struct ptx_entry *entries; /* [count], owned */
    size_t count;
};

/* Fills `found` with the kernels of ptx[bytes], in their order. Returns false when out of memory. */
bool ptx_entries_scan(const char *ptx, size_t bytes, struct ptx_entries *found);
void ptx_entries_clear(struct ptx_entries *found);

/* The name in the source: the part between "_Z" and the parameter types, else the name itself; [*length], not
 * terminated. */
const char *ptx_entry_source_name(const char *name, size_t *length);

/* Finds a kernel by its PTX name, else by its name in the source. NULL when there is none; *ambiguous is set when
 * overloads share the name. */
const struct ptx_entry *ptx_entries_find(const struct ptx_entries *found, const char *name, bool *ambiguous);

#endif
