#include "runtime/emulator/observe/flight.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/async.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/words.h"
#include "runtime/emulator/observe/poison/poison.h"

#define FLIGHT_READS 0x80000000u /* the copy reads these bytes */

static struct flight *flight_of(struct warp *warp)
{
    struct block *block = warp->block;
    if (block->flight)
        return block->flight;
    struct flight *flight = calloc(1, sizeof *flight);
    uint32_t total = warp->launch->shared_room / 4;
    if (flight)
        flight->copies = calloc((size_t)total + 1, sizeof *flight->copies);
    if (!flight || !flight->copies) {
        free(flight);
        launch_abort(warp->launch, LAUNCH_OUT_OF_MEMORY);
        return NULL;
    }
    flight->total = total;
    flight->low = total;
    block->flight = flight;
    return flight;
}

void flight_block_start(struct block *block)
{
    struct flight *flight = block->flight;
    if (!flight)
        return;
    if (flight->words)
        memset(flight->copies, 0, (size_t)flight->total * sizeof *flight->copies);
    flight->words = flight->high = flight->operation_count = 0;
    flight->low = flight->total;
}

void flight_block_destroy(struct block *block)
{
    struct flight *flight = block->flight;
    if (!flight)
        return;
    free(flight->copies);
    free(flight->operations);
    free(flight);
    block->flight = NULL;
}

/* ---- findings ---- */

/* The copy into the byte at `offset` that a thread has issued, and that nothing has waited for: true for one of cp.async. */
static bool find_copy(const struct block *block, uint32_t offset, uint32_t *thread, bool *is_committed)
{
    const struct block_async *async = block->async;
    for (uint32_t w = 0; async && w < async->threads / WARP_LANES; w++) {
        const struct async_warp *queue = &async->warps[w];
        for (uint32_t i = queue->first; i < queue->count; i++) {
            const struct async_row *row = &queue->rows[i];
            for (uint32_t rest = row->lanes; rest; rest &= rest - 1) {
                unsigned lane = (unsigned)__builtin_ctz(rest);
                if (offset < row->to[lane] || offset - row->to[lane] >= row->bytes)
                    continue;
                *thread = w * WARP_LANES + lane;
                *is_committed = row->group < queue->group[lane];
                return true;
            }
        }
    }
    return false;
}

/* What the message adds: whose copy it is, where that is another thread, and that no commit has come after it. */
static void tell_whose(const struct warp *warp, unsigned lane, uint32_t offset, struct finding *finding)
{
    uint32_t thread = 0, own = warp->index * WARP_LANES + lane;
    const uint32_t *shape = warp->launch->request->block;
    bool is_committed = true;
    size_t used = strlen(finding->message);
    if (!find_copy(warp->block, offset, &thread, &is_committed))
        return;
    const char *more = is_committed ? "" : ", and its batch is not committed";
    if (thread == own)
        snprintf(finding->message + used, sizeof finding->message - used, "%s", more);
    else
        snprintf(finding->message + used, sizeof finding->message - used, "%s; thread (%u,%u,%u) started it", more,
                 thread % shape[0], thread / shape[0] % shape[1], thread / shape[0] / shape[1]);
}

static void report(struct warp *warp, const struct operation *operation, unsigned lane, uint32_t offset, uint32_t copy)
{
    const struct operation *earlier = warp->block->flight->operations[(copy & ~FLIGHT_READS) - 1];
    struct finding finding;
    char element[ELEMENT_BYTES];
    uint64_t key = finding_key(operation->site, FINDING_async_copy, (uint64_t)(uintptr_t)earlier);
    if (finding_repeat(warp->launch->findings, key))
        return;
    bool reads = operation->site->access == SITE_LOAD;
    launch_finding(warp, operation, lane, FINDING_async_copy, &finding);
    poison_name_place(warp, operation, NULL, offset, &finding);
    finding.has_index = true;
    warp->launch->words->explain(warp, operation, &finding);
    finding_element(&finding, element);
    place_describe_second(warp->launch, earlier, &finding);
    if (reads)
        finding_text(&finding, "%s is read before the copy at %s has arrived: nothing has waited for it", element,
                     finding.where2);
    else
        finding_text(&finding, "%s is written while the copy at %s %s: nothing has waited for it", element, finding.where2,
                     copy & FLIGHT_READS ? "still reads it" : "has not arrived yet");
    if (!(copy & FLIGHT_READS))
        tell_whose(warp, lane, offset, &finding);
    finding_collect_as(warp->launch->findings, key, &finding);
}

