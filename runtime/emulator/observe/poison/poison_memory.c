/* Poison in memory: loads read it, stores write or remove it, atomics must not meet it. */
#include "runtime/emulator/observe/poison/poison.h"

#include <stdio.h>
#include <string.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/async.h"
#include "runtime/emulator/machine/footprint.h"
#include "runtime/emulator/machine/hooks.h"
#include "runtime/emulator/machine/work.h"
#include "runtime/emulator/observe/poison/written.h"

/* The written bits of what a request touches. */
struct shadow {
    uint8_t *written;                     /* NULL: everything counts as written */
    struct poison_partial *partial;       /* bytes that are partly written */
    uint64_t first_key;                   /* there, of the byte at offset 0 */
    bool *full;                           /* no byte is poison; NULL: unknown */
    uint8_t *store_bytes;                 /* sizes of the stores there, a bit each */
    uint64_t end;                         /* of the bytes that `written` is about */
    struct memory_allocation *allocation; /* NULL: shared or local */
    bool shared;
};

static struct poison_partial partial_global; /* by address: launches pass such bytes on */

static struct shadow shadow_of_allocation(struct memory_allocation *allocation)
{
    return (struct shadow){.written = allocation->written,
                           .partial = &partial_global,
                           .first_key = allocation->address,
                           .full = &allocation->all_written,
                           .store_bytes = &allocation->store_bytes,
                           .end = allocation->bytes,
                           .allocation = allocation};
}

static struct shadow shadow_of_block(struct warp *warp)
{
    struct poison_block *block = warp->reached->warps->poison->block;
    return (struct shadow){.written = block->shared_written,
                           .partial = &block->partial,
                           .first_key = (uintptr_t)block->shared_written * 8,
                           .full = &warp->reached->shared_full,
                           .store_bytes = &block->shared_stores,
                           .end = warp->launch->shared_room,
                           .shared = true};
}

static struct shadow shadow_of_local(struct warp *warp, bool *never_full)
{
    return (struct shadow){.written = warp->poison->local_written,
                           .partial = &warp->poison->block->partial,
                           .first_key = (uintptr_t)warp->poison->local_written * 8,
                           .full = never_full,
                           .store_bytes = &warp->poison->block->local_stores,
                           .end = (uint64_t)warp->local_stride * WARP_LANES};
}

void poison_forget_parts(const struct memory_allocation *allocation)
{
    poison_partial_forget(&partial_global, allocation->address, allocation->bytes);
}

static uint32_t all_bytes(unsigned count)
{
    return count == 32 ? UINT32_MAX : (1u << count) - 1;
}

/* The poisoned bits of up to eight bytes; bytes: which of them are poison. */
static uint64_t spread(const struct shadow *shadow, uint64_t offset, uint32_t bytes)
{
    uint64_t bits = 0;
    for (; bytes; bytes &= bytes - 1) {
        unsigned i = (unsigned)__builtin_ctz(bytes);
        bits |= (uint64_t)poison_partial_get(shadow->partial, shadow->first_key + offset + i) << 8 * i;
    }
    return bits;
}

/* bytes: 1 to 8 */
static uint64_t width_mask(unsigned bytes)
{
    return bytes < 8 ? ((uint64_t)1 << 8 * bytes) - 1 : UINT64_MAX;
}

/* Eight bits per byte to one. */
static uint32_t gather(uint64_t bits, unsigned count)
{
    uint32_t bytes = 0;
    for (unsigned i = 0; i < count; i++)
        bytes |= (uint32_t)((bits >> 8 * i & 0xFF) != 0) << i;
    return bytes;
}

/* The same for the bytes that are all poison. */
static uint32_t gather_whole(uint64_t bits, unsigned count)
{
    uint32_t bytes = 0;
    for (unsigned i = 0; i < count; i++)
        bytes |= (uint32_t)((bits >> 8 * i & 0xFF) == 0xFF) << i;
    return bytes;
}

