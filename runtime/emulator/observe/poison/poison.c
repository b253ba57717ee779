/* Poison in registers, and what each operation does with it. */
#include "runtime/emulator/observe/poison/poison.h"

#include "runtime/emulator/machine/library.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/texture.h"
#include "runtime/emulator/machine/work.h"

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
    return *locate(warp, part, offset).origin & ~POISON_PADDING;
}

uint32_t poison_origin_moved(const struct warp *warp, enum operand_part part, uint32_t offset)
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
    bool others = *place.any & ~(1u << lane); /* one origin for all lanes: padding where it is padding in each */
    *place.origin = others && !(*place.origin & POISON_PADDING) ? origin & ~POISON_PADDING : origin;
    set_any(warp, place.any, *place.any | 1u << lane);
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

/* The first use of a variable without a value is reported as the line where it should have had one. */
static void remember_first_use(const struct warp *warp, const struct operation *operation, uint32_t origin)
{
    struct poison *poison = poison_of(warp);
    if (origin == poison->no_load && !poison->origins[origin].operation)
        poison->origins[origin].operation = operation;
}

/* The result of a rule, lane by lane. */
static void apply(struct warp *warp, const struct operation *operation, const struct sources *sources, poison_rule *rule)
{
    uint32_t d, lanes = 0, origin = 0;
    enum operand_part part = operands_destination(operation, 0, &d);
    bool moves = poison_is_move(operation);
    for (unsigned i = 0; i < sources->count; i++) {
        uint32_t any = poison_lanes(warp, sources->part[i], sources->offset[i]) & warp->mask;
        if (!any)
            continue;
        uint32_t from = moves ? poison_origin_moved(warp, sources->part[i], sources->offset[i])
                              : poison_origin(warp, sources->part[i], sources->offset[i]);
        if (!lanes || (origin & POISON_PADDING && !(from & POISON_PADDING)))
            origin = from;
        lanes |= any;
    }
    if (!lanes) {
        poison_clear(warp, part, d, warp->mask);
        return;
    }
    work_add(WORK_SHADOW_LANE * (uint64_t)__builtin_popcount(lanes));
    remember_first_use(warp, operation, origin);
    uint64_t result[WARP_LANES];
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t v[4] = {0}, p[4] = {0};
        for (unsigned i = 0; i < sources->count; i++) {
            v[i] = operands_value(warp, sources->part[i], sources->offset[i], lane);
            p[i] = poison_bits(warp, sources->part[i], sources->offset[i], lane);
        }
        result[lane] = rule(operation, v, p);
    }
    poison_clear(warp, part, d, warp->mask);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        poison_set(warp, part, d, (unsigned)__builtin_ctz(rest), result[__builtin_ctz(rest)], origin);
}

static struct sources sources_of(const struct operation *operation)
{
    const struct operands *operands = &operands_of[operation->handler];
    struct sources sources = {0};
    add_source(&sources, (enum operand_part)operands->a, operation->a);
    add_source(&sources, (enum operand_part)operands->b, operation->b);
    add_source(&sources, (enum operand_part)operands->c, operation->c);
    return sources;
}

/* ---- the steps that the column `poison` of operations.def names ---- */

/* Of the operations of a warp that holds some poison, most use none of it. */
static void step_values(struct warp *warp, const struct operation *operation)
{
    const struct operands *operands = &operands_of[operation->handler];
    uint32_t lanes = poison_lanes(warp, (enum operand_part)operands->a, operation->a)
                     | poison_lanes(warp, (enum operand_part)operands->b, operation->b)
                     | poison_lanes(warp, (enum operand_part)operands->c, operation->c);
    if (operands->d && !(lanes & warp->mask)) {
        poison_clear(warp, (enum operand_part)operands->d, operation->d, warp->mask);
        return;
    }
    struct sources sources = sources_of(operation);
    apply(warp, operation, &sources, poison_transfer);
}

/* bfi: the fourth source is in `immediate`. */
static void step_insert(struct warp *warp, const struct operation *operation)
{
    struct sources sources = sources_of(operation);
    add_source(&sources, PART_R, (uint32_t)operation->immediate);
    apply(warp, operation, &sources, poison_insert);
}

