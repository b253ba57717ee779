#include "runtime/emulator/execution/rounding.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

static void set_mode(uint32_t mode)
{
    static const int host[] = {[ROUND_NEAREST] = FE_TONEAREST, [ROUND_ZERO] = FE_TOWARDZERO, [ROUND_DOWN] = FE_DOWNWARD,
                               [ROUND_UP] = FE_UPWARD};
    fesetround(host[mode & 3]);
}

static float flush_if(float value, uint32_t mode)
{
    return (mode & ROUNDING_FTZ) && fpclassify(value) == FP_SUBNORMAL ? copysignf(0, value) : value;
}

/* volatile keeps each operation between the two changes of mode. */
#define IN_MODE(type, expression)                                                                                          \
    set_mode(mode);                                                                                                        \
    volatile type result = (expression);                                                                                   \
    fesetround(FE_TONEAREST)

float rounded_add_f32(float a, float b, uint32_t mode)
{
    volatile float x = flush_if(a, mode), y = flush_if(b, mode);
    IN_MODE(float, x + y);
    return flush_if(result, mode);
}

/* Results count as tiny before they are rounded: see flush_tiny in lane_math.h. */
static float flush_result(float value, double exact, uint32_t mode)
{
    return (mode & ROUNDING_FTZ) && fabs(exact) < 0x1p-126 ? copysignf(0, value) : value;
}

float rounded_multiply_f32(float a, float b, uint32_t mode)
{
    volatile float x = flush_if(a, mode), y = flush_if(b, mode);
    IN_MODE(float, x * y);
    return flush_result(result, (double)x * y, mode);
}

float rounded_divide_f32(float a, float b, uint32_t mode)
{
    volatile float x = flush_if(a, mode), y = flush_if(b, mode);
    IN_MODE(float, x / y);
    return flush_result(result, (double)x / y, mode);
}

float rounded_sqrt_f32(float a, uint32_t mode)
{
    volatile float x = flush_if(a, mode);
    IN_MODE(float, sqrtf(x));
    return flush_if(result, mode);
}

float rounded_fma_f32(float a, float b, float c, uint32_t mode)
{
    volatile float x = flush_if(a, mode), y = flush_if(b, mode), z = flush_if(c, mode);
    IN_MODE(float, fmaf(x, y, z));
    return flush_result(result, (double)x * y + z, mode);
}

double rounded_add_f64(double a, double b, uint32_t mode)
{
    volatile double x = a, y = b;
    IN_MODE(double, x + y);
    return result;
}

double rounded_multiply_f64(double a, double b, uint32_t mode)
{
    volatile double x = a, y = b;
    IN_MODE(double, x * y);
    return result;
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
    return result;
}

/* ---- cvt ---- */

uint32_t convert_pack(const struct conversion *conversion)
{
    return (uint32_t)conversion->to | (uint32_t)conversion->from << 8 | (uint32_t)conversion->rounding << 16 |
           (uint32_t)conversion->to_integral << 20 | (uint32_t)conversion->ftz << 21 | (uint32_t)conversion->saturate << 22;
}

double half_to_double(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double magnitude = exponent == 31 ? (fraction ? NAN : INFINITY)
                       : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                      : ldexp(fraction, -24);
    return bits & 0x8000 ? -magnitude : magnitude;
}

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

uint16_t half_from_double(double value, enum rounding rounding)
{
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    double magnitude = fabs(value);
    if (value != value)
        return 0x7FFF;
    if (isinf(value))
        return sign | 0x7C00;
    int exponent;
    frexp(magnitude, &exponent);
    int scale = exponent - 11 < -24 ? -24 : exponent - 11;   /* weight of the last bit kept */
    enum rounding mode = sign ? (rounding == ROUND_DOWN ? ROUND_UP
                                 : rounding == ROUND_UP ? ROUND_DOWN
                                                        : rounding)
                              : rounding;
    double rounded = ldexp(integral(ldexp(magnitude, -scale), mode), scale);
    if (rounded > 65504)
        return sign | (mode == ROUND_ZERO || mode == ROUND_DOWN ? 0x7BFF : 0x7C00);
    if (rounded == 0)
        return sign;
    frexp(rounded, &exponent);
    if (exponent - 11 < -24)   /* subnormal */
        return sign | (uint16_t)ldexp(rounded, 24);
    return sign | (uint16_t)((exponent + 14) << 10) | (uint16_t)((int)ldexp(rounded, 11 - exponent) & 1023);
}

