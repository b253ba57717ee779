/* Poison between lanes: shuffle, vote, match, redux, and barriers with a result. */
#include "runtime/emulator/machine/library.h"
#include "runtime/emulator/observe/poison/poison.h"

static uint32_t register_lane(const struct warp *warp, uint32_t offset, unsigned lane)
{
    return ((const uint32_t *)((const char *)warp->r + offset))[lane];
}

/* The lane a shuffle reads from; itself when there is none. */
static unsigned shuffle_source(const struct warp *warp, const struct operation *operation, unsigned lane)
{
    uint32_t distance = register_lane(warp, operation->b, lane) & 31, c = register_lane(warp, operation->c, lane);
    uint32_t clamp = c & 31, segment = c >> 8 & 31;
    int32_t maximum = (int32_t)((lane & segment) | (clamp & ~segment)), minimum = (int32_t)(lane & segment), from;
    switch (operation->extra) {
    case SHUFFLE_UP: from = (int32_t)lane - (int32_t)distance; return (unsigned)(from >= maximum ? from : (int32_t)lane);
    case SHUFFLE_DOWN: from = (int32_t)(lane + distance); break;
    case SHUFFLE_BUTTERFLY: from = (int32_t)(lane ^ distance); break;
    default: from = (int32_t)((uint32_t)minimum | (distance & ~segment)); break;
    }
    return (unsigned)(from <= maximum ? from : (int32_t)lane);
}

/* ---- the values that lanes give ---- */

static enum operand_part source_part(const struct operation *operation)
{
    if (operation->handler == HANDLER_vote)
        return PART_P;
    return operation->handler == HANDLER_match && operation->negated ? PART_Q : PART_R;
}

static void give_shuffle(struct warp *warp, const struct operation *operation, struct poison_exchange *exchange)
{
    uint32_t doubtful = poison_lanes(warp, PART_R, operation->b) & warp->mask;
    if (doubtful && !exchange->poisoned && !exchange->doubtful)
        exchange->origin = poison_origin(warp, PART_R, operation->b);
    exchange->doubtful |= doubtful;
    for (uint32_t rest = warp->mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        exchange->asked[lane] = (uint8_t)shuffle_source(warp, operation, lane);
    }
}

void poison_give(struct warp *warp, const struct operation *operation, bool first)
{
    struct poison_exchange *exchange = &poison_of(warp)->exchange;
    if (first)
        *exchange = (struct poison_exchange){0};
    enum operand_part part = source_part(operation);
    uint32_t poisoned = poison_lanes(warp, part, operation->a) & warp->mask;
    if (poisoned && !exchange->poisoned)
        exchange->origin = poison_origin(warp, part, operation->a);
    exchange->lanes |= warp->mask;
    exchange->poisoned |= poisoned;
    for (uint32_t rest = poisoned; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        exchange->bits[lane] = poison_bits(warp, part, operation->a, lane);
    }
    if (operation->handler == HANDLER_vote)
        exchange->votes |= warp->mask & (warp->p[operation->a] ^ (operation->negated ? ALL_LANES : 0));
    if (operation->handler == HANDLER_shuffle)
        give_shuffle(warp, operation, exchange);
}

/* ---- what they get ---- */

static void get_shuffle(struct warp *warp, const struct operation *operation, const struct poison_exchange *exchange)
{
    uint32_t predicate = (uint32_t)(operation->immediate >> 32);
    for (uint32_t rest = warp->mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest), asked = exchange->asked[lane];
        uint64_t bits = exchange->doubtful >> lane & 1 ? UINT64_MAX : exchange->bits[asked];
        uint32_t origin = exchange->origin;
        if (!bits && !(exchange->lanes >> asked & 1)) {
            bits = UINT64_MAX; /* undefined: PTX ISA 9.7.9.6 */
            origin = poison_undefined_lane(warp, operation, asked);
        }
        if (predicate != UINT32_MAX)
            poison_set(warp, PART_P, predicate, lane, exchange->doubtful >> lane & 1, origin);
        if (operation->d != UINT32_MAX)
            poison_set(warp, PART_R, operation->d, lane, bits, origin);
    }
}

