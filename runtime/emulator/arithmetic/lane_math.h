/* Arithmetic of one lane, where C has no operator for it. Each names its section of the PTX ISA. */
#ifndef EMULATOR_LANE_MATH_H
#define EMULATOR_LANE_MATH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "runtime/emulator/arithmetic/packed_math.h"

static inline int32_t saturate_s32(int64_t value)
{
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
}

/* Division by zero is machine-specific (9.7.1.8): all ones, and the dividend as remainder. */
static inline int32_t divide_s32(int32_t a, int32_t b)
{
    return b == 0 ? -1 : b == -1 ? (int32_t)(0u - (uint32_t)a) : a / b;
}

static inline int32_t remainder_s32(int32_t a, int32_t b)
{
    return b == 0 ? a : b == -1 ? 0 : a % b;
}

static inline int64_t divide_s64(int64_t a, int64_t b)
{
    return b == 0 ? -1 : b == -1 ? (int64_t)(0u - (uint64_t)a) : a / b;
}

static inline int64_t remainder_s64(int64_t a, int64_t b)
{
    return b == 0 ? a : b == -1 ? 0 : a % b;
}

/* mul24 (9.7.1.5): the product of the low 24 bits. */
static inline uint64_t multiply24_u32(uint32_t a, uint32_t b)
{
    return (uint64_t)(a & 0xFFFFFF) * (b & 0xFFFFFF);
}

static inline uint64_t multiply24_s32(uint32_t a, uint32_t b)
{
    return (uint64_t)(((int32_t)(a << 8) >> 8) * (int64_t)((int32_t)(b << 8) >> 8));
}

static inline uint32_t reverse_bits_u32(uint32_t x)
{
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0F0F0F0F) | (x & 0x0F0F0F0F) << 4;
    return __builtin_bswap32(x);
}

/* bfind (9.7.1.16): position of the highest 1, or with shiftamt the shift that brings it to the top; ~0 when none. */
static inline uint32_t find_top_bit(uint64_t value, uint32_t width, uint32_t shift_amount)
{
    if (!value)
        return UINT32_MAX;
    uint32_t position = 63 - (uint32_t)__builtin_clzll(value);
    return shift_amount ? width - 1 - position : position;
}

/* bfe (9.7.1.19): position and length are taken from the low 8 bits and may exceed the width. */
static inline uint64_t extract_u64(uint64_t a, uint32_t position, uint32_t length)
{
    position &= 255;
    length &= 255;
    uint64_t value = position > 63 ? 0 : a >> position;
    return length > 63 ? value : value & (((uint64_t)1 << length) - 1);
}

static inline uint32_t extract_u32(uint32_t a, uint32_t position, uint32_t length)
{
    return (uint32_t)extract_u64(a, position, length);
}

/* Bits beyond the length or the width are copies of the field's highest bit. */
static inline uint64_t extract_signed(uint64_t a, uint32_t position, uint32_t length, uint32_t width)
{
    position &= 255;
    length &= 255;
    if (!length)
        return 0;
    uint32_t last = position + length - 1 < width - 1 ? position + length - 1 : width - 1;
    uint32_t taken = position >= width ? 0 : length < width - position ? length : width - position;
    uint64_t field = taken > 63 ? UINT64_MAX : ((uint64_t)1 << taken) - 1;
    return (position > 63 ? 0 : a >> position & field) | (a >> last & 1 ? ~field : 0);
}

static inline uint64_t extract_s64(uint64_t a, uint32_t position, uint32_t length)
{
    return extract_signed(a, position, length, 64);
}

static inline uint32_t extract_s32(uint32_t a, uint32_t position, uint32_t length)
{
    return (uint32_t)extract_signed(a, position, length, 32);
}

static inline uint64_t insert_bits(uint64_t a, uint64_t b, uint32_t position, uint32_t length, uint32_t width)
{
    position &= 255;
    length &= 255;
    if (position >= width || !length)
        return b;
    uint64_t field = length > 63 ? UINT64_MAX : ((uint64_t)1 << length) - 1;
    field <<= position;
    return (b & ~field) | (a << position & field);
}

