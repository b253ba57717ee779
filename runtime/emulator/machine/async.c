/* Asynchronous copies: issued, committed in groups, and done at the wait. */
#include "runtime/emulator/machine/async.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/hooks.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"

/* ---- the state of a block ---- */

struct block_async *async_of(struct warp *warp)
{
    struct block *block = warp->block;
    if (block->async)
        return block->async;
    struct block_async *async = calloc(1, sizeof *async);
    if (async)
        async->lanes = calloc((size_t)warp->launch->warps_per_block * WARP_LANES, sizeof *async->lanes);
    if (!async || !async->lanes) {
        free(async);
        launch_abort(warp->launch, LAUNCH_OUT_OF_MEMORY);
        return NULL;
    }
    block->async = async;
    async->threads = warp->launch->warps_per_block * WARP_LANES;
    return async;
}

struct mbarrier *mbarrier_find(const struct block_async *async, uint32_t offset)
{
    for (uint32_t i = 0; i < async->barrier_count; i++)
        if (async->barriers[i].offset == offset)
            return &async->barriers[i];
    return NULL;
}

static void clear_zeroed(struct block *block, const struct launch *launch)
{
    for (size_t i = 0; i < launch->code->shared_count; i++) {
        const struct shared_array *array = &launch->code->shared[i];
        if (!array->variable->starts_zeroed)
            continue;
        uint64_t base = access_shared_base(launch, array), bytes = access_shared_bytes(launch, array);
        memset(block->shared + base, 0, bytes);
        if (launch->watched)
            launch->hooks->shared_written(block, base, bytes);
    }
}

void async_block_start(struct block *block, struct launch *launch)
{
    struct block_async *async = block->async;
    clear_zeroed(block, launch);
    if (!async)
        return;
    for (uint32_t i = 0; i < async->threads; i++) {
        struct async_lane *lane = &async->lanes[i];
        lane->first = lane->count = lane->group = lane->bulk_group = 0;
    }
    for (uint32_t i = 0; i < async->barrier_count; i++)
        free(async->barriers[i].copies);
    async->barrier_count = async->bulk_count = 0;
}

void async_block_destroy(struct block *block)
{
    struct block_async *async = block->async;
    if (!async)
        return;
    for (uint32_t i = 0; i < async->threads; i++)
        free(async->lanes[i].items);
    for (uint32_t i = 0; i < async->barrier_count; i++)
        free(async->barriers[i].copies);
    free(async->lanes);
    free(async->bulk);
    free(async->barriers);
    free(async);
    block->async = NULL;
}

static struct async_lane *lane_of(struct warp *warp, unsigned lane)
{
    return &warp->block->async->lanes[warp->index * WARP_LANES + lane];
}

/* ---- issuing ---- */

static uint32_t register_of(const struct warp *warp, uint32_t offset, unsigned lane)
{
    return ((const uint32_t *)((const char *)warp->r + offset))[lane];
}

static uint32_t bytes_to_read(const struct warp *warp, const struct operation *operation, unsigned lane)
{
    uint32_t whole = (uint32_t)operation->site->bytes * operation->site->vector;
    if (operation->c != UINT32_MAX && (warp->p[operation->c] >> lane & 1) != operation->negated)
        return 0;
    if (operation->b == UINT32_MAX)
        return whole;
    uint32_t asked = register_of(warp, operation->b, lane);
    return operation->extra & ASYNC_BULK || asked < whole ? asked : whole;
}

static void report_size(struct warp *warp, const struct operation *operation, unsigned lane, uint32_t bytes)
{
    struct finding finding;
    launch_finding(warp, operation, lane, FINDING_misaligned, &finding);
    finding_text(&finding, "a bulk copy of %u bytes: the size must be a multiple of 16", bytes);
    finding_collect(warp->launch->findings, &finding);
    launch_raise(warp->launch, LAUNCH_MISALIGNED);
}

