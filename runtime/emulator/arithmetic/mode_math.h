/* Arithmetic of one lane on f32 whose modifiers are in operation->extra: pairs in 64 bits, and min and max of three. */
#ifndef EMULATOR_MODE_MATH_H
#define EMULATOR_MODE_MATH_H

#include "runtime/emulator/arithmetic/lane_math.h"
#include "runtime/emulator/arithmetic/rounding.h"

/* min and max of three (9.7.3.11, 9.7.3.12). */
static inline float extreme3_f32(float a, float b, float c, uint32_t flags)
{
    if (flags & ROUNDING_FTZ)
        a = flush(a), b = flush(b), c = flush(c);
    if (flags & EXTREME_ABSOLUTE)
        a = __builtin_fabsf(a), b = __builtin_fabsf(b), c = __builtin_fabsf(c);
    if ((flags & EXTREME_NAN) && (a != a || b != b || c != c))
        return canonical_nan_f32();
    return flags & EXTREME_LARGER ? maximum_f32(maximum_f32(a, b), c) : minimum_f32(minimum_f32(a, b), c);
}

/* Pairs of f32 in 64 bits, in any mode: enum rounding and ROUNDING_FTZ. */
static inline float add_f32(float a, float b, uint32_t mode)
{
    if (mode & ~(uint32_t)ROUNDING_FTZ)
        return rounded_add_f32(a, b, mode);
    return canonical_f32(mode & ROUNDING_FTZ ? flush(flush(a) + flush(b)) : a + b);
}

static inline float subtract_f32(float a, float b, uint32_t mode)
{
    return add_f32(a, -b, mode);
}

static inline float multiply_f32(float a, float b, uint32_t mode)
{
    if (mode & ~(uint32_t)ROUNDING_FTZ)
        return rounded_multiply_f32(a, b, mode);
    return mode & ROUNDING_FTZ ? flush_tiny(flush(a) * flush(b), (double)flush(a) * flush(b)) : canonical_f32(a * b);
}

static inline float fuse_f32(float a, float b, float c, uint32_t mode)
{
    if (mode & ~(uint32_t)ROUNDING_FTZ)
        return rounded_fma_f32(a, b, c, mode);
    if (!(mode & ROUNDING_FTZ))
        return canonical_f32(__builtin_fmaf(a, b, c));
    a = flush(a), b = flush(b), c = flush(c);
    return flush_tiny(__builtin_fmaf(a, b, c), (double)a * b + c);
}

#define LOW_F32(x)  float_from_bits((uint32_t)(x))
#define HIGH_F32(x) float_from_bits((uint32_t)((x) >> 32))
#define PAIR_F32(function, a, b, mode)                     \
    (bits_of_float(function(LOW_F32(a), LOW_F32(b), mode)) \
     | (uint64_t)bits_of_float(function(HIGH_F32(a), HIGH_F32(b), mode)) << 32)
#define PAIR_F32_TERNARY(function, a, b, c, mode)                      \
    (bits_of_float(function(LOW_F32(a), LOW_F32(b), LOW_F32(c), mode)) \
     | (uint64_t)bits_of_float(function(HIGH_F32(a), HIGH_F32(b), HIGH_F32(c), mode)) << 32)

#endif
