/* What threads know about one another: what they released and acquired, and when. See README.md, Order. */
#include "runtime/emulator/observe/races/race_knowledge.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/work.h"

static const uint64_t WALK_LIMIT = 200000000;

bool race_grow(struct races *races, void **array, size_t count, size_t *capacity, size_t element_bytes)
{
    if (count + 1 < *capacity)
        return true;
    size_t grown_capacity = *capacity ? *capacity * 2 : 1024;
    void *grown = grown_capacity < UINT32_MAX ? realloc(*array, grown_capacity * element_bytes) : NULL;
    if (!grown) {
        races->gave_up = true;
        return false;
    }
    *array = grown;
    *capacity = grown_capacity;
    return true;
}

uint32_t race_advance(struct races *races)
{
    if (races->time == UINT32_MAX - 1)
        races->gave_up = true;
    else
        races->time++;
    return races->time;
}

struct race_warp *race_warp_of(struct warp *warp)
{
    return &warp->block->races->warps[warp->index];
}

/* ---- knowledge ---- */

void race_add_link(struct races *races, uint32_t *list, struct race_link link)
{
    if (!race_grow(races, (void **)&races->links, races->link_count, &races->link_capacity, sizeof *races->links))
        return;
    link.previous = *list;
    link.made = races->time;
    races->links[++races->link_count] = link;
    *list = (uint32_t)races->link_count;
}

bool race_acquire(struct races *races, const struct race_block *block, uint32_t *list, uint32_t node, unsigned scope,
                  bool weak)
{
    if (!node || (*list && races->links[*list].node == node && races->links[*list].weak <= weak))
        return false;
    race_add_link(
        races, list,
        (struct race_link){
            .node = node, .first_warp = block->first_warp, .time = races->time, .scope = (uint8_t)scope, .weak = weak});
    return true;
}

static uint32_t keep_row(struct races *races, const struct race_warp *own, unsigned lane)
{
    if (!own->knows || !race_grow(races, (void **)&races->rows, races->row_count, &races->row_capacity, sizeof *races->rows))
        return 0;
    memcpy(races->rows[++races->row_count], own->known[lane], sizeof *races->rows);
    return (uint32_t)races->row_count;
}

struct race_fence race_snapshot(struct races *races, const struct race_block *block, const struct race_warp *own,
                                unsigned lane, uint32_t time)
{
    return (struct race_fence){.time = time,
                               .barrier_time = block->barrier_time,
                               .sync_time = own->sync_time,
                               .acquired = own->acquired[lane],
                               .block_acquired = block->acquired,
                               .row = keep_row(races, own, lane)};
}

/* A thread that polls with an atomic would release the same again each time. */
enum { LOOK_BACK = 40 };

static bool same_node(const struct race_node *a, const struct race_node *b)
{
    return a->own_time == b->own_time && a->lane == b->lane && a->warp == b->warp && a->sync_time == b->sync_time
           && a->barrier_time == b->barrier_time && a->acquired == b->acquired && a->block_acquired == b->block_acquired
           && a->row == b->row && a->first_warp == b->first_warp && a->scope == b->scope;
}

uint32_t race_add_node(struct races *races, const struct race_block *block, const struct race_warp *own, unsigned lane,
                       const struct race_fence *fence, unsigned scope, uint32_t previous)
{
    struct race_node node = {.first_warp = block->first_warp,
                             .barrier_time = fence->barrier_time,
                             .warp = own->id,
                             .sync_time = fence->sync_time,
                             .lane = lane,
                             .own_time = fence->time,
                             .acquired = fence->acquired,
                             .block_acquired = fence->block_acquired,
                             .row = fence->row,
                             .previous = previous,
                             .made = races->time,
                             .scope = (uint8_t)scope};
    uint32_t at = previous;
    for (unsigned looked = 0; at && looked < LOOK_BACK; looked++, at = races->nodes[at].previous)
        if (same_node(&races->nodes[at], &node))
            return previous;
    if (!race_grow(races, (void **)&races->nodes, races->node_count, &races->node_capacity, sizeof *races->nodes))
        return previous;
    races->nodes[++races->node_count] = node;
    return (uint32_t)races->node_count;
}

static bool node_covers(const struct races *races, const struct race_node *node, uint32_t warp, unsigned lane, uint32_t time)
{
    if (warp - node->first_warp >= races->warps_per_block)
        return false;
    if (time < node->barrier_time)
        return true;
    if (warp != node->warp)
        return false;
    return time < node->sync_time || (lane == node->lane && time < node->own_time)
           || (node->row && time < races->rows[node->row][lane]);
}

