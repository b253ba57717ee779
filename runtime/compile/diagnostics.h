/* NVRTC's log, taken apart into diagnostics. Internal to the runtime. */
#ifndef RUNTIME_DIAGNOSTICS_H
#define RUNTIME_DIAGNOSTICS_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/lockstep.h"

#define DIAGNOSTICS_MAX 200 /* NVRTC itself stops at 100 errors */

struct diagnostics {
    lockstep_diagnostic *entries; /* [count], owned: free() */
    size_t count, room;
};

/* Line of a message about the end of the source, whose number the log does not give: the caller fills it in. */
#define DIAGNOSTICS_LINE_END (-1)

/* Appends the diagnostics of log[bytes] in the log's order; the column is that of the caret below the quoted line. Indented
 * lines that belong to a message ("detected during instantiation of ...") are joined to it with "; ".
 * Returns false when out of memory. Those beyond DIAGNOSTICS_MAX are dropped. */
bool diagnostics_parse(const char *log, size_t bytes, struct diagnostics *diagnostics);

/* Appends one that NVRTC did not write. line and column 0: unknown. Returns false when out of memory. */
bool diagnostics_add(struct diagnostics *diagnostics, lockstep_severity severity, const char *file, int line, int column,
                     const char *message);

/* Is there an error among them? */
bool diagnostics_have_error(const struct diagnostics *diagnostics);

#endif
