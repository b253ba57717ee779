/* Decoding arithmetic, comparisons and moves. Which operation does it: pick.h. */
#include "runtime/emulator/decode/decode.h"

#include "runtime/emulator/arithmetic/half_math.h"
#include "runtime/emulator/machine/library.h"

#define H(name) HANDLER_##name

static enum ptx_type twice_as_wide(enum ptx_type type)
{
    switch (type) {
    case PTX_U16: return PTX_U32;
    case PTX_S16: return PTX_S32;
    case PTX_U32: return PTX_U64;
    default: return PTX_S64;
    }
}

/* Of an operand, by its letter. */
static enum ptx_type operand_type(char letter, enum ptx_type type)
{
    return letter == 'n' || letter == 'u' ? PTX_U32 : letter == 'w' ? twice_as_wide(type) : type;
}

/* Subnormals become zeros: of f32, or of f16 and pairs of them. */
static enum handler flush_of(enum ptx_type type)
{
    return type == PTX_F32 ? H(flush_f32) : H(flush_f16x2);
}

static uint32_t flushed(struct decoder *decoder, enum ptx_type type, uint32_t source)
{
    uint32_t temporary = decode_temporary(decoder, CONSTANT_R);
    decode_emit_unary(decoder, flush_of(type), temporary, source);
    return temporary;
}

void decode_lanes_with(struct decoder *decoder, const struct ptx_instruction *instruction, uint32_t extra)
{
    struct pick pick = decoder->picks[decoder->index];
    const char *letters = instruction->opcode.form->operands;
    enum ptx_type type = instruction->opcode.types[0];
    uint32_t source[4] = {0};
    if (pick.handler == HANDLER_COUNT) {
        decode_fail(decoder, "these modifiers are not defined for .%s", ptx_type_name(type));
        return;
    }
    for (unsigned i = 1; i < instruction->operand_count && i < 5; i++) {
        source[i - 1] = decode_source(decoder, &instruction->operands[i], operand_type(letters[i], type));
        if (pick.left & PICK_FTZ)
            source[i - 1] = flushed(decoder, type, source[i - 1]);
    }
    struct operation *operation = decode_emit(decoder, (enum handler)pick.handler);
    uint32_t d = operation->d = decode_destination(decoder, &instruction->operands[0], operand_type(letters[0], type));
    operation->a = source[0];
    operation->b = source[1];
    operation->c = source[2];
    if (instruction->operand_count == 5)
        operation->immediate = source[3];
    operation->extra = extra;
    if (pick.left & PICK_FTZ)
        decode_emit_unary(decoder, flush_of(type), d, d);
    if (pick.left & PICK_SAT)
        decode_emit_unary(decoder, type == PTX_F64 ? H(sat_f64) : H(sat_f32), d, d);
}

/* The modifiers as an operation reads them in `extra`. */
static uint32_t modifiers_of(const struct ptx_opcode *opcode)
{
    if (decode_is_half(opcode->types[0]))
        return decode_half_flags(opcode);
    if (ptx_type_kind(opcode->types[0]) != KIND_FLOAT)
        return ptx_has(opcode, MOD_shiftamt);
    return (uint32_t)decode_rounding(opcode) | (ptx_has(opcode, MOD_ftz) ? ROUNDING_FTZ : 0)
           | (ptx_has(opcode, MOD_nan) ? EXTREME_NAN : 0) | (ptx_has(opcode, MOD_abs_mod) ? EXTREME_ABSOLUTE : 0);
}

DECODER(lanes)
{
    decode_lanes_with(decoder, instruction, modifiers_of(&instruction->opcode));
}

DECODER(dot_product)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    uint32_t flags = (opcode->types[0] == PTX_S32 ? DOT_A_SIGNED : 0) | (opcode->types[1] == PTX_S32 ? DOT_B_SIGNED : 0)
                     | (ptx_has(opcode, MOD_hi) ? DOT_HIGH : 0);
    decode_lanes_with(decoder, instruction, flags);
}

