#include "runtime/emulator/machine/turn.h"

#include <stdlib.h>

/* The lanes of a warp that could continue; those that wait at a barrier of the block, all together, where that is asked for. */
static uint32_t lanes_of(const struct warp *warp, bool wait)
{
    if (wait)
        return warp->parked ? warp->live : 0;
    return warp->resume ? warp->mask : warp->ready ? warp->fragments[__builtin_ctz(warp->ready)].mask : 0;
}

/* The first such lane; NULL: there is none. */
static struct warp *find_lane(const struct launch *launch, bool wait, unsigned *lane)
{
    for (uint64_t slot = 0; slot < launch->slots; slot++)
        for (uint32_t i = 0; launch->resident[slot].running && i < launch->warps_per_block; i++) {
            struct warp *warp = &launch->resident[slot].warps[i];
            uint32_t lanes = lanes_of(warp, wait);
            if (lanes) {
                *lane = (unsigned)__builtin_ctz(lanes);
                return warp;
            }
        }
    return NULL;
}

void turn_begin(struct launch *launch, struct warp *warp)
{
    struct turn *turn = &launch->turn;
    if (turn->warp && turn->warp->live >> turn->lane & 1)
        return;
    turn_end(launch);
    uint32_t lanes = warp ? lanes_of(warp, false) : 0;
    if (lanes)
        turn->lane = (unsigned)__builtin_ctz(lanes);
    else if (!warp && !(warp = find_lane(launch, false, &turn->lane)))
        warp = find_lane(launch, true, &turn->lane);
    uint64_t *seen = warp && lanes_of(warp, false) | lanes_of(warp, true)
                         ? calloc(launch->code->operation_count, sizeof *seen)
                         : NULL;
    if (!seen)
        return;
    turn->warp = warp;
    turn->seen = seen;
    turn->alone = !(warp->watches & WARP_STEPPED);
    if (turn->alone) /* operations return to schedule_run one by one */
        warp->watches += WARP_STEPPED;
}

const struct operation *turn_latest(const struct launch *launch)
{
    const struct turn *turn = &launch->turn;
    return turn->warp && turn->warp->live >> turn->lane & 1 ? turn->latest : NULL;
}

void turn_end(struct launch *launch)
{
    if (launch->turn.warp && launch->turn.alone && launch->turn.warp->watches & WARP_STEPPED)
        launch->turn.warp->watches -= WARP_STEPPED;
    free(launch->turn.seen);
    launch->turn = (struct turn){0};
}
