/* The observer of a launch: counts requests, and passes every access to the checkers. */
#include "runtime/emulator/checks/checks.h"

#include <string.h>

#include "runtime/emulator/counters/observe.h"
#include "runtime/emulator/execution/warp.h"

void checks_request(struct warp *warp, const struct operation *operation, uint64_t start)
{
    observe_request(warp, operation, start);
}

void checks_lanes(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t valid)
{
    uint64_t first = address[__builtin_ctz(valid)];
    enum site_space space = operation->site->space;
    if (space != SITE_LOCAL && !(space == SITE_GENERIC && (first & WINDOW_MASK) == LOCAL_WINDOW))
        observe_lanes(warp, operation, address, valid);
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
    (void)warp;
    (void)operation;
}

void checks_warp_barrier(struct warp *warp, uint32_t lanes)
{
    (void)warp;
    (void)lanes;
}

void checks_barrier(struct launch *launch, struct block *block, uint32_t number)
{
    (void)launch;
    (void)block;
    (void)number;
}

void checks_arrive(struct warp *warp, uint32_t number)
{
    (void)warp;
    (void)number;
}

void checks_block_start(struct launch *launch, struct block *block)
{
    (void)launch;
    (void)block;
}

void checks_block_end(struct launch *launch, struct block *block)
{
    (void)launch;
    (void)block;
}

bool checks_launch_start(struct launch *launch)
{
    return observe_start(launch);
}

void checks_launch_end(struct launch *launch)
{
    observe_end(launch);
}
