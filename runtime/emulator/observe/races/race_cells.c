/* Races: a request against the cells, and the cells after it. */
#include "runtime/emulator/observe/races/race.h"

#include <string.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/work.h"
#include "runtime/emulator/observe/races/race_shadow.h"

/* ---- one cell ---- */

static inline const struct race_reader *reader_at(const struct race_line *line, unsigned index)
{
    return line->readers && line->readers[index].mask ? &line->readers[index] : NULL;
}

/* One reader represents all: of another warp, if there is one. */
static void check_reads(const struct race_access *access, const struct race_reader *reader, unsigned lane, uint64_t offset,
                        unsigned element)
{
    const struct races *races = access->races;
    uint32_t next = reader->more;
    struct race_read read = {reader->segment, reader->site & ~RACE_WROTE, reader->mask, 0, 0};
    struct race_prior found = {0};
    for (bool more = true; more && (!found.site || found.warp == access->own->id);) {
        const struct race_segment *segment = &races->segments[read.segment];
        bool harmless = race_all_ordered(access, segment->warp, segment->time)
                        || race_cannot(access, segment->warp, read.site & ~RACE_WROTE);
        uint32_t rest = harmless ? 0 : read.mask;
        for (; rest; rest &= rest - 1) {
            unsigned other = (unsigned)__builtin_ctz(rest);
            if (race_ordered(access, lane, segment->warp, other, segment->time))
                continue;
            if (!found.site || segment->warp != access->own->id)
                found = (struct race_prior){segment->warp, read.site, other, false};
            break;
        }
        more = next != 0;
        if (more)
            read = races->reads[next];
        next = read.next;
    }
    if (found.site)
        race_judge(access, lane, &found, offset, element);
}

/* Has the lane seen the place change, in a loop that waits for that? Then what it writes there is ordered after what it
 * saw. */
static bool has_awaited(const struct race_access *access, const struct race_reader *reader, unsigned lane)
{
    struct races *races = access->races;
    struct race_read read = {reader->segment, reader->site, reader->mask, reader->more, 0};
    if (reader->site & RACE_WROTE)
        return false;
    while (races->segments[read.segment].warp != access->own->id || !(read.mask >> lane & 1)
           || !races->sites[read.site].site->strong || !race_polls(races, read.site)) {
        if (!read.next)
            return false;
        read = races->reads[read.next];
    }
    return true;
}

/* Does a volatile store follow an atomic operation on the place by the same thread? That one came after all that others had
 * done there before. */
static bool has_taken(const struct race_access *access, const struct race_write *write, unsigned lane)
{
    const struct races *races = access->races;
    if (!access->site->is_volatile || access->site->access != SITE_STORE || !write || !write->segment)
        return false;
    const struct memory_site *site = races->sites[(write->site & ~RACE_READ_ONLY) >> 5].site;
    return races->segments[write->segment].warp == access->own->id && (write->site & 31) == lane
           && (site->access == SITE_ATOMIC || site->access == SITE_REDUCTION);
}

/* Is it data, whose order must not rest on a relaxed read? Under a lock what is written is, too, and what is volatile, which
 * no lock orders by itself. */
static bool needs_fence(const struct race_access *access, unsigned lane, uint32_t prior)
{
    struct races *races = access->races;
    bool holds = access->own->locks && access->own->locks[lane].held;
    if (!access->site->strong)
        return !access->write || holds;
    return holds && access->site->is_volatile && races->sites[prior].site->is_volatile
           && !race_polls(races, access->site->number) && !race_polls(races, prior);
}

