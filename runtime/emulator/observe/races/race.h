/* Data races: a happens-before detector over the accesses of one launch. Rules and data structures: README.md.
 *
 * Time is one counter of the launch that advances at every event that can order threads (barrier, fence, release). What a
 * thread knows about another one is then a time: everything the other did before it.
 */
#ifndef EMULATOR_RACE_H
#define EMULATOR_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/emulator/findings/finding.h"
#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/warp.h"
#include "runtime/emulator/observe/races/race_cell.h"
#include "runtime/emulator/observe/races/race_epoch_state.h"
#include "runtime/emulator/observe/races/race_places.h"

#define RACE_FOREVER UINT32_MAX /* later than every time */

enum { RACE_SLOTS = 1024 };      /* of the tables of groups: race_report.c */
enum { RACE_WRITTEN_MOST = 62 }; /* pointers by which a kernel writes; of one with more, any array may be written */

/* Accesses of one warp at one time: nothing that can order threads is between them. */
struct race_segment {
    uint32_t warp, time; /* warp: in the grid */
};

/* Something a thread released: what those that acquire it know. */
struct race_node {
    uint32_t first_warp;               /* of the block */
    uint32_t barrier_time;             /* all of the block's accesses before */
    uint32_t warp, sync_time;          /* all of the warp's accesses before */
    uint32_t lane, own_time;           /* the thread's own before */
    uint32_t acquired, block_acquired; /* lists of links: what the releaser had acquired */
    uint32_t row;                      /* what it knew about the lanes of its warp: index in rows; 0 nothing more */
    uint32_t previous;                 /* earlier releases of the same chain */
    uint32_t object;                   /* of a barrier object: the first node of the chain; else 0 */
    uint32_t made; /* when it was: of accesses from then on, neither it nor what it leads to knows anything */
    uint32_t visited;
    uint8_t scope;
};

/* An element of what a thread has acquired. */
struct race_link {
    uint32_t node;       /* newest of a chain; 0: see list */
    uint32_t list;       /* another list of links */
    uint32_t previous;   /* in this list */
    uint32_t first_warp; /* block of the acquirer */
    uint32_t time;       /* of a node: when it was acquired */
    uint32_t made;       /* as in race_node */
    uint32_t visited;
    uint8_t scope; /* of the acquiring access */
    bool weak;     /* it was relaxed: the manual's order needs a fence after it */
};

/* A thread's knowledge when it executed a fence. */
struct race_fence {
    uint32_t time, barrier_time, sync_time, acquired, block_acquired, row;
};

enum { /* sets of fences: the latest; before the last whole __syncwarp, and barrier */
       FENCES_OWN = 0,
       FENCES_SYNCED = 2,
       FENCES_MET = 4,
       FENCE_SETS = 6,
};

struct race_lock { /* a swap that took it, and what followed */
    uint64_t key;
    uint32_t site;
    bool held, dirty; /* dirty: plain accesses since, and no fence after them */
};

struct race_warp {
    uint32_t id;                                              /* in the grid */
    uint32_t segment;                                         /* the latest; 0: none yet */
    uint32_t sync_time;                                       /* last __syncwarp of all live lanes */
    uint32_t gone;                                            /* lanes that had left when that was last checked */
    uint32_t gone_barrier[WARP_LANES], gone_sync[WARP_LANES]; /* the last that they took part in */
    uint32_t (*known)[WARP_LANES];           /* [lane][other]: times, from syncs of some lanes; NULL: none yet */
    uint32_t acquired[WARP_LANES];           /* list of links since the last barrier; 0 empty */
    struct race_fence (*fences)[WARP_LANES]; /* [FENCE_SETS]: at each, of any scope, of gpu scope or wider; NULL: none */
    bool fenced, any_synced;                 /* since the last whole __syncwarp; before it */
    uint32_t synced[2];                      /* lists of links to the fences at that __syncwarp */
    uint32_t relaxed;                        /* lanes that acquired something by a relaxed read, without a fence since */
    struct race_lock *locks;                 /* [WARP_LANES]; NULL: no swap yet that can take one */
    /* lanes whose place was, before the present request, last changed by a swap of their own; of another thread, and none
     * watches it */
    uint32_t owned, foreign;
    bool knows;    /* `known` has entries of this block */
    bool released; /* it has released something other than by whole barriers */
};

