/* The observer of a launch: counts requests, and passes every access to the checkers. */
#include "runtime/emulator/machine/hooks.h"

#include <stdlib.h>

#include "runtime/emulator/machine/executor.h"
#include "runtime/emulator/machine/memory.h"
#include "runtime/emulator/observe/counters/observe.h"
#include "runtime/emulator/observe/flight.h"
#include "runtime/emulator/observe/poison/checks_internal.h"
#include "runtime/emulator/observe/poison/poison.h"
#include "runtime/emulator/observe/races/race.h"
#include "runtime/emulator/observe/record/tracer.h"

static bool looks_for_races(const struct launch *launch)
{
    return launch->checks && launch->checks->looks_for_races;
}

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

static __attribute__((noinline)) void check_request(struct warp *warp, const struct operation *operation, uint64_t start)
{
    const struct checks *checks = warp->launch->checks;
    const struct memory_site *site = operation->site;
    const struct memory_allocation *allocation = site->allocation;
    if (warp->block->flight)
        flight_request(warp, operation, start);
    if (warp->poisoned || !(allocation ? !allocation->written || allocation->all_written : warp->block->shared_full))
        poison_request(checks->poison, warp, operation, start);
    if (!checks->looks_for_races)
        return;
    if (checks->races->follows_need)
        need_of_request(checks->races, warp, operation, start);
    if (!allocation)
        shared_races(checks->races, warp, operation, start);
    else if (site->access != SITE_LOAD || allocation->never_written_in != checks->races->tag)
        race_request(checks->races, warp, operation, start);
}

/* The most common requests need only the race checker. */
void checks_request(struct warp *warp, const struct operation *operation, uint64_t start)
{
    const struct checks *checks = warp->launch->checks;
    const struct block *block = warp->block;
    if (!operation->site->allocation && block->shared_full && !block->flight && !warp->poisoned && checks->looks_for_races
        && !checks->races->follows_need)
        shared_races(checks->races, warp, operation, start);
    else
        check_request(warp, operation, start);
}

void checks_count(struct warp *warp, const struct operation *operation, uint64_t start)
{
    observe_request(warp, operation, start);
}

static bool is_local(const struct operation *operation, uint64_t address)
{
    enum site_space space = operation->site->space;
    return space == SITE_LOCAL || (space == SITE_GENERIC && (address & WINDOW_MASK) == LOCAL_WINDOW);
}

void checks_lanes(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t valid)
{
    if (warp->counts && !is_local(operation, address[__builtin_ctz(valid)]))
        observe_lanes(warp, operation, address, valid);
    const struct checks *checks = warp->launch->checks;
    if (!checks)
        return;
    if (warp->block->flight)
        flight_lanes(warp, operation, address, valid);
    if (checks->looks_for_races)
        race_lanes(checks->races, warp, operation, address, valid);
    poison_request_lanes(checks->poison, warp, operation, address, valid);
}

void checks_run(struct warp *warp, const struct operation *operation)
{
    while (operation) {
        if (__builtin_expect(warp->poisoned != 0, 0))
            poison_step(warp, operation);
        operation = operation->run(warp, operation);
    }
}

const struct operation *checks_step(struct warp *warp, const struct operation *operation)
{
    const struct launch *launch = warp->launch;
    if (launch->checks && warp->poisoned != WARP_STEPPED)
        poison_step(warp, operation);
    /* by itself, where operations are fused */
    operation_run *const *table = operation->is_affine ? launch->executor->affine : launch->executor->run;
    struct tracer *tracer = launch->checks ? launch->checks->tracer : NULL;
    if (!tracer)
        return table[operation->handler](warp, operation);
    tracer_before(tracer, warp, operation);
    const struct operation *next = table[operation->handler](warp, operation);
    tracer_after(tracer, operation, next);
    return next;
}

bool checks_sees_steps(const struct launch *launch, const struct block *block)
{
    return launch->checks && launch->checks->tracer && tracer_follows(launch->checks->tracer, block);
}