static void check_cell(const struct race_access *access, const struct race_line *line, unsigned lane, uint64_t offset,
                       unsigned element)
{
    unsigned index = race_cell_index(line, offset);
    const struct race_reader *reader = reader_at(line, index);
    const struct race_write *write = line->writes ? &line->writes[index] : NULL;
    if (write && write->segment) {
        const struct race_segment *segment = &access->races->segments[write->segment];
        struct race_prior prior = {segment->warp, (write->site & ~RACE_READ_ONLY) >> 5, write->site & 31, true};
        bool ordered = race_cannot(access, prior.warp, prior.site)
                       || race_ordered(access, lane, prior.warp, prior.lane, segment->time);
        bool takes_turns = !ordered && access->write && access->site->is_volatile && reader
                           && has_awaited(access, reader, lane);
        if (!ordered && !(takes_turns && access->races->sites[prior.site].site->strong))
            race_judge(access, lane, &prior, offset, element);
        else if (ordered && access->own->relaxed >> lane & 1 && needs_fence(access, lane, prior.site)
                 && !race_ordered_strictly(access, lane, prior.warp, prior.lane, segment->time))
            race_relaxed_order(access, lane, &prior, offset);
        if (access->site->read_only_path)
            race_read_only(access, lane, &prior, offset);
    }
    if (reader && (access->write || reader->site & RACE_WROTE)
        && !(reader->site & RACE_WROTE && has_taken(access, write, lane)))
        check_reads(access, reader, lane, offset, element);
    if (access->write && write && write->site & RACE_READ_ONLY)
        race_read_only(access, lane, &(struct race_prior){access->own->id, line->read_only, lane, false}, offset);
}

/* Is it certain, after a few steps, that these lanes may touch the cell? */
static inline bool is_fine(const struct race_access *access, const struct race_line *line, unsigned index, uint32_t lanes)
{
    const struct race_segment *segments = access->races->segments;
    if (line->read_only || access->site->read_only_path)
        return false;
    if (line->writes && line->writes[index].segment) {
        const struct race_write *write = &line->writes[index];
        const struct race_segment *segment = &segments[write->segment];
        if (write->site >> 5 != access->settled && !(segment->warp == access->own->id && lanes == 1u << (write->site & 31))
            && !race_all_ordered(access, segment->warp, segment->time))
            return false;
    }
    const struct race_reader *reader = reader_at(line, index);
    if (!reader || (!access->write && !(reader->site & RACE_WROTE)))
        return true;
    const struct race_segment *segment = &segments[reader->segment];
    return !reader->more
           && (reader->site == (access->settled | RACE_WROTE) || (segment->warp == access->own->id && reader->mask == lanes)
               || race_all_ordered(access, segment->warp, segment->time));
}

/* ---- one lane ---- */

bool race_cells_ready(const struct race_access *access, uint64_t offset, unsigned bytes, unsigned count)
{
    const struct race_line *only = &access->region->lines[offset / RACE_LINE_BYTES];
    if (only->tag == access->region->tag && only->cell_count >= count && offset % RACE_LINE_BYTES + bytes <= RACE_LINE_BYTES)
        return true;
    for (uint64_t line = offset / RACE_LINE_BYTES; line <= (offset + bytes - 1) / RACE_LINE_BYTES; line++)
        if (!race_expand(access->races, access->region, race_line_at(access->region, line * RACE_LINE_BYTES), count))
            return false;
    return true;
}

void race_check_lane(const struct race_access *access, unsigned lane, uint64_t offset, unsigned bytes)
{
    work_add(WORK_SHADOW_LANE);
    for (uint64_t at = offset; at < offset + bytes; at += race_cell_bytes(access->region, at)) {
        const struct race_line *line = &access->region->lines[at / RACE_LINE_BYTES];
        if (!is_fine(access, line, race_cell_index(line, at), 1u << lane))
            check_cell(access, line, lane, at, (unsigned)(at - offset));
    }
}

static void note_read_only(const struct race_access *access, struct race_line *line, unsigned index)
{
    line->read_only = access->site->number;
    if (race_writes_of(access->region, line))
        line->writes[index].site |= RACE_READ_ONLY;
}

void race_note_lane(const struct race_access *access, unsigned lane, uint64_t offset, unsigned bytes)
{
    for (uint64_t at = offset; at < offset + bytes; at += race_cell_bytes(access->region, at)) {
        struct race_line *line = &access->region->lines[at / RACE_LINE_BYTES];
        unsigned index = race_cell_index(line, at);
        if (access->write)
            race_note_write(access, line, index, lane);
        else if (race_readers_of(access->region, line))
            race_note_read(access, &line->readers[index], 1u << lane);
        if (access->site->read_only_path)
            note_read_only(access, line, index);
    }
}

/* ---- lanes of a request ---- */

static bool is_rising(uint32_t mask, const uint64_t *offset)
{
    uint64_t last = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint64_t next = offset[__builtin_ctz(rest)];
        if (rest != mask && next <= last)
            return false;
        last = next;
    }
    return true;
}

