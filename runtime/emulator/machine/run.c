/* Running a block: turns of its warps, barriers, and what happens when no thread can move. */
#include "runtime/emulator/machine/run.h"

#include <stdio.h>
#include <string.h>

#include "runtime/emulator/machine/affine.h"
#include "runtime/emulator/machine/async.h"
#include "runtime/emulator/machine/backing.h"
#include "runtime/emulator/machine/cluster.h"
#include "runtime/emulator/machine/hooks.h"
#include "runtime/emulator/machine/library.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/schedule.h"
#include "runtime/emulator/machine/turn.h"
#include "runtime/emulator/machine/waiting.h"
#include "runtime/emulator/machine/warp_flow.h"
#include "runtime/emulator/machine/warp_state.h"
#include "runtime/emulator/machine/work.h"

static uint32_t *r_at(uint32_t *r, uint32_t offset)
{
    return (uint32_t *)((char *)r + offset);
}

/* ---- blocks ---- */

static uint64_t constant_value(const struct warp *warp, const struct constant *constant, unsigned lane)
{
    uint64_t value = 0;
    if (constant->source == CONSTANT_VALUE)
        return constant->value;
    if (constant->source == CONSTANT_SPECIAL)
        return library_special(warp, (uint32_t)constant->value, lane);
    memcpy(&value, warp->launch->parameters + constant->value, constant->bytes);
    unsigned shift = 64 - 8u * constant->bytes;
    return constant->is_signed ? (uint64_t)((int64_t)(value << shift) >> shift) : value;
}

/* A constant is affine as well: its lanes stay filled. */
static void set_affine(const struct warp *warp, const struct code *code, const struct constant *constant)
{
    uint64_t value[WARP_LANES];
    bool wide = constant->part == CONSTANT_Q;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        value[lane] = constant_value(warp, constant, lane);
    struct affine *x = wide ? warp_affine_q(warp, constant->offset) : warp_affine_r(warp, constant->offset);
    *x = (struct affine){.shape = shape_of_lanes(code->program->shapes, value, wide),
                         .base = wide ? value[0] : (uint32_t)value[0],
                         .expanded = true};
}

static void set_kernel_constants(struct warp *warp, const struct code *code)
{
    for (size_t i = 0; i < code->constant_count; i++) {
        const struct constant *constant = &code->constants[i];
        if (constant->part != CONSTANT_P)
            set_affine(warp, code, constant);
        if (constant->part == CONSTANT_P)
            warp->p_base[constant->offset] = (uint32_t)constant->value;
        for (unsigned lane = 0; lane < WARP_LANES && constant->part != CONSTANT_P; lane++) {
            uint64_t value = constant_value(warp, constant, lane);
            if (constant->part == CONSTANT_Q)
                ((uint64_t *)((char *)warp->q_base + constant->offset))[lane] = value;
            else
                r_at(warp->r_base, constant->offset)[lane] = (uint32_t)value;
        }
    }
}

static uint64_t round_up(uint64_t value, uint64_t to)
{
    return (value + to - 1) / to * to;
}

/* Of the kernel's own frame: functions have no affine registers. */
static uint64_t affine_bytes(const struct code *code)
{
    return round_up(code->r_bytes >> AFFINE_R_SHIFT, 64) + round_up(code->q_bytes >> AFFINE_Q_SHIFT, 64);
}

/* One mapping holds the registers and local memory of all warps and the shared memory of the block. */
static uint64_t warp_bytes(const struct launch *launch)
{
    const struct code *code = launch->code;
    return round_up(code->stack_r, 64) + round_up(code->stack_q, 64) + round_up((uint64_t)code->stack_p * 4, 64)
           + affine_bytes(code) + round_up(launch->stack_local, 64) * WARP_LANES;
}

uint64_t block_bytes(const struct launch *launch)
{
    uint64_t warps = launch->warps_per_block;
    return round_up(warps * sizeof(struct warp), 64) + warps * warp_bytes(launch) + launch->shared_room + 64;
}

