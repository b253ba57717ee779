#include "runtime/emulator/machine/cluster.h"

#include "runtime/emulator/machine/place.h"

struct block *cluster_find(const struct launch *launch, const struct block *block, uint32_t rank)
{
    for (uint64_t slot = 0; slot < launch->slots; slot++) {
        struct block *other = &launch->resident[slot];
        if (other->running && other->cluster == block->cluster && other->cluster_rank == rank)
            return other;
    }
    return NULL;
}

uint32_t cluster_map(const struct warp *warp, uint32_t address, uint32_t rank)
{
    if (warp->launch->cluster_blocks <= 1 && rank == 0)
        return address;
    uint32_t local = (uint32_t)cluster_local_address(address), own = warp->block->cluster_rank;
    uint32_t beyond = rank < CLUSTER_MOST_BLOCKS ? rank : CLUSTER_MOST_BLOCKS;
    return rank == own ? local : local | (beyond + 1) << CLUSTER_RANK_SHIFT;
}

uint32_t cluster_rank_of(const struct warp *warp, uint32_t address)
{
    return cluster_is_remote(warp->launch, address) ? (address >> CLUSTER_RANK_SHIFT) - 1 : warp->block->cluster_rank;
}

void cluster_place(const struct launch *launch, uint64_t position, uint32_t index[3], uint64_t *cluster, uint32_t *rank)
{
    const uint32_t *size = launch->cluster, *grid = launch->request->grid;
    uint64_t number = position / launch->cluster_blocks, across[2] = {grid[0] / size[0], grid[1] / size[1]};
    uint32_t within = (uint32_t)(position % launch->cluster_blocks);
    *cluster = number;
    *rank = within;
    index[0] = (uint32_t)(number % across[0]) * size[0] + within % size[0];
    index[1] = (uint32_t)(number / across[0] % across[1]) * size[1] + within / size[0] % size[1];
    index[2] = (uint32_t)(number / across[0] / across[1]) * size[2] + within / size[0] / size[1];
}

/* ---- the barrier ---- */

/* Threads of the block that have yet to arrive. */
static uint32_t missing(const struct launch *launch, const struct block *block)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < launch->warps_per_block; i++)
        count += (uint32_t)__builtin_popcount(block->warps[i].live & ~block->warps[i].cluster_arrived);
    return count;
}

/* All threads that have not left have arrived: the next phase begins. */
void cluster_complete(struct launch *launch, const struct block *block)
{
    FOR_CLUSTER(launch, block, other)
    if (missing(launch, other))
        return;
    FOR_CLUSTER(launch, block, other)
    {
        for (uint32_t i = 0; i < launch->warps_per_block; i++)
            other->warps[i].cluster_arrived = 0;
        other->cluster_complete = other->cluster_released;
        other->cluster_released = 0;
    }
}

/* A fragment of the block that waits at the barrier of its cluster; NULL: none. */
static const struct fragment *waits_there(struct block *block, const struct launch *launch, struct warp **owner)
{
    for (uint32_t i = 0; block->running && i < launch->warps_per_block; i++)
        for (uint32_t rest = block->warps[i].ready; rest; rest &= rest - 1) {
            const struct fragment *fragment = &block->warps[i].fragments[__builtin_ctz(rest)];
            *owner = &block->warps[i];
            if (fragment->at->handler == HANDLER_cluster_wait)
                return fragment;
        }
    return NULL;
}

bool cluster_report_stuck(struct launch *launch)
{
    for (uint64_t slot = 0; slot < launch->slots; slot++) {
        struct warp *warp;
        struct block *block = &launch->resident[slot];
        const struct fragment *fragment = waits_there(block, launch, &warp);
        if (!fragment)
            continue;
        FOR_CLUSTER(launch, block, other)
        {
            uint32_t count = missing(launch, other);
            if (!count)
                continue;
            struct finding finding;
            launch_finding(warp, fragment->at, (unsigned)__builtin_ctz(fragment->mask), FINDING_deadlock, &finding);
            finding_text(
                &finding,
                "threads wait at %s for the barrier of their cluster, at which %u thread%s of block (%u,%u,%u) never "
                "arrive%s",
                finding.where, count, count == 1 ? "" : "s", other->index[0], other->index[1], other->index[2],
                count == 1 ? "s" : "");
            finding_collect(launch->findings, &finding);
            return true;
        }
    }
    return false;
}
