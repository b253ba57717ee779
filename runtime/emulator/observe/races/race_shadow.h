/* The shadow of memory that the race checker keeps: who has which lines and cells. */
#ifndef EMULATOR_RACE_SHADOW_H
#define EMULATOR_RACE_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/emulator/observe/races/race.h"

/* ---- race_shadow.c ---- */

/* The line, emptied when it belongs to another launch or block. */
struct race_line *race_line_at(struct race_region *region, uint64_t offset);
/* Gives the line cells for at least `count` parts. */
bool race_expand(struct races *races, struct race_region *region, struct race_line *line, unsigned count);
/* The writes of an expanded line, to add one, or its readers. NULL when out of memory: then part is not checked. */
struct race_write *race_writes_of(struct race_region *region, struct race_line *line);
struct race_reader *race_readers_of(struct race_region *region, struct race_line *line);

/* Shadow of an allocation; false: it is not tracked. */
bool race_allocation_region(struct races *races, struct memory_allocation *allocation, struct race_region *region);
bool race_shared_region(struct races *races, struct race_block *block, const uint8_t *host);
/* ---- race_readers.c ---- */

/* Remembers that lanes read the cell, or a lane writes it. */
void race_note_read(const struct race_access *access, struct race_reader *reader, uint32_t lanes);
void race_note_write(const struct race_access *access, struct race_line *line, unsigned index, unsigned lane);
/* Do the readers that are kept suffice? Then any write there races with one of them. */
bool race_is_crowded(const struct race_access *access, const struct race_reader *reader);

#endif