bool block_create(struct block *block, struct launch *launch)
{
    uint64_t each = warp_bytes(launch), warps = launch->warps_per_block;
    memset(block, 0, sizeof *block);
    block->bytes = block_bytes(launch);
    block->warps = (struct warp *)backing_allocate(block->bytes);
    if (!block->warps)
        return false;
    uint8_t *at = (uint8_t *)block->warps + round_up(warps * sizeof *block->warps, 64);
    for (uint32_t i = 0; i < launch->warps_per_block; i++) {
        struct warp *warp = &block->warps[i];
        warp->block = block;
        warp->launch = launch;
        warp->index = i;
        warp->q_base = (uint64_t *)at;
        warp->r_base = (uint32_t *)(at + round_up(launch->code->stack_q, 64));
        warp->p_base = (uint32_t *)((uint8_t *)warp->r_base + round_up(launch->code->stack_r, 64));
        warp->affine_r = (struct affine *)((uint8_t *)warp->p_base + round_up((uint64_t)launch->code->stack_p * 4, 64));
        warp->affine_q =
            (struct affine *)((uint8_t *)warp->affine_r + round_up(launch->code->r_bytes >> AFFINE_R_SHIFT, 64));
        warp->local = (uint8_t *)warp->affine_r + affine_bytes(launch->code);
        warp->local_stride = (uint32_t)round_up(launch->stack_local, 64);
        at += each;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            uint32_t thread = i * WARP_LANES + lane;
            const uint32_t *shape = launch->request->block;
            warp->tid[0][lane] = thread % shape[0];
            warp->tid[1][lane] = thread / shape[0] % shape[1];
            warp->tid[2][lane] = thread / shape[0] / shape[1];
        }
        set_kernel_constants(warp, launch->code);
    }
    block->shared = at;
    memset(block->shared, 0xA5, launch->shared_room); /* like a GPU's: what the last user left, never zeros */
    return true;
}

void block_destroy(struct block *block)
{
    const struct launch *launch = block->warps->launch;
    async_block_destroy(block);
    if (launch->hooks)
        launch->hooks->block_destroy(block);
    backing_free((uint8_t *)block->warps, block->bytes);
    block->warps = NULL;
}

static void start_warp(struct warp *warp, const struct launch *launch)
{
    uint32_t first = warp->index * WARP_LANES, left = launch->threads_per_block - first;
    uint32_t lanes = left >= WARP_LANES ? ALL_LANES : (1u << left) - 1;
    warp->ready = 1;
    warp->at_barrier = warp->at_warp_barrier = 0;
    warp->joins_used = 0;
    warp->fragments[0] = (struct fragment){
        .mask = lanes, .at = launch->code->operations, .r = warp->r_base, .q = warp->q_base, .p = warp->p_base};
    warp->live = lanes;
    warp->mask = 0;
    warp->budget = warp->slice = launch->spins && SHORT_SLICE < launch->slice ? SHORT_SLICE : launch->slice;
    warp->slices = warp->slices_taken = 0;
    warp->polls = 0;
    warp->polled = false;
    warp->carry = 0;
    warp->shared = warp->block->shared;
    warp->reached = warp->block;
    warp->cluster_arrived = warp->cluster_owes = 0;
    warp->parked = warp->resume = NULL;
    warp->yielded = warp->kept_waiting = 0;
    warp->held_up = 0;
    warp->quiet = launch->quiet;
    warp->counts = launch->counts;
    warp->counts_anew = false;
    warp->unwatched = !launch->watched;
    if (warp->any_skipped)
        memset(warp->skipped, 0, sizeof warp->skipped);
    warp->any_skipped = false;
    if (launch->counts) {
        warp->shared_read = warp->arrivals = 0;
        warp->common_instructions = warp->partial_instructions = 0;
        warp->partial_mask = 0;
        if (warp->uneven)
            memset(warp->lane_instructions, 0, sizeof warp->lane_instructions);
        warp->uneven = false;
    }
}

void block_start(struct block *block, struct launch *launch, uint64_t position)
{
    const uint32_t *grid = launch->request->grid, *index = block->index;
    block->running = true;
    cluster_place(launch, position, block->index, &block->cluster, &block->cluster_rank);
    block->cluster_released = block->cluster_complete = 0;
    block->linear = ((uint64_t)index[2] * grid[1] + index[1]) * grid[0] + index[0];
    block->live_threads = launch->threads_per_block;
    block->early_exit_reported = block->mismatched = block->idle = false;
    block->live_judged = launch->threads_per_block;
    block->releases = block->taken = 0;
    block->loaded_bytes = block->stored_bytes = block->shared_read = 0;
    block->patience = 0;
    block->barriers_passed = 0;
    memset(block->barriers, 0, sizeof block->barriers);
    block->barriers_used = block->parked_threads = 0;
    block->parked_at = NULL;
    block->parked_apart = false;
    work_add(WORK_BLOCK_WARP * launch->warps_per_block);
    for (uint32_t i = 0; i < launch->warps_per_block; i++)
        start_warp(&block->warps[i], launch);
    bool stepped = launch->stepped;
    if (launch->hooks) {
        launch->hooks->block_start(launch, block);
        stepped |= launch->watched && launch->hooks->follows(launch, block);
    }
    for (uint32_t i = 0; i < launch->warps_per_block && stepped; i++) /* operations return to schedule_run one by one */
        block->warps[i].watches = (launch->watched ? block->warps[i].watches : 0) + WARP_STEPPED;
    async_block_start(block, launch);
}

