/* The observer of a launch: counts requests, and passes every access to the checkers. */
#include "runtime/emulator/checks/checks.h"

#include <stdlib.h>

#include "runtime/emulator/checks/race.h"
#include "runtime/emulator/counters/observe.h"

/* The checkers of one launch. */
struct checks {
    struct races *races;
};

void checks_request(struct warp *warp, const struct operation *operation, uint64_t start)
{
    observe_request(warp, operation, start);
    if (warp->launch->checks)
        race_request(warp->launch->checks->races, warp, operation, start);
}

static bool is_local(const struct operation *operation, uint64_t address)
{
    enum site_space space = operation->site->space;
    return space == SITE_LOCAL || (space == SITE_GENERIC && (address & WINDOW_MASK) == LOCAL_WINDOW);
}

void checks_lanes(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t valid)
{
    if (!is_local(operation, address[__builtin_ctz(valid)]))
        observe_lanes(warp, operation, address, valid);
    if (warp->launch->checks)
        race_lanes(warp->launch->checks->races, warp, operation, address, valid);
}

void checks_run(struct warp *warp, const struct operation *operation)
{
    while (operation)
        operation = operation->run(warp, operation);
}

void checks_exchange(struct warp *warp, const struct operation *operation)
{
    (void)warp;
    (void)operation;
}

void checks_fence(struct warp *warp, const struct operation *operation)
{
    if (warp->launch->checks)
        race_fence(warp->launch->checks->races, warp, operation->extra);
}

void checks_warp_barrier(struct warp *warp, uint32_t lanes)
{
    if (warp->launch->checks)
        race_warp_barrier(warp->launch->checks->races, warp, lanes);
}

void checks_barrier(struct launch *launch, struct block *block, uint32_t number)
{
    if (launch->checks)
        race_barrier(launch->checks->races, block, number);
}

void checks_arrive(struct warp *warp, uint32_t number)
{
    if (warp->launch->checks)
        race_arrive(warp->launch->checks->races, warp, number);
}

void checks_block_start(struct launch *launch, struct block *block)
{
    if (launch->checks)
        race_block_start(launch->checks->races, block);
}

void checks_block_end(struct launch *launch, struct block *block)
{
    (void)launch;
    (void)block;
}

bool checks_launch_start(struct launch *launch)
{
    if (launch->settings->checks == CHECKS_ALL) {
        struct checks *checks = calloc(1, sizeof *checks);
        if (checks)
            checks->races = race_start(launch);
        if (!checks || !checks->races) {
            free(checks);
            return false;
        }
        launch->checks = checks;
    }
    return observe_start(launch);
}

void checks_launch_end(struct launch *launch)
{
    if (launch->checks) {
        race_end(launch->checks->races);
        free(launch->checks);
        launch->checks = NULL;
    }
    observe_end(launch);
}
