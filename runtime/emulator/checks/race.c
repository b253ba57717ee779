/* Races: every request of a launch is compared with what the shadow remembers, and remembered. */
#include "runtime/emulator/checks/race.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/execution/access.h"
#include "runtime/emulator/execution/program_internal.h"

/* ---- one word or byte ---- */

/* One reader stands for all: of another warp, if there is one. */
static void check_reads(const struct race_access *access, const struct race_cell *cell, unsigned lane, uint64_t offset,
                        unsigned element)
{
    uint32_t next = cell->more;
    struct race_read read = {cell->read_warp, cell->read_time, cell->read_site, cell->read_mask, 0};
    struct race_prior found = {0};
    for (bool more = true; more && (!found.site || found.warp == access->own->id);) {
        uint32_t rest = race_all_ordered(access, read.warp, read.time) ? 0 : read.mask;
        for (; rest; rest &= rest - 1) {
            unsigned other = (unsigned)__builtin_ctz(rest);
            if (race_ordered(access, lane, read.warp, other, read.time))
                continue;
            if (!found.site || read.warp != access->own->id)
                found = (struct race_prior){read.warp, read.site, other, false};
            break;
        }
        more = next != 0;
        if (more)
            read = access->races->reads[next];
        next = read.next;
    }
    if (found.site)
        race_judge(access, lane, &found, offset, element);
}

static void check_cell(const struct race_access *access, struct race_cell *cell, unsigned lane, uint64_t offset,
                       unsigned element)
{
    if (cell->write_time) {
        struct race_prior prior = {cell->write_warp, cell->write_site >> 5, cell->write_site & 31, true};
        if (!race_ordered(access, lane, prior.warp, prior.lane, cell->write_time))
            race_judge(access, lane, &prior, offset, element);
        if (access->site->read_only_path)
            race_read_only(access, lane, &prior, offset);
    }
    if (!access->write)
        return;
    if (cell->read_mask)
        check_reads(access, cell, lane, offset, element);
    if (cell->read_only)
        race_read_only(access, lane, &(struct race_prior){cell->read_warp, cell->read_only, lane, false}, offset);
}

/* Calls `body` with cell, cell_offset (in the region) and element (bytes into the lane's data) for what one lane touches. */
static inline bool prepare_lines(const struct race_access *access, uint64_t offset, unsigned bytes, unsigned cell_bytes)
{
    const struct race_line *only = &access->region->lines[offset / RACE_LINE_BYTES];
    if (only->tag == access->region->tag && only->cell_count >= RACE_LINE_BYTES / cell_bytes
        && offset % RACE_LINE_BYTES + bytes <= RACE_LINE_BYTES)
        return true;
    for (uint64_t line = offset / RACE_LINE_BYTES; line <= (offset + bytes - 1) / RACE_LINE_BYTES; line++)
        if (!race_expand(access->races, race_line_at(access->region, line * RACE_LINE_BYTES), RACE_LINE_BYTES / cell_bytes,
                         access->region->keeps_cells))
            return false;
    return true;
}

static inline struct race_cell *cell_at(const struct race_region *region, uint64_t offset)
{
    struct race_line *line = &region->lines[offset / RACE_LINE_BYTES];
    unsigned byte = offset % RACE_LINE_BYTES;
    return &line->cells[line->cell_count == RACE_LINE_WORDS ? byte / 4 : byte];
}

static void set_order(struct race_access *access)
{
    uint32_t barrier = access->block->barrier_time, sync = access->own->sync_time;
    access->simple = !access->own->fences && !access->own->knows && !access->block->any_gone;
    access->floor = barrier > sync ? barrier : sync;
}

static void check_lane(const struct race_access *access, unsigned lane, uint64_t offset, unsigned bytes)
{
    for (uint64_t at = offset; at < offset + bytes; at += race_cell_bytes(access->region, at))
        check_cell(access, cell_at(access->region, at), lane, at, (unsigned)(at - offset));
}

static void note_lane(const struct race_access *access, unsigned lane, uint64_t offset, unsigned bytes)
{
    for (uint64_t at = offset; at < offset + bytes; at += race_cell_bytes(access->region, at)) {
        struct race_cell *cell = cell_at(access->region, at);
        if (access->write) {
            race_note_write(access, cell, lane);
            access->region->lines[at / RACE_LINE_BYTES].crowd = 0;
        } else {
            race_note_read(access, cell, 1u << lane);
        }
        if (access->site->read_only_path)
            cell->read_only = access->site->number;
    }
}

/* ---- a request ---- */

