/* Running a block: turns of its warps, barriers, and what happens when nobody can move. */
#include <stdio.h>
#include <string.h>

#include "runtime/emulator/checks/checks.h"
#include "runtime/emulator/execution/affine.h"
#include "runtime/emulator/execution/async.h"
#include "runtime/emulator/execution/backing.h"
#include "runtime/emulator/execution/library.h"
#include "runtime/emulator/execution/program_internal.h"
#include "runtime/emulator/execution/schedule.h"
#include "runtime/emulator/execution/warp.h"

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

bool block_create(struct block *block, struct launch *launch)
{
    uint64_t each = warp_bytes(launch), warps = launch->warps_per_block;
    memset(block, 0, sizeof *block);
    block->bytes = round_up(warps * sizeof *block->warps, 64) + warps * each + launch->shared_bytes + 64;
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
        warp->affine_q = (struct affine *)((uint8_t *)warp->affine_r
                                           + round_up(launch->code->r_bytes >> AFFINE_R_SHIFT, 64));
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
    memset(block->shared, 0xA5, launch->shared_bytes);   /* like a GPU's: what the last user left, never zeros */
    return true;
}

void block_destroy(struct block *block)
{
    async_block_destroy(block);
    checks_block_destroy(block);
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
    warp->fragments[0] = (struct fragment){.mask = lanes, .at = launch->code->operations,
                                           .r = warp->r_base, .q = warp->q_base, .p = warp->p_base};
    warp->live = lanes;
    warp->mask = 0;
    warp->budget = SLICE;
    warp->polls = 0;
    warp->carry = 0;
    warp->shared = warp->block->shared;
    warp->parked = warp->resume = NULL;
    warp->yielded = 0;
    warp->held_up = 0;
    warp->quiet = launch->quiet;
    warp->counts = launch->counts;
    warp->unchecked = !launch->checks;
    if (launch->counts) {
        warp->common_instructions = warp->partial_instructions = 0;
        warp->partial_mask = 0;
        if (warp->uneven)
            memset(warp->lane_instructions, 0, sizeof warp->lane_instructions);
        warp->uneven = false;
    }
}

void block_start(struct block *block, struct launch *launch, uint64_t linear)
{
    const uint32_t *grid = launch->request->grid;
    block->running = true;
    block->linear = linear;
    block->index[0] = (uint32_t)(linear % grid[0]);
    block->index[1] = (uint32_t)(linear / grid[0] % grid[1]);
    block->index[2] = (uint32_t)(linear / grid[0] / grid[1]);
    block->live_threads = launch->threads_per_block;
    block->early_exit_reported = false;
    memset(block->barriers, 0, sizeof block->barriers);
    block->barriers_used = block->parked_threads = 0;
    block->parked_at = NULL;
    block->parked_apart = false;
    for (uint32_t i = 0; i < launch->warps_per_block; i++)
        start_warp(&block->warps[i], launch);
    checks_block_start(launch, block);
    for (uint32_t i = 0; i < launch->warps_per_block && launch->stepped; i++)
        block->warps[i].poisoned = WARP_STEPPED;   /* operations return to schedule_run one by one */
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
        checks_arrive(warp, number);
        return operation + 1;
    }
    return warp_wait_block(warp, operation, number, threads);
}

/* Visits every fragment of the block that waits at barrier `number`. */
#define FOR_WAITING(block, launch, number, warp, fragment)                                                                 \
    for (struct warp *warp = (block)->warps; warp < (block)->warps + (launch)->warps_per_block; warp++)                    \
        for (uint32_t rest_ = warp->at_barrier; rest_; rest_ &= rest_ - 1)                                                 \
            for (struct fragment *fragment = &warp->fragments[__builtin_ctz(rest_)];                                       \
                 fragment && fragment->barrier == (number); fragment = NULL)

struct waiting {
    uint32_t threads;        /* that wait */
    uint32_t asked;          /* count given by the waiting; 0: all */
    const struct operation *at;
    struct place place;
    const struct operation *other_at;   /* one at another line; NULL when there is none */
    struct warp *warp;
    unsigned lane;
};