/* ---- barriers ---- */

static uint32_t barrier_number(const struct warp *warp, const struct operation *operation)
{
    return r_at(warp->r, operation->a)[__builtin_ctz(warp->mask)];
}

const struct operation *library_barrier(struct warp *warp, const struct operation *operation)
{
    uint32_t number = barrier_number(warp, operation);
    uint32_t threads = operation->b == UINT32_MAX ? 0 : r_at(warp->r, operation->b)[__builtin_ctz(warp->mask)];
    warp->launch->barrier_arrivals++;
    if (number >= BARRIER_COUNT || threads % WARP_LANES || (operation->b != UINT32_MAX && !threads)) {
        struct finding finding;
        launch_finding(warp, operation, (unsigned)__builtin_ctz(warp->mask), FINDING_barrier_mismatch, &finding);
        finding_text(&finding, "barrier %u with %u threads: barriers are numbered 0 to 15 and count whole warps", number,
                     threads);
        finding_collect(warp->launch->findings, &finding);
        launch_raise(warp->launch, LAUNCH_FAILED);
        return operation + 1;
    }
    if (operation->extra & BARRIER_ARRIVE) {
        warp->block->barriers[number].given += WARP_LANES;
        if (warp->launch->watched)
            warp->launch->hooks->arrive(warp, number);
        return operation + 1;
    }
    return warp_wait_block(warp, operation, number, threads);
}

static bool predicate_of(const struct fragment *fragment, unsigned lane)
{
    const struct operation *at = fragment->at;
    uint32_t bits = fragment->p[at->c] ^ (at->extra & BARRIER_NEGATED ? ALL_LANES : 0);
    return bits >> lane & 1;
}

/* bar.red: the result over all waiting threads, for each of them. */
static void reduce(struct block *block, struct launch *launch, uint32_t number)
{
    uint32_t count = 0, threads = 0;
    bool reduces = false;
    FOR_WAITING(block, launch, number, warp, fragment)
    {
        if (!(fragment->at->extra & (BARRIER_AND | BARRIER_OR | BARRIER_POPC)))
            continue;
        reduces = true;
        for (uint32_t rest = fragment->mask; rest; rest &= rest - 1, threads++)
            count += predicate_of(fragment, (unsigned)__builtin_ctz(rest));
    }
    if (!reduces)
        return;
    FOR_WAITING(block, launch, number, warp, fragment)
    {
        const struct operation *at = fragment->at;
        if (at->extra & BARRIER_POPC) {
            for (uint32_t rest = fragment->mask; rest; rest &= rest - 1)
                r_at(fragment->r, at->d)[__builtin_ctz(rest)] = count;
        } else if (at->extra & (BARRIER_AND | BARRIER_OR)) {
            bool result = at->extra & BARRIER_AND ? count == threads : count != 0;
            fragment->p[at->d] = (fragment->p[at->d] & ~fragment->mask) | (result ? fragment->mask : 0);
        }
    }
}

/* Fragments of one warp that waited at the same place continue as one. */
static void release(struct block *block, struct launch *launch, uint32_t number)
{
    for (struct warp *warp = block->warps; warp < block->warps + launch->warps_per_block; warp++) {
        for (uint32_t rest = warp->at_barrier; rest; rest &= rest - 1) {
            unsigned slot = (unsigned)__builtin_ctz(rest);
            struct fragment *fragment = &warp->fragments[slot];
            if (fragment->barrier != number || !(warp->at_barrier >> slot & 1))
                continue;
            uint32_t others = launch->apart ? 0 : rest & (rest - 1);
            for (; others; others &= others - 1) {
                unsigned other_slot = (unsigned)__builtin_ctz(others);
                const struct fragment *other = &warp->fragments[other_slot];
                if (other->barrier == number && other->at == fragment->at && other->join == fragment->join
                    && other->r == fragment->r && other->depth == fragment->depth) {
                    fragment->mask |= other->mask;
                    warp->at_barrier &= ~(1u << other_slot);
                }
            }
            warp->at_barrier &= ~(1u << slot);
            warp->ready |= 1u << slot;
            fragment->at++;
        }
    }
    block->barriers[number] = (struct barrier){0};
    block->barriers_used &= ~(1u << number);
}