DECODER(carry)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    enum ptx_form_id form = opcode->form->id;
    uint32_t flags = decode_is_wide(opcode->types[0]) ? CARRY_WIDE : 0;
    flags |= ptx_has(opcode, MOD_cc) ? CARRY_OUT : 0;
    flags |= form == FORM_ADDC || form == FORM_SUBC || form == FORM_MADC ? CARRY_IN : 0;
    flags |= form == FORM_SUB_CARRY || form == FORM_SUBC ? CARRY_SUBTRACT : 0;
    flags |= form == FORM_MAD_CARRY || form == FORM_MADC ? CARRY_MULTIPLY : 0;
    flags |= ptx_has(opcode, MOD_hi) ? CARRY_HIGH : 0;
    flags |= ptx_type_kind(opcode->types[0]) == KIND_SIGNED ? CARRY_SIGNED : 0;
    enum ptx_type type = opcode->types[0];
    decode_emit_sources(decoder, instruction, HANDLER_carry, type, (enum ptx_type[]){type, type, type}, flags);
}

enum rounding decode_rounding(const struct ptx_opcode *opcode)
{
    if (ptx_has(opcode, MOD_rna))
        return ROUND_AWAY;
    if (ptx_has(opcode, MOD_rz) || ptx_has(opcode, MOD_rzi))
        return ROUND_ZERO;
    if (ptx_has(opcode, MOD_rm) || ptx_has(opcode, MOD_rmi))
        return ROUND_DOWN;
    if (ptx_has(opcode, MOD_rp) || ptx_has(opcode, MOD_rpi))
        return ROUND_UP;
    return ROUND_NEAREST;
}

/* ---- comparisons ---- */

struct comparison {
    enum handler handler;
    bool swap;
};

static struct comparison comparison_of(const struct ptx_opcode *opcode, enum ptx_type type)
{
    static const struct {
        enum ptx_modifier modifier;
        const char *family;
        bool swap, integers;
    } rows[] = {
        {MOD_eq, "eq", false, false},   {MOD_ne, "ne", false, false},   {MOD_lt, "lt", false, false},
        {MOD_le, "le", false, false},   {MOD_gt, "lt", true, false},    {MOD_ge, "le", true, false},
        {MOD_lo, "lt", false, true},    {MOD_ls, "le", false, true},    {MOD_hi, "lt", true, true},
        {MOD_hs, "le", true, true},     {MOD_equ, "equ", false, false}, {MOD_neu, "neu", false, false},
        {MOD_ltu, "ltu", false, false}, {MOD_leu, "leu", false, false}, {MOD_gtu, "ltu", true, false},
        {MOD_geu, "leu", true, false},  {MOD_num, "num", false, false}, {MOD_isnan, "nan", false, false},
    };
    bool integer = ptx_type_kind(type) != KIND_FLOAT;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (ptx_has(opcode, rows[i].modifier) && (integer || !rows[i].integers))
            return (struct comparison){pick_family(rows[i].family, decode_is_half(type) ? PTX_F32 : type), rows[i].swap};
    return (struct comparison){HANDLER_COUNT, false};
}

static void combine(struct decoder *decoder, const struct ptx_instruction *instruction, uint32_t d, uint32_t a,
                    bool a_negated, uint32_t c, bool c_negated)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    struct operation *operation = decode_emit(decoder, ptx_has(opcode, MOD_or)    ? HANDLER_pred_or
                                                       : ptx_has(opcode, MOD_xor) ? HANDLER_pred_xor
                                                                                  : HANDLER_pred_and);
    operation->d = d;
    operation->a = a;
    operation->b = c;
    operation->extra = (a_negated ? 1 : 0) | (c_negated ? 2 : 0);
}

/* One side of a comparison. high: the upper half of a pair. Halves are compared as f32, which holds them exactly. */
static uint32_t comparison_source(struct decoder *decoder, const struct ptx_operand *operand, enum ptx_type type, bool ftz,
                                  bool high)
{
    uint32_t source = decode_source(decoder, operand, type);
    if (decode_is_half(type))
        return decode_widened_half(decoder, source, type, ftz, high);
    return ftz && type == PTX_F32 ? flushed(decoder, type, source) : source;
}

/* Emits the comparison into predicate `d`. */
static void emit_comparison(struct decoder *decoder, const struct ptx_instruction *instruction, enum ptx_type type,
                            bool high, uint32_t d)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    bool ftz = ptx_has(opcode, MOD_ftz);
    struct comparison comparison = comparison_of(opcode, type);
    if (comparison.handler == HANDLER_COUNT) {
        decode_fail(decoder, "this comparison is not defined for .%s", ptx_type_name(type));
        return;
    }
    uint32_t a = comparison_source(decoder, &instruction->operands[1], type, ftz, high);
    uint32_t b = comparison_source(decoder, &instruction->operands[2], type, ftz, high);
    struct operation *operation = decode_emit(decoder, comparison.handler);
    operation->d = d;
    operation->a = comparison.swap ? b : a;
    operation->b = comparison.swap ? a : b;
}

