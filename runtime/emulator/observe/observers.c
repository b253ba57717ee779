/* The hooks of a launch: they count requests, and pass every access to the observers that look for mistakes. */
#include "runtime/emulator/observe/observers.h"

#include <stdlib.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/memory.h"
#include "runtime/emulator/machine/warp.h"
#include "runtime/emulator/machine/work.h"
#include "runtime/emulator/observe/counters/counters.h"
#include "runtime/emulator/observe/fills.h"
#include "runtime/emulator/observe/flight.h"
#include "runtime/emulator/observe/observation.h"
#include "runtime/emulator/observe/poison/poison.h"
#include "runtime/emulator/observe/races/need_notes.h"
#include "runtime/emulator/observe/races/race.h"
#include "runtime/emulator/observe/races/race_need.h"
#include "runtime/emulator/observe/races/race_past.h"
#include "runtime/emulator/observe/record/accesses.h"
#include "runtime/emulator/observe/record/extents.h"
#include "runtime/emulator/observe/record/tracer.h"

/* ---- requests ---- */

static inline void shared_races(struct races *races, struct warp *warp, const struct operation *operation, uint64_t start)
{
    const struct memory_site *site = operation->site;
    race_shared_request(races, warp, operation, (uint32_t)(start - site->window_address + (uintptr_t)site->window_host));
}

static void need_of_request(struct races *races, struct warp *warp, const struct operation *operation, uint64_t start)
{
    const struct memory_site *site = operation->site;
    const struct memory_allocation *allocation = site->allocation;
    if (!allocation)
        start = (uint32_t)(start - site->window_address + (uintptr_t)site->window_host);
    else if (site->access == SITE_LOAD && allocation->never_written_in == races->tag)
        return;
    need_request(races, warp, operation, allocation, start, site->shape.delta, warp->mask);
}

static inline bool may_drop(const struct memory_site *site)
{
    return site->access == SITE_LOAD && !site->is_used;
}

/* A load whose value a select drops in some lanes: for races, only the others have read. */
static bool races_of_some(struct warp *warp, const struct operation *operation)
{
    struct races *races = warp->launch->observation->races;
    uint32_t dropped = race_dropped_lanes(races, warp, operation);
    uint64_t address[WARP_LANES];
    if (!dropped)
        return false;
    access_addresses(warp, operation, address);
    if (warp->mask & ~dropped)
        race_lanes(races, warp, operation, address, warp->mask & ~dropped);
    return true;
}

/* Where each lane of a request goes that begins at `start`. */
static void spread(const struct operation *operation, uint64_t start, uint64_t address[WARP_LANES])
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        address[lane] = start + operation->site->shape.delta[lane];
}

static __attribute__((noinline)) void filled_request(struct warp *warp, const struct operation *operation, uint64_t start)
{
    uint64_t address[WARP_LANES];
    spread(operation, start, address);
    fills_request(warp, operation, operation->site->allocation, address, warp->mask);
}

static __attribute__((noinline)) void check_request(struct warp *warp, const struct operation *operation, uint64_t start)
{
    const struct observation *observation = warp->launch->observation;
    const struct memory_site *site = operation->site;
    const struct memory_allocation *allocation = site->allocation;
    if (warp->block->flight)
        flight_request(warp, operation, start);
    if (warp->watches || !(allocation ? !allocation->written || allocation->all_written : warp->block->shared_full))
        poison_request(observation->poison, warp, operation, start);
    if (allocation && allocation->fill_count)
        filled_request(warp, operation, start);
    if (!observation->looks_for_races || (may_drop(site) && races_of_some(warp, operation)))
        return;
    if (observation->races->follows_need)
        need_of_request(observation->races, warp, operation, start);
    if (!allocation)
        shared_races(observation->races, warp, operation, start);
    else if (site->access != SITE_LOAD || allocation->never_written_in != observation->races->tag)
        race_request(observation->races, warp, operation, start);
}

