/* The shadow of memory that the race checker keeps: lines and cells. */
#include "runtime/emulator/observe/races/race_shadow.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/backing.h"
#include "runtime/emulator/observe/races/race_pool.h"

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
    *region = (struct race_region){
        .lines = allocation->races, .tag = races->tag, .allocation = allocation, .host = allocation->host};
    return true;
}

bool race_shared_region(struct races *races, struct race_block *block, const uint8_t *host)
{
    struct race_region *region = &block->shared;
    region->host = host;
    if (region->lines && region->kept)
        return true;
    size_t lines = (races->launch->shared_room + RACE_LINE_BYTES - 1) / RACE_LINE_BYTES + 1;
    if (!region->lines)
        region->lines = calloc(lines, sizeof *region->lines);
    if (!region->kept)
        region->kept = calloc(lines, sizeof *region->kept);
    if (region->lines && region->kept)
        return true;
    races->gave_up = true;
    return false;
}

struct race_line *race_line_at(struct race_region *region, uint64_t offset)
{
    struct race_line *line = &region->lines[offset / RACE_LINE_BYTES];
    if (line->tag != region->tag)
        *line = (struct race_line){.tag = region->tag};
    return line;
}

struct race_write *race_writes_of(struct race_region *region, struct race_line *line)
{
    if (line->writes)
        return line->writes;
    struct race_kept *kept = region->kept ? &region->kept[line - region->lines] : NULL;
    if (kept && kept->write_room >= line->cell_count) {
        line->writes = memset(kept->writes, 0, line->cell_count * sizeof *kept->writes);
        return line->writes;
    }
    line->writes = race_take_writes(line->cell_count);
    if (kept && line->writes) {
        kept->writes = line->writes;
        kept->write_room = line->cell_count;
    }
    return line->writes;
}

struct race_reader *race_readers_of(struct race_region *region, struct race_line *line)
{
    if (line->readers)
        return line->readers;
    struct race_kept *kept = region->kept ? &region->kept[line - region->lines] : NULL;
    if (kept && kept->reader_room >= line->cell_count) {
        line->readers = memset(kept->readers, 0, line->cell_count * sizeof *kept->readers);
        return line->readers;
    }
    line->readers = race_take_readers(line->cell_count);
    if (kept && line->readers) {
        kept->readers = line->readers;
        kept->reader_room = line->cell_count;
    }
    return line->readers;
}

/* ---- expanding a line ---- */

static unsigned pattern_lane(uint8_t pattern, unsigned word)
{
    return (unsigned)(pattern >> 2) + (word >> (pattern & 3));
}

/* What the whole line knew, by word. Returns false when out of memory. */
static bool split_line(struct races *races, struct race_region *region, struct race_line *line, unsigned count)
{
    const struct race_line whole = *line;
    unsigned parts = count > RACE_LINE_WORDS ? count / RACE_LINE_WORDS : 1;
    uint32_t write = 0, read = 0, flag = whole.read_only ? RACE_READ_ONLY : 0;
    if (whole.write_time && !(write = race_new_segment(races, whole.write_warp, whole.write_time)))
        return false;
    if (whole.read_time && !(read = race_new_segment(races, whole.read_warp, whole.read_time)))
        return false;
    line->cell_count = (uint8_t)count;
    line->writes = NULL;
    line->readers = NULL;
    line->crowd = 0;
    if (((write || flag) && !race_writes_of(region, line)) || (read && !race_readers_of(region, line))) {
        *line = (struct race_line){.tag = whole.tag};
        return false;
    }
    for (unsigned i = 0; i < count && (write || flag); i++)
        line->writes[i] = (struct race_write){
            write, (write ? whole.write_site << 5 | pattern_lane(whole.write_pattern, i / parts) : 0) | flag};
    for (unsigned i = 0; i < count && read; i++)
        line->readers[i] = (struct race_reader){read, whole.read_site, 1u << pattern_lane(whole.read_pattern, i / parts), 0};
    return true;
}

/* Every cell has its own list. */
static uint32_t copy_list(struct races *races, uint32_t list)
{
    uint32_t copy = 0, last = 0;
    for (uint32_t at = list; at; at = races->reads[at].next) {
        if (!race_grow(races, (void **)&races->reads, races->read_count, &races->read_capacity, sizeof *races->reads))
            break;
        uint32_t fresh = (uint32_t)++races->read_count;
        races->reads[fresh] = races->reads[at];
        races->reads[fresh].next = 0;
        if (last)
            races->reads[last].next = fresh;
        else
            copy = fresh;
        last = fresh;
    }
    return copy;
}

/* Cells become several smaller ones. Returns false when out of memory: the line is unchanged. */
static bool split_cells(struct races *races, struct race_region *region, struct race_line *line, unsigned count)
{
    struct race_write writes[RACE_LINE_BYTES];
    struct race_reader readers[RACE_LINE_BYTES];
    const struct race_line old = *line;
    unsigned parts = count / old.cell_count;
    if (old.writes)
        memcpy(writes, old.writes, old.cell_count * sizeof *writes);
    if (old.readers)
        memcpy(readers, old.readers, old.cell_count * sizeof *readers);
    line->cell_count = (uint8_t)count;
    line->writes = NULL;
    line->readers = NULL;
    if ((old.writes && !race_writes_of(region, line)) || (old.readers && !race_readers_of(region, line))) {
        *line = (struct race_line){.tag = old.tag};
        return false;
    }
    for (unsigned i = 0; i < count && old.writes; i++)
        line->writes[i] = writes[i / parts];
    for (unsigned i = 0; i < count && old.readers; i++) {
        line->readers[i] = readers[i / parts];
        if (i % parts)
            line->readers[i].more = copy_list(races, readers[i / parts].more);
    }
    return true;
}

bool race_expand(struct races *races, struct race_region *region, struct race_line *line, unsigned count)
{
    if (line->cell_count >= count)
        return true;
    return line->cell_count ? split_cells(races, region, line, count) : split_line(races, region, line, count);
}
