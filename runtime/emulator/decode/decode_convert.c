/* Decoding cvt. Common conversions have vector code; the rest use convert_value of rounding.c. */
#include "runtime/emulator/decode/decode.h"

#define NONE    HANDLER_COUNT
#define H(name) HANDLER_##name

static bool rounds_to_integral(const struct ptx_opcode *opcode)
{
    return ptx_has(opcode, MOD_rni) || ptx_has(opcode, MOD_rzi) || ptx_has(opcode, MOD_rmi) || ptx_has(opcode, MOD_rpi);
}

/* Any modifier that changes the value other than by the rounding mode. */
static bool is_modified(const struct ptx_opcode *opcode)
{
    return ptx_has(opcode, MOD_sat) || ptx_has(opcode, MOD_ftz) || ptx_has(opcode, MOD_relu)
           || ptx_has(opcode, MOD_satfinite);
}

static enum handler fast_conversion(const struct ptx_opcode *opcode)
{
    enum ptx_type to = opcode->types[0], from = opcode->types[1];
    if (is_modified(opcode))
        return NONE;
    if (to == PTX_S32 && from == PTX_F32 && ptx_has(opcode, MOD_rzi))
        return H(cvt_rzi_s32_f32);
    if (to == PTX_U32 && from == PTX_F32 && ptx_has(opcode, MOD_rzi))
        return H(cvt_rzi_u32_f32);
    if (to == PTX_F32 && from == PTX_F32 && rounds_to_integral(opcode))
        return ptx_has(opcode, MOD_rni)   ? H(cvt_rni_f32_f32)
               : ptx_has(opcode, MOD_rzi) ? H(cvt_rzi_f32_f32)
               : ptx_has(opcode, MOD_rmi) ? H(cvt_rmi_f32_f32)
                                          : H(cvt_rpi_f32_f32);
    if (to == PTX_TF32 && from == PTX_F32 && decode_rounding(opcode) == ROUND_AWAY)
        return H(cvt_rna_tf32_f32);
    if (decode_rounding(opcode) != ROUND_NEAREST || ptx_has(opcode, MOD_rni))
        return NONE;
    return pick_conversion(to, from);
}

/* cvt may read from and write to registers wider than the types: the destination is then extended. */
static enum ptx_type place_type(const struct decoder *decoder, const struct ptx_operand *operand, enum ptx_type type)
{
    enum ptx_type declared = decode_register_type(decoder, operand);
    bool alike = ptx_type_kind(declared) == KIND_BITS
                 || (ptx_type_kind(declared) != KIND_FLOAT && ptx_type_kind(type) != KIND_FLOAT);
    return declared != PTX_NONE && alike && ptx_type_bytes(declared) > ptx_type_bytes(type) ? declared : type;
}

/* Emits the conversion that the modifiers describe, from one type to the other. wide: in q. */
static void emit_conversion(struct decoder *decoder, const struct ptx_opcode *opcode, enum ptx_type to, bool to_wide,
                            uint32_t d, enum ptx_type from, bool from_wide, uint32_t source)
{
    struct conversion conversion = {.to = to,
                                    .from = from,
                                    .rounding = decode_rounding(opcode),
                                    .to_integral = rounds_to_integral(opcode),
                                    .ftz = ptx_has(opcode, MOD_ftz),
                                    .saturate = ptx_has(opcode, MOD_sat),
                                    .relu = ptx_has(opcode, MOD_relu),
                                    .saturate_finite = ptx_has(opcode, MOD_satfinite)};
    struct operation *operation = decode_emit(decoder, HANDLER_convert);
    operation->d = d;
    operation->a = source;
    operation->b = from_wide;
    operation->c = to_wide;
    operation->extra = convert_pack(&conversion);
}

/* Of an integer of 8 or 16 bits: the type that it is widened to before it becomes a float; else PTX_NONE. */
static enum ptx_type wider_type(const struct ptx_opcode *opcode)
{
    enum ptx_type to = opcode->types[0], from = opcode->types[1];
    if ((to != PTX_F32 && to != PTX_F64) || ptx_type_kind(from) == KIND_FLOAT || ptx_type_bytes(from) > 2
        || is_modified(opcode)) /* how it is rounded does not matter: it is exact */
        return PTX_NONE;
    return ptx_type_kind(from) == KIND_SIGNED ? PTX_S32 : PTX_U32;
}

