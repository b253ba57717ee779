/* Arithmetic on 16-bit floats, bits in, bits out: f16 (5 bits of exponent, 10 of mantissa) and bf16 (8 and 7). PTX
 * ISA 9.7.4.
 *
 * Nothing branches, so that the loops over lanes become vector code at every level, with or without the F16C
 * instructions of the host. A NaN that arithmetic makes is 0x7FFF in both formats (measured on an H200).
 *
 * Why each result is correctly rounded. p = 11 (f16) or 8 (bf16) is the precision of the format, 24 that of f32.
 *   add, sub   Rounding first to 24 >= 2p + 2 bits and then to p gives the same as one rounding (Figueroa, "When is double
 *              rounding innocuous?", 1995). Sums too small for that theorem, in the subnormal range of the format, are
 *              multiples of its smallest number and exact.
 *   mul        A product has 2p bits and is exact in f32, except bf16 products below 2^-134. Those round to zero either way:
 *              2^-134 itself, half of the smallest bf16, is the tie that goes to zero.
 *   fma        The product is exact (bf16: in f64). The sum is rounded to odd: towards zero, and the last bit is set where
 *              something was lost. With two bits more than the format has, a second rounding then gives the same as one
 *              (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
 */
#ifndef EMULATOR_HALF_MATH_H
#define EMULATOR_HALF_MATH_H

#include <stdbool.h>

#include "runtime/emulator/arithmetic/lane_math.h"

/* Modifiers of an operation, in operation->extra. */
enum half_flags { HALF_FTZ = 1, HALF_SAT = 2, HALF_RELU = 4, HALF_NAN = 8, HALF_XORSIGN = 16 };

enum half_constants {
    HALF_F16_INFINITY = 0x7C00,
    HALF_F16_SMALLEST_NORMAL = 0x0400,
    HALF_F16_ONE = 0x3C00,
    HALF_BF16_INFINITY = 0x7F80,
    HALF_BF16_SMALLEST_NORMAL = 0x0080,
    HALF_BF16_ONE = 0x3F80,
    HALF_CANONICAL_NAN = 0x7FFF,
};

/* condition (0 or 1) ? first : second, in a form that compilers do not turn into a branch: the loops stay vectorised. */
static inline uint32_t half_select(uint32_t condition, uint32_t first, uint32_t second)
{
    return second ^ ((first ^ second) & (0u - condition));
}

/* ---- to and from f32 ---- */

/* Exact. A NaN keeps its payload, moved up. */
static inline float half_f16_to_f32(uint16_t half)
{
    uint32_t magnitude = (uint32_t)(half & 0x7FFF) << 13;
    uint32_t rebias = half_select(magnitude >= 31u << 23, 224u << 23, 112u << 23); /* infinity and NaN: exponent 255 */
    uint32_t subnormal = bits_of_float((float)(int32_t)(half & 0x3FF) * 0x1p-24f);
    uint32_t bits = half_select(magnitude < 1u << 23, subnormal, magnitude + rebias);
    return float_from_bits(bits | (uint32_t)(half & 0x8000) << 16);
}

/* To nearest even. */
static inline uint16_t half_f32_to_f16(float value)
{
    uint32_t bits = bits_of_float(value), magnitude = bits & 0x7FFFFFFF;
    uint32_t normal = (magnitude - (112u << 23) + 0xFFF + (magnitude >> 13 & 1)) >> 13;
    /* in [0.5, 1) the last bit of an f32 weighs 2^-24, as that of a subnormal f16 */
    uint32_t subnormal = bits_of_float(float_from_bits(magnitude) + 0.5f) - (126u << 23);
    uint32_t result = half_select(magnitude < 113u << 23, subnormal, normal);
    result = half_select(magnitude >= 143u << 23, HALF_F16_INFINITY, result) | (bits >> 16 & 0x8000);
    return (uint16_t)half_select(magnitude > 255u << 23, HALF_CANONICAL_NAN, result);
}

/* Exact. */
static inline float half_bf16_to_f32(uint16_t half)
{
    return float_from_bits((uint32_t)half << 16);
}

