/* Decoding multiplications, ldmatrix, stmatrix and movmatrix; wmma.load and wmma.store are in decode_tile.c. Those that
 * touch memory become ordinary loads and stores, with their checks and counters:
 *
 *     ldmatrix   gather, load of rows, spread          stmatrix   gather, collect, store of rows
 *
 * The first operation makes sure that the whole warp takes part; where it does not, it skips the rest.
 */
#include "runtime/emulator/decode/decode_matrix.h"

#include <string.h>

#include "runtime/emulator/arithmetic/rounding.h"
#include "runtime/emulator/machine/warp.h"

size_t decode_gather(struct decoder *decoder)
{
    decode_emit(decoder, HANDLER_matrix_gather);
    return decoder->count - 1;
}

void decode_end_gather(struct decoder *decoder, size_t gather)
{
    if (!decoder->failed)
        decoder->operations[gather].extra = (uint32_t)(decoder->count - gather);
}

static enum ptx_type register_type_of(const struct matrix_fragment *fragment)
{
    return fragment->wide ? PTX_B64 : PTX_B32;
}

void decode_fragment(struct decoder *decoder, const struct ptx_operand *operand, bool destination,
                     struct matrix_fragment *fragment)
{
    if (operand->kind != OPERAND_VECTOR || operand->count != fragment->register_count) {
        decode_fail(decoder, "a fragment of .%s has %u registers here; the operand names %u", ptx_type_name(fragment->type),
                    fragment->register_count, operand->kind == OPERAND_VECTOR ? operand->count : 1);
        return;
    }
    for (unsigned i = 0; i < operand->count && !decoder->failed; i++) {
        enum ptx_type declared = decode_register_type(decoder, &operand->elements[i]);
        if (declared != PTX_NONE && ptx_type_bytes(declared) != (fragment->wide ? 8 : 4))
            decode_fail(decoder, "a register of .%s cannot hold a part of this fragment", ptx_type_name(declared));
        else
            fragment->place[i] = destination ? decode_destination(decoder, &operand->elements[i], register_type_of(fragment))
                                             : decode_source(decoder, &operand->elements[i], register_type_of(fragment));
    }
}

bool decode_columnwise(enum matrix_operand operand, enum ptx_modifier layout)
{
    return operand == MATRIX_B ? layout == MOD_row : layout == MOD_col;
}

enum ptx_modifier decode_layout(const struct ptx_opcode *opcode, unsigned n)
{
    for (unsigned i = 0; i < opcode->written_count; i++)
        if ((opcode->written[i] == MOD_row || opcode->written[i] == MOD_col) && n-- == 0)
            return (enum ptx_modifier)opcode->written[i];
    return MOD_row;
}

/* ---- ldmatrix, stmatrix, movmatrix ---- */

static unsigned row_count(const struct ptx_opcode *opcode)
{
    return ptx_has(opcode, MOD_x4) ? 4 : ptx_has(opcode, MOD_x2) ? 2 : 1;
}

/* Addresses without a space are generic, but must be in shared memory (9.7.14.5.15). */
static uint32_t shared_place(struct decoder *decoder, const struct ptx_opcode *opcode, const struct ptx_operand *address,
                             struct memory_site *site)
{
    uint32_t place = decode_memory_base(decoder, address, opcode, site);
    if (site->space == SITE_SHARED)
        return place;
    if (site->address_in_r) {
        decode_fail(decoder, "a generic address needs a 64-bit register");
        return place;
    }
    uint32_t inside = decode_temporary(decoder, CONSTANT_Q);
    struct operation *operation = decode_emit(decoder, HANDLER_cvta_window);
    operation->d = inside;
    operation->a = place;
    operation->immediate = SHARED_WINDOW;
    operation->extra = 1;
    site->space = SITE_SHARED;
    return inside;
}

static void emit_lanes(struct decoder *decoder, uint32_t lanes)
{
    decode_emit(decoder, HANDLER_matrix_lanes)->extra = lanes;
}