/* Remembers which bits of the bytes are poison. */
static void keep_parts(const struct shadow *shadow, uint64_t offset, uint64_t bits)
{
    for (; bits; bits >>= 8, offset++)
        if (bits & 0xFF)
            poison_partial_set(shadow->partial, shadow->first_key + offset, (uint8_t)bits);
}

/* ---- loads ---- */

static void clear_destinations(struct warp *warp, const struct operation *operation, uint32_t lanes)
{
    for (unsigned element = 0; element < operation->site->vector && warp->watches; element++) {
        uint32_t d;
        enum operand_part part = operands_destination(operation, element, &d);
        poison_clear(warp, part, d, lanes);
    }
}

static __attribute__((noinline)) void fill_origin(struct warp *warp, const struct operation *operation,
                                                  const struct shadow *shadow, uint64_t offset, struct poison_origin *origin)
{
    struct finding place = {0};
    origin->operation = operation;
    origin->space = shadow->allocation ? POISON_GLOBAL : shadow->shared ? POISON_SHARED : POISON_LOCAL;
    if (origin->space == POISON_LOCAL) {
        snprintf(origin->array, sizeof origin->array, "local memory");
        origin->index = (int64_t)(offset / operation->site->bytes);
        return;
    }
    origin->bytes = operation->site->bytes;
    unsigned element = poison_name_place(warp, operation, shadow->allocation, offset, &place), left = origin->bytes;
    if (element > 0 && element < origin->bytes) { /* several elements: the first that was not written */
        for (; left > element && written_get(shadow->written, offset, element) == (1u << element) - 1; left -= element)
            offset += element;
        poison_name_place(warp, operation, shadow->allocation, offset, &place);
        origin->bytes = element;
    }
    origin->bytes_written = (unsigned)__builtin_popcount(written_get(shadow->written, offset, origin->bytes));
    const struct finding *stored = poison_find_store(poison_of(warp), shadow->allocation, offset);
    if (stored && stored->line2) {
        memcpy(origin->file, stored->file2, sizeof origin->file);
        origin->line = stored->line2;
        memcpy(origin->unwritten, stored->unwritten, sizeof origin->unwritten);
        origin->unwritten_index = stored->unwritten_index;
    }
    memcpy(origin->array, place.array, sizeof origin->array);
    origin->index = place.index;
    origin->columns = place.columns;
}

/* The first place where an instruction found poison is the one that is reported. */
static void remember_origin(struct warp *warp, const struct operation *operation, const struct shadow *shadow,
                            uint64_t offset)
{
    struct poison_origin *origin = &poison_of(warp)->origins[operation->site->number];
    if (!origin->operation)
        fill_origin(warp, operation, shadow, offset, origin);
}

/* The entry for a place's word, whatever it now holds. */
static struct poison_passed *passed_of(struct warp *warp, const struct shadow *shadow, uint64_t offset)
{
    struct poison_block *block = warp->poison->block;
    return &block->passed[shadow->shared ? POISON_PASSED_LOCAL + offset / 4 : offset / 4 % POISON_PASSED_LOCAL];
}

/* Poison was stored: the bytes of `poison`, from offset on. */
static void note_passed(struct warp *warp, const struct shadow *shadow, uint64_t offset, uint32_t poison, uint32_t origin)
{
    for (uint64_t word = offset / 4; poison; word++) {
        unsigned ahead = (unsigned)((word + 1) * 4 - offset);
        uint32_t here = ahead < 32 ? poison & ((1u << ahead) - 1) : poison;
        if (here)
            *passed_of(warp, shadow, word * 4) = (struct poison_passed){shadow->written, word, origin};
        poison &= ~here;
    }
    warp->poison->block->any_passed = true;
}

/* Where the poison at a place came from: what was stored there had its own origin, else the place was never written. */
static uint32_t origin_at(struct warp *warp, const struct operation *operation, const struct shadow *shadow, uint64_t offset)
{
    const struct poison_passed *passed = passed_of(warp, shadow, offset);
    if (passed->written == shadow->written && passed->word == offset / 4)
        return passed->origin;
    remember_origin(warp, operation, shadow, offset);
    return operation->site->number;
}

