/* What each request of a warp costs, counted when it is made. */
#include "runtime/emulator/observe/counters/counters.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/footprint.h"
#include "runtime/emulator/machine/warp.h"
#include "runtime/emulator/observe/counters/handoff.h"
#include "runtime/emulator/observe/counters/locality.h"
#include "runtime/emulator/observe/counters/site.h"

/* A bulk copy is one instruction of one lane. It counts like the warps' loads or stores of 4 bytes per lane that it replaces;
 * touch() marks so much at once. */
enum { BULK_REQUEST_BYTES = 128, TOUCHED_AT_ONCE = 1024 };

/* May the allocation's sectors be marked? Not when the host is out of memory. */
static inline bool has_marks(struct memory_allocation *allocation)
{
    if (!allocation->touched)
        allocation->touched = calloc(1, (allocation->bytes + 255) / 256 + 8);
    return allocation->touched != NULL;
}

/* Marks some of 64 sectors. Returns how many are new. */
static inline unsigned mark(uint8_t *at, uint64_t sectors)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    sectors &= ~word;
    if (!sectors)
        return 0;
    word |= sectors;
    memcpy(at, &word, sizeof word);
    return (unsigned)__builtin_popcountll(sectors);
}

/* Marks the sectors [offset, offset + bytes) of an allocation as touched by this launch; bytes <= 1024. */
static inline void touch(struct memory_allocation *allocation, uint64_t offset, uint64_t bytes)
{
    uint64_t first = offset / 32, last = (offset + bytes - 1) / 32;
    uint8_t *at = allocation->touched + first / 64 * 8; /* 8 bytes of slack were allocated */
    uint64_t head = UINT64_MAX << first % 64, tail = UINT64_MAX >> (63 - last % 64);
    unsigned fresh = first / 64 == last / 64 ? mark(at, head & tail) : mark(at, head) + mark(at + 8, tail);
    if (!fresh)
        return;
    allocation->touched_count += fresh;
    allocation->all_touched = allocation->touched_count == (allocation->bytes + 31) / 32;
}

/* Marks what a request touches. One that touched the same sectors last time, as when lanes walk along rows, needs no
 * marking. */
static inline void touch_request(struct memory_site *site, uint64_t start)
{
    if (site->allocation->all_touched)
        return;
    const struct shape *shape = footprint_runs(site);
    if (site->touched_version == shape->version
        && (shape->sector_steps ? (start ^ site->touched_start) < 32 : start == site->touched_start))
        return;
    site->touched_version = shape->version;
    site->touched_start = start;
    uint64_t base = start - site->window_address;
    for (unsigned i = 0; i < shape->run_count && has_marks(site->allocation); i++)
        touch(site->allocation, base + shape->runs[i].delta, shape->runs[i].bytes);
}

static void count_shared(struct memory_site *site, const uint64_t offset[WARP_LANES], uint32_t mask, unsigned size)
{
    unsigned ideal;
    unsigned wavefronts = footprint_wavefronts(offset, mask, size, site_is_atomic(site), &ideal);
    site->shape.wavefronts = (uint8_t)(wavefronts > 255 ? 255 : wavefronts);
    site->shape.wavefronts_ideal = (uint8_t)ideal;
}

/* The window's offset of each lane of a request whose shape is known. */
static void lane_offsets(const struct memory_site *site, uint64_t start, uint64_t offset[WARP_LANES])
{
    uint64_t base = start - site->window_address;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        offset[lane] = base + site->shape.delta[lane];
}

/* What the block has moved to and from global memory; bytes of one lane. */
static inline void count_moved(struct block *block, const struct memory_site *site, uint32_t mask, uint64_t bytes)
{
    uint64_t moved = (uint64_t)__builtin_popcount(mask) * bytes;
    if (site->access == SITE_LOAD || site->access == SITE_ATOMIC)
        block->loaded_bytes += moved;
    if (site->access != SITE_LOAD)
        block->stored_bytes += moved;
}

static inline void count_shared_read(struct warp *warp, const struct memory_site *site, uint32_t mask, uint64_t bytes)
{
    uint64_t read = site->access == SITE_LOAD ? (uint64_t)__builtin_popcount(mask) * bytes : 0;
    warp->shared_read += read;
    warp->block->shared_read += read;
}

