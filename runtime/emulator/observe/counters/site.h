/* What counting and writing share: the site of a memory instruction. */
#ifndef EMULATOR_COUNTERS_SITE_H
#define EMULATOR_COUNTERS_SITE_H

#include <string.h>

#include "runtime/emulator/machine/bytecode.h"

static inline bool site_is_atomic(const struct memory_site *site)
{
    return site->access == SITE_ATOMIC || site->access == SITE_REDUCTION;
}

/* Keeps the request of the launch that took most sectors or wavefronts. */
static inline void site_note_worst(struct memory_site *site, unsigned units, uint32_t mask, const uint64_t offset[32])
{
    if (units <= site->worst.units)
        return;
    site->worst.units = units;
    site->worst.mask = mask;
    memcpy(site->worst.offset, offset, sizeof site->worst.offset);
}

#endif
