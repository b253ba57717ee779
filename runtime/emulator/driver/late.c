#include "runtime/emulator/driver/late.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/module.h"
#include "runtime/emulator/driver/unordered.h"
#include "runtime/emulator/machine/endless.h"
#include "runtime/language/demangle.h"

/* Pieces that are kept; the queue of a GPU is not endless either. */
enum { PIECE_LIMIT = 1024 };

struct piece {
    struct unordered_piece moment; /* the clock is its own: malloc'd */
    CUcontext context;
    struct stream_work work; /* as prepared */
    void *memory;            /* malloc'd; or NULL */
    bool was_asked;
    bool may_wait; /* a kernel, for the host */
};

/* In the order of their issue. */
static struct piece pieces[PIECE_LIMIT];
static size_t piece_count;
static bool is_performing;
static uint64_t activity; /* what was kept, and done because the program waited */

static bool is_late(void)
{
    return driver.settings->schedule->is_late && !order_is_lost();
}

bool late_is_on(void)
{
    return is_late() || piece_count > 0;
}

bool late_is_performing(void)
{
    return is_performing;
}

/* ---- doing it ---- */

static void clear(struct piece *piece)
{
    free(piece->moment.order.clock);
    free(piece->memory);
}

/* Does the piece at this place. A failed kernel ends what its context has left to do. */
static void perform(size_t at)
{
    struct piece piece = pieces[at];
    struct unordered_piece now = unordered_get();
    unsigned device = memory_chosen_device(driver.memory);
    memmove(&pieces[at], &pieces[at + 1], (--piece_count - at) * sizeof *pieces);
    struct context *context = context_find(piece.context);
    if (context && context->active && !context->failure) {
        memory_choose_device(driver.memory, (unsigned)context->device);
        unordered_go_on(&piece.moment);
        bool was_performing = is_performing; /* a host function may wait for work */
        is_performing = true;
        piece.work.manner->run(context, &piece.work, piece.memory);
        is_performing = was_performing;
        unordered_go_on(&now);
        memory_choose_device(driver.memory, device);
    }
    clear(&piece);
}

/* What the clock counts, in the order of issue, which keeps every order that the program asked for. A host function may
 * issue more meanwhile. */
static void perform_counted(const struct order_clock *clock)
{
    for (size_t at = 0; at < piece_count;) {
        if (order_counts(clock, pieces[at].moment.order.epoch)) {
            perform(at);
            at = 0;
        } else {
            at++;
        }
    }
}

/* The latest piece that the clock counts; piece_count: none. */
static size_t find_latest(const struct order_clock *clock)
{
    for (size_t at = piece_count; at-- > 0;)
        if (order_counts(clock, pieces[at].moment.order.epoch))
            return at;
    return piece_count;
}

/* The same, but each piece, with what it is ordered after, before earlier ones that it is not ordered after. */
static void perform_latest_first(const struct order_clock *clock)
{
    activity++;
    for (size_t at; (at = find_latest(clock)) < piece_count;) {
        struct order_clock before = *pieces[at].moment.order.clock;
        perform_counted(&before);
    }
}

void late_finish(void)
{
    perform_latest_first(NULL);
}

CUresult late_catch_up(const struct context *context)
{
    struct order_piece now = order_get();
    if (piece_count == 0)
        return CUDA_SUCCESS;
    if (order_is_lost() || !now.clock)
        late_finish();
    else
        perform_latest_first(now.clock);
    return context->failure;
}

/* Does the clock count a kept kernel that may wait for the host? */
static bool may_wait(const struct order_clock *clock)
{
    for (size_t at = 0; at < piece_count; at++)
        if (pieces[at].may_wait && order_counts(clock, pieces[at].moment.order.epoch))
            return true;
    return false;
}

bool late_is_done(const struct order_clock *clock)
{
    size_t latest = find_latest(clock);
    if (latest == piece_count || (pieces[latest].was_asked && !may_wait(clock)))
        return true;
    pieces[latest].was_asked = true;
    return false;
}

/* ---- silence ---- */

static bool is_watching; /* the thread exists */

/* First what cannot wait for the host, which may wait for that. */
static void perform_in_silence(void)
{
    endless_idle_threads = 0;
    for (size_t at = piece_count; at-- > 0;)
        if (at < piece_count && !may_wait(pieces[at].moment.order.clock))
            perform_latest_first(pieces[at].moment.order.clock);
    late_finish();
    endless_idle_threads = 1;
}

