#include "runtime/emulator/machine/warp.h"

#include "runtime/emulator/machine/executor.h"
#include "runtime/emulator/machine/hooks.h"
#include "runtime/emulator/machine/roles.h"

void warp_set_mask(struct warp *warp, uint32_t mask)
{
    warp->mask = mask;
    if (mask == warp->lane_mask_of)
        return;
    warp->lane_mask_of = mask;
    spread_lanes(warp->lane_mask, mask);
}

uint64_t warp_value(const struct warp *warp, uint32_t offset, bool wide, unsigned lane)
{
    if (warp->r == warp->r_base) { /* the kernel's own frame */
        const struct affine *x = wide ? warp_affine_q(warp, offset) : warp_affine_r(warp, offset);
        uint64_t value = x->base + (x->shape ? (uint64_t)x->shape->delta[lane] : 0);
        if (x->shape)
            return wide ? value : (uint32_t)value;
    }
    return wide ? ((const uint64_t *)((const char *)warp->q + offset))[lane]
                : ((const uint32_t *)((const char *)warp->r + offset))[lane];
}

const struct operation *warp_stop(struct warp *warp, const struct operation *operation)
{
    (void)warp;
    (void)operation;
    return NULL;
}

const struct operation *warp_run_alone(struct warp *warp, const struct operation *operation)
{
    const struct executor *executor = warp->launch->executor;
    operation_run *run = (operation->is_affine ? executor->affine : executor->run)[operation->handler];
    if (!operation_is(operation, ROLE_LANES))
        return run(warp, operation);
    const struct operation alone[2] = {*operation, {.run = warp_stop}};
    run(warp, alone);
    return operation + 1;
}

const struct operation *warp_step(struct warp *warp, const struct operation *operation)
{
    const struct launch *launch = warp->launch;
    if (launch->watched)
        launch->hooks->step(warp, operation);
    const struct operation *next = warp_run_alone(warp, operation);
    if (launch->watched)
        launch->hooks->stepped(warp, operation, next);
    return next;
}
