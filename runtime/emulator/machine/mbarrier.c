/* Barrier objects: arrivals, phases, waits, and the mistakes that programs make with them. */
#include "runtime/emulator/machine/mbarrier.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/async.h"
#include "runtime/emulator/machine/hooks.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/language/demangle.h"

enum {
    MAX_COUNT = (1 << 20) - 1, /* of arrivals, and of bytes in either direction */
    POLL_FUEL = 1000,          /* warp instructions that a failed wait costs: a deadlock ends in a second */
    STUCK_FAILURES = 256,
};

static struct mbarrier *make(struct warp *warp, uint32_t offset)
{
    struct block_async *async = warp->block->async;
    struct mbarrier *barrier = mbarrier_find(async, offset);
    if (barrier)
        return barrier;
    if (async->barrier_count == async->barrier_capacity) {
        uint32_t capacity = async->barrier_capacity ? async->barrier_capacity * 2 : 8;
        struct mbarrier *grown = realloc(async->barriers, capacity * sizeof *grown);
        if (!grown) {
            launch_abort(warp->launch, LAUNCH_OUT_OF_MEMORY);
            return NULL;
        }
        async->barriers = grown;
        async->barrier_capacity = capacity;
    }
    barrier = &async->barriers[async->barrier_count++];
    *barrier = (struct mbarrier){.offset = offset};
    return barrier;
}

/* ---- mistakes ---- */

static void name_object(const struct launch *launch, uint32_t offset, char name[64])
{
    uint64_t base;
    const struct shared_array *array = access_shared_array(launch, offset, &base);
    snprintf(name, 64, "the barrier");
    if (array)
        demangle_variable(array->variable->name, name, 64);
}

