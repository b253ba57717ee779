/* Races in shared memory between two barriers of a block: the fast way, which hands over to cells where it does not suffice.
 * See race_epoch.c. */
#ifndef EMULATOR_RACE_EPOCH_H
#define EMULATOR_RACE_EPOCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/emulator/execution/warp.h"

struct races;
struct race_block;
struct race_warp;
struct race_epoch_line;
struct race_request;

/* Neighbouring lanes at neighbouring places, or at one place. */
struct race_run {
    uint32_t delta;                 /* of the first lane's place, bytes from the request's start */
    uint8_t lane, count;
    bool same;                      /* all at one place */
};

/* What a request touches in a line. */
struct race_piece {
    int32_t line;                   /* from that of the request's start on */
    uint32_t words;                 /* one bit each */
    enum { PIECE_SEVERAL, PIECE_LANE, PIECE_LANES } kind;   /* each word by several lanes; all by one; each by one */
    uint8_t shift;                  /* PIECE_LANES: word w by lane + (w >> shift) */
    int16_t lane;
};

enum { RACE_PIECES = 8, RACE_LINE_BYTES = 128, RACE_LINE_WORDS = 32 };

/* What the shape of a memory instruction's latest request looks like to the checker. */
struct race_layout {
    uint32_t version;               /* of the shape that this describes; 0: none yet */
    uint8_t run_count;
    uint8_t place_count;            /* distinct addresses: 0 = not listed yet */
    struct race_run runs[WARP_LANES];
    uint8_t place_first[WARP_LANES];   /* of each place: the first lane there, and all of them */
    uint32_t place_lanes[WARP_LANES];
    uint8_t piece_count;            /* 0: too many, or words that are touched by one lane and by several */
    uint32_t align;                 /* start of a request in its line, bytes, that the pieces are of */
    struct race_piece pieces[RACE_PIECES];
    uint32_t kept_in, kept;         /* shapes_number of the list that has the shape, and where */
};

/* Of a slot that blocks run in. */
struct race_epoch {
    uint32_t number;                /* in the launch, from 1; a new one with each barrier of the whole block */
    bool exact;                     /* the cells know everything */
    bool synced;                    /* lanes of a warp have met at a __syncwarp */
    struct race_epoch_line *lines;
    struct race_request *requests;  /* since the barrier */
    size_t request_count, request_capacity;
    uint32_t (*shapes)[WARP_LANES]; /* offsets of their lanes */
    size_t shape_count, shape_capacity;
    uint32_t shapes_number;         /* of the epoch that began the list */
};

/* ---- race_layout.c ---- */

/* The layout of the site's shape, made anew. NULL when out of memory. See also race_layout(). */
struct race_layout *race_layout_describe(struct races *races, struct memory_site *site);
/* Lists the words that a request of a few runs touches when it starts at `align` in a line; bytes: of a lane. */
void race_layout_pieces(struct race_layout *layout, uint32_t align, unsigned bytes);
/* Lists the runs of lanes with these places. Returns how many. */
unsigned race_runs(const uint64_t *delta, uint32_t mask, unsigned bytes, struct race_run *runs);

static inline uint32_t race_run_bytes(const struct race_run *run, unsigned bytes)
{
    return run->same ? bytes : bytes * run->count;
}

/* What a run touches in a line; start: of the run, in bytes from the beginning of line 0. */
static inline struct race_piece race_run_piece(const struct race_run *run, int32_t start, int32_t line, unsigned bytes)
{
    int32_t end = start + (int32_t)race_run_bytes(run, bytes), base = line * RACE_LINE_BYTES;
    unsigned first = start > base ? (unsigned)(start - base) / 4 : 0, shift = bytes == 8 ? 1 : bytes == 16 ? 2 : 0;
    unsigned last = end < base + RACE_LINE_BYTES ? (unsigned)(end - base - 1) / 4 : RACE_LINE_WORDS - 1;
    struct race_piece piece = {.line = line, .words = UINT32_MAX >> (RACE_LINE_WORDS - 1 - (last - first)) << first};
    piece.kind = run->count == 1 ? PIECE_LANE : run->same ? PIECE_SEVERAL : PIECE_LANES;
    piece.shift = (uint8_t)shift;
    piece.lane = (int16_t)(run->count == 1 ? run->lane : run->lane - ((start - base) / 4 >> shift));
    return piece;
}

/* ---- race_epoch.c ---- */

/* A plain load or store of the block's shared memory, done lane by lane; offset: where in the block's shared memory.
 * Returns false when the epoch is, or has now become, exact: the cells must be asked. For whole requests, see
 * race_shared_request() in race.h. */
bool race_epoch_lanes(struct races *races, struct warp *warp, const struct memory_site *site, const uint64_t *offset,
                      uint32_t mask);

/* Before anything but a whole barrier or warp barrier orders threads of the block: makes the epoch exact. */
void race_epoch_make_exact(struct races *races, struct race_block *block);
/* All threads of the block have met, or it begins: a new epoch. */
void race_epoch_begin(struct races *races, struct race_block *block);
void race_epoch_free(struct race_epoch *epoch);

#endif