static inline uint32_t lookup3(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
    uint32_t result = 0;
    result |= table & 0x01 ? ~a & ~b & ~c : 0;
    result |= table & 0x02 ? ~a & ~b & c : 0;
    result |= table & 0x04 ? ~a & b & ~c : 0;
    result |= table & 0x08 ? ~a & b & c : 0;
    result |= table & 0x10 ? a & ~b & ~c : 0;
    result |= table & 0x20 ? a & ~b & c : 0;
    result |= table & 0x40 ? a & b & ~c : 0;
    result |= table & 0x80 ? a & b & c : 0;
    return result;
}

enum permute_mode { PERMUTE_INDEX, PERMUTE_F4E, PERMUTE_B4E, PERMUTE_RC8, PERMUTE_ECL, PERMUTE_ECR, PERMUTE_RC16 };

/* prmt (9.7.9.7): in the special modes the low bits of c choose a row of the table. */
static inline uint32_t permute_selector(uint32_t c, uint32_t mode)
{
    static const uint16_t rows[7][4] = {
        [PERMUTE_F4E] = {0x3210, 0x4321, 0x5432, 0x6543}, [PERMUTE_B4E] = {0x5670, 0x6701, 0x7012, 0x0123},
        [PERMUTE_RC8] = {0x0000, 0x1111, 0x2222, 0x3333}, [PERMUTE_ECL] = {0x3210, 0x3211, 0x3222, 0x3333},
        [PERMUTE_ECR] = {0x0000, 0x1110, 0x2210, 0x3210}, [PERMUTE_RC16] = {0x1010, 0x3232, 0x1010, 0x3232},
    };
    return mode == PERMUTE_INDEX ? c : rows[mode][c & 3];
}

static inline uint32_t permute_bytes(uint32_t a, uint32_t b, uint32_t c, uint32_t mode)
{
    uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t selector = permute_selector(c, mode), result = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t choice = selector >> (4 * i) & 15;
        uint32_t byte = (uint32_t)(bytes >> (8 * (choice & 7))) & 255;
        if (choice & 8) /* replicate the sign */
            byte = byte & 128 ? 255 : 0;
        result |= byte << (8 * i);
    }
    return result;
}

enum dot_product_flags { DOT_A_SIGNED = 1, DOT_B_SIGNED = 2, DOT_HIGH = 4 };

static inline uint32_t dot_product4(uint32_t a, uint32_t b, uint32_t c, uint32_t flags)
{
    for (unsigned i = 0; i < 4; i++) {
        int32_t x = flags & DOT_A_SIGNED ? (int8_t)(a >> (8 * i)) : (int32_t)(a >> (8 * i) & 255);
        int32_t y = flags & DOT_B_SIGNED ? (int8_t)(b >> (8 * i)) : (int32_t)(b >> (8 * i) & 255);
        c += (uint32_t)(x * y);
    }
    return c;
}

static inline uint32_t dot_product2(uint32_t a, uint32_t b, uint32_t c, uint32_t flags)
{
    unsigned base = flags & DOT_HIGH ? 16 : 0;
    for (unsigned i = 0; i < 2; i++) {
        int32_t x = flags & DOT_A_SIGNED ? (int16_t)(a >> (16 * i)) : (int32_t)(a >> (16 * i) & 0xFFFF);
        int32_t y = flags & DOT_B_SIGNED ? (int8_t)(b >> (base + 8 * i)) : (int32_t)(b >> (base + 8 * i) & 255);
        c += (uint32_t)(x * y);
    }
    return c;
}

static inline float float_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double double_from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float canonical_nan_f32(void)
{
    return float_from_bits(0x7FFFFFFF);
}

/* The NaN of every f32 operation except plain copies (measured on an H200, as are the rules for f64 below). */
static inline float canonical_f32(float value)
{
    return value == value ? value : canonical_nan_f32();
}

static inline uint32_t canonical_bits_f32(uint32_t bits)
{
    return (bits & 0x7FFFFFFF) > 0x7F800000 ? 0x7FFFFFFF : bits;
}

static inline double quiet_f64(double nan)
{
    return double_from_bits(bits_of_double(nan) | (uint64_t)1 << 51);
}

/* f64 keeps the sign and payload of a NaN operand and makes it quiet; of two it takes the second, of the three of fma the
 * second, third, first. The host does the same for a single NaN, and both make 0xFFF8000000000000 where there was none. */
static inline double second_nan_f64(double b, double result)
{
    return b == b ? result : quiet_f64(b);
}

static inline double fused_nan_f64(double b, double c, double result)
{
    return second_nan_f64(b, second_nan_f64(c, result));
}

