/* Happens-before: barriers, fences, releases and acquires. See README.md, Order. */
#include "runtime/emulator/checks/race.h"

#include <stdlib.h>
#include <string.h>

/* Walking what threads acquired from one another: beyond this many steps in a launch, threads count as ordered. */
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

static uint32_t advance(struct races *races)
{
    if (races->time == UINT32_MAX - 1)
        races->gave_up = true;
    else
        races->time++;
    return races->time;
}

static struct race_warp *own_of(struct warp *warp)
{
    return &warp->block->races->warps[warp->index];
}

/* ---- knowledge ---- */

static void add_link(struct races *races, uint32_t *list, struct race_link link)
{
    if (!race_grow(races, (void **)&races->links, races->link_count, &races->link_capacity, sizeof *races->links))
        return;
    link.previous = *list;
    races->links[++races->link_count] = link;
    *list = (uint32_t)races->link_count;
}

static void acquire(struct races *races, const struct race_block *block, uint32_t *list, uint32_t node, unsigned scope)
{
    if (!node || (*list && races->links[*list].node == node))
        return;
    add_link(races, list, (struct race_link){.node = node, .first_warp = block->first_warp, .scope = (uint8_t)scope});
}

static uint32_t keep_row(struct races *races, const struct race_warp *own, unsigned lane)
{
    if (!own->knows || !race_grow(races, (void **)&races->rows, races->row_count, &races->row_capacity, sizeof *races->rows))
        return 0;
    memcpy(races->rows[++races->row_count], own->known[lane], sizeof *races->rows);
    return (uint32_t)races->row_count;
}

static struct race_fence snapshot(struct races *races, const struct race_block *block, const struct race_warp *own,
                                  unsigned lane,
                                  uint32_t time)
{
    return (struct race_fence){.time = time, .barrier_time = block->barrier_time, .sync_time = own->sync_time,
                               .acquired = own->acquired[lane], .block_acquired = block->acquired,
                               .row = keep_row(races, own, lane)};
}

/* Appends a release to a chain. Returns the new head. */
static uint32_t add_node(struct races *races, const struct race_block *block, const struct race_warp *own, unsigned lane,
                         const struct race_fence *fence, unsigned scope, uint32_t previous)
{
    if (!race_grow(races, (void **)&races->nodes, races->node_count, &races->node_capacity, sizeof *races->nodes))
        return previous;
    races->nodes[++races->node_count] = (struct race_node){
        .first_warp = block->first_warp, .barrier_time = fence->barrier_time, .warp = own->id, .sync_time = fence->sync_time,
        .lane = lane, .own_time = fence->time, .acquired = fence->acquired, .block_acquired = fence->block_acquired,
        .row = fence->row, .previous = previous, .scope = (uint8_t)scope};
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

/* Looks through everything that can be reached from two lists of links. */
static bool find_knowledge(struct races *races, uint32_t list, uint32_t block_list, uint32_t warp, unsigned lane,
                           uint32_t time)
{
    size_t depth = 0;
    races->query++;
    push_list(races, &depth, list);
    push_list(races, &depth, block_list);
    while (depth) {
        for (uint32_t at = races->stack[--depth]; at && races->links[at].visited != races->query;) {
            struct race_link *link = &races->links[at];
            link->visited = races->query;
            races->walked++;
            push_list(races, &depth, link->list);
            for (uint32_t n = link->node; n && races->nodes[n].visited != races->query; n = races->nodes[n].previous) {
                struct race_node *node = &races->nodes[n];
                races->walked++;
                if (node->first_warp != link->first_warp && (node->scope == 0 || link->scope == 0))
                    continue;   /* another reader may still include it: not marked */
                node->visited = races->query;
                if (node_covers(races, node, warp, lane, time))
                    return true;
                push_list(races, &depth, node->acquired);
                push_list(races, &depth, node->block_acquired);
            }
            at = races->links[at].previous;
        }
    }
    return races->walked > WALK_LIMIT;
}

bool race_ordered(const struct race_access *access, unsigned lane, uint32_t warp, unsigned other_lane, uint32_t time)
{
    struct races *races = access->races;
    const struct race_block *block = access->block;
    const struct race_warp *own = access->own;
    uint32_t index = warp - block->first_warp;
    if (index < races->warps_per_block) {
        const struct race_warp *other = &block->warps[index];
        bool gone = other->gone >> other_lane & 1;
        if (other == own && lane == other_lane)
            return true;
        if (time < (gone ? other->gone_barrier[other_lane] : block->barrier_time))
            return true;
        if (other == own && time < (gone ? own->gone_sync[other_lane] : own->sync_time))
            return true;
        if (other == own && own->knows && time < own->known[lane][other_lane])
            return true;
    }
    if (!races->node_count || (!own->acquired[lane] && !block->acquired))
        return false;
    return races->walked > WALK_LIMIT || find_knowledge(races, own->acquired[lane], block->acquired, warp, other_lane, time);
}

/* ---- barriers ---- */

/* Lanes that have left took part in what came before, not in what comes now. */
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

void race_fence(struct races *races, struct warp *warp, unsigned scope)
{
    if (races->gave_up)
        return;   /* a block may be without a shadow then */
    struct race_warp *own = own_of(warp);
    const struct race_block *block = warp->block->races;
    if (!own->fences && !(own->fences = calloc(2, sizeof *own->fences))) {
        races->gave_up = true;
        return;
    }
    race_epoch_make_exact(races, warp->block->races);
    uint32_t time = advance(races);
    for (uint32_t rest = warp->mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        own->fences[0][lane] = snapshot(races, block, own, lane, time);
        if (scope > 0)
            own->fences[1][lane] = own->fences[0][lane];
        if (own->locks)
            own->locks[lane].dirty = false;
    }
}

/* All lanes of `lanes` know now what each of them knew of other blocks and warps. */
static void share_acquired(struct races *races, struct race_warp *own, uint32_t lanes)
{
    uint32_t list = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t other = own->acquired[__builtin_ctz(rest)];
        if (other && other != list)
            add_link(races, &list, (struct race_link){.list = other});
    }
    for (uint32_t rest = list ? lanes : 0; rest; rest &= rest - 1)
        own->acquired[__builtin_ctz(rest)] = list;
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
        return;   /* a block may be without a shadow then */
    struct race_warp *own = own_of(warp);
    if (lanes != warp->live || (~warp->live & ~own->gone))
        race_epoch_make_exact(races, warp->block->races);
    uint32_t time = advance(races);
    if (races->node_count)
        share_acquired(races, own, lanes);
    if (lanes != warp->live) {
        sync_some(races, own, lanes, time);
        return;
    }
    note_gone(warp, warp->block->races, own);
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

static uint32_t release_lanes(struct races *races, struct race_block *block, struct race_warp *own, uint32_t lanes,
                              uint32_t chain)
{
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct race_fence now = snapshot(races, block, own, lane, races->time);
        chain = add_node(races, block, own, lane, &now, 0, chain);
    }
    return chain;
}

