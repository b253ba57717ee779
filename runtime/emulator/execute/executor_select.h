/* The executors: the same operations compiled for each level of the processor's vector instructions, and each of those with
 * and without the hooks of the observers. */
#ifndef EMULATOR_EXECUTOR_SELECT_H
#define EMULATOR_EXECUTOR_SELECT_H

#include <stdbool.h>

#include "runtime/emulator/machine/executor.h"

/* The executor for this processor: the best level that it has, or `isa` when that is not NULL.
 *   observed   with hooks
 * Returns NULL when the processor lacks the requested level, or when there is none with that name. */
const struct executor *executor_select(const char *isa, bool observed);

extern const struct executor executor_baseline_plain, executor_baseline_observed;
#if defined(__x86_64__)
extern const struct executor executor_avx2_plain, executor_avx2_observed;
extern const struct executor executor_avx512_plain, executor_avx512_observed;
#endif

#endif