/* May all bytes of `poison` be padding, so that whoever moves the structure need not have a value for them? */
static bool may_be_padding(const struct shadow *shadow, uint64_t offset, uint32_t poison)
{
    bool may_be = shadow->store_bytes != NULL;
    for (; poison && may_be; poison &= poison - 1)
        may_be = memory_may_be_padding(shadow->written, shadow->end, *shadow->store_bytes,
                                       offset + (uint64_t)__builtin_ctz(poison));
    return may_be;
}

static void load_lane(struct warp *warp, const struct operation *operation, const struct shadow *shadow, unsigned lane,
                      uint64_t offset)
{
    const struct memory_site *site = operation->site;
    unsigned size = (unsigned)site->bytes * site->vector;
    uint32_t poison = ~written_get(shadow->written, offset, size) & all_bytes(size);
    if (!poison)
        return;
    uint32_t origin = origin_at(warp, operation, shadow,
                                offset + (uint64_t)__builtin_ctz(poison) / site->bytes * site->bytes);
    if (may_be_padding(shadow, offset, poison)) {
        poison_of(warp)->origins[origin & ~POISON_PADDING].store_bytes |= *shadow->store_bytes;
        origin |= POISON_PADDING;
    } else {
        origin &= ~POISON_PADDING;
    }
    for (unsigned element = 0; element < site->vector; element++) {
        uint64_t bits = spread(shadow, offset + (uint64_t)element * site->bytes,
                               poison >> element * site->bytes & all_bytes(site->bytes));
        uint32_t d;
        enum operand_part part = operands_destination(operation, element, &d);
        if (site->signed_extend && site->bytes < 8)
            bits = (uint64_t)((int64_t)(bits << (64 - 8 * site->bytes)) >> (64 - 8 * site->bytes));
        poison_set(warp, part, d, lane, bits, origin);
    }
}

void poison_print(struct warp *warp, const struct operation *operation, unsigned lane, uint64_t offset, unsigned bytes)
{
    bool never_full = false;
    struct shadow shadow = shadow_of_local(warp, &never_full);
    uint64_t place = (uint64_t)lane * warp->local_stride + offset;
    uint32_t poison = ~written_get(shadow.written, place, bytes) & all_bytes(bytes);
    if (!poison)
        return;
    const struct poison_passed *passed = passed_of(warp, &shadow, place + (uint64_t)__builtin_ctz(poison));
    bool known = passed->written == shadow.written && passed->word == (place + (uint64_t)__builtin_ctz(poison)) / 4;
    poison_report_use(warp, operation, 1u << lane, known ? passed->origin & ~POISON_PADDING : poison_of(warp)->no_load,
                      POISON_PRINT);
}

/* ---- stores ---- */

/* Lanes whose value to be stored has poison. */
static uint32_t poisoned_values(const struct warp *warp, const struct memory_site *site)
{
    uint32_t lanes = 0;
    for (unsigned element = 0; element < site->vector && warp->watches; element++)
        if (site->data[element] != UINT32_MAX)
            lanes |= poison_lanes(warp, site->wide[element] ? PART_Q : PART_R, site->data[element]);
    return lanes & warp->mask;
}

/* Does the store write back what that load read from the same place? Then bits that are poison still may belong to no
 * bit-field at all. */
static bool changes_field(const struct warp *warp, const struct operation *store, uint32_t origin)
{
    const struct operation *load = poison_of(warp)->origins[origin].operation;
    return load && load->site && operation_is(load, ROLE_LOADS) && load->a == store->a
           && load->site->offset == store->site->offset && load->site->bytes == store->site->bytes;
}

/* The sizes of stores tell the padding of structures from elements that no thread wrote. */
static void note_size(const struct shadow *shadow, const struct memory_site *site)
{
    if (shadow->store_bytes)
        *shadow->store_bytes |= (uint8_t)((site->bytes | site->bytes * site->vector) & 31);
}

