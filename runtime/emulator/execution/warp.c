/* Divergence, joins, and the waiting states of a warp's fragments. */
#include "runtime/emulator/execution/warp.h"

#include <string.h>

void warp_set_mask(struct warp *warp, uint32_t mask)
{
    warp->mask = mask;
    if (mask == warp->lane_mask_of)
        return;
    warp->lane_mask_of = mask;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        warp->lane_mask[lane] = -(int32_t)(mask >> lane & 1);
}

/* Puts the running fragment aside. */
static struct fragment *save(struct warp *warp, const struct operation *at, uint32_t mask, enum fragment_state state)
{
    struct fragment *fragment = warp->fragments;
    while (fragment->state != FRAGMENT_FREE)
        fragment++;   /* there are never more fragments than lanes */
    *fragment = (struct fragment){.state = state, .mask = mask, .at = at, .join = warp->join, .r = warp->r, .q = warp->q,
                                  .p = warp->p, .local_base = warp->local_base, .depth = warp->depth,
                                  .last_branch = warp->last_branch};
    return fragment;
}

static const struct operation *resume(struct warp *warp, struct fragment *fragment)
{
    warp->r = fragment->r;
    warp->q = fragment->q;
    warp->p = fragment->p;
    warp->local_base = fragment->local_base;
    warp->depth = fragment->depth;
    warp->join = fragment->join;
    warp->last_branch = fragment->last_branch;
    warp->passes = fragment->passes;
    warp->polls = 0;
    warp_set_mask(warp, fragment->mask);
    fragment->state = FRAGMENT_FREE;
    return fragment->at;
}

static struct join *allocate_join(struct warp *warp)
{
    for (unsigned i = 0; i < sizeof warp->joins / sizeof *warp->joins; i++)
        if (!warp->joins[i].at)
            return &warp->joins[i];
    return NULL;
}

/* Lanes that wait inside a join become a fragment of their own. */
static void release_arrived(struct warp *warp, struct join *join)
{
    struct fragment *fragment = warp->fragments;
    while (fragment->state != FRAGMENT_FREE)
        fragment++;
    *fragment = (struct fragment){.state = FRAGMENT_READY, .mask = join->arrived, .at = join->at, .join = join->parent,
                                  .r = join->r, .q = join->q, .p = join->p, .local_base = join->local_base,
                                  .depth = join->depth, .last_branch = join->last_branch};
    join->expected &= ~join->arrived;
    join->arrived = 0;
    if (!join->expected)
        join->at = NULL;
}

/* Lanes will never reach the joins of this chain. */
static void forget_lanes(struct warp *warp, struct join *join, uint32_t lanes)
{
    while (join) {
        struct join *parent = join->parent;
        join->expected &= ~lanes;
        if (!join->expected)
            join->at = NULL;
        else if (join->arrived == join->expected)
            release_arrived(warp, join);
        join = parent;
    }
}

const struct operation *warp_next(struct warp *warp)
{
    /* The latest split first: its lanes are the likeliest to complete a join. */
    for (int i = WARP_LANES - 1; i >= 0; i--)
        if (warp->fragments[i].state == FRAGMENT_READY)
            return resume(warp, &warp->fragments[i]);
    /* Nothing can run: joins must not hold anyone back. */
    for (unsigned i = 0; i < sizeof warp->joins / sizeof *warp->joins; i++) {
        struct join *join = &warp->joins[i];
        if (join->at && join->arrived) {
            join->dissolved = true;
            release_arrived(warp, join);
            return warp_next(warp);
        }
    }
    warp->mask = 0;
    return NULL;
}

const struct operation *warp_diverge(struct warp *warp, const struct operation *branch, uint32_t taken)
{
    const struct operation *meeting = branch->reconverge;
    struct join *join = warp->join;
    warp->launch->divergent_branches++;
    if (meeting && !(join && join->at == meeting && join->depth == warp->depth && !join->dissolved)) {
        join = allocate_join(warp);
        if (join) {
            *join = (struct join){.at = meeting, .expected = warp->mask, .depth = warp->depth, .parent = warp->join,
                                  .r = warp->r, .q = warp->q, .p = warp->p, .local_base = warp->local_base};
            warp->join = join;
        }
    }
    uint32_t others = warp->mask & ~taken;
    save(warp, branch->target, taken, FRAGMENT_READY);
    warp_set_mask(warp, others);
    return branch + 1;
}

