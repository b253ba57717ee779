#include "runtime/emulator/driver/order.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { UNUSED, LEGACY, PER_THREAD, CREATED };

/* A stream that has, or may have, pending work. The place of a destroyed one is used again when its work is done. */
static struct place {
    enum kind kind;
    bool is_destroyed, is_blocking;
    CUstream handle;
    pthread_t thread; /* of PER_THREAD */
    const struct context *context;
    unsigned ordinal; /* of CREATED, from 1 */
    uint64_t issued;  /* pieces of work; goes on when the place is used again */
    struct order_clock clock;
} *places[ORDER_STREAM_LIMIT];
static unsigned place_count;

static struct order_clock host;
static struct order_piece now;
static uint64_t serial;
static unsigned created;
static void (*host_waits)(const struct order_clock *clock); /* NULL: there is none */
static bool is_lost, has_streams;

static void join(struct order_clock *clock, const struct order_clock *other)
{
    for (unsigned i = 0; i < place_count; i++)
        if (clock->done[i] < other->done[i])
            clock->done[i] = other->done[i];
}

/* ---- streams ---- */

static bool is_free(unsigned at)
{
    const struct place *place = places[at];
    return place->kind == UNUSED || (place->is_destroyed && host.done[at] >= place->issued);
}

static struct place *take_place(enum kind kind, CUstream handle, const struct context *context, bool is_blocking)
{
    unsigned at = 0;
    while (at < place_count && !is_free(at))
        at++;
    if (at == place_count && at < ORDER_STREAM_LIMIT)
        places[at] = calloc(1, sizeof **places);
    if (at == ORDER_STREAM_LIMIT || !places[at]) {
        is_lost = true;
        return NULL;
    }
    if (at == place_count)
        place_count++;
    uint64_t issued = places[at]->issued;
    *places[at] = (struct place){.kind = kind,
                                 .handle = handle,
                                 .thread = pthread_self(),
                                 .context = context,
                                 .is_blocking = is_blocking,
                                 .issued = issued};
    return places[at];
}

void order_create_stream(CUstream stream, const struct context *context, bool is_blocking)
{
    has_streams = true;
    struct place *place = take_place(CREATED, stream, context, is_blocking);
    created++;
    if (place)
        place->ordinal = created;
}

/* Place of a stream; of a default stream it is made at its first use. place_count: the order is lost. */
static unsigned find(CUstream handle, const struct context *context)
{
    enum kind kind = handle == CU_STREAM_PER_THREAD ? PER_THREAD : !handle || handle == CU_STREAM_LEGACY ? LEGACY : CREATED;
    for (unsigned i = 0; i < place_count; i++) {
        const struct place *place = places[i];
        if (place->kind != kind || place->is_destroyed)
            continue;
        if (kind == CREATED ? place->handle == handle
                            : place->context == context && (kind == LEGACY || pthread_equal(place->thread, pthread_self())))
            return i;
    }
    if (kind == PER_THREAD)
        has_streams = true;
    const struct place *place = kind == CREATED ? NULL : take_place(kind, handle, context, true);
    for (unsigned i = 0; place && i < place_count; i++)
        if (places[i] == place)
            return i;
    is_lost = true;
    return place_count;
}

void order_destroy_stream(CUstream stream)
{
    for (unsigned i = 0; i < place_count; i++)
        if (places[i]->kind == CREATED && places[i]->handle == stream && !places[i]->is_destroyed)
            places[i]->is_destroyed = true;
}

void order_forget_context(const struct context *context)
{
    order_host_context(context);
    for (unsigned i = 0; i < place_count; i++)
        if (places[i]->context == context)
            places[i]->is_destroyed = true;
}

bool order_has_streams(void)
{
    return has_streams;
}

bool order_is_lost(void)
{
    return is_lost;
}

/* What a stream waits for before its next command: the host's past; and the legacy default stream waits for all blocking
 * streams of its context, as they do for it. Returns its place; place_count: the order is lost. */
static unsigned catch_up(CUstream handle, const struct context *context)
{
    unsigned at = is_lost ? place_count : find(handle, context);
    if (at == place_count)
        return at;
    struct place *place = places[at];
    join(&place->clock, &host);
    for (unsigned i = 0; i < place_count; i++) {
        const struct place *other = places[i];
        if (other->context == place->context && place->is_blocking && other->is_blocking
            && (place->kind == LEGACY || other->kind == LEGACY))
            join(&place->clock, &other->clock);
    }
    return at;
}