static __attribute__((noinline)) void note_request(struct warp *warp, const struct operation *operation, uint64_t start)
{
    uint64_t address[WARP_LANES];
    spread(operation, start, address);
    accesses_note(warp->launch->observation->accesses, warp, operation, address, warp->mask);
}

static __attribute__((noinline)) void past_request(struct warp *warp, const struct operation *operation, uint64_t start)
{
    uint64_t address[WARP_LANES];
    spread(operation, start, address);
    if (operation->site->allocation)
        race_past_check(warp, operation, address, warp->mask);
}

/* The most common requests need only the race checker. */
static void request(struct warp *warp, const struct operation *operation, uint64_t start)
{
    const struct observation *observation = warp->launch->observation;
    const struct block *block = warp->block;
    work_add(WORK_REQUEST);
    if (observation->accesses)
        note_request(warp, operation, start);
    if (observation->has_past)
        past_request(warp, operation, start);
    if (observation->extents)
        extents_note(observation->extents, operation, start);
    if (!operation->site->allocation && block->shared_full && !block->flight && !warp->watches
        && observation->looks_for_races && !observation->races->follows_need && !may_drop(operation->site))
        shared_races(observation->races, warp, operation, start);
    else
        check_request(warp, operation, start);
}

static bool is_local(const struct operation *operation, uint64_t address)
{
    enum site_space space = operation->site->space;
    return space == SITE_LOCAL || (space == SITE_GENERIC && (address & WINDOW_MASK) == LOCAL_WINDOW);
}

static void lanes(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t valid)
{
    work_add(WORK_LANE * (uint64_t)__builtin_popcount(valid));
    if (warp->counts && is_local(operation, address[__builtin_ctz(valid)]))
        counters_local(warp, operation, address, valid);
    else if (warp->counts)
        counters_lanes(warp, operation, address, valid);
    const struct observation *observation = warp->launch->observation;
    if (!observation)
        return;
    bool remote = warp->reached != warp->block; /* which only poison knows */
    if (observation->accesses && !remote)
        accesses_note(observation->accesses, warp, operation, address, valid);
    if (observation->extents && !remote && !is_local(operation, address[__builtin_ctz(valid)]))
        extents_note_lanes(observation->extents, warp, operation, address, valid);
    if (warp->block->flight && !remote)
        flight_lanes(warp, operation, address, valid);
    uint32_t read = valid;
    if (observation->looks_for_races && may_drop(operation->site))
        read &= ~race_dropped_lanes(observation->races, warp, operation);
    if (observation->looks_for_races && read && !remote)
        race_lanes(observation->races, warp, operation, address, read);
    if (observation->has_past && read && !remote)
        race_past_check(warp, operation, address, read);
    if (!remote && operation->handler != HANDLER_texture && !is_local(operation, address[__builtin_ctz(valid)]))
        fills_request(warp, operation, NULL, address, valid);
    if (operation->handler == HANDLER_texture)
        poison_texels(warp, operation, address, valid);
    else
        poison_request_lanes(observation->poison, warp, operation, address, valid);
}

/* ---- operations ---- */

static void step(struct warp *warp, const struct operation *operation)
{
    struct observation *observation = warp->launch->observation;
    struct tracer *tracer = observation->tracer;
    if (warp->launch->stepped || tracer || warp->watches != WARP_STEPPED) /* not for the counters alone */
        work_add(WORK_STEP);
    if (warp->watches != WARP_STEPPED)
        poison_step(warp, operation);
    if (tracer)
        tracer_before(tracer, warp, operation);
    if (warp->watches & WARP_STEPPED && !warp->launch->stepped)
        outcomes_before(&observation->outcomes, warp, operation);
}

static void stepped(struct warp *warp, const struct operation *operation, const struct operation *next)
{
    struct observation *observation = warp->launch->observation;
    if (observation->tracer)
        tracer_after(observation->tracer, operation, next);
    if (!warp->launch->stepped)
        outcomes_after(&observation->outcomes, warp, operation, !observation->tracer);
}

