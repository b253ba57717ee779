/* Decoding matrix instructions. What touches memory becomes ordinary loads and stores, with their checks and counters:
 *
 *     wmma.load   gather, addresses, loads, packing          ldmatrix   gather, load of rows, spread
 *     wmma.store  gather, addresses, unpacking, stores       stmatrix   gather, collect, store of rows
 *
 * The first operation makes sure that the whole warp takes part; where it does not, it skips the rest.
 */
#include "runtime/emulator/execution/decode.h"

#include <string.h>

#include "runtime/emulator/execution/matrix.h"
#include "runtime/emulator/execution/rounding.h"
#include "runtime/emulator/execution/warp.h"

static size_t emit_gather(struct decoder *decoder)
{
    decode_emit(decoder, HANDLER_matrix_gather);
    return decoder->count - 1;
}

/* Everything emitted since `gather` belongs to one instruction. */
static void end_gather(struct decoder *decoder, size_t gather)
{
    if (!decoder->failed)
        decoder->operations[gather].extra = (uint32_t)(decoder->count - gather);
}

static enum ptx_type register_type_of(const struct matrix_fragment *fragment)
{
    return fragment->wide ? PTX_B64 : PTX_B32;
}

/* The registers of a fragment, as the instruction names them. */
static void decode_fragment(struct decoder *decoder, const struct ptx_operand *operand, bool destination,
                            struct matrix_fragment *fragment)
{
    if (operand->kind != OPERAND_VECTOR || operand->count != fragment->register_count) {
        decode_fail(decoder, "a fragment of .%s has %u registers here, the operand names %u", ptx_type_name(fragment->type),
                    fragment->register_count, operand->kind == OPERAND_VECTOR ? operand->count : 1);
        return;
    }
    for (unsigned i = 0; i < operand->count && !decoder->failed; i++) {
        enum ptx_type declared = decode_register_type(decoder, &operand->elements[i]);
        if (declared != PTX_NONE && ptx_type_bytes(declared) != (fragment->wide ? 8 : 4))
            decode_fail(decoder, "a register of .%s cannot hold a part of this fragment", ptx_type_name(declared));
        else
            fragment->place[i] = destination
                                     ? decode_destination(decoder, &operand->elements[i], register_type_of(fragment))
                                     : decode_source(decoder, &operand->elements[i], register_type_of(fragment));
    }
}

static bool is_columnwise(enum matrix_operand operand, enum ptx_modifier layout)
{
    return operand == MATRIX_B ? layout == MOD_row : layout == MOD_col;
}

/* The n-th of .row and .col in an opcode. */
static enum ptx_modifier layout_of(const struct ptx_opcode *opcode, unsigned n)
{
    for (unsigned i = 0; i < opcode->written_count; i++)
        if ((opcode->written[i] == MOD_row || opcode->written[i] == MOD_col) && n-- == 0)
            return (enum ptx_modifier)opcode->written[i];
    return MOD_row;
}

/* ---- wmma.load and wmma.store ---- */

enum { TILE_LINES = 40 };   /* of the largest matrix, and of a register beyond */

/* A fragment in memory. */
struct tile_access {
    struct matrix_fragment fragment;
    enum matrix_operand operand;
    struct matrix_shape shape;
    struct memory_site site;     /* what all its loads or stores have in common */
    bool along;                  /* the elements of a register are neighbours in memory */
    uint32_t base, stride;       /* places */
    bool base_in_r;
    uint32_t address[TILE_LINES];   /* places in q: addresses of elements that begin in this line in memory */
    bool known[TILE_LINES];         /* whether they are made */
};

/* Makes the addresses of elements that begin in line `major` of the matrix in memory. */
static void make_address(struct decoder *decoder, struct tile_access *access, unsigned major)
{
    if (access->known[major])
        return;
    access->known[major] = true;
    access->address[major] = decode_temporary(decoder, CONSTANT_Q);
    struct operation *operation = decode_emit(decoder, HANDLER_matrix_address);
    operation->d = access->address[major];
    operation->a = access->base;
    operation->b = access->stride;
    operation->negated = access->base_in_r;
    operation->c = !access->along;
    operation->extra = access->operand == MATRIX_C ? 2 : access->fragment.type == PTX_B1 ? 32 : access->fragment.parts;
    operation->immediate = (uint64_t)matrix_bits(access->fragment.type) << 32 | major;
}