static void store_lane(struct warp *warp, const struct operation *operation, const struct shadow *shadow, unsigned lane,
                       uint64_t offset, bool poisoned)
{
    const struct memory_site *site = operation->site;
    unsigned size = (unsigned)site->bytes * site->vector;
    uint32_t poison = 0, whole = 0, origin = 0; /* whole: bytes without any bit that is known */
    for (unsigned element = 0; poisoned && element < site->vector; element++) {
        enum operand_part part = site->wide[element] ? PART_Q : PART_R;
        uint64_t bits = site->data[element] == UINT32_MAX ? 0 : poison_bits(warp, part, site->data[element], lane);
        uint32_t bytes = gather(bits, site->bytes);
        if (bytes && (!poison || origin & POISON_PADDING))
            origin = poison_origin_moved(warp, part, site->data[element]);
        poison |= bytes << element * site->bytes;
        whole |= gather_whole(bits, site->bytes) << element * site->bytes;
        if (bytes)
            keep_parts(shadow, offset + (uint64_t)element * site->bytes, bits & width_mask(site->bytes));
    }
    note_size(shadow, site);
    written_put(shadow->written, offset, size, ~poison);
    if (!poison)
        return;
    *shadow->full = false;
    bool padding = origin & POISON_PADDING;
    if (padding && shadow->store_bytes)
        *shadow->store_bytes |= poison_of(warp)->origins[origin & ~POISON_PADDING].store_bytes;
    if (shadow->allocation) {
        offset += (uint64_t)__builtin_ctz(poison);
        shadow->allocation->quiet_in = 0;
        if (!padding && (whole || !changes_field(warp, operation, origin)))
            poison_note_store(warp, operation, lane, origin, shadow->allocation, offset);
    } else if (whole || !changes_field(warp, operation, origin & ~POISON_PADDING)) {
        note_passed(warp, shadow, offset, poison, origin);
    }
}

/* ---- atomics ---- */

static void atomic_lane(struct warp *warp, const struct operation *operation, const struct shadow *shadow, unsigned lane,
                        uint64_t offset)
{
    const struct memory_site *site = operation->site;
    enum operand_part part = site->wide[0] ? PART_Q : PART_R;
    bool exchange = site->atomic == ATOMIC_EXCH;
    uint32_t d, poison = ~written_get(shadow->written, offset, site->bytes) & all_bytes(site->bytes);
    enum operand_part result = operands_destination(operation, 0, &d);
    uint64_t operand = poison_bits(warp, part, site->data[0], lane);
    unsigned source = 0;
    if (site->data[1] != UINT32_MAX && !operand) {
        operand = poison_bits(warp, part, site->data[1], lane);
        source = 1;
    }
    if (operand)
        poison_report_use(warp, operation, 1u << lane, poison_origin(warp, part, site->data[source]), POISON_ATOMIC_OPERAND);
    if (poison && exchange && result != PART_NONE)
        remember_origin(warp, operation, shadow, offset);
    if (poison && !exchange) {
        remember_origin(warp, operation, shadow, offset);
        poison_report_atomic(warp, operation, lane, shadow->allocation, offset);
    }
    if (result != PART_NONE)
        poison_set(warp, result, d, lane, spread(shadow, offset, poison), site->number);
    if (exchange) {
        written_put(shadow->written, offset, site->bytes, ~gather(operand, site->bytes));
        keep_parts(shadow, offset, operand & width_mask(site->bytes));
    }
}

/* ---- requests ---- */

static void do_lanes(struct warp *warp, const struct operation *operation, const struct shadow *shadow, uint32_t mask,
                     const uint64_t *offset)
{
    const struct memory_site *site = operation->site;
    uint32_t poisoned = site->access == SITE_STORE ? poisoned_values(warp, site) : 0;
    if (site->access == SITE_LOAD)
        clear_destinations(warp, operation, mask);
    work_add(WORK_SHADOW_LANE * (uint64_t)__builtin_popcount(mask));
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (site->access == SITE_LOAD)
            load_lane(warp, operation, shadow, lane, offset[lane]);
        else if (site->access == SITE_STORE)
            store_lane(warp, operation, shadow, lane, offset[lane], poisoned >> lane & 1);
        else
            atomic_lane(warp, operation, shadow, lane, offset[lane]);
    }
}