static void *watch(void *unused)
{
    enum { LOOK_NS = 150 * 1000 * 1000 };
    const struct timespec while_silent = {0, LOOK_NS};
    for (uint64_t before = 0;;) {
        nanosleep(&while_silent, NULL);
        driver_lock();
        if (piece_count > 0 && activity == before)
            perform_in_silence();
        before = activity;
        if (piece_count == 0) {
            is_watching = false;
            endless_idle_threads = 0;
            driver_unlock();
            return unused;
        }
        driver_unlock();
    }
}

/* Without a thread, a host that waits by looking at memory waits for ever. Signals are for the program's own threads. */
static void begin_to_watch(void)
{
    pthread_t thread;
    sigset_t all, before;
    if (is_watching)
        return;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    is_watching = pthread_create(&thread, NULL, watch, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (is_watching)
        pthread_detach(thread);
    endless_idle_threads = is_watching ? 1 : 0;
}

/* ---- keeping it ---- */

/* May a piece that is kept be in no order with that one? */
static bool may_meet(struct order_epoch earlier)
{
    for (size_t i = 0; i < piece_count; i++)
        if (!order_counts(pieces[i].moment.order.clock, earlier))
            return true;
    return false;
}

static bool is_after(struct order_epoch later, struct order_epoch earlier)
{
    for (size_t i = 0; i < piece_count; i++)
        if (pieces[i].moment.order.epoch.serial == later.serial)
            return order_counts(pieces[i].moment.order.clock, earlier);
    return false;
}

/* False without memory: then it is done now. */
static bool keep(struct piece *piece)
{
    piece->moment.is_entered = piece->work.manner->enters;
    piece->moment.order.clock = malloc(sizeof *piece->moment.order.clock);
    if (!piece->moment.order.clock)
        return false;
    *piece->moment.order.clock = *order_get().clock;
    if (piece_count == PIECE_LIMIT) {
        struct order_clock oldest = *pieces[0].moment.order.clock;
        perform_counted(&oldest);
    }
    order_watch_host(perform_latest_first);
    unordered_watch(may_meet, is_after);
    pieces[piece_count++] = *piece;
    activity++;
    begin_to_watch();
    return true;
}

CUresult late_put(struct context *context, const struct stream_work *work, bool *taken)
{
    const struct work_manner *manner = work->manner;
    *taken = false;
    if (!manner)
        return CUDA_SUCCESS;
    bool at_once, may_wait_for_host = manner->may_wait && manner->may_wait(context, work);
    if (order_is_lost() || !(is_late() || may_wait_for_host || find_latest(order_get().clock) < piece_count))
        return late_catch_up(context);
    struct piece piece = {
        .moment = unordered_get_call(), .context = context->handle, .work = *work, .may_wait = may_wait_for_host};
    CUresult result = manner->prepare(context, &piece.work, &piece.memory, &at_once);
    *taken = result == CUDA_SUCCESS && !at_once && keep(&piece);
    if (!*taken)
        free(piece.memory);
    return result == CUDA_SUCCESS && !*taken ? late_catch_up(context) : result;
}

/* ---- the end ---- */

void late_abandon(void)
{
    size_t left = 0;
    char name[96] = "";
    for (size_t at = 0; at < piece_count;) {
        const struct stream_work *work = &pieces[at].work;
        if (work->manner->is_free) {
            perform(at);
            continue;
        }
        const struct function *function = work->type == CU_GRAPH_NODE_TYPE_KERNEL ? function_find(work->kernel.function)
                                                                                  : NULL;
        if (function)
            demangle_function(function->kernel->name, name, sizeof name);
        left += !work->manner->is_mark;
        at++;
    }
    if (left > 0)
        fprintf(stderr, "lockstep: the program ended without waiting for %zu piece%s of work%s%s, so %s never done (%s)\n",
                left, left > 1 ? "s" : "", name[0] ? ", the last kernel among them " : "", name,
                left > 1 ? "they were" : "it was",
                is_late() ? "LOCKSTEP_SCHEDULE=late" : "a kernel among them reads as volatile what the host may write");
    while (piece_count > 0)
        clear(&pieces[--piece_count]);
}