bool order_begin(CUstream stream, const struct context *context)
{
    unsigned at = catch_up(stream, context);
    if (at == place_count)
        return false;
    places[at]->clock.done[at] = ++places[at]->issued;
    now = (struct order_piece){{at, places[at]->issued, ++serial}, &places[at]->clock};
    return true;
}

struct order_epoch order_now(void)
{
    return now.epoch;
}

struct order_piece order_get(void)
{
    return now;
}

void order_go_on(struct order_piece piece)
{
    now = piece;
}

bool order_is_before(struct order_epoch earlier)
{
    return is_lost || !now.clock || now.clock->done[earlier.stream] >= earlier.number;
}

void order_after(struct order_epoch earlier)
{
    if (now.clock && now.clock->done[earlier.stream] < earlier.number)
        now.clock->done[earlier.stream] = earlier.number;
}

bool order_counts(const struct order_clock *clock, struct order_epoch epoch)
{
    return is_lost || !clock || clock->done[epoch.stream] >= epoch.number;
}

bool order_is_done(struct order_epoch epoch)
{
    return is_lost || host.done[epoch.stream] >= epoch.number;
}

/* ---- events ---- */

static void copy_clock(const struct order_clock *from, struct order_clock **clock)
{
    if (!*clock)
        *clock = malloc(sizeof **clock);
    if (*clock && from)
        **clock = *from;
    else if (*clock)
        memset(*clock, 0, sizeof **clock);
}

void order_record(CUstream stream, const struct context *context, struct order_clock **clock)
{
    unsigned at = catch_up(stream, context);
    copy_clock(at < place_count ? &places[at]->clock : NULL, clock);
}

void order_record_now(struct order_clock **clock)
{
    copy_clock(now.clock, clock);
}

/* Joins an event's clock, or all work issued so far where that is unknown. */
static void join_event(struct order_clock *clock, const struct order_clock *event)
{
    if (event)
        join(clock, event);
    for (unsigned i = 0; !event && i < place_count; i++)
        clock->done[i] = places[i]->issued;
}

void order_wait(CUstream stream, const struct context *context, const struct order_clock *clock)
{
    unsigned at = catch_up(stream, context);
    if (at < place_count)
        join_event(&places[at]->clock, clock);
}

void order_wait_now(const struct order_clock *clock)
{
    if (now.clock)
        join_event(now.clock, clock);
}

/* ---- the host ---- */

void order_watch_host(void (*waits)(const struct order_clock *clock))
{
    host_waits = waits;
}

/* A copy of the clock: the stream may get new work while the host waits. */
static void wait_for(struct order_clock clock)
{
    if (host_waits)
        host_waits(&clock);
    join(&host, &clock);
}

static uint64_t wait_count;

uint64_t order_host_waits(void)
{
    return wait_count;
}

void order_host_event(const struct order_clock *clock)
{
    wait_count++;
    struct order_clock all = {0};
    join_event(&all, clock);
    wait_for(all);
}

void order_find_clock(CUstream stream, const struct context *context, struct order_clock *clock)
{
    bool is_legacy = !stream || stream == CU_STREAM_LEGACY;
    unsigned at = is_lost ? place_count : is_legacy ? catch_up(stream, context) : find(stream, context);
    *clock = at < place_count ? places[at]->clock : (struct order_clock){0};
}

void order_host_stream(CUstream stream, const struct context *context)
{
    wait_count++;
    struct order_clock clock;
    order_find_clock(stream, context, &clock);
    wait_for(clock);
}

void order_host_now(void)
{
    if (now.clock)
        wait_for(*now.clock);
}

void order_host_context(const struct context *context)
{
    wait_count++;
    struct order_clock clock = {0};
    for (unsigned i = 0; i < place_count; i++)
        if (!context || places[i]->context == context) {
            join(&clock, &places[i]->clock);
            clock.done[i] = places[i]->issued;
        }
    wait_for(clock);
}

/* ---- names ---- */

const char *order_name(struct order_epoch epoch, char text[ORDER_NAME_BYTES])
{
    const struct place *place = places[epoch.stream];
    if (place->kind == CREATED)
        snprintf(text, ORDER_NAME_BYTES, "stream %u", place->ordinal);
    else
        snprintf(text, ORDER_NAME_BYTES, "%s",
                 place->kind == LEGACY ? "the default stream" : "the default stream of a thread");
    return text;
}

bool order_is_exempt(struct order_epoch one, struct order_epoch other)
{
    const struct place *first = places[one.stream], *second = places[other.stream];
    return (first->kind == LEGACY && !second->is_blocking) || (second->kind == LEGACY && !first->is_blocking);
}