void race_arrive(struct races *races, struct warp *warp, uint32_t number)
{
    if (races->gave_up)
        return;   /* a block may be without a shadow then */
    struct race_block *block = warp->block->races;
    race_epoch_make_exact(races, block);
    advance(races);
    block->arrived[number] = release_lanes(races, block, own_of(warp), warp->mask, block->arrived[number]);
}

/* Some of the block's threads: those who wait acquire what all of them, and those who arrived, released. */
static void barrier_of_some(struct races *races, struct block *slot, uint32_t number)
{
    struct race_block *block = slot->races;
    uint32_t chain = block->arrived[number];
    for (uint32_t i = 0; i < races->warps_per_block; i++)
        chain = release_lanes(races, block, &block->warps[i], waiting_lanes(&slot->warps[i], number), chain);
    for (uint32_t i = 0; i < races->warps_per_block; i++)
        for (uint32_t rest = waiting_lanes(&slot->warps[i], number); rest; rest &= rest - 1)
            acquire(races, block, &block->warps[i].acquired[__builtin_ctz(rest)], chain, 0);
}

void race_barrier(struct races *races, struct block *slot, uint32_t number)
{
    if (races->gave_up)
        return;   /* a block may be without a shadow then */
    struct race_block *block = slot->races;
    uint32_t waiting = 0;
    bool left = false;
    for (uint32_t i = 0; i < races->warps_per_block; i++) {
        waiting += (uint32_t)__builtin_popcount(waiting_lanes(&slot->warps[i], number));
        left |= block->warps[i].gone != ~slot->warps[i].live;
    }
    if (left || waiting != slot->live_threads)
        race_epoch_make_exact(races, block);
    uint32_t time = advance(races);
    if (waiting != slot->live_threads) {
        barrier_of_some(races, slot, number);
        block->arrived[number] = 0;
        return;
    }
    for (uint32_t i = 0; i < races->warps_per_block; i++) {
        struct race_warp *own = &block->warps[i];
        if (own->gone != ~slot->warps[i].live)
            note_gone(&slot->warps[i], block, own);
        for (unsigned lane = 0; lane < WARP_LANES && races->node_count; lane++) {
            if (own->acquired[lane] && slot->warps[i].live >> lane & 1) {
                add_link(races, &block->acquired, (struct race_link){.list = own->acquired[lane]});
                own->acquired[lane] = 0;
            }
        }
    }
    acquire(races, block, &block->acquired, block->arrived[number], 0);
    block->arrived[number] = 0;
    block->barrier_time = time;
    race_epoch_begin(races, block);
}

/* ---- places that threads synchronise at ---- */

static struct race_chain *chain_slot(struct race_chain *chains, size_t capacity, uint64_t key)
{
    uint64_t hash = key * UINT64_C(0x9E3779B97F4A7C15);
    size_t i = (size_t)(hash >> 20) & (capacity - 1);
    while (chains[i].key && chains[i].key != key)
        i = (i + 1) & (capacity - 1);
    return &chains[i];
}