/* All addresses come first: a load may overwrite the registers that they are made from. */
static void make_addresses(struct decoder *decoder, struct tile_access *access)
{
    const struct matrix_fragment *fragment = &access->fragment;
    for (unsigned i = 0; i < fragment->held_count; i++) {
        unsigned row, column;
        matrix_tile(fragment, access->operand, access->shape, i, &row, &column);
        if (access->along)
            make_address(decoder, access, row);
        for (unsigned part = 0; !access->along && part < fragment->parts; part++)
            make_address(decoder, access, column + part);
    }
}

/* One load or store of `vector` registers of `bytes` bytes, at an element of the matrix. */
static void tile_piece(struct decoder *decoder, struct tile_access *access, unsigned major, unsigned minor, unsigned bytes,
                       unsigned vector, const uint32_t *places, bool wide)
{
    struct memory_site site = access->site;
    site.bytes = (uint8_t)bytes;
    site.vector = (uint8_t)vector;
    site.type = bytes == 8 ? PTX_B64 : bytes == 4 ? PTX_B32 : bytes == 2 ? PTX_B16 : PTX_B8;
    site.offset += (int64_t)((uint64_t)minor * matrix_bits(access->fragment.type) / 8);
    for (unsigned i = 0; i < vector; i++) {
        site.data[i] = places[i];
        site.wide[i] = wide;
    }
    decode_emit_site(decoder, &site, access->address[major]);
}

static struct operation *emit_values(struct decoder *decoder, enum handler handler, uint32_t d, uint32_t a, uint32_t b)
{
    struct operation *operation = decode_emit(decoder, handler);
    operation->d = d;
    operation->a = a;
    operation->b = b;
    return operation;
}

/* Loads a register whose elements lie apart, one by one. */
static void load_parts(struct decoder *decoder, struct tile_access *access, unsigned row, unsigned column, uint32_t place)
{
    const struct matrix_fragment *fragment = &access->fragment;
    uint32_t part[4] = {0}, select = decode_constant(decoder, CONSTANT_R, 0x0040);   /* prmt: byte 0 of a, byte 0 of b */
    for (unsigned i = 0; i < fragment->parts; i++) {
        part[i] = decode_temporary(decoder, CONSTANT_R);
        tile_piece(decoder, access, column + i, row, matrix_bits(fragment->type) / 8, 1, &part[i], false);
    }
    for (unsigned i = 0; fragment->parts == 4 && i < 4; i += 2)
        emit_values(decoder, HANDLER_prmt_b32, part[i / 2], part[i], part[i + 1])->c = select;
    emit_values(decoder, HANDLER_pack_b32_b16, place, part[0], part[1]);
}

static void store_parts(struct decoder *decoder, struct tile_access *access, unsigned row, unsigned column, uint32_t place)
{
    for (unsigned i = 0; i < 2; i++) {
        uint32_t part = decode_temporary(decoder, CONSTANT_R);
        emit_values(decoder, i ? HANDLER_unpack_hi_b32 : HANDLER_unpack_lo_b32, part, place, 0);
        tile_piece(decoder, access, column + i, row, 2, 1, &part, false);
    }
}

/* Registers in pairs: the two sums of a lane, neighbours in memory when the matrix lies there by rows. */
static void tile_pairs(struct decoder *decoder, struct tile_access *access)
{
    const struct matrix_fragment *fragment = &access->fragment;
    unsigned bytes = fragment->wide ? 8 : 4;
    for (unsigned i = 0; i < fragment->held_count && !decoder->failed; i += 2) {
        unsigned row, column;
        matrix_tile(fragment, access->operand, access->shape, i, &row, &column);
        if (access->along) {
            tile_piece(decoder, access, row, column, bytes, 2, &fragment->place[i], fragment->wide);
            continue;
        }
        tile_piece(decoder, access, column, row, bytes, 1, &fragment->place[i], fragment->wide);
        tile_piece(decoder, access, column + 1, row, bytes, 1, &fragment->place[i + 1], fragment->wide);
    }
}

