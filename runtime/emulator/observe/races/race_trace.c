/* Epochs that repeat an earlier one.
 *
 * The blocks of a launch, and the turns of a loop, mostly send the same requests to the same places of shared memory in the
 * same order. So the requests of an epoch in which all was well are kept as a trace, and an epoch that begins like one
 * follows it: as long as each request is the next one of the trace, all is well again, and nothing else needs to be
 * checked or recorded. At the first request that differs the epoch leaves the trace: what it did so far is entered into the
 * units.
 */
#include "runtime/emulator/observe/races/race_trace.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/observe/races/race.h"
#include "runtime/emulator/observe/races/race_touch.h"

enum {
    TRIAL = 4096,       /* requests in which traces must prove that they pay */
    MAX_KEPT = 1 << 14, /* requests in all traces of a slot */
};

static struct race_trace *trace_slot(struct race_epoch *epoch, const struct race_request *first)
{
    uint32_t hash = (first->site * 31 + first->warp) * 31 + first->base + first->mask * 7;
    return &epoch->traces[(hash * 0x9E3779B1u) >> 26];
}

static inline bool same_shape(const uint32_t *a, const uint32_t *b)
{
    return memcmp(a, b, WARP_LANES * sizeof *a) == 0;
}

/* Is it the same except for the time? */
static bool is_same(const struct race_epoch *epoch, struct race_request *known, const struct race_request *request,
                    const uint32_t *delta)
{
    if (known->site != request->site || known->warp != request->warp || known->mask != request->mask
        || known->base != request->base)
        return false;
    if (!request->version || known->version != request->version) {
        if (!same_shape(epoch->shapes[known->shape], delta))
            return false;
        known->version = request->version;
    }
    return true;
}

bool race_trace_follow(struct races *races, struct race_block *block, const struct race_request *request,
                       const uint32_t *delta)
{
    struct race_epoch *epoch = &block->epoch;
    if (!epoch->trace) {
        struct race_trace *trace = trace_slot(epoch, request);
        if (epoch->request_count || !epoch->recording || !trace->count || trace->shapes_number != epoch->shapes_number
            || trace->unit_shift != epoch->unit_shift || !is_same(epoch, trace->requests, request, delta))
            return false;
        epoch->trace = trace;
        epoch->next = trace->requests + 1;
        epoch->trace_end = trace->requests + trace->count;
        return true;
    }
    if (epoch->next < epoch->trace_end && is_same(epoch, epoch->next, request, delta)) {
        epoch->next++;
        return true;
    }
    race_trace_leave(races, block, true);
    return false;
}

/* Enters a request without errors into the units. */
static void tell_units(struct races *races, struct race_epoch *epoch, const struct race_request *request)
{
    const struct race_site *site = &races->sites[request->site];
    touch_lanes(epoch, request->warp, 0, epoch->shapes[request->shape], request->mask, request->base,
                site->site->request_bytes, site->kind);
}

void race_trace_leave(struct races *races, struct race_block *block, bool tell)
{
    struct race_epoch *epoch = &block->epoch;
    const struct race_trace *trace = epoch->trace;
    if (!trace)
        return;
    size_t count = (size_t)(epoch->next - trace->requests);
    epoch->trace = NULL;
    epoch->next = epoch->trace_end = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!race_grow(races, (void **)&epoch->requests, i, &epoch->request_capacity, sizeof *epoch->requests))
            return;
        struct race_request *request = &epoch->requests[i];
        *request = trace->requests[i];
        request->time = block->barrier_time ? block->barrier_time : 1; /* nothing has ordered threads since */
        if (tell)
            tell_units(races, epoch, request);
    }
    epoch->request_count = count;
    epoch->left_count += tell ? count : 0;
    if (epoch->left_count > TRIAL && epoch->left_count > epoch->followed_count / 4)
        epoch->recording = epoch->keeps_traces = false;
}

/* Instead of the one that began like it. */
static void keep(struct race_epoch *epoch)
{
    struct race_trace *trace = trace_slot(epoch, epoch->requests);
    size_t kept_count = epoch->kept_count - trace->count + epoch->request_count;
    if (kept_count > MAX_KEPT)
        return;
    epoch->kept_count = kept_count;
    struct race_trace done = {.requests = epoch->requests,
                              .count = epoch->request_count,
                              .capacity = epoch->request_capacity,
                              .shapes_number = epoch->shapes_number,
                              .unit_shift = epoch->unit_shift};
    epoch->requests = trace->requests;
    epoch->request_capacity = trace->capacity;
    *trace = done;
}

void race_trace_end(struct race_epoch *epoch)
{
    if (epoch->trace) {
        epoch->followed_count += (size_t)(epoch->next - epoch->trace->requests);
    } else if (epoch->recording && epoch->request_count && !epoch->exact) {
        keep(epoch);
    }
    epoch->trace = NULL;
    epoch->next = epoch->trace_end = NULL;
    epoch->request_count = 0;
}

void race_trace_free(struct race_epoch *epoch)
{
    for (unsigned i = 0; i < RACE_TRACES; i++)
        free(epoch->traces[i].requests);
}
