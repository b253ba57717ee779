/* Matrix instructions. Part of executor.c. What memory sees of them is made of ordinary loads and stores: decode_tile.c and
 * decode_matrix.c. */
#include "runtime/emulator/execution/matrix_sum.h"

/* .aligned: the whole warp executes the instruction, or what it does is undefined (9.7.14): then it does nothing. */
OPERATION(matrix_gather)
{
    if (__builtin_expect(warp->mask != ALL_LANES, 0)) {
        next_operation next;
        if (!warp_gather(warp, operation, ALL_LANES, &next))
            return next;
        if (warp->mask != ALL_LANES)
            return operation + operation->extra;
    }
    NEXT_BY_LOOP(operation + 1);
}

/* extra: the lanes that go on. Between matrix_gather and the end of the instruction, where all go on. */
OPERATION(matrix_lanes)
{
    warp_set_mask(warp, operation->extra);
    NEXT(operation + 1);
}

/* Addresses of a tile's elements: d (q) = base a + (line * stride b + place in the line) * size. Lane l has row l / 4 and
 * the elements from l % 4 * extra on. negated: the base is in r; c: the lines of memory are the columns of the fragment;
 * immediate: the first line, and above it the bits of an element. */
OPERATION(matrix_address)
{
    uint64_t *d = q_register(warp, operation->d);
    const uint32_t *stride = r_register(warp, operation->b);
    uint64_t bits = operation->immediate >> 32;
    uint32_t first = (uint32_t)operation->immediate;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint64_t row = lane / 4, column = (uint64_t)(lane % 4) * operation->extra;
        uint64_t line = (operation->c ? column : row) + first, place = operation->c ? row : column;
        uint64_t base = operation->negated ? r_register(warp, operation->a)[lane] : q_register(warp, operation->a)[lane];
        d[lane] = base + (line * stride[lane] + place) * bits / 8;
    }
    NEXT(operation + 1);
}

/* Rows of 16 bytes, one a lane, to fragments (9.7.14.5.15). */
OPERATION(matrix_spread)
{
    const struct matrix_rows *rows = operation->rows;
    for (unsigned matrix = 0; matrix < rows->count; matrix++) {
        uint32_t *d = r_register(warp, rows->place[matrix]), value[WARP_LANES];
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            unsigned row = 8 * matrix + lane / 4, first = 8 * matrix + lane % 4 * 2, word = lane / 8;
            if (rows->transposed) {
                const uint32_t *source = r_register(warp, rows->rows[word]);
                unsigned shift = lane / 4 % 2 * 16;
                value[lane] = (source[first] >> shift & 0xFFFF) | source[first + 1] >> shift << 16;
            } else {
                value[lane] = r_register(warp, rows->rows[lane % 4])[row];
            }
        }
        memcpy(d, value, sizeof value);
    }
    NEXT_BY_LOOP(operation + 1);
}

/* Fragments to rows. */
OPERATION(matrix_collect)
{
    const struct matrix_rows *rows = operation->rows;
    for (unsigned matrix = 0; matrix < rows->count; matrix++) {
        const uint32_t *source = r_register(warp, rows->place[matrix]);
        for (unsigned row = 0; row < 8; row++)
            for (unsigned word = 0; word < 4; word++) {
                uint32_t value = source[4 * row + word];
                if (rows->transposed) {   /* column c of the fragment's matrix lies in the lanes 4c..4c+3 as a row there */
                    unsigned shift = row % 2 * 16, from = 8 * word + row / 2;
                    value = (source[from] >> shift & 0xFFFF) | source[from + 4] >> shift << 16;
                }
                r_register(warp, rows->rows[word])[8 * matrix + row] = value;
            }
    }
    NEXT_BY_LOOP(operation + 1);
}

/* movmatrix.trans (9.7.14.5.17): d: row l / 4 of the transpose of a. */
OPERATION(matrix_transpose)
{
    const uint32_t *source = r_register(warp, operation->a);
    uint32_t value[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        unsigned from = lane % 4 * 8 + lane / 8, shift = lane / 4 % 2 * 16;
        value[lane] = (source[from] >> shift & 0xFFFF) | source[from + 4] >> shift << 16;
    }
    memcpy(r_register(warp, operation->d), value, sizeof value);
    NEXT_BY_LOOP(operation + 1);
}

/* ---- multiplication ---- */

