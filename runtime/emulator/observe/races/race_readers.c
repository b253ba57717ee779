/* Which threads have read a cell of the shadow, and which have written it. */
#include "runtime/emulator/observe/races/race_shadow.h"

#include "runtime/emulator/observe/races/race.h"

/* Readers of one cell that are kept; a write races with one of these or, almost certainly, with none. */
enum { MAX_READERS = 40 };

static void give_back(struct races *races, uint32_t index)
{
    races->reads[index].next = races->free_read;
    races->free_read = index;
}

static uint32_t take_read(struct races *races)
{
    uint32_t index = races->free_read;
    if (index) {
        races->free_read = races->reads[index].next;
        return index;
    }
    if (!race_grow(races, (void **)&races->reads, races->read_count, &races->read_capacity, sizeof *races->reads))
        return 0;
    return (uint32_t)++races->read_count;
}

static void forget_reads(struct races *races, struct race_reader *reader)
{
    for (uint32_t at = reader->more, next; at; at = next) {
        next = races->reads[at].next;
        give_back(races, at);
    }
    *reader = (struct race_reader){0};
}

bool race_is_crowded(const struct race_access *access, const struct race_reader *reader)
{
    const struct races *races = access->races;
    if (!access->simple || !reader->more)
        return false;
    uint32_t crowded = races->reads[reader->more].crowded;
    return crowded >= access->floor && (crowded != RACE_FOREVER || !races->node_count);
}

/* Did all lanes of a read come before what `lane` does now? */
static bool read_is_past(const struct race_access *access, unsigned lane, const struct race_segment *segment, uint32_t mask)
{
    if (race_all_ordered(access, segment->warp, segment->time))
        return true;
    for (; mask; mask &= mask - 1)
        if (!race_ordered(access, lane, segment->warp, (unsigned)__builtin_ctz(mask), segment->time))
            return false;
    return true;
}

/* May a read now be noted as part of an earlier one by the same warp? As long as no fence is between them, the two times
 * differ only for accesses that were already checked. */
static inline bool same_epoch(const struct race_access *access, uint32_t segment)
{
    return segment == access->segment || (access->simple && access->races->segments[segment].time >= access->floor);
}

/* Puts the latest reader into the list, and removes readers that are past. Of a block whose warps only whole barriers
 * order, three readers are enough: a write races with one of them that is of another warp. */
static void push_reader(const struct race_access *access, struct race_reader *reader, unsigned lane)
{
    struct races *races = access->races;
    const struct race_segment *segments = races->segments;
    uint32_t *link = &reader->more, warp = segments[reader->segment].warp;
    unsigned count = 0, enough = access->simple ? 2 : MAX_READERS;
    while (*link) {
        struct race_read *read = &races->reads[*link];
        const struct race_segment *segment = &segments[read->segment];
        if (read->segment == reader->segment && read->site == reader->site) {
            read->mask |= reader->mask;
            return;
        }
        if (read_is_past(access, lane, segment, read->mask)) {
            uint32_t gone = *link;
            *link = read->next;
            give_back(races, gone);
            continue;
        }
        if (segment->warp == warp && access->simple)
            return;
        link = &read->next;
        if (++count >= enough) {
            struct race_read *first = &races->reads[reader->more];
            uint32_t block = segment->warp / races->warps_per_block;
            bool two_blocks = segments[first->segment].warp / races->warps_per_block != block;
            first->crowded = two_blocks && !races->node_count && access->simple ? RACE_FOREVER : races->time;
            return;
        }
    }
    uint32_t fresh = take_read(races);
    if (!fresh)
        return;
    races->reads[fresh] = (struct race_read){reader->segment, reader->site, reader->mask, reader->more, 0};
    reader->more = fresh;
}

/* Looks for an earlier read here by the warp, in this epoch: moves it to the front. */
static bool recall_reader(const struct race_access *access, struct race_reader *reader, uint32_t lanes)
{
    struct races *races = access->races;
    for (uint32_t at = reader->more; at; at = races->reads[at].next) {
        struct race_read *read = &races->reads[at];
        if (races->segments[read->segment].warp != access->own->id || !same_epoch(access, read->segment))
            continue;
        uint32_t mask = read->mask | lanes;
        *read = (struct race_read){reader->segment, reader->site, reader->mask, read->next, read->crowded};
        *reader = (struct race_reader){access->segment, access->site->number, mask, reader->more};
        return true;
    }
    return false;
}

/* Keeps an earlier read by the same warp, in another statement and by other lanes, beside the one that is to be noted: a finding
 * names the statement that its lane has read in. One such statement is kept; returns false where the two become one. */