static bool follows(const struct launch *launch, const struct block *block)
{
    const struct observation *observation = launch->observation;
    return (observation->tracer && tracer_follows(observation->tracer, block))
           || outcomes_follow(&observation->outcomes, launch, block);
}

/* ---- threads meet ---- */

static void exchange(struct warp *warp, const struct operation *operation)
{
    bool may_ask_others = operation->handler == HANDLER_shuffle && warp->mask != ALL_LANES;
    if (!warp->watches && !may_ask_others)
        return;
    poison_give(warp, operation, true);
    poison_get(warp, operation);
}

static void fence(struct warp *warp, const struct operation *operation)
{
    const struct observation *observation = warp->launch->observation;
    if (observation->looks_for_races)
        race_fence(observation->races, warp, operation->extra);
}

static void warp_barrier(struct warp *warp, uint32_t lanes)
{
    const struct observation *observation = warp->launch->observation;
    if (observation->looks_for_races)
        race_warp_barrier(observation->races, warp, lanes);
}

static void barrier(struct launch *launch, struct block *block, uint32_t number)
{
    const struct observation *observation = launch->observation;
    work_add(WORK_BARRIER_WARP * launch->warps_per_block);
    if (observation->tracer)
        tracer_barrier(observation->tracer, block, number);
    if (observation->looks_for_races)
        race_barrier(observation->races, block, number);
    poison_barrier(observation->poison, block);
    poison_reduce(block, launch, number);
}

static void arrive(struct warp *warp, uint32_t number)
{
    const struct observation *observation = warp->launch->observation;
    if (observation->looks_for_races)
        race_arrive(observation->races, warp, number);
}

static void shared_written(struct block *block, uint64_t offset, uint64_t bytes)
{
    poison_mark_shared(block->warps, offset, bytes);
}

/* ---- launches and blocks ---- */

static bool start_races(struct launch *launch, struct observation *observation)
{
    /* What the barrier of a cluster orders between blocks is not known to this observer. */
    observation->looks_for_races = launch->settings->checks == CHECKS_ALL && launch->cluster_blocks == 1;
    observation->has_past = observation->looks_for_races && launch->request->past;
    observation->races = race_start(launch);
    return observation->races != NULL;
}

static void end_races(struct observation *observation)
{
    race_end(observation->races);
}

static struct past *launches(struct warp *warp, unsigned lane, bool in_tail)
{
    const struct observation *observation = warp->launch->observation;
    return observation->looks_for_races ? race_past_create(observation->races, warp, lane, in_tail) : NULL;
}

static bool start_poison(struct launch *launch, struct observation *observation)
{
    observation->poison = poison_start(launch, observation->races->site_count);
    return observation->poison != NULL;
}

static void end_poison(struct observation *observation)
{
    poison_end(observation->poison);
}

static bool start_tracer(struct launch *launch, struct observation *observation)
{
    observation->tracer = tracer_start(launch);
    return true;
}

static void end_tracer(struct observation *observation)
{
    tracer_end(observation->tracer);
}

static bool start_accesses(struct launch *launch, struct observation *observation)
{
    observation->accesses = accesses_start(launch);
    return true;
}

static void end_accesses(struct observation *observation)
{
    accesses_end(observation->accesses);
}

static bool start_extents(struct launch *launch, struct observation *observation)
{
    (void)launch;
    observation->extents = extents_start();
    return true;
}

/* The driver takes them after the launch. */
static void end_extents(struct observation *observation)
{
    observation->extents = NULL;
}

/* The observers of accesses (LOCKSTEP_CHECKS=poison, all), each after those that it builds on. A new one gets its row here,
 * its state in struct observation, and its calls in the hooks of this file; if it writes its own file, a row in
 * runtime/tables/outputs.def. */
