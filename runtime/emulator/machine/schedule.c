#include "runtime/emulator/machine/schedule.h"

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/held.h"
#include "runtime/emulator/machine/turn.h"
#include "runtime/emulator/machine/warp_flow.h"

/* Every active lane becomes its own fragment. Returns what runs next. */
static const struct operation *part(struct warp *warp, const struct operation *at)
{
    uint32_t lanes = warp->mask;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        warp_set_aside(warp, at, rest & -rest);
    return warp_next(warp);
}

/* An atomic, starting with the highest lane. */
static const struct operation *run_reversed(struct warp *warp, const struct operation *operation)
{
    uint32_t lanes = warp->mask;
    for (uint32_t rest = lanes; rest; rest &= warp->mask - 1) {
        warp_set_mask(warp, 1u << (31 - (unsigned)__builtin_clz(rest)));
        warp_step(warp, operation);
    }
    warp_set_mask(warp, lanes);
    return operation + 1;
}

static const struct operation *run_step(struct warp *warp, const struct operation *operation, bool *gives_way)
{
    switch (warp->launch->schedule->step) {
    case SCHEDULE_STEP_TURNS: *gives_way |= access_is_request(operation); break;
    case SCHEDULE_STEP_STORES_HELD: return held_step(warp, operation, gives_way);
    case SCHEDULE_STEP_ATOMICS_REVERSED:
        if (operation->handler == HANDLER_atomic)
            return run_reversed(warp, operation);
        break;
    default: break;
    }
    return warp_step(warp, operation);
}

void schedule_run(struct warp *warp, const struct operation *operation)
{
    struct launch *launch = warp->launch;
    const struct schedule *schedule = launch->schedule;
    bool one_by_one = schedule->lanes == SCHEDULE_LANES_RISING || schedule->lanes == SCHEDULE_LANES_FALLING;
    bool between = true, gives_way = false;
    while (operation) {
        if (between && gives_way) {
            warp_give_way(warp, operation);
            if (schedule->step == SCHEDULE_STEP_STORES_HELD)
                warp->held_up = ++launch->held_up_count;
            return;
        }
        /* Lanes that a barrier of the warp has released pass it together. */
        if (one_by_one && between && !warp->passes && (warp->mask & (warp->mask - 1)))
            operation = part(warp, operation);
        if (launch->turn.warp)
            turn_note(warp, operation);
        const struct operation *next = run_step(warp, operation, &gives_way);
        between = !next || next->instruction != operation->instruction;
        operation = next;
    }
}

bool schedule_wake_latest(struct block *blocks, uint64_t count, const struct launch *launch)
{
    if (!launch->held_up_count)
        return false;
    struct warp *latest = NULL;
    for (struct block *block = blocks; block < blocks + count; block++)
        for (uint32_t i = 0; i < launch->warps_per_block && block->running; i++)
            if (block->warps[i].held_up > (latest ? latest->held_up : 0))
                latest = &block->warps[i];
    if (latest)
        latest->held_up = 0;
    return latest != NULL;
}
