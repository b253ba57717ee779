/* Decoding arithmetic, comparisons and moves: each form picks a row of operations.def by type and modifiers. */
#include "runtime/emulator/decode/decode.h"

#include "runtime/emulator/arithmetic/half_math.h"
#include "runtime/emulator/machine/library.h"

#define NONE HANDLER_COUNT

/* Column of a type in the pick tables below. */
enum column { U16, S16, U32, S32, U64, S64, COLUMNS };

static enum column column_of(enum ptx_type type)
{
    bool is_signed = ptx_type_kind(type) == KIND_SIGNED;
    switch (ptx_type_bytes(type)) {
    case 2: return is_signed ? S16 : U16;
    case 4: return is_signed ? S32 : U32;
    default: return is_signed ? S64 : U64;
    }
}

#define ROW(form, ...)                                          \
    case FORM_##form: {                                         \
        static const enum handler row[COLUMNS] = {__VA_ARGS__}; \
        return row[column];                                     \
    }
#define H(name) HANDLER_##name

static enum handler integer_handler(enum ptx_form_id form, enum column column)
{
    switch (form) {
        ROW(ADD, H(add_u16), H(add_u16), H(add_u32), H(add_u32), H(add_u64), H(add_u64))
        ROW(SUB, H(sub_u16), H(sub_u16), H(sub_u32), H(sub_u32), H(sub_u64), H(sub_u64))
        ROW(SAD, H(sad_u16), H(sad_s16), H(sad_u32), H(sad_s32), H(sad_u64), H(sad_s64))
        ROW(DIV, H(div_u16), H(div_s16), H(div_u32), H(div_s32), H(div_u64), H(div_s64))
        ROW(REM, H(rem_u16), H(rem_s16), H(rem_u32), H(rem_s32), H(rem_u64), H(rem_s64))
        ROW(ABS, NONE, H(abs_s16), NONE, H(abs_s32), NONE, H(abs_s64))
        ROW(NEG, NONE, H(neg_s16), NONE, H(neg_s32), NONE, H(neg_s64))
        ROW(MIN, H(min_u16), H(min_s16), H(min_u32), H(min_s32), H(min_u64), H(min_s64))
        ROW(MAX, H(max_u16), H(max_s16), H(max_u32), H(max_s32), H(max_u64), H(max_s64))
        ROW(POPC, NONE, NONE, H(popc_b32), NONE, H(popc_b64), NONE)
        ROW(CLZ, NONE, NONE, H(clz_b32), NONE, H(clz_b64), NONE)
        ROW(BFIND, NONE, NONE, H(bfind_u32), H(bfind_s32), H(bfind_u64), H(bfind_s64))
        ROW(BREV, NONE, NONE, H(brev_b32), NONE, H(brev_b64), NONE)
        ROW(BFE, NONE, NONE, H(bfe_u32), H(bfe_s32), H(bfe_u64), H(bfe_s64))
        ROW(BFI, NONE, NONE, H(insert_b32), NONE, H(insert_b64), NONE)
    default: return NONE;
    }
}

DECODER(integer)
{
    enum ptx_form_id form = instruction->opcode.form->id;
    enum ptx_type type = instruction->opcode.types[0];
    enum handler handler = integer_handler(form, column_of(type));
    if (ptx_has(&instruction->opcode, MOD_sat)) {
        if (type != PTX_S32)
            decode_fail(decoder, ".sat is defined for .s32 only");
        handler = form == FORM_ADD ? HANDLER_add_sat_s32 : HANDLER_sub_sat_s32;
    }
    switch (form) {
    case FORM_POPC:
    case FORM_CLZ:
    case FORM_BFIND: /* the result is always 32 bits wide */
        decode_emit_sources(decoder, instruction, handler, PTX_U32, (enum ptx_type[]){type, PTX_NONE, PTX_NONE},
                            ptx_has(&instruction->opcode, MOD_shiftamt));
        return;
    case FORM_BFE:
        decode_emit_sources(decoder, instruction, handler, type, (enum ptx_type[]){type, PTX_U32, PTX_U32}, 0);
        return;
    case FORM_BFI: {
        uint32_t length = decode_source(decoder, &instruction->operands[4], PTX_U32);
        decode_emit_sources(decoder, instruction, handler, type, (enum ptx_type[]){type, type, PTX_U32}, 0);
        decoder->operations[decoder->count - 1].immediate = length;
        return;
    }
    default: decode_emit_same(decoder, instruction, handler, 0);
    }
}