void async_source(struct warp *warp, const struct operation *operation)
{
    struct block_async *async = async_of(warp);
    uint64_t address[WARP_LANES];
    uint32_t whole_lanes = 0, whole = (uint32_t)operation->site->bytes * operation->site->vector;
    bool bulk = operation->extra & ASYNC_BULK;
    if (!async)
        return;
    access_addresses(warp, operation, address);
    for (uint32_t rest = warp->mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct async_source *source = &async->source[lane];
        *source = (struct async_source){.bytes = bytes_to_read(warp, operation, lane), .found = true};
        if (bulk && source->bytes % 16) {
            report_size(warp, operation, lane, source->bytes);
            source->found = false;
        }
        if (!source->found || !source->bytes)
            continue;
        struct access_target target = access_find(warp, operation, lane, address[lane], source->bytes);
        source->found = target.place && !target.local;
        if (!source->found)
            continue;
        source->allocation = target.allocation;
        source->offset = (uint64_t)(target.place - (target.allocation ? target.allocation->host : warp->shared));
        if (bulk && target.allocation && warp->launch->counts)
            warp->launch->hooks->bulk_count(warp, operation, address[lane], source->bytes);
        if (!bulk)
            whole_lanes |= (uint32_t)(source->bytes == whole) << lane;
        else if (warp->launch->watched)
            warp->launch->hooks->async_read(warp, operation, lane, source);
    }
    if (whole_lanes && warp->launch->hooks)
        warp->launch->hooks->lanes(warp, operation, address, whole_lanes);
}

static struct async_item *push(struct warp *warp, unsigned lane)
{
    struct async_lane *queue = lane_of(warp, lane);
    if (queue->first == queue->count) {
        queue->first = queue->count = 0;
    } else if (queue->count == queue->capacity && queue->first > queue->capacity / 2) {
        memmove(queue->items, queue->items + queue->first, (queue->count - queue->first) * sizeof *queue->items);
        queue->count -= queue->first;
        queue->first = 0;
    }
    if (queue->count == queue->capacity) {
        uint32_t capacity = queue->capacity ? queue->capacity * 2 : 8;
        struct async_item *grown = realloc(queue->items, capacity * sizeof *grown);
        if (!grown) {
            launch_abort(warp->launch, LAUNCH_OUT_OF_MEMORY);
            return NULL;
        }
        queue->items = grown;
        queue->capacity = capacity;
    }
    struct async_item *item = &queue->items[queue->count++];
    *item = (struct async_item){.group = queue->group};
    return item;
}

bool async_push_arrival(struct warp *warp, const struct operation *operation, unsigned lane, uint32_t barrier)
{
    struct async_item *item = push(warp, lane);
    if (!item)
        return false;
    item->operation = operation;
    item->to = barrier;
    return true;
}

static void issue(struct warp *warp, const struct operation *operation, unsigned lane, uint64_t to)
{
    struct async_item *item = push(warp, lane);
    if (!item)
        return;
    item->operation = operation;
    item->source = warp->block->async->source[lane];
    item->to = (uint32_t)to;
    item->bytes = (uint32_t)operation->site->bytes * operation->site->vector;
}

static void issue_bulk(struct warp *warp, const struct operation *operation, unsigned lane,
                       const struct access_target *target, uint64_t to)
{
    struct block_async *async = warp->block->async;
    if (async->bulk_count == async->bulk_capacity) {
        uint32_t capacity = async->bulk_capacity ? async->bulk_capacity * 2 : 16;
        struct async_bulk *grown = realloc(async->bulk, capacity * sizeof *grown);
        if (!grown) {
            launch_abort(warp->launch, LAUNCH_OUT_OF_MEMORY);
            return;
        }
        async->bulk = grown;
        async->bulk_capacity = capacity;
    }
    async->bulk[async->bulk_count++] = (struct async_bulk){.operation = operation,
                                                           .source = async->source[lane],
                                                           .allocation = target->allocation,
                                                           .to = to,
                                                           .thread = warp->index * WARP_LANES + lane,
                                                           .group = lane_of(warp, lane)->bulk_group,
                                                           .barrier = UINT32_MAX};
}