/* The predicate that a comparison is combined with: operand 3. Copied, as the destinations may be the same register. */
struct combined_with {
    uint32_t predicate;
    bool negated;
};

static struct combined_with combined_with(struct decoder *decoder, const struct ptx_instruction *instruction)
{
    if (instruction->operand_count < 4)
        return (struct combined_with){decode_constant(decoder, CONSTANT_P, ~0u), false};
    uint32_t source = decode_predicate(decoder, &instruction->operands[3]), copy = decode_temporary(decoder, CONSTANT_P);
    struct operation *operation = decode_emit(decoder, HANDLER_pred_mov);
    operation->a = source;
    operation->d = copy;
    return (struct combined_with){copy, instruction->operands[3].negated};
}

/* Into register `d`: `yes` where the comparison holds, 0 elsewhere. */
static void emit_set(struct decoder *decoder, const struct ptx_instruction *instruction, bool high, uint32_t yes, uint32_t d)
{
    uint32_t result = decode_temporary(decoder, CONSTANT_P);
    emit_comparison(decoder, instruction, instruction->opcode.types[1], high, result);
    if (instruction->operand_count == 4) {
        struct combined_with with = combined_with(decoder, instruction);
        combine(decoder, instruction, result, result, false, with.predicate, with.negated);
    }
    struct operation *operation = decode_emit(decoder, HANDLER_pred_to_b32);
    operation->d = d;
    operation->a = result;
    operation->extra = yes;
}

/* What `set` writes for true: 1.0 or all ones, as wide as a half of a pair where pairs are compared (9.7.6.1, 9.7.7.1). */
static uint32_t true_value(enum ptx_type to, bool pairs)
{
    switch (to) {
    case PTX_F32: return 0x3F800000;
    case PTX_F16:
    case PTX_F16X2: return HALF_F16_ONE;
    case PTX_BF16:
    case PTX_BF16X2: return HALF_BF16_ONE;
    case PTX_U16:
    case PTX_S16: return 0xFFFF;
    default: return pairs ? 0xFFFF : UINT32_MAX;
    }
}

static void decode_set(struct decoder *decoder, const struct ptx_instruction *instruction)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    enum ptx_type to = opcode->types[0];
    bool pairs = decode_is_pair(opcode->types[1]);
    uint32_t d = decode_destination(decoder, &instruction->operands[0], to), yes = true_value(to, pairs);
    if (pairs ? ptx_type_bytes(to) != 4 || to == PTX_F32 : decode_is_pair(to)) {
        decode_fail(decoder, "a comparison of .%s cannot give .%s", ptx_type_name(opcode->types[1]), ptx_type_name(to));
        return;
    }
    if (!pairs) {
        emit_set(decoder, instruction, false, yes, d);
        return;
    }
    uint32_t low = decode_temporary(decoder, CONSTANT_R), high = decode_temporary(decoder, CONSTANT_R);
    emit_set(decoder, instruction, false, yes, low);
    emit_set(decoder, instruction, true, yes, high);
    struct operation *operation = decode_emit(decoder, HANDLER_pack_b32_b16);
    operation->d = d;
    operation->a = low;
    operation->b = high;
}

DECODER(compare)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    bool combines = ptx_has(opcode, MOD_and) || ptx_has(opcode, MOD_or) || ptx_has(opcode, MOD_xor);
    if (combines != (instruction->operand_count == 4)) {
        decode_fail(decoder, combines ? "a predicate to combine with is missing" : "the predicate needs .and, .or or .xor");
        return;
    }
    if (opcode->form->id == FORM_SET) {
        decode_set(decoder, instruction);
        return;
    }
    enum ptx_type type = opcode->types[0];
    const struct ptx_operand *d = &instruction->operands[0];
    uint32_t first = d->kind == OPERAND_SINK ? decode_temporary(decoder, CONSTANT_P) : decode_predicate(decoder, d);
    if (instruction->operand_count < 4 && d->second < 0) {
        emit_comparison(decoder, instruction, type, false, first);
        return;
    }
    /* p = comparison op c; q = !comparison op c, or that of the upper halves */
    uint32_t compared = decode_temporary(decoder, CONSTANT_P), other = compared;
    emit_comparison(decoder, instruction, type, false, compared);
    bool pairs = decode_is_pair(type);
    if (pairs && d->second >= 0) {
        other = decode_temporary(decoder, CONSTANT_P);
        emit_comparison(decoder, instruction, type, true, other);
    }
    struct combined_with with = combined_with(decoder, instruction);
    combine(decoder, instruction, first, compared, false, with.predicate, with.negated);
    if (d->second >= 0)
        combine(decoder, instruction,
                decode_predicate(decoder, &(struct ptx_operand){.kind = OPERAND_REGISTER, .index = d->second}), other,
                !pairs, with.predicate, with.negated);
}