static enum handler multiply_handler(const struct ptx_opcode *opcode, enum column column)
{
    static const enum handler lo[COLUMNS] = {H(mul_lo_u16), H(mul_lo_u16), H(mul_lo_u32),
                                             H(mul_lo_u32), H(mul_lo_u64), H(mul_lo_u64)};
    static const enum handler hi[COLUMNS] = {H(mul_hi_u16), H(mul_hi_s16), H(mul_hi_u32),
                                             H(mul_hi_s32), H(mul_hi_u64), H(mul_hi_s64)};
    static const enum handler wide[COLUMNS] = {
        H(mul_wide_u16), H(mul_wide_s16), H(mul_wide_u32), H(mul_wide_s32), NONE, NONE};
    static const enum handler mad_lo[COLUMNS] = {H(mad_lo_u16), H(mad_lo_u16), H(mad_lo_u32),
                                                 H(mad_lo_u32), H(mad_lo_u64), H(mad_lo_u64)};
    static const enum handler mad_hi[COLUMNS] = {H(mad_hi_u16), H(mad_hi_s16), H(mad_hi_u32),
                                                 H(mad_hi_s32), H(mad_hi_u64), H(mad_hi_s64)};
    static const enum handler mad_wide[COLUMNS] = {
        H(mad_wide_u16), H(mad_wide_s16), H(mad_wide_u32), H(mad_wide_s32), NONE, NONE};
    bool high = ptx_has(opcode, MOD_hi), is_signed = column == S32;
    switch (opcode->form->id) {
    case FORM_MUL: return ptx_has(opcode, MOD_wide) ? wide[column] : high ? hi[column] : lo[column];
    case FORM_MAD:
        if (ptx_has(opcode, MOD_sat))
            return high && column == S32 ? H(mad_hi_sat_s32) : NONE;
        return ptx_has(opcode, MOD_wide) ? mad_wide[column] : high ? mad_hi[column] : mad_lo[column];
    default: /* mul24, mad24 */
        return high ? (is_signed ? H(mul24_hi_s32) : H(mul24_hi_u32)) : is_signed ? H(mul24_lo_s32) : H(mul24_lo_u32);
    }
}

static enum ptx_type twice_as_wide(enum ptx_type type)
{
    switch (type) {
    case PTX_U16: return PTX_U32;
    case PTX_S16: return PTX_S32;
    case PTX_U32: return PTX_U64;
    default: return PTX_S64;
    }
}

DECODER(multiply)
{
    enum ptx_type type = instruction->opcode.types[0];
    enum handler handler = multiply_handler(&instruction->opcode, column_of(type));
    enum ptx_type to = ptx_has(&instruction->opcode, MOD_wide) ? twice_as_wide(type) : type;
    if (handler == NONE) {
        decode_fail(decoder, "this form is not supported by the emulated driver");
        return;
    }
    if (instruction->opcode.form->id != FORM_MAD24) {
        decode_emit_sources(decoder, instruction, handler, to, (enum ptx_type[]){type, type, to}, 0);
        return;
    }
    uint32_t product = decode_temporary(decoder, CONSTANT_R);
    uint32_t a = decode_source(decoder, &instruction->operands[1], type),
             b = decode_source(decoder, &instruction->operands[2], type);
    uint32_t c = decode_source(decoder, &instruction->operands[3], type);
    struct operation *operation = decode_emit(decoder, handler);
    operation->d = product;
    operation->a = a;
    operation->b = b;
    operation = decode_emit(decoder, HANDLER_add_u32);
    operation->d = decode_destination(decoder, &instruction->operands[0], type);
    operation->a = product;
    operation->b = c;
}

DECODER(dot_product)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    uint32_t flags = (opcode->types[0] == PTX_S32 ? DOT_A_SIGNED : 0) | (opcode->types[1] == PTX_S32 ? DOT_B_SIGNED : 0)
                     | (ptx_has(opcode, MOD_hi) ? DOT_HIGH : 0);
    decode_emit_same(decoder, instruction, opcode->form->id == FORM_DP4A ? HANDLER_dp4a_step : HANDLER_dp2a_step, flags);
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
    decode_emit_same(decoder, instruction, HANDLER_carry, flags);
}

/* ---- floats ---- */

