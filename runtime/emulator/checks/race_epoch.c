/* Races in shared memory, between two barriers of the whole block: an epoch.
 *
 * What threads did before a barrier can race with nothing after it. So the requests of an epoch are only written down, and
 * each word remembers as much as it takes to see that nothing *can* be wrong: which thread used it, or that several read it
 * and nobody wrote. As soon as that does not suffice, or something other than whole barriers and warp barriers orders
 * threads, the epoch becomes exact: the requests so far are entered into cells (race_shadow.c), and all that follow go there
 * until the next barrier.
 */
#include "runtime/emulator/checks/race_epoch.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/checks/race.h"
#include "runtime/emulator/checks/race_touch.h"

enum {
    PATIENT = 256,          /* requests of an epoch that are written down even when they tell nothing new */
    MAX_REQUESTS = 1 << 15,
    MAX_SHAPES = 256,       /* that are kept from one epoch to the next */
};

struct race_request {
    uint32_t site, warp, mask, time, base, shape;   /* warp: in the block */
};

static inline enum touch worse(enum touch a, enum touch b)
{
    return a > b ? a : b;
}

/* When the warp's lanes have met last in this epoch; 0: not yet. */
static inline uint32_t latest_sync(const struct race_block *block, unsigned warp)
{
    uint32_t time = block->epoch.synced ? block->warps[warp].sync_time : 0;
    return time > block->barrier_time ? time : 0;
}

/* A request of many runs, or one whose runs overlap. */
static enum touch touch_runs(struct race_epoch *epoch, unsigned warp, uint32_t sync, const struct race_run *runs,
                             unsigned count, uint32_t base, unsigned bytes, bool write)
{
    enum touch result = TOUCH_OLD;
    for (unsigned i = 0; i < count && result != TOUCH_CONFLICT; i++) {
        int32_t start = (int32_t)(base + runs[i].delta), end = start + (int32_t)race_run_bytes(&runs[i], bytes);
        for (int32_t line = start / RACE_LINE_BYTES; line <= (end - 1) / RACE_LINE_BYTES; line++) {
            struct race_piece piece = race_run_piece(&runs[i], start, line, bytes);
            result = worse(result, touch_piece(refresh(epoch, warp, sync, (uint32_t)line), warp, &piece, write));
        }
    }
    return result;
}

/* Has each word been read by several warps already? */
static inline bool is_crowded(const struct race_epoch *epoch, const struct race_layout *layout, uint32_t base)
{
    const struct race_epoch_line *lines = epoch->lines + base / RACE_LINE_BYTES;
    for (unsigned i = 0; i < layout->piece_count; i++) {
        const struct race_epoch_line *line = lines + layout->pieces[i].line;
        if (line->number != epoch->number || layout->pieces[i].words & ~line->crowded)
            return false;
    }
    return layout->piece_count > 0;
}

/* ---- requests ---- */

/* Returns false when there is no room: the cells must keep it. */
static inline bool write_down(struct races *races, struct race_epoch *epoch, const struct warp *warp,
                              const struct memory_site *site, uint32_t mask, uint32_t base, uint32_t shape)
{
    if (epoch->request_count + 1 >= epoch->request_capacity
        && (epoch->request_count >= MAX_REQUESTS
            || !race_grow(races, (void **)&epoch->requests, epoch->request_count, &epoch->request_capacity,
                          sizeof *epoch->requests)))
        return false;
    epoch->requests[epoch->request_count++] = (struct race_request){
        .site = site->number, .warp = warp->index, .mask = mask, .time = races->time, .base = base, .shape = shape};
    return true;
}

/* Returns the number of a new shape. */
static uint32_t keep_shape(struct races *races, struct race_epoch *epoch, const uint64_t *delta)
{
    if (!race_grow(races, (void **)&epoch->shapes, epoch->shape_count, &epoch->shape_capacity, sizeof *epoch->shapes))
        return 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        epoch->shapes[epoch->shape_count][lane] = (uint32_t)delta[lane];
    return (uint32_t)epoch->shape_count++;
}

/* Does a request that tells nothing new have to be written down? Not in a long epoch, when no warp barrier stands between
 * it and those that told it. */
static inline bool is_told(const struct race_epoch *epoch)
{
    return epoch->request_count >= PATIENT && !epoch->synced;
}

/* Returns false when the words cannot tell that all is well, or there is no room. */
static bool request_is_fine(struct races *races, struct race_epoch *epoch, const struct warp *warp, struct memory_site *site,
                            uint32_t base)
{
    uint32_t sync = latest_sync(warp->block->races, warp->index);
    struct race_layout *layout = race_layout(races, site);
    if (!layout)
        return false;
    enum touch result = TOUCH_OLD;
    bool write = site->access != SITE_LOAD;
    if (layout->align != base % RACE_LINE_BYTES && layout->run_count <= RACE_PIECES)
        race_layout_pieces(layout, base % RACE_LINE_BYTES, site->request_bytes);
    if (layout->run_count > RACE_PIECES || !layout->piece_count) {
        result = touch_runs(epoch, warp->index, sync, layout->runs, layout->run_count, base, site->request_bytes, write);
    } else if (write || !is_crowded(epoch, layout, base)) {
        for (unsigned i = 0; i < layout->piece_count; i++) {
            uint32_t index = base / RACE_LINE_BYTES + (uint32_t)layout->pieces[i].line;
            struct race_epoch_line *line = refresh(epoch, warp->index, sync, index);
            result = worse(result, touch_piece(line, warp->index, &layout->pieces[i], write));
        }
    } else {
        return true;   /* whoever writes here races with one of those that are written down */
    }
    if (result == TOUCH_CONFLICT)
        return false;
    if (result == TOUCH_OLD && is_told(epoch))
        return true;
    if (layout->kept_in != epoch->shapes_number) {
        layout->kept = keep_shape(races, epoch, site->shape.delta);
        layout->kept_in = epoch->shapes_number;
    }
    return write_down(races, epoch, warp, site, warp->mask, base, layout->kept);
}