struct race_block { /* of a slot; the blocks that run there take turns */
    uint32_t first_warp;
    uint32_t barrier_time;
    bool any_gone;                   /* a thread had left when a barrier completed */
    bool any_locks;                  /* a thread has tried a lock */
    bool fenced, any_met;            /* a thread has executed a fence since the last barrier; before it */
    uint32_t met[2];                 /* lists of links to the fences at that barrier: as in race_warp */
    uint32_t acquired;               /* list of links that every thread of the block has */
    uint32_t arrived[BARRIER_COUNT]; /* chains given by bar.arrive */
    struct race_warp *warps;         /* [warps_per_block] */
    struct race_region shared;
    struct race_epoch epoch; /* of shared memory */
    struct need_block *need; /* NULL: not followed yet */
    struct race_block *next; /* of the launch */
};

enum race_reading {                  /* what a strong read can order */
                    READING_UNKNOWN, /* not looked at yet */
                    READING_NOTHING, /* its value is never used */
                    READING_RELAXED, /* only what follows a fence: the access itself is relaxed */
                    READING_ORDERS,
};

struct race_site {
    const struct operation *operation;
    const struct memory_site *site;
    int8_t polls, line_polls; /* a load of one place in a loop; on a line with one: 1, 0, or -1 not checked yet */
    int8_t guess;             /* a plain load whose value an atomic operation checks again: likewise */
    int8_t flag;              /* a store that sets a flag: likewise */
    enum race_kind kind;
    uint32_t seen;              /* version of the shape of its latest request in shared memory */
    enum race_reading reading;  /* of a strong access */
    uint32_t group;             /* of events in which it was the later access: the latest one */
    int line;                   /* of the source; below 0: of the PTX; 0: not determined yet */
    struct race_layout *layout; /* NULL: not needed yet */
    /* of a load: the select that alone uses its value, the comparison that decides it unless its predicate is set by then; NULL:
     * none */
    const struct operation *select, *compare;
    bool select_known, selects_first; /* looked for; it is the select's first value */
    bool after_release;               /* a thread came here that had given back a lock and taken none since */
};

struct race_chain { /* what was released at a place */
    uint64_t key;
    uint32_t node;
    uint32_t ticket; /* thread (1 + warp * 32 + lane) of the last atomic operation here, if a fence precedes it; else 0 */
    uint32_t site;   /* of that operation */
};

struct race_owner { /* of a place that a swap has changed */
    uint64_t key;
    uint32_t thread; /* 1 + warp * 32 + lane */
    bool is_watched; /* strong loads look there: it is how threads speak to each other */
};

struct races {
    struct launch *launch;
    uint32_t tag; /* of this launch */
    uint32_t time;
    uint32_t warps_per_block;
    uint32_t epoch_count; /* of all blocks so far */
    uint8_t unit_shift;   /* of the epochs that begin now */
    struct race_block *blocks;
    struct race_site *sites; /* [site_count + 1], by number */
    size_t site_count;
    struct race_node *nodes; /* from 1 */
    size_t node_count, node_capacity;
    struct race_link *links; /* from 1 */
    size_t link_count, link_capacity;
    struct race_segment *segments;                         /* from 1 */
    size_t segment_count, segment_capacity, segment_limit; /* limit: when to look for unused ones */
    struct race_read *reads;                               /* from 1 */
    size_t read_count, read_capacity;
    uint32_t free_read;
    uint32_t (*rows)[WARP_LANES]; /* from 1 */
    size_t row_count, row_capacity;
    struct race_places chains; /* of struct race_chain */
    struct race_places owners; /* of struct race_owner, in kernels with volatile stores */
    bool stores_volatile;      /* something that the program contains does */
    uint32_t query;            /* of the walk through nodes */
    uint32_t *stack;
    size_t stack_capacity;
    uint64_t walked; /* nodes and links visited in all */
    struct race_group *groups;
    size_t group_count, group_capacity;
    uint16_t group_of_sites[RACE_SLOTS], group_of_lines[RACE_SLOTS]; /* open addressing: a group's number and 1; 0: free */
    uint64_t event_count;                                            /* errors in the groups */
    bool knows_written;                                              /* all that the launch can write to is in this list: */
    const struct memory_allocation *written[RACE_WRITTEN_MOST];      /* [written_count] */
    unsigned written_count;
    struct need *need; /* which barriers are needed; NULL: not wanted */
    bool follows_need; /* accesses contribute to that */
    bool gave_up;      /* out of memory or of time stamps, or enough errors were found: nothing more is
                                      checked */
    /* race_past.c: of a grid that has launched something, when it is over */
    unsigned pasts; /* launches that have not run yet, or run, and are compared with this one */
    bool is_over;   /* launch is gone; what is left of it: */
    struct race_kept_lines {
        const struct memory_allocation *allocation;
        struct race_line *lines;
        uint64_t bytes;
    } *kept;
    size_t kept_count, kept_capacity;
    struct race_pools *pools;
    uint32_t grid[3], block_shape[3];
    const char *kernel;
};