DECODER(select)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    enum ptx_type type = opcode->types[0];
    bool wide = decode_is_wide(type);
    uint32_t a = decode_source(decoder, &instruction->operands[1], type),
             b = decode_source(decoder, &instruction->operands[2], type);
    if (opcode->form->id == FORM_SELP) {
        uint32_t c = decode_predicate(decoder, &instruction->operands[3]);
        struct operation *operation = decode_emit(decoder, wide ? HANDLER_select_b64 : HANDLER_select_b32);
        operation->a = a;
        operation->b = b;
        operation->c = c;
        operation->negated = instruction->operands[3].negated;
        operation->d = decode_destination(decoder, &instruction->operands[0], type);
        return;
    }
    uint32_t c = decode_source(decoder, &instruction->operands[3], opcode->types[1]);
    struct operation *operation = decode_emit(decoder, wide ? HANDLER_select_sign_b64 : HANDLER_select_sign_b32);
    operation->a = a;
    operation->b = b;
    operation->c = c;
    operation->extra = opcode->types[1] == PTX_F32;
    operation->d = decode_destination(decoder, &instruction->operands[0], type);
}

/* ---- bits ---- */

static void decode_predicate_logic(struct decoder *decoder, const struct ptx_instruction *instruction)
{
    enum ptx_form_id form = instruction->opcode.form->id;
    uint32_t a = decode_predicate(decoder, &instruction->operands[1]);
    uint32_t b = form == FORM_NOT ? 0 : decode_predicate(decoder, &instruction->operands[2]);
    struct operation *operation = decode_emit(decoder, form == FORM_AND   ? HANDLER_pred_and
                                                       : form == FORM_OR  ? HANDLER_pred_or
                                                       : form == FORM_XOR ? HANDLER_pred_xor
                                                                          : HANDLER_pred_not);
    operation->a = a;
    operation->b = b;
    operation->extra = form == FORM_NOT
                           ? 0
                           : (instruction->operands[1].negated ? 1 : 0) | (instruction->operands[2].negated ? 2 : 0);
    operation->d = decode_predicate(decoder, &instruction->operands[0]);
}

/* lop3.or.b32 d|p, a, b, c, table, q: p says whether a bit of the result is set, combined with q. d may be _. */
DECODER(lookup_predicate)
{
    const struct ptx_operand *operands = instruction->operands;
    if (operands[4].kind != OPERAND_INTEGER || operands[0].second < 0) {
        decode_fail(decoder, "the table must be a constant, and the destination must be written d|p");
        return;
    }
    uint32_t source[3];
    for (unsigned i = 0; i < 3; i++)
        source[i] = decode_source(decoder, &operands[i + 1], PTX_B32);
    uint32_t result = decode_temporary(decoder, CONSTANT_R), set = decode_temporary(decoder, CONSTANT_P);
    struct operation *operation = decode_emit(decoder, H(lop3_b32));
    operation->d = result;
    operation->a = source[0];
    operation->b = source[1];
    operation->c = source[2];
    operation->extra = (uint32_t)operands[4].bits;
    uint32_t zero = decode_constant(decoder, CONSTANT_R, 0);
    operation = decode_emit(decoder, H(ne_b32));
    operation->d = set;
    operation->a = result;
    operation->b = zero;
    uint32_t with = decode_predicate(decoder, &operands[5]);
    struct ptx_operand second = {.kind = OPERAND_REGISTER, .index = operands[0].second, .second = -1};
    combine(decoder, instruction, decode_predicate(decoder, &second), set, false, with, operands[5].negated);
    if (operands[0].kind != OPERAND_SINK) {
        operation = decode_emit(decoder, H(mov_b32));
        operation->d = decode_destination(decoder, &operands[0], PTX_B32);
        operation->a = result;
    }
}