const struct operation *warp_arrive(struct warp *warp, const struct operation *at)
{
    while (warp->join && warp->join->at == at && warp->join->depth == warp->depth) {
        struct join *join = warp->join;
        if (join->dissolved) {
            join->expected &= ~warp->mask;
            warp->join = join->parent;
            if (!join->expected)
                join->at = NULL;
            continue;
        }
        join->arrived |= warp->mask;
        join->last_branch = warp->last_branch;
        if (join->arrived != join->expected)
            return warp_next(warp);
        warp_set_mask(warp, join->arrived);
        warp->join = join->parent;
        join->at = NULL;
    }
    return NULL;   /* goes on here */
}

const struct operation *warp_exit(struct warp *warp, const struct operation *at)
{
    uint32_t leaving = warp->mask;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (leaving >> lane & 1) {
            warp->exit_branch[lane] = warp->last_branch;
            warp->exit_at[lane] = at;
        }
    warp->live &= ~leaving;
    warp->block->live_threads -= (uint32_t)__builtin_popcount(leaving);
    forget_lanes(warp, warp->join, leaving);
    return warp_next(warp);
}

static bool any_ready(const struct warp *warp)
{
    for (unsigned i = 0; i < WARP_LANES; i++)
        if (warp->fragments[i].state == FRAGMENT_READY)
            return true;
    return false;
}

/* A lone fragment that polls may wait for lanes which a join holds back: let them go. */
static void dissolve_joins(struct warp *warp)
{
    for (unsigned i = 0; i < sizeof warp->joins / sizeof *warp->joins; i++) {
        struct join *join = &warp->joins[i];
        if (join->at && join->arrived) {
            join->dissolved = true;
            release_arrived(warp, join);
        }
    }
}

const struct operation *warp_yield(struct warp *warp, const struct operation *at)
{
    struct launch *launch = warp->launch;
    launch->warp_instructions += (uint64_t)(SLICE - warp->budget);
    launch->fuel -= SLICE - warp->budget;
    warp->budget = SLICE;
    if (launch->fuel <= 0) {
        struct fragment *fragment = save(warp, at, warp->mask, FRAGMENT_READY);
        fragment->passes = warp->passes;
        launch->aborted = true;
        warp->mask = 0;
        return NULL;
    }
    bool polling = warp->polls >= POLL_LIMIT;
    if (!polling && !any_ready(warp))
        return at;
    if (polling && !any_ready(warp))
        dissolve_joins(warp);
    warp->polls = 0;
    /* Turn about: the others run before this one again. The lowest slot is the last that warp_next picks. */
    uint32_t waiting = 0;
    for (unsigned i = 0; i < WARP_LANES; i++)
        waiting += warp->fragments[i].state == FRAGMENT_READY;
    if (!waiting) {
        save(warp, at, warp->mask, FRAGMENT_READY);
        warp->mask = 0;
        return NULL;   /* the block turns to its other warps */
    }
    struct fragment self = {.state = FRAGMENT_READY, .mask = warp->mask, .at = at, .join = warp->join, .r = warp->r,
                            .q = warp->q, .p = warp->p, .local_base = warp->local_base, .depth = warp->depth,
                            .last_branch = warp->last_branch, .passes = warp->passes};
    const struct operation *next = warp_next(warp);
    for (int i = WARP_LANES - 1; i > 0; i--)   /* shift up into free slots to make slot 0 the last in turn */
        if (warp->fragments[i].state == FRAGMENT_FREE) {
            memmove(&warp->fragments[1], &warp->fragments[0], (size_t)i * sizeof *warp->fragments);
            break;
        }
    warp->fragments[0] = self;
    return next;
}