struct float_row {
    enum ptx_form_id form;
    enum handler f32, ftz_f32, mode_f32, f64, mode_f64;
};

static const struct float_row float_rows[] = {
    {FORM_ADD_FLOAT, H(add_f32), H(add_ftz_f32), H(add_mode_f32), H(add_f64), H(add_mode_f64)},
    {FORM_SUB_FLOAT, H(sub_f32), H(sub_ftz_f32), H(add_mode_f32), H(sub_f64), H(add_mode_f64)},
    {FORM_MUL_FLOAT, H(mul_f32), H(mul_ftz_f32), H(mul_mode_f32), H(mul_f64), H(mul_mode_f64)},
    {FORM_FMA, H(fma_f32), H(fma_ftz_f32), H(fma_mode_f32), H(fma_f64), H(fma_mode_f64)},
    {FORM_MAD_FLOAT, H(fma_f32), H(fma_ftz_f32), H(fma_mode_f32), H(fma_f64), H(fma_mode_f64)},
    {FORM_DIV_FLOAT, H(div_f32), H(div_ftz_f32), H(div_mode_f32), H(div_f64), H(div_mode_f64)},
    {FORM_RCP, H(rcp_f32), H(rcp_ftz_f32), H(div_mode_f32), H(rcp_f64), H(div_mode_f64)},
    {FORM_SQRT, H(sqrt_f32), H(sqrt_ftz_f32), H(sqrt_mode_f32), H(sqrt_f64), H(sqrt_mode_f64)},
    {FORM_RSQRT, H(rsqrt_f32), H(rsqrt_ftz_f32), NONE, H(rsqrt_f64), NONE},
    {FORM_ABS_FLOAT, H(abs_f32), H(abs_f32), NONE, H(abs_f64), NONE},
    {FORM_NEG_FLOAT, H(neg_f32), H(neg_f32), NONE, H(neg_f64), NONE},
    {FORM_MIN_FLOAT, H(min_f32), H(min_f32), NONE, H(min_f64), NONE},
    {FORM_MAX_FLOAT, H(max_f32), H(max_f32), NONE, H(max_f64), NONE},
    {FORM_COPYSIGN, H(copysign_f32), NONE, NONE, H(copysign_f64), NONE},
    {FORM_SIN, H(sin_f32), H(sin_f32), NONE, NONE, NONE},
    {FORM_COS, H(cos_f32), H(cos_f32), NONE, NONE, NONE},
    {FORM_LG2, H(lg2_f32), H(lg2_f32), NONE, NONE, NONE},
    {FORM_EX2, H(ex2_f32), H(ex2_f32), NONE, NONE, NONE},
    {FORM_TANH, H(tanh_f32), H(tanh_f32), NONE, NONE, NONE},
};

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

/* Flushes the sources of forms whose handlers do not; returns the new places. */
static uint32_t flushed(struct decoder *decoder, uint32_t source)
{
    uint32_t temporary = decode_temporary(decoder, CONSTANT_R);
    struct operation *operation = decode_emit(decoder, HANDLER_flush_f32);
    operation->d = temporary;
    operation->a = source;
    return temporary;
}

static uint32_t negated(struct decoder *decoder, uint32_t source, bool wide)
{
    uint32_t temporary = decode_temporary(decoder, wide ? CONSTANT_Q : CONSTANT_R);
    struct operation *operation = decode_emit(decoder, wide ? HANDLER_neg_f64 : HANDLER_neg_f32);
    operation->d = temporary;
    operation->a = source;
    return temporary;
}

static bool flushes_itself(enum ptx_form_id form)
{
    switch (form) {
    case FORM_ADD_FLOAT:
    case FORM_SUB_FLOAT:
    case FORM_MUL_FLOAT:
    case FORM_FMA:
    case FORM_MAD_FLOAT:
    case FORM_DIV_FLOAT:
    case FORM_RCP:
    case FORM_SQRT:
    case FORM_RSQRT: return true;
    default: return false;
    }
}

