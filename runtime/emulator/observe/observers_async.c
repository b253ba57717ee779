/* Asynchronous copies and barrier objects: what is passed to which observer. Called only where launch->watched. */
#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/async.h"
#include "runtime/emulator/observe/flight.h"
#include "runtime/emulator/observe/observation.h"
#include "runtime/emulator/observe/poison/poison.h"
#include "runtime/emulator/observe/races/race.h"
#include "runtime/emulator/observe/record/extents.h"

void observers_async_read(struct warp *warp, const struct operation *operation, unsigned lane,
                          const struct async_source *source)
{
    const struct observation *observation = warp->launch->observation;
    if (observation->looks_for_races)
        race_range(observation->races, warp, operation, lane, source->allocation, source->offset, source->bytes, true);
    if (observation->extents)
        extents_note_range(observation->extents, source->allocation, source->offset, source->bytes, false);
    if (!source->allocation)
        flight_begin(warp, operation, lane, (uint32_t)source->offset, source->bytes, true);
}

void observers_async_issue(struct warp *warp, const struct operation *operation, unsigned lane, uint64_t to, uint64_t bytes)
{
    const struct observation *observation = warp->launch->observation;
    if (observation->looks_for_races)
        race_range(observation->races, warp, operation, lane, NULL, to, bytes, true);
    flight_begin(warp, operation, lane, (uint32_t)to, (uint32_t)bytes, false);
    poison_mark_shared(warp, to, bytes);
}

void observers_async_land(struct block *block, struct launch *launch, const struct async_landing *landing)
{
    struct warp *warp = &block->warps[landing->thread / WARP_LANES];
    struct extents *extents = launch->observation->extents;
    if (extents)
        extents_note_range(extents, landing->allocation, landing->to, landing->bytes, true);
    if (landing->own && launch->observation->looks_for_races)
        race_range(launch->observation->races, warp, landing->operation, landing->thread % WARP_LANES, landing->allocation,
                   landing->to, landing->bytes, landing->allocation != NULL);
    if (!landing->allocation)
        flight_end(block, (uint32_t)landing->to, landing->bytes);
    if (!landing->source->allocation && landing->source->bytes)
        flight_end(block, (uint32_t)landing->source->offset, landing->source->bytes);
    poison_copy(warp, landing);
}

void observers_mbarrier_access(struct warp *warp, const struct operation *operation, const uint64_t address[32],
                               uint32_t valid)
{
    const struct observation *observation = warp->launch->observation;
    if (observation->looks_for_races)
        race_lanes(observation->races, warp, operation, address, valid);
    for (uint32_t rest = operation->site->access == SITE_STORE ? valid : 0; rest; rest &= rest - 1)
        poison_mark_shared(warp, access_shared_offset(warp->launch, address[__builtin_ctz(rest)]), operation->site->bytes);
}

void observers_mbarrier_release(struct warp *warp, uint32_t lanes, uint32_t *chain)
{
    const struct observation *observation = warp->launch->observation;
    if (observation->looks_for_races)
        race_release_lanes(observation->races, warp, lanes, chain);
}

void observers_mbarrier_acquire(struct warp *warp, uint32_t lanes, uint32_t chain)
{
    const struct observation *observation = warp->launch->observation;
    if (observation->looks_for_races)
        race_acquire_lanes(observation->races, warp, lanes, chain);
}