static __attribute__((noinline)) void do_shared_request(struct races *races, struct warp *warp,
                                                        const struct operation *operation, uint32_t base)
{
    struct race_block *block = warp->block->races;
    if (races->gave_up
        || (!block->epoch.exact && !operation->site->strong
            && request_is_fine(races, &block->epoch, warp, operation->site, base)))
        return;
    race_epoch_make_exact(races, block);
    race_cells_request(races, warp, operation, base);
}

/* The commonest requests, those of one line that no other warp has touched since the barrier, in as few steps as possible;
 * what request_is_fine() would find of them. */
void race_shared_request(struct races *races, struct warp *warp, const struct operation *operation, uint32_t base)
{
    struct race_epoch *epoch = &warp->block->races->epoch;
    const struct memory_site *site = operation->site;
    const struct race_layout *layout = races->sites[site->number].layout;
    if (races->gave_up || epoch->exact || epoch->synced || !layout || layout->version != site->shape.version
        || layout->align != base % RACE_LINE_BYTES || layout->piece_count != 1 || site->strong
        || epoch->request_count + 1 >= epoch->request_capacity || layout->kept_in != epoch->shapes_number) {
        do_shared_request(races, warp, operation, base);
        return;
    }
    const struct race_piece *piece = layout->pieces;
    struct race_epoch_line *line = epoch->lines + base / RACE_LINE_BYTES + piece->line;
    uint32_t words = piece->words;
    bool write = site->access != SITE_LOAD;
    if (line->number == epoch->number) {
        if (!write && !(words & ~line->crowded))
            return;
        if (line->warp != warp->index) {
            do_shared_request(races, warp, operation, base);
            return;
        }
    } else {
        empty_line(line, epoch->number, warp->index, 0);
    }
    uint32_t before = line->touched, same = 0;
    if (piece->kind == PIECE_LANES)
        same = own_words(line, words, (int)(warp->index * WARP_LANES) + piece->lane, piece->shift);
    else if (piece->kind == PIECE_LANE)
        same = own_words_alone(line, words, warp->index * WARP_LANES + (unsigned)piece->lane);
    line->touched |= words;
    bool conflict = write ? words & ((before & ~same) | line->several) || piece->kind == PIECE_SEVERAL
                          : words & line->written & ~same;
    if (conflict) {
        do_shared_request(races, warp, operation, base);   /* finds the same, and asks the cells */
        return;
    }
    uint32_t fresh = words & ~before;
    if (write) {
        fresh |= words & ~line->written;
        line->written |= words;
    } else {
        uint32_t several = line->several | (piece->kind == PIECE_SEVERAL ? words : words & before & ~same);
        fresh |= several ^ line->several;
        line->several = several;
    }
    if (fresh || epoch->request_count < PATIENT)
        epoch->requests[epoch->request_count++] = (struct race_request){.site = site->number, .warp = warp->index,
                                                                        .mask = warp->mask, .time = races->time,
                                                                        .base = base, .shape = layout->kept};
}

bool race_epoch_lanes(struct races *races, struct warp *warp, const struct memory_site *site, const uint64_t *offset,
                      uint32_t mask)
{
    struct race_block *block = warp->block->races;
    struct race_epoch *epoch = &block->epoch;
    struct race_run runs[WARP_LANES];
    enum touch result = TOUCH_CONFLICT;
    if (!epoch->exact && !site->strong) {
        unsigned count = race_runs(offset, mask, site->request_bytes, runs);
        result = touch_runs(epoch, warp->index, latest_sync(block, warp->index), runs, count, 0, site->request_bytes,
                            site->access != SITE_LOAD);
    }
    if (result != TOUCH_CONFLICT
        && ((result == TOUCH_OLD && is_told(epoch))
            || write_down(races, epoch, warp, site, mask, 0, keep_shape(races, epoch, offset))))
        return true;
    race_epoch_make_exact(races, block);
    return false;
}

/* ---- epochs ---- */

void race_epoch_make_exact(struct races *races, struct race_block *block)
{
    struct race_epoch *epoch = &block->epoch;
    uint32_t now = races->time;
    if (epoch->exact)
        return;
    epoch->exact = true;
    for (size_t i = 0; i < epoch->request_count && !races->gave_up; i++) {
        const struct race_request *request = &epoch->requests[i];
        uint64_t offset[WARP_LANES];
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            offset[lane] = request->base + epoch->shapes[request->shape][lane];   /* modulo 2^32: lanes below the first */
        races->time = request->time;   /* nothing ordered threads since */
        race_note_lanes(races, block, block->first_warp + request->warp, request->site, request->mask, offset);
    }
    races->time = now;
}

void race_epoch_begin(struct races *races, struct race_block *block)
{
    struct race_epoch *epoch = &block->epoch;
    epoch->request_count = 0;
    epoch->synced = false;
    /* Those who have left take part in no barrier any more; what is done under a lock must be followed. The cells also serve
     * when the numbers are used up. */
    epoch->exact = block->any_gone || block->any_locks || races->epoch_count == UINT32_MAX;
    if (epoch->exact)
        return;
    if (!epoch->lines && races->launch->shared_bytes) {
        epoch->lines = calloc(races->launch->shared_bytes / RACE_LINE_BYTES + 2, sizeof *epoch->lines);
        races->gave_up |= !epoch->lines;
    }
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
}