/* Nothing is poison, neither in memory nor in what is stored. Returns whether that settles the request. */
static bool is_clean(struct warp *warp, const struct operation *operation, const struct shadow *shadow)
{
    const struct memory_site *site = operation->site;
    if (shadow->written && !*shadow->full)
        return false;
    if (!warp->watches)
        return true;
    if (site->access != SITE_LOAD && shadow->written)
        return false;
    clear_destinations(warp, operation, warp->mask);
    return true;
}

/* Has everything that the request touches been written? Often what is between the lanes has been, too. */
static bool runs_are_written(const uint8_t *written, uint64_t base, struct memory_site *site)
{
    enum { SHORT = 1024 };
    const struct shape *shape = &site->shape;
    if (shape->extent <= SHORT && written_range(written, base + (uint64_t)shape->low, shape->extent))
        return true;
    shape = footprint_runs(site);
    bool all = true;
    for (unsigned i = 0; i < shape->run_count && all; i++)
        all = written_range(written, base + shape->runs[i].delta, shape->runs[i].bytes);
    return all;
}

/* A request that meets no poison and stores none: returns whether it was one, and is settled. */
static bool do_clean(struct warp *warp, const struct operation *operation, const struct shadow *shadow, uint64_t base)
{
    struct memory_site *site = operation->site;
    if (site->access == SITE_STORE) {
        if (warp->watches && poisoned_values(warp, site))
            return false;
        note_size(shadow, site);
        const struct shape *shape = footprint_runs(site);
        for (unsigned i = 0; i < shape->run_count; i++)
            written_mark(shadow->written, base + shape->runs[i].delta, shape->runs[i].bytes);
        return true;
    }
    if ((site->access != SITE_LOAD && warp->watches) || !runs_are_written(shadow->written, base, site))
        return false;
    clear_destinations(warp, operation, warp->mask);
    return true;
}

