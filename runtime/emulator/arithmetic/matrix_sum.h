/* Sums of products as tensor cores form them. Compiled with the executors, so that it uses their vector instructions.
 *
 * A tensor core adds a group of products and the sum so far at once. Products are exact. All nonzero terms are aligned to
 * the largest exponent among them, at least -133, and truncated 25 bits below it; then they are added exactly, and the
 * result is truncated to f32 or rounded to f16. A product of significands in [1, 2) counts with the sum of its factors'
 * exponents, though it may reach 4. Subnormal factors keep the smallest exponent and a significand below 1. A sum of zero is
 * +0, and so is one that becomes zero. (The method of finding out: Fasi, Higham, Mikaitis and Pranesh, "Numerical behavior
 * of NVIDIA tensor cores", PeerJ Computer Science 7:e330. The numbers are an H200's: matrix_numerics_of().)
 */
#ifndef EMULATOR_MATRIX_SUM_H
#define EMULATOR_MATRIX_SUM_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "runtime/emulator/arithmetic/matrix.h"

enum {
    SUM_LANES = 8,
    SUM_FRACTION = 25,         /* bits that are kept below the leading bit of the largest term */
    SUM_FACTOR_BITS = 10,      /* fraction bits of factors */
    SUM_C_BITS = 23,           /* fraction bits of the addend */
    SUM_NO_EXPONENT = -1000,   /* of zeros: below all others */
    SUM_LEAST_EXPONENT = -133, /* the lowest that terms are aligned to */
};

typedef int32_t sum_lanes __attribute__((vector_size(4 * SUM_LANES), aligned(4), may_alias));
typedef uint32_t sum_bits __attribute__((vector_size(4 * SUM_LANES), aligned(4), may_alias));

/* A matrix of numbers, row by row: significand * 2^(exponent - fraction bits). `special`: some are infinite or NaN; those
 * count as 0 here. */
struct sum_matrix {
    int32_t *significand, *exponent;
    bool special;
};

struct sum_format {
    uint8_t skipped; /* low bits that the machine ignores */
    uint8_t mantissa_bits, exponent_bits;
    bool finite; /* e4m3: all ones is the only NaN, there is no infinity */
};

static inline struct sum_format sum_format_of(enum ptx_type type)
{
    switch (type) {
    case PTX_F16: return (struct sum_format){0, 10, 5, false};
    case PTX_BF16: return (struct sum_format){0, 7, 8, false};
    case PTX_TF32: return (struct sum_format){13, 10, 8, false};
    case PTX_E4M3: return (struct sum_format){0, 3, 4, true};
    case PTX_E5M2: return (struct sum_format){0, 2, 5, false};
    default: return (struct sum_format){0, 23, 8, false};
    }
}

/* Splits numbers. `bits`: fraction bits of the significands. */
static inline void sum_unpack(enum ptx_type type, const uint32_t *value, unsigned count, unsigned bits,
                              struct sum_matrix *out)
{
    const struct sum_format format = sum_format_of(type);
    const uint32_t mantissa = (1u << format.mantissa_bits) - 1, top = (1u << format.exponent_bits) - 1;
    const uint32_t last = format.finite ? mantissa : 0; /* beyond: the highest exponent, with this mantissa or above */
    const int32_t bias = (int32_t)(top >> 1), one = 1 << bits;
    const unsigned sign = (unsigned)format.mantissa_bits + format.exponent_bits, up = bits - format.mantissa_bits;
    int32_t *significand = out->significand, *exponent = out->exponent;
    uint32_t special = 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t v = value[i] >> format.skipped, e = v >> format.mantissa_bits & top, m = v & mantissa, normal = e != 0;
        uint32_t beyond = (e == top) & (m >= last);
        int32_t size = (int32_t)((m | normal << format.mantissa_bits) << up) & -(int32_t)!beyond;
        int32_t negative = -(int32_t)(v >> sign & 1);
        special |= beyond;
        significand[i] = (size ^ negative) - negative;
        exponent[i] = size ? (int32_t)(e + (normal ^ 1)) - bias : SUM_NO_EXPONENT;
    }
    out->special |= special != 0;
    for (unsigned i = 0; format.finite && i < count; i++) /* e4m3 becomes f16, where its subnormals are normal */
        while (significand[i] && significand[i] < one && significand[i] > -one) {
            significand[i] *= 2;
            exponent[i]--;
        }
}

