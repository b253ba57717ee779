#include "runtime/emulator/machine/exchange.h"

#include <string.h>

#include "runtime/emulator/machine/hooks.h"
#include "runtime/emulator/machine/modes.h"

/* Registers of an operation, by what they are for. The operation runs once for all lanes on its own frame that holds just
 * these: a register of 32 bits at each place, one of 64 bits and two predicates. */
enum { PLACE_A, PLACE_B, PLACE_C, PLACE_D, PLACE_MEMBERS, PLACE_COUNT };
enum { PREDICATE_SOURCE, PREDICATE_RESULT, PREDICATE_COUNT };
enum { R_BYTES = 4 * WARP_LANES };

struct frame {
    _Alignas(64) uint32_t r[PLACE_COUNT][WARP_LANES];
    _Alignas(64) uint64_t q[WARP_LANES];
    uint32_t p[PREDICATE_COUNT];
};

static uint32_t predicate_result(const struct operation *operation)
{
    switch (operation->handler) {
    case HANDLER_shuffle: return (uint32_t)(operation->immediate >> 32);
    case HANDLER_vote: return operation->extra == VOTE_BALLOT ? UINT32_MAX : operation->d;
    case HANDLER_match: return operation->c;
    default: return UINT32_MAX;
    }
}

static uint32_t word_result(const struct operation *operation)
{
    return operation->handler == HANDLER_vote && operation->extra != VOTE_BALLOT ? UINT32_MAX : operation->d;
}

bool exchange_is_same(const struct operation *a, const struct operation *b)
{
    if (a->handler != b->handler || a->extra != b->extra)
        return false;
    switch (a->handler) {
    case HANDLER_warp_barrier:
    case HANDLER_shuffle:
    case HANDLER_vote:
    case HANDLER_redux: return true;
    case HANDLER_match: return a->negated == b->negated; /* the width of the values */
    default: return false;
    }
}

static uint32_t *r_at(uint32_t *r, uint32_t offset)
{
    return (uint32_t *)((char *)r + offset);
}

static void copy_lanes(uint32_t *to, const uint32_t *from, uint32_t lanes)
{
    for (; lanes; lanes &= lanes - 1)
        to[__builtin_ctz(lanes)] = from[__builtin_ctz(lanes)];
}

/* The lanes' inputs. */
static void collect(struct frame *frame, const struct operation *operation, const struct fragment *from)
{
    switch (operation->handler) {
    case HANDLER_shuffle:
        copy_lanes(frame->r[PLACE_B], r_at(from->r, operation->b), from->mask);
        copy_lanes(frame->r[PLACE_C], r_at(from->r, operation->c), from->mask);
        copy_lanes(frame->r[PLACE_A], r_at(from->r, operation->a), from->mask);
        break;
    case HANDLER_vote:
        frame->p[PREDICATE_SOURCE] &= ~from->mask;
        frame->p[PREDICATE_SOURCE] |= from->mask & (from->p[operation->a] ^ (operation->negated ? ALL_LANES : 0));
        break;
    case HANDLER_match:
        if (operation->negated) {
            const uint64_t *wide = (const uint64_t *)((const char *)from->q + operation->a);
            for (uint32_t rest = from->mask; rest; rest &= rest - 1)
                frame->q[__builtin_ctz(rest)] = wide[__builtin_ctz(rest)];
            break;
        }
        copy_lanes(frame->r[PLACE_A], r_at(from->r, operation->a), from->mask);
        break;
    default: copy_lanes(frame->r[PLACE_A], r_at(from->r, operation->a), from->mask);
    }
}

static void deliver(const struct frame *frame, const struct operation *operation, const struct fragment *to)
{
    uint32_t word = word_result(operation), predicate = predicate_result(operation);
    if (word != UINT32_MAX)
        copy_lanes(r_at(to->r, word), frame->r[PLACE_D], to->mask);
    if (predicate != UINT32_MAX)
        to->p[predicate] = (to->p[predicate] & ~to->mask) | (frame->p[PREDICATE_RESULT] & to->mask);
}

/* The same operation on the registers of struct frame. */
static struct operation on_frame(const struct operation *at)
{
    struct operation operation = *at;
    bool vote = at->handler == HANDLER_vote, ballot = vote && at->extra == VOTE_BALLOT;
    operation.a = vote ? PREDICATE_SOURCE : PLACE_A * R_BYTES;
    operation.d = vote && !ballot ? PREDICATE_RESULT : PLACE_D * R_BYTES;
    operation.b = PLACE_MEMBERS * R_BYTES;
    if (vote)
        operation.negated = false;
    if (at->handler == HANDLER_match)
        operation.c = PREDICATE_RESULT;
    if (at->handler == HANDLER_shuffle) {
        operation.b = PLACE_B * R_BYTES;
        operation.c = PLACE_C * R_BYTES;
        operation.immediate = (uint64_t)PREDICATE_RESULT << 32 | (uint64_t)PLACE_MEMBERS * R_BYTES;
    }
    return operation;
}

static void run_on(struct warp *warp, struct frame *frame, const struct operation *at, uint32_t lanes)
{
    const struct operation operations[2] = {on_frame(at), {.run = warp_stop}};
    bool watched = warp->launch->watched;
    warp->launch->watched = false; /* the observers do not know this frame */
    warp->r = frame->r[0];
    warp->q = frame->q;
    warp->p = frame->p;
    warp->passes = true; /* all have arrived */
    warp_set_mask(warp, lanes);
    operations[0].run(warp, operations);
    warp->launch->watched = watched;
}

/* Lets the observers see the registers of a fragment, whose lanes become the active ones. */
static void show(struct warp *warp, const struct fragment *fragment)
{
    warp->r = fragment->r;
    warp->q = fragment->q;
    warp->p = fragment->p;
    warp_set_mask(warp, fragment->mask);
}

void exchange_run(struct warp *warp, const struct operation *at, uint32_t members, uint32_t slots)
{
    const struct fragment own = {.mask = warp->mask, .at = at, .r = warp->r, .q = warp->q, .p = warp->p};
    const struct hooks *hooks = warp->launch->watched ? warp->launch->hooks : NULL;
    struct frame frame;
    uint32_t lanes = warp->mask;
    memset(&frame, 0, sizeof frame);
    collect(&frame, at, &own);
    if (hooks)
        hooks->exchange_give(warp, at, true);
    for (uint32_t rest = slots; rest; rest &= rest - 1) {
        const struct fragment *other = &warp->fragments[__builtin_ctz(rest)];
        collect(&frame, other->at, other);
        show(warp, other);
        if (hooks)
            hooks->exchange_give(warp, other->at, false);
        lanes |= other->mask;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        frame.r[PLACE_MEMBERS][lane] = members;
    run_on(warp, &frame, at, lanes);
    for (uint32_t rest = slots; rest; rest &= rest - 1) {
        struct fragment *other = &warp->fragments[__builtin_ctz(rest)];
        deliver(&frame, other->at, other);
        show(warp, other);
        if (hooks)
            hooks->exchange_get(warp, other->at);
        other->at++;
    }
    deliver(&frame, at, &own);
    show(warp, &own);
    if (hooks)
        hooks->exchange_get(warp, at);
}
