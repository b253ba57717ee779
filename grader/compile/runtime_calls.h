/* What a submission's kernels must not call: CUDA's device runtime, with which a kernel has its device copy, fill and launch
 * (work that no thread does, and no counter of a thread shows), and the emulated driver's own functions. No header is needed
 * to declare them, so what the module refers to decides, not how the source spells it. And instructions of inline assembly that
 * the module's target does not have, which ptxas refuses.
 */
#ifndef RUNTIME_CALLS_H
#define RUNTIME_CALLS_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/lockstep.h"

enum runtime_calls { RUNTIME_CALLS_NONE, RUNTIME_CALLS_FOUND, RUNTIME_CALLS_OUT_OF_MEMORY };

/* Looks for the first of them, by line.
 *   ptx             [ptx_bytes] and a NUL; text that is not valid PTX calls nothing, since no driver loads it
 *   source          NUL-terminated; only for the name and the line that the message gives
 *   device_runtime  the lab allows CUDA's device runtime, and so only the driver's own functions are looked for
 *   diagnostic      out, where one is found: an error; its file is left empty
 */
enum runtime_calls runtime_calls_find(const char *ptx, size_t ptx_bytes, const char *source, bool device_runtime,
                                      lockstep_diagnostic *diagnostic);

#endif