/* One request, as the checker sees it. */
struct race_access {
    struct races *races;
    struct warp *warp;
    struct race_warp *own;
    struct race_block *block;
    const struct operation *operation;
    const struct memory_site *site;
    struct race_region *region;
    bool write, reads, atomic;
    uint32_t segment; /* of the warp, now */
    uint32_t settled; /* number of the site, where its accesses never conflict with each other, by any
                                      thread; RACE_FOREVER: they may */
    bool simple;      /* nothing but whole barriers so far: reads since `floor` need not be distinguished */
    uint32_t floor;   /* time of the last barrier of block or warp */
    uint32_t alike;   /* how many lanes the current one represents: each conflict counts this often */
};

/* ---- race_layout.c ---- */

/* The layout of the site's shape, made again. NULL when out of memory. See also race_layout(). */
struct race_layout *race_layout_describe(struct races *races, struct memory_site *site);
/* Lists the units that it touches. */
void race_layout_units(struct race_layout *layout, const struct memory_site *site, unsigned unit_shift);

/* The layout of the site's shape. NULL when out of memory. */
static inline struct race_layout *race_layout(struct races *races, struct memory_site *site)
{
    struct race_layout *layout = races->sites[site->number].layout;
    return layout && layout->version == site->shape.version ? layout : race_layout_describe(races, site);
}

/* The same for all lanes of a warp and every lane of the accessing one; false also when it is not simple to decide. */
static inline bool race_all_ordered(const struct race_access *access, uint32_t warp, uint32_t time)
{
    const struct race_block *block = access->block;
    if (warp - block->first_warp >= access->races->warps_per_block || block->any_gone)
        return false;
    return time < block->barrier_time || (warp == access->own->id && time < access->own->sync_time);
}

/* How far the warp is from the accessing one. 2: in another block, 1: in its block, 0: itself */
static inline unsigned race_distance(const struct race_access *access, uint32_t warp)
{
    return warp - access->block->first_warp >= access->races->warps_per_block ? 2 : warp != access->own->id;
}

/* ---- race_launch.c ---- */

struct races *race_start(struct launch *launch); /* NULL when out of memory */
void race_end(struct races *races);              /* adds the findings to the launch's and frees all, unless pasts remain */
void race_free(struct races *races);
void race_block_start(struct races *races, struct block *slot);

/* ---- race_writes.c ---- */

/* Marks the allocations that the launch can only read: their accesses need not be followed. */
void race_exempt_arrays(struct races *races);
/* The same for what a texture reads, whose address the kernel does not see. */
void race_exempt_texels(const struct races *races, struct memory_allocation *allocation);
/* A marked allocation is written after all: from now on it is followed. */
void race_end_exemption(const struct race_access *access, struct memory_allocation *allocation);

/* ---- race_request.c ---- */

/* A request inside its site's window, in device memory or (base: the place of its first active lane) in the block's shared
 * memory, and one that was done lane by lane; before any data moves. */
void race_request(struct races *races, struct warp *warp, const struct operation *operation, uint64_t start);
void race_shared_request(struct races *races, struct warp *warp, const struct operation *operation, uint32_t base);
/* The latter in an exact epoch. */
void race_cells_request(struct races *races, struct warp *warp, const struct operation *operation, uint32_t base);
void race_lanes(struct races *races, struct warp *warp, const struct operation *operation, const uint64_t address[32],
                uint32_t valid);
/* Enters a request of shared memory into the cells, in which nothing contradicts it. */
void race_note_lanes(struct races *races, struct race_block *block, uint32_t warp, uint32_t site, uint32_t mask,
                     const uint64_t *offset);

/* What an asynchronous copy of a lane reads or writes: [offset, offset + bytes) of an allocation or, NULL, of shared memory.
 *   check   compare with what others did; else it is only remembered with the current time */
void race_range(struct races *races, struct warp *warp, const struct operation *operation, unsigned lane,
                struct memory_allocation *allocation, uint64_t offset, uint64_t bytes, bool check);

/* ---- race_flags.c ---- */