DECODER(floating)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    enum ptx_form_id form = opcode->form->id;
    enum ptx_type type = opcode->types[0];
    bool wide = type == PTX_F64, ftz = ptx_has(opcode, MOD_ftz);
    enum rounding rounding = decode_rounding(opcode);
    const struct float_row *row = float_rows;
    while (row->form != form)
        row++;
    enum handler handler = wide ? row->f64 : ftz ? row->ftz_f32 : row->f32;
    if (rounding != ROUND_NEAREST)
        handler = wide ? row->mode_f64 : row->mode_f32;
    if (form == FORM_RCP && wide && ptx_has(opcode, MOD_approx))
        handler = HANDLER_rcp_approx_f64;
    if (ptx_has(opcode, MOD_nan))
        handler = wide ? NONE : form == FORM_MIN_FLOAT ? HANDLER_min_nan_f32 : HANDLER_max_nan_f32;
    if (ptx_has(opcode, MOD_xorsign))
        handler = wide ? NONE : HANDLER_xorsign_f32;
    if (handler == NONE || ptx_has(opcode, MOD_xorsign) != ptx_has(opcode, MOD_abs_mod)) {
        decode_fail(decoder, "this form is not supported by the emulated driver");
        return;
    }
    uint32_t source[3] = {0};
    for (unsigned i = 1; i < instruction->operand_count; i++) {
        source[i - 1] = decode_source(decoder, &instruction->operands[i], type);
        if (ftz && !wide && !flushes_itself(form))
            source[i - 1] = flushed(decoder, source[i - 1]);
    }
    if (form == FORM_SUB_FLOAT && rounding != ROUND_NEAREST)
        source[1] = negated(decoder, source[1], wide);
    if (form == FORM_RCP && rounding != ROUND_NEAREST) {
        source[1] = source[0];
        source[0] = decode_constant(decoder, wide ? CONSTANT_Q : CONSTANT_R,
                                    wide ? UINT64_C(0x3FF0000000000000) : 0x3F800000);
    }
    struct operation *operation = decode_emit(decoder, handler);
    uint32_t d = operation->d = decode_destination(decoder, &instruction->operands[0], type);
    operation->a = source[0];
    operation->b = source[1];
    operation->c = source[2];
    operation->extra = (uint32_t)rounding | (ftz ? ROUNDING_FTZ : 0);
    if (handler == HANDLER_xorsign_f32)
        operation->extra = (form == FORM_MAX_FLOAT ? EXTREME_LARGER : 0) | (ptx_has(opcode, MOD_nan) ? EXTREME_NAN : 0);
    if (ptx_has(opcode, MOD_sat)) {
        operation = decode_emit(decoder, wide ? HANDLER_sat_f64 : HANDLER_sat_f32);
        operation->d = operation->a = d;
    } else if (ftz && !wide && !flushes_itself(form) && form != FORM_SIN && form != FORM_COS) {
        operation = decode_emit(decoder, HANDLER_flush_f32);
        operation->d = operation->a = d;
    }
}

/* ---- comparisons ---- */

struct comparison {
    enum handler handler;
    bool swap;
};

static struct comparison integer_comparison(const struct ptx_opcode *opcode, enum ptx_type type)
{
    static const enum handler lt[COLUMNS] = {H(lt_u16), H(lt_s16), H(lt_u32), H(lt_s32), H(lt_u64), H(lt_s64)};
    static const enum handler le[COLUMNS] = {H(le_u16), H(le_s16), H(le_u32), H(le_s32), H(le_u64), H(le_s64)};
    static const enum handler eq[COLUMNS] = {H(eq_u16), H(eq_u16), H(eq_u32), H(eq_u32), H(eq_u64), H(eq_u64)};
    static const enum handler ne[COLUMNS] = {H(ne_u16), H(ne_u16), H(ne_u32), H(ne_u32), H(ne_u64), H(ne_u64)};
    enum column column = column_of(type);
    if (ptx_has(opcode, MOD_eq))
        return (struct comparison){eq[column], false};
    if (ptx_has(opcode, MOD_ne))
        return (struct comparison){ne[column], false};
    if (ptx_has(opcode, MOD_lt) || ptx_has(opcode, MOD_lo))
        return (struct comparison){lt[column], false};
    if (ptx_has(opcode, MOD_le) || ptx_has(opcode, MOD_ls))
        return (struct comparison){le[column], false};
    if (ptx_has(opcode, MOD_gt) || ptx_has(opcode, MOD_hi))
        return (struct comparison){lt[column], true};
    if (ptx_has(opcode, MOD_ge) || ptx_has(opcode, MOD_hs))
        return (struct comparison){le[column], true};
    return (struct comparison){NONE, false};
}

