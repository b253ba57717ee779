#include "runtime/emulator/machine/warp_flow.h"

#include "runtime/emulator/machine/exchange.h"
#include "runtime/emulator/machine/hooks.h"
#include "runtime/emulator/machine/interrupt.h"
#include "runtime/emulator/machine/passing.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/turn.h"
#include "runtime/emulator/machine/waiting.h"
#include "runtime/emulator/machine/warp_state.h"

/* There are never more fragments than lanes, so a slot is always free. */
static unsigned free_slot(const struct warp *warp)
{
    return (unsigned)__builtin_ctz(~(warp->ready | warp->at_barrier | warp->at_warp_barrier));
}

/* Where lanes go one by one, a fragment has the slot of its first lane in their order, so that the next one is found by
 * the slots alone. These masks do not change while they are there. */
static unsigned slot_for(const struct warp *warp, uint32_t mask)
{
    enum schedule_lanes lanes = warp->launch->schedule->lanes;
    unsigned slot = lanes == SCHEDULE_LANES_RISING ? (unsigned)__builtin_ctz(mask) : 31 - (unsigned)__builtin_clz(mask);
    bool by_lane = lanes == SCHEDULE_LANES_RISING || lanes == SCHEDULE_LANES_FALLING;
    return by_lane && !((warp->ready | warp->at_barrier | warp->at_warp_barrier) >> slot & 1) ? slot : free_slot(warp);
}

/* Suspends the running fragment, in a slot that the caller enters in one of the three sets. */
static unsigned save(struct warp *warp, const struct operation *at, uint32_t mask)
{
    unsigned slot = slot_for(warp, mask);
    warp->fragments[slot] = (struct fragment){.mask = mask,
                                              .at = at,
                                              .join = warp->join,
                                              .r = warp->r,
                                              .q = warp->q,
                                              .p = warp->p,
                                              .local_base = warp->local_base,
                                              .depth = warp->depth,
                                              .last_branch = warp->last_branch};
    return slot;
}

void warp_set_aside(struct warp *warp, const struct operation *at, uint32_t lanes)
{
    warp->ready |= 1u << save(warp, at, lanes);
}

static const struct operation *resume(struct warp *warp, unsigned slot)
{
    const struct fragment *fragment = &warp->fragments[slot];
    warp->r = fragment->r;
    warp->q = fragment->q;
    warp->p = fragment->p;
    warp->local_base = fragment->local_base;
    warp->depth = fragment->depth;
    warp->join = fragment->join;
    warp->last_branch = fragment->last_branch;
    warp->passes = fragment->passes;
    warp->polled |= warp->polls != 0;
    warp->polls = 0;
    warp_set_mask(warp, fragment->mask);
    warp->ready &= ~(1u << slot);
    return fragment->at;
}

static struct join *allocate_join(struct warp *warp)
{
    if (!~warp->joins_used)
        return NULL;
    unsigned slot = (unsigned)__builtin_ctzll(~warp->joins_used);
    warp->joins_used |= (uint64_t)1 << slot;
    return &warp->joins[slot];
}

static void free_join(struct warp *warp, struct join *join)
{
    warp->joins_used &= ~((uint64_t)1 << (join - warp->joins));
}

/* Lanes that wait inside a join become a separate fragment. */
static void release_arrived(struct warp *warp, struct join *join)
{
    unsigned slot = free_slot(warp);
    warp->fragments[slot] = (struct fragment){.mask = join->arrived,
                                              .at = join->at,
                                              .join = join->parent,
                                              .r = join->r,
                                              .q = join->q,
                                              .p = join->p,
                                              .local_base = join->local_base,
                                              .depth = join->depth,
                                              .last_branch = join->last_branch};
    warp->ready |= 1u << slot;
    join->expected &= ~join->arrived;
    join->arrived = 0;
    if (!join->expected)
        free_join(warp, join);
}

/* Lanes will never reach the join. */
static void forget_lanes(struct warp *warp, struct join *join, uint32_t lanes)
{
    join->expected &= ~lanes;
    if (!join->expected)
        free_join(warp, join);
    else if (join->arrived == join->expected)
        release_arrived(warp, join);
}