/* Is it a load that polls one place? */
bool race_polls(struct races *races, uint32_t number);
enum race_reading race_reading_of(struct races *races, uint32_t number);

/* ---- race_guess.c ---- */

/* Is it a plain load whose value decides nothing until an atomic operation on the same place has checked it? */
bool race_is_guess(struct races *races, uint32_t number);

/* ---- race_select.c ---- */

/* Lanes of a load for which a select drops what they read, so that it does not count as read. */
uint32_t race_dropped_lanes(struct races *races, const struct warp *warp, const struct operation *operation);

/* ---- race_lock.c ---- */

/* The number of a place among those that threads synchronise at. */
uint64_t race_place_key(const struct race_access *access, uint64_t offset);
/* Follows locks: taken by the first lane whose swap finds them free, released by a later strong write. */
void race_follow_locks(const struct race_access *access, uint32_t mask, const uint64_t *offset);

/* ---- race_owner.c ---- */

/* Will the lane's swap change what memory holds? */
bool race_swap_changes(const struct race_access *access, unsigned lane, uint64_t offset);
/* Before a strong request: whose the places are (race_warp: owned, foreign), and whose they become. */
void race_follow_owners(const struct race_access *access, uint32_t mask, const uint64_t *offset);

/* ---- race_fence.c ---- */

void race_fence(struct races *races, struct warp *warp, unsigned scope);
/* All live lanes of a warp, or all threads of a block, meet. */
void race_share_fences(struct race_warp *own);
void race_share_block_fences(const struct races *races, struct race_block *block);
/* Appends to a chain what the lane's fences release, and those of others that it has met since. wide: 1: fences of gpu
 * scope; 0: only where the latest fence does not have that scope. Returns the new head. */
uint32_t race_release_fences(struct races *races, struct race_block *block, struct race_warp *own, unsigned lane,
                             unsigned wide, unsigned scope, uint32_t head);

/* ---- race_order.c: barriers ---- */

void race_warp_barrier(struct races *races, struct warp *warp, uint32_t lanes);
void race_barrier(struct races *races, struct block *slot, uint32_t number);
void race_arrive(struct races *races, struct warp *warp, uint32_t number);

/* ---- race_chain.c: places and barrier objects ---- */

/* A strong access of a lane: acquires what was released at the place, and releases. */
void race_synchronise(const struct race_access *access, unsigned lane, uint64_t key);

/* Was the lane's own atomic operation the last one at the place, by whose result it may know that there is no other? */
bool race_has_last_ticket(const struct race_access *access, unsigned lane, uint64_t key);

/* What the lanes did so far goes to the head of a chain (0: empty); lanes acquire a chain. */
void race_release_lanes(struct races *races, struct warp *warp, uint32_t lanes, uint32_t *chain);
void race_acquire_lanes(struct races *races, struct warp *warp, uint32_t lanes, uint32_t chain);

/* ---- race_knowledge.c: which threads are ordered ---- */

/* Did what `lane` of the accessing warp executes now come after the access of another thread? */
bool race_ordered(const struct race_access *access, unsigned lane, uint32_t warp, unsigned other_lane, uint32_t time);
/* The same where a relaxed read orders nothing until a fence follows it. */
bool race_ordered_strictly(const struct race_access *access, unsigned lane, uint32_t warp, unsigned other_lane,
                           uint32_t time);
static inline bool race_is_atomic(const struct memory_site *site)
{
    return site->access == SITE_ATOMIC || site->access == SITE_REDUCTION;
}

/* A compare-and-swap or an exchange. */
static inline bool race_is_swap(const struct memory_site *site)
{
    return race_is_atomic(site) && (site->atomic == ATOMIC_CAS || site->atomic == ATOMIC_EXCH);
}

/* Is one of the two an atomic operation, and the other a load that guesses what such an operation will find? */
static inline bool race_guesses(struct races *races, uint32_t site, uint32_t other)
{
    const struct memory_site *a = races->sites[site].site, *b = races->sites[other].site;
    return (a->access == SITE_LOAD && race_is_atomic(b) && race_is_guess(races, site))
           || (b->access == SITE_LOAD && race_is_atomic(a) && race_is_guess(races, other));
}

/* Two atomic operations of the same width, each in the scope of the other, cannot race, nor can one and a load that guesses: whether
 * anything orders them need not be known, and to find that out is long work where many threads try to take one lock. */
