/* Counters of one launch, in the vocabulary of a profiler; exact and deterministic. Definitions: README.md of this folder.
 */
#ifndef EMULATOR_COUNTERS_H
#define EMULATOR_COUNTERS_H

#include <stdint.h>

struct counters {
#define COUNTER(name) uint64_t name;
#include "runtime/emulator/counters/counters.def"
#undef COUNTER
    double max_thread_share;   /* largest share of its block's thread instructions that one thread executed, 0..1 */
};

/* Totals over the process so far: launches, host_copies and host_copy_bytes are counted by the entry points. */
void counters_count_host_copy(uint64_t bytes);

#endif