/* To nearest even. */
static inline uint16_t half_f32_to_bf16(float value)
{
    uint32_t bits = bits_of_float(value);
    uint32_t result = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
    return (uint16_t)half_select((bits & 0x7FFFFFFF) > 255u << 23, HALF_CANONICAL_NAN, result);
}

/* ---- rounding to odd ---- */

/* x + y. TwoSum (Knuth) gives the error exactly; an infinity or NaN has none. */
static inline float half_odd_sum_f32(float x, float y)
{
    float sum = x + y, part = sum - x;
    float error = (x - (sum - part)) + (y - part);
    uint32_t bits = bits_of_float(sum), lost = (uint32_t)((error < 0.0f) | (error > 0.0f)) & ~bits & 1;
    uint32_t inwards = (uint32_t)((error > 0.0f) != (sum > 0.0f));
    return float_from_bits(bits + lost - ((lost & inwards) << 1));
}

static inline double half_odd_sum_f64(double x, double y)
{
    double sum = x + y, part = sum - x;
    double error = (x - (sum - part)) + (y - part);
    uint64_t bits = bits_of_double(sum), lost = (uint64_t)((error < 0.0) | (error > 0.0)) & ~bits & 1;
    uint64_t inwards = (uint64_t)((error > 0.0) != (sum > 0.0));
    return double_from_bits(bits + lost - ((lost & inwards) << 1));
}

/* Beyond the largest f32 the result is infinity or the largest number: for bf16 both round alike. */
static inline float half_odd_narrow(double value)
{
    float narrow = (float)value;
    double error = value - (double)narrow;
    uint32_t bits = bits_of_float(narrow), lost = (uint32_t)((error < 0.0) | (error > 0.0)) & ~bits & 1;
    uint32_t inwards = (uint32_t)((error > 0.0) != (value > 0.0));
    return float_from_bits(bits + lost - ((lost & inwards) << 1));
}

/* ---- modifiers ---- */

/* .ftz: a subnormal becomes zero of its sign. */
static inline uint16_t half_flush(uint16_t half, uint32_t smallest_normal, uint32_t flags)
{
    uint32_t kept = (half & 0x7FFFu) < smallest_normal && (flags & HALF_FTZ) ? half & 0x8000u : half;
    return (uint16_t)kept;
}

/* .sat: clamps to [0, 1], NaN becomes +0. .relu: values below +0 become +0, NaN stays NaN. Both formats order like
 * integers. */
static inline uint16_t half_clamp(uint16_t half, uint32_t infinity, uint32_t one, uint32_t flags)
{
    uint32_t value = half, nan = (value & 0x7FFF) > infinity, negative = value >> 15 & !nan;
    value = (flags & (HALF_SAT | HALF_RELU)) && negative ? 0 : value;
    value = (flags & HALF_SAT) && nan ? 0 : value;
    return (uint16_t)((flags & HALF_SAT) && value > one ? one : value);
}

/* Rounds and applies the modifiers. .ftz: zero where rounding to 11 bits, as if there were exponents below the smallest,
 * leaves less than the smallest normal number (measured on an H200). */
static inline uint16_t half_finish_f16(float value, uint32_t flags)
{
    bool tiny = (flags & HALF_FTZ) && value < 0x1p-14f - 0x1p-26f && value > 0x1p-26f - 0x1p-14f;
    uint16_t rounded = half_f32_to_f16(value), kept = tiny ? rounded & 0x8000 : rounded;
    return half_clamp(kept, HALF_F16_INFINITY, HALF_F16_ONE, flags);
}

static inline uint16_t half_finish_bf16(float value, uint32_t flags)
{
    return half_clamp(half_f32_to_bf16(value), HALF_BF16_INFINITY, HALF_BF16_ONE, flags);
}

static inline float half_source_f16(uint16_t half, uint32_t flags)
{
    return half_f16_to_f32(half_flush(half, HALF_F16_SMALLEST_NORMAL, flags));
}

/* ---- arithmetic ---- */

