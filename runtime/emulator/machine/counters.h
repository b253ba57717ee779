/* Counters of one launch, in the vocabulary of a profiler; exact and deterministic. Definitions: README.md of this folder.
 */
#ifndef EMULATOR_COUNTERS_H
#define EMULATOR_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

struct counters {
#define COUNTER(name, unit, profiler, title, meaning, aim) uint64_t name;
#define LARGEST(name, unit, profiler, title, meaning, aim) double name;
#define DERIVED(name, unit, profiler, title, meaning, aim, formula)
#include "runtime/tables/counters.def"
#undef COUNTER
#undef LARGEST
#undef DERIVED
};

/* Blocks come in groups of neighbours. The first group and the one in the middle are observed closely (locality.h); of a
 * small grid, all. */
enum { COUNTERS_GROUP = 32 };

static inline bool counters_look_at(uint64_t block, uint64_t blocks)
{
    uint64_t group = block / COUNTERS_GROUP, groups = (blocks + COUNTERS_GROUP - 1) / COUNTERS_GROUP;
    return group == 0 || group == groups / 2;
}

/* Totals over the process so far: launches, host_copies and host_copy_bytes are counted by the entry points. */
void counters_count_host_copy(uint64_t bytes);

#endif
