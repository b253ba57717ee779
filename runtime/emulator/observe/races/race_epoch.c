/* Races in shared memory, between two barriers of the whole block: an epoch.
 *
 * What threads did before a barrier can race with nothing after it. So the requests of an epoch are only recorded, and
 * each unit (a word, or as little as an instruction accesses) remembers just enough to see that nothing *can* be wrong:
 * which thread used it, that several read it and none wrote, that there were only atomics. As soon as that does not suffice,
 * or something other than whole barriers and warp barriers orders threads, the epoch becomes exact: the
 * requests so far are entered into cells (race_shadow.c), and all that follow go there until the next barrier.
 */
#include "runtime/emulator/observe/races/race_epoch.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/observe/races/race.h"
#include "runtime/emulator/observe/races/race_touch.h"
#include "runtime/emulator/observe/races/race_trace.h"

enum {
    PATIENT = 256, /* requests of an epoch that are recorded even when they add nothing new */
    MAX_REQUESTS = 1 << 15,
    MAX_SHAPES = 1024, /* that are kept from one epoch to the next */
    MAX_TRACE = 2048,  /* requests of an epoch that is kept */
};

/* When the warp's lanes last met in this epoch; 0: not yet. */
static inline uint32_t latest_sync(const struct race_block *block, unsigned warp)
{
    uint32_t time = block->epoch.synced ? block->warps[warp].sync_time : 0;
    return time > block->barrier_time ? time : 0;
}

/* touch_lanes() by whole lines. */
static enum touch touch_pieces(struct race_epoch *epoch, unsigned warp, uint32_t sync, const struct race_layout *layout,
                               uint32_t base, bool write)
{
    enum touch result = TOUCH_OLD;
    uint32_t start = (base >> epoch->unit_shift) + (uint32_t)layout->low;
    unsigned first = start % RACE_LINE_UNITS, lines = (first + layout->span + RACE_LINE_UNITS - 1) / RACE_LINE_UNITS;
    for (unsigned i = 0; i < lines && result != TOUCH_CONFLICT; i++) {
        struct race_piece piece = piece_of(layout, first, i);
        struct race_epoch_line *line = refresh(epoch, warp, sync, start / RACE_LINE_UNITS + i);
        if (write || (piece.single | piece.several) & ~well_read(line, warp))
            result = worse(result, touch_piece(line, warp, &piece, write));
    }
    return result;
}

/* ---- requests ---- */

/* Returns false when there is no room: the cells must keep it. */
static inline bool write_down(struct races *races, struct race_epoch *epoch, struct race_request request, uint32_t shape)
{
    if (epoch->request_count + 1 >= epoch->request_capacity
        && (epoch->request_count >= MAX_REQUESTS
            || !race_grow(races, (void **)&epoch->requests, epoch->request_count, &epoch->request_capacity,
                          sizeof *epoch->requests)))
        return false;
    request.shape = shape;
    epoch->requests[epoch->request_count++] = request;
    epoch->recording &= epoch->request_count < MAX_TRACE;
    return true;
}

/* Returns the number of a new shape. */
static uint32_t keep_shape(struct races *races, struct race_epoch *epoch, const uint32_t *delta)
{
    if (!race_grow(races, (void **)&epoch->shapes, epoch->shape_count, &epoch->shape_capacity, sizeof *epoch->shapes))
        return 0;
    memcpy(epoch->shapes[epoch->shape_count], delta, sizeof *epoch->shapes);
    return (uint32_t)epoch->shape_count++;
}

/* Must a request that adds nothing new be recorded? Not in a long epoch, when no warp barrier is between it and those
 * that covered it. */
static inline bool is_told(const struct race_epoch *epoch)
{
    return epoch->request_count >= PATIENT && !epoch->synced && !epoch->recording;
}

/* Smaller units from the next epoch on, where the instruction needs them. Returns false when it does. */
static bool units_suffice(struct races *races, const struct race_epoch *epoch, const struct memory_site *site)
{
    unsigned least = (unsigned)__builtin_ctz(site->request_bytes);
    if (least < races->unit_shift)
        races->unit_shift = (uint8_t)least;
    return least >= epoch->unit_shift;
}

/* The layout of the site's request, with its units; NULL where it does not pay, or when out of memory: a shape that is seen
 * for the first time and is not a usual one may never be seen again. */
static struct race_layout *layout_of(struct races *races, const struct race_epoch *epoch, struct memory_site *site,
                                     enum race_kind kind)
{
    struct race_site *known = &races->sites[site->number];
    if (kind == RACE_ATOMIC)
        return NULL;
    if (known->seen != site->shape.version && site->shape.kind == SHAPE_GATHER) {
        known->seen = site->shape.version;
        return NULL;
    }
    struct race_layout *layout = race_layout(races, site);
    if (layout && layout->unit_shift != epoch->unit_shift)
        race_layout_units(layout, site, epoch->unit_shift);
    return layout;
}

