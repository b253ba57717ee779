/* Decoding arithmetic on halves (PTX ISA 9.7.4): f16, bf16 and pairs of them. */
#include "runtime/emulator/decode/decode.h"

#include "runtime/emulator/arithmetic/half_math.h"

#define H(name) HANDLER_##name

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

uint32_t decode_half_flags(const struct ptx_opcode *opcode)
{
    return (ptx_has(opcode, MOD_ftz) ? HALF_FTZ : 0) | (ptx_has(opcode, MOD_sat) ? HALF_SAT : 0)
           | (ptx_has(opcode, MOD_relu) ? HALF_RELU : 0) | (ptx_has(opcode, MOD_nan) ? HALF_NAN : 0)
           | (ptx_has(opcode, MOD_xorsign) ? HALF_XORSIGN : 0);
}
