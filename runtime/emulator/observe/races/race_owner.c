/* Who owns a place that swaps change: the thread whose compare-and-swap or exchange was the last to change it. What that
 * thread stores there gives the place back; what another stores may wipe out what the swap did. */
#include "runtime/emulator/observe/races/race.h"

#include <string.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/warp.h"

bool race_swap_changes(const struct race_access *access, unsigned lane, uint64_t offset)
{
    const struct memory_site *site = access->site;
    uint64_t operand = warp_value(access->warp, site->data[0], site->wide[0], lane); /* expected by a compare-and-swap */
    bool equal = memcmp(access->region->host + offset, &operand, site->bytes < 8 ? site->bytes : 8) == 0;
    return site->atomic == ATOMIC_CAS ? equal : !equal;
}

void race_follow_owners(const struct race_access *access, uint32_t mask, const uint64_t *offset)
{
    struct races *races = access->races;
    struct race_warp *own = access->own;
    bool swap = race_is_swap(access->site), load = access->site->access == SITE_LOAD;
    uint64_t taken = 0;
    own->owned = own->foreign = 0;
    if (!swap && !races->owners.count)
        return;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t key = race_place_key(access, offset[lane]);
        uint32_t self = 1 + own->id * WARP_LANES + lane;
        struct race_owner *owner = race_places_find(&races->owners, sizeof *owner, key);
        own->owned |= (uint32_t)(owner && owner->thread == self) << lane;
        own->foreign |= (uint32_t)(owner && owner->thread != self && !owner->is_watched) << lane;
        if (owner && load)
            owner->is_watched = true;
        /* Lanes at one place swap one after the other, and memory still holds what the first finds. */
        if (!swap || key == taken || !race_swap_changes(access, lane, offset[lane]))
            continue;
        taken = key;
        if (!(owner = race_places_enter(&races->owners, sizeof *owner, key))) {
            races->gave_up = true;
            return;
        }
        owner->thread = self;
    }
}