/* One doubtful lane makes the result doubtful for all, unless the others decide it. */
static bool is_decided(const struct operation *operation, const struct poison_exchange *exchange)
{
    uint32_t sure = exchange->lanes & ~exchange->poisoned, yes = exchange->votes & sure, no = ~exchange->votes & sure;
    if (operation->handler != HANDLER_vote)
        return false;
    switch (operation->extra) {
    case VOTE_ALL: return no != 0;
    case VOTE_ANY: return yes != 0;
    case VOTE_BALLOT: return false;
    default: return yes && no;
    }
}

void poison_get(struct warp *warp, const struct operation *operation)
{
    const struct poison_exchange *exchange = &poison_of(warp)->exchange;
    if (operation->handler == HANDLER_shuffle) {
        get_shuffle(warp, operation, exchange);
        return;
    }
    uint32_t d;
    enum operand_part part = operands_destination(operation, 0, &d);
    bool ballot = operation->handler == HANDLER_vote && operation->extra == VOTE_BALLOT;
    uint64_t bits = ballot ? exchange->poisoned : UINT64_MAX;
    uint32_t lanes = exchange->poisoned && !is_decided(operation, exchange) ? warp->mask : 0;
    bool predicate = operation->handler == HANDLER_match && operation->c != UINT32_MAX;
    poison_clear(warp, part, d, warp->mask);
    if (predicate)
        poison_clear(warp, PART_P, operation->c, warp->mask);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        poison_set(warp, part, d, lane, bits, exchange->origin);
        if (predicate)
            poison_set(warp, PART_P, operation->c, lane, 1, exchange->origin);
    }
}

/* ---- barriers with a result ---- */

/* Makes the registers of a fragment those that poison_lanes() and similar functions read. */
static void show(struct warp *warp, const struct fragment *fragment)
{
    warp->r = fragment->r;
    warp->q = fragment->q;
    warp->p = fragment->p;
}

/* Calls `body` for every fragment that waits at the barrier and asks for a result, with its registers visible. */
#define FOR_REDUCING(block, launch, number, warp, fragment)                                                          \
    for (struct warp *warp = (block)->warps; warp < (block)->warps + (launch)->warps_per_block; warp++)              \
        for (uint32_t rest_ = warp->at_barrier; rest_; rest_ &= rest_ - 1)                                           \
            for (struct fragment *fragment = &warp->fragments[__builtin_ctz(rest_)];                                 \
                 fragment && fragment->barrier == (number)                                                           \
                 && fragment->at->extra & (BARRIER_AND | BARRIER_OR | BARRIER_POPC) && (show(warp, fragment), true); \
                 fragment = NULL)

void poison_reduce(struct block *block, const struct launch *launch, uint32_t number)
{
    uint32_t origin = 0, flags = 0;
    bool any = false, sure_yes = false, sure_no = false;
    FOR_REDUCING(block, launch, number, warp, fragment)
    {
        const struct operation *at = fragment->at;
        uint32_t poisoned = poison_lanes(warp, PART_P, at->c) & fragment->mask, sure = fragment->mask & ~poisoned;
        uint32_t yes = fragment->p[at->c] ^ (at->extra & BARRIER_NEGATED ? ALL_LANES : 0);
        if (poisoned && !any)
            origin = poison_origin(warp, PART_P, at->c);
        any |= poisoned != 0;
        sure_yes |= (yes & sure) != 0;
        sure_no |= (~yes & sure) != 0;
        flags |= at->extra;
    }
    if (!flags)
        return;
    bool poison = any && !(flags & BARRIER_AND && sure_no) && !(flags & BARRIER_OR && sure_yes);
    FOR_REDUCING(block, launch, number, warp, fragment)
    {
        uint32_t d;
        enum operand_part part = operands_destination(fragment->at, 0, &d);
        poison_clear(warp, part, d, fragment->mask);
        for (uint32_t rest = poison ? fragment->mask : 0; rest; rest &= rest - 1)
            poison_set(warp, part, d, (unsigned)__builtin_ctz(rest), UINT64_MAX, origin);
    }
}
