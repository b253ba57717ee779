#include "runtime/emulator/arithmetic/matrix.h"

#include <string.h>

enum pairing { SAME, MIXED };
enum sums { F32, S32, F64, F16_OR_F32, F16_TO_F32, ANY_F16_F32 };

static const struct {
    enum ptx_form_id form;
    struct matrix_shape shape;
    const char *types;
    enum pairing pairing;
    enum sums sums;
} multiplications[] = {
#define MATRIX(form, m, n, k, types, pairing, sums) {form, {m, n, k}, types, pairing, sums},
#include "runtime/emulator/arithmetic/matrix.def"
#undef MATRIX
};

struct matrix_shape matrix_shape_of(const struct ptx_opcode *opcode)
{
    static const struct {
        enum ptx_modifier modifier;
        struct matrix_shape shape;
    } shapes[] = {
        {MOD_m8n8k4, {8, 8, 4}},       {MOD_m8n8k16, {8, 8, 16}},     {MOD_m8n8k32, {8, 8, 32}},
        {MOD_m8n8k128, {8, 8, 128}},   {MOD_m16n8k4, {16, 8, 4}},     {MOD_m16n8k8, {16, 8, 8}},
        {MOD_m16n8k16, {16, 8, 16}},   {MOD_m16n8k32, {16, 8, 32}},   {MOD_m16n8k64, {16, 8, 64}},
        {MOD_m16n8k128, {16, 8, 128}}, {MOD_m16n8k256, {16, 8, 256}}, {MOD_m16n16k8, {16, 16, 8}},
        {MOD_m16n16k16, {16, 16, 16}}, {MOD_m32n8k16, {32, 8, 16}},   {MOD_m8n32k16, {8, 32, 16}},
    };
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (ptx_has(opcode, shapes[i].modifier))
            return shapes[i].shape;
    return (struct matrix_shape){0, 0, 0};
}

unsigned matrix_bits(enum ptx_type type)
{
    switch (type) {
    case PTX_B1: return 1;
    case PTX_S4:
    case PTX_U4: return 4;
    default: return 8 * ptx_type_bytes(type);
    }
}

/* ---- what exists ---- */

static bool contains(const char *types, enum ptx_type type)
{
    const char *name = ptx_type_name(type);
    size_t length = strlen(name);
    for (const char *at = types; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == '|' || !at[length]))
            return true;
    return false;
}

static bool sums_fit(enum sums sums, enum ptx_type c, enum ptx_type d)
{
    bool halves = (c == PTX_F16 || c == PTX_F32) && (d == PTX_F16 || d == PTX_F32);
    switch (sums) {
    case F32: return c == PTX_F32 && d == PTX_F32;
    case S32: return c == PTX_S32 && d == PTX_S32;
    case F64: return c == PTX_F64 && d == PTX_F64;
    case F16_OR_F32: return halves && c == d;
    case F16_TO_F32: return halves && (c == d || d == PTX_F32);
    default: return halves;
    }
}

static bool same_shape(struct matrix_shape a, struct matrix_shape b)
{
    return a.m == b.m && a.n == b.n && a.k == b.k;
}

const char *matrix_check(enum ptx_form_id form, struct matrix_shape shape, const enum ptx_type types[MATRIX_OPERANDS])
{
    bool shape_exists = false;
    for (unsigned i = 0; i < sizeof multiplications / sizeof *multiplications; i++) {
        if (multiplications[i].form != form || !same_shape(multiplications[i].shape, shape))
            continue;
        shape_exists = true;
        if (!contains(multiplications[i].types, types[MATRIX_A]) || !contains(multiplications[i].types, types[MATRIX_B]))
            continue;
        if (multiplications[i].pairing == SAME && types[MATRIX_A] != types[MATRIX_B])
            return "A and B must have the same type";
        return sums_fit(multiplications[i].sums, types[MATRIX_C], types[MATRIX_D]) ? NULL
                                                                                   : "C and D cannot have these types here";
    }
    return shape_exists ? "there is no multiplication of this shape for these types"
                        : "there is no multiplication of this shape";
}

