#include "runtime/emulator/arithmetic/rounding.h"

#include <fenv.h>
#include <math.h>
#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "runtime/emulator/arithmetic/lane_math.h"

/* fesetround() sets the mode of the x87 unit as well, which computes nothing here, and takes five times as long. */
static inline void set_mode(uint32_t mode)
{
#if defined(__SSE2__)
    static const unsigned host[] = {[ROUND_NEAREST] = _MM_ROUND_NEAREST,
                                    [ROUND_ZERO] = _MM_ROUND_TOWARD_ZERO,
                                    [ROUND_DOWN] = _MM_ROUND_DOWN,
                                    [ROUND_UP] = _MM_ROUND_UP};
    _mm_setcsr((_mm_getcsr() & ~(unsigned)_MM_ROUND_MASK) | host[mode & 3]);
#else
    static const int host[] = {
        [ROUND_NEAREST] = FE_TONEAREST, [ROUND_ZERO] = FE_TOWARDZERO, [ROUND_DOWN] = FE_DOWNWARD, [ROUND_UP] = FE_UPWARD};
    fesetround(host[mode & 3]);
#endif
}

static float flush_if(float value, uint32_t mode)
{
    return (mode & ROUNDING_FTZ) && fpclassify(value) == FP_SUBNORMAL ? copysignf(0, value) : value;
}

/* volatile keeps each operation between the two mode changes. */
#define IN_MODE(type, expression)        \
    set_mode(mode);                      \
    volatile type result = (expression); \
    set_mode(ROUND_NEAREST)

float rounded_add_f32(float a, float b, uint32_t mode)
{
    volatile float x = flush_if(a, mode), y = flush_if(b, mode);
    IN_MODE(float, x + y);
    return canonical_f32(flush_if(result, mode));
}

/* Results count as tiny after rounding to 24 bits, as if exponents continued below: see flush_tiny in lane_math.h. */
static float flush_result(float value, double exact, uint32_t mode)
{
    if (!(mode & ROUNDING_FTZ))
        return value;
    bool inwards = (mode & 3) == ROUND_ZERO || (mode & 3) == (exact < 0 ? ROUND_UP : ROUND_DOWN);
    double least = inwards ? 0x1p-126 : 0x1p-126 - 0x1p-150;
    bool tiny = inwards ? fabs(exact) < least : fabs(exact) <= least;
    return tiny ? copysignf(0, value) : flush_if(value, mode);
}

float rounded_multiply_f32(float a, float b, uint32_t mode)
{
    volatile float x = flush_if(a, mode), y = flush_if(b, mode);
    IN_MODE(float, x *y);
    return canonical_f32(flush_result(result, (double)x * y, mode));
}

float rounded_divide_f32(float a, float b, uint32_t mode)
{
    volatile float x = flush_if(a, mode), y = flush_if(b, mode);
    IN_MODE(float, x / y);
    return canonical_f32(flush_result(result, (double)x / y, mode));
}

float rounded_sqrt_f32(float a, uint32_t mode)
{
    volatile float x = flush_if(a, mode);
    IN_MODE(float, sqrtf(x));
    return canonical_f32(flush_if(result, mode));
}

float rounded_fma_f32(float a, float b, float c, uint32_t mode)
{
    volatile float x = flush_if(a, mode), y = flush_if(b, mode), z = flush_if(c, mode);
    IN_MODE(float, fmaf(x, y, z));
    return canonical_f32(flush_result(result, (double)x * y + z, mode));
}

double rounded_add_f64(double a, double b, uint32_t mode)
{
    volatile double x = a, y = b;
    IN_MODE(double, x + y);
    return second_nan_f64(b, result);
}

double rounded_multiply_f64(double a, double b, uint32_t mode)
{
    volatile double x = a, y = b;
    IN_MODE(double, x *y);
    return second_nan_f64(b, result);
}

double rounded_divide_f64(double a, double b, uint32_t mode)
{
    volatile double x = a, y = b;
    IN_MODE(double, x / y);
    return result;
}

double rounded_sqrt_f64(double a, uint32_t mode)
{
    volatile double x = a;
    IN_MODE(double, sqrt(x));
    return result;
}

