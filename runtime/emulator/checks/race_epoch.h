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

/* What the shape of a memory instruction's latest request looks like to the checker. */
struct race_layout {
    uint32_t version;               /* of the shape that this describes */
    uint8_t run_count;
    uint8_t place_count;            /* distinct addresses: 0 = not listed yet */
    struct race_run runs[WARP_LANES];
    uint8_t place_first[WARP_LANES];   /* of each place: the first lane there, and all of them */
    uint32_t place_lanes[WARP_LANES];
    uint32_t kept_in, kept;         /* epoch in which the shape was written down, and its number there */
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
};

/* The layout of the site's shape. NULL when out of memory. */
struct race_layout *race_layout(struct races *races, struct memory_site *site);

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