DECODER(logic)
{
    if (instruction->opcode.types[0] == PTX_PRED)
        decode_predicate_logic(decoder, instruction);
    else
        decode_lanes_with(decoder, instruction, 0);
}

DECODER(lookup)
{
    const struct ptx_operand *table = &instruction->operands[4];
    if (table->kind != OPERAND_INTEGER)
        decode_fail(decoder, "the table must be a constant");
    decode_emit_sources(decoder, instruction, H(lop3_b32), PTX_B32, (enum ptx_type[]){PTX_B32, PTX_B32, PTX_B32},
                        (uint32_t)table->bits);
}

DECODER(permute)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    decode_lanes_with(decoder, instruction,
                      ptx_has(opcode, MOD_f4e)    ? PERMUTE_F4E
                      : ptx_has(opcode, MOD_b4e)  ? PERMUTE_B4E
                      : ptx_has(opcode, MOD_rc8)  ? PERMUTE_RC8
                      : ptx_has(opcode, MOD_ecl)  ? PERMUTE_ECL
                      : ptx_has(opcode, MOD_ecr)  ? PERMUTE_ECR
                      : ptx_has(opcode, MOD_rc16) ? PERMUTE_RC16
                                                  : PERMUTE_INDEX);
}

DECODER(shift)
{
    const struct ptx_operand *amount = &instruction->operands[2];
    bool constant = amount->kind == OPERAND_INTEGER && ptx_type_bytes(instruction->opcode.types[0]) >= 4
                    && (uint32_t)amount->bits < UINT32_MAX;
    decode_lanes_with(decoder, instruction, constant ? (uint32_t)amount->bits + 1 : 0);
}

/* ---- moves and conversions ---- */

/* How a register of `bytes` bytes splits into two. */
struct halves {
    enum ptx_type whole, half;
    enum handler copy, low, high, pack;
};

static struct halves halves_of(unsigned bytes)
{
    switch (bytes) {
    case 8: return (struct halves){PTX_B64, PTX_B32, H(mov_b64), H(unpack_lo_b64), H(unpack_hi_b64), H(pack_b64_b32)};
    case 4: return (struct halves){PTX_B32, PTX_B16, H(mov_b32), H(unpack_lo_b32), H(unpack_hi_b32), H(pack_b32_b16)};
    default: return (struct halves){PTX_B16, PTX_B8, H(mov_b16), H(unpack_lo_b16), H(unpack_hi_b16), H(pack_b16_b8)};
    }
}

static int part_of_bytes(unsigned bytes)
{
    return bytes == 8 ? CONSTANT_Q : CONSTANT_R;
}

/* elements[count] = the parts of `source`, a value of `bytes` bytes that no element shares. */
static void unpack(struct decoder *decoder, const struct ptx_operand *elements, unsigned count, unsigned bytes,
                   uint32_t source)
{
    struct halves halves = halves_of(bytes);
    for (unsigned i = 0; i < 2; i++) {
        enum handler handler = i ? halves.high : halves.low;
        if (count > 2) {
            uint32_t part = decode_temporary(decoder, part_of_bytes(bytes / 2));
            decode_emit_unary(decoder, handler, part, source);
            unpack(decoder, elements + (size_t)i * (count / 2), count / 2, bytes / 2, part);
        } else if (elements[i].kind != OPERAND_SINK) {
            decode_emit_unary(decoder, handler, decode_destination(decoder, &elements[i], halves.half), source);
        }
    }
}

/* d, of `bytes` bytes, = elements[count] together. */
static void pack(struct decoder *decoder, const struct ptx_operand *elements, unsigned count, unsigned bytes, uint32_t d)
{
    struct halves halves = halves_of(bytes);
    uint32_t part[2];
    for (unsigned i = 0; i < 2; i++) {
        if (count == 2) {
            part[i] = decode_source(decoder, &elements[i], halves.half);
        } else {
            part[i] = decode_temporary(decoder, part_of_bytes(bytes / 2));
            pack(decoder, elements + (size_t)i * (count / 2), count / 2, bytes / 2, part[i]);
        }
    }
    struct operation *operation = decode_emit(decoder, halves.pack);
    operation->d = d;
    operation->a = part[0];
    operation->b = part[1];
}

