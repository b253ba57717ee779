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

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "runtime/emulator/checks/race.h"

enum {
    MIXED = UINT16_MAX,     /* several warps */
    PATIENT = 256,          /* requests of an epoch that are written down even when they tell nothing new */
    MAX_REQUESTS = 1 << 15,
};

/* 128 bytes of shared memory. Sets of words have one bit each. */
struct race_epoch_line {
    uint32_t number;                    /* epoch that the rest is of; another one: nothing happened here */
    uint32_t touched, written;
    uint32_t several, crowded;          /* read by more than one thread; by more than one warp */
    uint32_t sync;                      /* sync_time of `warp` when it was here last */
    uint32_t before_touched, before_written;   /* by `warp`, before that */
    uint16_t warp;                      /* that was here, its index in the block; or MIXED */
    uint16_t owner[RACE_LINE_WORDS];    /* of a touched word: the first thread, its index in the block */
};

struct race_request {
    uint32_t site, warp, mask, time, base, shape;
};

/* ---- words of a line ---- */

/* Words whose first thread is the accessing one, when that is `thread[word]`. */
static uint32_t same_owner(const uint16_t *owner, const uint16_t *thread)
{
    uint32_t same = 0;
#if defined(__SSE2__)
    for (unsigned half = 0; half < RACE_LINE_WORDS; half += 16) {
        const __m128i *a = (const __m128i *)(const void *)(owner + half), *b = (const __m128i *)(const void *)(thread + half);
        __m128i low = _mm_cmpeq_epi16(_mm_loadu_si128(a), _mm_loadu_si128(b));
        __m128i high = _mm_cmpeq_epi16(_mm_loadu_si128(a + 1), _mm_loadu_si128(b + 1));
        same |= (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high)) << half;
    }
#else
    for (unsigned word = 0; word < RACE_LINE_WORDS; word++)
        same |= (uint32_t)(owner[word] == thread[word]) << word;
#endif
    return same;
}

static inline uint32_t word_range(unsigned first, unsigned count)
{
    return (uint32_t)(((UINT64_C(1) << count) - 1) << first);
}

static struct race_epoch_line *refresh(struct race_epoch *epoch, const struct race_warp *own, unsigned warp, uint32_t index)
{
    struct race_epoch_line *line = &epoch->lines[index];
    if (line->number != epoch->number) {
        line->number = epoch->number;
        line->touched = line->written = line->several = line->crowded = 0;
        line->before_touched = line->before_written = 0;
        line->warp = (uint16_t)warp;
        line->sync = own->sync_time;
    } else if (line->warp != warp) {
        line->warp = MIXED;
    } else if (line->sync != own->sync_time) {   /* in order for this warp, but for no other */
        line->before_touched |= line->touched;
        line->before_written |= line->written;
        line->touched = line->written = line->several = 0;
        line->sync = own->sync_time;
    }
    return line;
}

enum touch { TOUCH_OLD, TOUCH_NEW, TOUCH_CONFLICT };   /* tells nothing new; something; more than can be told here */

static enum touch touch_read(struct race_epoch_line *line, unsigned warp, uint32_t words, uint32_t same, bool together)
{
    bool alone = line->warp == warp;
    uint32_t foreign = words & line->touched & ~same;
    if (words & ((line->written & (together ? words : ~same)) | (alone ? 0 : line->before_written)))
        return TOUCH_CONFLICT;
    uint32_t fresh = (words & ~line->touched) | ((foreign | (together ? words : 0)) & ~line->several);
    line->several |= foreign | (together ? words : 0);
    for (uint32_t rest = alone ? 0 : foreign & ~line->crowded; rest; rest &= rest - 1) {
        unsigned word = (unsigned)__builtin_ctz(rest);
        if (line->owner[word] / WARP_LANES != warp) {
            line->crowded |= 1u << word;
            fresh |= 1u << word;
        }
    }
    return fresh ? TOUCH_NEW : TOUCH_OLD;
}

static enum touch touch_write(struct race_epoch_line *line, unsigned warp, uint32_t words, uint32_t same, bool together)
{
    uint32_t before = line->warp == warp ? 0 : line->before_touched;
    if (together || words & ((line->touched & ~same) | line->several | before))
        return TOUCH_CONFLICT;
    enum touch result = words & ~line->written ? TOUCH_NEW : TOUCH_OLD;
    line->written |= words;
    return result;
}

