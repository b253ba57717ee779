/* Decoding arithmetic on parts of registers: pairs of 16-bit integers, fields of bits, classes of floats. */
#include "runtime/emulator/decode/decode.h"

#include "runtime/emulator/arithmetic/packed_math.h"

DECODER(field)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    decode_lanes_with(decoder, instruction,
                      (opcode->types[0] == PTX_S32 ? FIELD_SIGNED : 0) | (ptx_has(opcode, MOD_clamp) ? FIELD_CLAMP : 0));
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
    struct operation *operation = decode_emit(decoder, (enum handler)decoder->picks[decoder->index].handler);
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

DECODER(differences)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    if (ptx_has(opcode, MOD_sat) && ptx_has(opcode, MOD_add))
        decode_fail(decoder, ".sat and .add exclude each other");
    decode_lanes_with(
        decoder, instruction,
        (opcode->types[0] == PTX_S32 ? DIFFERENCE_D_SIGNED : 0) | (opcode->types[1] == PTX_S32 ? DIFFERENCE_A_SIGNED : 0)
            | (opcode->types[2] == PTX_S32 ? DIFFERENCE_B_SIGNED : 0) | (ptx_has(opcode, MOD_sat) ? DIFFERENCE_SATURATE : 0)
            | (ptx_has(opcode, MOD_add) ? DIFFERENCE_SUM : 0));
}
