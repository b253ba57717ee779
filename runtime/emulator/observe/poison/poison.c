/* Poison in registers, and what each operation does with it. */
#include "runtime/emulator/observe/poison/poison.h"

#include "runtime/emulator/arithmetic/lane_math.h"
#include "runtime/emulator/machine/library.h"
#include "runtime/emulator/machine/place.h"

/* ---- registers ---- */

struct place_of {
    uint32_t *any, *origin;
    size_t index; /* of the register, frames of callers counted */
};

static inline struct place_of locate(const struct warp *warp, enum operand_part part, uint32_t offset)
{
    const struct poison_warp *poison = warp->poison;
    size_t index;
    switch (part) {
    case PART_R:
        index = ((size_t)((const char *)warp->r - (const char *)warp->r_base) + offset) >> POISON_R_SHIFT;
        return (struct place_of){&poison->any_r[index], &poison->origin_r[index], index};
    case PART_Q:
        index = ((size_t)((const char *)warp->q - (const char *)warp->q_base) + offset) >> POISON_Q_SHIFT;
        return (struct place_of){&poison->any_q[index], &poison->origin_q[index], index};
    default:
        index = (size_t)(warp->p - warp->p_base) + offset;
        return (struct place_of){&poison->any_p[index], &poison->origin_p[index], index};
    }
}

uint32_t poison_lanes(const struct warp *warp, enum operand_part part, uint32_t offset)
{
    return part == PART_NONE || !warp->watches ? 0 : *locate(warp, part, offset).any;
}

uint32_t poison_origin(const struct warp *warp, enum operand_part part, uint32_t offset)
{
    return *locate(warp, part, offset).origin;
}

uint64_t poison_bits(const struct warp *warp, enum operand_part part, uint32_t offset, unsigned lane)
{
    if (part == PART_NONE || !warp->watches)
        return 0;
    struct place_of place = locate(warp, part, offset);
    if (!(*place.any >> lane & 1))
        return 0;
    return part == PART_R   ? warp->poison->bits_r[place.index * WARP_LANES + lane]
           : part == PART_Q ? warp->poison->bits_q[place.index * WARP_LANES + lane]
                            : 1;
}

static void set_any(struct warp *warp, uint32_t *any, uint32_t lanes)
{
    warp->watches += (lanes != 0) - (uint32_t)(*any != 0);
    *any = lanes;
}

void poison_clear(struct warp *warp, enum operand_part part, uint32_t offset, uint32_t lanes)
{
    if (part == PART_NONE || !warp->watches)
        return;
    uint32_t *any = locate(warp, part, offset).any;
    if (*any & lanes)
        set_any(warp, any, *any & ~lanes);
}

void poison_set(struct warp *warp, enum operand_part part, uint32_t offset, unsigned lane, uint64_t bits, uint32_t origin)
{
    if (part == PART_NONE)
        return;
    bits = part == PART_R ? (uint32_t)bits : bits;
    if (!bits) {
        poison_clear(warp, part, offset, 1u << lane);
        return;
    }
    struct place_of place = locate(warp, part, offset);
    if (part == PART_R)
        warp->poison->bits_r[place.index * WARP_LANES + lane] = (uint32_t)bits;
    else if (part == PART_Q)
        warp->poison->bits_q[place.index * WARP_LANES + lane] = bits;
    set_any(warp, place.any, *place.any | 1u << lane);
    *place.origin = origin;
}

static uint64_t value_of(const struct warp *warp, enum operand_part part, uint32_t offset, unsigned lane)
{
    switch (part) {
    case PART_R: return warp_value(warp, offset, false, lane);
    case PART_Q: return warp_value(warp, offset, true, lane);
    case PART_P: return warp->p[offset] >> lane & 1;
    default: return 0;
    }
}

/* ---- operations ---- */

/* Operands of an operation, in words: up to four sources. */
struct sources {
    unsigned count;
    enum operand_part part[4];
    uint32_t offset[4];
};

static void add_source(struct sources *sources, enum operand_part part, uint32_t offset)
{
    if (part == PART_NONE)
        return;
    sources->part[sources->count] = part;
    sources->offset[sources->count++] = offset;
}

