/* How poison spreads through operations: exactly where bits only move, upwards through sums, otherwise to all bits. */
#include "runtime/emulator/observe/poison/poison.h"

#include "runtime/emulator/arithmetic/half_math.h"
#include "runtime/emulator/arithmetic/lane_math.h"
#include "runtime/emulator/arithmetic/mode_math.h"
#include "runtime/emulator/arithmetic/rounding.h"

/* A sum or a product is exact below its lowest doubtful bit. */
static uint64_t upwards(uint64_t bits)
{
    return bits | (0 - bits);
}

static uint64_t lookup(const struct operation *operation, const uint64_t v[4], const uint64_t p[4])
{
    uint32_t first = 0, differs = 0;
    for (unsigned i = 0; i < 8; i++) {
        uint32_t operand[3];
        for (unsigned k = 0; k < 3; k++)
            operand[k] = (uint32_t)(i >> k & 1 ? v[k] | p[k] : v[k] & ~p[k]);
        uint32_t result = lookup3(operand[0], operand[1], operand[2], operation->extra);
        first = i == 0 ? result : first;
        differs |= result ^ first;
    }
    return differs;
}

/* Any clean bit that differs decides equality. */
static uint64_t equality(const uint64_t v[4], const uint64_t p[4])
{
    return !((v[0] ^ v[1]) & ~(p[0] | p[1]));
}

/* An order is decided when the ranges of the two sides do not cross; equal: they may also touch.
 *   width   in bits; a signed order is the unsigned one with the sign inverted */
static uint64_t order(const uint64_t v[4], const uint64_t p[4], unsigned width, bool is_signed, bool or_equal)
{
    uint64_t sign = is_signed ? (uint64_t)1 << (width - 1) : 0, all = UINT64_MAX >> (64 - width);
    uint64_t a = (v[0] ^ sign) & all, b = (v[1] ^ sign) & all;
    uint64_t low_a = a & ~p[0], high_a = (a | p[0]) & all, low_b = b & ~p[1], high_b = (b | p[1]) & all;
    return or_equal ? !(high_a <= low_b || high_b < low_a) : !(high_a < low_b || high_b <= low_a);
}

/* The parts of a value, each `width` bits wide, do not touch each other. */
static uint64_t by_parts(uint64_t bits, unsigned width)
{
    uint64_t part = UINT64_MAX >> (64 - width), result = 0;
    for (unsigned shift = 0; shift < 64; shift += width)
        result |= bits >> shift & part ? part << shift : 0;
    return result;
}

/* selp, slct: the side that is not taken does not matter. */
static uint64_t chosen(bool first, const uint64_t v[4], const uint64_t p[4])
{
    if (p[2])
        return p[0] | p[1] | (v[0] ^ v[1]);
    return first ? p[0] : p[1];
}

static bool is_first(const struct operation *operation, uint64_t value)
{
    return operation->extra ? float_from_bits((uint32_t)value) >= 0.0f : (int32_t)value >= 0;
}

/* The truth of source i of an operation on predicates. */
static bool is_true(const struct operation *operation, const uint64_t v[4], unsigned i)
{
    return (v[i] != 0) != (operation->extra >> i & 1);
}

uint64_t poison_insert(const struct operation *operation, const uint64_t v[4], const uint64_t p[4])
{
    unsigned width = operands_of[operation->handler].d == PART_Q ? 64 : 32;
    return p[2] | p[3] ? UINT64_MAX : insert_bits(p[0], p[1], (uint32_t)v[2], (uint32_t)v[3], width);
}

static bool is_integer(uint32_t type)
{
    return ptx_type_kind((enum ptx_type)type) != KIND_FLOAT;
}

uint64_t poison_convert(const struct operation *operation, const uint64_t v[4], const uint64_t p[4])
{
    (void)v;
    uint64_t bits = p[0];
    uint32_t packed = operation->extra, to = packed & 255, from = packed >> 8 & 255;
    bool saturate = packed >> 22 & 1;
    unsigned width = 8 * ptx_type_bytes((enum ptx_type)from);
    bits &= width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX;
    if (!bits)
        return 0;
    return is_integer(to) && is_integer(from) && !saturate ? convert_value(bits, packed) : UINT64_MAX;
}

/* ---- the column `poison` of operations.def: each rule ends a function of v, p and `all`, the poison of all sources ---- */

#define IS_SIGNED(type) ((VALUE_##type)(-1) < (VALUE_##type)1)
#define WIDTH(type)     (8 * (unsigned)sizeof(VALUE_##type))

