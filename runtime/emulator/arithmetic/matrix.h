/* Matrix instructions: which shapes and types exist, and which lane holds which element.
 *
 * A matrix is spread over the 32 lanes of a warp in fragments (PTX ISA, Warp-level Matrix Fragments): register i of lane l
 * holds one element, or several where they are smaller than 32 bits. Nearly every fragment is made of tiles of eight rows:
 * lane l has row l / 4 of the tile and, of that row, the 32 bits at l % 4. A is m x k. B is kept as its transpose, n x k, so
 * that one rule serves both. C and D are m x n; there a lane has two neighbours, in two registers or in two halves of one.
 * The exception is m8n8k4 of f16, four separate products of 8 x 8 x 4 (PTX ISA, Matrix Fragments for mma.m8n8k4).
 */
#ifndef EMULATOR_MATRIX_H
#define EMULATOR_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/arena.h"
#include "runtime/language/ptx/instruction.h"

enum { MATRIX_REGISTERS = 8, MATRIX_LANES = 32, MATRIX_MAX_A = 1024, MATRIX_MAX_B = 512, MATRIX_MAX_C = 256 };

enum matrix_operand { MATRIX_A, MATRIX_B, MATRIX_C, MATRIX_D, MATRIX_OPERANDS };

/* How the products of a row and a column are added: see matrix_sum.h. */
enum matrix_way {
    MATRIX_FUSED,       /* groups of products, each added at once to the sum so far, which starts with C */
    MATRIX_FUSED_BYTES, /* the same, starting from 0; C is added at the end. The products of even pairs of k come first */
    MATRIX_CHAIN,       /* fused multiply-adds of f32, in the order of k; C is added at the end */
};

struct matrix_numerics {
    enum matrix_way way;
    uint8_t group; /* products that are added at once */
};

/* One operand of one instruction. */
struct matrix_fragment {
    enum ptx_type type;
    uint8_t register_count;
    uint8_t held_count;               /* registers that hold all elements; the others repeat them (wmma) */
    uint8_t parts;                    /* elements per register */
    bool wide;                        /* registers of 64 bits */
    bool turned;                      /* C and D of wmma m8n32k16: the machine multiplies the transposes */
    bool quads;                       /* of m8n8k4 of f16: four products, each by the lanes 4q..4q+3 and 16+4q..16+4q+3 */
    uint32_t place[MATRIX_REGISTERS]; /* offsets in r or q */
    struct {
        uint8_t row, column; /* matrix_tile(); not of quads */
    } tile[MATRIX_REGISTERS];
    /* Where part p of held register i of lane l is in the matrix, row by row: index[(i * parts + p) * 32 + l]. */
    const uint16_t *index;
};

/* A multiplication: D = A * B + C. Lives in the module's arena. */
struct matrix {
    uint8_t m, n;
    uint16_t k;    /* elements; of b1: words of 32 elements */
    uint8_t count; /* independent products (m8n8k4 of f16: 4), one after the other in each staged matrix */
    struct matrix_numerics numerics;
    uint8_t rounding; /* enum rounding; of f64 */
    bool saturate;    /* .satfinite */
    bool exclusive;   /* b1: .xor, else .and */
    struct matrix_fragment operand[MATRIX_OPERANDS];
};

/* The registers of ldmatrix and stmatrix. Lives in the module's arena. */
struct matrix_rows {
    uint8_t count; /* matrices of 8 x 8 elements of 16 bits */
    bool transposed;
    uint32_t rows[4];  /* offsets in r: word w of the row of each lane */
    uint32_t place[4]; /* the fragments */
};

struct matrix_shape {
    uint8_t m, n;
    uint16_t k;
};

/* The shape that an opcode names. */
struct matrix_shape matrix_shape_of(const struct ptx_opcode *opcode);

unsigned matrix_bits(enum ptx_type type); /* of one element */

/* Checks whether an instruction of `form` (FORM_MMA or FORM_WMMA_MMA) exists for the shape and types, given as those of
 * A, B, C and D. Returns NULL, or what is wrong. */
const char *matrix_check(enum ptx_form_id form, struct matrix_shape shape, const enum ptx_type types[MATRIX_OPERANDS]);

/* The same for an operand of wmma.load or wmma.store. */
const char *matrix_check_fragment(enum matrix_operand operand, struct matrix_shape shape, enum ptx_type type);

/* How products of elements of this type are added on an H200. */
struct matrix_numerics matrix_numerics_of(enum ptx_form_id form, struct matrix_shape shape, enum ptx_type type);

/* The position of product k among those that are added: bytes are unpacked to pairs of f16, even pairs before odd ones. */
unsigned matrix_order(struct matrix_numerics numerics, unsigned k, unsigned count);

/* Registers of an operand: number and kind. Fills everything but place and index. */
void matrix_describe(enum ptx_form_id form, enum matrix_operand operand, struct matrix_shape shape, enum ptx_type type,
                     struct matrix_fragment *fragment);

/* Where held register i of lane 0 begins: row and column in the operand; for B and turned sums, in its transpose. */
void matrix_tile(const struct matrix_fragment *fragment, enum matrix_operand operand, struct matrix_shape shape, unsigned i,
                 unsigned *row, unsigned *column);

/* Row and column of one element, given as in matrix_fragment.index. `columnwise`: .col of A, .row of B, which matters to
 * the fragments of m8n8k4 of f16 only. */
void matrix_place(const struct matrix_fragment *fragment, enum matrix_operand operand, struct matrix_shape shape,
                  bool columnwise, unsigned i, unsigned part, unsigned lane, unsigned *row, unsigned *column);

/* Puts infinities and NaN into D wherever a row of A, a column of B or an element of C demands them, and leaves the rest.
 *   first, count    which products
 *   c_type          of C, which may be the sum so far; d_type of D: f16 or f32
 * All matrices row by row, one element per word. */
void matrix_special(const struct matrix *matrix, unsigned first, unsigned count, enum ptx_type c_type, enum ptx_type d_type,
                    const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *d);

#endif