/* Where a matrix of numbers is staged, row by row. */
struct matrix_stage {
    int32_t a[MATRIX_MAX_A], a_exponent[MATRIX_MAX_A];
    int32_t b[MATRIX_MAX_B], b_exponent[MATRIX_MAX_B];
    int32_t c[MATRIX_MAX_C], c_exponent[MATRIX_MAX_C];
    uint32_t d[MATRIX_MAX_C];
};

static inline const uint16_t *matrix_index(const struct matrix_fragment *fragment, unsigned i, unsigned part)
{
    return fragment->index + (i * fragment->parts + part) * WARP_LANES;
}

/* The bits of every element. */
static void matrix_unpack_bits(const struct warp *warp, const struct matrix_fragment *fragment, uint32_t *out)
{
    unsigned width = 32 / fragment->parts;
    uint32_t field = UINT32_MAX >> (32 - width);
    for (unsigned i = 0; i < fragment->held_count; i++) {
        const uint32_t *value = r_register(warp, fragment->place[i]);
        for (unsigned part = 0; part < fragment->parts; part++) {
            const uint16_t *index = matrix_index(fragment, i, part);
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                out[index[lane]] = value[lane] >> part * width & field;
        }
    }
}

static void matrix_pack(struct warp *warp, const struct matrix_fragment *fragment, const uint32_t *value)
{
    for (unsigned i = 0; i < fragment->held_count; i++) {
        uint32_t *d = r_register(warp, fragment->place[i]);
        const uint16_t *index = matrix_index(fragment, i, 0);
        if (fragment->parts == 1)
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                d[lane] = value[index[lane]];
        else
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                d[lane] = value[index[lane]] | value[index[lane + WARP_LANES]] << 16;
    }
}

/* One row of D: `count` products from `first` on, added to c. */
static void matrix_sum_row(const struct matrix *matrix, enum ptx_type type, unsigned first, unsigned count,
                           const struct sum_matrix *a, const struct sum_matrix *b, const struct sum_matrix *c, unsigned row,
                           uint32_t *d)
{
    unsigned at = row * matrix->k + first, below = first * matrix->n, beside = row * matrix->n;
    for (unsigned column = 0; column < matrix->n; column += SUM_LANES) {
        double sum[SUM_LANES];
        uint32_t *value = &d[beside + column];
        sum_group(count, matrix->n, a->significand + at, a->exponent + at, b->significand + below + column,
                  b->exponent + below + column, c->significand + beside + column, c->exponent + beside + column, sum);
        if (type == PTX_F32) {
            float cut[SUM_LANES];
            for (unsigned i = 0; i < SUM_LANES; i++)
                cut[i] = sum_truncate(sum[i]);
            memcpy(value, cut, sizeof cut);
        } else {
            for (unsigned i = 0; i < SUM_LANES; i++) {
                uint16_t rounded = half_f32_to_f16(half_odd_narrow(sum[i]));
                value[i] = rounded == 0x8000 ? 0 : rounded;
            }
        }
    }
}

/* D = D + C, an ordinary addition. */
static void matrix_add(const struct matrix *matrix, const uint32_t *c, uint32_t *d)
{
    for (unsigned i = 0; i < (unsigned)matrix->m * matrix->n; i++) {
        if (matrix->operand[MATRIX_D].type == PTX_F16) {
            d[i] = half_add_f16((uint16_t)d[i], (uint16_t)c[i], 0);
            continue;
        }
        float sum = float_from_bits(d[i]) + float_from_bits(c[i]);
        d[i] = sum != sum ? 0x7FFFFFFF : bits_of_float(sum);
    }
}

/* What C starts with: of f16 and f32 alike, in the type that the machine adds in. */
static void matrix_start(const struct warp *warp, const struct matrix *matrix, enum ptx_type type, uint32_t *c)
{
    unsigned count = (unsigned)matrix->count * matrix->m * matrix->n;
    matrix_unpack_bits(warp, &matrix->operand[MATRIX_C], c);
    if (type == PTX_F32 && matrix->operand[MATRIX_C].type == PTX_F16)
        for (unsigned i = 0; i < count; i++)
            c[i] = bits_of_float(half_f16_to_f32((uint16_t)c[i]));
}

/* The type that sums have on the way: f16 only where C and D both are. */
static enum ptx_type matrix_sum_type(const struct matrix *matrix)
{
    bool half = matrix->operand[MATRIX_C].type == PTX_F16 && matrix->operand[MATRIX_D].type == PTX_F16;
    return half && matrix->numerics.way != MATRIX_CHAIN ? PTX_F16 : PTX_F32;
}