/* abs and neg only make a NaN quiet. */
static inline uint64_t signed_nan_f64(uint64_t bits, uint64_t result)
{
    return (bits & INT64_MAX) > (uint64_t)0x7FF << 52 ? bits | (uint64_t)1 << 51 : result;
}

static inline double negate_f64(double a)
{
    uint64_t bits = bits_of_double(a);
    return double_from_bits(signed_nan_f64(bits, bits ^ (uint64_t)1 << 63));
}

/* .ftz: subnormal inputs and results become zero of the same sign. */
static inline float flush(float value)
{
    uint32_t bits = bits_of_float(value);
    return float_from_bits((bits & 0x7F800000) ? bits : bits & 0x80000000u);
}

/* .ftz of a result rounded to nearest: zero where rounding to 24 bits, as if there were exponents below the smallest, leaves
 * less than the smallest normal number (measured on an H200). `exact` is the result with more precision. */
static inline float flush_tiny(float value, double exact)
{
    float kept = exact < 0x1p-126 - 0x1p-151 && exact > 0x1p-151 - 0x1p-126 ? 0.0f : value;
    return canonical_f32(float_from_bits((bits_of_float(kept) & 0x7FFFFFFF) | (bits_of_float(value) & 0x80000000u)));
}

/* .sat: clamp to [0, 1], NaN becomes +0. */
static inline float saturate_f32(float value)
{
    return value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f;
}

static inline double saturate_f64(double value)
{
    return value > 0.0 ? (value < 1.0 ? value : 1.0) : 0.0;
}

/* min and max (9.7.3.11): a NaN loses against a number; -0 is less than +0. */
static inline float minimum_f32(float a, float b)
{
    if (a != a)
        return b != b ? canonical_nan_f32() : b;
    if (b != b)
        return a;
    return a == b ? float_from_bits(bits_of_float(a) | bits_of_float(b)) : a < b ? a : b;
}

static inline float maximum_f32(float a, float b)
{
    if (a != a)
        return b != b ? canonical_nan_f32() : b;
    if (b != b)
        return a;
    return a == b ? float_from_bits(bits_of_float(a) & bits_of_float(b)) : a > b ? a : b;
}

enum extreme_flags { EXTREME_LARGER = 1, EXTREME_NAN = 2, EXTREME_ABSOLUTE = 4 }; /* and ROUNDING_FTZ */

/* .xorsign.abs: of the magnitudes, with the product of the signs. */
static inline float xorsign_extreme_f32(float a, float b, uint32_t flags)
{
    uint32_t sign = (bits_of_float(a) ^ bits_of_float(b)) & 0x80000000u;
    if ((a != a && b != b) || ((flags & EXTREME_NAN) && (a != a || b != b)))
        return canonical_nan_f32();
    float x = __builtin_fabsf(a), y = __builtin_fabsf(b);
    float value = flags & EXTREME_LARGER ? maximum_f32(x, y) : minimum_f32(x, y);
    return float_from_bits(bits_of_float(value) | sign);
}

static inline double minimum_f64(double a, double b)
{
    if (a != a || b != b)
        return a == a ? a : second_nan_f64(b, b);
    return a == b ? (signbit(a) ? a : b) : a < b ? a : b;
}

static inline double maximum_f64(double a, double b)
{
    if (a != a || b != b)
        return a == a ? a : second_nan_f64(b, b);
    return a == b ? (signbit(a) ? b : a) : a > b ? a : b;
}

/* rcp.approx.ftz.f64 (9.7.3.14): the reciprocal with the low 32 bits of the mantissa cleared. */
static inline double reciprocal_upper_half(double a)
{
    double value = 1.0 / a;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if ((bits >> 52 & 0x7FF) == 0)
        bits &= (uint64_t)1 << 63;
    bits &= ~(uint64_t)0xFFFFFFFF;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* cvt to integer saturates; NaN becomes 0 (9.7.9.21). */
static inline int32_t truncate_f32_s32(float a)
{
    return a != a ? 0 : a >= 2147483648.0f ? INT32_MAX : a < -2147483648.0f ? INT32_MIN : (int32_t)a;
}

static inline uint32_t truncate_f32_u32(float a)
{
    return !(a > 0) ? 0 : a >= 4294967296.0f ? UINT32_MAX : (uint32_t)a;
}

#endif