DECODER(matrix_rows)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    bool load = opcode->form->id == FORM_LDMATRIX;
    const struct ptx_operand *address = &instruction->operands[load], *data = &instruction->operands[!load];
    struct matrix_rows *rows = arena_allocate(decoder->arena, sizeof *rows);
    if (!rows) {
        decode_fail_memory(decoder);
        return;
    }
    struct matrix_fragment fragment = {.type = PTX_B16, .register_count = (uint8_t)row_count(opcode)};
    decode_fragment(decoder, data, load, &fragment);
    rows->count = fragment.register_count;
    rows->transposed = ptx_has(opcode, MOD_trans);
    memcpy(rows->place, fragment.place, sizeof rows->place);
    for (unsigned i = 0; i < 4; i++)
        rows->rows[i] = decode_temporary(decoder, CONSTANT_R);
    struct memory_site site = {.access = load ? SITE_LOAD : SITE_STORE, .bytes = 4, .vector = 4, .type = PTX_B32};
    memcpy(site.data, rows->rows, sizeof rows->rows);
    size_t gather = decode_gather(decoder);
    uint32_t place = shared_place(decoder, opcode, address, &site);
    if (!load)
        decode_emit(decoder, HANDLER_matrix_collect)->rows = rows;
    if (rows->count < 4) /* lanes 0..7 hold the addresses of the first matrix, 8..15 of the second */
        emit_lanes(decoder, (1u << 8 * rows->count) - 1);
    decode_emit_site(decoder, &site, place);
    if (rows->count < 4)
        emit_lanes(decoder, ALL_LANES);
    if (load)
        decode_emit(decoder, HANDLER_matrix_spread)->rows = rows;
    decode_end_gather(decoder, gather);
}

DECODER(matrix_transpose)
{
    uint32_t a = decode_source(decoder, &instruction->operands[1], PTX_B32);
    uint32_t d = decode_destination(decoder, &instruction->operands[0], PTX_B32);
    size_t gather = decode_gather(decoder);
    decode_emit_unary(decoder, HANDLER_matrix_transpose, d, a);
    decode_end_gather(decoder, gather);
}

/* ---- multiplication ---- */

/* Types of A, B, C and D. wmma.mma of f16 names D and C only. */
static void list_types(const struct ptx_opcode *opcode, enum ptx_type types[MATRIX_OPERANDS])
{
    types[MATRIX_D] = opcode->types[0];
    types[MATRIX_A] = opcode->type_count == 4 ? opcode->types[1] : PTX_F16;
    types[MATRIX_B] = opcode->type_count == 4 ? opcode->types[2] : PTX_F16;
    types[MATRIX_C] = opcode->types[opcode->type_count - 1];
}

static const char *check_modifiers(const struct ptx_opcode *opcode, struct matrix_shape shape,
                                   const enum ptx_type types[MATRIX_OPERANDS])
{
    bool rounded = ptx_has(opcode, MOD_rn) || ptx_has(opcode, MOD_rz) || ptx_has(opcode, MOD_rm) || ptx_has(opcode, MOD_rp);
    bool whole = types[MATRIX_D] == PTX_S32, bits = types[MATRIX_A] == PTX_B1;
    bool any_layout = types[MATRIX_A] == PTX_F16 && shape.k == 4;
    if (opcode->form->id == FORM_WMMA_MMA)
        any_layout = matrix_bits(types[MATRIX_A]) >= 8;
    if (opcode->type_count == 3)
        return "types of A, B, C and D are needed, or of C and D alone";
    if (rounded && types[MATRIX_D] != PTX_F64)
        return "only products of f64 have a rounding mode";
    if (ptx_has(opcode, MOD_satfinite) && (!whole || bits))
        return ".satfinite is for products of integers only";
    if ((ptx_has(opcode, MOD_xor) || ptx_has(opcode, MOD_and)) != bits || ptx_has(opcode, MOD_popc) != bits)
        return bits ? "products of bits need .xor.popc or .and.popc" : ".xor, .and and .popc are for products of bits only";
    if (!any_layout && (decode_layout(opcode, 0) != MOD_row || decode_layout(opcode, 1) != MOD_col))
        return "the layouts must be .row.col for these types";
    return matrix_check(opcode->form->id, shape, types);
}