/* The row's own value, of poison where the sources are moved, and of their values where they say how. */
#define FOLLOW(a_bits, b_bits, c_bits, doubt, D, A, B, C, ...) \
    const VALUE_##A a = (VALUE_##A)(a_bits);                   \
    const VALUE_##B b = (VALUE_##B)(b_bits);                   \
    const VALUE_##C c = (VALUE_##C)(c_bits);                   \
    (void)a, (void)b, (void)c;                                 \
    return (doubt) ? UINT64_MAX : (uint64_t)(VALUE_##D)(__VA_ARGS__);

#define POISON_moves(...)               return all;
#define POISON_inverts(...)             return all;
#define POISON_upwards(...)             return upwards(all);
#define POISON_spoils(...)              return all ? UINT64_MAX : 0;
#define POISON_halves(...)              return by_parts(all, 16);
#define POISON_words(...)               return by_parts(all, 32);
#define POISON_follows(...)             FOLLOW(p[0], p[1], p[2], 0, __VA_ARGS__)
#define POISON_follows_a(...)           FOLLOW(p[0], v[1], v[2], p[1] | p[2], __VA_ARGS__)
#define POISON_follows_ab(...)          FOLLOW(p[0], p[1], v[2], p[2], __VA_ARGS__)
#define POISON_magnitude_16(...)        return all & 0x7FFF7FFF;
#define POISON_magnitude_32(...)        return all & INT32_MAX;
#define POISON_magnitude_64(...)        return all & INT64_MAX;
#define POISON_narrowed(...)            return (p[0] ? 0xFFFF0000u : 0) | (p[1] ? 0xFFFF : 0);
#define POISON_both(...)                return (p[0] & p[1]) | (p[0] & v[1]) | (p[1] & v[0]);
#define POISON_either(...)              return (p[0] & p[1]) | (p[0] & ~v[1]) | (p[1] & ~v[0]);
#define POISON_lookup(...)              return lookup(operation, v, p);
#define POISON_equality(...)            return equality(v, p);
#define POISON_less(D, A, ...)          return order(v, p, WIDTH(A), IS_SIGNED(A), false);
#define POISON_less_or_equal(D, A, ...) return order(v, p, WIDTH(A), IS_SIGNED(A), true);
#define POISON_select(...)              return chosen((v[2] != 0) != operation->negated, v, p);
#define POISON_select_sign(...)         return chosen(is_first(operation, v[2]), v, p);
#define POISON_pred_and(...) \
    return (p[0] && p[1]) || (p[0] && is_true(operation, v, 1)) || (p[1] && is_true(operation, v, 0));
#define POISON_pred_or(...) \
    return (p[0] && p[1]) || (p[0] && !is_true(operation, v, 1)) || (p[1] && !is_true(operation, v, 0));

#define RULE(name) \
    static uint64_t poison_of_##name(const struct operation *operation, const uint64_t v[4], const uint64_t p[4])
#define RULE_BODY(...)                           \
    {                                            \
        const uint64_t all = p[0] | p[1] | p[2]; \
        (void)operation, (void)v, (void)all;     \
        __VA_ARGS__                              \
    }
#define UNARY(name, D, A, expression, poison, affine)         RULE(name) RULE_BODY(POISON_##poison(D, A, u32, u32, expression))
#define BINARY(name, D, A, B, expression, poison, affine)     RULE(name) RULE_BODY(POISON_##poison(D, A, B, u32, expression))
#define TERNARY(name, D, A, B, C, expression, poison, affine) RULE(name) RULE_BODY(POISON_##poison(D, A, B, C, expression))
#define COMPARE(name, A, expression, poison, affine)          RULE(name) RULE_BODY(POISON_##poison(u32, A, A, u32, expression))
#define VALUES(rule)                                          POISON_##rule(u64, u64, u64, u64, 0)
#define STEP(function)                                        return 0;
#define REGISTERS(name, d, a, b, c, poison, affine, role)     RULE(name) RULE_BODY(poison)
#define BY_HAND(name, poison, affine, role)
#include "runtime/emulator/machine/operations.def"

static poison_rule *const rules[HANDLER_COUNT] = {
#define UNARY(name, ...)     [HANDLER_##name] = poison_of_##name,
#define BINARY(name, ...)    [HANDLER_##name] = poison_of_##name,
#define TERNARY(name, ...)   [HANDLER_##name] = poison_of_##name,
#define COMPARE(name, ...)   [HANDLER_##name] = poison_of_##name,
#define REGISTERS(name, ...) [HANDLER_##name] = poison_of_##name,
#define BY_HAND(name, ...)
#include "runtime/emulator/machine/operations.def"
};

/* The rules whose results are bits of the sources as they are; IS_MOVE(MOVES_x) is false for all others. */
#define MOVES_moves                ~, true
#define MOVES_follows              ~, true
#define MOVES_follows_a            ~, true
#define MOVES_follows_ab           ~, true
#define MOVES_both                 ~, true
#define MOVES_either               ~, true
#define MOVES_select               ~, true
#define SECOND(first, second, ...) second
#define IS_MOVE(...)               SECOND(__VA_ARGS__, false, )

static const bool is_move[HANDLER_COUNT] = {
#define UNARY(name, D, A, expression, poison, affine)         [HANDLER_##name] = IS_MOVE(MOVES_##poison),
#define BINARY(name, D, A, B, expression, poison, affine)     [HANDLER_##name] = IS_MOVE(MOVES_##poison),
#define TERNARY(name, D, A, B, C, expression, poison, affine) [HANDLER_##name] = IS_MOVE(MOVES_##poison),
#define COMPARE(name, ...)                                    [HANDLER_##name] = false,
#define REGISTERS(name, ...)                                  [HANDLER_##name] = false,
#define BY_HAND(name, ...)
#include "runtime/emulator/machine/operations.def"
};

bool poison_is_move(const struct operation *operation)
{
    if (operation->handler == HANDLER_convert)
        return is_integer(operation->extra & 255) && is_integer(operation->extra >> 8 & 255);
    return operation->handler == HANDLER_insert_b32 || operation->handler == HANDLER_insert_b64
           || is_move[operation->handler];
}

uint64_t poison_transfer(const struct operation *operation, const uint64_t v[4], const uint64_t p[4])
{
    return rules[operation->handler](operation, v, p);
}
