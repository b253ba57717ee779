/* Poison between lanes: shuffle, vote, match, redux. */
#include "runtime/emulator/checks/poison.h"

#include "runtime/emulator/execution/library.h"

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

static void exchange_shuffle(struct warp *warp, const struct operation *operation)
{
    uint64_t bits[WARP_LANES] = {0};
    uint32_t any = poison_lanes(warp, PART_R, operation->a), origin = poison_origin(warp, PART_R, operation->a);
    uint32_t predicate = (uint32_t)(operation->immediate >> 32);
    for (uint32_t rest = any ? warp->mask : 0; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        bits[lane] = poison_bits(warp, PART_R, operation->a, shuffle_source(warp, operation, lane));
    }
    if (predicate != UINT32_MAX)
        poison_clear(warp, PART_P, predicate, warp->mask);
    if (operation->d == UINT32_MAX)
        return;
    poison_clear(warp, PART_R, operation->d, warp->mask);
    for (uint32_t rest = any ? warp->mask : 0; rest; rest &= rest - 1)
        poison_set(warp, PART_R, operation->d, (unsigned)__builtin_ctz(rest), bits[__builtin_ctz(rest)], origin);
}

/* One doubtful lane makes the result doubtful for all. */
static void exchange_all(struct warp *warp, const struct operation *operation, enum operand_part source)
{
    uint32_t d;
    enum operand_part part = operands_destination(operation, 0, &d);
    uint32_t lanes = poison_lanes(warp, source, operation->a) & warp->mask, origin = poison_origin(warp, source,
                                                                                                   operation->a);
    poison_clear(warp, part, d, warp->mask);
    for (uint32_t rest = lanes ? warp->mask : 0; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        bool ballot = operation->handler == HANDLER_vote && operation->extra == VOTE_BALLOT;
        poison_set(warp, part, d, lane, ballot ? lanes : UINT64_MAX, origin);
    }
}

void poison_exchange(struct warp *warp, const struct operation *operation)
{
    switch (operation->handler) {
    case HANDLER_shuffle: exchange_shuffle(warp, operation); break;
    case HANDLER_vote: exchange_all(warp, operation, PART_P); break;
    case HANDLER_match:
        exchange_all(warp, operation, operation->negated ? PART_Q : PART_R);
        if (operation->c != UINT32_MAX)
            poison_clear(warp, PART_P, operation->c, warp->mask);
        break;
    default: exchange_all(warp, operation, PART_R);
    }
}