/* Where each register's tile begins, and the table of the places of each lane's elements. */
static bool make_index(struct decoder *decoder, const struct matrix *matrix, enum matrix_operand operand,
                       struct matrix_shape shape, bool columnwise, struct matrix_fragment *fragment)
{
    size_t count = (size_t)fragment->held_count * fragment->parts * MATRIX_LANES;
    for (unsigned i = 0; !fragment->quads && i < fragment->held_count; i++) {
        unsigned row, column;
        matrix_tile(fragment, operand, shape, i, &row, &column);
        fragment->tile[i].row = (uint8_t)row;
        fragment->tile[i].column = (uint8_t)column;
    }
    uint16_t *index = arena_allocate(decoder->arena, count * sizeof *index);
    for (size_t i = 0; index && i < count; i++) {
        unsigned row, column, lane = i % MATRIX_LANES, part = (unsigned)(i / MATRIX_LANES % fragment->parts);
        matrix_place(fragment, operand, shape, columnwise, (unsigned)(i / MATRIX_LANES / fragment->parts), part, lane, &row,
                     &column);
        if (operand == MATRIX_A || operand == MATRIX_B)
            column = matrix_order(matrix->numerics, column, matrix->k);
        index[i] = (uint16_t)(operand == MATRIX_A   ? row * matrix->k + column
                              : operand == MATRIX_B ? (row / shape.n * matrix->k + column) * shape.n + row % shape.n
                                                    : row * shape.n + column);
    }
    fragment->index = index;
    return index != NULL;
}

DECODER(matrix_multiply)
{
    static const enum matrix_operand order[] = {MATRIX_D, MATRIX_A, MATRIX_B, MATRIX_C};
    const struct ptx_opcode *opcode = &instruction->opcode;
    struct matrix_shape shape = matrix_shape_of(opcode);
    enum ptx_type types[MATRIX_OPERANDS];
    list_types(opcode, types);
    const char *wrong = check_modifiers(opcode, shape, types);
    if (wrong) {
        decode_fail(decoder, "%s", wrong);
        return;
    }
    struct matrix *matrix = arena_allocate(decoder->arena, sizeof *matrix);
    if (!matrix) {
        decode_fail_memory(decoder);
        return;
    }
    bool quads = types[MATRIX_A] == PTX_F16 && shape.k == 4;
    *matrix = (struct matrix){.m = shape.m,
                              .n = shape.n,
                              .count = quads ? 4 : 1,
                              .rounding = (uint8_t)decode_rounding(opcode),
                              .saturate = ptx_has(opcode, MOD_satfinite),
                              .exclusive = ptx_has(opcode, MOD_xor)};
    matrix->numerics = matrix_numerics_of(opcode->form->id, shape, types[MATRIX_A]);
    for (unsigned i = 0; i < MATRIX_OPERANDS; i++)
        matrix_describe(opcode->form->id, order[i], shape, types[order[i]], &matrix->operand[order[i]]);
    matrix->k = (uint16_t)(types[MATRIX_A] == PTX_B1 ? shape.k / 32 : shape.k);
    for (unsigned i = 0; i < MATRIX_OPERANDS && !decoder->failed; i++) {
        enum matrix_operand operand = order[i];
        struct matrix_fragment *fragment = &matrix->operand[operand];
        bool columnwise = operand <= MATRIX_B && decode_columnwise(operand, decode_layout(opcode, operand));
        decode_fragment(decoder, &instruction->operands[i], operand == MATRIX_D, fragment);
        if (!decoder->failed && !make_index(decoder, matrix, operand, shape, columnwise, fragment))
            decode_fail_memory(decoder);
    }
    size_t gather = decode_gather(decoder);
    decode_emit(decoder, HANDLER_matrix_multiply)->matrix = matrix;
    decode_end_gather(decoder, gather);
}
