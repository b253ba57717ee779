/* Products of matrices in whole vectors. Compiled with the executors, so that it uses their vector instructions.
 *
 * A register of a fragment is a tile of eight rows of four words (matrix.h), and the 32 lanes hold it row by row. So a tile
 * is unpacked by vectors, not element by element. The first factor is staged row by row, the second column by column of its
 * tiles, so that eight columns of the product are one vector.
 *
 * Numbers become f32, which holds each of them and each product of two exactly. matrix_sum.h says how a tensor core adds
 * products; here this is done
 *   tile_add_exact()   where no term can be cut off and no partial sum of products needs more than 24 bits: by ordinary
 *                      arithmetic, which then rounds nothing. So it is with small whole numbers
 *   tile_add_cut()     else: a product is scaled so that the conversion to an integer cuts it off where the machine does
 * Both need exponents far from the ends of f32. Elsewhere, and with infinities and NaN, matrix_sum.h does it step by step.
 */
#ifndef EMULATOR_MATRIX_TILE_H
#define EMULATOR_MATRIX_TILE_H

#include "runtime/emulator/arithmetic/matrix_sum.h"

typedef float tile_floats __attribute__((vector_size(4 * SUM_LANES), aligned(4), may_alias));
typedef double tile_doubles __attribute__((vector_size(32), aligned(8), may_alias));
typedef int16_t tile_pairs __attribute__((vector_size(4 * SUM_LANES), aligned(4), may_alias));

#if defined(__clang__)
#define TILE_SHUFFLE(a, b, ...)         __builtin_shufflevector(a, b, __VA_ARGS__)
#define TILE_SHUFFLE_DOUBLES(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define TILE_SHUFFLE(a, b, ...)         __builtin_shuffle(a, b, (sum_lanes){__VA_ARGS__})
#define TILE_SHUFFLE_DOUBLES(a, b, ...) __builtin_shuffle(a, b, (tile_choice){__VA_ARGS__})
typedef int64_t tile_choice __attribute__((vector_size(32)));
#endif

enum {
    TILE_ROWS = 8,
    TILE_WORDS = 4,
    TILE_LEAST = -100, /* exponents that are far from the ends of f32, also when they are scaled */
    TILE_MOST = 120,
    TILE_EXACT_LEAST = -14, /* of a factor's largest element: f16 counts its subnormals with this exponent */
    TILE_EXACT_BITS = 15,   /* below the leading bit of a factor's largest element: beyond, no sum is exact */
};

/* A factor, as bits of f32. The first: value[row * k + q]; the second: value[q * columns + column]. Of elements that share a
 * word, q is part * words + word: the order of products does not matter within a group, and several groups have one part. */
struct tile_factor {
    int32_t value[MATRIX_MAX_A];
    int32_t exponent[MATRIX_MAX_A]; /* tile_exponents() */
    int32_t high, low; /* of all that are not zero; high also after staging. None: SUM_NO_EXPONENT, -SUM_NO_EXPONENT */
    int32_t unit;      /* tile_unit(): all are multiples of 2^unit */
};

static inline void tile_max(sum_lanes *a, const sum_lanes *b)
{
#if defined(__AVX2__)
    *a = (sum_lanes)_mm256_max_epi32((__m256i)*a, (__m256i)*b);
#else
    sum_lanes larger = *a > *b;
    *a = (*a & larger) | (*b & ~larger);
#endif
}

static inline void tile_min(sum_lanes *a, const sum_lanes *b)
{
#if defined(__AVX2__)
    *a = (sum_lanes)_mm256_min_epi32((__m256i)*a, (__m256i)*b);
#else
    sum_lanes larger = *a > *b;
    *a = (*b & larger) | (*a & ~larger);
#endif
}

static inline int32_t tile_highest(const sum_lanes *lanes)
{
    sum_lanes all = *lanes, other = TILE_SHUFFLE(all, all, 4, 5, 6, 7, 0, 1, 2, 3);
    tile_max(&all, &other);
    other = TILE_SHUFFLE(all, all, 2, 3, 0, 1, 6, 7, 4, 5);
    tile_max(&all, &other);
    return all[0] > all[1] ? all[0] : all[1];
}

