/* Which bytes of which allocation a launch reads and writes: what the driver needs to know of a kernel to say whether other
 * work may run beside it. Recorded only when it was asked for before the launch. */
#ifndef EMULATOR_EXTENTS_H
#define EMULATOR_EXTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct launch;
struct memory_allocation;
struct operation;
struct warp;

/* Bytes [from, to) of an allocation. */
struct extent {
    uint64_t from, to;
};

enum extents_manner {
    EXTENTS_READ,
    EXTENTS_WRITTEN,
    EXTENTS_STRONG, /* atomic operations, and volatile or other strong accesses: two of them do not conflict */
    EXTENTS_MANNER_COUNT
};

/* What a launch did with one allocation. */
struct extents_use {
    struct memory_allocation *allocation;
    struct extent *lists[EXTENTS_MANNER_COUNT]; /* ascending, apart; malloc'd, one byte at least: the receiver frees them */
    size_t counts[EXTENTS_MANNER_COUNT];
    bool waits;   /* a strong load: it may wait for another's flag */
    bool signals; /* a strong store or an atomic operation: it may be such a flag */
};

/* Asks for the record of the next launches, or no longer. Needs LOCKSTEP_CHECKS=poison or all. */
void extents_want(bool wanted);

/* Hands over what the launches since the last call did, an allocation at a time, and forgets it. Allocations for which
 * there was no host memory, or that fall into more than a million pieces, are left out, and those beyond the first 256.
 * Returns whether none was. */
bool extents_take(void (*receive)(void *data, const struct extents_use *use), void *data);

/* ---- for the hooks ---- */

struct extents;
/* NULL when nothing is to be recorded. */
struct extents *extents_start(void);

/* A request whose lanes are all in the site's window; `start`: address of the first. */
void extents_note(struct extents *extents, const struct operation *operation, uint64_t start);
/* The lanes of a request one by one; shared and local memory are left out. */
void extents_note_lanes(struct extents *extents, const struct warp *warp, const struct operation *operation,
                        const uint64_t address[32], uint32_t lanes);
/* A bulk copy. */
void extents_note_range(struct extents *extents, struct memory_allocation *allocation, uint64_t offset, uint64_t bytes,
                        bool written);

#endif