static struct waiting look_at_barrier(struct block *block, struct launch *launch, uint32_t number)
{
    struct waiting waiting = {.threads = block->barriers[number].waiting, .asked = block->barriers[number].asked};
    FOR_WAITING(block, launch, number, warp, fragment) {
        struct place place = launch_place(launch, fragment->at);
        if (!waiting.at) {
            waiting.at = fragment->at;
            waiting.place = place;
            waiting.warp = warp;
            waiting.lane = (unsigned)__builtin_ctz(fragment->mask);
        } else if (fragment->at != waiting.at && !waiting.other_at && (place.line != waiting.place.line || !place.line)) {
            waiting.other_at = fragment->at;
        }
    }
    return waiting;
}

static void report_mismatch(struct launch *launch, const struct waiting *waiting)
{
    struct finding finding;
    struct place other = launch_place(launch, waiting->other_at);
    launch_finding(waiting->warp, waiting->at, waiting->lane, FINDING_barrier_mismatch, &finding);
    snprintf(finding.file2, sizeof finding.file2, "%s", other.file ? other.file : "");
    finding.line2 = other.line;
    finding_text(&finding, "some threads wait at the barrier of line %d, others at the barrier of line %d", finding.line,
                 other.line);
    finding_collect(launch->findings, &finding);
    launch_raise(launch, LAUNCH_FAILED);
}

/* Threads have left the kernel before a barrier that the others complete without them. */
static void report_early_exit(struct block *block, struct launch *launch, const struct waiting *waiting)
{
    for (uint32_t i = 0; i < launch->warps_per_block; i++) {
        struct warp *warp = &block->warps[i];
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            if (warp->live >> lane & 1 || warp->index * WARP_LANES + lane >= launch->threads_per_block)
                continue;
            struct finding finding;
            const struct operation *left = warp->exit_branch[lane] ? warp->exit_branch[lane] : warp->exit_at[lane];
            struct place barrier = waiting->place;
            launch_finding(warp, left, lane, FINDING_early_exit, &finding);
            snprintf(finding.file2, sizeof finding.file2, "%s", barrier.file ? barrier.file : "");
            finding.line2 = barrier.line;
            uint32_t gone = launch->threads_per_block - block->live_threads;
            finding.count = gone;
            finding_text(&finding, "%u thread%s of the block left at line %d; the others go on to the barrier of line %d "
                         "without %s", gone, gone == 1 ? "" : "s", finding.line, barrier.line, gone == 1 ? "it" : "them");
            finding_collect(launch->findings, &finding);
            block->early_exit_reported = true;
            return;
        }
    }
}

static bool predicate_of(const struct fragment *fragment, unsigned lane)
{
    const struct operation *at = fragment->at;
    uint32_t bits = fragment->p[at->c] ^ (at->extra & BARRIER_NEGATED ? ALL_LANES : 0);
    return bits >> lane & 1;
}

