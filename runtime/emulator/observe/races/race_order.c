/* Happens-before: barriers. See README.md, Order. */
#include "runtime/emulator/observe/races/race_epoch.h"
#include "runtime/emulator/observe/races/race_knowledge.h"
#include "runtime/emulator/observe/races/race_need.h"

#include <stdlib.h>
#include <string.h>

/* Lanes that have left took part in earlier barriers, not in this one. */
static void note_gone(const struct warp *warp, struct race_block *block, struct race_warp *own)
{
    block->any_gone |= (~warp->live & ~own->gone) != 0;
    for (uint32_t rest = ~warp->live & ~own->gone; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        own->gone_barrier[lane] = block->barrier_time;
        own->gone_sync[lane] = own->sync_time;
    }
    own->gone = ~warp->live;
}

/* All lanes of `lanes` now know what each of them knew about other blocks and warps. */
static void share_acquired(struct races *races, struct race_warp *own, uint32_t lanes)
{
    uint32_t list = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t other = own->acquired[__builtin_ctz(rest)];
        if (other && other != list)
            race_add_link(races, &list, (struct race_link){.list = other});
    }
    for (uint32_t rest = list ? lanes : 0; rest; rest &= rest - 1)
        own->acquired[__builtin_ctz(rest)] = list;
    own->relaxed &= ~lanes;
}

static void sync_some(struct races *races, struct race_warp *own, uint32_t lanes, uint32_t time)
{
    uint32_t joined[WARP_LANES] = {0};
    if (!own->known && !(own->known = malloc(WARP_LANES * sizeof *own->known))) {
        races->gave_up = true;
        return;
    }
    if (!own->knows)
        memset(own->known, 0, WARP_LANES * sizeof *own->known);
    own->knows = true;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t *row = own->known[__builtin_ctz(rest)];
        for (unsigned other = 0; other < WARP_LANES; other++)
            joined[other] = row[other] > joined[other] ? row[other] : joined[other];
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        joined[__builtin_ctz(rest)] = time;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        memcpy(own->known[__builtin_ctz(rest)], joined, sizeof joined);
}

void race_warp_barrier(struct races *races, struct warp *warp, uint32_t lanes)
{
    if (races->gave_up)
        return; /* then a block may have no shadow */
    struct race_warp *own = race_warp_of(warp);
    if (lanes != warp->live || (~warp->live & ~own->gone))
        race_epoch_make_exact(races, warp->block->races);
    uint32_t time = race_advance(races);
    if (races->node_count)
        share_acquired(races, own, lanes);
    if (lanes != warp->live) {
        sync_some(races, own, lanes, time);
        return;
    }
    note_gone(warp, warp->block->races, own);
    race_share_fences(own);
    own->sync_time = time;
    race_epoch_sync(races, warp->block->races);
}

/* Lanes of the warp that wait at the barrier; parked warps are those of a whole block. */
static uint32_t waiting_lanes(const struct warp *warp, uint32_t number)
{
    uint32_t lanes = warp->parked ? warp->live : 0;
    for (uint32_t rest = warp->at_barrier; rest; rest &= rest - 1) {
        const struct fragment *fragment = &warp->fragments[__builtin_ctz(rest)];
        lanes |= fragment->barrier == number ? fragment->mask : 0;
    }
    return lanes;
}

static inline uint32_t count_lanes(uint32_t lanes)
{
    return lanes == ALL_LANES ? WARP_LANES : (uint32_t)__builtin_popcount(lanes);
}

static uint32_t release_lanes(struct races *races, struct race_block *block, struct race_warp *own, uint32_t lanes,
                              uint32_t chain)
{
    own->released |= lanes != 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct race_fence now = race_snapshot(races, block, own, lane, races->time);
        chain = race_add_node(races, block, own, lane, &now, 0, chain);
    }
    return chain;
}

void race_arrive(struct races *races, struct warp *warp, uint32_t number)
{
    if (races->gave_up)
        return; /* then a block may have no shadow */
    struct race_block *block = warp->block->races;
    race_epoch_make_exact(races, block);
    need_doubt(races);
    race_advance(races);
    block->arrived[number] = release_lanes(races, block, race_warp_of(warp), warp->mask, block->arrived[number]);
}

/* Some of the block's threads: those that wait acquire what all of them, and those that arrived, released. */
static void barrier_of_some(struct races *races, struct block *slot, uint32_t number)
{
    struct race_block *block = slot->races;
    uint32_t chain = block->arrived[number];
    for (uint32_t i = 0; i < races->warps_per_block; i++)
        chain = release_lanes(races, block, &block->warps[i], waiting_lanes(&slot->warps[i], number), chain);
    for (uint32_t i = 0; i < races->warps_per_block; i++)
        for (uint32_t rest = waiting_lanes(&slot->warps[i], number); rest; rest &= rest - 1)
            race_acquire(races, block, &block->warps[i].acquired[__builtin_ctz(rest)], chain, 0, false);
}

void race_barrier(struct races *races, struct block *slot, uint32_t number)
{
    if (races->gave_up)
        return; /* then a block may have no shadow */
    struct race_block *block = slot->races;
    uint32_t waiting = 0;
    bool left = false;
    for (uint32_t i = 0; i < races->warps_per_block; i++) {
        waiting += count_lanes(waiting_lanes(&slot->warps[i], number));
        left |= block->warps[i].gone != ~slot->warps[i].live;
    }
    if (left || waiting != slot->live_threads)
        race_epoch_make_exact(races, block);
    if (races->need)
        need_barrier(races, slot, number, waiting == races->launch->threads_per_block);
    uint32_t time = race_advance(races);
    if (waiting != slot->live_threads) {
        barrier_of_some(races, slot, number);
        block->arrived[number] = 0;
        return;
    }
    for (uint32_t i = 0; i < races->warps_per_block; i++) {
        struct race_warp *own = &block->warps[i];
        own->relaxed = 0;
        if (own->gone != ~slot->warps[i].live)
            note_gone(&slot->warps[i], block, own);
        for (unsigned lane = 0; lane < WARP_LANES && races->node_count; lane++) {
            if (own->acquired[lane] && slot->warps[i].live >> lane & 1) {
                race_add_link(races, &block->acquired, (struct race_link){.list = own->acquired[lane]});
                own->acquired[lane] = 0;
            }
        }
    }
    race_acquire(races, block, &block->acquired, block->arrived[number], 0, false);
    block->arrived[number] = 0;
    race_share_block_fences(races, block);
    block->barrier_time = time;
    race_epoch_begin(races, block);
}
