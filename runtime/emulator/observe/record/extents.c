#include "runtime/emulator/observe/record/extents.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/footprint.h"
#include "runtime/emulator/machine/launch.h"
#include "runtime/emulator/machine/launch_request.h"
#include "runtime/emulator/machine/memory.h"
#include "runtime/emulator/machine/warp.h"

enum { USE_LIMIT = 256, PIECE_LIMIT = 1 << 20, WORD_BITS = 64 };

/* One bit per byte of the allocation and manner, in memory that the system fills in where it is touched. */
struct use {
    struct memory_allocation *allocation;
    uint64_t *bits[EXTENTS_MANNER_COUNT];                           /* NULL until needed */
    uint64_t low[EXTENTS_MANNER_COUNT], high[EXTENTS_MANNER_COUNT]; /* words that may have a bit: [low, high) */
    bool waits, signals, incomplete;
};

struct extents {
    struct use uses[USE_LIMIT];
    size_t count;
    struct use *last;
    bool is_full; /* some allocations are left out */
};

static bool is_wanted;
static struct extents *current;

void extents_want(bool wanted)
{
    is_wanted = wanted;
}

struct extents *extents_start(void)
{
    if (is_wanted && !current)
        current = calloc(1, sizeof *current);
    return is_wanted ? current : NULL;
}

/* The record of an allocation; NULL: there is no room for it. */
static struct use *find_use(struct extents *extents, struct memory_allocation *allocation)
{
    if (extents->last && extents->last->allocation == allocation)
        return extents->last;
    for (size_t i = 0; i < extents->count; i++)
        if (extents->uses[i].allocation == allocation)
            return extents->last = &extents->uses[i];
    if (extents->count == USE_LIMIT) {
        extents->is_full = true;
        return NULL;
    }
    struct use *use = &extents->uses[extents->count++];
    use->allocation = allocation;
    return extents->last = use;
}

static void mark(struct use *use, enum extents_manner manner, uint64_t offset, uint64_t bytes)
{
    uint64_t words = (use->allocation->bytes + WORD_BITS - 1) / WORD_BITS;
    if (offset >= use->allocation->bytes || bytes > use->allocation->bytes - offset || bytes == 0)
        return; /* outside: a finding already */
    if (!use->bits[manner]) {
        use->bits[manner] = calloc(words, sizeof **use->bits);
        use->low[manner] = words;
    }
    if (!use->bits[manner]) {
        use->incomplete = true;
        return;
    }
    uint64_t first = offset / WORD_BITS, last = (offset + bytes - 1) / WORD_BITS;
    if (first < use->low[manner])
        use->low[manner] = first;
    if (last >= use->high[manner])
        use->high[manner] = last + 1;
    for (uint64_t word = first; word <= last; word++) {
        uint64_t from = word == first ? offset % WORD_BITS : 0;
        uint64_t to = word == last ? (offset + bytes - 1) % WORD_BITS + 1 : WORD_BITS;
        uint64_t below = to == WORD_BITS ? ~UINT64_C(0) : (UINT64_C(1) << to) - 1;
        use->bits[manner][word] |= below & ~((UINT64_C(1) << from) - 1);
    }
}

static enum extents_manner manner_of(struct use *use, const struct memory_site *site)
{
    if (site->access == SITE_LOAD && (site->strong || site->is_volatile)) {
        use->waits = true;
        return EXTENTS_STRONG;
    }
    if (site->access == SITE_LOAD)
        return EXTENTS_READ;
    if (site->access == SITE_STORE && !site->strong && !site->is_volatile)
        return EXTENTS_WRITTEN;
    use->signals = true;
    return EXTENTS_STRONG;
}

void extents_note(struct extents *extents, const struct operation *operation, uint64_t start)
{
    struct memory_site *site = operation->site;
    if (!site->allocation)
        return;
    struct use *use = find_use(extents, site->allocation);
    if (!use)
        return;
    const struct shape *shape = footprint_runs(site);
    enum extents_manner manner = manner_of(use, site);
    uint64_t offset = start - site->allocation->address;
    for (unsigned i = 0; i < shape->run_count; i++)
        mark(use, manner, offset + shape->runs[i].delta, shape->runs[i].bytes);
}

