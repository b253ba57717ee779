#include "runtime/emulator/machine/endless.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/held.h"
#include "runtime/emulator/machine/memory.h"

enum {
    COMPARED_ROUNDS = 256,     /* after each moment that is remembered: longer periods are found from a later one */
    MAX_MEMORY_BYTES = 1 << 28 /* that is looked at: more would take as long as running out of fuel */
};

/* ---- numbers that represent states ---- */

static uint64_t mix(uint64_t state, uint64_t value)
{
    state = (state ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return state ^ state >> 29;
}

/* Four sums side by side, so that memory is the limit. */
static uint64_t mix_bytes(uint64_t state, const void *bytes, uint64_t count)
{
    enum { LANES = 4 };
    const uint8_t *at = (const uint8_t *)bytes;
    uint64_t part[LANES] = {state, state ^ 1, state ^ 2, state ^ 3}, word[LANES];
    for (; count >= sizeof word; count -= sizeof word, at += sizeof word) {
        memcpy(word, at, sizeof word);
        for (int i = 0; i < LANES; i++)
            part[i] = mix(part[i], word[i]);
    }
    memset(word, 0, sizeof word);
    memcpy(word, at, count);
    for (int i = 0; i < LANES; i++)
        state = mix(mix(state, part[i]), word[i]);
    return mix(state, count);
}

static uint64_t mix_place(uint64_t state, const void *place)
{
    return mix(state, (uint64_t)(uintptr_t)place);
}

static uint64_t mix_fragment(uint64_t state, const struct fragment *fragment)
{
    state = mix(state, (uint64_t)fragment->mask << 32 | fragment->depth);
    state = mix_place(mix_place(state, fragment->at), fragment->join);
    state = mix(mix_place(state, fragment->r), (uint64_t)fragment->local_base << 1 | fragment->passes);
    state = mix(state, (uint64_t)fragment->barrier << 32 | fragment->barrier_threads);
    return mix(state, fragment->members);
}

static uint64_t mix_join(uint64_t state, const struct join *join)
{
    state = mix(state, (uint64_t)join->expected << 32 | join->arrived);
    state = mix_place(mix_place(state, join->at), join->parent);
    return mix(mix_place(state, join->r), (uint64_t)join->depth << 1 | join->dissolved);
}

uint64_t endless_warp_state(const struct warp *warp, const struct operation *at)
{
    /* registers of 64 and 32 bits, predicates and affine forms lie one after the other */
    uint64_t state = mix_bytes(0, warp->q_base, (uint64_t)(warp->local - (const uint8_t *)warp->q_base));
    state = mix(state, (uint64_t)warp->ready << 32 | warp->at_barrier);
    state = mix(state, (uint64_t)warp->at_warp_barrier << 32 | warp->live);
    state = mix(state, (uint64_t)warp->carry << 32 | warp->yielded);
    state = mix(mix_place(mix_place(mix_place(state, at), warp->parked), warp->resume), warp->joins_used);
    if (at || warp->parked || warp->resume) { /* lanes that are not in a fragment */
        state = mix(state, (uint64_t)warp->mask << 32 | warp->depth);
        state = mix(mix_place(mix_place(state, warp->join), warp->r), (uint64_t)warp->local_base << 1 | warp->passes);
    }
    for (uint32_t rest = warp->ready | warp->at_barrier | warp->at_warp_barrier; rest; rest &= rest - 1)
        state = mix_fragment(state, &warp->fragments[__builtin_ctz(rest)]);
    for (uint64_t rest = warp->joins_used; rest; rest &= rest - 1)
        state = mix_join(state, &warp->joins[__builtin_ctzll(rest)]);
    return state;
}

static uint64_t block_state(const struct launch *launch, const struct block *block)
{
    uint64_t state = mix(mix(0, block->linear), block->live_threads);
    for (uint32_t used = block->barriers_used; used; used &= used - 1) {
        const struct barrier *barrier = &block->barriers[__builtin_ctz(used)];
        state = mix(mix(state, (uint64_t)barrier->waiting << 32 | barrier->given), barrier->asked);
    }
    state = mix(mix(state, block->parked_threads), (uint64_t)block->barriers_used);
    return mix(state, launch->printf_length);
}

/* ---- memory ---- */

/* May anybody else write to the host's memory meanwhile? The thread that launched waits. */
static bool has_other_threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    if (!tasks)
        return true;
    for (const struct dirent *entry; (entry = readdir(tasks));)
        count += entry->d_name[0] != '.';
    closedir(tasks);
    return count != 1;
}