/* Two lanes of a store at one place. */
static void check_same_store(const struct race_access *access, uint32_t mask, const uint64_t *offset)
{
    unsigned seen[64];
    bool rising = true;
    uint64_t last = 0;
    for (uint32_t rest = mask; rest && rising; rest &= rest - 1) {
        uint64_t next = offset[__builtin_ctz(rest)];
        rising = rest == mask || next > last;
        last = next;
    }
    if (rising)
        return;
    memset(seen, 0xFF, sizeof seen);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest), bytes = (unsigned)access->site->bytes * access->site->vector;
        unsigned slot = (unsigned)((offset[lane] / bytes * UINT64_C(0x9E3779B97F4A7C15)) >> 58);
        while (seen[slot] != UINT32_MAX && offset[seen[slot]] != offset[lane])
            slot = (slot + 1) % 64;
        if (seen[slot] != UINT32_MAX)
            race_same_store(access, lane, seen[slot], offset[lane]);
        seen[slot] = lane;
    }
}

static void do_lanes(const struct race_access *access, uint32_t mask, const uint64_t *offset)
{
    const struct memory_site *site = access->site;
    unsigned bytes = (unsigned)site->bytes * site->vector, cell_bytes = site->bytes < 4 ? 1 : 4;
    uint32_t ready = 0;
    if (access->own->locks || (access->atomic && site->atomic == ATOMIC_CAS))
        race_follow_locks(access, mask, offset);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (!prepare_lines(access, offset[lane], bytes, cell_bytes))
            continue;
        ready |= 1u << lane;
        if (site->strong && access->operation->handler != HANDLER_mbarrier)   /* which orders by its phases */
            race_synchronise(access, lane, race_place_key(access, offset[lane]));
        check_lane(access, lane, offset[lane], bytes);
        if (!access->write)
            note_lane(access, lane, offset[lane], bytes);
    }
    if (!access->write)
        return;
    if (!access->atomic)
        check_same_store(access, ready, offset);
    for (uint32_t rest = ready; rest; rest &= rest - 1)
        note_lane(access, (unsigned)__builtin_ctz(rest), offset[__builtin_ctz(rest)], bytes);
}

void race_note_lanes(struct races *races, struct race_block *block, uint32_t warp, uint32_t site, uint32_t mask,
                     const uint64_t *offset)
{
    struct race_access access = {.races = races, .block = block, .own = &block->warps[warp - block->first_warp],
                                 .operation = races->sites[site].operation, .site = races->sites[site].site,
                                 .region = &block->shared};
    unsigned bytes = (unsigned)access.site->bytes * access.site->vector, cell_bytes = access.site->bytes < 4 ? 1 : 4;
    access.write = access.site->access != SITE_LOAD;
    access.reads = !access.write;
    set_order(&access);
    if (!race_shared_region(races, block, block->shared.host))
        return;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (prepare_lines(&access, offset[lane], bytes, cell_bytes))
            note_lane(&access, lane, offset[lane], bytes);
    }
}

/* A whole warp accesses a line in the order of its lanes. Returns false when the line's cells must be looked at. */
static inline bool do_line(const struct race_access *access, struct race_line *line, uint8_t pattern)
{
    uint32_t warp = access->own->id;
    if (line->cell_count)
        return false;
    if (line->write_time && !(line->write_warp == warp && line->write_pattern == pattern)
        && !race_all_ordered(access, line->write_warp, line->write_time))
        return false;
    if (line->read_time && !(line->read_warp == warp && line->read_pattern == pattern)
        && !race_all_ordered(access, line->read_warp, line->read_time))
        return false;
    if (access->site->read_only_path) {
        if (line->write_time)
            return false;
        line->read_only = access->site->number;
    } else if (access->write && line->read_only) {
        return false;
    }
    if (access->write) {
        line->write_warp = warp;
        line->write_time = access->races->time;
        line->write_site = access->site->number;
        line->write_pattern = pattern;
        line->read_time = 0;
    } else {
        line->read_warp = warp;
        line->read_time = access->races->time;
        line->read_site = access->site->number;
        line->read_pattern = pattern;
    }
    return true;
}