static void dissolve(struct warp *warp, struct join *join)
{
    join->dissolved = true;
    release_arrived(warp, join);
}

/* A join in which lanes wait; NULL when there is none. */
static struct join *waiting_join(struct warp *warp)
{
    for (uint64_t used = warp->joins_used; used; used &= used - 1)
        if (warp->joins[__builtin_ctzll(used)].arrived)
            return &warp->joins[__builtin_ctzll(used)];
    return NULL;
}

/* Which ready fragment is next under such a schedule: those that yielded come after all others. There must be one. */
static unsigned pick(struct warp *warp)
{
    const struct schedule *schedule = warp->launch->schedule;
    uint32_t candidates = 0;
    if (!warp->yielded && schedule->lanes == SCHEDULE_LANES_RISING) /* a fragment has the slot of its first lane */
        return (unsigned)__builtin_ctz(warp->ready);
    if (!warp->yielded && schedule->lanes == SCHEDULE_LANES_FALLING)
        return 31 - (unsigned)__builtin_clz(warp->ready);
    for (uint32_t rest = warp->ready; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctz(rest);
        if (!(warp->fragments[slot].mask & warp->yielded))
            candidates |= 1u << slot;
    }
    if (!candidates) { /* all have had a turn */
        warp->yielded = 0;
        candidates = warp->ready;
    }
    unsigned best = 31 - (unsigned)__builtin_clz(candidates);
    if (schedule->lanes != SCHEDULE_LANES_RISING && schedule->lanes != SCHEDULE_LANES_FALLING)
        return best;
    for (uint32_t rest = candidates; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctz(rest);
        uint32_t mask = warp->fragments[slot].mask, best_mask = warp->fragments[best].mask;
        if (schedule->lanes == SCHEDULE_LANES_RISING ? __builtin_ctz(mask) < __builtin_ctz(best_mask)
                                                     : __builtin_clz(mask) < __builtin_clz(best_mask))
            best = slot;
    }
    return best;
}

const struct operation *warp_next(struct warp *warp)
{
    /* Nothing can run: joins must not hold any lane back. */
    if (!warp->ready) {
        struct join *join = waiting_join(warp);
        if (!join) {
            warp->mask = 0;
            return NULL;
        }
        dissolve(warp, join);
    }
    return resume(warp, warp->launch->stepped || warp->yielded ? pick(warp) : 31 - (unsigned)__builtin_clz(warp->ready));
}

const struct operation *warp_diverge(struct warp *warp, const struct operation *branch, uint32_t taken)
{
    work_add(WORK_SPLIT);
    const struct operation *meeting = branch->reconverge;
    struct join *join = warp->join;
    warp->launch->divergent_branches++;
    if (meeting && !warp->launch->apart
        && !(join && join->at == meeting && join->depth == warp->depth && !join->dissolved)) {
        join = allocate_join(warp);
        if (join) {
            *join = (struct join){.at = meeting,
                                  .expected = warp->mask,
                                  .depth = warp->depth,
                                  .parent = warp->join,
                                  .r = warp->r,
                                  .q = warp->q,
                                  .p = warp->p,
                                  .local_base = warp->local_base};
            warp->join = join;
        }
    }
    uint32_t others = warp->mask & ~taken;
    warp_set_aside(warp, branch->target, taken);
    warp_set_mask(warp, others);
    return branch + 1;
}

const struct operation *warp_arrive(struct warp *warp, const struct operation *at)
{
    while (warp->join && warp->join->at == at && warp->join->depth == warp->depth) {
        struct join *join = warp->join;
        if (join->dissolved) {
            warp->join = join->parent;
            forget_lanes(warp, join, warp->mask);
            continue;
        }
        join->arrived |= warp->mask;
        join->last_branch = warp->last_branch;
        if (join->arrived != join->expected)
            return warp_next(warp);
        warp_set_mask(warp, join->arrived);
        warp->join = join->parent;
        free_join(warp, join);
    }
    return NULL; /* continues here */
}

/* The lanes of its mask that such an operation waits for: those that have left the kernel, or never began, are not waited for
 * (PTX ISA: "all non-exited threads corresponding to membermask"). A matrix operation needs the whole warp. */