/* Returns false when the units cannot show that all is well, or there is no room. so_far: what part of the request has
 * already shown. */
static bool request_is_fine(struct races *races, struct race_block *block, struct memory_site *site,
                            const struct race_request *request, enum touch so_far)
{
    struct race_epoch *epoch = &block->epoch;
    enum race_kind kind = races->sites[site->number].kind;
    if (kind == RACE_EXACT || !units_suffice(races, epoch, site))
        return false;
    if (race_trace_follow(races, block, request, site->shape.delta32))
        return true;
    uint32_t sync = latest_sync(block, request->warp);
    struct race_layout *layout = layout_of(races, epoch, site, kind);
    enum touch result = layout && layout->span
                            ? touch_pieces(epoch, request->warp, sync, layout, request->base, kind == RACE_WRITE)
                            : touch_lanes(epoch, request->warp, sync, site->shape.delta32, request->mask, request->base,
                                          site->request_bytes, kind);
    if (result == TOUCH_CONFLICT)
        return false;
    if (worse(result, so_far) == TOUCH_OLD && is_told(epoch))
        return true;
    uint32_t shape;
    if (!layout) {
        shape = keep_shape(races, epoch, site->shape.delta32);
    } else {
        if (layout->kept_in != epoch->shapes_number) {
            layout->kept = keep_shape(races, epoch, site->shape.delta32);
            layout->kept_in = epoch->shapes_number;
        }
        shape = layout->kept;
    }
    return write_down(races, epoch, *request, shape);
}

static inline struct race_request request_of(const struct races *races, const struct warp *warp,
                                             const struct memory_site *site, uint32_t mask, uint32_t base, uint32_t version)
{
    return (struct race_request){
        .site = site->number, .warp = warp->index, .mask = mask, .base = base, .version = version, .time = races->time};
}

static __attribute__((noinline)) void do_shared_request(struct races *races, struct warp *warp,
                                                        const struct operation *operation, uint32_t base, enum touch so_far)
{
    struct race_block *block = warp->block->races;
    struct memory_site *site = operation->site;
    struct race_request request = request_of(races, warp, site, warp->mask, base, site->shape.version);
    if (!block->epoch.exact && request_is_fine(races, block, site, &request, so_far))
        return;
    race_epoch_make_exact(races, block);
    race_cells_request(races, warp, operation, base);
}

/* race_shared_request() where only this warp was since the barrier, or one more read cannot conflict. Where that does not
 * hold it returns false, records nothing, and *told is what the first lines showed. */
static inline __attribute__((always_inline)) bool request_is_simple(struct races *races, struct race_epoch *epoch,
                                                                    const struct warp *warp, const struct memory_site *site,
                                                                    const struct race_layout *layout, uint32_t base,
                                                                    bool write, enum touch *told)
{
    uint32_t start = (base >> epoch->unit_shift) + (uint32_t)layout->low, index = warp->index;
    unsigned first = start % RACE_LINE_UNITS, end = first + layout->span;
    struct race_epoch_line *line = epoch->lines + start / RACE_LINE_UNITS;
    enum touch result = TOUCH_OLD;
    bool all_known = true;
    for (unsigned i = 0; i * RACE_LINE_UNITS < end; i++, line++) {
        struct race_piece piece = piece_of(layout, first, i);
        if (line->number != epoch->number) {
            empty_line(line, epoch->number, index, 0);
        } else {
            if (!write && !((piece.single | piece.several) & ~well_read(line, index)))
                continue;
            if (line->warp != index) {
                *told = result;
                return false;
            }
        }
        all_known = false;
        result = worse(result, touch_piece(line, index, &piece, write));
        if (result == TOUCH_CONFLICT)
            return false;
    }
    if (result == TOUCH_NEW || epoch->recording || (!all_known && epoch->request_count < PATIENT)) {
        struct race_request *request = &epoch->requests[epoch->request_count++];
        *request = request_of(races, warp, site, warp->mask, base, layout->version);
        request->shape = layout->kept;
        epoch->recording &= epoch->request_count < MAX_TRACE;
    }
    return true;
}

/* A request that no trace covers: the most common ones in as few steps as possible, with the result of request_is_fine(). */
static __attribute__((noinline)) void do_untold_request(struct races *races, struct warp *warp,
                                                        const struct operation *operation, uint32_t base)
{
    struct race_epoch *epoch = &warp->block->races->epoch;
    const struct memory_site *site = operation->site;
    const struct race_layout *layout = races->sites[site->number].layout;
    enum touch told = TOUCH_OLD;
    if (epoch->quick && epoch->request_count && layout && layout->version == site->shape.version
        && layout->unit_shift == epoch->unit_shift && layout->span && epoch->request_count + 1 < epoch->request_capacity
        && layout->kept_in == epoch->shapes_number
        && (site->access == SITE_LOAD ? request_is_simple(races, epoch, warp, site, layout, base, false, &told)
                                      : request_is_simple(races, epoch, warp, site, layout, base, true, &told)))
        return;
    do_shared_request(races, warp, operation, base, told);
}