static void matrix_fuse(const struct warp *warp, const struct matrix *matrix, enum ptx_type type, const uint32_t *start,
                        uint32_t *d)
{
    struct matrix_stage stage;
    uint32_t a_bits[MATRIX_MAX_A], b_bits[MATRIX_MAX_B];
    struct sum_matrix a = {stage.a, stage.a_exponent, false}, b = {stage.b, stage.b_exponent, false},
                      c = {stage.c, stage.c_exponent, false};
    unsigned group = matrix->numerics.group, count = (unsigned)matrix->m * matrix->n;
    matrix_unpack_bits(warp, &matrix->operand[MATRIX_A], a_bits);
    matrix_unpack_bits(warp, &matrix->operand[MATRIX_B], b_bits);
    sum_unpack(matrix->operand[MATRIX_A].type, a_bits, (unsigned)matrix->m * matrix->k, SUM_FACTOR_BITS, &a);
    sum_unpack(matrix->operand[MATRIX_B].type, b_bits, (unsigned)matrix->n * matrix->k, SUM_FACTOR_BITS, &b);
    sum_narrow(b.significand, (unsigned)matrix->n * matrix->k);
    for (unsigned first = 0; first < matrix->k; first += group) {
        c.special = false;
        sum_unpack(type, start, count, SUM_C_BITS, &c);
        for (unsigned row = 0; row < matrix->m; row++)
            matrix_sum_row(matrix, type, first, group, &a, &b, &c, row, stage.d);
        if (a.special | b.special | c.special)
            matrix_special(matrix, first, group, type, type, a_bits, b_bits, start, stage.d);
        memcpy(d, stage.d, count * sizeof *d);
        start = d;
    }
}

/* m8n8k4 of f16: by fma and add, in one order where D is f32 and in another where it is f16. */
static inline float matrix_chain_sum(enum ptx_type type, const float a[4], const float b[4], float c)
{
    if (type == PTX_F32)
        return __builtin_fmaf(a[3], b[3], __builtin_fmaf(a[2], b[2], __builtin_fmaf(a[1], b[1], a[0] * b[0] + 0.0f))) + c;
    return (__builtin_fmaf(a[1], b[1], a[0] * b[0]) + c) + __builtin_fmaf(a[3], b[3], a[2] * b[2]);
}

static void matrix_chain(const struct warp *warp, const struct matrix *matrix, const uint32_t *c, uint32_t *d)
{
    uint32_t a[MATRIX_MAX_A], b[MATRIX_MAX_B];
    enum ptx_type type = matrix->operand[MATRIX_D].type;
    matrix_unpack_bits(warp, &matrix->operand[MATRIX_A], a);
    matrix_unpack_bits(warp, &matrix->operand[MATRIX_B], b);
    for (unsigned at = 0; at < (unsigned)matrix->count * matrix->m * matrix->n; at++) {
        unsigned row = at / matrix->n, above = row / matrix->m * matrix->k;
        float x[4], y[4];
        for (unsigned k = 0; k < 4; k++) {
            x[k] = half_f16_to_f32((uint16_t)a[row * 4 + k]);
            y[k] = half_f16_to_f32((uint16_t)b[(above + k) * matrix->n + at % matrix->n]);
        }
        float sum = matrix_chain_sum(type, x, y, float_from_bits(c[at]));
        d[at] = sum != sum ? 0x7FFFFFFF : bits_of_float(sum);
    }
}

static void matrix_multiply_floats(struct warp *warp, const struct matrix *matrix)
{
    uint32_t c[MATRIX_MAX_C], d[MATRIX_MAX_C];
    enum ptx_type type = matrix_sum_type(matrix);
    static const uint32_t zeros[MATRIX_MAX_C];
    matrix_start(warp, matrix, type, c);
    if (matrix->numerics.way == MATRIX_CHAIN)
        matrix_chain(warp, matrix, c, d);
    else
        matrix_fuse(warp, matrix, type, matrix->numerics.way == MATRIX_FUSED_BYTES ? zeros : c, d);
    if (matrix->numerics.way == MATRIX_FUSED_BYTES)
        matrix_add(matrix, c, d);
    if (type == PTX_F32 && matrix->operand[MATRIX_D].type == PTX_F16)
        for (unsigned i = 0; i < (unsigned)matrix->count * matrix->m * matrix->n; i++)
            d[i] = half_f32_to_f16(float_from_bits(d[i]));
    matrix_pack(warp, &matrix->operand[MATRIX_D], d);
}