/* One lane touches bytes of shared memory. */
static void look(struct warp *warp, const struct operation *operation, unsigned lane, uint64_t offset, uint64_t bytes)
{
    const struct flight *flight = warp->block->flight;
    bool reads = operation->site->access == SITE_LOAD;
    for (uint64_t word = offset / 4; word <= (offset + bytes - 1) / 4 && word < flight->high; word++) {
        uint32_t copy = flight->copies[word];
        if (!copy || (reads && copy & FLIGHT_READS))
            continue;
        uint64_t byte = word * 4 > offset ? word * 4 : offset;
        report(warp, operation, lane, (uint32_t)byte, copy);
        return;
    }
}

/* ---- copies ---- */

static uint32_t number_of(struct warp *warp, struct flight *flight, const struct operation *operation)
{
    for (uint32_t i = 0; i < flight->operation_count; i++)
        if (flight->operations[i] == operation)
            return i + 1;
    if (flight->operation_count == flight->operation_capacity) {
        uint32_t capacity = flight->operation_capacity ? flight->operation_capacity * 2 : 16;
        const struct operation **grown = realloc(flight->operations, capacity * sizeof *grown);
        if (!grown) {
            launch_abort(warp->launch, LAUNCH_OUT_OF_MEMORY);
            return 0;
        }
        flight->operations = grown;
        flight->operation_capacity = capacity;
    }
    flight->operations[flight->operation_count++] = operation;
    return flight->operation_count;
}

void flight_begin(struct warp *warp, const struct operation *operation, unsigned lane, uint32_t offset, uint32_t bytes,
                  bool reads)
{
    struct flight *flight = flight_of(warp);
    uint32_t number = flight ? number_of(warp, flight, operation) : 0;
    if (!number)
        return;
    look(warp, operation, lane, offset, bytes);
    for (uint32_t word = offset / 4; word < (offset + bytes) / 4; word++) {
        flight->words += !flight->copies[word];
        flight->copies[word] = number | (reads ? FLIGHT_READS : 0);
    }
    flight->low = offset / 4 < flight->low ? offset / 4 : flight->low;
    flight->high = (offset + bytes) / 4 > flight->high ? (offset + bytes) / 4 : flight->high;
}

void flight_end(struct block *block, uint32_t offset, uint32_t bytes)
{
    struct flight *flight = block->flight;
    if (!flight)
        return;
    for (uint32_t word = offset / 4; word < (offset + bytes) / 4; word++) {
        flight->words -= flight->copies[word] != 0;
        flight->copies[word] = 0;
    }
    if (!flight->words) {
        flight->low = flight->total;
        flight->high = 0;
    }
}

/* ---- requests ---- */

void flight_request(struct warp *warp, const struct operation *operation, uint64_t start)
{
    const struct memory_site *site = operation->site;
    const struct flight *flight = warp->block->flight;
    if (site->allocation || !flight->words)
        return;
    uint64_t base = start - site->window_address + (uintptr_t)site->window_host;
    uint64_t first = base + (uint64_t)site->shape.low, bytes = (uint64_t)site->bytes * site->vector;
    if (first >= (uint64_t)flight->high * 4 || first + site->shape.extent <= (uint64_t)flight->low * 4)
        return;
    for (uint32_t rest = warp->mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        look(warp, operation, lane, base + site->shape.delta[lane], bytes);
    }
}

void flight_lanes(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t valid)
{
    const struct memory_site *site = operation->site;
    if (!warp->block->flight->words || (site->space != SITE_SHARED && site->space != SITE_GENERIC))
        return;
    for (uint32_t rest = valid; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (site->space == SITE_SHARED || (address[lane] & WINDOW_MASK) == SHARED_WINDOW)
            look(warp, operation, lane, access_shared_offset(warp->launch, address[lane]),
                 (uint64_t)site->bytes * site->vector);
    }
}