static struct comparison float_comparison(const struct ptx_opcode *opcode, bool wide)
{
    static const struct {
        enum ptx_modifier modifier;
        enum handler f32, f64;
        bool swap;
    } rows[] = {
        {MOD_eq, H(eq_f32), H(eq_f64), false},    {MOD_ne, H(ne_f32), H(ne_f64), false},
        {MOD_lt, H(lt_f32), H(lt_f64), false},    {MOD_le, H(le_f32), H(le_f64), false},
        {MOD_gt, H(lt_f32), H(lt_f64), true},     {MOD_ge, H(le_f32), H(le_f64), true},
        {MOD_equ, H(equ_f32), H(equ_f64), false}, {MOD_neu, H(neu_f32), H(neu_f64), false},
        {MOD_ltu, H(ltu_f32), H(ltu_f64), false}, {MOD_leu, H(leu_f32), H(leu_f64), false},
        {MOD_gtu, H(ltu_f32), H(ltu_f64), true},  {MOD_geu, H(leu_f32), H(leu_f64), true},
        {MOD_num, H(num_f32), H(num_f64), false}, {MOD_isnan, H(nan_f32), H(nan_f64), false},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (ptx_has(opcode, rows[i].modifier))
            return (struct comparison){wide ? rows[i].f64 : rows[i].f32, rows[i].swap};
    return (struct comparison){NONE, false};
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
    return ftz && type == PTX_F32 ? flushed(decoder, source) : source;
}

/* Emits the comparison into predicate `d`. */
static void emit_comparison(struct decoder *decoder, const struct ptx_instruction *instruction, enum ptx_type type,
                            bool high, uint32_t d)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    bool is_float = ptx_type_kind(type) == KIND_FLOAT, wide = decode_is_wide(type), ftz = ptx_has(opcode, MOD_ftz);
    struct comparison comparison = is_float ? float_comparison(opcode, wide) : integer_comparison(opcode, type);
    if (comparison.handler == NONE) {
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
static void decode_lop3_predicate(struct decoder *decoder, const struct ptx_instruction *instruction)
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
    operation = decode_emit(decoder, H(ne_u32));
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
    const struct ptx_opcode *opcode = &instruction->opcode;
    enum ptx_type type = opcode->types[0];
    if (type == PTX_PRED) {
        decode_predicate_logic(decoder, instruction);
        return;
    }
    bool wide = decode_is_wide(type);
    switch (opcode->form->id) {
    case FORM_AND: decode_emit_same(decoder, instruction, wide ? H(and_b64) : H(and_b32), 0); break;
    case FORM_OR: decode_emit_same(decoder, instruction, wide ? H(or_b64) : H(or_b32), 0); break;
    case FORM_XOR: decode_emit_same(decoder, instruction, wide ? H(xor_b64) : H(xor_b32), 0); break;
    case FORM_NOT: decode_emit_same(decoder, instruction, wide ? H(not_b64) : H(not_b32), 0); break;
    case FORM_CNOT:
        decode_emit_same(decoder, instruction, wide ? H(cnot_b64) : type == PTX_B16 ? H(cnot_b16) : H(cnot_b32), 0);
        break;
    case FORM_LOP3_PREDICATE: decode_lop3_predicate(decoder, instruction); break;
    case FORM_LOP3:
        if (instruction->operands[4].kind != OPERAND_INTEGER)
            decode_fail(decoder, "the table must be a constant");
        decode_emit_sources(decoder, instruction, H(lop3_b32), type, (enum ptx_type[]){type, type, type},
                            (uint32_t)instruction->operands[4].bits);
        break;
    default: { /* prmt */
        uint32_t mode = ptx_has(opcode, MOD_f4e)    ? PERMUTE_F4E
                        : ptx_has(opcode, MOD_b4e)  ? PERMUTE_B4E
                        : ptx_has(opcode, MOD_rc8)  ? PERMUTE_RC8
                        : ptx_has(opcode, MOD_ecl)  ? PERMUTE_ECL
                        : ptx_has(opcode, MOD_ecr)  ? PERMUTE_ECR
                        : ptx_has(opcode, MOD_rc16) ? PERMUTE_RC16
                                                    : PERMUTE_INDEX;
        decode_emit_same(decoder, instruction, H(prmt_b32), mode);
    }
    }
}

DECODER(shift)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    enum ptx_type type = opcode->types[0];
    if (opcode->form->id == FORM_SHF) {
        bool left = ptx_has(opcode, MOD_l), wrap = ptx_has(opcode, MOD_wrap);
        decode_emit_same(decoder, instruction,
                         left   ? (wrap ? H(shf_l_wrap) : H(shf_l_clamp))
                         : wrap ? H(shf_r_wrap)
                                : H(shf_r_clamp),
                         0);
        return;
    }
    static const enum handler left[COLUMNS] = {H(shl_b16), NONE, H(shl_b32), NONE, H(shl_b64), NONE};
    static const enum handler right[COLUMNS] = {H(shr_u16), H(shr_s16), H(shr_u32), H(shr_s32), H(shr_u64), H(shr_s64)};
    enum handler handler = (opcode->form->id == FORM_SHL ? left : right)[column_of(type)];
    const struct ptx_operand *amount = &instruction->operands[2];
    bool constant = amount->kind == OPERAND_INTEGER && ptx_type_bytes(type) >= 4 && (uint32_t)amount->bits < UINT32_MAX;
    decode_emit_sources(decoder, instruction, handler, type, (enum ptx_type[]){type, PTX_U32, PTX_NONE},
                        constant ? (uint32_t)amount->bits + 1 : 0);
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
    if (from->kind == OPERAND_VARIABLE && from->variable->space == SPACE_LOCAL && wide) {
        decode_local_address(decoder, d, from);
    } else if (from->kind == OPERAND_SPECIAL) {
        if (ptx_type_kind(type) == KIND_FLOAT || (ptx_special_bytes((enum ptx_special)from->special) == 8) != wide)
            decode_fail(decoder, "%s does not fit in a .%s", ptx_special_name((enum ptx_special)from->special),
                        ptx_type_name(type));
        struct operation *operation = decode_emit(decoder, wide ? HANDLER_special_b64 : HANDLER_special_b32);
        operation->d = d;
        operation->extra = (uint32_t)from->special;
    } else {
        enum handler handler = wide ? H(mov_b64) : ptx_type_bytes(type) == 2 ? H(mov_b16) : H(mov_b32);
        decode_emit_unary(decoder, handler, d, decode_source(decoder, from, type));
    }
}

