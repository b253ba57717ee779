#include "runtime/emulator/machine/cluster_barrier.h"

#include "runtime/emulator/machine/cluster.h"
#include "runtime/emulator/machine/hooks.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/warp_flow.h"

static void report_order(struct warp *warp, const struct operation *operation, uint32_t lanes, const char *what)
{
    struct finding finding;
    launch_finding(warp, operation, (unsigned)__builtin_ctz(lanes), FINDING_barrier_mismatch, &finding);
    finding_text(&finding, "%s the barrier of the cluster: a thread arrives once and then waits, in turn", what);
    finding_collect(warp->launch->findings, &finding);
    launch_raise(warp->launch, LAUNCH_FAILED);
}

const struct operation *cluster_arrive(struct warp *warp, const struct operation *operation)
{
    struct launch *launch = warp->launch;
    uint32_t twice = warp->mask & warp->cluster_owes;
    if (twice)
        report_order(warp, operation, twice, "arrives again, without a wait in between, at");
    warp->cluster_arrived |= warp->mask;
    warp->cluster_owes |= warp->mask;
    FOR_CLUSTER(launch, warp->block, other)
    if (launch->watched)
        launch->hooks->mbarrier_release(warp, warp->mask, &other->cluster_released);
    cluster_complete(launch, warp->block);
    return operation + 1;
}

const struct operation *cluster_wait(struct warp *warp, const struct operation *operation)
{
    struct launch *launch = warp->launch;
    uint32_t early = warp->mask & ~warp->cluster_owes;
    if (early)
        report_order(warp, operation, early, "waits, without having arrived, at");
    cluster_complete(launch, warp->block); /* threads may have left */
    if (warp->mask & warp->cluster_arrived) {
        warp->polls += POLL_LIMIT;
        const struct operation *next = warp_yield(warp, operation);
        return next;
    }
    warp->cluster_owes &= ~warp->mask;
    if (launch->watched)
        launch->hooks->mbarrier_acquire(warp, warp->mask, warp->block->cluster_complete);
    return operation + 1;
}