/* How many whole warps wait at a barrier, in threads: which is what a barrier with a count uses. */
static uint32_t waiting_in_warps(struct block *block, struct launch *launch, uint32_t number)
{
    uint32_t threads = 0;
    const struct warp *counted = NULL;
    FOR_WAITING(block, launch, number, warp, fragment)
    {
        threads += warp != counted ? WARP_LANES : 0;
        counted = warp;
    }
    return threads;
}

static bool try_barriers(struct block *block, struct launch *launch)
{
    bool released = false;
    for (uint32_t used = block->barriers_used; used; used &= used - 1) {
        uint32_t number = (uint32_t)__builtin_ctz(used);
        const struct barrier *barrier = &block->barriers[number];
        if (barrier->asked ? waiting_in_warps(block, launch, number) + barrier->given < barrier->asked
                           : barrier->waiting < block->live_threads)
            continue;
        bool left = !barrier->asked && block->live_threads < block->live_judged;
        if (barrier->mixed || left) {
            struct waiting waiting = waiting_at(block, launch, number);
            block->mismatched |= waiting.other_at != NULL;
            if (waiting.other_at)
                waiting_report_mismatch(launch, &waiting);
            if (left)
                waiting_report_early_exit(block, launch, &waiting);
        }
        if (launch->watched)
            launch->hooks->barrier(launch, block, number);
        block->barriers_passed++;
        reduce(block, launch, number);
        release(block, launch, number);
        released = true;
    }
    return released;
}

/* All live threads are parked at one barrier: they continue. Returns false where more must be checked. */
static bool release_parked(struct block *block, struct launch *launch)
{
    if (block->parked_apart || block->barriers_used || block->parked_threads != launch->threads_per_block
        || block->barriers[block->parked_at->immediate].given)
        return false;
    if (launch->watched)
        launch->hooks->barrier(launch, block, (uint32_t)block->parked_at->immediate);
    block->barriers_passed++;
    for (struct warp *warp = block->warps; warp < block->warps + launch->warps_per_block; warp++) {
        warp->resume = warp->parked + 1;
        warp->parked = NULL;
    }
    block->parked_threads = 0;
    block->parked_at = NULL;
    return true;
}

/* Parked warps become fragments that wait at their barriers. */
static void unpark(struct block *block, struct launch *launch)
{
    for (struct warp *warp = block->warps; warp < block->warps + launch->warps_per_block; warp++) {
        const struct operation *at = warp->parked;
        warp->parked = NULL;
        if (at)
            warp_wait_block(warp, at, (uint32_t)at->immediate, 0);
    }
    block->parked_threads = 0;
    block->parked_at = NULL;
    block->parked_apart = false;
}

/* ---- when no thread can move ---- */

/* A fragment waits for lanes of its warp that wait elsewhere or are gone: this is reported, and it continues. */
static bool free_warp_barriers(struct block *block, struct launch *launch)
{
    for (uint32_t i = 0; i < launch->warps_per_block; i++) {
        struct warp *warp = &block->warps[i];
        if (warp->at_warp_barrier) {
            unsigned slot = (unsigned)__builtin_ctz(warp->at_warp_barrier);
            struct fragment *fragment = &warp->fragments[slot];
            waiting_report_mask(warp, fragment->at, fragment->mask, fragment->members);
            warp->at_warp_barrier &= ~(1u << slot);
            warp->ready |= 1u << slot;
            fragment->passes = true;
            return true;
        }
    }
    return false;
}

/* One turn of a warp: until nothing in it can continue, or its slice is used up. Returns false when it could not move at
 * all, or is held up. */