static void matrix_unpack_integers(const struct warp *warp, const struct matrix_fragment *fragment, int32_t *out)
{
    unsigned width = 32u / fragment->parts, up = 32 - width;
    bool is_signed = ptx_type_kind(fragment->type) == KIND_SIGNED;
    for (unsigned i = 0; i < fragment->held_count; i++)
        for (unsigned part = 0; part < fragment->parts; part++) {
            const uint32_t *value = r_register(warp, fragment->place[i]);
            const uint16_t *index = matrix_index(fragment, i, part);
            for (unsigned lane = 0; lane < WARP_LANES; lane++) {
                uint32_t high = value[lane] >> part * width << up;
                out[index[lane]] = is_signed ? (int32_t)high >> up : (int32_t)(high >> up);
            }
        }
}

static inline int32_t matrix_bit_product(const struct matrix *matrix, int32_t a, int32_t b)
{
    return __builtin_popcount((uint32_t)(matrix->exclusive ? a ^ b : a & b));
}

static void matrix_multiply_integers(struct warp *warp, const struct matrix *matrix)
{
    struct matrix_stage stage;
    bool bits = matrix->operand[MATRIX_A].type == PTX_B1;
    matrix_unpack_integers(warp, &matrix->operand[MATRIX_A], stage.a);
    matrix_unpack_integers(warp, &matrix->operand[MATRIX_B], stage.b);
    matrix_unpack_integers(warp, &matrix->operand[MATRIX_C], stage.c);
    for (unsigned row = 0; row < matrix->m; row++)
        for (unsigned column = 0; column < matrix->n; column += SUM_LANES) {
            sum_lanes sum = {0};   /* at most 64 products of 16 bits */
            for (unsigned k = 0; k < matrix->k; k++) {
                const int32_t a = stage.a[row * matrix->k + k], *b = stage.b + k * matrix->n + column;
                if (bits)
                    for (unsigned i = 0; i < SUM_LANES; i++)
                        sum[i] += matrix_bit_product(matrix, a, b[i]);
                else
                    sum += *(const sum_lanes *)b * a;
            }
            for (unsigned i = 0; i < SUM_LANES; i++) {
                int64_t total = (int64_t)sum[i] + stage.c[row * matrix->n + column + i];
                stage.d[row * matrix->n + column + i] =
                    matrix->saturate ? (uint32_t)saturate_s32(total) : (uint32_t)total;
            }
        }
    matrix_pack(warp, &matrix->operand[MATRIX_D], stage.d);
}

static void matrix_unpack_doubles(const struct warp *warp, const struct matrix_fragment *fragment, double *out)
{
    for (unsigned i = 0; i < fragment->held_count; i++)
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            memcpy(&out[matrix_index(fragment, i, 0)[lane]], &q_register(warp, fragment->place[i])[lane], sizeof *out);
}

/* f64: a chain of fused multiply-adds, in the order of k. */
static void matrix_multiply_doubles(struct warp *warp, const struct matrix *matrix)
{
    double a[MATRIX_MAX_C], b[MATRIX_MAX_C], sum[MATRIX_MAX_C];
    const struct matrix_fragment *d = &matrix->operand[MATRIX_D];
    matrix_unpack_doubles(warp, &matrix->operand[MATRIX_A], a);
    matrix_unpack_doubles(warp, &matrix->operand[MATRIX_B], b);
    matrix_unpack_doubles(warp, &matrix->operand[MATRIX_C], sum);
    for (unsigned row = 0; row < matrix->m; row++)
        for (unsigned k = 0; k < matrix->k; k++)
            for (unsigned column = 0; column < matrix->n; column++) {
                double *at = &sum[row * matrix->n + column];
                double x = a[row * matrix->k + k], y = b[k * matrix->n + column];
                *at = matrix->rounding == ROUND_NEAREST ? __builtin_fma(x, y, *at)
                                                        : rounded_fma_f64(x, y, *at, matrix->rounding);
            }
    for (unsigned i = 0; i < d->held_count; i++)
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            memcpy(&q_register(warp, d->place[i])[lane], &sum[matrix_index(d, i, 0)[lane]], sizeof *sum);
}

OPERATION(matrix_multiply)
{
    const struct matrix *matrix = operation->matrix;
    switch (matrix->operand[MATRIX_D].type) {
    case PTX_F64: matrix_multiply_doubles(warp, matrix); break;
    case PTX_S32: matrix_multiply_integers(warp, matrix); break;
    default: matrix_multiply_floats(warp, matrix);
    }
    NEXT_BY_LOOP(operation + 1);
}