static struct sources sources_of(const struct operation *operation)
{
    struct sources sources = {0};
    const struct operands *operands = &operands_of[operation->handler];
    bool wide;
    switch (operation->handler) {
    case HANDLER_convert:
    case HANDLER_cvta_window:
        wide = operation->handler == HANDLER_convert ? operation->b : !operation->b;
        add_source(&sources, wide ? PART_Q : PART_R, operation->a);
        break;
    case HANDLER_carry:
        wide = operation->extra & CARRY_WIDE;
        add_source(&sources, wide ? PART_Q : PART_R, operation->a);
        add_source(&sources, wide ? PART_Q : PART_R, operation->b);
        if (operation->extra & CARRY_MULTIPLY)
            add_source(&sources, wide ? PART_Q : PART_R, operation->c);
        break;
    case HANDLER_matrix_address:
        add_source(&sources, operation->negated ? PART_R : PART_Q, operation->a);
        add_source(&sources, PART_R, operation->b);
        break;
    default:
        add_source(&sources, (enum operand_part)operands->a, operation->a);
        add_source(&sources, (enum operand_part)operands->b, operation->b);
        add_source(&sources, (enum operand_part)operands->c, operation->c);
        if (operation->handler == HANDLER_insert_b32 || operation->handler == HANDLER_insert_b64)
            add_source(&sources, PART_R, (uint32_t)operation->immediate);
    }
    return sources;
}

/* selp, slct: the side that is not taken does not matter. */
static uint64_t select_bits(const struct operation *operation, const uint64_t v[4], const uint64_t p[4])
{
    bool first;
    if (operation->handler == HANDLER_select_b32 || operation->handler == HANDLER_select_b64)
        first = (v[2] != 0) != operation->negated;
    else
        first = operation->extra ? float_from_bits((uint32_t)v[2]) >= 0.0f : (int32_t)v[2] >= 0;
    if (p[2])
        return p[0] | p[1] | (v[0] ^ v[1]);
    return first ? p[0] : p[1];
}

static uint64_t predicate_bits(const struct operation *operation, const uint64_t v[4], const uint64_t p[4])
{
    bool a = (v[0] != 0) != (operation->extra & 1), b = (v[1] != 0) != (operation->extra >> 1 & 1);
    switch (operation->handler) {
    case HANDLER_pred_and: return (p[0] && p[1]) || (p[0] && b) || (p[1] && a);
    case HANDLER_pred_or: return (p[0] && p[1]) || (p[0] && !b) || (p[1] && !a);
    default: return p[0] | p[1];
    }
}

static uint64_t result_bits(struct warp *warp, const struct operation *operation, const uint64_t v[4], const uint64_t p[4],
                            unsigned lane)
{
    uint64_t carry = 0;
    switch (operation->handler) {
    case HANDLER_select_b32:
    case HANDLER_select_b64:
    case HANDLER_select_sign_b32:
    case HANDLER_select_sign_b64: return select_bits(operation, v, p);
    case HANDLER_pred_mov:
    case HANDLER_pred_not:
    case HANDLER_pred_and:
    case HANDLER_pred_or:
    case HANDLER_pred_xor: return predicate_bits(operation, v, p);
    case HANDLER_insert_b32: return p[2] | p[3] ? UINT64_MAX : insert_bits(p[0], p[1], (uint32_t)v[2], (uint32_t)v[3], 32);
    case HANDLER_insert_b64: return p[2] | p[3] ? UINT64_MAX : insert_bits(p[0], p[1], (uint32_t)v[2], (uint32_t)v[3], 64);
    case HANDLER_carry:
        carry = p[0] | p[1] | p[2] || (operation->extra & CARRY_IN && warp->poison->carry >> lane & 1);
        if (operation->extra & CARRY_OUT)
            warp->poison->carry = (warp->poison->carry & ~(1u << lane)) | (uint32_t)carry << lane;
        return carry ? UINT64_MAX : 0;
    default: return poison_transfer(operation, v, p);
    }
}

/* The first use of a variable without a value is reported as the line where it should have had one. */
static void remember_first_use(const struct warp *warp, const struct operation *operation, uint32_t origin)
{
    struct poison *poison = poison_of(warp);
    if (origin == poison->no_load && !poison->origins[origin].operation)
        poison->origins[origin].operation = operation;
}

static void step_values(struct warp *warp, const struct operation *operation)
{
    uint32_t d, lanes = 0, origin = 0;
    enum operand_part part = operands_destination(operation, 0, &d);
    struct sources sources = sources_of(operation);
    for (unsigned i = 0; i < sources.count; i++) {
        uint32_t any = poison_lanes(warp, sources.part[i], sources.offset[i]) & warp->mask;
        if (any && !lanes)
            origin = poison_origin(warp, sources.part[i], sources.offset[i]);
        lanes |= any;
    }
    if (operation->handler == HANDLER_carry)
        lanes |= warp->poison->carry & warp->mask;
    if (!lanes) {
        poison_clear(warp, part, d, warp->mask);
        return;
    }
    remember_first_use(warp, operation, origin);
    uint64_t result[WARP_LANES];
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t v[4] = {0}, p[4] = {0};
        for (unsigned i = 0; i < sources.count; i++) {
            v[i] = value_of(warp, sources.part[i], sources.offset[i], lane);
            p[i] = poison_bits(warp, sources.part[i], sources.offset[i], lane);
        }
        result[lane] = result_bits(warp, operation, v, p, lane);
    }
    poison_clear(warp, part, d, warp->mask & ~lanes);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        poison_set(warp, part, d, (unsigned)__builtin_ctz(rest), result[__builtin_ctz(rest)], origin);
}