const char *matrix_check_fragment(enum matrix_operand operand, struct matrix_shape shape, enum ptx_type type)
{
    for (unsigned i = 0; i < sizeof multiplications / sizeof *multiplications; i++) {
        if (multiplications[i].form != FORM_WMMA_MMA || !same_shape(multiplications[i].shape, shape))
            continue;
        if (operand == MATRIX_A || operand == MATRIX_B ? contains(multiplications[i].types, type)
                                                       : sums_fit(multiplications[i].sums, type, type))
            return NULL;
    }
    return "there is no fragment of this shape and type";
}

/* ---- fragments ---- */

static bool is_sum(enum matrix_operand operand)
{
    return operand == MATRIX_C || operand == MATRIX_D;
}

void matrix_describe(enum ptx_form_id form, enum matrix_operand operand, struct matrix_shape shape, enum ptx_type type,
                     struct matrix_fragment *fragment)
{
    unsigned bits = matrix_bits(type), elements;
    fragment->type = type;
    fragment->wide = type == PTX_F64;
    fragment->parts = (uint8_t)(fragment->wide || type == PTX_B1 ? 1 : 32 / bits);
    fragment->turned = shape.n == 32 && is_sum(operand);
    fragment->quads = shape.m == 8 && shape.n == 8 && shape.k == 4 && !fragment->wide;
    if (type == PTX_B1)
        shape.k /= 32;
    elements = is_sum(operand)       ? (unsigned)shape.m * shape.n
               : operand == MATRIX_A ? (unsigned)shape.m * shape.k
                                     : (unsigned)shape.n * shape.k;
    if (fragment->quads)
        elements *= 4;
    fragment->held_count = fragment->register_count = (uint8_t)(elements / fragment->parts / MATRIX_LANES);
    if (form != FORM_MMA && type == PTX_F16 && !is_sum(operand))
        fragment->register_count = 8;
}

/* The operand that the machine uses as A comes in groups of 16 rows, that used as B in groups of 8. */
void matrix_tile(const struct matrix_fragment *fragment, enum matrix_operand operand, struct matrix_shape shape, unsigned i,
                 unsigned *row, unsigned *column)
{
    bool turned = shape.n == 32;
    if (is_sum(operand)) {
        unsigned rows = turned ? shape.n : shape.m;
        unsigned pair = fragment->parts == 2 ? i : i / 2; /* two columns per lane, in one register or in two */
        *row = pair % (rows / 8) * 8;
        *column = pair / (rows / 8) * 8 + (fragment->parts == 2 ? 0 : i % 2);
        return;
    }
    unsigned group = (operand == MATRIX_A ? shape.m : shape.n) % 16 == 0 && (operand == MATRIX_A) != turned ? 2 : 1;
    unsigned steps = shape.k / 4 / (fragment->type == PTX_B1 ? 32 : fragment->parts); /* tiles from left to right */
    *row = (i / (group * steps) * group + i % group) * 8;
    *column = i / group % steps * 4 * fragment->parts;
}

static void place_in_quads(const struct matrix_fragment *fragment, enum matrix_operand operand, bool columnwise, unsigned i,
                           unsigned part, unsigned lane, unsigned *row, unsigned *column)
{
    unsigned upper = lane >= 16 ? 4 : 0, element = i * fragment->parts + part;
    if (!is_sum(operand)) {
        *row = (columnwise ? element % 4 : lane % 4) + upper;
        *column = columnwise ? lane % 4 : element;
    } else if (fragment->parts == 2) {
        *row = lane % 4 + upper;
        *column = element;
    } else {
        *row = (lane & 1) + (i & 2) + upper;
        *column = (i & 4) + (lane & 2) + (i & 1);
    }
}

void matrix_place(const struct matrix_fragment *fragment, enum matrix_operand operand, struct matrix_shape shape,
                  bool columnwise, unsigned i, unsigned part, unsigned lane, unsigned *row, unsigned *column)
{
    if (fragment->quads) {
        place_in_quads(fragment, operand, columnwise, i, part, lane, row, column);
        *row += lane / 4 % 4 * 8; /* the four matrices are stacked vertically */
        return;
    }
    matrix_tile(fragment, operand, shape, i, row, column);
    *row += lane / 4;
    *column += is_sum(operand) ? lane % 4 * 2 + part : lane % 4 * fragment->parts + part;
    if (fragment->turned) {
        unsigned other = *row;
        *row = *column;
        *column = other;
    }
}