static bool run_warp(struct warp *warp)
{
    const struct operation *operation = warp->resume;
    if (warp->held_up)
        return false;
    if (turn_is_wanted(warp->launch))
        turn_begin(warp->launch, warp);
    warp->resume = NULL;
    if (!operation && warp->ready)
        operation = warp_next(warp);
    if (!operation)
        return false;
    struct launch *launch = warp->launch;
    if (warp->watches & WARP_STEPPED)
        schedule_run(warp, operation);
    else
        while (operation) {
            if (__builtin_expect(warp->watches != 0, 0)) {
                launch->hooks->step(warp, operation);
                operation = warp_run_alone(warp, operation);
            } else {
                operation = operation->run(warp, operation);
            }
        }
    launch->warp_instructions += (uint64_t)(warp->slice - warp->budget);
    launch->fuel -= warp->slice - warp->budget;
    work_add((uint64_t)(warp->slice - warp->budget));
    warp->budget = warp->slice;
    return true;
}

void block_settle(struct block *block, const struct launch *launch)
{
    for (struct warp *warp = block->warps; warp < block->warps + launch->warps_per_block; warp++) {
        if (warp->resume)
            warp_set_aside(warp, warp->resume, warp->mask);
        warp->resume = NULL;
    }
}

/* Are the registers of the block as they were after an earlier barrier, so that it may be in a loop that never ends? Looked
 * for as in endless.c, and rarely. */
static bool recurs(struct block *block, const struct launch *launch)
{
    enum { FIRST_LOOK = 1024, COMPARED = 16 };
    uint64_t release = ++block->releases;
    bool power = (release & (release - 1)) == 0;
    if (release < FIRST_LOOK || (!power && release - block->taken > COMPARED))
        return false;
    uint64_t first = warp_state(&block->warps[0], NULL), state = first;
    if (!power && first != block->first_state)
        return false; /* so it is nearly always, and a warp can have thousands of registers */
    for (uint32_t i = 1; i < launch->warps_per_block; i++)
        state = state * 31 + warp_state(&block->warps[i], NULL);
    if (block->taken && state == block->state)
        return true;
    if (power) {
        block->first_state = first;
        block->state = state;
        block->taken = release;
    }
    return false;
}

/* It has passed a barrier of the block: does its turn end here? It does when it polls from barrier to barrier. */
static bool ends_turn(struct block *block, const struct launch *launch)
{
    bool polled = false;
    if (recurs(block, launch))
        block->patience = UINT32_MAX / 2;
    for (uint32_t i = 0; i < launch->warps_per_block; i++) {
        polled |= block->warps[i].polled || block->warps[i].polls;
        block->warps[i].polled = false;
    }
    if (polled && block->patience < UINT32_MAX / 2)
        block->patience += POLL_WEIGHT;
    else if (block->patience)
        block->patience--;
    return launch->yields_at_barriers || block->patience >= POLL_PATIENCE;
}

bool block_run(struct block *block, struct launch *launch)
{
    enum { TURNS = 8 }; /* of a block whose warps only poll, before other blocks get theirs */
    bool falling = launch->schedule->warps == SCHEDULE_FALLING;
    unsigned turns = launch->schedule->step == SCHEDULE_STEP_TURNS || block->idle ? 1 : TURNS;
    block->yields = block->idle = false;
    for (unsigned idle = 0; idle < turns && !block->yields;) {
        bool moved = false, blocked = true;
        for (uint32_t i = 0; i < launch->warps_per_block && !launch->aborted; i++) {
            struct warp *warp = &block->warps[falling ? launch->warps_per_block - 1 - i : i];
            moved |= run_warp(warp);
            blocked &= !warp->ready;
        }
        /* A loop whose turns end at a barrier or an access never uses up a slice: it runs out of fuel here. */
        bool spent = launch->fuel <= 0 || work_is_spent();
        if (block->parked_at && !launch->aborted && !spent && release_parked(block, launch)) {
            idle = 0;
            block->yields = ends_turn(block, launch);
            continue;
        }
        if (block->parked_at)
            unpark(block, launch);
        if (launch->aborted) {
            if (spent)
                waiting_report_fuel(block, launch);
            return true;
        }
        if (!block->live_threads)
            return true;
        bool released = try_barriers(block, launch);
        if (spent && (released || !blocked)) {
            launch->aborted = true;
            waiting_report_fuel(block, launch);
            return true;
        }
        if (released) {
            idle = 0;
            block->yields = ends_turn(block, launch);
            continue;
        }
        if (blocked && !free_warp_barriers(block, launch)) {
            waiting_report_deadlock(block, launch);
            return true;
        }
        if (moved)
            idle += !blocked;
        else if (!blocked)
            return false; /* all that could continue are held up */
    }
    block->idle = !block->yields;
    return false;
}