double rounded_fma_f64(double a, double b, double c, uint32_t mode)
{
    volatile double x = a, y = b, z = c;
    IN_MODE(double, fma(x, y, z));
    return fused_nan_f64(b, c, result);
}

/* ---- cvt ---- */

uint32_t convert_pack(const struct conversion *conversion)
{
    return (uint32_t)conversion->to | (uint32_t)conversion->from << 8 | (uint32_t)conversion->rounding << 16
           | (uint32_t)conversion->to_integral << 20 | (uint32_t)conversion->ftz << 21 | (uint32_t)conversion->saturate << 22
           | (uint32_t)conversion->relu << 23 | (uint32_t)conversion->saturate_finite << 24;
}

/* A format of binary floating point. */
struct format {
    unsigned mantissa_bits, exponent_bits; /* without the hidden bit */
    uint64_t largest;                      /* magnitude of the largest finite number */
    uint64_t infinity;                     /* 0: the format has none */
    uint64_t nan;                          /* the one that conversions give (measured on an H200) */
    unsigned shift;                        /* how far its bits are above bit 0 of the register */
};

static const struct format formats[PTX_TYPE_COUNT] = {
    [PTX_F16] = {10, 5, 0x7BFF, 0x7C00, 0x7FFF, 0},
    [PTX_BF16] = {7, 8, 0x7F7F, 0x7F80, 0x7FFF, 0},
    [PTX_TF32] = {10, 8, 0x3FBFF, 0x3FC00, 0x3FFFF, 13},
    [PTX_E4M3] = {3, 4, 0x7E, 0, 0x7F, 0},
    [PTX_E5M2] = {2, 5, 0x7B, 0x7C, 0x7F, 0},
    [PTX_F32] = {23, 8, 0x7F7FFFFF, 0x7F800000, 0x7FFFFFFF, 0},
    [PTX_F64] = {52, 11, UINT64_C(0x7FEFFFFFFFFFFFFF), UINT64_C(0x7FF0000000000000), UINT64_C(0x7FFFFFFFFFFFFFFF), 0},
};

/* Rounds to an integer in the mode; exact for every double. */
static double integral(double value, enum rounding rounding)
{
    switch (rounding) {
    case ROUND_ZERO: return trunc(value);
    case ROUND_DOWN: return floor(value);
    case ROUND_UP: return ceil(value);
    case ROUND_AWAY: return round(value);
    default: return nearbyint(value);
    }
}

/* Does the magnitude quotient + rest / (2 * half_weight), of a number with this sign, round up to quotient + 1? */
static bool rounds_up(uint64_t quotient, uint64_t rest, uint64_t half_weight, bool negative, enum rounding rounding)
{
    switch (rounding) {
    case ROUND_ZERO: return false;
    case ROUND_DOWN: return negative && rest;
    case ROUND_UP: return !negative && rest;
    case ROUND_AWAY: return rest >= half_weight;
    default: return rest > half_weight || (rest == half_weight && (quotient & 1));
    }
}

/* The number ±significand * 2^exponent in a format, rounded once: magnitude bits, without sign. */
static uint64_t encode(const struct format *format, bool negative, uint64_t significand, int exponent,
                       enum rounding rounding, bool saturate_finite)
{
    if (!significand)
        return 0;
    int leading = __builtin_clzll(significand), bias = (1 << (format->exponent_bits - 1)) - 1;
    significand <<= leading; /* bit 63 is the leading one */
    int power = exponent + 63 - leading, lowest = 1 - bias;
    unsigned dropped = 63 - format->mantissa_bits;
    if (power < lowest) {
        dropped += lowest - power > 64 ? 64 : (unsigned)(lowest - power);
        power = lowest;
    }
    uint64_t quotient, rest, half_weight = UINT64_C(1) << 63;
    if (dropped > 64) { /* less than half of the smallest number */
        quotient = 0;
        rest = 1;
    } else {
        quotient = dropped == 64 ? 0 : significand >> dropped;
        rest = significand << (64 - dropped);
    }
    quotient += rounds_up(quotient, rest, half_weight, negative, rounding);
    /* the hidden bit, or a carry into it, increments the exponent */
    uint64_t top = (uint64_t)(power + bias - 1);
    if (top >= (uint64_t)1 << format->exponent_bits)
        quotient = UINT64_MAX >> 1;
    else
        quotient += top << format->mantissa_bits;
    if (quotient <= format->largest)
        return quotient;
    bool inwards = rounding == ROUND_ZERO || rounding == (negative ? ROUND_UP : ROUND_DOWN);
    return saturate_finite || inwards ? format->largest : format->infinity;
}