/* mov.b64 {lo, hi}, a and mov.b64 d, {lo, hi}; the same for four elements, and for other widths. */
static void decode_vector_move(struct decoder *decoder, const struct ptx_instruction *instruction)
{
    const struct ptx_operand *to = &instruction->operands[0], *from = &instruction->operands[1];
    const struct ptx_operand *vector = to->kind == OPERAND_VECTOR ? to : from;
    unsigned bytes = ptx_type_bytes(instruction->opcode.types[0]), count = vector->count;
    if (ptx_type_kind(instruction->opcode.types[0]) != KIND_BITS)
        decode_fail(decoder, "packing and unpacking need a .b type");
    if ((count != 2 && count != 4) || count > bytes || (to->kind == OPERAND_VECTOR && from->kind == OPERAND_VECTOR)) {
        decode_fail(decoder, "a vector here has two or four elements that make up one register");
        return;
    }
    struct halves halves = halves_of(bytes);
    if (to->kind == OPERAND_VECTOR) { /* copied: a destination may be the source */
        uint32_t copy = decode_temporary(decoder, part_of_bytes(bytes));
        decode_emit_unary(decoder, halves.copy, copy, decode_source(decoder, from, halves.whole));
        unpack(decoder, to->elements, count, bytes, copy);
        return;
    }
    pack(decoder, from->elements, count, bytes, decode_destination(decoder, to, halves.whole));
}

static void decode_local_address(struct decoder *decoder, uint32_t d, const struct ptx_operand *from)
{
    struct operation *operation = decode_emit(decoder, HANDLER_local_address);
    operation->d = d;
    operation->immediate = from->variable->offset + (uint64_t)from->offset;
}

/* Addresses in the windows of .shared, .local, .const and .param fit in 32 bits; only an address of device memory does not.
 * Of an expression (name+4) ptxas takes the lower half. */
static void check_address_fits(struct decoder *decoder, const struct ptx_operand *from, enum ptx_type type)
{
    if (ptx_type_kind(type) == KIND_FLOAT)
        decode_fail(decoder, "the address of '%s' is an integer", from->variable->name);
    bool whole = from->offset == 0 || from->indexed;
    if (from->variable->space == SPACE_GLOBAL && ptx_type_bytes(type) == 4 && whole)
        decode_fail(decoder, "the address of '%s' has 64 bits, as that of all .global memory", from->variable->name);
}

DECODER(move)
{
    const struct ptx_operand *to = &instruction->operands[0], *from = &instruction->operands[1];
    enum ptx_type type = instruction->opcode.types[0];
    if (to->kind == OPERAND_VECTOR || from->kind == OPERAND_VECTOR) {
        decode_vector_move(decoder, instruction);
        return;
    }
    if (type == PTX_PRED) {
        uint32_t a = decode_predicate(decoder, from);
        struct operation *operation = decode_emit(decoder, HANDLER_pred_mov);
        operation->a = a;
        operation->extra = from->negated;
        operation->d = decode_predicate(decoder, to);
        return;
    }
    bool wide = decode_is_wide(type);
    uint32_t d = decode_destination(decoder, to, type);
    if (from->kind == OPERAND_VARIABLE)
        check_address_fits(decoder, from, type);
    if (from->kind == OPERAND_VARIABLE && from->variable->space == SPACE_LOCAL) {
        uint32_t address = wide ? d : decode_temporary(decoder, CONSTANT_Q);
        decode_local_address(decoder, address, from);
        if (!wide)
            decode_emit_unary(decoder, HANDLER_cvt_u32_u64, d, address);
    } else if (from->kind == OPERAND_SPECIAL) {
        if (ptx_type_kind(type) == KIND_FLOAT || (ptx_special_bytes((enum ptx_special)from->special) == 8) != wide)
            decode_fail(decoder, "%s does not fit in a .%s", ptx_special_name((enum ptx_special)from->special),
                        ptx_type_name(type));
        decode_emit_special(decoder, d, (enum ptx_special)from->special, wide);
    } else {
        enum handler handler = (enum handler)decoder->picks[decoder->index].handler;
        decode_emit_unary(decoder, handler, d, decode_source(decoder, from, type));
    }
}