void checks_exchange(struct warp *warp, const struct operation *operation)
{
    bool may_ask_others = operation->handler == HANDLER_shuffle && warp->mask != ALL_LANES;
    if (!warp->launch->checks || (!warp->poisoned && !may_ask_others))
        return;
    struct poison_exchange exchange = {0};
    poison_give(warp, operation, &exchange);
    poison_get(warp, operation, &exchange);
}

void checks_exchange_give(struct warp *warp, const struct operation *operation, struct poison_exchange *exchange)
{
    if (warp->launch->checks)
        poison_give(warp, operation, exchange);
}

void checks_exchange_get(struct warp *warp, const struct operation *operation, const struct poison_exchange *exchange)
{
    if (warp->launch->checks)
        poison_get(warp, operation, exchange);
}

void checks_fence(struct warp *warp, const struct operation *operation)
{
    if (looks_for_races(warp->launch))
        race_fence(warp->launch->checks->races, warp, operation->extra);
}

void checks_warp_barrier(struct warp *warp, uint32_t lanes)
{
    if (looks_for_races(warp->launch))
        race_warp_barrier(warp->launch->checks->races, warp, lanes);
}

void checks_print(struct warp *warp, const struct operation *operation, unsigned lane, uint64_t offset, unsigned bytes)
{
    if (warp->launch->checks)
        poison_print(warp, operation, lane, offset, bytes);
}

void checks_barrier(struct launch *launch, struct block *block, uint32_t number)
{
    if (!launch->checks)
        return;
    if (launch->checks->tracer)
        tracer_barrier(launch->checks->tracer, block, number);
    if (launch->checks->looks_for_races)
        race_barrier(launch->checks->races, block, number);
    poison_barrier(launch->checks->poison, block);
    poison_reduce(block, launch, number);
}

void checks_arrive(struct warp *warp, uint32_t number)
{
    if (looks_for_races(warp->launch))
        race_arrive(warp->launch->checks->races, warp, number);
}

void checks_block_start(struct launch *launch, struct block *block)
{
    flight_block_start(block);
    if (!launch->checks)
        return;
    if (launch->checks->looks_for_races)
        race_block_start(launch->checks->races, block);
    if (!poison_block_start(launch->checks->poison, block))
        launch_abort(launch, LAUNCH_OUT_OF_MEMORY);
}

void checks_block_end(struct launch *launch, struct block *block)
{
    (void)launch;
    (void)block;
}

void checks_block_destroy(struct block *block)
{
    flight_block_destroy(block);
}

static void destroy(struct checks *checks)
{
    if (checks && checks->races)
        race_end(checks->races);
    if (checks && checks->poison)
        poison_end(checks->poison);
    if (checks)
        tracer_end(checks->tracer);
    free(checks);
}

static bool is_constant(const struct memory_allocation *allocation)
{
    return allocation->kind == MEMORY_CONST || allocation->kind == MEMORY_PARAM || allocation->read_only;
}

/* Loads from memory that is fully written, and that the launch cannot write to, can neither read poison nor race. */
static void find_quiet(struct launch *launch)
{
    const struct checks *checks = launch->checks;
    struct memory_allocation *allocation;
    launch->quiet = checks->races->tag;
    for (size_t cursor = 0; (allocation = memory_next_live(launch->request->memory, &cursor));)
        if ((!allocation->written || allocation->all_written)
            && (!checks->looks_for_races || is_constant(allocation) || allocation->never_written_in == launch->quiet))
            allocation->quiet_in = launch->quiet;
}

bool checks_launch_start(struct launch *launch)
{
    if (launch->settings->checks >= CHECKS_POISON) {
        struct checks *checks = calloc(1, sizeof *checks);
        if (checks)
            checks->races = race_start(launch);
        if (checks && checks->races)
            checks->poison = poison_start(launch, checks->races->site_count);
        if (!checks || !checks->poison) {
            destroy(checks);
            return false;
        }
        checks->looks_for_races = launch->settings->checks == CHECKS_ALL;
        checks->tracer = tracer_start(launch);
        launch->checks = checks;
        find_quiet(launch);
    }
    return observe_start(launch);
}

void checks_launch_end(struct launch *launch)
{
    destroy(launch->checks);
    launch->checks = NULL;
    observe_end(launch);
}