static bool is_float(enum ptx_type type)
{
    return ptx_type_kind(type) == KIND_FLOAT;
}

/* Exact, NaN as a NaN. */
static double float_value(uint64_t bits, enum ptx_type type)
{
    const struct format *format = &formats[type];
    bits >>= format->shift;
    uint64_t magnitude_mask = ((uint64_t)1 << (format->mantissa_bits + format->exponent_bits)) - 1;
    uint64_t magnitude = bits & magnitude_mask, mantissa = bits & (((uint64_t)1 << format->mantissa_bits) - 1);
    int field = (int)(magnitude >> format->mantissa_bits), bias = (1 << (format->exponent_bits - 1)) - 1;
    double value;
    if (type == PTX_F64) {
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (magnitude > format->largest)
        value = format->infinity && magnitude == format->infinity ? INFINITY : NAN;
    else
        value = ldexp((double)(field ? mantissa | (uint64_t)1 << format->mantissa_bits : mantissa),
                      (field ? field : 1) - bias - (int)format->mantissa_bits);
    return bits & (magnitude_mask + 1) ? -value : value;
}

/* What a NaN becomes (measured on an H200): to or from f64 it keeps its sign and the upper bits of its payload and is made
 * quiet; where bits are only copied, it stays; tf32 with .rna truncates it; else it is the canonical one. */
static uint64_t convert_nan(uint64_t bits, enum ptx_type to, enum ptx_type from, bool copies, bool cuts)
{
    const struct format *target = &formats[to], *source = &formats[from];
    if (copies && (to == from || (from == PTX_BF16 && to == PTX_F32)) && to != PTX_F16 && to != PTX_BF16)
        return from == PTX_BF16 ? bits << 16 : bits;
    if (cuts)
        return bits & ~UINT64_C(0x1FFF);
    if (to != PTX_F64 && from != PTX_F64)
        return target->nan << target->shift;
    if (from == PTX_F32 && !copies)
        bits = source->nan;
    uint64_t payload = bits & (((uint64_t)1 << source->mantissa_bits) - 1);
    uint64_t sign = bits >> (source->mantissa_bits + source->exponent_bits) & 1;
    payload = payload << (52 - source->mantissa_bits) >> (52 - target->mantissa_bits);
    return sign << (target->mantissa_bits + target->exponent_bits) | target->infinity
           | (uint64_t)1 << (target->mantissa_bits - 1) | payload;
}

static uint64_t float_bits(double value, enum ptx_type type, enum rounding rounding, bool saturate_finite)
{
    const struct format *format = &formats[type];
    uint64_t bits, magnitude;
    memcpy(&bits, &value, sizeof bits);
    int field = (int)(bits >> 52 & 0x7FF);
    uint64_t significand = (bits & ((UINT64_C(1) << 52) - 1)) | (field ? UINT64_C(1) << 52 : 0);
    bool negative = bits >> 63;
    if (isinf(value))
        magnitude = saturate_finite ? format->largest : format->infinity;
    else
        magnitude = encode(format, negative, significand, (field ? field : 1) - 1075, rounding, saturate_finite);
    uint64_t sign = (uint64_t)negative << (format->mantissa_bits + format->exponent_bits);
    return (sign | magnitude) << format->shift;
}

static __int128 integer_value(uint64_t bits, enum ptx_type type)
{
    unsigned width = ptx_type_bytes(type) * 8;
    if (ptx_type_kind(type) == KIND_SIGNED)
        return (int64_t)(bits << (64 - width)) >> (64 - width);
    return width == 64 ? bits : bits & (((uint64_t)1 << width) - 1);
}

static void integer_range(enum ptx_type type, __int128 *low, __int128 *high)
{
    unsigned width = ptx_type_bytes(type) * 8;
    bool is_signed = ptx_type_kind(type) == KIND_SIGNED;
    *low = is_signed ? -((__int128)1 << (width - 1)) : 0;
    *high = ((__int128)1 << (width - is_signed)) - 1;
}

/* NaN becomes 0, but the highest bit alone where either side has 64 bits (9.7.9.21). */
static uint64_t float_to_integer(double value, enum ptx_type to, enum ptx_type from, enum rounding rounding)
{
    __int128 low, high;
    integer_range(to, &low, &high);
    if (value != value) {
        bool highest = from == PTX_F64 || ptx_type_bytes(to) == 8;
        return highest ? (uint64_t)integer_value((uint64_t)1 << (8 * ptx_type_bytes(to) - 1), to) : 0;
    }
    value = integral(value, rounding);
    if (value >= (double)high + 1)
        return (uint64_t)high;
    if (value <= (double)low)
        return (uint64_t)low;
    return (uint64_t)(__int128)value;
}

static uint64_t integer_to_float(__int128 value, enum ptx_type to, enum rounding rounding, bool saturate)
{
    const struct format *format = &formats[to];
    if (saturate)
        value = value > 0;
    bool negative = value < 0;
    uint64_t sign = (uint64_t)negative << (format->mantissa_bits + format->exponent_bits);
    return sign | encode(format, negative, (uint64_t)(negative ? -value : value), 0, rounding, false);
}

static uint64_t integer_to_integer(__int128 value, enum ptx_type to, bool saturate)
{
    __int128 low, high;
    integer_range(to, &low, &high);
    if (saturate)
        value = value < low ? low : value > high ? high : value;
    return (uint64_t)integer_value((uint64_t)value, to);
}

/* Is the value, rounded to the precision of f32 as if exponents continued below, less than the smallest normal number? */
static bool is_tiny(double value, enum rounding rounding)
{
    if (fabs(value) >= 0x1p-126)
        return false;
    uint64_t scaled = float_bits(ldexp(value, 200), PTX_F32, rounding, false) & 0x7FFFFFFF;
    return scaled < (uint64_t)(127 + 200 - 126) << 23;
}

bool convert_is_whole(uint32_t packed, struct whole_conversion *whole)
{
    enum ptx_type to = packed & 255, from = packed >> 8 & 255;
    bool saturate = packed >> 22 & 1;
    if (saturate || is_float(to) || is_float(from))
        return false;
    *whole = (struct whole_conversion){.from_left = 64 - 8 * ptx_type_bytes(from),
                                       .to_left = 64 - 8 * ptx_type_bytes(to),
                                       .from_signed = ptx_type_kind(from) == KIND_SIGNED,
                                       .to_signed = ptx_type_kind(to) == KIND_SIGNED};
    return true;
}

uint64_t convert_value(uint64_t bits, uint32_t packed)
{
    enum ptx_type to = packed & 255, from = packed >> 8 & 255;
    enum rounding rounding = packed >> 16 & 15;
    bool to_integral = packed >> 20 & 1, ftz = packed >> 21 & 1, saturate = packed >> 22 & 1, relu = packed >> 23 & 1;
    bool saturate_finite = packed >> 24 & 1;
    if (!is_float(from))
        return is_float(to) ? integer_to_float(integer_value(bits, from), to, rounding, saturate)
                            : integer_to_integer(integer_value(bits, from), to, saturate);
    double value = float_value(bits, from);
    if (ftz && from == PTX_F32 && to != PTX_F16 && fpclassify((float)value) == FP_SUBNORMAL) /* f16: as on an H200 */
        value = copysign(0, value);
    if (!is_float(to))
        return float_to_integer(value, to, from, rounding);
    if (saturate)
        value = value > 0 ? (value < 1 ? value : 1) : 0;
    if (value != value) {
        bool cuts = to == PTX_TF32 && rounding == ROUND_AWAY;
        return convert_nan(bits, to, from, !ftz && !to_integral, cuts) - (cuts && saturate_finite ? 0x2000 : 0);
    }
    if (to_integral) {
        value = integral(value, rounding);
        rounding = ROUND_NEAREST;
    }
    if (relu && (value < 0 || (value == 0 && signbit(value))))
        value = 0;
    uint64_t result = float_bits(value, to, rounding, saturate_finite);
    return ftz && to == PTX_F32 && is_tiny(value, rounding) ? result & 0x80000000u : result;
}
