/* Sums of products as tensor cores form them. Compiled with the executors, so that it uses their vector instructions.
 *
 * A tensor core adds a group of products and the sum so far at once. Products are exact. All terms but zeros are aligned to
 * the largest exponent among them and cut off `fraction` bits below it; then they are added exactly, and the result is cut
 * off to f32 or rounded to f16. A product of significands in [1, 2) counts with the sum of its factors' exponents, though it
 * may reach 4. Subnormal factors keep the smallest exponent and a significand below 1. A sum of zero is +0, and so is one
 * that becomes zero. (The method of finding out: Fasi, Higham, Mikaitis and Pranesh, "Numerical behavior of NVIDIA tensor
 * cores", PeerJ Computer Science 7:e330. The numbers are an H200's: matrix_numerics_of().)
 */
#ifndef EMULATOR_MATRIX_SUM_H
#define EMULATOR_MATRIX_SUM_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "runtime/emulator/execution/matrix.h"

enum { SUM_LANES = 8, SIGNIFICAND_BITS = 10 };   /* of factors: all are brought to ten bits behind the point */
enum { SUM_NO_EXPONENT = -1000 };                 /* of zeros: below all others */

typedef int32_t sum_lanes __attribute__((vector_size(4 * SUM_LANES), aligned(4), may_alias));
typedef uint32_t sum_bits __attribute__((vector_size(4 * SUM_LANES), aligned(4), may_alias));

/* A matrix of numbers, significand * 2^(exponent - bits behind the point). `special`: some are infinite or no number, which
 * then count as 0 here. */
struct sum_matrix {
    int32_t *significand, *exponent;
    bool special;
};

struct sum_format {
    uint8_t skipped;           /* low bits that the machine does not look at */
    uint8_t mantissa_bits, exponent_bits;
    bool finite;               /* e4m3: all ones is the only NaN, there is no infinity */
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

/* Takes 32 numbers apart and puts them to their places. `bits`: behind the point of the significands. */
static inline void sum_unpack(struct sum_format format, const uint32_t *value, unsigned shift, unsigned bits,
                              const uint16_t *index, struct sum_matrix *out)
{
    int32_t significand[MATRIX_LANES], exponent[MATRIX_LANES];
    uint32_t mantissa = (1u << format.mantissa_bits) - 1, top = (1u << format.exponent_bits) - 1, special = 0;
    int32_t bias = (int32_t)(top >> 1);
    unsigned sign = (unsigned)format.mantissa_bits + format.exponent_bits;
    for (unsigned lane = 0; lane < MATRIX_LANES; lane++) {
        uint32_t v = value[lane] >> (shift + format.skipped), e = v >> format.mantissa_bits & top, m = v & mantissa;
        uint32_t beyond = format.finite ? (e == top) & (m == mantissa) : e == top;
        uint32_t normal = e != 0;
        int32_t size = (int32_t)((m | normal << format.mantissa_bits) << (bits - format.mantissa_bits));
        int32_t power = (int32_t)(e + (1 - normal)) - bias;
        for (unsigned i = 0; format.finite && i < 3; i++) {   /* e4m3 becomes f16, where its subnormals are normal */
            int32_t small = size < 1 << bits;
            size <<= small;
            power -= small;
        }
        special |= beyond;
        size = beyond ? 0 : size;
        significand[lane] = v >> sign & 1 ? -size : size;
        exponent[lane] = size ? power : SUM_NO_EXPONENT;
    }
    for (unsigned lane = 0; lane < MATRIX_LANES; lane++) {
        out->significand[index[lane]] = significand[lane];
        out->exponent[index[lane]] = exponent[lane];
    }
    out->special |= special != 0;
}

/* One row times SUM_LANES columns, `count` products each, added to c (23 bits behind the point).
 *   a, a_exponent   [count]; b, b_exponent: `columns` apart from one product to the next
 * The exact sums go to out. */
static inline void sum_group(unsigned fraction, unsigned count, unsigned columns, const int32_t *a, const int32_t *a_exponent,
                             const int32_t *b, const int32_t *b_exponent, const int32_t *c, const int32_t *c_exponent,
                             double out[SUM_LANES])
{
    sum_lanes top = *(const sum_lanes *)c_exponent, sum = {0}, other = {0};
    for (unsigned k = 0; k < count; k++) {
        sum_lanes exponent = *(const sum_lanes *)(b_exponent + k * columns) + a_exponent[k], larger = exponent > top;
        top = (exponent & larger) | (top & ~larger);
    }
    top = (top & (top > SUM_NO_EXPONENT / 2)) | (SUM_NO_EXPONENT / 2 & ~(top > SUM_NO_EXPONENT / 2));
    const unsigned product_bits = 2 * SIGNIFICAND_BITS;
    unsigned left = fraction > product_bits ? fraction - product_bits : 0;
    int32_t right = fraction < product_bits ? (int32_t)(product_bits - fraction) : 0;
    for (unsigned k = 0; k < count; k++) {
        sum_lanes product = *(const sum_lanes *)(b + k * columns) * a[k], negative = product >> 31;
        sum_lanes shift = top - *(const sum_lanes *)(b_exponent + k * columns) - a_exponent[k] + right, far = shift > 31;
        sum_bits size = (sum_bits)((product ^ negative) - negative) << left;
        size = (size >> (sum_bits)(shift & ~far)) & (sum_bits)~far;
        sum_lanes term = ((sum_lanes)size ^ negative) - negative;
        if (k & 8)
            other += term;   /* two sums of eight terms below 2^28 each */
        else
            sum += term;
    }
    sum_lanes addend = *(const sum_lanes *)c, negative = addend >> 31;
    sum_lanes shift = top - *(const sum_lanes *)c_exponent + (fraction < 23 ? (int32_t)(23 - fraction) : 0), far = shift > 31;
    sum_bits size = (sum_bits)((addend ^ negative) - negative) << (fraction > 23 ? fraction - 23 : 0);
    size = (size >> (sum_bits)(shift & ~far)) & (sum_bits)~far;
    sum += ((sum_lanes)size ^ negative) - negative;
    for (unsigned i = 0; i < SUM_LANES; i++) {
        uint64_t scale_bits = (uint64_t)(int64_t)(top[i] - (int32_t)fraction + 1023) << 52;
        double scale;
        memcpy(&scale, &scale_bits, sizeof scale);
        out[i] = ((double)sum[i] + (double)other[i]) * scale;   /* exact: 34 bits */
    }
}

/* To f32, cut off; infinite from 2^128 on. */
static inline float sum_truncate(double value)
{
    float nearest = (float)value;
    uint32_t bits;
    memcpy(&bits, &nearest, sizeof bits);
    bits -= __builtin_fabs((double)nearest) > __builtin_fabs(value) && __builtin_fabs(value) < 0x1p128;
    bits = bits == 0x80000000 ? 0 : bits;
    memcpy(&nearest, &bits, sizeof bits);
    return nearest;
}

/* The sums so far, f16 or f32, become terms of the next group. */
static inline void sum_continue(enum ptx_type type, const uint32_t *value, unsigned count, struct sum_matrix *out)
{
    uint16_t index[MATRIX_LANES];
    for (unsigned first = 0; first < count; first += MATRIX_LANES) {
        for (unsigned i = 0; i < MATRIX_LANES; i++)
            index[i] = (uint16_t)(first + i);
        sum_unpack(sum_format_of(type), value + first, 0, 23, index, out);
    }
}

#endif