/* The device's memory, and the shared and local memory of the blocks. Returns false where it cannot be known. */
static bool memory_state(const struct launch *launch, const struct block *blocks, uint64_t slots, uint64_t *state)
{
    const struct memory *memory = launch->request->memory;
    const struct memory_allocation *allocation;
    uint64_t bytes = 0;
    size_t cursor = 0;
    bool of_host = false;
    while ((allocation = memory_next_live(memory, &cursor))) {
        bytes += allocation->bytes;
        of_host |= allocation->kind == MEMORY_HOST;
    }
    for (const struct block *block = blocks; block < blocks + slots; block++)
        bytes += block->running ? block->bytes : 0;
    if (bytes > MAX_MEMORY_BYTES || (of_host && has_other_threads()))
        return false;
    *state = 0;
    for (cursor = 0; (allocation = memory_next_live(memory, &cursor));)
        *state = mix(mix_bytes(*state, allocation->host, allocation->bytes), allocation->address);
    for (const struct block *block = blocks; block < blocks + slots; block++) {
        if (!block->running)
            continue;
        *state = mix_bytes(*state, block->shared, launch->shared_bytes);
        for (uint32_t i = 0; i < launch->warps_per_block; i++)
            *state = mix_bytes(*state, block->warps[i].local, (uint64_t)block->warps[i].local_stride * WARP_LANES);
    }
    return true;
}

/* ---- proof ---- */

/* Compares the states of blocks and warps with those remembered, or remembers them. Returns false at the first difference,
 * and where there is none to compare with. */
static bool pass_states(struct endless *endless, const struct launch *launch, const struct block *blocks, uint64_t slots,
                        bool remember)
{
    size_t count = 0;
    for (const struct block *block = blocks; block < blocks + slots; block++) {
        for (uint32_t i = 0; block->running && i <= launch->warps_per_block; i++, count++) {
            bool of_block = i == launch->warps_per_block;
            uint64_t state = of_block ? block_state(launch, block) : endless_warp_state(&block->warps[i], NULL);
            if (remember && count == endless->capacity) {
                size_t capacity = endless->capacity ? endless->capacity * 2 : 64;
                uint64_t *grown = realloc(endless->warps, capacity * sizeof *grown);
                if (!grown)
                    return false;
                endless->warps = grown;
                endless->capacity = capacity;
            }
            if (remember)
                endless->warps[count] = state;
            else if (count == endless->count || endless->warps[count] != state)
                return false;
        }
    }
    if (remember)
        endless->count = count;
    return count == endless->count;
}

/* Is there more that a launch's future depends on? */
static bool has_more(const struct launch *launch, const struct block *blocks, uint64_t slots)
{
    for (const struct block *block = blocks; block < blocks + slots; block++) {
        if (!block->running)
            continue;
        if (block->async)
            return true;
        for (uint32_t i = 0; i < launch->warps_per_block; i++)
            if (block->warps[i].held_up)
                return true;
    }
    return held_is_pending(launch);
}

static void take(struct endless *endless, const struct launch *launch, const struct block *blocks, uint64_t slots,
                 bool with_memory)
{
    endless->count = 0;
    endless->has_memory = pass_states(endless, launch, blocks, slots, true) && with_memory
                          && memory_state(launch, blocks, slots, &endless->memory);
    endless->taken = endless->round;
}

/* Brent's way of finding a period, of whatever length: the state of round 1, 2, 4, 8 … is remembered. That of memory, which
 * takes long to look at, only once registers have recurred. */
bool endless_is_proven(struct endless *endless, const struct launch *launch, struct block *blocks, uint64_t slots)
{
    uint64_t memory;
    endless->round++;
    if (has_more(launch, blocks, slots))
        return false;
    if (endless->taken && endless->round - endless->taken <= COMPARED_ROUNDS
        && pass_states(endless, launch, blocks, slots, false)) {
        if (endless->has_memory && memory_state(launch, blocks, slots, &memory) && memory == endless->memory)
            return true;
        take(endless, launch, blocks, slots, true);
        if (endless->next < 2 * endless->round) /* something moves, though registers recur: not so often */
            endless->next = 2 * endless->round;
        return false;
    }
    if (endless->round >= endless->next) {
        take(endless, launch, blocks, slots, false);
        endless->next = 2 * endless->round;
    }
    return false;
}

void endless_forget(struct endless *endless)
{
    endless->round = endless->taken = endless->next = 0;
}

void endless_clear(struct endless *endless)
{
    free(endless->warps);
    *endless = (struct endless){0};
}