/* mov.v2 and mov.v4, element by element: all are read before the first is written. */
DECODER(move_vector)
{
    const struct ptx_operand *to = &instruction->operands[0], *from = &instruction->operands[1];
    enum ptx_type type = instruction->opcode.types[0];
    unsigned count = instruction->opcode.vector;
    bool wide = decode_is_wide(type);
    uint32_t copy[8];
    if (to->kind != OPERAND_VECTOR || from->kind != OPERAND_VECTOR || to->count != count || from->count != count) {
        decode_fail(decoder, "both operands must be vectors of %u elements", count);
        return;
    }
    for (unsigned i = 0; i < count && !decoder->failed; i++) {
        copy[i] = decode_temporary(decoder, decode_part_of(type));
        decode_emit_unary(decoder, wide ? HANDLER_mov_b64 : HANDLER_mov_b32, copy[i],
                          decode_source(decoder, &from->elements[i], type));
    }
    for (unsigned i = 0; i < count && !decoder->failed; i++)
        if (to->elements[i].kind != OPERAND_SINK)
            decode_emit_unary(decoder, wide ? HANDLER_mov_b64 : HANDLER_mov_b32,
                              decode_destination(decoder, &to->elements[i], type), copy[i]);
}

/* ---- addresses ---- */

/* The state space that cvta and isspacep name. */
static enum ptx_space space_of(const struct ptx_opcode *opcode)
{
    if (ptx_has(opcode, MOD_shared) || ptx_has(opcode, MOD_shared_cta) || ptx_has(opcode, MOD_shared_cluster))
        return SPACE_SHARED;
    return ptx_has(opcode, MOD_local)         ? SPACE_LOCAL
           : ptx_has(opcode, MOD_const_space) ? SPACE_CONST
           : ptx_has(opcode, MOD_global)      ? SPACE_GLOBAL
                                              : SPACE_PARAM;
}

/* isspacep takes a generic address, of which ptxas also takes the lower half. */
static void decode_isspacep(struct decoder *decoder, const struct ptx_instruction *instruction)
{
    static const uint32_t tests[] = {[SPACE_GLOBAL] = TEST_GLOBAL,
                                     [SPACE_CONST] = TEST_CONST,
                                     [SPACE_SHARED] = TEST_SHARED,
                                     [SPACE_LOCAL] = TEST_LOCAL,
                                     [SPACE_PARAM] = TEST_PARAM};
    const struct ptx_operand *from = &instruction->operands[1];
    enum ptx_type type = decode_register_type(decoder, from);
    bool narrow = type != PTX_NONE && type != PTX_PRED && ptx_type_bytes(type) == 4;
    uint32_t address = decode_source(decoder, from, narrow ? PTX_U32 : PTX_U64);
    if (narrow) {
        uint32_t wide = decode_temporary(decoder, CONSTANT_Q);
        decode_emit_unary(decoder, HANDLER_cvt_u64_u32, wide, address);
        address = wide;
    }
    struct operation *operation = decode_emit(decoder, HANDLER_isspacep);
    operation->a = address;
    operation->d = decode_predicate(decoder, &instruction->operands[0]);
    operation->extra = tests[space_of(&instruction->opcode)];
}

DECODER(address)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    const struct ptx_operand *to = &instruction->operands[0], *from = &instruction->operands[1];
    enum ptx_space space = space_of(opcode);
    if (opcode->form->id == FORM_ISSPACEP) {
        decode_isspacep(decoder, instruction);
        return;
    }
    if (opcode->types[0] == PTX_U32) {
        decode_fail(decoder, "a generic address has 64 bits");
        return;
    }
    if (from->kind == OPERAND_VARIABLE && from->variable->space != space)
        decode_fail(decoder, "'%s' is in another state space", from->variable->name);
    uint32_t d = decode_destination(decoder, to, PTX_U64);
    uint32_t source;
    if (from->kind == OPERAND_VARIABLE && space == SPACE_LOCAL) {
        source = decode_temporary(decoder, CONSTANT_Q);
        decode_local_address(decoder, source, from);
    } else {
        source = decode_source(decoder, from, PTX_U64);
    }
    if (space == SPACE_SHARED || space == SPACE_LOCAL) {
        struct operation *operation = decode_emit(decoder, HANDLER_cvta_window);
        operation->d = d;
        operation->a = source;
        operation->extra = ptx_has(opcode, MOD_to);
        operation->immediate = space == SPACE_SHARED ? SHARED_WINDOW : LOCAL_WINDOW;
        return;
    }
    /* whole addresses in global, const and param memory are generic */
    if (space != SPACE_GLOBAL && from->kind == OPERAND_REGISTER && !ptx_has(opcode, MOD_to))
        source = decode_widened(decoder, source, true, space == SPACE_PARAM);
    decode_emit_unary(decoder, H(mov_b64), d, source);
}