static struct race_chain *chain_for_writing(struct races *races, uint64_t key)
{
    if (races->chain_count * 2 >= races->chain_capacity) {
        size_t capacity = races->chain_capacity ? races->chain_capacity * 2 : 1024;
        struct race_chain *grown = calloc(capacity, sizeof *grown);
        if (!grown) {
            races->gave_up = true;
            return NULL;
        }
        for (size_t i = 0; i < races->chain_capacity; i++)
            if (races->chains[i].key)
                *chain_slot(grown, capacity, races->chains[i].key) = races->chains[i];
        free(races->chains);
        races->chains = grown;
        races->chain_capacity = capacity;
    }
    struct race_chain *chain = chain_slot(races->chains, races->chain_capacity, key);
    races->chain_count += !chain->key;
    chain->key = key;
    return chain;
}

void race_synchronise(const struct race_access *access, unsigned lane, uint64_t key)
{
    struct races *races = access->races;
    const struct memory_site *site = access->site;
    struct race_warp *own = access->own;
    const struct race_block *block = access->block;
    struct race_chain *chain = races->chain_count ? chain_slot(races->chains, races->chain_capacity, key) : NULL;
    if (chain && !chain->key)
        chain = NULL;
    if (access->reads && chain)
        acquire(races, block, &own->acquired[lane], chain->node, site->scope);
    if (!access->write)
        return;
    bool fenced = own->fences && own->fences[0][lane].time;
    uint32_t head = access->atomic && chain ? chain->node : 0;   /* an atomic continues the chain,
        a store begins a new one */
    if (!fenced && !site->release) {
        if (chain)
            chain->node = head;
        return;
    }
    chain = chain_for_writing(races, key);
    if (!chain)
        return;
    if (site->release) {
        race_epoch_make_exact(races, access->block);
        advance(races);
        struct race_fence now = snapshot(races, block, own, lane, races->time);
        head = add_node(races, block, own, lane, &now, site->scope, head);
    } else {
        const struct race_fence *any = &own->fences[0][lane], *wide = &own->fences[1][lane];
        if (wide->time)
            head = add_node(races, block, own, lane, wide, site->scope, head);
        if (any->time != wide->time)
            head = add_node(races, block, own, lane, any, 0, head);
    }
    chain->node = head;
}

/* ---- barrier objects ---- */

/* One node for all the lanes: what each did is in its row, unless they are the whole warp. */
void race_release_lanes(struct races *races, struct warp *warp, uint32_t lanes, uint32_t *chain)
{
    struct race_warp *own = own_of(warp);
    const struct race_block *block = warp->block->races;
    unsigned first = (unsigned)__builtin_ctz(lanes);
    if (races->gave_up)
        return;
    race_epoch_make_exact(races, warp->block->races);
    uint32_t time = advance(races), list = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t other = own->acquired[__builtin_ctz(rest)];
        if (other && other != list && (!list || races->links[list].list != other))
            add_link(races, &list, (struct race_link){.list = other});
    }
    struct race_fence now = {.time = time, .barrier_time = block->barrier_time,
                             .sync_time = lanes == warp->live ? time : own->sync_time, .acquired = list,
                             .block_acquired = block->acquired};
    if (lanes != warp->live
        && race_grow(races, (void **)&races->rows, races->row_count, &races->row_capacity, sizeof *races->rows)) {
        uint32_t *row = races->rows[++races->row_count];
        memset(row, 0, sizeof *races->rows);
        for (uint32_t rest = own->knows ? lanes : 0; rest; rest &= rest - 1)
            for (unsigned other = 0; other < WARP_LANES; other++) {
                uint32_t known = own->known[__builtin_ctz(rest)][other];
                row[other] = known > row[other] ? known : row[other];
            }
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            row[__builtin_ctz(rest)] = time;
        now.row = (uint32_t)races->row_count;
    }
    uint32_t before = *chain;
    *chain = add_node(races, block, own, first, &now, 0, before);
    if (*chain != before)
        races->nodes[*chain].object = before ? races->nodes[before].object : *chain;
}

/* The chain of an object only grows, so a newer head replaces an older one of the same chain that the lane has. */
void race_acquire_lanes(struct races *races, struct warp *warp, uint32_t lanes, uint32_t chain)
{
    struct race_warp *own = own_of(warp);
    const struct race_block *block = warp->block->races;
    uint32_t before = 0, after = 0;
    if (!chain || races->gave_up)
        return;
    race_epoch_make_exact(races, warp->block->races);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t list = own->acquired[lane];
        if (!after || list != before) {   /* lanes that knew the same know the same again: one link for all */
            uint32_t kept = list;
            if (list && races->links[list].node && races->nodes[races->links[list].node].object
                && races->nodes[races->links[list].node].object == races->nodes[chain].object)
                kept = races->links[list].previous;
            before = list;
            after = kept;
            acquire(races, block, &after, chain, 0);
        }
        own->acquired[lane] = after;
    }
}
