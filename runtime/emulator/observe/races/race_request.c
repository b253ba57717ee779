/* Races: every request of a launch is compared with what the shadow remembers, and remembered. */
#include "runtime/emulator/observe/races/race.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/observe/races/race_epoch.h"
#include "runtime/emulator/observe/races/race_need.h"
#include "runtime/emulator/observe/races/race_shadow.h"

/* An array that the launch never writes to needs no shadow. */
static bool is_exempt(const struct race_access *access, struct memory_allocation *allocation)
{
    if (allocation->never_written_in != access->races->tag)
        return false;
    if (!access->write)
        return true;
    race_end_exemption(access, allocation);
    return false;
}

/* The rest of an access by `own` of `block` with `operation`. Returns false when out of memory. */
static bool fill_access(struct race_access *access)
{
    const struct memory_site *site = access->operation->site;
    uint32_t barrier = access->block->barrier_time, sync = access->own->sync_time;
    access->site = site;
    access->atomic = site->access == SITE_ATOMIC || site->access == SITE_REDUCTION;
    access->write = site->access != SITE_LOAD;
    access->reads = site->access == SITE_LOAD || access->atomic;
    bool in_scope = site->scope > 0 || access->region == &access->block->shared;
    access->settled = access->operation->handler == HANDLER_atomic && in_scope ? site->number : RACE_FOREVER;
    access->simple = !access->own->fences && !access->own->knows && !access->own->released && !access->block->any_gone;
    access->floor = barrier > sync ? barrier : sync;
    access->alike = 1;
    access->segment = race_begin_segment(access->races, access->own);
    return access->segment != 0;
}

static bool begin_access(struct race_access *access, struct races *races, struct warp *warp,
                         const struct operation *operation, struct race_region *region)
{
    struct race_block *block = warp->block->races;
    *access = (struct race_access){.races = races,
                                   .warp = warp,
                                   .block = block,
                                   .own = &block->warps[warp->index],
                                   .operation = operation,
                                   .region = region};
    return fill_access(access);
}

void race_note_lanes(struct races *races, struct race_block *block, uint32_t warp, uint32_t site, uint32_t mask,
                     const uint64_t *offset)
{
    struct race_access access = {.races = races,
                                 .block = block,
                                 .own = &block->warps[warp - block->first_warp],
                                 .operation = races->sites[site].operation,
                                 .region = &block->shared};
    if (!race_shared_region(races, block, block->shared.host) || !fill_access(&access))
        return;
    unsigned bytes = access.site->request_bytes;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (race_cells_ready(&access, offset[lane], bytes, race_cells_needed(access.site)))
            race_note_lane(&access, lane, offset[lane], bytes);
    }
}

void race_request(struct races *races, struct warp *warp, const struct operation *operation, uint64_t start)
{
    const struct memory_site *site = operation->site;
    struct race_access access;
    struct race_region region;
    if (!races->gave_up && begin_access(&access, races, warp, operation, &region) && !is_exempt(&access, site->allocation)
        && race_allocation_region(races, site->allocation, &region))
        race_check_request(&access, start - site->window_address);
}

void race_cells_request(struct races *races, struct warp *warp, const struct operation *operation, uint32_t base)
{
    struct race_access access;
    if (!races->gave_up && race_shared_region(races, warp->block->races, warp->shared)
        && begin_access(&access, races, warp, operation, &warp->block->races->shared))
        race_check_request(&access, base);
}

/* Is it a load from an array that the launch cannot write to? */
static bool is_never_written(const struct races *races, const struct operation *operation,
                             struct memory_allocation *allocation)
{
    if (operation->site->texel && allocation->never_written_in != races->tag)
        race_exempt_texels(races, allocation);
    return allocation->never_written_in == races->tag && operation->site->access == SITE_LOAD;
}

void race_lanes(struct races *races, struct warp *warp, const struct operation *operation, const uint64_t address[32],
                uint32_t valid)
{
    struct race_access access;
    if (races->gave_up || !warp->block->races || operation->site->space == SITE_LOCAL)
        return;
    bool generic = operation->site->space == SITE_GENERIC, all_shared = operation->site->space == SITE_SHARED;
    for (uint32_t rest = valid; rest;) { /* the lanes of each region together */
        uint64_t offset[WARP_LANES], first = address[__builtin_ctz(rest)];
        bool shared = all_shared || (generic && (first & WINDOW_MASK) == SHARED_WINDOW);
        bool local = generic && (first & WINDOW_MASK) == LOCAL_WINDOW;
        struct memory_allocation *allocation = shared || local ? NULL : memory_find(races->launch->request->memory, first);
        struct race_region region;
        uint32_t lanes = 0;
        for (uint32_t others = rest; others; others &= others - 1) {
            unsigned lane = (unsigned)__builtin_ctz(others);
            uint64_t place = address[lane];
            if (shared  ? all_shared || (place & WINDOW_MASK) == SHARED_WINDOW
                : local ? (place & WINDOW_MASK) == LOCAL_WINDOW
                        : allocation && place - allocation->address < allocation->bytes) {
                lanes |= 1u << lane;
                offset[lane] = shared       ? access_shared_offset(warp->launch, place)
                               : allocation ? place - allocation->address
                                            : 0;
            }
        }
        rest &= ~(lanes ? lanes : rest);
        if (local || !lanes || (!shared && !allocation))
            continue;
        struct race_block *block = warp->block->races;
        if (races->follows_need && (shared || !is_never_written(races, operation, allocation)))
            need_request(races, warp, operation, allocation, allocation ? allocation->address : 0, offset, lanes);
        if (shared ? race_epoch_lanes(races, warp, operation->site, offset, lanes)
                   : is_never_written(races, operation, allocation))
            continue;
        if (begin_access(&access, races, warp, operation, shared ? &block->shared : &region)
            && (shared ? race_shared_region(races, block, warp->shared)
                       : !is_exempt(&access, allocation) && race_allocation_region(races, allocation, &region)))
            race_check_lanes(&access, lanes, offset);
    }
}

void race_range(struct races *races, struct warp *warp, const struct operation *operation, unsigned lane,
                struct memory_allocation *allocation, uint64_t offset, uint64_t bytes, bool check)
{
    struct race_access access;
    struct race_region region;
    if (races->gave_up || !warp->block->races)
        return;
    if (!allocation)
        race_epoch_make_exact(races, warp->block->races);
    if (!begin_access(&access, races, warp, operation, allocation ? &region : &warp->block->races->shared))
        return;
    if (races->follows_need)
        need_range(races, warp, lane, allocation, offset + (allocation ? allocation->address : 0), bytes, access.write);
    if (allocation ? is_exempt(&access, allocation) || !race_allocation_region(races, allocation, &region)
                   : !race_shared_region(races, access.block, warp->shared))
        return;
    for (uint64_t at = offset, end = offset + bytes; at < end; at += RACE_LINE_BYTES) {
        unsigned part = (unsigned)(end - at < RACE_LINE_BYTES ? end - at : RACE_LINE_BYTES);
        if (!race_cells_ready(&access, at, part, RACE_LINE_WORDS))
            continue;
        if (check)
            race_check_lane(&access, lane, at, part);
        race_note_lane(&access, lane, at, part);
    }
}