static void tile_registers(struct decoder *decoder, struct tile_access *access)
{
    const struct matrix_fragment *fragment = &access->fragment;
    bool load = access->site.access == SITE_LOAD;
    for (unsigned i = 0; i < fragment->held_count && !decoder->failed; i++) {
        unsigned row, column;
        uint32_t place = fragment->place[i];
        matrix_tile(fragment, access->operand, access->shape, i, &row, &column);
        if (access->along || fragment->parts == 1)
            tile_piece(decoder, access, access->along ? row : column, access->along ? column : row, fragment->wide ? 8 : 4, 1,
                       &place, fragment->wide);
        else if (load)
            load_parts(decoder, access, row, column, place);
        else
            store_parts(decoder, access, row, column, place);
    }
    for (unsigned i = fragment->held_count; load && i < fragment->register_count && !decoder->failed; i++)
        emit_values(decoder, HANDLER_mov_b32, fragment->place[i], fragment->place[i % fragment->held_count], 0);
}

/* Elements from one line of the matrix to the next, where the instruction does not say (9.7.14.4.3). */
static unsigned default_stride(const struct tile_access *access, enum ptx_modifier layout)
{
    const struct matrix_shape *shape = &access->shape;
    unsigned rows = access->operand == MATRIX_B ? shape->k : shape->m;
    unsigned columns = access->operand == MATRIX_A ? shape->k : shape->n;
    return layout == MOD_row ? columns : rows;
}

static void decode_tile(struct decoder *decoder, const struct ptx_instruction *instruction, struct tile_access *access,
                        const struct ptx_operand *address, const struct ptx_operand *data)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    enum ptx_type type = opcode->types[0];
    enum ptx_modifier layout = layout_of(opcode, 0);
    access->shape = matrix_shape_of(opcode);
    access->along = is_columnwise(access->operand, layout) == (access->operand == MATRIX_C && access->shape.n == 32);
    const char *wrong = matrix_check_fragment(access->operand, access->shape, type);
    if (!wrong && matrix_bits(type) < 8 && !access->along)
        wrong = "fragments of elements below a byte are .row for A and .col for B";
    if (wrong) {
        decode_fail(decoder, "%s", wrong);
        return;
    }
    matrix_describe(FORM_WMMA_MMA, access->operand, access->shape, type, &access->fragment);
    decode_fragment(decoder, data, access->site.access == SITE_LOAD, &access->fragment);
    access->base = decode_memory_base(decoder, address, opcode, &access->site);
    access->base_in_r = access->site.address_in_r;
    access->site.address_in_r = false;   /* of the addresses made from it */
    access->stride = instruction->operand_count > 2
                         ? decode_source(decoder, &instruction->operands[2], PTX_U32)
                         : decode_constant(decoder, CONSTANT_R, default_stride(access, layout));
    if (decoder->failed)
        return;
    size_t gather = emit_gather(decoder);
    make_addresses(decoder, access);
    if (access->operand == MATRIX_C && access->fragment.parts == 1)
        tile_pairs(decoder, access);
    else
        tile_registers(decoder, access);
    end_gather(decoder, gather);
}

DECODER(matrix_load)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    struct tile_access access = {.site = {.access = SITE_LOAD}};
    access.operand = ptx_has(opcode, MOD_fragment_a) ? MATRIX_A : ptx_has(opcode, MOD_fragment_b) ? MATRIX_B : MATRIX_C;
    decode_tile(decoder, instruction, &access, &instruction->operands[1], &instruction->operands[0]);
}

DECODER(matrix_store)
{
    struct tile_access access = {.site = {.access = SITE_STORE}, .operand = MATRIX_C};
    decode_tile(decoder, instruction, &access, &instruction->operands[0], &instruction->operands[1]);
}

/* ---- ldmatrix, stmatrix, movmatrix ---- */

static unsigned row_count(const struct ptx_opcode *opcode)
{
    return ptx_has(opcode, MOD_x4) ? 4 : ptx_has(opcode, MOD_x2) ? 2 : 1;
}