void poison_request(struct poison *poison, struct warp *warp, const struct operation *operation, uint64_t start)
{
    const struct memory_site *site = operation->site;
    uint64_t base = start - site->window_address + (site->allocation ? 0 : (uintptr_t)site->window_host);
    struct shadow shadow = site->allocation ? shadow_of_allocation(site->allocation) : shadow_of_block(warp);
    (void)poison;
    if (is_clean(warp, operation, &shadow) || do_clean(warp, operation, &shadow, base))
        return;
    uint64_t offset[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        offset[lane] = base + site->shape.delta[lane];
    do_lanes(warp, operation, &shadow, warp->mask, offset);
}

/* do_clean() for lanes whose places have no known shape. */
static bool do_clean_lanes(struct warp *warp, const struct operation *operation, const struct shadow *shadow, uint32_t mask,
                           const uint64_t *offset)
{
    const struct memory_site *site = operation->site;
    unsigned size = site->request_bytes;
    uint32_t all = all_bytes(size), missing = 0;
    if (site->access == SITE_STORE) {
        if (warp->watches && poisoned_values(warp, site))
            return false;
        note_size(shadow, site);
        for (uint32_t rest = mask; rest; rest &= rest - 1)
            written_put(shadow->written, offset[__builtin_ctz(rest)], size, all);
        return true;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        missing |= all & ~written_get(shadow->written, offset[__builtin_ctz(rest)], size);
    if (missing || (site->access != SITE_LOAD && warp->watches))
        return false;
    clear_destinations(warp, operation, mask);
    return true;
}

/* Lanes of one address space or allocation: that of the first of `rest`. Returns which lanes, and where their places are. */
static uint32_t lanes_of_region(struct warp *warp, const struct operation *operation, const uint64_t address[32],
                                uint32_t rest, struct shadow *shadow, uint64_t *offset)
{
    enum site_space space = operation->site->space;
    uint64_t first = address[__builtin_ctz(rest)], window = space == SITE_GENERIC ? first & WINDOW_MASK : 0;
    bool shared = space == SITE_SHARED || window == SHARED_WINDOW, local = space == SITE_LOCAL || window == LOCAL_WINDOW;
    const struct memory_allocation *allocation = NULL;
    uint32_t lanes = 0;
    if (shared) {
        *shadow = shadow_of_block(warp);
    } else if (local) {
        *shadow = shadow_of_local(warp, shadow->full);
    } else {
        struct memory_allocation *found = memory_find(warp->launch->request->memory, first);
        if (found)
            *shadow = shadow_of_allocation(found);
        allocation = found;
    }
    for (; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t place = address[lane];
        if (shared || local ? space == SITE_GENERIC && (place & WINDOW_MASK) != window
                            : place != first && !(allocation && place - allocation->address < allocation->bytes))
            continue;
        lanes |= 1u << lane;
        offset[lane] = shared       ? access_shared_offset(warp->launch, place)
                       : local      ? (uint64_t)lane * warp->local_stride + (place - (space == SITE_GENERIC ? window : 0))
                       : allocation ? place - allocation->address
                                    : 0;
    }
    return lanes;
}

void poison_request_lanes(struct poison *poison, struct warp *warp, const struct operation *operation,
                          const uint64_t address[32], uint32_t valid)
{
    (void)poison;
    for (uint32_t rest = valid, lanes; rest; rest &= ~lanes) {
        bool never_full = false;
        struct shadow shadow = {.full = &never_full};
        uint64_t offset[WARP_LANES];
        lanes = lanes_of_region(warp, operation, address, rest, &shadow, offset);
        if (!shadow.written)
            clear_destinations(warp, operation, lanes);
        else if (!do_clean_lanes(warp, operation, &shadow, lanes, offset))
            do_lanes(warp, operation, &shadow, lanes, offset);
    }
}

void poison_texels(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t valid)
{
    const struct memory_site *site = operation->site;
    for (; valid; valid &= valid - 1) {
        unsigned lane = (unsigned)__builtin_ctz(valid);
        struct memory_allocation *allocation = memory_find(warp->launch->request->memory, address[lane]);
        if (!allocation || !allocation->written || allocation->all_written)
            continue;
        struct shadow shadow = shadow_of_allocation(allocation);
        uint64_t offset = address[lane] - allocation->address;
        uint32_t poison = ~written_get(shadow.written, offset, site->request_bytes) & all_bytes(site->request_bytes);
        if (!poison)
            continue;
        uint32_t origin = origin_at(warp, operation, &shadow, offset + (uint64_t)__builtin_ctz(poison)) & ~POISON_PADDING;
        for (unsigned element = 0; element < 4; element++)
            if (site->data[element] != UINT32_MAX)
                poison_set(warp, PART_R, site->data[element], lane, UINT32_MAX, origin);
    }
}

/* ---- asynchronous copies ---- */

void poison_mark_shared(struct warp *warp, uint64_t offset, uint64_t bytes)
{
    struct poison_block *block = warp->poison->block;
    for (uint64_t at = offset; at < offset + bytes && !warp->block->shared_full; at++)
        written_put(block->shared_written, at, 1, 1);
}

void poison_copy(struct warp *warp, const struct async_landing *landing)
{
    const struct async_source *source = landing->source;
    struct shadow to = landing->allocation ? shadow_of_allocation(landing->allocation) : shadow_of_block(warp);
    struct shadow from = source->allocation ? shadow_of_allocation(source->allocation) : shadow_of_block(warp);
    bool clean = !from.written || *from.full;
    if (!to.written || (clean && *to.full))
        return;
    *to.store_bytes |= *from.store_bytes;
    for (uint32_t i = 0; i < landing->bytes; i++) {
        bool written = clean || i >= source->bytes || written_get(from.written, source->offset + i, 1);
        written_put(to.written, landing->to + i, 1, written);
        if (written)
            continue;
        *to.full = false;
        if (to.allocation)
            to.allocation->quiet_in = 0;
        poison_partial_set(to.partial, to.first_key + landing->to + i,
                           poison_partial_get(from.partial, from.first_key + source->offset + i));
    }
}