/* bar.red: the result of all that wait, for each of them. */
static void reduce(struct block *block, struct launch *launch, uint32_t number)
{
    uint32_t count = 0, threads = 0;
    bool reduces = false;
    FOR_WAITING(block, launch, number, warp, fragment) {
        if (!(fragment->at->extra & (BARRIER_AND | BARRIER_OR | BARRIER_POPC)))
            continue;
        reduces = true;
        for (uint32_t rest = fragment->mask; rest; rest &= rest - 1, threads++)
            count += predicate_of(fragment, (unsigned)__builtin_ctz(rest));
    }
    if (!reduces)
        return;
    FOR_WAITING(block, launch, number, warp, fragment) {
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

/* Fragments of one warp that waited at the same place go on as one. */
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

/* How many whole warps wait at a barrier, in threads: what a barrier with a count goes by. */
static uint32_t waiting_in_warps(struct block *block, struct launch *launch, uint32_t number)
{
    uint32_t threads = 0;
    const struct warp *counted = NULL;
    FOR_WAITING(block, launch, number, warp, fragment) {
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
        bool left = !barrier->asked && block->live_threads < launch->threads_per_block && !block->early_exit_reported;
        if (barrier->mixed || left) {
            struct waiting waiting = look_at_barrier(block, launch, number);
            if (waiting.other_at)
                report_mismatch(launch, &waiting);
            if (left)
                report_early_exit(block, launch, &waiting);
        }
        checks_barrier(launch, block, number);
        reduce(block, launch, number);
        release(block, launch, number);
        released = true;
    }
    return released;
}

/* All live threads are parked at one barrier: they go on. Returns false where more has to be looked at. */
static bool release_parked(struct block *block, struct launch *launch)
{
    if (block->parked_apart || block->barriers_used || block->parked_threads != launch->threads_per_block
        || block->barriers[block->parked_at->immediate].given)
        return false;
    checks_barrier(launch, block, (uint32_t)block->parked_at->immediate);
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

/* ---- when nobody can move ---- */

/* A fragment waits for lanes of its warp that wait elsewhere or are gone: it is told so and goes on. */
static bool free_warp_barriers(struct block *block, struct launch *launch)
{
    for (uint32_t i = 0; i < launch->warps_per_block; i++) {
        struct warp *warp = &block->warps[i];
        if (warp->at_warp_barrier) {
            unsigned slot = (unsigned)__builtin_ctz(warp->at_warp_barrier);
            struct fragment *fragment = &warp->fragments[slot];
            struct finding finding;
            uint32_t missing = fragment->members & ~fragment->mask;
            unsigned lane = (unsigned)__builtin_ctz(missing ? missing : fragment->mask);
            launch_finding(warp, fragment->at, (unsigned)__builtin_ctz(fragment->mask), FINDING_sync_mask, &finding);
            finding_text(&finding, "the mask 0x%08x names lane %u, which %s", fragment->members, lane,
                         warp->live >> lane & 1 ? "waits elsewhere and cannot come" : "has left the kernel");
            finding_collect(launch->findings, &finding);
            launch_raise(launch, LAUNCH_FAILED);
            warp->at_warp_barrier &= ~(1u << slot);
            warp->ready |= 1u << slot;
            fragment->passes = true;
            return true;
        }
    }
    return false;
}

static void report_deadlock(struct block *block, struct launch *launch)
{
    struct waiting first = {0}, second = {0};
    uint32_t number = 0, other = 0;
    for (uint32_t i = 0; i < BARRIER_COUNT; i++) {
        struct waiting waiting = look_at_barrier(block, launch, i);
        if (!waiting.at)
            continue;
        if (!first.at) {
            first = waiting;
            number = i;
        } else if (!second.at) {
            second = waiting;
            other = i;
        }
    }
    if (!first.at)
        return;
    struct finding finding;
    launch_finding(first.warp, first.at, first.lane, FINDING_deadlock, &finding);
    if (second.at) {
        finding.line2 = second.place.line;
        snprintf(finding.file2, sizeof finding.file2, "%s", second.place.file ? second.place.file : "");
        finding_text(&finding,
                     "%u threads wait at barrier %u (line %d) and %u at barrier %u (line %d): neither can complete",
                     first.threads, number, finding.line, second.threads, other, finding.line2);
    } else {
        finding_text(&finding, "%u threads wait at barrier %u (line %d), which asks for %u; no other thread can come",
                     first.threads, number, finding.line, first.asked ? first.asked : block->live_threads);
    }
    finding_collect(launch->findings, &finding);
    launch_raise(launch, LAUNCH_FAILED);
}

/* A fragment that could go on, for "which loop runs". NULL when none has begun. */
static const struct fragment *running_fragment(struct block *block, struct launch *launch, struct warp **owner)
{
    for (uint32_t i = 0; i < launch->warps_per_block; i++)
        for (uint32_t rest = block->warps[i].ready; rest; rest &= rest - 1) {
            const struct fragment *fragment = &block->warps[i].fragments[__builtin_ctz(rest)];
            *owner = &block->warps[i];
            if (fragment->at != launch->code->operations)
                return fragment;
        }
    return NULL;
}

void block_report_stuck(struct block *block, struct launch *launch, uint64_t not_begun)
{
    struct warp *warp;
    const struct fragment *fragment = running_fragment(block, launch, &warp);
    if (!fragment)
        return;
    struct finding finding;
    launch_finding(warp, fragment->at, (unsigned)__builtin_ctz(fragment->mask), FINDING_deadlock, &finding);
    finding_text(&finding,
                 "the loop at line %d waits for what another block must do, but %llu block%s cannot begin before a running "
                 "one ends: nothing says in which order blocks run",
                 finding.line, (unsigned long long)not_begun, not_begun == 1 ? "" : "s");
    finding_collect(launch->findings, &finding);
    launch_abort(launch, LAUNCH_TIMEOUT);
}

/* The jump back that closes the innermost loop around an operation: it stands at the loop's own line, the operation anywhere
 * inside. Where there is none, or its line is unknown: the operation. */
static const struct operation *find_loop(const struct launch *launch, const struct operation *at)
{
    const struct code *code = launch->code;
    for (const struct operation *jump = at; jump < code->operations + code->operation_count; jump++) {
        bool jumps = jump->handler == HANDLER_branch || jump->handler == HANDLER_jump;
        if (jumps && jump->target <= at && jump->target >= code->operations)
            return launch_place(launch, jump).line > 0 ? jump : at;
    }
    return at;
}

/* Out of fuel: the loop that runs, or the barrier at which others wait for those who loop. */
static void report_fuel(struct block *block, struct launch *launch)
{
    struct warp *loop_warp;
    if (async_report_stuck(block, launch))
        return;
    const struct fragment *fragment = running_fragment(block, launch, &loop_warp);
    if (!fragment)
        return;
    const struct operation *loop = find_loop(launch, fragment->at);
    unsigned lane = (unsigned)__builtin_ctz(fragment->mask);
    struct waiting waiting = {0};
    for (uint32_t number = 0; number < BARRIER_COUNT && !waiting.at; number++)
        waiting = look_at_barrier(block, launch, number);
    struct finding finding;
    struct place place = launch_place(launch, loop);
    if (waiting.at) {
        launch_finding(waiting.warp, waiting.at, waiting.lane, FINDING_barrier_divergent, &finding);
        finding.line2 = place.line;
        snprintf(finding.file2, sizeof finding.file2, "%s", place.file ? place.file : "");
        finding_text(&finding, "%u threads wait at the barrier of line %d, others stay in the loop of line %d",
                     waiting.threads, finding.line, place.line);
    } else {
        launch_finding(loop_warp, loop, lane, FINDING_fuel, &finding);
        finding_text(&finding, "the loop at line %d still runs after %lld million warp instructions", place.line,
                     (long long)(launch->fuel_limit / 1000000));
    }
    finding_collect(launch->findings, &finding);
}

/* One turn of a warp: until nothing in it can go on, or it has had its slice. Returns false when it could not move at all,
 * or is held up. */
static bool run_warp(struct warp *warp)
{
    const struct operation *operation = warp->resume;
    if (warp->held_up)
        return false;
    warp->resume = NULL;
    if (!operation && warp->ready)
        operation = warp_next(warp);
    if (!operation)
        return false;
    struct launch *launch = warp->launch;
    if (launch->stepped)
        schedule_run(warp, operation);
    else if (launch->checks)
        checks_run(warp, operation);
    else
        while (operation)
            operation = operation->run(warp, operation);
    launch->warp_instructions += (uint64_t)(SLICE - warp->budget);
    launch->fuel -= SLICE - warp->budget;
    warp->budget = SLICE;
    return true;
}

bool block_run(struct block *block, struct launch *launch)
{
    enum { TURNS = 8 };   /* of a block whose warps only poll, before other blocks get theirs */
    bool falling = launch->schedule->warps == SCHEDULE_FALLING;
    unsigned turns = launch->schedule->step == SCHEDULE_STEP_TURNS ? 1 : TURNS;
    for (unsigned idle = 0; idle < turns;) {
        bool moved = false, blocked = true;
        for (uint32_t i = 0; i < launch->warps_per_block && !launch->aborted; i++) {
            struct warp *warp = &block->warps[falling ? launch->warps_per_block - 1 - i : i];
            moved |= run_warp(warp);
            blocked &= !warp->ready;
        }
        /* A loop whose turns end at a barrier never uses up a slice: it runs out of fuel here. */
        bool spent = launch->fuel <= 0;
        if (block->parked_at && !launch->aborted && !spent && release_parked(block, launch)) {
            idle = 0;
            continue;
        }
        if (block->parked_at)
            unpark(block, launch);
        if (launch->aborted) {
            if (launch->fuel <= 0)
                report_fuel(block, launch);
            return true;
        }
        if (!block->live_threads)
            return true;
        if (try_barriers(block, launch)) {
            idle = 0;
            if (!spent)
                continue;
            launch->aborted = true;
            report_fuel(block, launch);
            return true;
        }
        if (blocked && !free_warp_barriers(block, launch)) {
            report_deadlock(block, launch);
            return true;
        }
        if (moved)
            idle += !blocked;
        else if (!blocked)
            return false;   /* all who could go on are held up */
    }
    return false;
}