/* Integers from floats, and floats from numbers that they may not hold, must say how to round (9.7.9.21). */
static bool rounds_wrongly(const struct ptx_opcode *opcode)
{
    enum ptx_type to = opcode->types[0], from = opcode->types[1];
    bool to_float = ptx_type_kind(to) == KIND_FLOAT, from_float = ptx_type_kind(from) == KIND_FLOAT;
    bool whole = ptx_has(opcode, MOD_rni) || ptx_has(opcode, MOD_rzi) || ptx_has(opcode, MOD_rmi)
                 || ptx_has(opcode, MOD_rpi);
    bool any = whole || ptx_has(opcode, MOD_rn) || ptx_has(opcode, MOD_rz) || ptx_has(opcode, MOD_rm)
               || ptx_has(opcode, MOD_rp);
    if (to_float != from_float)
        return !any || whole != from_float;
    return to_float && ptx_type_bytes(to) < ptx_type_bytes(from) && !any;
}

DECODER(convert)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    if (rounds_wrongly(opcode)) {
        decode_fail(decoder, "this conversion needs a rounding modifier: .rn, .rz, .rm or .rp for a float, "
                             ".rni, .rzi, .rmi or .rpi for an integer");
        return;
    }
    const struct ptx_operand *to = &instruction->operands[0], *from = &instruction->operands[1];
    enum ptx_type to_type = place_type(decoder, to, opcode->types[0]),
                  from_type = place_type(decoder, from, opcode->types[1]);
    enum handler handler = fast_conversion(opcode);
    bool same_places = decode_is_wide(to_type) == decode_is_wide(opcode->types[0])
                       && decode_is_wide(from_type) == decode_is_wide(opcode->types[1]);
    uint32_t source = decode_source(decoder, from, from_type), d = decode_destination(decoder, to, to_type);
    if (handler != NONE && same_places) {
        decode_emit_unary(decoder, handler, d, source);
        return;
    }
    enum ptx_type wider = wider_type(opcode);
    if (wider != PTX_NONE) {
        uint32_t whole = decode_temporary(decoder, CONSTANT_R);
        emit_conversion(decoder, opcode, wider, false, whole, opcode->types[1], decode_is_wide(from_type), source);
        decode_emit_unary(decoder, pick_conversion(opcode->types[0], wider), d, whole);
        return;
    }
    emit_conversion(decoder, opcode, opcode->types[0], decode_is_wide(to_type), d, opcode->types[1],
                    decode_is_wide(from_type), source);
}

/* ---- pairs: two conversions, packed (9.7.9.21) ---- */

/* The type of one element of a pair, and how a pair of them is split and joined. */
struct pair {
    enum ptx_type element;
    enum handler low, high, pack;
};

static struct pair pair_of(enum ptx_type type)
{
    enum ptx_type element = type == PTX_F16X2    ? PTX_F16
                            : type == PTX_BF16X2 ? PTX_BF16
                            : type == PTX_E4M3X2 ? PTX_E4M3
                                                 : PTX_E5M2;
    if (ptx_type_bytes(type) == 4)
        return (struct pair){element, H(unpack_lo_b32), H(unpack_hi_b32), H(pack_b32_b16)};
    return (struct pair){element, H(unpack_lo_b16), H(unpack_hi_b16), H(pack_b16_b8)};
}

/* d, a, b: a goes to the upper element, b to the lower one. d, a: element by element. */
DECODER(convert_pair)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    enum ptx_type to = opcode->types[0], from = opcode->types[1];
    if (from == PTX_F32 && !is_modified(opcode) && ptx_has(opcode, MOD_rn)) {
        decode_emit_sources(decoder, instruction, to == PTX_F16X2 ? H(cvt_f16x2_f32) : H(cvt_bf16x2_f32), to,
                            (enum ptx_type[]){from, from, PTX_NONE}, 0);
        return;
    }
    struct pair pair = pair_of(to);
    uint32_t result[2];
    for (unsigned high = 0; high < 2; high++) {
        enum ptx_type element = from;
        uint32_t source;
        if (from == PTX_F32) {
            source = decode_source(decoder, &instruction->operands[high ? 1 : 2], from);
        } else {
            struct pair sources = pair_of(from);
            element = sources.element;
            source = decode_temporary(decoder, CONSTANT_R);
            decode_emit_unary(decoder, high ? sources.high : sources.low, source,
                              decode_source(decoder, &instruction->operands[1], from));
        }
        result[high] = decode_temporary(decoder, CONSTANT_R);
        emit_conversion(decoder, opcode, pair.element, false, result[high], element, false, source);
    }
    struct operation *operation = decode_emit(decoder, pair.pack);
    operation->d = decode_destination(decoder, &instruction->operands[0], to);
    operation->a = result[0];
    operation->b = result[1];
}