static bool keep_statement(const struct race_access *access, struct race_reader *reader)
{
    struct races *races = access->races;
    uint32_t crowded = reader->more ? races->reads[reader->more].crowded : 0;
    for (uint32_t at = reader->more; at; at = races->reads[at].next) {
        struct race_read *read = &races->reads[at];
        if (races->segments[read->segment].warp != access->own->id)
            continue;
        if (read->site != reader->site || !same_epoch(access, read->segment))
            return false;
        read->mask |= reader->mask;
        return true;
    }
    uint32_t fresh = take_read(races);
    if (!fresh)
        return false;
    races->reads[fresh] = (struct race_read){reader->segment, reader->site, reader->mask, reader->more, crowded};
    reader->more = fresh;
    return true;
}

void race_note_read(const struct race_access *access, struct race_reader *reader, uint32_t lanes)
{
    struct races *races = access->races;
    uint32_t mask = lanes;
    if (reader->mask && reader->site & RACE_WROTE && race_guesses(races, access->site->number, reader->site & ~RACE_WROTE))
        return; /* the write says more than a load that does not race with it */
    if (reader->mask && !(reader->site & RACE_WROTE)) {
        const struct race_segment *segment = &races->segments[reader->segment];
        bool enough = race_is_crowded(access, reader);
        if (segment->warp == access->own->id && same_epoch(access, reader->segment)) {
            bool other = reader->site != access->site->number && reader->mask & ~lanes;
            mask |= other && keep_statement(access, reader) ? 0 : reader->mask;
        } else if (!enough && !race_all_ordered(access, segment->warp, segment->time)) {
            unsigned lane = (unsigned)__builtin_ctz(lanes);
            if ((lanes & (lanes - 1)) || !read_is_past(access, lane, segment, reader->mask)) {
                if (reader->more && recall_reader(access, reader, lanes))
                    return;
                push_reader(access, reader, lane);
            }
        }
    }
    reader->segment = access->segment;
    reader->site = access->site->number;
    reader->mask = mask;
}

/* Are there plain reads with which others of the block may not be ordered? Guesses do not count: their threads' atomic operations
 * are remembered in their stead. */
static bool plain_reads_remain(const struct race_access *access, const struct race_reader *reader)
{
    struct races *races = access->races;
    if (!reader->mask || reader->site & RACE_WROTE || races->sites[reader->site].site->strong)
        return false;
    bool guesses = race_is_atomic(access->site) && race_is_guess(races, reader->site);
    for (uint32_t at = reader->more; guesses && at; at = races->reads[at].next)
        guesses = race_is_guess(races, races->reads[at].site);
    if (guesses)
        return false;
    const struct race_segment *segment = &races->segments[reader->segment];
    bool same_block = segment->warp - access->block->first_warp < races->warps_per_block;
    return reader->more || !same_block || access->block->any_gone || segment->time >= access->block->barrier_time;
}

/* Strong writes do not conflict with one another, so the last one and the farthest one not past are kept, of two threads:
 * any other access to the cell races with one of them. A thread's plain write is kept beside its strong one, with which
 * others may not conflict. */
static void keep_write(const struct race_access *access, struct race_line *line, unsigned index, unsigned lane)
{
    struct races *races = access->races;
    const struct race_write last = line->writes[index];
    const struct race_segment *segment = &races->segments[last.segment];
    uint32_t number = (last.site & ~RACE_READ_ONLY) >> 5, last_lane = last.site & 31;
    bool own = segment->warp == access->own->id && last_lane == lane, strong = races->sites[number].site->strong;
    const struct race_reader *kept = line->readers && line->readers[index].site & RACE_WROTE ? &line->readers[index] : NULL;
    if (strong && kept && (own || race_keeps_farther(access, kept, segment->warp, lane)))
        return; /* the other one is kept */
    if (line->readers && line->readers[index].mask)
        forget_reads(races, &line->readers[index]);
    if (strong == own || race_all_ordered(access, segment->warp, segment->time)
        || (!own && races->node_count && !race_cannot(access, segment->warp, number)
            && race_ordered(access, lane, segment->warp, last_lane, segment->time)))
        return;
    if (race_readers_of(access->region, line))
        line->readers[index] = (struct race_reader){last.segment, number | RACE_WROTE, 1u << last_lane, 0};
}

void race_note_write(const struct race_access *access, struct race_line *line, unsigned index, unsigned lane)
{
    struct race_write *writes = race_writes_of(access->region, line);
    if (!writes)
        return;
    bool strong = access->site->strong;
    /* A strong write need not order plain reads before it for later writers: these are compared with both. */
    if (!(strong && line->readers && plain_reads_remain(access, &line->readers[index]))) {
        if (strong && writes[index].segment)
            keep_write(access, line, index, lane);
        else if (line->readers && line->readers[index].mask)
            forget_reads(access->races, &line->readers[index]);
    }
    writes[index].segment = access->segment;
    writes[index].site = access->site->number << 5 | lane | (writes[index].site & RACE_READ_ONLY);
    line->crowd = 0;
}
