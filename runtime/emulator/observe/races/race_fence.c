/* Happens-before: fences, and what a strong write after them releases. See README.md, Order. */
#include "runtime/emulator/observe/races/race_epoch.h"
#include "runtime/emulator/observe/races/race_knowledge.h"
#include "runtime/emulator/observe/races/race_need.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t LIST_STALE = UINT32_MAX; /* made when needed */

void race_fence(struct races *races, struct warp *warp, unsigned scope)
{
    if (races->gave_up)
        return; /* then a block may have no shadow */
    struct race_warp *own = race_warp_of(warp);
    struct race_block *block = warp->block->races;
    if (!own->fences && !(own->fences = calloc(FENCE_SETS, sizeof *own->fences))) {
        races->gave_up = true;
        return;
    }
    race_epoch_make_exact(races, block);
    need_doubt(races);
    uint32_t time = race_advance(races);
    own->fenced = block->fenced = true;
    if (scope > 0)
        own->relaxed &= ~warp->mask;
    for (uint32_t rest = warp->mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        own->fences[0][lane] = race_snapshot(races, block, own, lane, time);
        if (scope > 0)
            own->fences[1][lane] = own->fences[0][lane];
        if (own->locks)
            own->locks[lane].dirty = false;
    }
}

/* Lanes that meet know of each other's fences: what was done before these is released by a strong write of any of
 * them. */
void race_share_fences(struct race_warp *own)
{
    if (!own->fenced)
        return;
    memcpy(own->fences[FENCES_SYNCED], own->fences[FENCES_OWN], 2 * sizeof *own->fences);
    own->any_synced = true;
    own->synced[0] = own->synced[1] = LIST_STALE;
    own->fenced = false;
}

void race_share_block_fences(const struct races *races, struct race_block *block)
{
    if (!block->fenced)
        return;
    for (uint32_t i = 0; i < races->warps_per_block; i++) {
        struct race_warp *own = &block->warps[i];
        if (own->fences)
            memcpy(own->fences[FENCES_MET], own->fences[FENCES_OWN], 2 * sizeof *own->fences);
    }
    block->any_met = true;
    block->met[0] = block->met[1] = LIST_STALE;
    block->fenced = false;
}

/* One node for what the lanes of a warp knew at their fences of a set; 0: at none. wide: 1: fences of gpu scope; 0: only the
 * lanes whose latest fence does not have that scope. */
static uint32_t join_fences(struct races *races, const struct race_block *block, const struct race_warp *own, unsigned set,
                            unsigned wide)
{
    struct race_fence joined = {0};
    uint32_t row[WARP_LANES] = {0};
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const struct race_fence *fence = &own->fences[set + wide][lane];
        if (!fence->time || (!wide && fence->time == own->fences[set + 1][lane].time))
            continue;
        for (unsigned other = 0; fence->row && other < WARP_LANES; other++)
            if (races->rows[fence->row][other] > row[other])
                row[other] = races->rows[fence->row][other];
        row[lane] = fence->time > row[lane] ? fence->time : row[lane];
        joined.barrier_time = fence->barrier_time > joined.barrier_time ? fence->barrier_time : joined.barrier_time;
        joined.sync_time = fence->sync_time > joined.sync_time ? fence->sync_time : joined.sync_time;
        if (fence->acquired && (!joined.acquired || races->links[joined.acquired].list != fence->acquired))
            race_add_link(races, &joined.acquired, (struct race_link){.list = fence->acquired});
        joined.block_acquired = fence->block_acquired > joined.block_acquired ? fence->block_acquired
                                                                              : joined.block_acquired;
        joined.time = 1;
    }
    if (!joined.time || !race_grow(races, (void **)&races->rows, races->row_count, &races->row_capacity, sizeof row))
        return 0;
    memcpy(races->rows[++races->row_count], row, sizeof row);
    joined.row = (uint32_t)races->row_count;
    return race_add_node(races, block, own, 0, &joined, 2, 0);
}

static void list_fences(struct races *races, const struct race_block *block, const struct race_warp *own, unsigned set,
                        unsigned wide, uint32_t *list)
{
    uint32_t node = own->fences ? join_fences(races, block, own, set, wide) : 0;
    if (node)
        race_add_link(races, list, (struct race_link){.node = node, .first_warp = block->first_warp});
}

uint32_t race_release_fences(struct races *races, struct race_block *block, struct race_warp *own, unsigned lane,
                             unsigned wide, unsigned scope, uint32_t head)
{
    struct race_fence none = {0}, others = {0};
    const struct race_fence *mine = own->fences ? &own->fences[wide][lane] : &none;
    if (mine->time && (wide || mine->time != own->fences[1][lane].time))
        head = race_add_node(races, block, own, lane, mine, scope, head);
    if (block->any_met && mine->barrier_time < block->barrier_time) {
        if (block->met[wide] == LIST_STALE) {
            block->met[wide] = 0;
            for (uint32_t i = 0; i < races->warps_per_block; i++)
                list_fences(races, block, &block->warps[i], FENCES_MET, wide, &block->met[wide]);
        }
        others.block_acquired = block->met[wide];
    }
    if (own->any_synced && mine->sync_time < own->sync_time) {
        if (own->synced[wide] == LIST_STALE) {
            own->synced[wide] = 0;
            list_fences(races, block, own, FENCES_SYNCED, wide, &own->synced[wide]);
        }
        others.acquired = own->synced[wide];
    }
    if (others.acquired || others.block_acquired)
        head = race_add_node(races, block, own, 0, &others, scope, head);
    return head;
}
