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
        async->warps = calloc(warp->launch->warps_per_block, sizeof *async->warps);
    if (!async || !async->warps) {
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
    for (uint32_t i = 0; i < async->threads / WARP_LANES; i++) {
        struct async_warp *queue = &async->warps[i];
        queue->first = queue->count = 0;
        memset(queue->group, 0, sizeof queue->group);
        memset(queue->bulk_group, 0, sizeof queue->bulk_group);
    }
    for (uint32_t i = 0; i < async->barrier_count; i++)
        free(async->barriers[i].copies);
    async->barrier_count = async->bulk_count = async->arrival_count = async->at_barriers = 0;
}

void async_block_destroy(struct block *block)
{
    struct block_async *async = block->async;
    if (!async)
        return;
    for (uint32_t i = 0; i < async->threads / WARP_LANES; i++)
        free(async->warps[i].rows);
    for (uint32_t i = 0; i < async->barrier_count; i++)
        free(async->barriers[i].copies);
    free(async->warps);
    free(async->bulk);
    free(async->arrivals);
    free(async->barriers);
    free(async);
    block->async = NULL;
}

static struct async_warp *queue_of(const struct warp *warp)
{
    return &warp->block->async->warps[warp->index];
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

static struct async_source source_of(const struct async_batch *batch, unsigned lane)
{
    unsigned at = batch->alike ? 0 : lane;
    return (struct async_source){
        .allocation = batch->allocation[at], .offset = batch->offset[lane], .bytes = batch->bytes[at]};
}

void async_swap_windows(struct memory_site *site)
{
    uint64_t address = site->window_address, bytes = site->window_bytes;
    uint8_t *host = site->window_host;
    struct memory_allocation *allocation = site->allocation;
    site->window_address = site->other_window.address;
    site->window_bytes = site->other_window.bytes;
    site->window_host = site->other_window.host;
    site->allocation = site->other_window.allocation;
    site->other_window.address = address;
    site->other_window.bytes = bytes;
    site->other_window.host = host;
    site->other_window.allocation = allocation;
}

/* The next request is found by its shape, if this one was in one piece of memory and no observer asks for each lane. */
static void set_window(const struct warp *warp, const struct operation *operation, const struct access_target *target,
                       uint32_t lanes)
{
    struct memory_site *site = operation->site;
    if (warp->launch->hooks || lanes != warp->mask || target->local || site->skips_outside || operation->extra & ASYNC_BULK)
        return;
    async_swap_windows(site);
    site->window_address = target->window;
    site->window_bytes = target->window_bytes;
    site->window_host = target->window_host;
    site->allocation = target->allocation;
}

void async_source(struct warp *warp, const struct operation *operation)
{
    struct block_async *async = async_of(warp);
    uint64_t address[WARP_LANES];
    uint32_t whole_lanes = 0, whole = (uint32_t)operation->site->bytes * operation->site->vector, one_window = 0;
    bool bulk = operation->extra & ASYNC_BULK;
    if (!async)
        return;
    struct async_batch *batch = &async->batch;
    struct access_target last = {0};
    batch->alike = false;
    batch->found = warp->mask;
    access_addresses(warp, operation, address);
    for (uint32_t rest = warp->mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t bytes = bytes_to_read(warp, operation, lane);
        batch->allocation[lane] = NULL;
        batch->offset[lane] = 0;
        batch->bytes[lane] = bytes;
        if (bulk && bytes % 16) {
            report_size(warp, operation, lane, bytes);
            batch->found &= ~(1u << lane);
            continue;
        }
        if (!bytes)
            continue;
        struct access_target target = access_find(warp, operation, lane, address[lane], bytes);
        if (!target.place || target.local) {
            batch->found &= ~(1u << lane);
            continue;
        }
        batch->allocation[lane] = target.allocation;
        batch->offset[lane] = (uint64_t)(target.place - (target.allocation ? target.allocation->host : warp->shared));
        one_window |= (uint32_t)(!last.place || last.window == target.window) << lane;
        last = target;
        if (bulk && target.allocation && warp->launch->counts)
            warp->launch->hooks->bulk_count(warp, operation, address[lane], bytes);
        if (!bulk) {
            whole_lanes |= (uint32_t)(bytes == whole) << lane;
        } else if (warp->launch->watched) {
            struct async_source source = source_of(batch, lane);
            warp->launch->hooks->async_read(warp, operation, lane, &source);
        }
    }
    set_window(warp, operation, &last, one_window & whole_lanes);
    if (whole_lanes && warp->launch->hooks)
        warp->launch->hooks->lanes(warp, operation, address, whole_lanes);
}

bool async_groups_alike(const struct async_warp *queue, uint32_t lanes)
{
    uint32_t group = queue->group[__builtin_ctz(lanes)], differs = 0;
    if (lanes == ALL_LANES) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            differs |= queue->group[lane] ^ group;
        return !differs;
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        differs |= queue->group[__builtin_ctz(rest)] ^ group;
    return !differs;
}

struct async_row *async_push(struct warp *warp, const struct operation *operation)
{
    struct async_warp *queue = queue_of(warp);
    if (queue->count == queue->capacity && queue->first > queue->capacity / 2) {
        memmove(queue->rows, queue->rows + queue->first, (queue->count - queue->first) * sizeof *queue->rows);
        queue->count -= queue->first;
        queue->first = 0;
    }
    if (queue->count == queue->capacity) {
        uint32_t capacity = queue->capacity ? queue->capacity * 2 : 8;
        struct async_row *grown = realloc(queue->rows, capacity * sizeof *grown);
        if (!grown) {
            launch_abort(warp->launch, LAUNCH_OUT_OF_MEMORY);
            return NULL;
        }
        queue->rows = grown;
        queue->capacity = capacity;
    }
    struct async_row *row = &queue->rows[queue->count++];
    row->operation = operation;
    row->allocation = NULL;
    row->lanes = row->group = row->source_bytes = row->bytes = 0;
    return row;
}

bool async_push_arrival(struct warp *warp, const struct operation *operation, unsigned lane, uint32_t barrier)
{
    struct async_warp *queue = queue_of(warp);
    struct async_row *row = queue->count > queue->first ? &queue->rows[queue->count - 1] : NULL;
    if (!row || row->operation != operation || row->group != queue->group[lane] || row->lanes >> lane & 1)
        row = async_push(warp, operation);
    if (!row)
        return false;
    row->group = queue->group[lane];
    row->lanes |= 1u << lane;
    row->to[lane] = barrier;
    return true;
}

/* One row for all lanes whose sources and groups are alike. */
static void issue(struct warp *warp, const struct operation *operation, uint32_t lanes, const uint32_t to[WARP_LANES])
{
    const struct async_batch *batch = &warp->block->async->batch;
    const struct async_warp *queue = queue_of(warp);
    while (lanes) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        struct async_source source = source_of(batch, lane);
        struct async_row *row = async_push(warp, operation);
        if (!row)
            return;
        row->allocation = source.allocation;
        row->source_bytes = source.bytes;
        row->bytes = (uint32_t)operation->site->bytes * operation->site->vector;
        row->group = queue->group[lane];
        row->warp_read = warp->shared_read;
        row->block_read = warp->block->shared_read;
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            lane = (unsigned)__builtin_ctz(rest);
            source = source_of(batch, lane);
            if (source.allocation != row->allocation || source.bytes != row->source_bytes
                || queue->group[lane] != row->group)
                continue;
            row->lanes |= 1u << lane;
            row->offset[lane] = source.offset;
            row->to[lane] = to[lane];
        }
        lanes &= ~row->lanes;
    }
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
                                                           .source = source_of(&async->batch, lane),
                                                           .allocation = target->allocation,
                                                           .to = to,
                                                           .thread = warp->index * WARP_LANES + lane,
                                                           .group = queue_of(warp)->bulk_group[lane],
                                                           .barrier = UINT32_MAX,
                                                           .block_read = warp->block->shared_read};
}

