/* What the grader must know of a module before it runs: entry points with the width of their parameters, the block size they
 * ask for, and the constants KERNEL_block and KERNEL_items.
 *
 * This is a scan for four directives and not a PTX parser: it skips whatever it does not know. It runs in the child that
 * compiled, since the text is the student's.
 */
#ifndef PTX_SCAN_H
#define PTX_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PTX_NAME_BYTES     128
#define PTX_MAX_PARAMETERS 16
#define PTX_MAX_ENTRIES    64
#define PTX_MAX_CONSTANTS  64

struct ptx_entry {
    char name[PTX_NAME_BYTES];
    uint32_t parameter_count; /* may exceed PTX_MAX_PARAMETERS; the widths of the rest are not kept */
    uint32_t parameter_bytes[PTX_MAX_PARAMETERS];
    uint32_t max_threads[3]; /* .maxntid or .reqntid; all 0 when neither is given */
    bool threads_required;   /* .reqntid */
};

/* A 32-bit variable or an array of up to three in constant memory, with its initial value. */
struct ptx_constant {
    char name[PTX_NAME_BYTES];
    uint32_t count; /* 32-bit words, 1..3 */
    int32_t value[3];
};

struct ptx_summary {
    struct ptx_entry entries[PTX_MAX_ENTRIES];
    struct ptx_constant constants[PTX_MAX_CONSTANTS];
    uint32_t entry_count, constant_count;
};

/* Scans ptx[bytes]. What does not fit in the summary is left out. Cannot fail. */
void ptx_scan(const char *ptx, size_t bytes, struct ptx_summary *summary);

/* Finds by name; NULL when there is none. */
const struct ptx_entry *ptx_scan_find_entry(const struct ptx_summary *summary, const char *name);
const struct ptx_constant *ptx_scan_find_constant(const struct ptx_summary *summary, const char *name);

#endif
