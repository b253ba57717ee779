/* What the race checker remembers about memory: lines, cells, readers. See README.md, Shadow. */
#ifndef EMULATOR_RACE_CELL_H
#define EMULATOR_RACE_CELL_H

#include <stdbool.h>
#include <stdint.h>

struct memory_allocation;

enum { RACE_LINE_BYTES = 128, RACE_LINE_WORDS = 32 };

/* A cell is what is known about one word (or about 2 bytes or 1, where such are accessed): its last write, and the reads
 * since. Segments are numbers of struct race_segment; 0: none. */
struct race_write {
    uint32_t segment;
    uint32_t site; /* number << 5 | lane, and RACE_READ_ONLY */
};
struct race_reader {
    uint32_t segment;
    uint32_t site; /* number, and RACE_WROTE */
    uint32_t mask; /* lanes; 0: no readers */
    uint32_t more; /* reads by other warps: index of a struct race_read; 0 none */
};

enum { RACE_SITE_BITS = 26 };      /* of the number of a memory instruction */
#define RACE_READ_ONLY 0x80000000u /* the cell was read through the read-only path */
#define RACE_WROTE     0x80000000u /* no read, but a write that a strong write followed: see race_readers.c */

/* 128 bytes of memory. As long as whole warps access them in the order of their lanes, word w belongs to lane
 * first + (w >> shift). Anything else expands the line to cells: 32, or 64 or 128 where single bytes are accessed. */
struct race_line {
    uint32_t tag;                        /* launch or block that the rest belongs to; another one: empty */
    uint32_t read_only;                  /* number of a site that read it through the read-only path; 0 none */
    uint8_t cell_count;                  /* 0: not expanded */
    uint8_t write_pattern, read_pattern; /* not expanded: first << 2 | shift */
    union {
        struct { /* not expanded; a time of 0: none */
            uint32_t write_warp, write_time, write_site;
            uint32_t read_warp, read_time, read_site;
        };
        struct { /* [cell_count]; NULL: none */
            struct race_write *writes;
            struct race_reader *readers;
            uint32_t crowd; /* words that need no further reader: read by two blocks, never written */
        };
    };
};

/* Cells that remain with a line of shared memory when other blocks run there. */
struct race_kept {
    struct race_write *writes;
    struct race_reader *readers;
    uint8_t write_room, reader_room;
};

/* The shadow of an allocation or of a block's shared memory. */
struct race_region {
    struct race_line *lines;
    uint32_t tag;
    struct race_kept *kept;               /* [lines] of shared memory; NULL */
    struct memory_allocation *allocation; /* NULL: shared */
    const uint8_t *host;                  /* bytes that the region describes */
};

struct race_read { /* lanes of one warp that read a cell */
    uint32_t segment, site, mask;
    uint32_t next;
    uint32_t crowded; /* of the first in a list: when it was last found to have enough of them */
};

/* How many bytes the cell at `offset` covers, where the line has cells: 4, 2 or 1. */
static inline unsigned race_cell_bytes(const struct race_region *region, uint64_t offset)
{
    return RACE_LINE_BYTES / region->lines[offset / RACE_LINE_BYTES].cell_count;
}

static inline unsigned race_cell_index(const struct race_line *line, uint64_t offset)
{
    return (unsigned)(offset % RACE_LINE_BYTES) * line->cell_count / RACE_LINE_BYTES;
}

#endif