/* Parameters of calls: part of a word in q. */
static void step_slot(struct warp *warp, const struct operation *operation)
{
    unsigned bytes = operation->extra & 15, shift = (unsigned)(operation->immediate % 8 * 8);
    uint32_t slot = operation->a + (uint32_t)(operation->immediate / 8) * 256;
    uint64_t field = bytes == 8 ? UINT64_MAX : ((uint64_t)1 << (8 * bytes)) - 1;
    enum operand_part part = operation->extra & 32 ? PART_Q : PART_R;
    bool load = operation->handler == HANDLER_slot_load;
    uint32_t origin = load ? poison_origin(warp, PART_Q, slot) : poison_origin(warp, part, operation->d);
    uint32_t lanes = (poison_lanes(warp, PART_Q, slot) | poison_lanes(warp, part, operation->d)) & warp->mask;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t word = poison_bits(warp, PART_Q, slot, lane), own = poison_bits(warp, part, operation->d, lane);
        uint64_t bits = word >> shift & field;
        if (load && bytes < 8 && operation->extra & 16)
            bits = (uint64_t)((int64_t)(bits << (64 - 8 * bytes)) >> (64 - 8 * bytes));
        if (load)
            poison_set(warp, part, operation->d, lane, bits, origin);
        else
            poison_set(warp, PART_Q, slot, lane, (word & ~(field << shift)) | (own & field) << shift,
                       own ? origin : poison_origin(warp, PART_Q, slot));
    }
}

static void copy_words(struct warp *warp, uint32_t to, uint32_t from, uint32_t words)
{
    for (uint32_t word = 0; word < words; word++, to += 256, from += 256) {
        uint32_t any = poison_lanes(warp, PART_Q, from) & warp->mask, origin = poison_origin(warp, PART_Q, from);
        poison_clear(warp, PART_Q, to, warp->mask & ~any);
        for (uint32_t rest = any; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            poison_set(warp, PART_Q, to, lane, poison_bits(warp, PART_Q, from, lane), origin);
        }
    }
}

/* A callee's frame begins clean except for its arguments. */
static void step_call(struct warp *warp, const struct operation *operation)
{
    const struct call_site *site = operation->call;
    const struct code *caller = site->caller, *callee = site->callee, *entry = warp->launch->code;
    uint32_t r_room = (uint32_t)((size_t)((char *)warp->r_base - (char *)warp->r) + entry->stack_r);
    uint32_t q_room = (uint32_t)((size_t)((char *)warp->q_base - (char *)warp->q) + entry->stack_q);
    uint32_t p_room = (uint32_t)((size_t)(warp->p_base - warp->p) + entry->stack_p);
    uint32_t r_end = callee ? caller->r_bytes + callee->r_bytes : r_room,
             q_end = callee ? caller->q_bytes + callee->q_bytes : q_room;
    uint32_t p_end = callee ? caller->p_words + callee->p_words : p_room;
    for (uint32_t at = caller->r_bytes; at < r_end && at < r_room; at += 1 << POISON_R_SHIFT)
        poison_clear(warp, PART_R, at, warp->mask);
    for (uint32_t at = caller->q_bytes; at < q_end && at < q_room; at += 1 << POISON_Q_SHIFT)
        poison_clear(warp, PART_Q, at, warp->mask);
    for (uint32_t at = caller->p_words; at < p_end && at < p_room; at++)
        poison_clear(warp, PART_P, at, warp->mask);
    for (uint32_t i = 0; i < site->argument_count; i++)
        if (caller->q_bytes + site->arguments[i].to + site->arguments[i].words * 256 <= q_room)
            copy_words(warp, caller->q_bytes + site->arguments[i].to, site->arguments[i].from, site->arguments[i].words);
}

/* Reports a poisoned predicate once, then uses its value. */
static void report_predicate(struct warp *warp, const struct operation *operation, const struct operation *at,
                             enum poison_use use)
{
    uint32_t lanes = poison_lanes(warp, PART_P, operation->a) & warp->mask;
    if (!lanes)
        return;
    if (use == POISON_BRANCH && launch_is_in_toolkit(warp->launch, at))
        return; /* it compares values that it then drops; what it keeps is reported where it matters */
    poison_report_use(warp, at, (unsigned)__builtin_ctz(lanes), poison_origin(warp, PART_P, operation->a), use);
    poison_clear(warp, PART_P, operation->a, lanes);
}