static inline bool race_cannot(const struct race_access *access, uint32_t warp, uint32_t site)
{
    const struct memory_site *earlier = access->races->sites[site].site;
    bool same_block = warp - access->block->first_warp < access->races->warps_per_block;
    if (access->site->bytes != earlier->bytes || !(race_is_atomic(access->site) || race_is_atomic(earlier)))
        return false;
    if (race_is_atomic(access->site) && race_is_atomic(earlier))
        return access->site->strong && earlier->strong && (same_block || (access->site->scope != 0 && earlier->scope != 0));
    const struct memory_site *atomic = race_is_atomic(earlier) ? earlier : access->site;
    return (same_block || atomic->scope != 0) && race_guesses(access->races, access->site->number, site);
}

/* One of a cell's two strong writes is replaced by what `lane` writes now. Is it the last one, by `warp`, rather than the
 * one `kept` beside it? The farther one is kept: a barrier orders the nearer one before more of the later accesses. */
static inline bool race_keeps_farther(const struct race_access *access, const struct race_reader *kept, uint32_t warp,
                                      unsigned lane)
{
    const struct race_segment *segment = &access->races->segments[kept->segment];
    if (!(kept->site & RACE_WROTE) || race_distance(access, segment->warp) <= race_distance(access, warp)
        || race_all_ordered(access, segment->warp, segment->time))
        return false;
    return race_cannot(access, segment->warp, kept->site & ~RACE_WROTE)
           || !race_ordered(access, lane, segment->warp, (unsigned)__builtin_ctz(kept->mask), segment->time);
}
/* Grows an array of the launch that begins at index 1. Returns false (and the checker gives up) when out of memory. */
bool race_grow(struct races *races, void **array, size_t count, size_t *capacity, size_t element_bytes);

/* ---- race_cells.c: a request against the cells ---- */

/* Lanes at these offsets of the region, and a whole request from `base` on. */
void race_check_lanes(const struct race_access *access, uint32_t mask, const uint64_t *offset);
void race_check_request(const struct race_access *access, uint64_t base);
/* How many cells a line must have for the instruction. */
static inline unsigned race_cells_needed(const struct memory_site *site)
{
    return site->request_bytes < 4 ? RACE_LINE_BYTES / site->request_bytes : RACE_LINE_WORDS;
}
/* One lane's range: compared, remembered. race_cells_ready() first: false when they cannot be. */
bool race_cells_ready(const struct race_access *access, uint64_t offset, unsigned bytes, unsigned count);
void race_check_lane(const struct race_access *access, unsigned lane, uint64_t offset, unsigned bytes);
void race_note_lane(const struct race_access *access, unsigned lane, uint64_t offset, unsigned bytes);

/* ---- race_segment.c ---- */

/* The segment of a warp at a time: its latest, or a new one. Returns 0 when out of memory. race_begin_segment() may give
 * segments other numbers, and is called once an access, before any cell is looked at. */
uint32_t race_begin_segment(struct races *races, struct race_warp *own);
uint32_t race_new_segment(struct races *races, uint32_t warp, uint32_t time);

/* ---- race_between.c ---- */

/* Is there a shuffle, vote, match or redux between two memory instructions, on the way from one to the other? */
bool race_exchange_between(const struct races *races, const struct operation *earlier, const struct operation *later);

/* ---- race_report.c ---- */

/* The earlier access of a pair. */
struct race_prior {
    uint32_t warp, site;
    unsigned lane;
    bool write;
};

/* Two accesses are not ordered: decides what kind of race that is, and counts it. offset: of the byte in the region;
 * element: offset of the same byte in what the lane accesses. */
void race_judge(const struct race_access *access, unsigned lane, const struct race_prior *prior, uint64_t offset,
                unsigned element);
/* Does each of these lanes store the same bytes? */
bool race_stores_alike(const struct race_access *access, uint32_t mask);
/* Lanes of one store write to one place. */
void race_same_store(const struct race_access *access, unsigned lane, unsigned other, uint64_t offset);
/* A place is read through the read-only path and written. */
void race_read_only(const struct race_access *access, unsigned lane, const struct race_prior *prior, uint64_t offset);
/* A read is ordered after a write only by a relaxed read, or by taking a lock, without a fence. */
void race_relaxed_order(const struct race_access *access, unsigned lane, const struct race_prior *prior, uint64_t offset);
/* A lock is released without a fence. */
void race_report_lock(const struct race_access *access, unsigned lane, uint64_t offset);
/* Adds the groups to the launch's findings. */
void race_flush(struct races *races);

#endif