void extents_note_lanes(struct extents *extents, const struct warp *warp, const struct operation *operation,
                        const uint64_t address[WARP_LANES], uint32_t lanes)
{
    const struct memory_site *site = operation->site;
    if (site->space == SITE_SHARED || site->space == SITE_LOCAL)
        return;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint64_t at = address[__builtin_ctz(rest)];
        struct memory_allocation *allocation = memory_find(warp->launch->request->memory, at);
        struct use *use = allocation && !allocation->freed ? find_use(extents, allocation) : NULL;
        if (use)
            mark(use, manner_of(use, site), at - allocation->address, site->request_bytes);
    }
}

void extents_note_range(struct extents *extents, struct memory_allocation *allocation, uint64_t offset, uint64_t bytes,
                        bool written)
{
    struct use *use = allocation ? find_use(extents, allocation) : NULL;
    if (use)
        mark(use, written ? EXTENTS_WRITTEN : EXTENTS_READ, offset, bytes);
}

/* ---- from bits to lists ---- */

/* Position of the first bit at or after `at` that is `set`; `end` when there is none before. */
static uint64_t find_bit(const uint64_t *bits, uint64_t at, uint64_t end, bool set)
{
    while (at < end) {
        uint64_t word = set ? bits[at / WORD_BITS] : ~bits[at / WORD_BITS];
        word &= ~UINT64_C(0) << at % WORD_BITS;
        if (word) {
            uint64_t found = at / WORD_BITS * WORD_BITS + (uint64_t)__builtin_ctzll(word);
            return found < end ? found : end;
        }
        at = (at / WORD_BITS + 1) * WORD_BITS;
    }
    return end;
}

/* Lists what is set; false: too many pieces, or no memory. */
static bool list(const struct use *use, enum extents_manner manner, struct extents_use *result)
{
    const uint64_t *bits = use->bits[manner];
    uint64_t end = use->high[manner] * WORD_BITS;
    size_t room = 16, count = 0;
    struct extent *extents = malloc(room * sizeof *extents);
    result->lists[manner] = extents;
    for (uint64_t at = bits ? use->low[manner] * WORD_BITS : end; extents && at < end;) {
        uint64_t from = find_bit(bits, at, end, true);
        if (from == end)
            break;
        if (count == room) {
            extents = room < PIECE_LIMIT ? realloc(extents, 2 * room * sizeof *extents) : NULL;
            if (!extents)
                return false;
            result->lists[manner] = extents;
            room *= 2;
        }
        at = find_bit(bits, from, end, false);
        extents[count++] = (struct extent){from, at};
    }
    result->counts[manner] = count;
    return extents != NULL;
}

static bool hand_over(const struct use *use, void (*receive)(void *, const struct extents_use *), void *data)
{
    struct extents_use result = {.allocation = use->allocation, .waits = use->waits, .signals = use->signals};
    bool complete = !use->incomplete;
    for (int manner = 0; manner < EXTENTS_MANNER_COUNT; manner++)
        complete = list(use, (enum extents_manner)manner, &result) && complete;
    if (complete) {
        receive(data, &result);
        return true;
    }
    for (int manner = 0; manner < EXTENTS_MANNER_COUNT; manner++)
        free(result.lists[manner]);
    return false;
}

bool extents_take(void (*receive)(void *data, const struct extents_use *use), void *data)
{
    struct extents *extents = current;
    current = NULL;
    if (!extents)
        return true;
    bool complete = !extents->is_full;
    for (size_t i = 0; i < extents->count; i++) {
        complete = hand_over(&extents->uses[i], receive, data) && complete;
        for (int manner = 0; manner < EXTENTS_MANNER_COUNT; manner++)
            free(extents->uses[i].bits[manner]);
    }
    free(extents);
    return complete;
}