/* Addresses without a space are generic, but must lie in shared memory (9.7.14.5.15). */
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
    struct operation *operation = emit_values(decoder, HANDLER_cvta_window, inside, place, 0);
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
    size_t gather = emit_gather(decoder);
    uint32_t place = shared_place(decoder, opcode, address, &site);
    if (!load)
        decode_emit(decoder, HANDLER_matrix_collect)->rows = rows;
    if (rows->count < 4)   /* lanes 0..7 hold the addresses of the first matrix, 8..15 of the second */
        emit_lanes(decoder, (1u << 8 * rows->count) - 1);
    decode_emit_site(decoder, &site, place);
    if (rows->count < 4)
        emit_lanes(decoder, ALL_LANES);
    if (load)
        decode_emit(decoder, HANDLER_matrix_spread)->rows = rows;
    end_gather(decoder, gather);
}

/* The lanes hold one fragment and get that of the transpose: what stmatrix and ldmatrix.trans would do, without memory. */
DECODER(matrix_transpose)
{
    struct matrix_rows *out = arena_allocate(decoder->arena, sizeof *out), *in = arena_allocate(decoder->arena, sizeof *in);
    if (!out || !in) {
        decode_fail_memory(decoder);
        return;
    }
    in->count = out->count = 1;
    in->transposed = true;
    out->place[0] = decode_source(decoder, &instruction->operands[1], PTX_B32);
    in->place[0] = decode_destination(decoder, &instruction->operands[0], PTX_B32);
    for (unsigned i = 0; i < 4; i++)
        out->rows[i] = in->rows[i] = decode_temporary(decoder, CONSTANT_R);
    size_t gather = emit_gather(decoder);
    decode_emit(decoder, HANDLER_matrix_collect)->rows = out;
    decode_emit(decoder, HANDLER_matrix_spread)->rows = in;
    end_gather(decoder, gather);
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
        return ".satfinite goes with products of integers";
    if ((ptx_has(opcode, MOD_xor) || ptx_has(opcode, MOD_and)) != bits || ptx_has(opcode, MOD_popc) != bits)
        return bits ? "products of bits need .xor.popc or .and.popc" : ".xor, .and and .popc go with products of bits";
    if (!any_layout && (layout_of(opcode, 0) != MOD_row || layout_of(opcode, 1) != MOD_col))
        return "the layouts must be .row.col for these types";
    return matrix_check(opcode->form->id, shape, types);
}

/* The table that says where each lane's elements lie. */
static bool make_index(struct decoder *decoder, const struct matrix *matrix, enum matrix_operand operand,
                       struct matrix_shape shape, bool columnwise, struct matrix_fragment *fragment)
{
    size_t count = (size_t)fragment->held_count * fragment->parts * MATRIX_LANES;
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
    *matrix = (struct matrix){.m = shape.m, .n = shape.n, .count = quads ? 4 : 1, .rounding = (uint8_t)decode_rounding(opcode),
                              .saturate = ptx_has(opcode, MOD_satfinite), .exclusive = ptx_has(opcode, MOD_xor)};
    matrix->numerics = matrix_numerics_of(opcode->form->id, shape, types[MATRIX_A]);
    for (unsigned i = 0; i < MATRIX_OPERANDS; i++)
        matrix_describe(opcode->form->id, order[i], shape, types[order[i]], &matrix->operand[order[i]]);
    matrix->k = (uint16_t)(types[MATRIX_A] == PTX_B1 ? shape.k / 32 : shape.k);
    for (unsigned i = 0; i < MATRIX_OPERANDS && !decoder->failed; i++) {
        enum matrix_operand operand = order[i];
        struct matrix_fragment *fragment = &matrix->operand[operand];
        bool columnwise = operand <= MATRIX_B && is_columnwise(operand, layout_of(opcode, operand));
        decode_fragment(decoder, &instruction->operands[i], operand == MATRIX_D, fragment);
        if (!decoder->failed && !make_index(decoder, matrix, operand, shape, columnwise, fragment))
            decode_fail_memory(decoder);
    }
    size_t gather = emit_gather(decoder);
    decode_emit(decoder, HANDLER_matrix_multiply)->matrix = matrix;
    end_gather(decoder, gather);
}