/* All 32 lanes, neighbours in memory, from a multiple of 128 bytes on. */
static void do_contiguous(const struct race_access *access, uint64_t start)
{
    unsigned bytes = (unsigned)access->site->bytes * access->site->vector, shift = bytes == 4 ? 0 : bytes == 8 ? 1 : 2;
    unsigned lanes = RACE_LINE_BYTES / bytes;
    for (unsigned first = 0; first < WARP_LANES; first += lanes) {
        uint64_t at = start + (uint64_t)first * bytes, offset[WARP_LANES];
        if (do_line(access, race_line_at(access->region, at), (uint8_t)(first << 2 | shift)))
            continue;
        for (unsigned lane = first; lane < first + lanes; lane++)
            offset[lane] = start + (uint64_t)lane * bytes;
        do_lanes(access, lanes == 32 ? ALL_LANES : ((1u << lanes) - 1) << first, offset);
    }
}

/* Lists the distinct addresses of a shape. */
static void list_places(const struct shape *shape, struct race_layout *layout)
{
    unsigned count = 0;
    for (uint32_t rest = shape->mask; rest;) {
        unsigned first = (unsigned)__builtin_ctz(rest);
        uint32_t lanes = 0;
        for (unsigned lane = first; lane < WARP_LANES; lane++)
            lanes |= (uint32_t)(shape->delta[lane] == shape->delta[first]) << lane;
        lanes &= shape->mask;
        layout->place_first[count] = (uint8_t)first;
        layout->place_lanes[count++] = lanes;
        rest &= ~lanes;
    }
    layout->place_count = (uint8_t)count;
}

static void note_crowd(const struct race_region *region, uint64_t offset)
{
    struct race_line *line = &region->lines[offset / RACE_LINE_BYTES];
    if (line->cell_count == RACE_LINE_WORDS)
        line->crowd |= 1u << offset % RACE_LINE_BYTES / 4;
}

/* A plain load of whole words: lanes that read one place are looked at together. */
static void do_places(const struct race_access *access, struct memory_site *site, uint64_t base)
{
    const struct shape *shape = &site->shape;
    struct race_layout *layout = race_layout(access->races, site);
    if (!layout)
        return;
    const struct race_access local = *access;   /* so that the compiler knows that nothing below changes it */
    unsigned bytes = (unsigned)local.site->bytes * local.site->vector;
    uint32_t now = local.races->time;
    if (!layout->place_count)
        list_places(shape, layout);
    for (unsigned i = 0; i < layout->place_count; i++) {
        uint64_t offset = base + shape->delta[layout->place_first[i]];
        uint32_t lanes = layout->place_lanes[i];
        const struct race_line *line = &local.region->lines[offset / RACE_LINE_BYTES];
        uint32_t words = ((1u << bytes / 4) - 1) << offset % RACE_LINE_BYTES / 4;
        if ((line->crowd & words) == words && line->tag == local.region->tag && !local.races->node_count)
            continue;
        if (!prepare_lines(access, offset, bytes, 4))
            continue;
        for (uint64_t at = offset; at < offset + bytes; at += race_cell_bytes(local.region, at)) {
            struct race_cell *cell = cell_at(local.region, at);
            if (cell->write_time && !race_all_ordered(&local, cell->write_warp, cell->write_time))
                for (uint32_t rest = lanes; rest; rest &= rest - 1)
                    check_cell(access, cell, (unsigned)__builtin_ctz(rest), at, (unsigned)(at - offset));
            if (cell->read_time == now && cell->read_warp == local.own->id && (cell->read_mask & lanes) == lanes)
                continue;   /* noted already */
            if (local.simple && cell->more && cell->crowded >= local.floor && !local.races->node_count)
                continue;   /* whoever writes here races with one of those that are noted */
            race_note_read(access, cell, lanes);
            if (cell->crowded == RACE_FOREVER)
                note_crowd(local.region, at);
        }
    }
}

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

static void fill_access(struct race_access *access, struct races *races, struct warp *warp,
                        const struct operation *operation)
{
    const struct memory_site *site = operation->site;
    access->races = races;
    access->warp = warp;
    access->block = warp->block->races;
    access->own = &access->block->warps[warp->index];
    access->operation = operation;
    access->site = site;
    access->atomic = site->access == SITE_ATOMIC || site->access == SITE_REDUCTION;
    access->write = site->access != SITE_LOAD;
    access->reads = site->access == SITE_LOAD || access->atomic;
    set_order(access);
}