/* Measured on an H200 and compared bit by bit with 8000 sums or more for each type and shape. The wmma form of tf32 is two
 * steps of k = 4; bytes become f16 first; m8n8k4 of f16 does without tensor cores. */
struct matrix_numerics matrix_numerics_of(enum ptx_form_id form, struct matrix_shape shape, enum ptx_type type)
{
    uint8_t k = (uint8_t)(shape.k < 32 ? shape.k : 32);
    switch (type) {
    case PTX_F16: return (struct matrix_numerics){shape.k == 4 ? MATRIX_CHAIN : MATRIX_FUSED, k};
    case PTX_TF32: return (struct matrix_numerics){MATRIX_FUSED, form == FORM_MMA ? k : 4};
    case PTX_E4M3:
    case PTX_E5M2: return (struct matrix_numerics){MATRIX_FUSED_BYTES, k / 2};
    default: return (struct matrix_numerics){MATRIX_FUSED, k};
    }
}

unsigned matrix_order(struct matrix_numerics numerics, unsigned k, unsigned count)
{
    return numerics.way == MATRIX_FUSED_BYTES ? (k & 2 ? count / 2 : 0) + k / 4 * 2 + k % 2 : k;
}

/* ---- infinities and NaN ---- */

enum { NOT_A_NUMBER = 1, POSITIVE = 2, NEGATIVE = 4, ZERO = 8, FINITE = 16 }; /* POSITIVE and NEGATIVE infinity */

static unsigned class_of(enum ptx_type type, uint32_t bits)
{
    unsigned skipped = type == PTX_TF32 ? 13 : 0, width = matrix_bits(type) - skipped;
    bits >>= skipped;
    unsigned mantissa_bits = type == PTX_F32                       ? 23
                             : type == PTX_F16 || type == PTX_TF32 ? 10
                             : type == PTX_BF16                    ? 7
                             : type == PTX_E4M3                    ? 3
                                                                   : 2;
    uint32_t mantissa = bits & ((1u << mantissa_bits) - 1), size = bits & ((1u << (width - 1)) - 1);
    bool negative = bits >> (width - 1);
    if (!size)
        return ZERO;
    if (type == PTX_E4M3)
        return size == 0x7F ? NOT_A_NUMBER : FINITE;
    if (size >> mantissa_bits != (1u << (width - 1 - mantissa_bits)) - 1)
        return FINITE;
    return mantissa ? NOT_A_NUMBER : negative ? NEGATIVE : POSITIVE;
}

static bool is_negative(enum ptx_type type, uint32_t bits)
{
    return bits >> (matrix_bits(type) - 1) & 1;
}

static unsigned product_class(enum ptx_type a_type, uint32_t a, enum ptx_type b_type, uint32_t b)
{
    unsigned first = class_of(a_type, a), second = class_of(b_type, b), both = first | second;
    if (both & NOT_A_NUMBER)
        return NOT_A_NUMBER;
    if (!(both & (POSITIVE | NEGATIVE)))
        return FINITE;
    return both & ZERO ? NOT_A_NUMBER : is_negative(a_type, a) != is_negative(b_type, b) ? NEGATIVE : POSITIVE;
}

void matrix_special(const struct matrix *matrix, unsigned first, unsigned count, enum ptx_type c_type, enum ptx_type d_type,
                    const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *d)
{
    enum ptx_type a_type = matrix->operand[MATRIX_A].type, b_type = matrix->operand[MATRIX_B].type;
    bool half = d_type == PTX_F16;
    for (unsigned at = 0; at < (unsigned)matrix->m * matrix->n; at++) {
        unsigned row = at / matrix->n, column = at % matrix->n, found = class_of(c_type, c[at]);
        for (unsigned k = first; k < first + count; k++)
            found |= product_class(a_type, a[row * matrix->k + k], b_type, b[k * matrix->n + column]);
        if ((found & NOT_A_NUMBER) || (found & (POSITIVE | NEGATIVE)) == (POSITIVE | NEGATIVE))
            d[at] = half ? 0x7FFF : 0x7FFFFFFF;
        else if (found & (POSITIVE | NEGATIVE))
            d[at] = (half ? 0x7C00u : 0x7F800000u) | (found & NEGATIVE ? half ? 0x8000u : 0x80000000u : 0);
    }
}