static bool changes_memory(const struct operation *operation)
{
    switch (operation->handler) {
    case HANDLER_store:
    case HANDLER_store_r4:
    case HANDLER_store_q8:
    case HANDLER_atomic:
    case HANDLER_async_copy:
    case HANDLER_mbarrier: return true;
    default: return false;
    }
}

/* The results of guarded operations are poison in lanes that may or may not execute them. */
static void spoil_results(struct warp *warp, const struct operation *first)
{
    for (const struct operation *at = first; at->handler != HANDLER_unguard; at++) {
        for (unsigned element = 0; element < 4; element++) {
            uint32_t d;
            enum operand_part part = operands_destination(at, element, &d);
            for (uint32_t rest = part == PART_NONE ? 0 : warp->poison->unsure; rest; rest &= rest - 1)
                poison_set(warp, part, d, (unsigned)__builtin_ctz(rest), UINT64_MAX, warp->poison->unsure_origin);
            if (at->handler < HANDLER_load || at->handler > HANDLER_load_q8)
                break;
        }
    }
    warp->poison->unsure = 0;
}

static void step_guard(struct warp *warp, const struct operation *operation)
{
    const struct operation *end = operation + 1 + operation->extra;
    uint32_t lanes = poison_lanes(warp, PART_P, operation->a) & warp->mask;
    for (const struct operation *at = operation + 1; lanes && at < end; at++)
        if (changes_memory(at)) {
            report_predicate(warp, operation, at, POISON_STORE_GUARD);
            return;
        }
    warp->poison->unsure = lanes;
    if (!lanes)
        return;
    warp->poison->unsure_origin = poison_origin(warp, PART_P, operation->a);
    if (!(warp->mask & (warp->p[operation->a] ^ (operation->negated ? ALL_LANES : 0))))
        spoil_results(warp, operation + 1); /* they are skipped */
}

static void step_unguard(struct warp *warp, const struct operation *operation)
{
    const struct operation *guard = operation;
    if (!warp->poison->unsure)
        return;
    while (guard->handler != HANDLER_guard)
        guard--;
    spoil_results(warp, guard + 1);
}

static void step_address(struct warp *warp, const struct operation *operation)
{
    enum operand_part part = operation->site->address_in_r ? PART_R : PART_Q;
    uint32_t lanes = poison_lanes(warp, part, operation->a) & warp->mask;
    if (!lanes)
        return;
    poison_report_use(warp, operation, (unsigned)__builtin_ctz(lanes), poison_origin(warp, part, operation->a),
                      POISON_ADDRESS);
    poison_clear(warp, part, operation->a, lanes);
}

void poison_step(struct warp *warp, const struct operation *operation)
{
    uint32_t d;
    enum operand_part part;
    switch (operation->handler) {
    case HANDLER_load:
    case HANDLER_load_r4:
    case HANDLER_load_q8:
    case HANDLER_store:
    case HANDLER_store_r4:
    case HANDLER_store_q8:
    case HANDLER_atomic:
    case HANDLER_async_source:
    case HANDLER_async_copy: step_address(warp, operation); break;
    case HANDLER_mbarrier:
        step_address(warp, operation);
        part = operands_destination(operation, 0, &d);
        poison_clear(warp, part, d, warp->mask);
        break;
    case HANDLER_branch: report_predicate(warp, operation, operation, POISON_BRANCH); break;
    case HANDLER_guard: step_guard(warp, operation); break;
    case HANDLER_unguard: step_unguard(warp, operation); break;
    case HANDLER_slot_load:
    case HANDLER_slot_store: step_slot(warp, operation); break;
    case HANDLER_call:
    case HANDLER_call_register: step_call(warp, operation); break;
    case HANDLER_call_done:
        for (uint32_t i = 0; i < operation->call->result_count; i++)
            copy_words(warp, operation->call->results[i].from,
                       operation->call->caller->q_bytes + operation->call->results[i].to, operation->call->results[i].words);
        break;
    case HANDLER_shuffle:
    case HANDLER_vote:
    case HANDLER_match:
    case HANDLER_redux: break; /* when all lanes have arrived */
    case HANDLER_matrix_spread:
    case HANDLER_matrix_collect:
    case HANDLER_matrix_transpose:
    case HANDLER_matrix_multiply: poison_matrix(warp, operation); break;
    case HANDLER_call_external:
        for (uint32_t i = 0; i < operation->call->result_count; i++)
            for (uint32_t word = 0; word < operation->call->results[i].words; word++)
                poison_clear(warp, PART_Q, operation->call->results[i].from + word * 256, warp->mask);
        break;
    default:
        if (operands_of[operation->handler].d || operation->handler == HANDLER_convert || operation->handler == HANDLER_carry
            || operation->handler == HANDLER_cvta_window)
            step_values(warp, operation);
    }
}