/* Two lanes of a store at one place. */
static void check_same_store(const struct race_access *access, uint32_t mask, const uint64_t *offset)
{
    unsigned seen[64];
    memset(seen, 0xFF, sizeof seen);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest), bytes = access->site->request_bytes;
        unsigned slot = (unsigned)((offset[lane] / bytes * UINT64_C(0x9E3779B97F4A7C15)) >> 58);
        while (seen[slot] != UINT32_MAX && offset[seen[slot]] != offset[lane])
            slot = (slot + 1) % 64;
        if (seen[slot] != UINT32_MAX)
            race_same_store(access, lane, seen[slot], offset[lane]);
        seen[slot] = lane;
    }
}

/* A lane writes one cell: checks and remembers it where that takes a few steps. at_once: no other lane is at its place.
 * Returns false where more must be checked: then nothing is done. */
static inline bool write_simply(const struct race_access *access, unsigned lane, uint64_t offset, bool at_once)
{
    struct race_line *line = &access->region->lines[offset / RACE_LINE_BYTES];
    unsigned bytes = access->site->request_bytes;
    if (line->tag != access->region->tag || line->cell_count != RACE_LINE_BYTES / bytes || !line->writes || line->read_only)
        return false;
    unsigned index = (unsigned)(offset % RACE_LINE_BYTES) / bytes;
    struct race_write *write = &line->writes[index];
    struct race_reader *reader = line->readers ? &line->readers[index] : NULL;
    uint32_t site = access->site->number << 5 | lane;
    if (access->settled != RACE_FOREVER) { /* two writes are kept, of two threads: race_note_write() */
        if (write->site >> 5 != access->settled || !reader
            || (reader->mask && reader->site != (access->settled | RACE_WROTE)))
            return false;
        uint32_t warp = access->races->segments[write->segment].warp;
        bool own = warp == access->own->id && (write->site & 31) == lane;
        if (!own && !(reader->mask && race_keeps_farther(access, reader, warp, lane)))
            *reader = (struct race_reader){write->segment, access->settled | RACE_WROTE, 1u << (write->site & 31), 0};
    } else if (!at_once || access->site->strong || (reader && reader->mask)) {
        return false;
    } else if (write->segment && (write->segment != access->segment || (write->site & 31) != lane)) {
        const struct race_segment *segment = &access->races->segments[write->segment];
        if (!race_all_ordered(access, segment->warp, segment->time))
            return false;
    }
    *write = (struct race_write){access->segment, site};
    line->crowd = 0;
    return true;
}

/* The same for the first of the lanes `rest` and those after it in its line, all at different places, of a plain store.
 * Returns the lanes that are left: from the first one of which more must be checked. */
static inline uint32_t write_line(const struct race_access *access, uint32_t rest, const uint64_t *offset)
{
    uint64_t number = offset[__builtin_ctz(rest)] / RACE_LINE_BYTES;
    struct race_line *line = &access->region->lines[number];
    unsigned bytes = access->site->request_bytes, shift = (unsigned)__builtin_ctz(bytes);
    if (line->tag != access->region->tag || line->cell_count != RACE_LINE_BYTES >> shift || !line->writes || line->read_only)
        return rest;
    const struct race_segment *segments = access->races->segments;
    for (; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (offset[lane] / RACE_LINE_BYTES != number)
            break;
        unsigned index = (unsigned)(offset[lane] % RACE_LINE_BYTES) >> shift;
        struct race_write *write = &line->writes[index];
        if (line->readers && line->readers[index].mask)
            break;
        if (write->segment && (write->segment != access->segment || (write->site & 31) != lane)) {
            const struct race_segment *segment = &segments[write->segment];
            if (!race_all_ordered(access, segment->warp, segment->time))
                break;
        }
        *write = (struct race_write){access->segment, access->site->number << 5 | lane};
        line->crowd = 0;
    }
    return rest;
}

/* ---- lanes at one place ---- */

/* May one lane represent all of the warp that do the same at one place? Where only barriers order threads they are ordered
 * alike with every other thread, so they meet the same conflicts. */
static inline bool are_alike(const struct race_access *access)
{
    return access->simple && !access->races->node_count && !access->own->relaxed && !access->own->locks
           && !access->site->strong && !access->site->read_only_path;
}