static uint32_t awaited(const struct warp *warp, const struct operation *at, uint32_t members)
{
    return at->handler == HANDLER_matrix_gather ? members : members & warp->live;
}

/* Lanes have left: those that waited for nobody else do their operation again, and find themselves complete. */
static void release_complete(struct warp *warp)
{
    for (uint32_t rest = warp->at_warp_barrier; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctz(rest);
        const struct fragment *fragment = &warp->fragments[slot];
        uint32_t there = 0;
        for (uint32_t others = warp->at_warp_barrier; others; others &= others - 1) {
            const struct fragment *other = &warp->fragments[__builtin_ctz(others)];
            bool same = other->at == fragment->at || exchange_is_same(other->at, fragment->at);
            there |= same && other->members == fragment->members ? other->mask : 0;
        }
        if (awaited(warp, fragment->at, fragment->members) & ~there)
            continue;
        warp->at_warp_barrier &= ~(1u << slot);
        warp->ready |= 1u << slot;
        return; /* it takes the others along */
    }
}

const struct operation *warp_exit(struct warp *warp, const struct operation *at)
{
    uint32_t leaving = warp->mask;
    warp->live &= ~leaving;
    warp->block->live_threads -= (uint32_t)__builtin_popcount(leaving);
    if (leaving == ALL_LANES && warp->block->live_threads) { /* some threads stay, and may ask */
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            warp->exit_branch[lane] = warp->last_branch;
            warp->exit_at[lane] = at;
        }
    } else if (warp->block->live_threads || warp->live) {
        for (uint32_t rest = leaving; rest; rest &= rest - 1) {
            warp->exit_branch[__builtin_ctz(rest)] = warp->last_branch;
            warp->exit_at[__builtin_ctz(rest)] = at;
        }
    }
    for (struct join *join = warp->join, *parent; join; join = parent) {
        parent = join->parent;
        forget_lanes(warp, join, leaving);
    }
    if (warp->at_warp_barrier)
        release_complete(warp);
    return warp_next(warp);
}

static uint32_t ready_lanes(const struct warp *warp)
{
    uint32_t lanes = 0;
    for (uint32_t rest = warp->ready; rest; rest &= rest - 1)
        lanes |= warp->fragments[__builtin_ctz(rest)].mask;
    return lanes;
}

/* A slice was used up without a poll. Are the registers as they were after an earlier one, so that the warp may be waiting
 * for others by plain loads, or for nothing? Looked for as in endless.c, and rarely. */
static bool spins(struct warp *warp, const struct operation *at)
{
    enum { FIRST_LOOK = 16, COMPARED = 64 }; /* lanes that go one by one take turns */
    uint64_t slice = ++warp->slices;
    bool power = (slice & (slice - 1)) == 0;
    if (warp->slice < warp->launch->slice)
        return true;
    if (slice < FIRST_LOOK || (!power && slice - warp->slices_taken > COMPARED))
        return false;
    uint64_t state = warp_state(warp, at);
    if (warp->slices_taken && state == warp->state) {
        warp->launch->spins = true;
        if (SHORT_SLICE < warp->slice)
            warp->slice = SHORT_SLICE;
        return true;
    }
    if (power) {
        warp->state = state;
        warp->slices_taken = slice;
    }
    return false;
}

/* Those that run poll: they may wait for lanes that joins hold back, which go on now, before all others. */
static void release_joins(struct warp *warp)
{
    for (struct join *join; (join = waiting_join(warp));) {
        warp->yielded &= ~join->arrived;
        dissolve(warp, join);
    }
    warp->kept_waiting = 0;
}

