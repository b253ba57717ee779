/* Arithmetic of one lane on parts of registers: pairs of 16-bit integers, fields of bits, classes of floats. */
#ifndef EMULATOR_PACKED_MATH_H
#define EMULATOR_PACKED_MATH_H

#include <stdbool.h>
#include <stdint.h>

static inline uint32_t join_halves(uint32_t low, uint32_t high)
{
    return (low & 0xFFFF) | high << 16;
}

/* min and max of two halves each (9.7.1.12, 9.7.1.13). relu: negative results become 0. */
static inline int32_t relu_s32(int32_t value, uint32_t relu)
{
    return relu && value < 0 ? 0 : value;
}

static inline int32_t minimum_s32(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t maximum_s32(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static inline uint32_t minimum_u16x2(uint32_t a, uint32_t b)
{
    return join_halves((a & 0xFFFF) < (b & 0xFFFF) ? a : b, a >> 16 < b >> 16 ? a >> 16 : b >> 16);
}

static inline uint32_t maximum_u16x2(uint32_t a, uint32_t b)
{
    return join_halves((a & 0xFFFF) > (b & 0xFFFF) ? a : b, a >> 16 > b >> 16 ? a >> 16 : b >> 16);
}

static inline uint32_t minimum_s16x2(uint32_t a, uint32_t b, uint32_t relu)
{
    return join_halves((uint32_t)relu_s32(minimum_s32((int16_t)a, (int16_t)b), relu),
                       (uint32_t)relu_s32(minimum_s32((int32_t)a >> 16, (int32_t)b >> 16), relu));
}

static inline uint32_t maximum_s16x2(uint32_t a, uint32_t b, uint32_t relu)
{
    return join_halves((uint32_t)relu_s32(maximum_s32((int16_t)a, (int16_t)b), relu),
                       (uint32_t)relu_s32(maximum_s32((int32_t)a >> 16, (int32_t)b >> 16), relu));
}

enum field_flags { FIELD_SIGNED = 1, FIELD_CLAMP = 2 };

/* szext (9.7.1.21): the low b bits of a, extended. clamp: 32 bits and more are all of a; wrap: b modulo 32. */
static inline uint32_t extend_field(uint32_t a, uint32_t b, uint32_t flags)
{
    uint32_t length = b & 31;
    if ((flags & FIELD_CLAMP) && b >= 32)
        return a;
    uint32_t above = UINT32_MAX << length;
    bool negative = (flags & FIELD_SIGNED) && length && a >> ((length - 1) & 31) & 1;
    return (a & ~above) | (negative ? above : 0);
}

/* bmsk (9.7.1.22): b ones from bit a upwards. */
static inline uint32_t mask_field(uint32_t a, uint32_t b, uint32_t flags)
{
    if (flags & FIELD_CLAMP) {
        if (a >= 32)
            return 0;
        return b >= 32 - a ? UINT32_MAX << a : ((1u << b) - 1) << a;
    }
    return (uint32_t)(((UINT64_C(1) << (b & 31)) - 1) << (a & 31));
}

/* fns (9.7.1.17): place of the n-th 1 of the mask, counted from `base` upwards (n > 0) or downwards (n < 0), `base` itself
 * included; n = 0: `base`, if it is a 1. All ones when there is none. */
static inline uint32_t find_nth_set(uint32_t mask, uint32_t base, int32_t n)
{
    if (base > 31)
        return UINT32_MAX;
    if (n == 0)
        return mask >> base & 1 ? base : UINT32_MAX;
    int32_t step = n > 0 ? 1 : -1;
    for (int32_t place = (int32_t)base; place >= 0 && place < 32; place += step)
        if (mask >> place & 1 && (n -= step) == 0)
            return (uint32_t)place;
    return UINT32_MAX;
}

enum float_class { CLASS_FINITE, CLASS_INFINITE, CLASS_NUMBER, CLASS_NOT_A_NUMBER, CLASS_NORMAL, CLASS_SUBNORMAL };

/* testp (9.7.3.1): on the bits without the sign. `top`: those of infinity; `least`: of the smallest normal number. */
static inline bool is_of_class(uint64_t magnitude, uint64_t top, uint64_t least, uint32_t class)
{
    switch ((enum float_class) class) {
    case CLASS_FINITE: return magnitude < top;
    case CLASS_INFINITE: return magnitude == top;
    case CLASS_NUMBER: return magnitude <= top;
    case CLASS_NOT_A_NUMBER: return magnitude > top;
    case CLASS_NORMAL: return magnitude < top && (magnitude >= least || !magnitude); /* zero too, on an H200 */
    default: return magnitude && magnitude < least;
    }
}

/* cvt.pack (9.7.9.22): a and b saturated to `width` bits beside each other, b lowest, above them the low bits of c. */
static inline uint32_t pack_saturated(int32_t a, int32_t b, uint32_t c, uint32_t width, bool is_signed)
{
    int32_t low = is_signed ? -(1 << (width - 1)) : 0, high = is_signed ? (1 << (width - 1)) - 1 : (1 << width) - 1;
    uint32_t field = (1u << width) - 1;
    uint32_t top = (uint32_t)maximum_s32(low, minimum_s32(a, high)) & field;
    uint32_t bottom = (uint32_t)maximum_s32(low, minimum_s32(b, high)) & field;
    return (width == 16 ? 0 : c << 2 * width) | top << width | bottom;
}

enum difference_flags {
    DIFFERENCE_D_SIGNED = 1,
    DIFFERENCE_A_SIGNED = 2,
    DIFFERENCE_B_SIGNED = 4,
    DIFFERENCE_SATURATE = 8,
    DIFFERENCE_SUM = 16
};

/* vabsdiff4 (9.7.18.2): the absolute differences of four bytes each; .add: their sum and c. */
static inline uint32_t byte_differences(uint32_t a, uint32_t b, uint32_t c, uint32_t flags)
{
    uint32_t result = flags & DIFFERENCE_SUM ? c : 0;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        int32_t x = flags & DIFFERENCE_A_SIGNED ? (int8_t)(a >> shift) : (int32_t)(a >> shift & 255);
        int32_t y = flags & DIFFERENCE_B_SIGNED ? (int8_t)(b >> shift) : (int32_t)(b >> shift & 255);
        int32_t value = x < y ? y - x : x - y;
        if (flags & DIFFERENCE_SATURATE)
            value = minimum_s32(value, flags & DIFFERENCE_D_SIGNED ? 127 : 255);
        result += flags & DIFFERENCE_SUM ? (uint32_t)value : (uint32_t)(value & 255) << shift;
    }
    return result;
}

#endif