/* Lanes of the warp that the cell may name: these meet conflicts that the others do not. */
static inline uint32_t named_lanes(const struct race_access *access, const struct race_line *line, unsigned index)
{
    const struct races *races = access->races;
    const struct race_write *write = line->writes ? &line->writes[index] : NULL;
    const struct race_reader *reader = reader_at(line, index);
    uint32_t named = 0;
    if (write && write->segment && races->segments[write->segment].warp == access->own->id)
        named |= 1u << (write->site & 31);
    if (reader && races->segments[reader->segment].warp == access->own->id && !(reader->mask & (reader->mask - 1)))
        named |= reader->mask;
    return named;
}

/* Checks lanes; all that are not named meet the same conflicts. */
static void check_alike(const struct race_access *access, uint32_t lanes, uint32_t named, uint64_t offset, unsigned bytes)
{
    struct race_access one = *access;
    bool done = false;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        bool alone = named >> lane & 1;
        if (alone || !done) {
            one.alike = alone ? 1 : (uint32_t)__builtin_popcount(lanes & ~named);
            race_check_lane(&one, lane, offset, bytes);
        }
        done |= !alone;
    }
}

/* Lanes store the same bytes at one place. Returns false where each must be checked: then nothing is done. */
static bool store_together(const struct race_access *access, uint32_t mask, const uint64_t *offset)
{
    unsigned bytes = access->site->request_bytes, first = (unsigned)__builtin_ctz(mask);
    uint64_t place = offset[first];
    uint32_t others = mask & (mask - 1), named = 0;
    if (access->atomic || !are_alike(access))
        return false;
    for (uint32_t rest = others; rest; rest &= rest - 1)
        if (offset[__builtin_ctz(rest)] != place)
            return false;
    if (!race_stores_alike(access, mask))
        return false;
    if (!race_cells_ready(access, place, bytes, race_cells_needed(access->site)))
        return true;
    for (uint64_t at = place; at < place + bytes; at += race_cell_bytes(access->region, at)) {
        const struct race_line *line = &access->region->lines[at / RACE_LINE_BYTES];
        named |= named_lanes(access, line, race_cell_index(line, at));
    }
    check_alike(access, mask, named, place, bytes);
    struct race_access one = *access;
    one.alike = (uint32_t)__builtin_popcount(others);
    race_same_store(&one, (unsigned)__builtin_ctz(others), first, place);
    race_note_lane(access, 31 - (unsigned)__builtin_clz(mask), place, bytes);
    return true;
}

void race_check_lanes(const struct race_access *access, uint32_t mask, const uint64_t *offset)
{
    const struct memory_site *site = access->site;
    unsigned bytes = site->request_bytes, count = race_cells_needed(site);
    uint32_t ready = 0;
    if (access->own->locks || race_is_swap(site))
        race_follow_locks(access, mask, offset);
    if (site->strong && access->races->stores_volatile)
        race_follow_owners(access, mask, offset);
    /* Lanes at one place must not be mistaken for an earlier request, nor hide one. */
    bool at_once = !access->write || is_rising(mask, offset);
    bool synchronises = site->strong && access->operation->handler != HANDLER_mbarrier /* which orders by its phases */
                        && (access->races->chains.count || access->own->fences || access->block->any_met || site->release);
    if (!at_once && !synchronises && store_together(access, mask, offset))
        return;
    bool is_simple = access->write && bytes <= 4 && !synchronises && !site->read_only_path;
    bool by_line = is_simple && at_once && !site->strong && access->settled == RACE_FOREVER;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        if (by_line && !(rest = write_line(access, rest, offset)))
            break;
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if ((is_simple && !by_line && write_simply(access, lane, offset[lane], at_once))
            || !race_cells_ready(access, offset[lane], bytes, count))
            continue;
        ready |= 1u << lane;
        if (synchronises)
            race_synchronise(access, lane, race_place_key(access, offset[lane]));
        race_check_lane(access, lane, offset[lane], bytes);
        if (at_once)
            race_note_lane(access, lane, offset[lane], bytes);
    }
    if (at_once)
        return;
    if (!access->atomic)
        check_same_store(access, ready, offset);
    for (uint32_t rest = ready; rest; rest &= rest - 1)
        race_note_lane(access, (unsigned)__builtin_ctz(rest), offset[__builtin_ctz(rest)], bytes);
}

