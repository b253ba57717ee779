/* Decoding arithmetic on parts of registers: pairs of 16-bit integers, fields of bits, classes of floats. */
#include "runtime/emulator/decode/decode.h"

#include "runtime/emulator/arithmetic/packed_math.h"

static enum handler packed_handler(enum ptx_form_id form, enum ptx_type type, bool relu)
{
    bool pair = type == PTX_S16X2;
    switch (form) {
    case FORM_ADD_PAIR: return HANDLER_add_u16x2;
    case FORM_MIN_PAIR: return HANDLER_min_u16x2;
    case FORM_MAX_PAIR: return HANDLER_max_u16x2;
    case FORM_MIN_RELU: return pair ? HANDLER_min_s16x2 : relu ? HANDLER_min_relu_s32 : HANDLER_min_s32;
    case FORM_MAX_RELU: return pair ? HANDLER_max_s16x2 : relu ? HANDLER_max_relu_s32 : HANDLER_max_s32;
    case FORM_FNS: return HANDLER_fns_b32;
    case FORM_SZEXT: return HANDLER_szext_b32;
    default: return HANDLER_bmsk_b32;
    }
}

DECODER(packed)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    enum ptx_form_id form = opcode->form->id;
    bool relu = ptx_has(opcode, MOD_relu);
    uint32_t extra = relu;
    if (form == FORM_SZEXT || form == FORM_BMSK)
        extra = (opcode->types[0] == PTX_S32 ? FIELD_SIGNED : 0) | (ptx_has(opcode, MOD_clamp) ? FIELD_CLAMP : 0);
    decode_emit_same(decoder, instruction, packed_handler(form, opcode->types[0], relu), extra);
}

DECODER(test_float)
{
    static const enum ptx_modifier classes[] = {
        [CLASS_FINITE] = MOD_finite, [CLASS_INFINITE] = MOD_infinite,   [CLASS_NUMBER] = MOD_number,
        [CLASS_NORMAL] = MOD_normal, [CLASS_SUBNORMAL] = MOD_subnormal, [CLASS_NOT_A_NUMBER] = MOD_notanumber};
    enum ptx_type type = instruction->opcode.types[0];
    uint32_t class = 0;
    while (!ptx_has(&instruction->opcode, classes[class])) /* the table guarantees that it has one */
        class ++;
    uint32_t a = decode_source(decoder, &instruction->operands[1], type);
    struct operation *operation = decode_emit(decoder, type == PTX_F64 ? HANDLER_class_f64 : HANDLER_class_f32);
    operation->a = operation->b = a;
    operation->d = decode_predicate(decoder, &instruction->operands[0]);
    operation->extra = class;
}

/* cvt.pack.sat. extra: bits of a part, and 32 when it is signed. */
DECODER(convert_pack)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    bool four = opcode->form->id == FORM_CVT_PACK4;
    uint32_t width = !four                                                ? 8 * ptx_type_bytes(opcode->types[0])
                     : ptx_has(opcode, MOD_u2) || ptx_has(opcode, MOD_s2) ? 2
                                                                          : 4;
    bool is_signed = four ? ptx_has(opcode, MOD_s2) || ptx_has(opcode, MOD_s4)
                          : ptx_type_kind(opcode->types[0]) == KIND_SIGNED;
    decode_emit_sources(decoder, instruction, HANDLER_cvt_pack, PTX_B32, (enum ptx_type[]){PTX_S32, PTX_S32, PTX_B32},
                        width | (is_signed ? 32 : 0));
}