/* Does an earlier lane of the request copy the same bytes to the same place? In libraries, lanes with nothing left to do
 * repeat the last copy. */
static bool is_repeated(const struct warp *warp, uint32_t issued, const uint64_t *address, unsigned lane)
{
    const struct async_source *source = warp->block->async->source;
    for (uint32_t rest = issued; rest; rest &= rest - 1) {
        unsigned other = (unsigned)__builtin_ctz(rest);
        if (address[other] == address[lane] && source[other].allocation == source[lane].allocation
            && source[other].offset == source[lane].offset && source[other].bytes == source[lane].bytes)
            return true;
    }
    return false;
}

void async_copy(struct warp *warp, const struct operation *operation)
{
    struct block_async *async = async_of(warp);
    uint64_t address[WARP_LANES];
    uint32_t issued = 0;
    bool bulk = operation->extra & ASYNC_BULK;
    if (!async)
        return;
    access_addresses(warp, operation, address);
    for (uint32_t rest = warp->mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        const struct async_source *source = &async->source[lane];
        uint32_t bytes = bulk ? source->bytes : (uint32_t)operation->site->bytes * operation->site->vector;
        if (!source->found || !bytes)
            continue;
        struct access_target target = access_find(warp, operation, lane, address[lane], bytes);
        if (!target.place)
            continue;
        uint64_t to = (uint64_t)(target.place - (target.allocation ? target.allocation->host : warp->shared));
        if (bulk && target.allocation && warp->launch->counts)
            warp->launch->hooks->bulk_count(warp, operation, address[lane], bytes);
        if (bulk)
            issue_bulk(warp, operation, lane, &target, to);
        else
            issue(warp, operation, lane, to);
        if (!target.allocation && warp->launch->watched && !is_repeated(warp, issued, address, lane))
            warp->launch->hooks->async_issue(warp, operation, lane, to, bytes);
        issued |= 1u << lane;
    }
    if (issued && !bulk && warp->launch->counts)
        warp->launch->hooks->async_count(warp, operation, address, issued);
}

/* ---- arriving ---- */

static const uint8_t *bytes_of(const struct block *block, const struct async_source *source)
{
    if (!source->allocation)
        return block->shared + source->offset;
    return source->allocation->host ? source->allocation->host + source->offset : NULL; /* freed by the kernel */
}

static void land_item(struct block *block, struct launch *launch, uint32_t thread, const struct async_item *item, bool own)
{
    uint8_t *place = block->shared + item->to;
    const uint8_t *from = bytes_of(block, &item->source);
    uint32_t bytes = from ? item->source.bytes : 0;
    if (bytes)
        memcpy(place, from, bytes);
    if (place && bytes < item->bytes)
        memset(place + bytes, 0, item->bytes - bytes);
    if (launch->watched)
        launch->hooks->async_land(block, launch,
                                  &(struct async_landing){.operation = item->operation,
                                                          .source = &item->source,
                                                          .to = item->to,
                                                          .bytes = item->bytes,
                                                          .thread = thread,
                                                          .own = own});
}

/* The oldest item of a lane arrives. */
static void land_first(struct block *block, struct launch *launch, uint32_t thread, bool own)
{
    struct async_lane *queue = &block->async->lanes[thread];
    struct async_item item = queue->items[queue->first++];
    if (item.bytes) {
        land_item(block, launch, thread, &item, own);
        return;
    }
    struct mbarrier *barrier = mbarrier_find(block->async, item.to);
    if (barrier && barrier->valid)
        mbarrier_arrive(block, barrier, 1);
}

