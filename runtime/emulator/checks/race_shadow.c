/* The shadow of memory that the race checker keeps: lines, cells, and who reads them. */
#include "runtime/emulator/checks/race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/execution/backing.h"

/* Readers of one cell that are kept; a write races with one of these or, all but surely, with none. */
enum { MAX_READERS = 40 };

/* ---- cells: taken in the order of need, given back all at once ---- */

enum { CHUNK_CELLS = 1 << 15, MAX_CHUNKS = 512 };

static struct race_cell *chunks[MAX_CHUNKS];
static size_t chunk_count, used_cells;   /* used: in all chunks, in order */
static bool told;

static struct race_cell *take_cells(unsigned count)
{
    size_t chunk = used_cells / CHUNK_CELLS;
    if (used_cells % CHUNK_CELLS + count > CHUNK_CELLS)
        used_cells = ++chunk * CHUNK_CELLS;
    if (chunk >= MAX_CHUNKS) {
        if (!told)
            fprintf(stderr, "lockstep: a launch needs more than %zu MiB to look for races; "
                            "part of its memory is not looked at\n",
                    (size_t)MAX_CHUNKS * CHUNK_CELLS * sizeof(struct race_cell) >> 20);
        told = true;
        return NULL;
    }
    if (chunk == chunk_count) {
        chunks[chunk] = malloc(CHUNK_CELLS * sizeof **chunks);
        if (!chunks[chunk])
            return NULL;
        chunk_count++;
    }
    struct race_cell *cells = &chunks[chunk][used_cells % CHUNK_CELLS];
    used_cells += count;
    return cells;
}

void race_cells_rewind(void)
{
    enum { KEPT = 16 };
    while (chunk_count > KEPT)
        free(chunks[--chunk_count]);
    used_cells = 0;
}

/* ---- regions and lines ---- */

bool race_allocation_region(struct races *races, struct memory_allocation *allocation, struct race_region *region)
{
    if (allocation->kind == MEMORY_CONST || allocation->kind == MEMORY_PARAM || allocation->read_only)
        return false;
    if (!allocation->races) {
        allocation->races_bytes = (allocation->bytes + RACE_LINE_BYTES - 1) / RACE_LINE_BYTES * sizeof(struct race_line);
        allocation->races = backing_allocate(allocation->races_bytes);
        if (!allocation->races) {
            races->gave_up = true;
            return false;
        }
    }
    *region = (struct race_region){.lines = allocation->races, .tag = races->tag, .allocation = allocation,
                                    .host = allocation->host};
    return true;
}

bool race_shared_region(struct races *races, struct race_block *block, const uint8_t *host)
{
    if (!block->shared.lines) {
        size_t lines = (races->launch->shared_bytes + RACE_LINE_BYTES - 1) / RACE_LINE_BYTES;
        block->shared.lines = calloc(lines + 1, sizeof(struct race_line));
        if (!block->shared.lines) {
            races->gave_up = true;
            return false;
        }
    }
    block->shared.host = host;
    return true;
}

struct race_line *race_line_at(struct race_region *region, uint64_t offset)
{
    struct race_line *line = &region->lines[offset / RACE_LINE_BYTES];
    if (line->tag != region->tag) {
        struct race_line empty = {.tag = region->tag};
        if (region->keeps_cells) {
            empty.cells = line->cells;
            empty.cell_room = line->cell_room;
        }
        *line = empty;
    }
    return line;
}

static unsigned pattern_lane(uint8_t pattern, unsigned word)
{
    return (unsigned)(pattern >> 2) + (word >> (pattern & 3));
}

static struct race_cell cell_of_line(const struct race_line *line, unsigned word)
{
    struct race_cell cell = {.read_only = line->read_only};
    if (line->write_time) {
        cell.write_warp = line->write_warp;
        cell.write_time = line->write_time;
        cell.write_site = line->write_site << 5 | pattern_lane(line->write_pattern, word);
    }
    if (line->read_time) {
        cell.read_warp = line->read_warp;
        cell.read_time = line->read_time;
        cell.read_site = line->read_site;
        cell.read_mask = 1u << pattern_lane(line->read_pattern, word);
    }
    return cell;
}

bool race_expand(struct races *races, struct race_line *line, unsigned count, bool keeps)
{
    if (line->cell_count >= count)
        return true;
    struct race_cell old[RACE_LINE_WORDS];
    unsigned parts = count / RACE_LINE_WORDS;
    for (unsigned word = 0; word < RACE_LINE_WORDS; word++)
        old[word] = line->cell_count ? line->cells[word] : cell_of_line(line, word);
    if (!keeps || line->cell_room < count) {
        line->cells = take_cells(count);
        line->cell_room = (uint8_t)count;
    }
    if (!line->cells) {
        line->cell_room = line->cell_count = 0;
        return false;
    }
    for (unsigned word = 0; word < RACE_LINE_WORDS; word++)
        for (unsigned part = 0; part < parts; part++) {
            struct race_cell *cell = &line->cells[word * parts + part];
            *cell = old[word];
            if (part == 0)
                continue;
            cell->more = 0;   /* every cell has a list of its own */
            uint32_t *end = &cell->more;
            for (uint32_t at = old[word].more; at; at = races->reads[at].next) {
                if (!race_grow(races, (void **)&races->reads, races->read_count, &races->read_capacity,
                               sizeof *races->reads))
                    break;
                races->reads[++races->read_count] = races->reads[at];
                races->reads[races->read_count].next = *end;
                *end = (uint32_t)races->read_count;
            }
        }
    line->cell_count = (uint8_t)count;
    return true;
}