static void step_convert(struct warp *warp, const struct operation *operation)
{
    struct sources sources = {0};
    add_source(&sources, operation->b ? PART_Q : PART_R, operation->a);
    apply(warp, operation, &sources, poison_convert);
}

static uint64_t keep(const struct operation *operation, const uint64_t v[4], const uint64_t p[4])
{
    (void)operation, (void)v;
    return p[0];
}

static void step_window(struct warp *warp, const struct operation *operation)
{
    struct sources sources = {0};
    add_source(&sources, operation->b ? PART_R : PART_Q, operation->a);
    apply(warp, operation, &sources, keep);
}

static uint64_t spoil(const struct operation *operation, const uint64_t v[4], const uint64_t p[4])
{
    (void)operation, (void)v;
    return p[0] | p[1] ? UINT64_MAX : 0;
}

static void step_matrix_address(struct warp *warp, const struct operation *operation)
{
    struct sources sources = {0};
    add_source(&sources, operation->negated ? PART_R : PART_Q, operation->a);
    add_source(&sources, PART_R, operation->b);
    apply(warp, operation, &sources, spoil);
}

/* Sums of several words: the condition code is poison as well. */
static void step_carry(struct warp *warp, const struct operation *operation)
{
    struct poison_warp *poison = warp->poison;
    enum operand_part part = operation->extra & CARRY_WIDE ? PART_Q : PART_R;
    const uint32_t offset[] = {operation->a, operation->b, operation->c};
    uint32_t lanes = 0, origin = 0;
    for (unsigned i = 0; i < (operation->extra & CARRY_MULTIPLY ? 3 : 2); i++) {
        uint32_t any = poison_lanes(warp, part, offset[i]) & warp->mask;
        if (any && !lanes)
            origin = poison_origin(warp, part, offset[i]);
        lanes |= any;
    }
    if (operation->extra & CARRY_IN)
        lanes |= poison->carry & warp->mask;
    if (operation->extra & CARRY_OUT)
        poison->carry = (poison->carry & ~warp->mask) | lanes;
    if (lanes)
        remember_first_use(warp, operation, origin);
    poison_clear(warp, part, operation->d, warp->mask & ~lanes);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        poison_set(warp, part, operation->d, (unsigned)__builtin_ctz(rest), UINT64_MAX, origin);
}

/* Parameters of calls: part of a word in q. */
static void step_slot(struct warp *warp, const struct operation *operation)
{
    unsigned bytes = operation->extra & 15, shift = (unsigned)(operation->immediate % 8 * 8);
    uint32_t slot = operation->a + (uint32_t)(operation->immediate / 8) * 256;
    uint64_t field = bytes == 8 ? UINT64_MAX : ((uint64_t)1 << (8 * bytes)) - 1;
    enum operand_part part = operation->extra & 32 ? PART_Q : PART_R;
    bool load = operation->handler == HANDLER_slot_load;
    uint32_t origin = load ? poison_origin_moved(warp, PART_Q, slot) : poison_origin_moved(warp, part, operation->d);
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
                       own ? origin : poison_origin_moved(warp, PART_Q, slot));
    }
}