static void land_bulk(struct block *block, struct launch *launch, const struct async_bulk *bulk)
{
    const uint8_t *from = bytes_of(block, &bulk->source);
    uint8_t *base = bulk->allocation ? bulk->allocation->host : block->shared;
    if (from && base)
        memmove(base + bulk->to, from, bulk->source.bytes);
    if (launch->watched)
        launch->hooks->async_land(block, launch,
                                  &(struct async_landing){.operation = bulk->operation,
                                                          .source = &bulk->source,
                                                          .allocation = bulk->allocation,
                                                          .to = bulk->to,
                                                          .bytes = bulk->source.bytes,
                                                          .thread = bulk->thread,
                                                          .own = bulk->allocation != NULL});
}

static struct async_bulk take_bulk(struct block_async *async, uint32_t index)
{
    struct async_bulk taken = async->bulk[index];
    async->bulk_count--;
    memmove(&async->bulk[index], &async->bulk[index + 1], (async->bulk_count - index) * sizeof *async->bulk);
    return taken;
}

void async_land_at(struct block *block, struct launch *launch, struct mbarrier *barrier)
{
    struct block_async *async = block->async;
    uint32_t offset = barrier->offset;
    for (uint32_t i = 0; i < async->bulk_count;) {
        if (async->bulk[i].barrier != offset) {
            i++;
            continue;
        }
        struct async_bulk bulk = take_bulk(async, i);
        land_bulk(block, launch, &bulk);
        mbarrier_complete(block, barrier, bulk.source.bytes);
    }
    for (uint32_t warp = 0; barrier->copies && warp < async->threads / WARP_LANES; warp++) {
        for (uint32_t rest = barrier->copies[warp]; rest; rest &= rest - 1) {
            uint32_t thread = warp * WARP_LANES + (uint32_t)__builtin_ctz(rest);
            struct async_lane *queue = &async->lanes[thread];
            uint32_t end = queue->count;
            while (end > queue->first && (queue->items[end - 1].bytes || queue->items[end - 1].to != offset))
                end--; /* up to the last that arrives here */
            while (queue->first < end)
                land_first(block, launch, thread, false);
        }
        barrier->copies[warp] = 0;
    }
}

void async_group(struct warp *warp, const struct operation *operation)
{
    struct block *block = warp->block;
    if (!async_of(warp))
        return;
    for (uint32_t rest = warp->mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t thread = warp->index * WARP_LANES + lane;
        struct async_lane *queue = lane_of(warp, lane);
        switch (operation->extra) {
        case ASYNC_COMMIT: queue->group++; break;
        case ASYNC_BULK_COMMIT: queue->bulk_group++; break;
        case ASYNC_BULK_WAIT: /* with .read too: the bytes are read now; when they arrive cannot be observed */
            for (uint32_t i = 0; i < block->async->bulk_count;) {
                const struct async_bulk *bulk = &block->async->bulk[i];
                if (bulk->thread != thread || bulk->barrier != UINT32_MAX || !bulk->allocation
                    || bulk->group + operation->immediate >= queue->bulk_group) {
                    i++;
                    continue;
                }
                struct async_bulk taken = take_bulk(block->async, i);
                land_bulk(block, warp->launch, &taken);
            }
            break;
        default:
            queue->group += operation->extra == ASYNC_WAIT_ALL; /* commits the rest, and waits for all */
            while (queue->first < queue->count && queue->items[queue->first].group + operation->immediate < queue->group)
                land_first(block, warp->launch, thread, true);
        }
    }
}

/* ---- the end ---- */

void async_block_end(struct block *block, struct launch *launch)
{
    struct block_async *async = block->async;
    while (async && async->bulk_count) {
        struct async_bulk bulk = take_bulk(async, 0);
        if (!bulk.allocation)
            continue;
        struct warp *warp = &block->warps[bulk.thread / WARP_LANES];
        struct finding finding;
        launch_finding(warp, bulk.operation, bulk.thread % WARP_LANES, FINDING_async_copy, &finding);
        finding_text(&finding, "the block ends while the copy at this line still reads its shared memory");
        finding_collect(launch->findings, &finding);
        land_bulk(block, launch, &bulk);
    }
}
