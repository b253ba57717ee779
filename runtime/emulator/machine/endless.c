#include "runtime/emulator/machine/endless.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/held.h"
#include "runtime/emulator/machine/memory.h"
#include "runtime/emulator/machine/operands.h"
#include "runtime/emulator/machine/passing.h"
#include "runtime/emulator/machine/roles.h"
#include "runtime/emulator/machine/warp_state.h"

enum {
    COMPARED_ROUNDS = 256,     /* after each moment that is remembered: longer periods are found from a later one */
    MAX_MEMORY_BYTES = 1 << 28 /* that is looked at: more would take as long as running out of fuel */
};

/* ---- numbers that represent states ---- */

static uint64_t block_state(const struct launch *launch, const struct block *block)
{
    uint64_t state = warp_state_mix(warp_state_mix(0, block->linear), block->live_threads);
    for (uint32_t used = block->barriers_used; used; used &= used - 1) {
        const struct barrier *barrier = &block->barriers[__builtin_ctz(used)];
        state = warp_state_mix(warp_state_mix(state, (uint64_t)barrier->waiting << 32 | barrier->given), barrier->asked);
    }
    state = warp_state_mix(warp_state_mix(state, block->parked_threads), (uint64_t)block->barriers_used);
    return warp_state_mix(warp_state_mix(warp_state_mix(state, launch->printf_length), launch->clock_reads),
                          launch->changes);
}

/* ---- memory ---- */