/* One run of lanes, from `offset` (in the block's shared memory) on. */
static enum touch touch_run(struct race_epoch *epoch, const struct race_warp *own, unsigned warp, const struct race_run *run,
                            uint32_t offset, unsigned bytes, bool write)
{
    enum touch result = TOUCH_OLD;
    uint16_t threads[RACE_LINE_WORDS];
    uint32_t length = run->same ? bytes : bytes * run->count, word = offset / 4, end = (offset + length + 3) / 4;
    unsigned thread = warp * WARP_LANES + run->lane, shift = bytes == 8 ? 1 : bytes == 16 ? 2 : 0, done = 0;
    bool together = run->same && run->count > 1, one = run->same || run->count == 1;
    for (uint32_t next; word < end; word = next, done += next - word) {
        uint32_t index = word / RACE_LINE_WORDS;
        next = (index + 1) * RACE_LINE_WORDS < end ? (index + 1) * RACE_LINE_WORDS : end;
        unsigned first = word % RACE_LINE_WORDS, count = next - word;
        uint32_t words = word_range(first, count), same;
        struct race_epoch_line *line = refresh(epoch, own, warp, index);
        if (!write && !(words & ~line->crowded))
            continue;   /* whoever writes here races with one of those that are written down */
        if (one) {
            same = 0;
            for (unsigned i = first; i < first + count; i++) {
                same |= (uint32_t)(line->owner[i] == thread) << i;
                line->owner[i] = line->touched >> i & 1 ? line->owner[i] : (uint16_t)thread;
            }
        } else {
            for (unsigned i = 0; i < RACE_LINE_WORDS; i++)   /* what is not in `words` does not matter */
                threads[i] = (uint16_t)(thread + ((done + i - first) >> shift));
            same = same_owner(line->owner, threads);
            uint32_t fresh = words & ~line->touched;
            if (fresh == ALL_LANES)
                memcpy(line->owner, threads, sizeof threads);
            else
                for (; fresh; fresh &= fresh - 1)
                    line->owner[__builtin_ctz(fresh)] = threads[__builtin_ctz(fresh)];
        }
        enum touch found = write ? touch_write(line, warp, words, same, together)
                                 : touch_read(line, warp, words, same, together);
        line->touched |= words;
        if (found == TOUCH_CONFLICT)
            return found;
        result = found > result ? found : result;
    }
    return result;
}

/* ---- what a request looks like ---- */

static unsigned list_runs(const uint64_t *delta, uint32_t mask, unsigned bytes, struct race_run *runs)
{
    unsigned count = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(mask >> lane & 1))
            continue;
        struct race_run *run = &runs[count++];
        *run = (struct race_run){.delta = (uint32_t)delta[lane], .lane = (uint8_t)lane, .count = 1};
        if (lane + 1 == WARP_LANES || !(mask >> (lane + 1) & 1))
            continue;
        uint64_t step = delta[lane + 1] - delta[lane];
        if (step != 0 && (step != bytes || bytes < 4))
            continue;
        run->same = step == 0;
        while (lane + 1 < WARP_LANES && mask >> (lane + 1) & 1 && delta[lane + 1] - delta[lane] == step) {
            run->count++;
            lane++;
        }
    }
    return count;
}

struct race_layout *race_layout(struct races *races, struct memory_site *site)
{
    struct race_site *known = &races->sites[site->number];
    if (!known->layout && !(known->layout = malloc(sizeof *known->layout))) {
        races->gave_up = true;
        return NULL;
    }
    if (known->layout_known && known->layout->version == site->shape.version)
        return known->layout;
    struct race_layout *layout = known->layout;
    known->layout_known = true;
    layout->version = site->shape.version;
    layout->run_count = (uint8_t)list_runs(site->shape.delta, site->shape.mask, (unsigned)site->bytes * site->vector,
                                           layout->runs);
    layout->place_count = 0;
    layout->kept_in = 0;
    return layout;
}

/* ---- requests ---- */

static bool make_lines(struct races *races, struct race_epoch *epoch)
{
    size_t lines = (races->launch->shared_bytes + RACE_LINE_BYTES - 1) / RACE_LINE_BYTES;
    epoch->lines = calloc(lines + 1, sizeof *epoch->lines);
    races->gave_up |= !epoch->lines;
    return epoch->lines != NULL;
}