/* A request that the cells are asked about. */
static void do_request(const struct race_access *access, uint64_t base)
{
    struct memory_site *site = access->operation->site;
    bool plain = !site->strong && !access->own->locks;
    if (site->shape.kind == SHAPE_CONTIGUOUS && base % RACE_LINE_BYTES == 0 && site->request_bytes >= 4 && plain) {
        do_contiguous(access, base);
        return;
    }
    if (!access->write && plain && !site->read_only_path && site->bytes >= 4) {
        do_places(access, site, base);
        return;
    }
    uint64_t offset[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        offset[lane] = base + site->shape.delta[lane];
    do_lanes(access, access->warp->mask, offset);
}

void race_request(struct races *races, struct warp *warp, const struct operation *operation, uint64_t start)
{
    const struct memory_site *site = operation->site;
    struct race_access access;
    struct race_region region;
    if (races->gave_up)
        return;
    fill_access(&access, races, warp, operation);
    access.region = &region;
    if (!is_exempt(&access, site->allocation) && race_allocation_region(races, site->allocation, &region))
        do_request(&access, start - site->window_address);
}

void race_cells_request(struct races *races, struct warp *warp, const struct operation *operation, uint32_t base)
{
    struct race_access access;
    if (races->gave_up || !race_shared_region(races, warp->block->races, warp->shared))
        return;
    fill_access(&access, races, warp, operation);
    access.region = &access.block->shared;
    do_request(&access, base);
}

/* Where in the block's shared memory an address lies that was found valid. */
static uint64_t shared_offset(const struct warp *warp, uint64_t address)
{
    const struct code *code = warp->launch->code;
    uint32_t place = (uint32_t)address;
    for (size_t i = 0; i < code->shared_count; i++)
        if (code->shared[i].slot == place >> SHARED_SLOT_BITS)
            return (code->shared[i].dynamic ? warp->launch->dynamic_offset : code->shared[i].offset)
                   + (place & ((1 << SHARED_SLOT_BITS) - 1)) - SHARED_SLOT_BASE;
    return 0;
}

void race_lanes(struct races *races, struct warp *warp, const struct operation *operation, const uint64_t address[32],
                uint32_t valid)
{
    struct race_access access;
    if (races->gave_up || !warp->block->races || operation->site->space == SITE_LOCAL)
        return;
    fill_access(&access, races, warp, operation);
    bool generic = operation->site->space == SITE_GENERIC, all_shared = operation->site->space == SITE_SHARED;
    for (uint32_t rest = valid; rest;) {   /* the lanes of each region together */
        uint64_t offset[WARP_LANES], first = address[__builtin_ctz(rest)];
        bool shared = all_shared || (generic && (first & WINDOW_MASK) == SHARED_WINDOW);
        bool local = generic && (first & WINDOW_MASK) == LOCAL_WINDOW;
        struct memory_allocation *allocation = shared || local ? NULL : memory_find(races->launch->request->memory, first);
        struct race_region region;
        uint32_t lanes = 0;
        for (uint32_t others = rest; others; others &= others - 1) {
            unsigned lane = (unsigned)__builtin_ctz(others);
            uint64_t place = address[lane];
            if (shared ? all_shared || (place & WINDOW_MASK) == SHARED_WINDOW
                       : local ? (place & WINDOW_MASK) == LOCAL_WINDOW
                               : allocation && place - allocation->address < allocation->bytes) {
                lanes |= 1u << lane;
                offset[lane] = shared ? shared_offset(warp, place) : allocation ? place - allocation->address : 0;
            }
        }
        rest &= ~(lanes ? lanes : rest);
        if (local || !lanes || (!shared && !allocation))
            continue;
        access.region = shared ? &access.block->shared : &region;
        bool tracked = shared ? race_shared_region(races, access.block, warp->shared)
                              : !is_exempt(&access, allocation) && race_allocation_region(races, allocation, &region);
        if (tracked && !(shared && race_epoch_lanes(races, warp, operation->site, offset, lanes)))
            do_lanes(&access, lanes, offset);
    }
}

void race_range(struct races *races, struct warp *warp, const struct operation *operation, unsigned lane,
                struct memory_allocation *allocation, uint64_t offset, uint64_t bytes, bool check)
{
    struct race_access access;
    struct race_region region;
    if (races->gave_up || !warp->block->races)
        return;
    fill_access(&access, races, warp, operation);
    access.region = allocation ? &region : &access.block->shared;
    if (allocation ? is_exempt(&access, allocation) || !race_allocation_region(races, allocation, &region)
                   : !race_shared_region(races, access.block, warp->shared))
        return;
    if (!allocation)
        race_epoch_make_exact(races, access.block);
    for (uint64_t at = offset, end = offset + bytes; at < end; at += RACE_LINE_BYTES) {
        unsigned part = (unsigned)(end - at < RACE_LINE_BYTES ? end - at : RACE_LINE_BYTES);
        if (!prepare_lines(&access, at, part, 4))
            continue;
        if (check)
            check_lane(&access, lane, at, part);
        note_lane(&access, lane, at, part);
    }
}