/* ---- addresses ---- */

DECODER(address)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    const struct ptx_operand *to = &instruction->operands[0], *from = &instruction->operands[1];
    bool shared = ptx_has(opcode, MOD_shared) || ptx_has(opcode, MOD_shared_cta) || ptx_has(opcode, MOD_shared_cluster);
    bool local = ptx_has(opcode, MOD_local);
    if (opcode->form->id == FORM_ISSPACEP) {
        uint32_t address = decode_source(decoder, from, PTX_U64);
        struct operation *operation = decode_emit(decoder, HANDLER_isspacep);
        operation->a = address;
        operation->d = decode_predicate(decoder, to);
        operation->extra = shared                             ? TEST_SHARED
                           : local                            ? TEST_LOCAL
                           : ptx_has(opcode, MOD_const_space) ? TEST_CONST
                           : ptx_has(opcode, MOD_global)      ? TEST_GLOBAL
                                                              : TEST_PARAM;
        return;
    }
    if (opcode->types[0] == PTX_U32) {
        decode_fail(decoder, "32-bit addresses are not supported");
        return;
    }
    bool narrow = decode_register_type(decoder, from) != PTX_NONE && !decode_is_wide(decode_register_type(decoder, from));
    uint32_t d = decode_destination(decoder, to, PTX_U64);
    uint32_t source;
    if (from->kind == OPERAND_VARIABLE && from->variable->space == SPACE_LOCAL) {
        source = decode_temporary(decoder, CONSTANT_Q);
        decode_local_address(decoder, source, from);
    } else {
        source = decode_source(decoder, from, narrow ? PTX_U32 : PTX_U64);
    }
    if (!shared && !local) { /* global, const and param addresses are already generic */
        decode_emit_unary(decoder, narrow ? H(cvt_u64_u32) : H(mov_b64), d, source);
        return;
    }
    struct operation *operation = decode_emit(decoder, HANDLER_cvta_window);
    operation->d = d;
    operation->a = source;
    operation->b = narrow;
    operation->extra = ptx_has(opcode, MOD_to);
    operation->immediate = shared ? SHARED_WINDOW : LOCAL_WINDOW;
}