static void copy_words(struct warp *warp, uint32_t to, uint32_t from, uint32_t words)
{
    for (uint32_t word = 0; word < words; word++, to += 256, from += 256) {
        uint32_t any = poison_lanes(warp, PART_Q, from) & warp->mask, origin = poison_origin_moved(warp, PART_Q, from);
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
    poison_report_use(warp, at, lanes, poison_origin(warp, PART_P, operation->a), use);
    poison_clear(warp, PART_P, operation->a, lanes);
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
            if (!operation_is(at, ROLE_LOADS))
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
        if (operation_is(at, ROLE_WRITES)) {
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
    poison_report_use(warp, operation, lanes, poison_origin(warp, part, operation->a), POISON_ADDRESS);
    poison_clear(warp, part, operation->a, lanes);
}

/* A handle that is poison is reported. Coordinates of a texture make its result poison, those of a surface are reported. */
static uint32_t poisoned_coordinates(struct warp *warp, const struct operation *operation, uint32_t *origin)
{
    const struct texel_site *texel = operation->site->texel;
    uint32_t lanes = 0;
    const uint32_t *lists[] = {texel->coordinate, &texel->level, texel->gradient};
    const unsigned counts[] = {4, 1, 6};
    for (unsigned list = 0; list < 3; list++)
        for (unsigned i = 0; i < counts[list]; i++) {
            uint32_t offset = lists[list][i];
            uint32_t any = offset == UINT32_MAX ? 0 : poison_lanes(warp, PART_R, offset) & warp->mask;
            if (any && !lanes)
                *origin = poison_origin(warp, PART_R, offset);
            lanes |= any;
        }
    return lanes;
}

static void step_texels(struct warp *warp, const struct operation *operation)
{
    uint32_t origin = 0, lanes = poisoned_coordinates(warp, operation, &origin);
    step_address(warp, operation);
    if (lanes)
        remember_first_use(warp, operation, origin);
    for (unsigned element = 0; element < 4; element++) {
        uint32_t d = operation->site->data[element];
        if (d == UINT32_MAX)
            continue;
        poison_clear(warp, PART_R, d, warp->mask & ~lanes);
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            poison_set(warp, PART_R, d, (unsigned)__builtin_ctz(rest), UINT32_MAX, origin);
    }
}

/* Lanes that lie outside of a surface load zeros. */
static void step_surface(struct warp *warp, const struct operation *operation)
{
    uint32_t origin = 0, lanes = poisoned_coordinates(warp, operation, &origin);
    step_address(warp, operation);
    if (lanes)
        poison_report_use(warp, operation, lanes, origin, POISON_ADDRESS);
    for (unsigned element = 0; operation_is(operation, ROLE_LOADS) && element < operation->site->vector; element++) {
        uint32_t d;
        enum operand_part part = operands_destination(operation, element, &d);
        poison_clear(warp, part, d, warp->mask);
    }
}

static void step_mbarrier(struct warp *warp, const struct operation *operation)
{
    uint32_t d;
    enum operand_part part = operands_destination(operation, 0, &d);
    step_address(warp, operation);
    poison_clear(warp, part, d, warp->mask);
}

static void step_branch(struct warp *warp, const struct operation *operation)
{
    report_predicate(warp, operation, operation, POISON_BRANCH);
}

static void step_call_done(struct warp *warp, const struct operation *operation)
{
    const struct call_site *site = operation->call;
    for (uint32_t i = 0; i < site->result_count; i++)
        copy_words(warp, site->results[i].from, site->caller->q_bytes + site->results[i].to, site->results[i].words);
}

static void step_call_external(struct warp *warp, const struct operation *operation)
{
    const struct call_site *site = operation->call;
    for (uint32_t i = 0; i < site->result_count; i++)
        for (uint32_t word = 0; word < site->results[i].words; word++)
            poison_clear(warp, PART_Q, site->results[i].from + word * 256, warp->mask);
}

static void step_nothing(struct warp *warp, const struct operation *operation)
{
    (void)warp, (void)operation;
}

/* poison_give() and poison_get(), when all lanes have arrived */
#define step_exchange step_nothing
#define step_matrix   poison_matrix

static void (*const steps[HANDLER_COUNT])(struct warp *warp, const struct operation *operation) = {
#define VALUES(rule)                                      step_values
#define STEP(function)                                    step_##function
#define UNARY(name, ...)                                  [HANDLER_##name] = step_values,
#define BINARY(name, ...)                                 [HANDLER_##name] = step_values,
#define TERNARY(name, ...)                                [HANDLER_##name] = step_values,
#define COMPARE(name, ...)                                [HANDLER_##name] = step_values,
#define REGISTERS(name, d, a, b, c, poison, affine, role) [HANDLER_##name] = poison,
#define BY_HAND(name, poison, affine, role)               [HANDLER_##name] = poison,
#include "runtime/emulator/machine/operations.def"
};

void poison_step(struct warp *warp, const struct operation *operation)
{
    steps[operation->handler](warp, operation);
}
