/* The environment variables that steer the emulated driver, read once at cuInit. See README.md of runtime/emulator. */
#ifndef EMULATOR_SETTINGS_H
#define EMULATOR_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/emulator/settings/schedule.h"

enum settings_checks {
    CHECKS_NONE,   /* limits enforced, no findings */
    CHECKS_MEMORY, /* bounds, alignment, launch, deadlock, fuel as findings: the default */
    CHECKS_POISON, /* also memory that was never written, leaks; no races: for large launches */
    CHECKS_ALL,    /* also races */
};

struct settings {
    enum settings_checks checks;     /* LOCKSTEP_CHECKS=none|memory|poison|all */
    const struct schedule *schedule; /* LOCKSTEP_SCHEDULE: a name of schedule.def; never NULL */
    uint64_t fuel;                   /* LOCKSTEP_FUEL: warp instructions a launch may execute without finishing a block */
    uint64_t memory_bytes;           /* LOCKSTEP_MEMORY, in MiB; 0: as much as the device has */
    unsigned devices;                /* LOCKSTEP_DEVICES: how many devices there are, all alike; 1 to 8 */
#define OUTPUT(name, variable, consequence) const char *name##_path; /* NULL: not set */
#include "runtime/tables/outputs.def"
    bool continue_after_fault; /* LOCKSTEP_AFTER_FAULT=continue: a bad address is a finding, and its context goes on */
    uint32_t trace_block[3];   /* LOCKSTEP_TRACE_BLOCK: x, y, z */
    char repair[512];          /* edits of the modules that are loaded (decode/repair.h); "" none: lockstepSetRepair alone */
    const char *isa;           /* LOCKSTEP_ISA=baseline|avx2|avx512; NULL: the best this processor has */
};

/* Reads the variables. An unknown value is reported on stderr, once, and the default is used. */
const struct settings *settings_get(void);

/* Opens the file of a row of outputs.def, to append to it; NULL: no path, or it cannot be opened, which is
 * reported on stderr. */
#define OUTPUT(name, variable, consequence) FILE *settings_open_##name(void);
#include "runtime/tables/outputs.def"

/* Sets another schedule for later launches. Returns false when the name is unknown, or when the schedule has to see each
 * operation and modules are already decoded without that. */
bool settings_set_schedule(const char *name);

/* Sets what later modules are loaded with; borrowed, shorter than the field. */
void settings_set_repair(const char *request);

/* Do the checkers, the counters or the schedule look at what a kernel does? */
static inline bool settings_observe(const struct settings *settings)
{
    return settings->checks >= CHECKS_POISON || settings->counters_path || schedule_is_stepped(settings->schedule);
}

#endif
