/* Who owns a place that swaps change: the thread whose compare-and-swap or exchange was the last to change it. What that
 * thread stores there gives the place back; what another stores may wipe out what the swap did. */
#include "runtime/emulator/observe/races/race.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/access.h"

static struct race_owner *owner_slot(struct race_owner *owners, size_t capacity, uint64_t key)
{
    uint64_t hash = key * UINT64_C(0x9E3779B97F4A7C15);
    size_t i = (size_t)(hash >> 20) & (capacity - 1);
    while (owners[i].key && owners[i].key != key)
        i = (i + 1) & (capacity - 1);
    return &owners[i];
}

static struct race_owner *owner_for_writing(struct races *races, uint64_t key)
{
    if (races->owner_count * 2 >= races->owner_capacity) {
        size_t capacity = races->owner_capacity ? races->owner_capacity * 2 : 256;
        struct race_owner *grown = calloc(capacity, sizeof *grown);
        if (!grown) {
            races->gave_up = true;
            return NULL;
        }
        for (size_t i = 0; i < races->owner_capacity; i++)
            if (races->owners[i].key)
                *owner_slot(grown, capacity, races->owners[i].key) = races->owners[i];
        free(races->owners);
        races->owners = grown;
        races->owner_capacity = capacity;
    }
    struct race_owner *owner = owner_slot(races->owners, races->owner_capacity, key);
    races->owner_count += !owner->key;
    owner->key = key;
    return owner;
}

static uint64_t operand_value(const struct race_access *access, unsigned lane)
{
    const struct memory_site *site = access->site;
    const void *base = site->wide[0] ? (const char *)access->warp->q + site->data[0] + (size_t)8 * lane
                                     : (const char *)access->warp->r + site->data[0] + (size_t)4 * lane;
    uint64_t value = 0;
    memcpy(&value, base, site->bytes < 8 ? site->bytes : 8);
    return value;
}

bool race_is_swap(const struct memory_site *site)
{
    return race_is_atomic(site) && (site->atomic == ATOMIC_CAS || site->atomic == ATOMIC_EXCH);
}

bool race_swap_changes(const struct race_access *access, unsigned lane, uint64_t offset)
{
    uint64_t value = 0;
    memcpy(&value, access->region->host + offset, access->site->bytes < 8 ? access->site->bytes : 8);
    bool equal = value == operand_value(access, lane);
    return access->site->atomic == ATOMIC_CAS ? equal : !equal;
}

void race_follow_owners(const struct race_access *access, uint32_t mask, const uint64_t *offset)
{
    struct races *races = access->races;
    struct race_warp *own = access->own;
    bool swap = race_is_swap(access->site), load = access->site->access == SITE_LOAD;
    uint64_t taken = 0;
    own->owned = own->foreign = 0;
    if (!swap && !races->owner_count)
        return;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t key = race_place_key(access, offset[lane]);
        uint32_t self = 1 + own->id * WARP_LANES + lane;
        struct race_owner *owner = races->owner_count ? owner_slot(races->owners, races->owner_capacity, key) : NULL;
        bool known = owner && owner->key && owner->thread;
        own->owned |= (uint32_t)(known && owner->thread == self) << lane;
        own->foreign |= (uint32_t)(known && owner->thread != self && !owner->is_watched) << lane;
        if (known && load)
            owner->is_watched = true;
        /* Lanes at one place swap one after the other, and memory still holds what the first finds. */
        if (!swap || key == taken || !race_swap_changes(access, lane, offset[lane]))
            continue;
        taken = key;
        if (!(owner = owner_for_writing(races, key)))
            return;
        owner->thread = self;
    }
}