static inline uint16_t half_add_f16(uint16_t a, uint16_t b, uint32_t flags)
{
    return half_finish_f16(half_source_f16(a, flags) + half_source_f16(b, flags), flags);
}

static inline uint16_t half_sub_f16(uint16_t a, uint16_t b, uint32_t flags)
{
    return half_finish_f16(half_source_f16(a, flags) - half_source_f16(b, flags), flags);
}

static inline uint16_t half_mul_f16(uint16_t a, uint16_t b, uint32_t flags)
{
    return half_finish_f16(half_source_f16(a, flags) * half_source_f16(b, flags), flags);
}

static inline uint16_t half_fma_f16(uint16_t a, uint16_t b, uint16_t c, uint32_t flags)
{
    float product = half_source_f16(a, flags) * half_source_f16(b, flags);
    return half_finish_f16(half_odd_sum_f32(product, half_source_f16(c, flags)), flags);
}

static inline uint16_t half_add_bf16(uint16_t a, uint16_t b, uint32_t flags)
{
    return half_finish_bf16(half_bf16_to_f32(a) + half_bf16_to_f32(b), flags);
}

static inline uint16_t half_sub_bf16(uint16_t a, uint16_t b, uint32_t flags)
{
    return half_finish_bf16(half_bf16_to_f32(a) - half_bf16_to_f32(b), flags);
}

static inline uint16_t half_mul_bf16(uint16_t a, uint16_t b, uint32_t flags)
{
    return half_finish_bf16(half_bf16_to_f32(a) * half_bf16_to_f32(b), flags);
}

static inline uint16_t half_fma_bf16(uint16_t a, uint16_t b, uint16_t c, uint32_t flags)
{
    double product = (double)half_bf16_to_f32(a) * (double)half_bf16_to_f32(b);
    double sum = half_odd_sum_f64(product, (double)half_bf16_to_f32(c));
    return half_finish_bf16(half_odd_narrow(sum), flags);
}

/* ---- abs and neg ---- */

static inline uint16_t half_absolute(uint16_t a, uint32_t infinity)
{
    uint32_t magnitude = a & 0x7FFF;
    return (uint16_t)half_select(magnitude > infinity, HALF_CANONICAL_NAN, magnitude);
}

static inline uint16_t half_negative(uint16_t a, uint32_t infinity)
{
    return (uint16_t)half_select((a & 0x7FFFu) > infinity, HALF_CANONICAL_NAN, a ^ 0x8000u);
}

/* ---- min and max (9.7.4.8): a NaN loses against a number unless .NaN; -0 is less than +0 ---- */

/* Orders as the numbers do. */
static inline int32_t half_key(uint32_t half)
{
    int32_t magnitude = (int32_t)(half & 0x7FFF);
    return half & 0x8000 ? ~magnitude : magnitude;
}

/* larger: 1 for max, 0 for min. */
static inline uint16_t half_extreme(uint16_t a, uint16_t b, uint32_t infinity, uint32_t larger, uint32_t flags)
{
    uint32_t sign = (uint32_t)(a ^ b) & 0x8000u, magnitude_a = a & 0x7FFFu, magnitude_b = b & 0x7FFFu;
    uint32_t x = flags & HALF_XORSIGN ? magnitude_a : a, y = flags & HALF_XORSIGN ? magnitude_b : b;
    uint32_t nan_a = magnitude_a > infinity, nan_b = magnitude_b > infinity;
    uint32_t first = nan_b | (uint32_t)((half_key(x) > half_key(y)) == (int)larger);
    uint32_t result = first & ~nan_a ? x : y;
    result = flags & HALF_XORSIGN ? result | sign : result;
    uint32_t nan = flags & HALF_NAN ? nan_a | nan_b : nan_a & nan_b;
    return (uint16_t)(nan ? HALF_CANONICAL_NAN : result);
}

static inline uint16_t half_extreme_f16(uint16_t a, uint16_t b, uint32_t larger, uint32_t flags)
{
    return half_extreme(half_flush(a, HALF_F16_SMALLEST_NORMAL, flags), half_flush(b, HALF_F16_SMALLEST_NORMAL, flags),
                        HALF_F16_INFINITY, larger, flags);
}

