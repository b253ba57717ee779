/* Decoding wmma.load and wmma.store to ordinary loads and stores, as many and as wide as an H200 makes them:
 *
 *     wmma.load   gather, addresses, loads, packing or transposing
 *     wmma.store  gather, addresses, transposing, stores
 */
#include "runtime/emulator/decode/decode_matrix.h"

#include "runtime/emulator/machine/warp.h"

enum { TILE_LINES = 40 }; /* of the largest matrix, and of a register beyond */

/* A fragment in memory. */
struct tile_access {
    struct matrix_fragment fragment;
    enum matrix_operand operand;
    struct matrix_shape shape;
    struct memory_site site; /* what all its loads or stores have in common */
    bool along;              /* the elements of a register are neighbours in memory */
    bool transposed;         /* they are not, but have 16 bits: tiles move unchanged and are transposed in registers */
    uint32_t base, stride;   /* places */
    bool base_in_r;
    uint32_t address[TILE_LINES]; /* places in q: addresses of elements that begin in this line in memory */
    bool known[TILE_LINES];       /* whether they are made */
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
    operation->c = !access->along && !access->transposed;
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
        unsigned lines = access->along || access->transposed ? 1 : fragment->parts;
        for (unsigned line = 0; line < lines; line++)
            make_address(decoder, access, access->along ? row : column + line);
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
    site.offset = (int64_t)((uint64_t)site.offset + (uint64_t)minor * matrix_bits(access->fragment.type) / 8);
    for (unsigned i = 0; i < vector; i++) {
        site.data[i] = places[i];
        site.wide[i] = wide;
    }
    decode_emit_site(decoder, &site, access->address[major]);
}

static struct operation *emit_binary(struct decoder *decoder, enum handler handler, uint32_t d, uint32_t a, uint32_t b)
{
    struct operation *operation = decode_emit(decoder, handler);
    operation->d = d;
    operation->a = a;
    operation->b = b;
    return operation;
}

/* Loads a register whose four bytes are not adjacent, one by one. */
static void load_bytes(struct decoder *decoder, struct tile_access *access, unsigned row, unsigned column, uint32_t place)
{
    uint32_t part[4], select = decode_constant(decoder, CONSTANT_R, 0x0040); /* prmt: byte 0 of a, byte 0 of b */
    for (unsigned i = 0; i < 4; i++) {
        part[i] = decode_temporary(decoder, CONSTANT_R);
        tile_piece(decoder, access, column + i, row, 1, 1, &part[i], false);
    }
    emit_binary(decoder, HANDLER_prmt_b32, part[0], part[0], part[1])->c = select;
    emit_binary(decoder, HANDLER_prmt_b32, part[2], part[2], part[3])->c = select;
    emit_binary(decoder, HANDLER_pack_b32_b16, place, part[0], part[2]);
}

/* A tile of 8 x 8 halves, stored by columns. */
static void move_transposed(struct decoder *decoder, struct tile_access *access, unsigned row, unsigned column,
                            uint32_t place)
{
    uint32_t turned = decode_temporary(decoder, CONSTANT_R);
    if (access->site.access == SITE_STORE)
        decode_emit_unary(decoder, HANDLER_matrix_transpose, turned, place);
    tile_piece(decoder, access, column, row, 4, 1, &turned, false);
    if (access->site.access == SITE_LOAD)
        decode_emit_unary(decoder, HANDLER_matrix_transpose, place, turned);
}

/* Registers in pairs: the two sums of a lane, neighbours in memory when the matrix is stored by rows. */
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
            tile_piece(decoder, access, access->along ? row : column, access->along ? column : row, fragment->wide ? 8 : 4,
                       1, &place, fragment->wide);
        else if (access->transposed)
            move_transposed(decoder, access, row, column, place);
        else
            load_bytes(decoder, access, row, column, place);
    }
    for (unsigned i = fragment->held_count; load && fragment->held_count && i < fragment->register_count && !decoder->failed;
         i++)
        decode_emit_unary(decoder, HANDLER_mov_b32, fragment->place[i], fragment->place[i % fragment->held_count]);
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
    enum ptx_modifier layout = decode_layout(opcode, 0);
    access->shape = matrix_shape_of(opcode);
    access->along = decode_columnwise(access->operand, layout) == (access->operand == MATRIX_C && access->shape.n == 32);
    access->transposed = !access->along && matrix_bits(type) == 16;
    const char *wrong = matrix_check_fragment(access->operand, access->shape, type);
    if (!wrong && matrix_bits(type) < 8 && !access->along)
        wrong = "fragments of elements smaller than a byte must be .row for A and .col for B";
    if (wrong) {
        decode_fail(decoder, "%s", wrong);
        return;
    }
    matrix_describe(FORM_WMMA_MMA, access->operand, access->shape, type, &access->fragment);
    decode_fragment(decoder, data, access->site.access == SITE_LOAD, &access->fragment);
    access->base = decode_memory_base(decoder, address, opcode, &access->site);
    access->base_in_r = access->site.address_in_r;
    access->site.address_in_r = false; /* of the addresses made from it */
    access->stride = instruction->operand_count > 2 ? decode_source(decoder, &instruction->operands[2], PTX_U32)
                                                    : decode_constant(decoder, CONSTANT_R, default_stride(access, layout));
    if (decoder->failed)
        return;
    size_t gather = decode_gather(decoder);
    make_addresses(decoder, access);
    if (access->operand == MATRIX_C && access->fragment.parts == 1)
        tile_pairs(decoder, access);
    else
        tile_registers(decoder, access);
    decode_end_gather(decoder, gather);
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
