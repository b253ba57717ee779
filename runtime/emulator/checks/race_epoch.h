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

/* Words of a line, one bit each. */
struct race_piece {
    int32_t line;                   /* from that of the request's start on */
    uint32_t words, several;        /* that any lane touches; that more than one does */
};

enum { RACE_PIECES = 8 };

/* What the shape of a memory instruction's latest request looks like to the checker. */
struct race_layout {
    uint32_t version;               /* of the shape that this describes */
    uint8_t run_count;
    uint8_t place_count;            /* distinct addresses: 0 = not listed yet */
    struct race_run runs[WARP_LANES];
    uint8_t place_first[WARP_LANES];   /* of each place: the first lane there, and all of them */
    uint32_t place_lanes[WARP_LANES];
    uint8_t piece_count;            /* 0: too many */
    uint32_t align;                 /* start of a request in its line, bytes, that the pieces are of */
    bool together;                  /* several lanes touch each word */
    struct race_piece pieces[RACE_PIECES];
    uint32_t kept_in, kept;         /* shapes_number of the list that has the shape, and where */
};

/* Of a slot that blocks run in. */
struct race_epoch {
    uint32_t number;                /* in the launch, from 1; a new one with each barrier of the whole block */
    bool exact;                     /* the cells know everything */
    struct race_epoch_line *lines;
    struct race_request *requests;  /* since the barrier */
    size_t request_count, request_capacity;
    uint32_t (*shapes)[WARP_LANES]; /* offsets of their lanes */
    size_t shape_count, shape_capacity;
    uint32_t shapes_number;         /* of the epoch that began the list */
};

/* ---- race_layout.c ---- */

/* The layout of the site's shape. NULL when out of memory. */
struct race_layout *race_layout(struct races *races, struct memory_site *site);
/* Lists the words that a request of a few runs touches when it starts at `align` in a line; bytes: of a lane. */
void race_layout_pieces(struct race_layout *layout, uint32_t align, unsigned bytes);
/* Lists the runs of lanes with these places. Returns how many. */
unsigned race_runs(const uint64_t *delta, uint32_t mask, unsigned bytes, struct race_run *runs);

/* `count` words from `first` on. */
static inline uint32_t race_words(unsigned first, unsigned count)
{
    return (uint32_t)(((UINT64_C(1) << count) - 1) << first);
}

/* ---- race_epoch.c ---- */

/* A plain load or store of the block's shared memory, all lanes of the site's shape; base: offset of the first active lane.
 * Returns false when the epoch is, or has now become, exact: the cells must be asked. */
bool race_epoch_request(struct races *races, struct warp *warp, struct memory_site *site, uint32_t base);
/* The same for a request done lane by lane. */
bool race_epoch_lanes(struct races *races, struct warp *warp, const struct memory_site *site, const uint64_t *offset,
                      uint32_t mask);

/* Before anything but a whole barrier or warp barrier orders threads of the block: makes the epoch exact. */
void race_epoch_make_exact(struct races *races, struct race_block *block);
/* All threads of the block have met, or it begins: a new epoch. */
void race_epoch_begin(struct races *races, struct race_block *block);
void race_epoch_free(struct race_epoch *epoch);

#endif