static void write_down(struct races *races, struct race_epoch *epoch, const struct race_warp *own,
                       const struct memory_site *site, uint32_t mask, uint32_t base, uint32_t shape)
{
    if (!race_grow(races, (void **)&epoch->requests, epoch->request_count, &epoch->request_capacity,
                   sizeof *epoch->requests))
        return;
    epoch->requests[epoch->request_count++] = (struct race_request){
        .site = site->number, .warp = own->id, .mask = mask, .time = races->time, .base = base, .shape = shape};
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
static bool is_told(const struct race_epoch *epoch, const struct race_warp *own, const struct race_block *block)
{
    return epoch->request_count >= PATIENT && own->sync_time <= block->barrier_time;
}

static bool can_be_fast(struct races *races, struct race_block *block, const struct race_warp *own,
                        const struct memory_site *site)
{
    struct race_epoch *epoch = &block->epoch;
    if (epoch->exact)
        return false;
    if (site->strong || own->locks || epoch->request_count >= MAX_REQUESTS || (!epoch->lines && !make_lines(races, epoch))) {
        race_epoch_make_exact(races, block);
        return false;
    }
    return true;
}

bool race_epoch_request(struct races *races, struct warp *warp, struct memory_site *site, uint32_t base)
{
    struct race_block *block = warp->block->races;
    struct race_epoch *epoch = &block->epoch;
    const struct race_warp *own = &block->warps[warp->index];
    if (!can_be_fast(races, block, own, site))
        return false;
    struct race_layout *layout = race_layout(races, site);
    if (!layout)
        return true;
    enum touch result = TOUCH_OLD;
    for (unsigned i = 0; i < layout->run_count; i++) {
        const struct race_run *run = &layout->runs[i];
        enum touch found = touch_run(epoch, own, warp->index, run, base + run->delta, (unsigned)site->bytes * site->vector,
                                     site->access != SITE_LOAD);
        result = found > result ? found : result;
    }
    if (result == TOUCH_CONFLICT) {
        race_epoch_make_exact(races, block);
        return false;
    }
    if (result == TOUCH_OLD && is_told(epoch, own, block))
        return true;
    if (layout->kept_in != epoch->number) {
        layout->kept = keep_shape(races, epoch, site->shape.delta);
        layout->kept_in = epoch->number;
    }
    write_down(races, epoch, own, site, warp->mask, base, layout->kept);
    return true;
}

bool race_epoch_lanes(struct races *races, struct warp *warp, const struct memory_site *site, const uint64_t *offset,
                      uint32_t mask)
{
    struct race_block *block = warp->block->races;
    struct race_epoch *epoch = &block->epoch;
    const struct race_warp *own = &block->warps[warp->index];
    if (!can_be_fast(races, block, own, site))
        return false;
    struct race_run runs[WARP_LANES];
    unsigned bytes = (unsigned)site->bytes * site->vector, count = list_runs(offset, mask, bytes, runs);
    enum touch result = TOUCH_OLD;
    for (unsigned i = 0; i < count; i++) {
        enum touch found = touch_run(epoch, own, warp->index, &runs[i], runs[i].delta, bytes, site->access != SITE_LOAD);
        result = found > result ? found : result;
    }
    if (result == TOUCH_CONFLICT) {
        race_epoch_make_exact(races, block);
        return false;
    }
    if (result == TOUCH_NEW || !is_told(epoch, own, block))
        write_down(races, epoch, own, site, mask, 0, keep_shape(races, epoch, offset));
    return true;
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
        race_note_lanes(races, block, request->warp, request->site, request->mask, offset);
    }
    races->time = now;
}

void race_epoch_begin(struct races *races, struct race_block *block)
{
    struct race_epoch *epoch = &block->epoch;
    epoch->request_count = epoch->shape_count = 0;
    /* Those who have left take part in no barrier any more. The cells also serve when the numbers are used up. */
    epoch->exact = block->any_gone || races->epoch_count == UINT32_MAX;
    if (!epoch->exact)
        epoch->number = ++races->epoch_count;
}

void race_epoch_free(struct race_epoch *epoch)
{
    free(epoch->lines);
    free(epoch->requests);
    free(epoch->shapes);
}