static void report(struct warp *warp, const struct operation *operation, unsigned lane, uint32_t offset,
                   const struct operation *other, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* `format` begins after the name of the object. */
static void report(struct warp *warp, const struct operation *operation, unsigned lane, uint32_t offset,
                   const struct operation *other, const char *format, ...)
{
    struct finding finding;
    char text[256];
    va_list arguments;
    launch_finding(warp, operation, lane, FINDING_barrier_object, &finding);
    name_object(warp->launch, offset, finding.array);
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (other)
        place_describe_second(warp->launch, other, &finding);
    finding_text(&finding, other ? "%s %s (initialised at %s)" : "%s %s", finding.array, text, finding.where2);
    finding_collect(warp->launch->findings, &finding);
    launch_raise(warp->launch, LAUNCH_FAILED);
}

/* The object at an offset, if it is one that can be used. */
static struct mbarrier *usable(struct warp *warp, const struct operation *operation, unsigned lane, uint32_t offset)
{
    struct mbarrier *barrier = mbarrier_find(warp->block->async, offset);
    uint64_t word;
    memcpy(&word, warp->shared + offset, sizeof word);
    if (!barrier) {
        report(warp, operation, lane, offset, NULL, "is used but was never initialised");
        return NULL;
    }
    if (!barrier->valid) {
        report(warp, operation, lane, offset, barrier->ended, "is used after it was invalidated");
        return NULL;
    }
    if (word != barrier->word) {
        report(warp, operation, lane, offset, barrier->made, "is used after an ordinary store has overwritten it");
        barrier->valid = false;
        barrier->ended = NULL;
        return NULL;
    }
    return barrier;
}

/* ---- operations, one lane at a time ---- */

static uint32_t value_of(const struct warp *warp, const struct operation *operation, unsigned lane, uint32_t missing)
{
    return operation->b == UINT32_MAX ? missing : ((const uint32_t *)((const char *)warp->r + operation->b))[lane];
}

static void initialise(struct warp *warp, const struct operation *operation, unsigned lane, uint32_t offset)
{
    uint32_t count = value_of(warp, operation, lane, 0);
    struct mbarrier *barrier = make(warp, offset);
    uint64_t word;
    if (!barrier)
        return;
    memcpy(&word, warp->shared + offset, sizeof word);
    if (barrier->valid && word == barrier->word)
        report(warp, operation, lane, offset, barrier->made, "is initialised again while it is in use");
    if (!count || count > MAX_COUNT) {
        report(warp, operation, lane, offset, NULL, "is initialised for %u arrivals; 1 to %u are possible", count,
               MAX_COUNT);
        count = count ? MAX_COUNT : 1;
    }
    uint32_t *copies = barrier->copies;
    *barrier = (struct mbarrier){
        .offset = offset, .expected = count, .pending = count, .valid = true, .made = operation, .copies = copies};
    if (copies)
        memset(copies, 0, warp->launch->warps_per_block * sizeof *copies);
    mbarrier_store_word(warp->block, barrier);
}

/* Bytes that the phase must still see. */
static void expect(struct warp *warp, const struct operation *operation, unsigned lane, struct mbarrier *barrier,
                   int64_t bytes)
{
    barrier->bytes += bytes;
    if (barrier->bytes > MAX_COUNT || barrier->bytes < -MAX_COUNT)
        report(warp, operation, lane, barrier->offset, barrier->made,
               "expects %lld bytes in one phase; at most %u are "
               "possible",
               (long long)barrier->bytes, MAX_COUNT);
}

static bool is_test(const struct operation *operation)
{
    uint32_t kind = operation->extra & MBARRIER_OPERATION;
    return kind == MBARRIER_TEST || kind == MBARRIER_TEST_PARITY;
}

/* Only where the result is a state: that of a test is a predicate. */
static void set_state(struct warp *warp, const struct operation *operation, unsigned lane, uint64_t state)
{
    if (operation->d != UINT32_MAX && !is_test(operation))
        ((uint64_t *)((char *)warp->q + operation->d))[lane] = state;
}

static void arrive(struct warp *warp, const struct operation *operation, unsigned lane, struct mbarrier *barrier)
{
    bool expects = operation->extra & MBARRIER_EXPECTS;
    uint32_t value = value_of(warp, operation, lane, 1), count = expects ? 1 : value;
    set_state(warp, operation, lane, mbarrier_word_of(barrier));
    if (expects)
        expect(warp, operation, lane, barrier, value);
    if (count > barrier->pending || !count)
        report(warp, operation, lane, barrier->offset, barrier->made,
               "gets %u arrivals, but this phase waits for only %u more of %u", count, barrier->pending, barrier->expected);
    else if (operation->extra & MBARRIER_NO_COMPLETE && count == barrier->pending && !barrier->bytes)
        report(warp, operation, lane, barrier->offset, NULL,
               "has its phase completed by an arrival that must not complete it (.noComplete)");
    if ((operation->extra & MBARRIER_OPERATION) == MBARRIER_DROP)
        barrier->expected -= count < barrier->expected ? count : barrier->expected;
    mbarrier_arrive(warp->block, barrier, count);
}

static bool is_complete(const struct warp *warp, const struct operation *operation, unsigned lane,
                        const struct mbarrier *barrier)
{
    if ((operation->extra & MBARRIER_OPERATION) == MBARRIER_TEST_PARITY)
        return (barrier->phase & 1) != (value_of(warp, operation, lane, 0) & 1);
    uint64_t state = ((const uint64_t *)((const char *)warp->q + operation->b))[lane];
    return (state >> 40 & 0x7FFFFF) != (barrier->phase & 0x7FFFFF);
}

/* Is the phase complete that the lane tests? What can complete it arrives now. */
static bool test(struct warp *warp, const struct operation *operation, unsigned lane, struct mbarrier *barrier)
{
    if (!is_complete(warp, operation, lane, barrier))
        async_land_at(warp->block, warp->launch, barrier);
    if (is_complete(warp, operation, lane, barrier))
        return true;
    barrier->failures++;
    barrier->waits = operation;
    barrier->waiter = warp;
    barrier->waiting_lane = lane;
    return false;
}

/* cp.async.mbarrier.arrive: an arrival after the copies of the thread. */
static void follow_copies(struct warp *warp, const struct operation *operation, unsigned lane, struct mbarrier *barrier)
{
    if (!barrier->copies && !(barrier->copies = calloc(warp->launch->warps_per_block, sizeof *barrier->copies))) {
        launch_abort(warp->launch, LAUNCH_OUT_OF_MEMORY);
        return;
    }
    if (!async_push_arrival(warp, operation, lane, barrier->offset))
        return;
    barrier->copies[warp->index] |= 1u << lane;
    if (!(operation->extra & MBARRIER_NO_INCREMENT)) {
        barrier->pending++;
        mbarrier_store_word(warp->block, barrier);
    }
}

static void attach_bulk(struct warp *warp, unsigned lane, uint32_t offset)
{
    struct block_async *async = warp->block->async;
    for (uint32_t i = async->bulk_count; i-- > 0;)
        if (async->bulk[i].thread == warp->index * WARP_LANES + lane && !async->bulk[i].allocation) {
            async->bulk[i].barrier = offset;
            return;
        }
}

/* Returns what a test answers; true where the object cannot be used, so that no thread waits for it. */
static bool run_lane(struct warp *warp, const struct operation *operation, unsigned lane, uint32_t offset)
{
    uint32_t kind = operation->extra & MBARRIER_OPERATION;
    if (kind == MBARRIER_INIT) {
        initialise(warp, operation, lane, offset);
        return true;
    }
    struct mbarrier *barrier = usable(warp, operation, lane, offset);
    if (!barrier) {
        set_state(warp, operation, lane, 0);
        return true;
    }
    switch (kind) {
    case MBARRIER_INVALIDATE:
        barrier->valid = false;
        barrier->ended = operation;
        return true;
    case MBARRIER_ARRIVE:
    case MBARRIER_DROP: arrive(warp, operation, lane, barrier); return true;
    case MBARRIER_EXPECT: expect(warp, operation, lane, barrier, value_of(warp, operation, lane, 0)); return true;
    case MBARRIER_COMPLETE: mbarrier_complete(warp->block, barrier, value_of(warp, operation, lane, 0)); return true;
    case MBARRIER_COPIES: follow_copies(warp, operation, lane, barrier); return true;
    case MBARRIER_BULK: attach_bulk(warp, lane, offset); return true;
    default: return test(warp, operation, lane, barrier);
    }
}

/* The checkers learn which threads are ordered before which: arrivals release to the phase, successful tests acquire it. */
static void note_order(struct warp *warp, const struct operation *operation, const uint32_t offset[WARP_LANES],
                       uint32_t lanes)
{
    bool acquires = is_test(operation);
    uint32_t kind = operation->extra & MBARRIER_OPERATION;
    if (!operation->site->release || kind == MBARRIER_EXPECT || kind == MBARRIER_COMPLETE || !warp->launch->watched)
        return;
    while (lanes) { /* those at one object together */
        uint32_t same = 0, at = offset[__builtin_ctz(lanes)];
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            same |= offset[__builtin_ctz(rest)] == at ? rest & -rest : 0;
        lanes &= ~same;
        struct mbarrier *barrier = mbarrier_find(warp->block->async, at);
        if (!barrier || !barrier->valid)
            continue;
        if (acquires)
            warp->launch->hooks->mbarrier_acquire(warp, same, barrier->complete);
        else
            warp->launch->hooks->mbarrier_release(warp, same, &barrier->released);
    }
}

void mbarrier_run(struct warp *warp, const struct operation *operation)
{
    uint64_t address[WARP_LANES];
    uint32_t offset[WARP_LANES], valid = 0, passed = 0;
    if (!async_of(warp))
        return;
    access_addresses(warp, operation, address);
    for (uint32_t rest = warp->mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct access_target target = access_find(warp, operation, lane, address[lane], operation->site->bytes);
        bool shared = target.place && !target.allocation && !target.local;
        if (target.place && !shared)
            report(warp, operation, lane, UINT32_MAX, NULL, "is outside shared memory");
        offset[lane] = shared ? (uint32_t)(target.place - warp->shared) : 0;
        valid |= (uint32_t)shared << lane;
    }
    if (valid && warp->launch->watched)
        warp->launch->hooks->mbarrier_access(warp, operation, address, valid);
    bool tests = is_test(operation);
    if (!tests && (operation->extra & MBARRIER_OPERATION) != MBARRIER_INIT)
        note_order(warp, operation, offset, valid); /* before the phase may complete */
    for (uint32_t rest = valid; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        passed |= (uint32_t)run_lane(warp, operation, lane, offset[lane]) << lane;
    }
    if (!tests)
        return;
    note_order(warp, operation, offset, passed);
    passed |= ~valid;
    warp->p[operation->d] = (warp->p[operation->d] & ~warp->mask) | (passed & warp->mask);
    if (warp->mask & ~passed) {
        warp->polls += POLL_LIMIT;
        warp->launch->fuel -= POLL_FUEL;
    }
}

bool mbarrier_report_stuck(const struct block *block, struct launch *launch)
{
    const struct block_async *async = block->async;
    for (uint32_t i = 0; async && i < async->barrier_count; i++) {
        const struct mbarrier *barrier = &async->barriers[i];
        if (!barrier->valid || barrier->failures < STUCK_FAILURES)
            continue;
        struct finding finding;
        char bytes[64] = "";
        launch_finding(barrier->waiter, barrier->waits, barrier->waiting_lane, FINDING_deadlock, &finding);
        name_object(launch, barrier->offset, finding.array);
        place_describe_second(launch, barrier->made, &finding);
        if (barrier->bytes)
            snprintf(bytes, sizeof bytes, " and %lld bytes", (long long)barrier->bytes);
        finding_text(&finding, "threads wait at %s for phase %u of %s, which lacks %u of %u arrivals%s (initialised at %s)",
                     finding.where, barrier->phase, finding.array, barrier->pending, barrier->expected, bytes,
                     finding.where2);
        finding_collect(launch->findings, &finding);
        return true;
    }
    return false;
}
