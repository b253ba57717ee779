/* What is remembered about shared memory between two barriers of a block. */
#ifndef EMULATOR_RACE_EPOCH_STATE_H
#define EMULATOR_RACE_EPOCH_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/emulator/machine/warp.h"

struct race_epoch_line;

/* RACE_LINES: how far a request may reach that is checked in whole lines. */
enum { RACE_TRACES = 64, RACE_LINES = 8, RACE_LINE_UNITS = 32 };

/* How an instruction combines with others in an epoch; RACE_EXACT: only the cells can decide. */
enum race_kind { RACE_EXACT, RACE_READ, RACE_WRITE, RACE_ATOMIC };

/* What the shape of a memory instruction's latest request looks like to the checker. */
struct race_layout {
    uint32_t version;                /* of the shape that this describes; 0: none yet */
    uint8_t place_count;             /* distinct addresses: 0 = not listed yet */
    uint8_t place_first[WARP_LANES]; /* of each place: the first lane there, and all of them */
    uint32_t place_lanes[WARP_LANES];
    uint32_t kept_in, kept; /* shapes_number of the list that has the shape, and where */
    /* what it touches, in units from the first one on */
    uint8_t unit_shift;                                       /* that the rest is of; UINT8_MAX: not listed yet */
    uint16_t span;                                            /* how many units, holes included; 0: too many */
    int32_t low;                                              /* of the first one, in units from the request's start */
    uint32_t single[RACE_LINES + 2], several[RACE_LINES + 2]; /* touched by one lane, by several; begins at bit 32 */
    uint16_t lane[(RACE_LINES + 2) * RACE_LINE_UNITS];        /* of a single unit; begins at 32 */
};

/* A recorded request. */
struct race_request {
    uint32_t site, warp, mask, base; /* warp: in the block */
    uint32_t version;                /* of the site's shape; 0: has none */
    uint32_t shape, time;
};

/* The requests of an epoch in which all was well. */
struct race_trace {
    struct race_request *requests;
    size_t count, capacity; /* 0: none */
    uint32_t shapes_number; /* of the list that has their shapes */
    uint8_t unit_shift;
};

/* Of a slot that blocks run in. */
struct race_epoch {
    uint32_t number; /* in the launch, from 1; a new one with each barrier of the whole block */
    bool exact;      /* the cells know everything */
    bool synced;     /* lanes of a warp have met at a __syncwarp */
    bool quick;      /* neither of these */
    bool recording;  /* every request has been recorded so far */
    bool keeps_traces;
    uint8_t unit_shift; /* a line has 32 units of 1 << unit_shift bytes: 4 bytes, or the least of an access */
    struct race_epoch_line *lines;
    struct race_request *requests; /* since the barrier */
    size_t request_count, request_capacity;
    uint32_t (*shapes)[WARP_LANES]; /* offsets of their lanes */
    size_t shape_count, shape_capacity;
    uint32_t shapes_number;                /* of the epoch that began the list */
    struct race_trace traces[RACE_TRACES]; /* by their first request */
    struct race_trace *trace;              /* that this epoch has followed so far; NULL: none */
    struct race_request *next, *trace_end; /* in the trace; NULL */
    size_t kept_count;                     /* requests in all traces */
    size_t followed_count, left_count;     /* requests of traces that were followed to the end, and that were left */
};

static inline unsigned race_line_shift(const struct race_epoch *epoch)
{
    return epoch->unit_shift + 5u; /* 32 units */
}

#endif