/* ---- readers ---- */

void race_forget_reads(struct races *races, struct race_cell *cell)
{
    cell->read_mask = 0;
    cell->crowded = 0;
    if (!cell->more)
        return;
    uint32_t last = cell->more;
    while (races->reads[last].next)
        last = races->reads[last].next;
    races->reads[last].next = races->free_read;
    races->free_read = cell->more;
    cell->more = 0;
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

/* Did all lanes of a read come before what `lane` does now? */
static bool read_is_past(const struct race_access *access, unsigned lane, uint32_t warp, uint32_t time, uint32_t mask)
{
    if (race_all_ordered(access, warp, time))
        return true;
    for (; mask; mask &= mask - 1)
        if (!race_ordered(access, lane, warp, (unsigned)__builtin_ctz(mask), time))
            return false;
    return true;
}

/* May a read at `now` be noted as part of one at `then`, by the same warp? As long as no fence stands between, nothing can
 * tell the two times apart that has not been asked already. */
static inline bool same_epoch(const struct race_access *access, uint32_t then)
{
    return then == access->races->time || (access->simple && then >= access->floor);
}

/* Puts the latest reader into the list, and takes readers out that are past. Of a block that has only whole barriers to
 * order its warps, three readers are enough: whoever writes races with one of them that is of another warp. */
static void push_reader(const struct race_access *access, struct race_cell *cell, unsigned lane)
{
    struct races *races = access->races;
    uint32_t *link = &cell->more;
    unsigned count = 0, enough = access->simple ? 2 : MAX_READERS;
    while (*link) {
        struct race_read *read = &races->reads[*link];
        if (read->warp == cell->read_warp && read->time == cell->read_time && read->site == cell->read_site) {
            read->mask |= cell->read_mask;
            return;
        }
        if (read_is_past(access, lane, read->warp, read->time, read->mask)) {
            uint32_t gone = *link;
            *link = read->next;
            read->next = races->free_read;
            races->free_read = gone;
            continue;
        }
        if (read->warp == cell->read_warp && access->simple)
            return;
        link = &read->next;
        if (++count >= enough) {
            const struct race_read *first = &races->reads[cell->more];
            bool two_blocks = first->warp / races->warps_per_block != read->warp / races->warps_per_block;
            cell->crowded = two_blocks && !races->node_count && access->simple ? RACE_FOREVER : races->time;
            return;
        }
    }
    uint32_t fresh = take_read(races);
    if (!fresh)
        return;
    races->reads[fresh] = (struct race_read){cell->read_warp, cell->read_time, cell->read_site, cell->read_mask, cell->more};
    cell->more = fresh;
}

/* Looks for what the warp has read here before, in this epoch: moves it to the front. */
static bool recall_reader(const struct race_access *access, struct race_cell *cell, uint32_t lanes)
{
    struct races *races = access->races;
    for (uint32_t at = cell->more; at; at = races->reads[at].next) {
        struct race_read *read = &races->reads[at];
        if (read->warp != access->own->id || !same_epoch(access, read->time))
            continue;
        struct race_read front = *read;
        *read = (struct race_read){cell->read_warp, cell->read_time, cell->read_site, cell->read_mask, read->next};
        cell->read_warp = front.warp;
        cell->read_time = races->time;
        cell->read_site = access->site->number;
        cell->read_mask = front.mask | lanes;
        return true;
    }
    return false;
}

void race_note_read(const struct race_access *access, struct race_cell *cell, uint32_t lanes)
{
    uint32_t now = access->races->time, warp = access->own->id, mask = lanes;
    bool crowded = access->simple && cell->more && cell->crowded >= access->floor
                   && (cell->crowded != RACE_FOREVER || !access->races->node_count);
    if (cell->read_mask && cell->read_warp == warp && same_epoch(access, cell->read_time)) {
        mask |= cell->read_mask;
    } else if (cell->read_mask && !crowded && !race_all_ordered(access, cell->read_warp, cell->read_time)) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        if ((lanes & (lanes - 1)) || !read_is_past(access, lane, cell->read_warp, cell->read_time, cell->read_mask)) {
            if (cell->more && recall_reader(access, cell, lanes))
                return;
            push_reader(access, cell, lane);
        }
    }
    cell->read_warp = warp;
    cell->read_time = now;
    cell->read_site = access->site->number;
    cell->read_mask = mask;
}

void race_note_write(const struct race_access *access, struct race_cell *cell, unsigned lane)
{
    cell->write_warp = access->own->id;
    cell->write_time = access->races->time;
    cell->write_site = access->site->number << 5 | lane;
    if (cell->read_mask || cell->more)
        race_forget_reads(access->races, cell);
}
