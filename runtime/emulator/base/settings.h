/* The environment variables that steer the emulated driver, read once at cuInit. See README.md of runtime/emulator. */
#ifndef EMULATOR_SETTINGS_H
#define EMULATOR_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

enum settings_checks {
    CHECKS_NONE,     /* limits enforced, no findings */
    CHECKS_MEMORY,   /* bounds, alignment, launch, deadlock, fuel as findings: the default */
    CHECKS_POISON,   /* also memory that nobody wrote, leaks; no races: for large launches */
    CHECKS_ALL,      /* also races */
};

enum settings_schedule {
    SCHEDULE_ASCENDING,       /* warps and blocks in rising order: the default */
    SCHEDULE_DESCENDING,      /* warps in falling order */
    SCHEDULE_BLOCKS_REVERSE,  /* blocks in falling order */
};

struct settings {
    enum settings_checks checks;       /* LOCKSTEP_CHECKS=none|memory|poison|all */
    enum settings_schedule schedule;   /* LOCKSTEP_SCHEDULE=ascending|descending|blocks-reverse */
    uint64_t fuel;                     /* LOCKSTEP_FUEL: warp instructions a launch may execute without finishing a block */
    const char *findings_path;         /* LOCKSTEP_FINDINGS; NULL: text on stderr */
    const char *counters_path;         /* LOCKSTEP_COUNTERS; NULL: none */
    const char *isa;                   /* LOCKSTEP_ISA=baseline|avx2|avx512; NULL: the best this processor has */
};

/* Reads the variables. An unknown value is reported on stderr, once, and the default is used. */
const struct settings *settings_get(void);

/* Do the checkers or the counters look at what a kernel does? */
static inline bool settings_observe(const struct settings *settings)
{
    return settings->checks >= CHECKS_POISON || settings->counters_path;
}

#endif