unsigned endless_idle_threads;

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
    return count != 1 + (int)endless_idle_threads;
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
        *state = warp_state_mix(warp_state_bytes(*state, allocation->host, allocation->bytes), allocation->address);
    for (const struct block *block = blocks; block < blocks + slots; block++) {
        if (!block->running)
            continue;
        *state = warp_state_bytes(*state, block->shared, launch->shared_room);
        for (uint32_t i = 0; i < launch->warps_per_block; i++)
            *state = warp_state_bytes(*state, block->warps[i].local, (uint64_t)block->warps[i].local_stride * WARP_LANES);
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
            uint64_t state = of_block ? block_state(launch, block) : warp_state(&block->warps[i], NULL);
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

/* ---- what loops do ---- */

/* Registers that hold what comes from memory, by their places. */
struct taint {
    bool *r, *q, *p;
    bool any;
};

static bool *place_of_register(const struct taint *taint, enum operand_part part, uint32_t offset)
{
    return part == PART_R ? &taint->r[offset / 4] : part == PART_Q ? &taint->q[offset / 8] : &taint->p[offset];
}

/* Does the operation set a register from what comes from memory? Returns true when that is news. */
static bool spread(struct taint *taint, const struct operation *at)
{
    const struct operands *operands = &operands_of[at->handler];
    const uint8_t parts[] = {operands->a, operands->b, operands->c};
    const uint32_t sources[] = {at->a, at->b, at->c};
    bool loads = operation_is(at, ROLE_REQUEST) && at->site->access != SITE_STORE, known = false, from = false, news = false;
    for (unsigned i = 0; i < 3; i++) {
        known |= parts[i] != PART_NONE;
        from |= parts[i] != PART_NONE && *place_of_register(taint, (enum operand_part)parts[i], sources[i]);
    }
    if (!loads && !(known ? from : taint->any))
        return false;
    for (unsigned element = 0; element < (loads ? 8 : 1); element++) {
        uint32_t offset;
        enum operand_part part = operands_destination(at, element, &offset);
        if (part == PART_NONE || offset == UINT32_MAX)
            continue;
        bool *place = place_of_register(taint, part, offset);
        news |= !*place;
        *place = taint->any = true;
    }
    return news;
}

/* What the loop around `at` does, all ways of it: stores to memory that others see; ends by what it reads from there. */
static void look_at_loop(const struct code *code, const struct operation *at, bool *stores, bool *depends)
{
    size_t count = code->operation_count;
    bool *after = passing_list_following(code, at), *before = calloc(count, sizeof *before);
    struct taint taint = {.r = calloc(code->r_bytes / 4 + 1, 1),
                          .q = calloc(code->q_bytes / 8 + 1, 1),
                          .p = calloc((size_t)code->p_words + 1, 1)};
    bool good = after && before && taint.r && taint.q && taint.p;
    for (bool more = good && after[at - code->operations]; more;) { /* operations that lead back to `at` */
        more = false;
        for (size_t i = count; i-- > 0;) {
            const struct operation *next[3];
            unsigned ways = before[i] || !after[i] ? 0 : passing_next(&code->operations[i], next);
            for (unsigned way = 0; way < ways; way++)
                if (next[way] == at || (next[way] < code->operations + count && before[next[way] - code->operations]))
                    more = before[i] = true;
        }
    }
    for (bool more = good; more;) {
        more = false;
        for (size_t i = 0; i < count; i++)
            more |= before[i] && spread(&taint, &code->operations[i]);
    }
    for (size_t i = 0; i < count && good; i++) {
        const struct operation *in = &code->operations[i];
        if (!before[i])
            continue;
        bool calls = in->handler == HANDLER_call || in->handler == HANDLER_call_register
                     || in->handler == HANDLER_call_external;
        bool atomic = operation_is(in, ROLE_REQUEST) && in->site->access >= SITE_ATOMIC; /* launch->changes */
        *stores |= calls
                   || (operation_is(in, ROLE_WRITES) && !atomic
                       && !(operation_is(in, ROLE_SITE) && in->site->space == SITE_LOCAL));
        *depends |= calls || ((in->handler == HANDLER_branch || in->handler == HANDLER_guard) && taint.p[in->a]);
    }
    *stores |= !good;
    *depends |= !good;
    free(after);
    free(before);
    free(taint.r);
    free(taint.q);
    free(taint.p);
}

/* A loop may store a value and the one before it in turns, another one wait for the former and, in this order of threads, see
 * only the latter. So no loop may store where one ends by what it reads. Stores that change nothing count as well. */
static bool may_meet(const struct launch *launch, const struct block *blocks, uint64_t slots)
{
    enum { SEEN = 64 };
    const struct operation *seen[SEEN];
    const struct code *code = launch->code;
    bool stores = false, depends = false;
    unsigned count = 0;
    for (const struct block *block = blocks; block < blocks + slots; block++) {
        for (uint32_t i = 0; block->running && i < launch->warps_per_block; i++) {
            const struct warp *warp = &block->warps[i];
            uint64_t rest = (uint64_t)(warp->ready | warp->at_barrier | warp->at_warp_barrier) | UINT64_C(1) << WARP_LANES;
            for (; rest; rest &= rest - 1) {
                unsigned slot = (unsigned)__builtin_ctzll(rest), known = 0;
                const struct operation *at = slot < WARP_LANES ? warp->fragments[slot].at
                                             : warp->parked    ? warp->parked
                                                               : warp->resume;
                while (known < count && seen[known] != at)
                    known++;
                if (!at || known < count)
                    continue;
                if (count == SEEN || at < code->operations || at >= code->operations + code->operation_count)
                    return true;
                seen[count++] = at;
                look_at_loop(code, at, &stores, &depends);
                if (stores && depends)
                    return true;
            }
        }
    }
    return false;
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
    if (endless->meets || has_more(launch, blocks, slots))
        return false;
    if (endless->taken && endless->round - endless->taken <= COMPARED_ROUNDS
        && pass_states(endless, launch, blocks, slots, false)) {
        if (endless->has_memory && memory_state(launch, blocks, slots, &memory) && memory == endless->memory
            && !(endless->meets = may_meet(launch, blocks, slots))) {
            endless->period = endless->round - endless->taken;
            return true;
        }
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
    endless->meets = false;
}

void endless_clear(struct endless *endless)
{
    free(endless->warps);
    *endless = (struct endless){0};
}