static inline uint16_t half_extreme_bf16(uint16_t a, uint16_t b, uint32_t larger, uint32_t flags)
{
    return half_extreme(a, b, HALF_BF16_INFINITY, larger, flags);
}

/* ---- ex2.approx and tanh.approx (9.7.4.9, 9.7.4.10) ---- */

/* An H200 computes 2^a in f32 and truncates it; argument bits below 2^-23 count as 0. This gives
 * its bits for every f16 and bf16. */
static inline uint32_t half_ex2_bits(float a)
{
    float argument = a < 0x1p-23f && a > -0x1p-23f ? 0.0f : a;
    return bits_of_float((float)exp2((double)argument));
}

/* Bits of an f32, rounded towards zero, but to infinity where f16 ends. */
static inline uint16_t half_cut_to_f16(uint32_t bits)
{
    uint32_t magnitude = bits & 0x7FFFFFFF, sign = bits >> 16 & 0x8000;
    if (magnitude >= 143u << 23)
        return (uint16_t)(magnitude > 255u << 23 ? HALF_CANONICAL_NAN : sign | HALF_F16_INFINITY);
    if (magnitude < 113u << 23)
        return (uint16_t)(sign | (uint32_t)(float_from_bits(magnitude) * 0x1p24f));
    return (uint16_t)(sign | (magnitude - (112u << 23)) >> 13);
}

static inline uint16_t half_ex2_f16(uint16_t a)
{
    return half_cut_to_f16(half_ex2_bits(half_f16_to_f32(a)));
}

/* .ftz is part of the form. */
static inline uint16_t half_ex2_bf16(uint16_t a)
{
    uint32_t bits = half_ex2_bits(half_bf16_to_f32(a));
    return (uint16_t)(bits > 255u << 23 ? HALF_CANONICAL_NAN : bits < 1u << 23 ? 0 : bits >> 16);
}

/* An H200 gives a itself where |a| is less than about 2^-8, 1 from 8 on, and between them its own f32 tanh,
 * truncated. This gives its bits for all but 48 of the f16 and 2 of the bf16, which are one unit in the last place away. */
static inline uint32_t half_tanh_bits(float a)
{
    float magnitude = __builtin_fabsf(a);
    float value = magnitude < 0x1.02p-8f ? a : magnitude < 8.0f ? (float)tanh((double)a) : __builtin_copysignf(1.0f, a);
    return bits_of_float(a == a ? value : a);
}

static inline uint16_t half_tanh_f16(uint16_t a)
{
    return half_cut_to_f16(half_tanh_bits(half_f16_to_f32(a)));
}

static inline uint16_t half_tanh_bf16(uint16_t a)
{
    uint32_t bits = half_tanh_bits(half_bf16_to_f32(a));
    return (uint16_t)((bits & 0x7FFFFFFF) > 255u << 23 ? HALF_CANONICAL_NAN : bits >> 16);
}

/* ---- packed pairs: the same on both halves ---- */

#define HALF_PAIR_PLAIN(function, a) ((uint32_t)function((uint16_t)(a)) | (uint32_t)function((uint16_t)((a) >> 16)) << 16)
#define HALF_PAIR_UNARY(function, a, ...) \
    ((uint32_t)function((uint16_t)(a), __VA_ARGS__) | (uint32_t)function((uint16_t)((a) >> 16), __VA_ARGS__) << 16)
#define HALF_PAIR(function, a, b, ...)                             \
    ((uint32_t)function((uint16_t)(a), (uint16_t)(b), __VA_ARGS__) \
     | (uint32_t)function((uint16_t)((a) >> 16), (uint16_t)((b) >> 16), __VA_ARGS__) << 16)
#define HALF_PAIR_TERNARY(function, a, b, c, ...)                                 \
    ((uint32_t)function((uint16_t)(a), (uint16_t)(b), (uint16_t)(c), __VA_ARGS__) \
     | (uint32_t)function((uint16_t)((a) >> 16), (uint16_t)((b) >> 16), (uint16_t)((c) >> 16), __VA_ARGS__) << 16)

#endif