/* Prepares factors of B: significands of 16 bits, so that sum_product() can multiply them. */
static inline void sum_narrow(int32_t *significand, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        significand[i] &= 0xFFFF;
}

/* Vectors go by address: not every level has registers for them. */

/* a * b. */
static inline void sum_product(int32_t a, const int32_t *b, sum_lanes *product)
{
#if defined(__AVX2__)
    *product = (sum_lanes)_mm256_madd_epi16(_mm256_set1_epi32(a), (__m256i) * (const sum_lanes *)b);
#else
    *product = (*(const sum_lanes *)b << 16 >> 16) * a;
#endif
}

/* value * 2^-shift, truncated towards zero. */
static inline void sum_cut(sum_lanes *value, const sum_lanes *shift)
{
#if defined(__AVX2__)
    __m256i size = _mm256_srlv_epi32(_mm256_abs_epi32((__m256i)*value), (__m256i)*shift);
    *value = (sum_lanes)_mm256_sign_epi32(size, (__m256i)*value);
#else
    sum_lanes negative = *value >> 31, far = *shift > 31;
    sum_bits size = (sum_bits)((*value ^ negative) - negative) >> (sum_bits)(*shift & ~far);
    *value = ((sum_lanes)(size & (sum_bits)~far) ^ negative) - negative;
#endif
}

/* One row times SUM_LANES columns, `count` (at most 16) products each, added to c.
 *   a, a_exponent   [count]; b, b_exponent: `columns` apart between products
 * The exact sums go to out. */
static inline void sum_group(unsigned count, unsigned columns, const int32_t *a, const int32_t *a_exponent, const int32_t *b,
                             const int32_t *b_exponent, const int32_t *c, const int32_t *c_exponent, double out[SUM_LANES])
{
    enum { LEFT = SUM_FRACTION - 2 * SUM_FACTOR_BITS, LEFT_C = SUM_FRACTION - SUM_C_BITS };
    sum_lanes power[16], c_power = *(const sum_lanes *)c_exponent, sum = {0}, other = {0};
    sum_lanes above = c_power > SUM_LEAST_EXPONENT, top = (c_power & above) | (SUM_LEAST_EXPONENT & ~above);
    for (unsigned k = 0; k < count; k++) {
        power[k] = *(const sum_lanes *)(b_exponent + k * columns) + a_exponent[k];
        sum_lanes larger = power[k] > top;
        top = (power[k] & larger) | (top & ~larger);
    }
    for (unsigned k = 0; k < count; k++) {
        sum_lanes term, shift = top - power[k];
        sum_product(a[k], b + k * columns, &term);
        term <<= LEFT;
        sum_cut(&term, &shift);
        if (k & 8)
            other += term; /* two sums of eight terms below 2^28 each */
        else
            sum += term;
    }
    sum_lanes addend = *(const sum_lanes *)c << LEFT_C, shift = top - c_power;
    sum_cut(&addend, &shift);
    sum += addend;
    for (unsigned i = 0; i < SUM_LANES; i++) {
        uint64_t scale_bits = (uint64_t)(int64_t)(top[i] - SUM_FRACTION + 1023) << 52;
        double scale;
        memcpy(&scale, &scale_bits, sizeof scale);
        out[i] = ((double)sum[i] + (double)other[i]) * scale; /* exact: 34 bits */
    }
}

/* To f32, truncated; infinite from 2^128 on. */
static inline float sum_truncate(double value)
{
    float nearest = (float)value;
    double size = __builtin_fabs(value);
    uint32_t bits;
    memcpy(&bits, &nearest, sizeof bits);
    bits -= (uint32_t)(__builtin_fabs((double)nearest) > size) & (uint32_t)(size < 0x1p128);
    bits = bits == 0x80000000 ? 0 : bits;
    memcpy(&nearest, &bits, sizeof bits);
    return nearest;
}

#endif