/* Most requests are the next one of a trace. */
void race_shared_request(struct races *races, struct warp *warp, const struct operation *operation, uint32_t base)
{
    struct race_block *block = warp->block->races;
    if (__builtin_expect(!block, 0))
        return; /* out of memory */
    const struct memory_site *site = operation->site;
    struct race_request *next = block->epoch.next;
    if (next != block->epoch.trace_end
        && ((next->site ^ site->number) | (next->base ^ base) | (next->mask ^ warp->mask) | (next->warp ^ warp->index)
            | (next->version ^ site->shape.version))
               == 0)
        block->epoch.next = next + 1;
    else if (!races->gave_up)
        do_untold_request(races, warp, operation, base);
}

bool race_epoch_lanes(struct races *races, struct warp *warp, const struct memory_site *site, const uint64_t *offset,
                      uint32_t mask)
{
    struct race_block *block = warp->block->races;
    struct race_epoch *epoch = &block->epoch;
    struct race_request request = request_of(races, warp, site, mask, 0, 0);
    enum race_kind kind = races->sites[site->number].kind;
    uint32_t place[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        place[lane] = mask >> lane & 1 ? (uint32_t)offset[lane] : 0;
    if (!epoch->exact && kind != RACE_EXACT && units_suffice(races, epoch, site)) {
        if (race_trace_follow(races, block, &request, place))
            return true;
        enum touch result = touch_lanes(epoch, warp->index, latest_sync(block, warp->index), place, mask, 0,
                                        site->request_bytes, kind);
        if (result != TOUCH_CONFLICT
            && ((result == TOUCH_OLD && is_told(epoch))
                || write_down(races, epoch, request, keep_shape(races, epoch, place))))
            return true;
    }
    race_epoch_make_exact(races, block);
    return false;
}

/* ---- epochs ---- */

void race_epoch_sync(struct races *races, struct race_block *block)
{
    race_trace_leave(races, block, true);
    block->epoch.synced = true;
    block->epoch.quick = block->epoch.recording = false;
}

void race_epoch_make_exact(struct races *races, struct race_block *block)
{
    struct race_epoch *epoch = &block->epoch;
    uint32_t now = races->time;
    if (epoch->exact)
        return;
    race_trace_leave(races, block, false);
    epoch->exact = true;
    epoch->quick = epoch->recording = false;
    for (size_t i = 0; i < epoch->request_count && !races->gave_up; i++) {
        const struct race_request *request = &epoch->requests[i];
        uint64_t offset[WARP_LANES];
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            offset[lane] = request->base + epoch->shapes[request->shape][lane]; /* modulo 2^32: lanes below the first */
        races->time = request->time;                                            /* nothing has ordered threads since */
        race_note_lanes(races, block, block->first_warp + request->warp, request->site, request->mask, offset);
    }
    races->time = now;
}

/* Lines for the units that the launch needs. Returns false when there are none. */
static bool make_lines(struct races *races, struct race_epoch *epoch)
{
    if (epoch->lines && epoch->unit_shift == races->unit_shift)
        return true;
    if (!races->launch->shared_bytes)
        return false;
    epoch->unit_shift = races->unit_shift;
    free(epoch->lines);
    epoch->lines = calloc((races->launch->shared_room >> race_line_shift(epoch)) + 2, sizeof *epoch->lines);
    races->gave_up |= !epoch->lines;
    return epoch->lines != NULL;
}

void race_epoch_begin(struct races *races, struct race_block *block)
{
    struct race_epoch *epoch = &block->epoch;
    race_trace_end(epoch);
    epoch->synced = false;
    /* Threads that have left take part in no more barriers; accesses under a lock must be followed. The cells also serve
     * when the numbers are used up. */
    epoch->exact = block->any_gone || block->any_locks || races->epoch_count == UINT32_MAX || !make_lines(races, epoch);
    epoch->quick = !epoch->exact;
    epoch->recording = epoch->keeps_traces && !epoch->exact;
    if (epoch->exact)
        return;
    epoch->number = ++races->epoch_count;
    if (epoch->shape_count > MAX_SHAPES || !epoch->shapes_number) {
        epoch->shape_count = 0;
        epoch->shapes_number = epoch->number;
    }
}

void race_epoch_free(struct race_epoch *epoch)
{
    free(epoch->lines);
    free(epoch->requests);
    free(epoch->shapes);
    race_trace_free(epoch);
}