const struct operation *warp_yield(struct warp *warp, const struct operation *at)
{
    struct launch *launch = warp->launch;
    int64_t used = warp->slice - warp->budget;
    bool polls = warp->polls >= POLL_LIMIT || spins(warp, at);
    launch->warp_instructions += (uint64_t)used;
    launch->fuel -= used;
    work_add((uint64_t)used);
    warp->budget = warp->slice;
    if (launch->fuel <= 0 || work_is_spent() || interrupt_signal) {
        unsigned slot = save(warp, at, warp->mask);
        warp->ready |= 1u << slot;
        launch->spender = warp;
        launch->spent_at = &warp->fragments[slot];
        launch->aborted = true;
        warp->mask = 0;
        return NULL;
    }
    if (turn_is_wanted(launch)) { /* by run_warp */
        warp_set_aside(warp, at, warp->mask);
        warp->mask = 0;
        return NULL;
    }
    if (!polls && !warp->ready)
        return at;
    warp->polled |= warp->polls != 0;
    warp->polls = 0;
    warp->yielded |= warp->mask;
    if (!(ready_lanes(warp) & ~warp->yielded)) { /* all have had a turn */
        if (polls)
            release_joins(warp);
        if (!(ready_lanes(warp) & ~warp->yielded)) {
            warp_set_aside(warp, at, warp->mask);
            warp->yielded = warp->mask = 0;
            return NULL; /* the block turns to its other warps */
        }
    }
    warp_set_aside(warp, at, warp->mask);
    return warp_next(warp);
}

void warp_give_way(struct warp *warp, const struct operation *at)
{
    warp->yielded |= warp->mask;
    warp_set_aside(warp, at, warp->mask);
    warp->mask = 0;
    if (!waiting_join(warp))
        warp->kept_waiting = 0;
    else if (warp->polls && ++warp->kept_waiting == POLL_LIMIT)
        release_joins(warp);
}

const struct operation *warp_wait_block(struct warp *warp, const struct operation *at, uint32_t number, uint32_t threads)
{
    struct block *block = warp->block;
    struct barrier *barrier = &block->barriers[number];
    unsigned slot = save(warp, at, warp->mask);
    warp->at_barrier |= 1u << slot;
    warp->fragments[slot].barrier = number;
    warp->fragments[slot].barrier_threads = threads;
    barrier->mixed |= barrier->at && barrier->at != at;
    if (!barrier->at) {
        barrier->at = at;
        barrier->asked = threads;
    }
    barrier->waiting += (uint32_t)__builtin_popcount(warp->mask);
    block->barriers_used |= 1u << number;
    return warp_next(warp);
}

void warp_park(struct warp *warp, const struct operation *at)
{
    struct block *block = warp->block;
    warp->parked = at;
    block->parked_threads += warp->live == ALL_LANES ? WARP_LANES : (uint32_t)__builtin_popcount(warp->live);
    block->parked_apart |= block->parked_at && block->parked_at != at;
    if (!block->parked_at)
        block->parked_at = at;
    warp->launch->barrier_arrivals++;
}

/* Lanes that may still arrive: ready, or waiting in a join. */
static uint32_t free_lanes(const struct warp *warp)
{
    uint32_t lanes = ready_lanes(warp);
    for (uint64_t used = warp->joins_used; used; used &= used - 1)
        lanes |= warp->joins[__builtin_ctzll(used)].arrived;
    return lanes;
}

/* Takes a fragment that waits at a warp barrier into the running one. Their joins may differ: the innermost that expects
 * both is kept. */
static void absorb(struct warp *warp, unsigned slot)
{
    struct fragment *fragment = &warp->fragments[slot];
    uint32_t both = warp->mask | fragment->mask;
    struct join *join = warp->join, *other = fragment->join;
    warp->at_warp_barrier &= ~(1u << slot);
    while (join && (join->expected & both) != both) {
        struct join *parent = join->parent;
        forget_lanes(warp, join, warp->mask);
        join = parent;
    }
    while (other && other != join) {
        struct join *parent = other->parent;
        forget_lanes(warp, other, fragment->mask);
        other = parent;
    }
    warp->join = join;
    warp_set_mask(warp, both);
}

/* These operations count by their mask, wherever they are: lanes that wait at another instruction with the same
 * operation and mask have arrived as well. Returns their slots when that makes them complete, else 0. */