/* ---- whole lines ---- */

/* A whole warp accesses a line in the order of its lanes. Returns false when the line's cells must be checked. */
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
    unsigned bytes = access->site->request_bytes, shift = (unsigned)__builtin_ctz(bytes) - 2;
    unsigned lanes = RACE_LINE_BYTES / bytes;
    for (unsigned first = 0; first < WARP_LANES; first += lanes) {
        uint64_t at = start + (uint64_t)first * bytes, offset[WARP_LANES];
        if (do_line(access, race_line_at(access->region, at), (uint8_t)(first << 2 | shift)))
            continue;
        for (unsigned lane = first; lane < first + lanes; lane++)
            offset[lane] = start + (uint64_t)lane * bytes;
        race_check_lanes(access, lanes == 32 ? ALL_LANES : ((1u << lanes) - 1) << first, offset);
    }
}

/* ---- places: what several lanes read ---- */

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

/* Some lanes read a cell. */
static inline void read_cell(const struct race_access *access, struct race_line *line, uint32_t lanes, uint64_t at,
                             unsigned element)
{
    unsigned index = race_cell_index(line, at);
    if (!is_fine(access, line, index, lanes)) {
        struct race_access one = *access;
        uint32_t named = are_alike(access) ? named_lanes(access, line, index) : lanes, alike = lanes & ~named;
        one.alike = (uint32_t)__builtin_popcount(alike);
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            if (named >> lane & 1)
                check_cell(access, line, lane, at, element);
            else if (rest == lanes || !((lanes & ~rest) & alike))
                check_cell(&one, line, lane, at, element);
        }
    }
    if (!race_readers_of(access->region, line))
        return;
    struct race_reader *reader = &line->readers[index];
    bool noted = reader->segment == access->segment && (reader->mask & lanes) == lanes && !(reader->site & RACE_WROTE);
    if (noted || (reader->more && !access->races->node_count && race_is_crowded(access, reader)))
        return;
    race_note_read(access, reader, lanes);
    if (line->cell_count == RACE_LINE_WORDS && reader->more && access->races->reads[reader->more].crowded == RACE_FOREVER)
        line->crowd |= 1u << index;
}

/* A plain load of whole words: lanes that read one place are checked together. */
static void do_places(const struct race_access *access, struct memory_site *site, uint64_t base)
{
    const struct shape *shape = &site->shape;
    struct race_layout *layout = race_layout(access->races, site);
    if (!layout)
        return;
    unsigned bytes = site->request_bytes;
    if (!layout->place_count)
        list_places(shape, layout);
    for (unsigned i = 0; i < layout->place_count; i++) {
        uint64_t offset = base + shape->delta[layout->place_first[i]];
        struct race_line *line = &access->region->lines[offset / RACE_LINE_BYTES];
        uint32_t words = (bytes < RACE_LINE_BYTES ? (1u << bytes / 4) - 1 : UINT32_MAX) << offset % RACE_LINE_BYTES / 4;
        if (line->tag == access->region->tag && line->cell_count && (line->crowd & words) == words
            && !access->races->node_count)
            continue;
        if (!race_cells_ready(access, offset, bytes, RACE_LINE_WORDS))
            continue;
        for (uint64_t at = offset; at < offset + bytes; at += race_cell_bytes(access->region, at))
            read_cell(access, &access->region->lines[at / RACE_LINE_BYTES], layout->place_lanes[i], at,
                      (unsigned)(at - offset));
    }
}

void race_check_request(const struct race_access *access, uint64_t base)
{
    struct memory_site *site = access->operation->site;
    bool plain = !site->strong && !access->own->locks;
    if (site->shape.kind == SHAPE_CONTIGUOUS && base % RACE_LINE_BYTES == 0 && site->request_bytes >= 4
        && site->request_bytes <= 16 && plain) {
        do_contiguous(access, base);
        return;
    }
    if (!access->write && plain && !site->read_only_path && site->request_bytes >= 4) {
        do_places(access, site, base);
        return;
    }
    uint64_t offset[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        offset[lane] = base + site->shape.delta[lane];
    race_check_lanes(access, access->warp->mask, offset);
}
