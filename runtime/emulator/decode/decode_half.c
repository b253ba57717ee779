/* Decoding arithmetic on halves (PTX ISA 9.7.4): f16, bf16 and pairs of them. */
#include "runtime/emulator/decode/decode.h"

#include "runtime/emulator/arithmetic/half_math.h"

#define NONE    HANDLER_COUNT
#define H(name) HANDLER_##name

enum half_column { COLUMN_F16, COLUMN_F16X2, COLUMN_BF16, COLUMN_BF16X2, HALF_COLUMNS };

bool decode_is_half(enum ptx_type type)
{
    return type == PTX_F16 || type == PTX_F16X2 || type == PTX_BF16 || type == PTX_BF16X2;
}

bool decode_is_pair(enum ptx_type type)
{
    return type == PTX_F16X2 || type == PTX_BF16X2;
}

uint32_t decode_widened_half(struct decoder *decoder, uint32_t source, enum ptx_type type, bool ftz, bool high)
{
    bool is_f16 = type == PTX_F16 || type == PTX_F16X2;
    uint32_t temporary = decode_temporary(decoder, CONSTANT_R);
    if (ftz && is_f16) {
        decode_emit_unary(decoder, H(flush_f16x2), temporary, source);
        source = temporary;
    }
    if (high) {
        decode_emit_unary(decoder, H(unpack_hi_b32), temporary, source);
        source = temporary;
    }
    decode_emit_unary(decoder, is_f16 ? H(cvt_f32_f16) : H(cvt_f32_bf16), temporary, source);
    return temporary;
}

struct half_row {
    enum ptx_form_id form;
    enum handler plain[HALF_COLUMNS];    /* without modifiers */
    enum handler modified[HALF_COLUMNS]; /* modifiers in operation->extra: enum half_flags */
};

#define ROW(form, name)                                                                          \
    {                                                                                            \
        FORM_##form, {H(name##_f16), H(name##_f16x2), H(name##_bf16), H(name##_bf16x2)},         \
        {                                                                                        \
            H(name##_mode_f16), H(name##_mode_f16x2), H(name##_mode_bf16), H(name##_mode_bf16x2) \
        }                                                                                        \
    }
#define ROW_F16_MODES(form, name)                                                        \
    {                                                                                    \
        FORM_##form, {H(name##_f16), H(name##_f16x2), H(name##_bf16), H(name##_bf16x2)}, \
        {                                                                                \
            H(name##_mode_f16), H(name##_mode_f16x2), NONE, NONE                         \
        }                                                                                \
    }

static const struct half_row rows[] = {
    ROW_F16_MODES(ADD_HALF, add),
    ROW_F16_MODES(SUB_HALF, sub),
    ROW_F16_MODES(MUL_HALF, mul),
    ROW(FMA_HALF, fma),
    ROW(MIN_HALF, min),
    ROW(MAX_HALF, max),
    {FORM_EX2_HALF, {H(ex2_f16), H(ex2_f16x2), NONE, NONE}, {NONE, NONE, H(ex2_ftz_bf16), H(ex2_ftz_bf16x2)}},
    {FORM_TANH_HALF, {H(tanh_f16), H(tanh_f16x2), H(tanh_bf16), H(tanh_bf16x2)}, {NONE, NONE, NONE, NONE}},
};

static enum half_column column_of(enum ptx_type type)
{
    switch (type) {
    case PTX_F16: return COLUMN_F16;
    case PTX_F16X2: return COLUMN_F16X2;
    case PTX_BF16: return COLUMN_BF16;
    default: return COLUMN_BF16X2;
    }
}

static uint32_t flags_of(const struct ptx_opcode *opcode)
{
    return (ptx_has(opcode, MOD_ftz) ? HALF_FTZ : 0) | (ptx_has(opcode, MOD_sat) ? HALF_SAT : 0)
           | (ptx_has(opcode, MOD_relu) ? HALF_RELU : 0) | (ptx_has(opcode, MOD_nan) ? HALF_NAN : 0)
           | (ptx_has(opcode, MOD_xorsign) ? HALF_XORSIGN : 0);
}

static void decode_sign(struct decoder *decoder, const struct ptx_instruction *instruction)
{
    static const enum handler absolute[HALF_COLUMNS] = {H(abs_f16), H(abs_f16x2), H(abs_bf16), H(abs_bf16x2)};
    static const enum handler negative[HALF_COLUMNS] = {H(neg_f16), H(neg_f16x2), H(neg_bf16), H(neg_bf16x2)};
    const struct ptx_opcode *opcode = &instruction->opcode;
    enum ptx_type type = opcode->types[0];
    uint32_t source = decode_source(decoder, &instruction->operands[1], type);
    if (ptx_has(opcode, MOD_ftz)) {
        uint32_t temporary = decode_temporary(decoder, CONSTANT_R);
        decode_emit_unary(decoder, H(flush_f16x2), temporary, source);
        source = temporary;
    }
    decode_emit_unary(decoder, (opcode->form->id == FORM_ABS_HALF ? absolute : negative)[column_of(type)],
                      decode_destination(decoder, &instruction->operands[0], type), source);
}

DECODER(half)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    enum ptx_type type = opcode->types[0];
    if (opcode->form->id == FORM_ABS_HALF || opcode->form->id == FORM_NEG_HALF) {
        decode_sign(decoder, instruction);
        return;
    }
    const struct half_row *row = rows;
    while (row->form != opcode->form->id)
        row++;
    uint32_t flags = flags_of(opcode);
    enum handler handler = (flags ? row->modified : row->plain)[column_of(type)];
    if (handler == NONE || ptx_has(opcode, MOD_xorsign) != ptx_has(opcode, MOD_abs_mod)) {
        decode_fail(decoder, "these modifiers are not defined for .%s", ptx_type_name(type));
        return;
    }
    decode_emit_sources(decoder, instruction, handler, type, (enum ptx_type[]){type, type, type}, flags);
}