static bool push_list(struct races *races, size_t *depth, uint32_t list)
{
    if (!list || !race_grow(races, (void **)&races->stack, *depth, &races->stack_capacity, sizeof *races->stack))
        return false;
    races->stack[(*depth)++] = list;
    return true;
}

/* Looks through everything that can be reached from two lists of links, and is not older than the access that is looked for:
 * what comes behind a link or a node, in its list or by it, was made before it. */
static bool find_knowledge(struct races *races, uint32_t list, uint32_t block_list, uint32_t warp, unsigned lane,
                           uint32_t time)
{
    size_t depth = 0;
    bool found = false;
    uint64_t before = races->walked;
    races->query++;
    push_list(races, &depth, list);
    push_list(races, &depth, block_list);
    while (depth && !found) {
        for (uint32_t at = races->stack[--depth];
             at && !found && races->links[at].visited != races->query && races->links[at].made > time;) {
            struct race_link *link = &races->links[at];
            link->visited = races->query;
            races->walked++;
            push_list(races, &depth, link->list);
            for (uint32_t n = link->node;
                 n && !found && races->nodes[n].visited != races->query && races->nodes[n].made > time;
                 n = races->nodes[n].previous) {
                struct race_node *node = &races->nodes[n];
                races->walked++;
                if (node->first_warp != link->first_warp && (node->scope == 0 || link->scope == 0))
                    continue; /* another reader may still include it: not marked */
                node->visited = races->query;
                found = node_covers(races, node, warp, lane, time);
                push_list(races, &depth, node->acquired);
                push_list(races, &depth, node->block_acquired);
            }
            at = races->links[at].previous;
        }
    }
    work_add(races->walked - before);
    return found || races->walked > WALK_LIMIT;
}

bool race_list_knows(struct races *races, uint32_t list, uint32_t warp, unsigned lane, uint32_t time)
{
    return races->walked > WALK_LIMIT || find_knowledge(races, list, 0, warp, lane, time);
}

/* By what the thread itself does, or a barrier of its block or warp. */
static bool is_ordered_here(const struct race_access *access, unsigned lane, uint32_t warp, unsigned other_lane,
                            uint32_t time)
{
    const struct race_block *block = access->block;
    const struct race_warp *own = access->own;
    uint32_t index = warp - block->first_warp;
    if (index >= access->races->warps_per_block)
        return false;
    const struct race_warp *other = &block->warps[index];
    bool gone = other->gone >> other_lane & 1;
    if (other == own && lane == other_lane)
        return true;
    if (time < (gone ? other->gone_barrier[other_lane] : block->barrier_time))
        return true;
    if (other == own && time < (gone ? own->gone_sync[other_lane] : own->sync_time))
        return true;
    return other == own && own->knows && time < own->known[lane][other_lane];
}

bool race_ordered(const struct race_access *access, unsigned lane, uint32_t warp, unsigned other_lane, uint32_t time)
{
    struct races *races = access->races;
    uint32_t acquired = access->own->acquired[lane], block_acquired = access->block->acquired;
    if (is_ordered_here(access, lane, warp, other_lane, time))
        return true;
    if (!races->node_count || (!acquired && !block_acquired))
        return false;
    return races->walked > WALK_LIMIT || find_knowledge(races, acquired, block_acquired, warp, other_lane, time);
}

/* Only what the lane read by a relaxed read, without a fence since, orders nothing here. Later links come first: the list
 * after the last one that a fence follows can remain unchanged. */
bool race_ordered_strictly(const struct race_access *access, unsigned lane, uint32_t warp, unsigned other_lane,
                           uint32_t time)
{
    struct races *races = access->races;
    const struct race_warp *own = access->own;
    uint32_t any = own->fences ? own->fences[0][lane].time : 0, wide = own->fences ? own->fences[1][lane].time : 0;
    size_t kept = races->link_count;
    uint32_t list = 0, at = own->acquired[lane];
    if (is_ordered_here(access, lane, warp, other_lane, time) || races->walked > WALK_LIMIT)
        return true;
    for (; at && races->links[at].time >= wide; at = races->links[at].previous) {
        struct race_link link = races->links[at];
        bool near = link.node && races->nodes[link.node].first_warp == access->block->first_warp;
        if (!link.weak || (near && link.time < any))
            race_add_link(races, &list, link);
    }
    bool ordered = find_knowledge(races, list, access->block->acquired, warp, other_lane, time)
                   || find_knowledge(races, at, 0, warp, other_lane, time);
    races->link_count = kept;
    return ordered;
}