/* Does an earlier lane of the request copy the same bytes to the same place? In libraries, lanes with nothing left to do
 * repeat the last copy. */
static bool is_repeated(const struct warp *warp, uint32_t issued, const uint64_t *address, unsigned lane)
{
    const struct async_batch *batch = &warp->block->async->batch;
    struct async_source own = source_of(batch, lane);
    for (uint32_t rest = issued; rest; rest &= rest - 1) {
        unsigned other = (unsigned)__builtin_ctz(rest);
        struct async_source source = source_of(batch, other);
        if (address[other] == address[lane] && source.allocation == own.allocation && source.offset == own.offset
            && source.bytes == own.bytes)
            return true;
    }
    return false;
}

void async_copy(struct warp *warp, const struct operation *operation)
{
    struct block_async *async = async_of(warp);
    uint64_t address[WARP_LANES];
    uint32_t issued = 0, one_window = 0, inside[WARP_LANES];
    struct access_target last = {0};
    bool bulk = operation->extra & ASYNC_BULK;
    if (!async)
        return;
    access_addresses(warp, operation, address);
    for (uint32_t rest = warp->mask & async->batch.found; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t bytes = bulk ? source_of(&async->batch, lane).bytes
                              : (uint32_t)operation->site->bytes * operation->site->vector;
        if (!bytes)
            continue;
        struct access_target target = access_find(warp, operation, lane, address[lane], bytes);
        if (!target.place)
            continue;
        one_window |= (uint32_t)(!last.place || last.window == target.window) << lane;
        last = target;
        uint64_t to = (uint64_t)(target.place - (target.allocation ? target.allocation->host : warp->shared));
        if (bulk && target.allocation && warp->launch->counts)
            warp->launch->hooks->bulk_count(warp, operation, address[lane], bytes);
        if (bulk)
            issue_bulk(warp, operation, lane, &target, to);
        inside[lane] = (uint32_t)to;
        if (!target.allocation && warp->launch->watched && !is_repeated(warp, issued, address, lane))
            warp->launch->hooks->async_issue(warp, operation, lane, to, bytes);
        issued |= 1u << lane;
    }
    set_window(warp, operation, &last, one_window);
    if (!bulk)
        issue(warp, operation, issued, inside);
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

/* ---- what was only waited for ---- */

/* Of a warp's shared memory reads for an arrival, on average: with less since the copies were issued, nothing hid them. Where
 * copies complete at a barrier object, any warp may see it first, and no other need have read anything by then. */
enum { READS_THAT_HIDE = 4 };

static void add_arrival(struct async_arrival *arrival, const struct operation *operation, uint64_t bytes, uint64_t read)
{
    arrival->bytes += bytes;
    if (arrival->site && read > arrival->read)
        return;
    arrival->site = operation->site;
    arrival->read = read;
}

/* Keeps it for the end of the block; warp NULL: at a barrier object. */
static void keep_arrival(struct block *block, struct launch *launch, struct warp *warp, struct async_arrival *arrival)
{
    struct block_async *async = block->async;
    if (!arrival->site || !launch->counts)
        return;
    if (async->arrival_count == async->arrival_capacity) {
        uint32_t capacity = async->arrival_capacity ? async->arrival_capacity * 2 : 64;
        struct async_arrival *grown = realloc(async->arrivals, capacity * sizeof *grown);
        if (!grown) {
            launch_abort(launch, LAUNCH_OUT_OF_MEMORY);
            return;
        }
        async->arrivals = grown;
        async->arrival_capacity = capacity;
    }
    arrival->warp = warp;
    ++*(warp ? &warp->arrivals : &async->at_barriers);
    async->arrivals[async->arrival_count++] = *arrival;
}

static void count_arrivals(const struct block *block, const struct launch *launch)
{
    const struct block_async *async = block->async;
    for (uint32_t i = 0; i < async->arrival_count; i++) {
        const struct async_arrival *arrival = &async->arrivals[i];
        uint64_t all = arrival->warp ? arrival->warp->shared_read : block->shared_read;
        uint64_t parts = arrival->warp ? arrival->warp->arrivals : (uint64_t)async->at_barriers * launch->warps_per_block;
        arrival->site->arrived += arrival->bytes;
        bool is_hidden = block->shared_read > 0 && arrival->read * parts * READS_THAT_HIDE >= all;
        arrival->site->exposed += is_hidden ? 0 : arrival->bytes;
    }
}

/* The copy of one lane of a row, or its arrival. */
static void land(struct block *block, struct launch *launch, unsigned warp, unsigned lane, struct async_row *row, bool own,
                 struct async_arrival *arrival)
{
    row->lanes &= ~(1u << lane);
    if (!row->bytes) {
        struct mbarrier *barrier = mbarrier_find(block->async, row->to[lane]);
        if (barrier && barrier->valid)
            mbarrier_arrive(block, barrier, 1);
        return;
    }
    struct async_source source = {.allocation = row->allocation, .offset = row->offset[lane], .bytes = row->source_bytes};
    uint8_t *place = block->shared + row->to[lane];
    const uint8_t *from = bytes_of(block, &source);
    uint32_t bytes = from ? source.bytes : 0;
    if (bytes == 16) { /* the usual size, which needs no call */
        memcpy(place, from, 16);
    } else {
        if (bytes)
            memcpy(place, from, bytes);
        if (bytes < row->bytes)
            memset(place + bytes, 0, row->bytes - bytes);
    }
    if (launch->watched)
        launch->hooks->async_land(block, launch,
                                  &(struct async_landing){.operation = row->operation,
                                                          .source = &source,
                                                          .to = row->to[lane],
                                                          .bytes = row->bytes,
                                                          .thread = warp * WARP_LANES + lane,
                                                          .own = own});
    uint64_t read = own ? block->warps[warp].shared_read - row->warp_read : block->shared_read - row->block_read;
    add_arrival(arrival, row->operation, source.bytes, read);
}

/* Rows of which every lane has arrived leave the queue. */
static void shorten(struct async_warp *queue)
{
    while (queue->first < queue->count && !queue->rows[queue->first].lanes)
        queue->first++;
    if (queue->first == queue->count)
        queue->first = queue->count = 0;
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
    struct async_arrival arrival = {0};
    for (uint32_t i = 0; i < async->bulk_count;) {
        if (async->bulk[i].barrier != offset) {
            i++;
            continue;
        }
        struct async_bulk bulk = take_bulk(async, i);
        land_bulk(block, launch, &bulk);
        if (bulk.source.allocation)
            add_arrival(&arrival, bulk.operation, bulk.source.bytes, block->shared_read - bulk.block_read);
        mbarrier_complete(block, barrier, bulk.source.bytes);
    }
    for (uint32_t warp = 0; barrier->copies && warp < async->threads / WARP_LANES; warp++) {
        struct async_warp *queue = &async->warps[warp];
        for (uint32_t rest = barrier->copies[warp]; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            uint32_t end = queue->count;
            for (; end > queue->first; end--) { /* up to the last that arrives here */
                const struct async_row *row = &queue->rows[end - 1];
                if (row->lanes >> lane & 1 && !row->bytes && row->to[lane] == offset)
                    break;
            }
            for (uint32_t i = queue->first; i < end; i++)
                if (queue->rows[i].lanes >> lane & 1)
                    land(block, launch, warp, lane, &queue->rows[i], false, &arrival);
        }
        shorten(queue);
        barrier->copies[warp] = 0;
    }
    keep_arrival(block, launch, NULL, &arrival);
}

void async_group(struct warp *warp, const struct operation *operation)
{
    struct block *block = warp->block;
    struct async_arrival arrival = {0};
    if (!async_of(warp))
        return;
    struct async_warp *queue = queue_of(warp);
    for (uint32_t rest = warp->mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t thread = warp->index * WARP_LANES + lane;
        switch (operation->extra) {
        case ASYNC_COMMIT: queue->group[lane]++; break;
        case ASYNC_BULK_COMMIT: queue->bulk_group[lane]++; break;
        case ASYNC_BULK_WAIT: /* with .read too: the bytes are read now; when they arrive cannot be observed */
            for (uint32_t i = 0; i < block->async->bulk_count;) {
                const struct async_bulk *bulk = &block->async->bulk[i];
                if (bulk->thread != thread || bulk->barrier != UINT32_MAX || !bulk->allocation
                    || bulk->group + operation->immediate >= queue->bulk_group[lane]) {
                    i++;
                    continue;
                }
                struct async_bulk taken = take_bulk(block->async, i);
                land_bulk(block, warp->launch, &taken);
            }
            break;
        default:
            queue->group[lane] += operation->extra == ASYNC_WAIT_ALL; /* commits the rest, and waits for all */
            for (uint32_t i = queue->first; i < queue->count; i++) {
                struct async_row *row = &queue->rows[i];
                if (row->lanes >> lane & 1 && row->group + operation->immediate < queue->group[lane])
                    land(block, warp->launch, warp->index, lane, row, true, &arrival);
            }
        }
    }
    shorten(queue);
    keep_arrival(block, warp->launch, warp, &arrival);
}

/* ---- the end ---- */

void async_block_end(struct block *block, struct launch *launch)
{
    struct block_async *async = block->async;
    if (async)
        count_arrivals(block, launch);
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