const struct operation *warp_wait_block(struct warp *warp, const struct operation *at, uint32_t barrier, uint32_t threads)
{
    struct fragment *fragment = save(warp, at, warp->mask, FRAGMENT_AT_BARRIER);
    fragment->barrier = barrier;
    fragment->barrier_threads = threads;
    return warp_next(warp);
}

static uint32_t lanes_in_state(const struct warp *warp, enum fragment_state state)
{
    uint32_t lanes = 0;
    for (unsigned i = 0; i < WARP_LANES; i++)
        if (warp->fragments[i].state == state)
            lanes |= warp->fragments[i].mask;
    return lanes;
}

static uint32_t lanes_in_joins(const struct warp *warp)
{
    uint32_t lanes = 0;
    for (unsigned i = 0; i < sizeof warp->joins / sizeof *warp->joins; i++)
        if (warp->joins[i].at)
            lanes |= warp->joins[i].arrived;
    return lanes;
}

/* Takes a waiting fragment into the running one. Their joins may differ: the innermost that expects both stays. */
static void absorb(struct warp *warp, struct fragment *fragment)
{
    uint32_t both = warp->mask | fragment->mask;
    struct join *join = warp->join, *other = fragment->join;
    while (join && (join->expected & both) != both) {
        struct join *parent = join->parent;
        join->expected &= ~warp->mask;
        if (!join->expected)
            join->at = NULL;
        else if (join->arrived == join->expected)
            release_arrived(warp, join);
        join = parent;
    }
    while (other && other != join) {
        struct join *parent = other->parent;
        other->expected &= ~fragment->mask;
        if (!other->expected)
            other->at = NULL;
        else if (other->arrived == other->expected)
            release_arrived(warp, other);
        other = parent;
    }
    warp->join = join;
    warp_set_mask(warp, both);
    fragment->state = FRAGMENT_FREE;
}

static void report_mask(struct warp *warp, const struct operation *at, uint32_t members, uint32_t missing);

bool warp_gather(struct warp *warp, const struct operation *at, uint32_t members, const struct operation **next)
{
    if (warp->passes) {
        warp->passes = false;
        return true;
    }
    if (!(members & warp->mask) || (warp->mask & ~members)) {
        report_mask(warp, at, members, warp->mask & ~members);
    }
    for (unsigned i = 0; i < WARP_LANES; i++) {
        struct fragment *fragment = &warp->fragments[i];
        if (fragment->state == FRAGMENT_AT_WARP_BARRIER && fragment->at == at && fragment->members == members
            && fragment->depth == warp->depth && fragment->r == warp->r)
            absorb(warp, fragment);
    }
    uint32_t missing = members & ~warp->mask;
    if (!missing)
        return true;
    if (missing & warp->live & (lanes_in_state(warp, FRAGMENT_READY) | lanes_in_joins(warp))) {
        struct fragment *fragment = save(warp, at, warp->mask, FRAGMENT_AT_WARP_BARRIER);
        fragment->members = members;
        *next = warp_next(warp);
        return false;
    }
    report_mask(warp, at, members, missing);
    return true;
}

static void report_mask(struct warp *warp, const struct operation *at, uint32_t members, uint32_t missing)
{
    struct finding finding;
    launch_finding(warp, at, (unsigned)__builtin_ctz(warp->mask), FINDING_sync_mask, &finding);
    uint32_t exited = missing & ~warp->live;
    if (missing & warp->mask)
        finding_text(&finding, "the mask 0x%08x leaves out lane %d, which executes this line", members,
                     __builtin_ctz(missing & warp->mask));
    else if (exited)
        finding_text(&finding, "the mask 0x%08x names lane %d, which has left the kernel", members, __builtin_ctz(exited));
    else
        finding_text(&finding, "the mask 0x%08x names lane %d, which is elsewhere and cannot come", members,
                     __builtin_ctz(missing));
    finding_collect(warp->launch->findings, &finding);
    launch_raise(warp->launch, LAUNCH_FAILED);
}