static uint32_t complete_elsewhere(const struct warp *warp, const struct operation *at, uint32_t members)
{
    uint32_t there = warp->mask, slots = 0;
    for (uint32_t rest = warp->at_warp_barrier; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctz(rest);
        const struct fragment *fragment = &warp->fragments[slot];
        if (fragment->members == members && exchange_is_same(fragment->at, at)) {
            there |= fragment->mask;
            slots |= 1u << slot;
        }
    }
    return awaited(warp, at, members) & ~there ? 0 : slots;
}

/* All have arrived, at several instructions: each continues from its own. Returns true when the operation must still be
 * done, else *next is what follows it. */
static bool meet_elsewhere(struct warp *warp, const struct operation *at, uint32_t members, uint32_t slots,
                           const struct operation **next)
{
    uint32_t there = warp->mask;
    warp->at_warp_barrier &= ~slots;
    warp->ready |= slots;
    if (at->handler != HANDLER_warp_barrier) {
        exchange_run(warp, at, members, slots);
        *next = at + 1;
        return false;
    }
    for (uint32_t rest = slots; rest; rest &= rest - 1) {
        there |= warp->fragments[__builtin_ctz(rest)].mask;
        warp->fragments[__builtin_ctz(rest)].passes = true;
    }
    if (warp->launch->watched)
        warp->launch->hooks->warp_barrier(warp, there);
    return true;
}

/* Lanes that should arrive wait for others at an operation earlier in the code: it is they that expect too many. This is
 * reported, and they continue. Returns false when there are none. */
static bool let_earlier_pass(struct warp *warp, const struct operation *at, uint32_t missing)
{
    for (uint32_t rest = warp->at_warp_barrier; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctz(rest);
        struct fragment *fragment = &warp->fragments[slot];
        if (!(fragment->mask & missing) || fragment->at >= at || fragment->depth != warp->depth
            || !(fragment->members & warp->mask))
            continue;
        /* the running lanes are at `at`, where the finding looks for them */
        unsigned self = save(warp, at, warp->mask);
        warp->at_warp_barrier |= 1u << self;
        waiting_report_mask(warp, fragment->at, fragment->mask, fragment->members);
        warp->at_warp_barrier &= ~(1u << self | 1u << slot);
        warp->ready |= 1u << slot;
        fragment->passes = true;
        return true;
    }
    return false;
}

/* Lanes of the mask that have left, of which one went around the operation: it did not come though it could. */
static void report_gone_around(struct warp *warp, const struct operation *at, uint32_t members)
{
    uint32_t threads = warp->launch->threads_per_block - warp->index * WARP_LANES;
    uint32_t gone = members & ~warp->live & (threads >= WARP_LANES ? ALL_LANES : (1u << threads) - 1);
    for (; gone; gone &= gone - 1)
        if (passing_went_on(warp, (unsigned)__builtin_ctz(gone), at)) {
            waiting_report_gone_around(warp, at, members, (unsigned)__builtin_ctz(gone));
            return;
        }
}

bool warp_gather(struct warp *warp, const struct operation *at, uint32_t members, const struct operation **next)
{
    work_add(WORK_EXCHANGE);
    if (warp->passes) {
        warp->passes = false;
        return true;
    }
    if (warp->mask & ~members)
        waiting_report_mask(warp, at, warp->mask, members);
    for (uint32_t rest = warp->at_warp_barrier; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctz(rest);
        const struct fragment *fragment = &warp->fragments[slot];
        if (fragment->at == at && fragment->members == members && fragment->depth == warp->depth && fragment->r == warp->r)
            absorb(warp, slot);
    }
    uint32_t missing = awaited(warp, at, members) & ~warp->mask;
    if (!missing) {
        if (members & ~warp->live)
            report_gone_around(warp, at, members);
        return true;
    }
    uint32_t slots = complete_elsewhere(warp, at, members);
    if (slots)
        return meet_elsewhere(warp, at, members, slots, next);
    if (missing & warp->live & free_lanes(warp) || let_earlier_pass(warp, at, missing)) {
        unsigned slot = save(warp, at, warp->mask);
        warp->at_warp_barrier |= 1u << slot;
        warp->fragments[slot].members = members;
        *next = warp_next(warp);
        return false;
    }
    waiting_report_mask(warp, at, warp->mask, members);
    return true;
}
