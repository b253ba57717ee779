/* The kit's own kernels that take part in timing: a copy of 16 bytes per thread, and a sum over words. They are compiled
 * where submissions are, because the process that owns the device can open no compiler.
 */
#ifndef TIMING_KERNELS_H
#define TIMING_KERNELS_H

#include <stddef.h>

struct compile_result;

/* Their PTX, compiled at the first call (or from the cache); lives as long as the process. NULL with a message: no
 * compiler. */
const struct compile_result *timing_kernels_get(char *message, size_t message_bytes);

#endif