static inline int32_t tile_lowest(const sum_lanes *lanes)
{
    sum_lanes all = *lanes, other = TILE_SHUFFLE(all, all, 4, 5, 6, 7, 0, 1, 2, 3);
    tile_min(&all, &other);
    other = TILE_SHUFFLE(all, all, 2, 3, 0, 1, 6, 7, 4, 5);
    tile_min(&all, &other);
    return all[0] < all[1] ? all[0] : all[1];
}

/* All bits that any lane has. */
static inline uint32_t tile_bits(const sum_lanes *lanes)
{
    sum_lanes all = *lanes;
    all |= TILE_SHUFFLE(all, all, 4, 5, 6, 7, 0, 1, 2, 3);
    all |= TILE_SHUFFLE(all, all, 2, 3, 0, 1, 6, 7, 4, 5);
    return (uint32_t)(all[0] | all[1]);
}

/* 2^power, of -126 to 127. */
static inline float tile_power(int32_t power)
{
    int32_t bits = (power + 127) << 23;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* sum + a * b, where the product is exact. */
static inline void tile_multiply_add(tile_floats *sum, const tile_floats *a, const tile_floats *b)
{
#if defined(__FMA__)
    *sum = (tile_floats)_mm256_fmadd_ps((__m256)*a, (__m256)*b, (__m256)*sum);
#else
    *sum += *a * *b;
#endif
}

/* ---- unpacking ---- */

/* One part of eight words, as f32. */
static inline __attribute__((always_inline)) void tile_widen(enum ptx_type type, unsigned part, const sum_lanes *words,
                                                             sum_lanes *out)
{
    switch (type) {
    case PTX_F16: {
        sum_lanes half = *words >> (part ? 16 : 0), size = (half & 0x7FFF) << 13;
        tile_floats scaled = (tile_floats)size * 0x1p112f; /* exact, also of subnormals */
        *out = (sum_lanes)scaled | (half & 0x8000) << 16;
        break;
    }
    case PTX_BF16: *out = *words << (part ? 0 : 16) & ~0xFFFF; break;
    case PTX_TF32: *out = *words & ~0x1FFF; break;
    default: *out = *words;
    }
}

/* Words w of the eight rows of a tile, for each w: they are eight neighbours in the transpose. */
static inline void tile_transpose(const uint32_t *tile, sum_lanes out[TILE_WORDS])
{
    const sum_lanes *rows = (const sum_lanes *)tile; /* two in each vector */
    sum_lanes even[4], odd[4];
    for (unsigned i = 0; i < 4; i++) {
        even[i] = TILE_SHUFFLE(rows[i], rows[i], 0, 4, 2, 6, 0, 4, 2, 6);
        odd[i] = TILE_SHUFFLE(rows[i], rows[i], 1, 5, 3, 7, 1, 5, 3, 7);
    }
    for (unsigned half = 0; half < 2; half++) {
        const sum_lanes *in = half ? odd : even;
        sum_lanes low = TILE_SHUFFLE(in[0], in[1], 0, 1, 8, 9, 2, 3, 10, 11);
        sum_lanes high = TILE_SHUFFLE(in[2], in[3], 0, 1, 8, 9, 2, 3, 10, 11);
        out[half] = TILE_SHUFFLE(low, high, 0, 1, 2, 3, 8, 9, 10, 11);
        out[half + 2] = TILE_SHUFFLE(low, high, 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

static inline void tile_finish(const sum_lanes *sizes, struct tile_factor *factor)
{
    int32_t highest = tile_highest(sizes);
    factor->high = highest ? (highest >> 23) - 127 : SUM_NO_EXPONENT;
}

/* A tile of the first factor: from `row` and `word` on. k: elements of a row. */
static inline __attribute__((always_inline)) void tile_first(enum ptx_type type, unsigned parts, const uint32_t *tile,
                                                             unsigned row, unsigned word, unsigned k, sum_lanes *sizes,
                                                             struct tile_factor *factor)
{
    typedef int32_t words __attribute__((vector_size(16), aligned(4), may_alias));
    for (unsigned r = 0; r < TILE_ROWS; r += 2)
        for (unsigned part = 0; part < parts; part++) {
            sum_lanes value, size;
            int32_t *to = factor->value + (row + r) * k + part * (k / parts) + word;
            tile_widen(type, part, (const sum_lanes *)(tile + (size_t)r * TILE_WORDS), &value);
            size = value & INT32_MAX;
            tile_max(sizes, &size);
            *(words *)to = (words){value[0], value[1], value[2], value[3]};
            *(words *)(to + k) = (words){value[4], value[5], value[6], value[7]};
        }
}

/* A tile of the second factor; its rows are columns of the matrix. */
static inline __attribute__((always_inline)) void tile_second(enum ptx_type type, unsigned parts, const uint32_t *tile,
                                                              unsigned column, unsigned word, unsigned k, unsigned columns,
                                                              sum_lanes *sizes, struct tile_factor *factor)
{
    sum_lanes turned[TILE_WORDS];
    tile_transpose(tile, turned);
    for (unsigned w = 0; w < TILE_WORDS; w++)
        for (unsigned part = 0; part < parts; part++) {
            sum_lanes value, size;
            tile_widen(type, part, &turned[w], &value);
            size = value & INT32_MAX;
            tile_max(sizes, &size);
            *(sum_lanes *)(factor->value + (part * (k / parts) + word + w) * columns + column) = value;
        }
}

/* Two rows of eight columns: a lane has two neighbours in each. */
static inline void tile_join(const sum_lanes *even, const sum_lanes *odd, int32_t *row, int32_t *next_row)
{
    *(sum_lanes *)row = TILE_SHUFFLE(*even, *odd, 0, 8, 1, 9, 2, 10, 3, 11);
    *(sum_lanes *)next_row = TILE_SHUFFLE(*even, *odd, 4, 12, 5, 13, 6, 14, 7, 15);
}

static inline void tile_part(const int32_t *row, const int32_t *next_row, sum_lanes *even, sum_lanes *odd)
{
    const sum_lanes *a = (const sum_lanes *)row, *b = (const sum_lanes *)next_row;
    *even = TILE_SHUFFLE(*a, *b, 0, 2, 4, 6, 8, 10, 12, 14);
    *odd = TILE_SHUFFLE(*a, *b, 1, 3, 5, 7, 9, 11, 13, 15);
}

/* ---- what is known of the numbers ---- */

static inline int32_t tile_high(const int32_t *value, unsigned count)
{
    sum_lanes sizes = {0};
    for (unsigned i = 0; i < count; i += SUM_LANES) {
        sum_lanes size = *(const sum_lanes *)(value + i) & INT32_MAX;
        tile_max(&sizes, &size);
    }
    int32_t highest = tile_highest(&sizes);
    return highest ? (highest >> 23) - 127 : SUM_NO_EXPONENT;
}

/* Are all numbers multiples of 2^-TILE_EXACT_BITS of the largest's leading bit? Then finds the largest power of two of which
 * they are. */
static inline bool tile_unit(unsigned count, struct tile_factor *factor)
{
    if (factor->high < TILE_EXACT_LEAST || factor->high > TILE_MOST / 2)
        return false;
    const float scale = tile_power(TILE_EXACT_BITS - factor->high);
    uint32_t all = 0;
    for (unsigned i = 0; i < count; i += 4 * SUM_LANES) {
        sum_lanes bits = {0}, differs = {0};
        for (unsigned j = i; j < i + 4 * SUM_LANES; j += SUM_LANES) {
            tile_floats scaled = *(const tile_floats *)(factor->value + j) * scale;
            sum_lanes whole = __builtin_convertvector(scaled, sum_lanes);
            differs |= __builtin_convertvector(whole, tile_floats) != scaled;
            bits |= whole;
        }
        if (tile_bits(&differs))
            return false;
        all |= tile_bits(&bits);
    }
    factor->unit = factor->high - TILE_EXACT_BITS + __builtin_ctz(all); /* not 0: the largest is among them */
    return true;
}

/* Exponents, as sums are aligned by them. least: of subnormals (f16), else below all. */
static inline void tile_exponents(const int32_t *value, unsigned count, int32_t least, int32_t *exponent, int32_t *low)
{
    sum_lanes lowest = (sum_lanes){0} - SUM_NO_EXPONENT;
    for (unsigned i = 0; i < count; i += SUM_LANES) {
        sum_lanes size = *(const sum_lanes *)(value + i) & INT32_MAX, power = (size >> 23) - 127, none = size == 0;
        sum_lanes at_least = (sum_lanes){0} + least;
        tile_max(&power, &at_least);
        *(sum_lanes *)(exponent + i) = (power & ~none) | (SUM_NO_EXPONENT & none);
        power = (power & ~none) | (-SUM_NO_EXPONENT & none);
        tile_min(&lowest, &power);
    }
    *low = tile_lowest(&lowest);
}

/* ---- adding ---- */

/* Is no term cut off in the sums of `count` products and c, and can each sum of products be formed, in any order, by arithmetic
 * of 24 bits? Given that tile_unit() has found the factors' units. */
static inline bool tile_is_exact(unsigned count, const struct tile_factor *a, const struct tile_factor *b, const int32_t *c,
                                 unsigned c_count)
{
    const int32_t unit = a->unit + b->unit, products = a->high + b->high, high = tile_high(c, c_count);
    const int32_t top = products > high ? products : high;
    const int32_t log = 32 - __builtin_clz(count - 1); /* count <= 2^log */
    if (products + 2 + log > unit + 24 || unit < top - SUM_FRACTION || products > SUM_FRACTION || top > TILE_MOST)
        return false;
    /* C is not cut off if it is a multiple of the last bit that is kept; from 2^24 such bits on, f32 holds no others. */
    const float scale = tile_power(SUM_FRACTION - products); /* at least 1: nothing becomes 0 */
    sum_lanes differs = {0};
    for (unsigned i = 0; i < c_count; i += SUM_LANES) {
        tile_floats scaled = *(const tile_floats *)(c + i) * scale;
        sum_lanes whole = __builtin_convertvector(scaled, sum_lanes), small = ((sum_lanes)scaled & INT32_MAX) < 0x4B800000;
        differs |= (__builtin_convertvector(whole, tile_floats) != scaled) & small;
    }
    return !tile_bits(&differs);
}

/* Eight rows and eight columns: sums of `count` products and c. Given that tile_is_exact() holds. */
static inline void tile_add_exact(unsigned count, unsigned k, unsigned columns, const int32_t *a, const int32_t *b,
                                  const int32_t *c, double sums[TILE_ROWS][SUM_LANES])
{
    tile_floats sum[TILE_ROWS] = {{0}};
    for (unsigned q = 0; q < count; q++) {
        tile_floats other = *(const tile_floats *)(b + q * columns);
        for (unsigned row = 0; row < TILE_ROWS; row++) {
            tile_floats one = (tile_floats)((sum_lanes){0} + a[row * k + q]);
            tile_multiply_add(&sum[row], &one, &other);
        }
    }
    for (unsigned row = 0; row < TILE_ROWS; row++) {
        float addend[SUM_LANES];
        memcpy(addend, c + row * columns, sizeof addend);
        for (unsigned i = 0; i < SUM_LANES; i++)
            sums[row][i] = (double)sum[row][i] + (double)addend[i]; /* exact; +0 for 0, since the products' sum is not -0 */
    }
}

/* Four rows and eight columns: sums of `count` products and c, each term cut off as the machine does.
 *   a, a_exponent   [4 rows of k]
 *   sums            exact
 * Given that tile_range() holds. */
static inline void tile_add_cut(unsigned count, unsigned k, unsigned columns, const int32_t *a, const int32_t *a_exponent,
                                const int32_t *b, const int32_t *b_exponent, const int32_t *c, const int32_t *c_exponent,
                                double sums[4][SUM_LANES])
{
    sum_lanes top[4], sum[4] = {{0}};
    tile_floats scale[4];
    for (unsigned row = 0; row < 4; row++) {
        sum_lanes least = (sum_lanes){0} + TILE_LEAST; /* of zeros only */
        top[row] = *(const sum_lanes *)(c_exponent + row * columns);
        tile_max(&top[row], &least);
    }
    for (unsigned q = 0; q < count; q++) {
        sum_lanes other = *(const sum_lanes *)(b_exponent + q * columns);
        for (unsigned row = 0; row < 4; row++) {
            sum_lanes power = other + a_exponent[row * k + q];
            tile_max(&top[row], &power);
        }
    }
    for (unsigned row = 0; row < 4; row++)
        scale[row] = (tile_floats)((SUM_FRACTION + 127 - top[row]) << 23);
    for (unsigned q = 0; q < count; q++) {
        tile_floats other = *(const tile_floats *)(b + q * columns);
        for (unsigned row = 0; row < 4; row++) {
            tile_floats term = other * *(const float __attribute__((may_alias)) *)(a + row * k + q) * scale[row];
            sum[row] += __builtin_convertvector(term, sum_lanes); /* sixteen below 2^27 by more than 2^16: below 2^31 */
        }
    }
    for (unsigned row = 0; row < 4; row++) {
        sum_lanes addend = __builtin_convertvector(*(const tile_floats *)(c + row * columns) * scale[row], sum_lanes);
        for (unsigned i = 0; i < SUM_LANES; i++) {
            uint64_t power_bits = (uint64_t)(int64_t)(top[row][i] - SUM_FRACTION + 1023) << 52;
            double power;
            memcpy(&power, &power_bits, sizeof power);
            sums[row][i] = ((double)sum[row][i] + (double)addend[i]) * power;
        }
    }
}

/* To f32, truncated: of numbers that are 0 or whose exponents are far from the ends of f32. */
static inline void tile_truncate(const double sums[SUM_LANES], float *out)
{
    for (unsigned i = 0; i < SUM_LANES; i++) {
        uint64_t bits;
        double cut;
        memcpy(&bits, &sums[i], sizeof bits);
        bits &= ~UINT64_C(0x1FFFFFFF);
        memcpy(&cut, &bits, sizeof cut);
        out[i] = (float)cut;
    }
}

/* Are the exponents of all terms such that scaling them loses nothing? */
static inline bool tile_range(const struct tile_factor *a, const struct tile_factor *b, int32_t c_high, int32_t c_low)
{
    return a->low + b->low >= TILE_LEAST && a->high + b->high <= TILE_MOST && c_low >= TILE_LEAST && c_high <= TILE_MOST;
}

/* ---- integers ---- */

/* Pairs of 16 bits from eight words: the elements `step` of the lower half of each word, and of the upper one. */
static inline void tile_extend(bool is_signed, unsigned bits, unsigned step, const sum_lanes *words, tile_pairs *out)
{
    tile_pairs high = (tile_pairs)*words << (16 - bits * (step + 1));
    typedef uint16_t unsigned_pairs __attribute__((vector_size(4 * SUM_LANES), aligned(4), may_alias));
    if (is_signed)
        *out = high >> (16 - bits);
    else
        *out = (tile_pairs)((unsigned_pairs)high >> (16 - bits));
}

/* sum + the products of both halves. */
static inline void tile_add_pairs(sum_lanes *sum, const sum_lanes *a, const sum_lanes *b)
{
#if defined(__AVX2__)
    *sum += (sum_lanes)_mm256_madd_epi16((__m256i)*a, (__m256i)*b);
#else
    *sum += (*a << 16 >> 16) * (*b << 16 >> 16) + (*a >> 16) * (*b >> 16);
#endif
}

#endif
