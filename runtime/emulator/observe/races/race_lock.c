/* Places that threads synchronise at, and the locks that they build on them. */
#include "runtime/emulator/observe/races/race.h"

#include <stdlib.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/observe/races/race_epoch.h"

uint64_t race_place_key(const struct race_access *access, uint64_t offset)
{
    if (access->region->allocation)
        return access->region->allocation->address + offset;
    return UINT64_C(1) << 63 | (uint64_t)access->block->first_warp << 24 | (offset + 1);
}

/* Can the swap take a lock? A compare-and-swap where it finds what it expects; an exchange, which always stores, only where
 * a loop waits by what it returns. */
static bool may_take(const struct race_access *access)
{
    const struct memory_site *site = access->site;
    return race_is_swap(site) && (site->atomic == ATOMIC_CAS || race_polls(access->races, site->number));
}

void race_follow_locks(const struct race_access *access, uint32_t mask, const uint64_t *offset)
{
    struct race_warp *own = access->own;
    const struct memory_site *site = access->site;
    bool swap = may_take(access);
    if (!own->locks && (!swap || !(own->locks = calloc(WARP_LANES, sizeof *own->locks))))
        return;
    access->block->any_locks = true;
    race_epoch_make_exact(access->races, access->block);
    uint64_t taken = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct race_lock *lock = &own->locks[lane];
        access->races->sites[site->number].after_release |= lock->site != 0 && !lock->held;
        if (!site->strong) {
            lock->dirty |= lock->held;
            continue;
        }
        uint64_t key = race_place_key(access, offset[lane]);
        if (swap) {
            if (key == taken || !race_swap_changes(access, lane, offset[lane]))
                continue;
            taken = key;
            *lock = (struct race_lock){.key = key, .site = site->number, .held = true};
        } else if (access->write && lock->held && lock->key == key) {
            if (lock->dirty && !site->release)
                race_report_lock(access, lane, offset[lane]);
            lock->held = lock->dirty = false;
        }
    }
}