static bool is_float(enum ptx_type type)
{
    return ptx_type_kind(type) == KIND_FLOAT;
}

static double float_value(uint64_t bits, enum ptx_type type)
{
    if (type == PTX_F64) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (type == PTX_F16)
        return half_to_double((uint16_t)bits);
    uint32_t narrow = (uint32_t)bits;
    float value;
    memcpy(&value, &narrow, sizeof value);
    return (double)value;
}

static uint64_t float_bits(double value, enum ptx_type type, enum rounding rounding)
{
    if (type == PTX_F64) {
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        return value != value ? UINT64_C(0x7FFFFFFFFFFFFFFF) : bits;
    }
    if (type == PTX_F16)
        return half_from_double(value, rounding);
    volatile double wide = value;
    set_mode(rounding);
    volatile float narrow = (float)wide;
    fesetround(FE_TONEAREST);
    float copy = narrow;
    uint32_t bits;
    memcpy(&bits, &copy, sizeof bits);
    return value != value ? 0x7FFFFFFF : bits;
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
    if (value != value)
        return from == PTX_F64 || ptx_type_bytes(to) == 8 ? (uint64_t)1 << (8 * ptx_type_bytes(to) - 1) : 0;
    value = integral(value, rounding);
    if (value >= (double)high + 1)
        return (uint64_t)high;
    if (value <= (double)low)
        return (uint64_t)low;
    return (uint64_t)(__int128)value;
}

/* An integer of up to 64 bits is rounded once: through long double, which holds it exactly. */
static uint64_t integer_to_float(__int128 value, enum ptx_type to, enum rounding rounding)
{
    volatile long double exact = (long double)value;
    if (to == PTX_F16)
        return half_from_double((double)exact, rounding);
    set_mode(rounding);
    volatile double wide = to == PTX_F64 ? (double)exact : 0;
    volatile float narrow = to == PTX_F32 ? (float)exact : 0;
    fesetround(FE_TONEAREST);
    return to == PTX_F64 ? float_bits(wide, PTX_F64, ROUND_NEAREST) : float_bits((double)narrow, PTX_F32, ROUND_NEAREST);
}

static uint64_t integer_to_integer(__int128 value, enum ptx_type to, bool saturate)
{
    __int128 low, high;
    integer_range(to, &low, &high);
    if (saturate)
        value = value < low ? low : value > high ? high : value;
    return (uint64_t)integer_value((uint64_t)value, to);
}

uint64_t convert_value(uint64_t bits, uint32_t packed)
{
    enum ptx_type to = packed & 255, from = packed >> 8 & 255;
    enum rounding rounding = packed >> 16 & 15;
    bool to_integral = packed >> 20 & 1, ftz = packed >> 21 & 1, saturate = packed >> 22 & 1;
    if (!is_float(from))
        return is_float(to) ? integer_to_float(integer_value(bits, from), to, rounding)
                            : integer_to_integer(integer_value(bits, from), to, saturate);
    double value = float_value(bits, from);
    if (ftz && from == PTX_F32 && fpclassify((float)value) == FP_SUBNORMAL)
        value = copysign(0, value);
    if (!is_float(to))
        return float_to_integer(value, to, from, rounding);
    if (to_integral) {
        value = integral(value, rounding);
        rounding = ROUND_NEAREST;
    }
    if (saturate)
        value = value > 0 ? (value < 1 ? value : 1) : 0;
    uint64_t result = float_bits(value, to, rounding);
    if (ftz && to == PTX_F32 && !(result & 0x7F800000))
        result &= 0x80000000u;
    return result;
}
