/* What a submission's kernels must not ask for (runtime/language/ptx/foreign.h): work that no thread does, and no counter of a
 * thread shows; instructions that the module's target does not have, which ptxas refuses.
 */
#ifndef RUNTIME_CALLS_H
#define RUNTIME_CALLS_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/language/ptx/foreign.h"
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

/* Says it of one that is known.
 *   target       of the module, 80 for sm_80; for PTX_FOREIGN_TARGET
 *   diagnostic   out: an error; its file is left empty
 */
void runtime_calls_describe(const struct ptx_foreign *foreign, enum ptx_foreign_kind kind, int target, const char *source,
                            lockstep_diagnostic *diagnostic);

#endif