void counters_request(struct warp *warp, const struct operation *operation, uint64_t start)
{
    struct memory_site *site = operation->site;
    struct shape *shape = &site->shape;
    unsigned size = (unsigned)site->bytes * site->vector;
    uint64_t offset[WARP_LANES];
    if (site->constant)
        return;
    site->requests++;
    if (site->handing != HANDS_NOTHING && (site->strong || site->access == SITE_ATOMIC)) {
        lane_offsets(site, start, offset);
        for (unsigned lane = 0; lane < WARP_LANES && site->allocation; lane++)
            offset[lane] += site->window_address;
        handoff_request(warp, operation, offset, warp->mask, !site->allocation);
    }
    if (!site->allocation) {
        if (!shape->wavefronts) { /* a shift of all addresses rotates the banks: the count is unchanged */
            lane_offsets(site, start, offset);
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                offset[lane] += (uintptr_t)site->window_host;
            count_shared(site, offset, warp->mask, size);
            site_note_worst(site, shape->wavefronts, warp->mask, offset);
        }
        site->units += shape->wavefronts;
        site->conflicts += (uint64_t)shape->wavefronts - shape->wavefronts_ideal;
        count_shared_read(warp, site, warp->mask, size);
        return;
    }
    uint8_t *sectors = &shape->sectors[start % 32];
    if (!*sectors) {
        lane_offsets(site, start, offset);
        *sectors = (uint8_t)footprint_sectors(offset, warp->mask, size);
        site_note_worst(site, *sectors, warp->mask, offset);
    }
    site->units += *sectors;
    count_moved(warp->block, site, warp->mask, size);
    if (site_is_atomic(site)) {
        if (!shape->multiplicity) {
            lane_offsets(site, start, offset);
            shape->multiplicity = (uint8_t)footprint_multiplicity(offset, warp->mask);
        }
        site->serialised += shape->multiplicity;
    }
    touch_request(site, start);
    if (warp->counts_anew) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            offset[lane] = start + shape->delta[lane];
        locality_request(warp, site, offset, warp->mask);
    }
}

void counters_lanes(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t valid)
{
    struct memory_site *site = operation->site;
    struct memory *memory = warp->launch->request->memory;
    unsigned size = (unsigned)site->bytes * site->vector, ideal = 0;
    uint64_t first = address[__builtin_ctz(valid)];
    bool shared = site->space == SITE_SHARED || (site->space == SITE_GENERIC && (first & WINDOW_MASK) == SHARED_WINDOW);
    if (site->constant)
        return;
    site->requests++;
    if (site->handing != HANDS_NOTHING && (site->strong || site->access == SITE_ATOMIC))
        handoff_request(warp, operation, address, valid, shared);
    if (shared) {
        uint64_t offset[WARP_LANES];
        for (unsigned lane = 0; lane < WARP_LANES; lane++) /* slots begin at multiples of 128 bytes, which keeps the banks */
            offset[lane] = address[lane] + (uintptr_t)site->window_host;
        unsigned wavefronts = footprint_wavefronts(offset, valid, size, site_is_atomic(site), &ideal);
        site->units += wavefronts;
        site->conflicts += wavefronts - ideal;
        count_shared_read(warp, site, valid, size);
        if (wavefronts > site->worst.units) {
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                offset[lane] = (address[lane] & ((1u << SHARED_SLOT_BITS) - 1)) - SHARED_SLOT_BASE;
            site_note_worst(site, wavefronts, valid, offset);
        }
        return;
    }
    unsigned sectors = footprint_sectors(address, valid, size);
    site->units += sectors;
    count_moved(warp->block, site, valid, size);
    const struct memory_allocation *of_first = sectors > site->worst.units ? memory_find(memory, first) : NULL;
    if (of_first) {
        uint64_t offset[WARP_LANES];
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            offset[lane] = address[lane] - of_first->address;
        site_note_worst(site, sectors, valid, offset);
    }
    if (site_is_atomic(site))
        site->serialised += footprint_multiplicity(address, valid);
    if (warp->counts_anew)
        locality_request(warp, site, address, valid);
    for (uint32_t rest = valid; rest; rest &= rest - 1) {
        uint64_t place = address[__builtin_ctz(rest)];
        struct memory_allocation *allocation = memory_find(memory, place);
        if (allocation && has_marks(allocation))
            touch(allocation, place - allocation->address, size);
    }
}

void counters_bulk(struct warp *warp, const struct operation *operation, uint64_t address, uint64_t bytes)
{
    struct memory_site *site = operation->site;
    struct memory_allocation *allocation = memory_find(warp->launch->request->memory, address);
    site->requests += (bytes + BULK_REQUEST_BYTES - 1) / BULK_REQUEST_BYTES;
    site->units += (address % 32 + bytes + 31) / 32;
    count_moved(warp->block, site, 1, bytes);
    for (uint64_t done = 0; done < bytes && allocation && has_marks(allocation); done += TOUCHED_AT_ONCE) {
        uint64_t rest = bytes - done;
        touch(allocation, address - allocation->address + done, rest < TOUCHED_AT_ONCE ? rest : TOUCHED_AT_ONCE);
    }
}

void counters_local(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t valid)
{
    uint64_t lines[WARP_LANES];
    unsigned count = 0;
    for (uint32_t rest = valid; rest; rest &= rest - 1) { /* word k of all lanes is one line */
        uint64_t line = address[__builtin_ctz(rest)] / 4;
        unsigned i = 0;
        while (i < count && lines[i] != line)
            i++;
        if (i == count)
            lines[count++] = line;
    }
    unsigned words = ((unsigned)operation->site->bytes * operation->site->vector + 3) / 4;
    warp->launch->local_passes += (uint64_t)count * words;
}