static const struct observer {
    void (*open)(void);                                                    /* its file, at cuInit; NULL: it writes none */
    bool (*start)(struct launch *launch, struct observation *observation); /* false: out of memory */
    void (*end)(struct observation *observation);
    void (*report)(void); /* at the end of the process; NULL: nothing */
} watchers[] = {
    {NULL, start_races, end_races, need_report},   {NULL, start_poison, end_poison, NULL},
    {tracer_open, start_tracer, end_tracer, NULL}, {accesses_open, start_accesses, end_accesses, NULL},
    {NULL, start_extents, end_extents, NULL},
};
enum { WATCHER_COUNT = sizeof watchers / sizeof *watchers };

void observers_open(void)
{
    counters_open();
    for (const struct observer *each = watchers; each < watchers + WATCHER_COUNT; each++)
        if (each->open)
            each->open();
}

void observers_report(void)
{
    for (const struct observer *each = watchers; each < watchers + WATCHER_COUNT; each++)
        if (each->report)
            each->report();
}

static bool is_constant(const struct memory_allocation *allocation)
{
    return allocation->kind == MEMORY_CONST || allocation->kind == MEMORY_PARAM || allocation->read_only;
}

/* Loads from memory that is fully written, and that the launch cannot write to, can neither read poison nor race. */
static void find_quiet(struct launch *launch)
{
    const struct observation *observation = launch->observation;
    struct memory_allocation *allocation;
    launch->quiet = observation->races->tag;
    if (observation->accesses || observation->extents || observation->has_past) /* these record loads of any memory */
        return;
    for (size_t cursor = 0; (allocation = memory_next_live(launch->request->memory, &cursor));)
        if ((!allocation->written || allocation->all_written) && !allocation->fill_count
            && (!observation->looks_for_races || is_constant(allocation) || allocation->never_written_in == launch->quiet))
            allocation->quiet_in = launch->quiet;
}

/* Ends the first `count` watchers. */
static void end_watchers(struct observation *observation, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        watchers[i].end(observation);
    free(observation);
}

static bool start_watchers(struct launch *launch)
{
    struct observation *observation = calloc(1, sizeof *observation);
    for (unsigned i = 0; observation && i < WATCHER_COUNT; i++)
        if (!watchers[i].start(launch, observation)) {
            end_watchers(observation, i);
            return false;
        }
    launch->observation = observation;
    launch->watched = observation != NULL;
    if (observation)
        find_quiet(launch);
    return observation != NULL;
}

static bool start(struct launch *launch)
{
    if (launch->settings->checks >= CHECKS_POISON && !start_watchers(launch))
        return false;
    counters_start(launch);
    return true;
}

static void end(struct launch *launch)
{
    if (launch->observation)
        end_watchers(launch->observation, WATCHER_COUNT);
    launch->observation = NULL;
    if (launch->counts)
        counters_end(launch);
}

static void begin_block(struct launch *launch, struct block *block)
{
    const struct observation *observation = launch->observation;
    if (launch->counts)
        counters_block_start(block);
    if (!observation)
        return;
    flight_block_start(block);
    if (observation->looks_for_races)
        race_block_start(observation->races, block);
    if (!poison_block_start(observation->poison, block))
        launch_abort(launch, LAUNCH_OUT_OF_MEMORY);
}

const struct hooks observers = {
    .start = start,
    .end = end,
    .block_start = begin_block,
    .block_destroy = flight_block_destroy,
    .launches = launches,
    .let_go = race_past_release,
    .request = request,
    .count = counters_request,
    .lanes = lanes,
    .print = poison_print,
    .shared_written = shared_written,
    .step = step,
    .stepped = stepped,
    .follows = follows,
    .exchange = exchange,
    .exchange_give = poison_give,
    .exchange_get = poison_get,
    .fence = fence,
    .warp_barrier = warp_barrier,
    .barrier = barrier,
    .arrive = arrive,
    .async_read = observers_async_read,
    .async_issue = observers_async_issue,
    .async_count = counters_lanes,
    .bulk_count = counters_bulk,
    .async_land = observers_async_land,
    .mbarrier_access = observers_mbarrier_access,
    .mbarrier_release = observers_mbarrier_release,
    .mbarrier_acquire = observers_mbarrier_acquire,
};
