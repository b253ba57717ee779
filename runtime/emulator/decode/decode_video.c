/* Decoding the video instructions: types, parts and modes become the flags of video.h. */
#include "runtime/emulator/decode/decode.h"

#include <string.h>

#include "runtime/emulator/arithmetic/video.h"

static enum video_operation operation_of(const struct ptx_opcode *opcode)
{
    switch (opcode->form->id) {
    case FORM_VADD:
    case FORM_VADD2:
    case FORM_VADD4: return VIDEO_ADD;
    case FORM_VSUB:
    case FORM_VSUB2:
    case FORM_VSUB4: return VIDEO_SUB;
    case FORM_VABSDIFF:
    case FORM_VABSDIFF2:
    case FORM_VABSDIFF4: return VIDEO_ABSDIFF;
    case FORM_VAVRG2:
    case FORM_VAVRG4: return VIDEO_AVERAGE;
    case FORM_VMIN:
    case FORM_VMIN2:
    case FORM_VMIN4: return VIDEO_MIN;
    case FORM_VMAX:
    case FORM_VMAX2:
    case FORM_VMAX4: return VIDEO_MAX;
    case FORM_VSHL: return VIDEO_SHIFT_LEFT;
    case FORM_VSHR: return VIDEO_SHIFT_RIGHT;
    case FORM_VMAD: return VIDEO_MULTIPLY_ADD;
    default: break;
    }
    return ptx_has(opcode, MOD_eq)   ? VIDEO_EQ
           : ptx_has(opcode, MOD_ne) ? VIDEO_NE
           : ptx_has(opcode, MOD_lt) ? VIDEO_LT
           : ptx_has(opcode, MOD_le) ? VIDEO_LE
           : ptx_has(opcode, MOD_gt) ? VIDEO_GT
                                     : VIDEO_GE;
}

/* vset and vset2, vset4 have two types, those of a and b; the others begin with that of d. The second operation of vset
 * depends on the sign of a (measured on an H200). */
static uint32_t types_of(const struct ptx_opcode *opcode)
{
    unsigned first = opcode->type_count == 3;
    return (opcode->types[0] == PTX_S32 ? VIDEO_D_SIGNED : 0) | (opcode->types[first] == PTX_S32 ? VIDEO_A_SIGNED : 0)
           | (opcode->types[first + 1] == PTX_S32 ? VIDEO_B_SIGNED : 0);
}

static uint32_t part_of_selector(struct decoder *decoder, const struct ptx_operand *operand)
{
    static const char *const names[] = {
        [VIDEO_B0] = "b0", [VIDEO_B1] = "b1", [VIDEO_B2] = "b2", [VIDEO_B3] = "b3", [VIDEO_H0] = "h0", [VIDEO_H1] = "h1"};
    if (!operand->selector)
        return VIDEO_ALL;
    for (uint32_t part = VIDEO_B0; part <= VIDEO_H1; part++)
        if (strcmp(names[part], operand->selector) == 0)
            return part;
    decode_fail(decoder, "'.%s' is not a part of a register here", operand->selector);
    return VIDEO_ALL;
}

static void emit(struct decoder *decoder, const struct ptx_instruction *instruction, enum handler handler, uint32_t flags,
                 uint32_t selectors)
{
    const struct ptx_operand *operands = instruction->operands;
    uint32_t a = decode_source(decoder, &operands[1], PTX_U32), b = decode_source(decoder, &operands[2], PTX_U32);
    uint32_t c = instruction->operand_count > 3 ? decode_source(decoder, &operands[3], PTX_U32)
                                                : decode_constant(decoder, CONSTANT_R, 0);
    struct operation *operation = decode_emit(decoder, handler);
    operation->d = decode_destination(decoder, &operands[0], PTX_U32);
    operation->a = a;
    operation->b = b;
    operation->c = c;
    operation->extra = flags;
    operation->immediate = selectors;
}

DECODER(video)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    const struct ptx_operand *operands = instruction->operands;
    bool multiply = opcode->form->id == FORM_VMAD, has_c = instruction->operand_count > 3;
    uint32_t second = ptx_has(opcode, MOD_add)   ? VIDEO_SECOND_ADD
                      : ptx_has(opcode, MOD_min) ? VIDEO_SECOND_MIN
                      : ptx_has(opcode, MOD_max) ? VIDEO_SECOND_MAX
                                                 : VIDEO_NO_SECOND;
    uint32_t merge = part_of_selector(decoder, &operands[0]);
    uint32_t flags = (uint32_t)operation_of(opcode) | types_of(opcode) | second << VIDEO_SECOND | merge << VIDEO_D_PART
                     | part_of_selector(decoder, &operands[1]) << VIDEO_A_PART
                     | part_of_selector(decoder, &operands[2]) << VIDEO_B_PART;
    flags |= ptx_has(opcode, MOD_sat) ? VIDEO_SATURATE : 0;
    flags |= ptx_has(opcode, MOD_wrap) ? VIDEO_WRAP : 0;
    flags |= ptx_has(opcode, MOD_shr7) ? VIDEO_SHIFT7 : ptx_has(opcode, MOD_shr15) ? VIDEO_SHIFT15 : 0;
    flags |= ptx_has(opcode, MOD_po) ? VIDEO_PLUS_ONE : 0;
    bool minus_product = operands[1].minus != operands[2].minus, minus_c = has_c && operands[3].minus;
    flags |= minus_product ? VIDEO_NEGATE_PRODUCT : minus_c ? VIDEO_NEGATE_C : 0;
    if (!multiply && has_c != (second || merge))
        decode_fail(decoder, "a third source belongs to a second operation or to a part of the destination");
    if (!multiply && second && merge)
        decode_fail(decoder, "a second operation and a part of the destination exclude each other");
    bool minus = operands[1].minus || operands[2].minus || minus_c;
    if (multiply ? merge != VIDEO_ALL : minus)
        decode_fail(decoder, "only vmad takes a minus sign, and only the others a part of the destination");
    if (multiply && ((minus_product && minus_c) || (ptx_has(opcode, MOD_po) && minus)))
        decode_fail(decoder, "only the product or the sum may be negated, and neither with .po");
    if (has_c && operands[3].selector)
        decode_fail(decoder, "the third source must be a whole register");
    emit(decoder, instruction, HANDLER_video_scalar, flags, 0);
}

/* "h10", "b7654": one digit per part, the highest part first. Returns four bits per part; `parts` default to `otherwise`. */
static uint32_t parts_of_selector(struct decoder *decoder, const struct ptx_operand *operand, unsigned count,
                                  uint32_t otherwise)
{
    const char *text = operand->selector;
    uint32_t selectors = 0;
    if (!text)
        return otherwise;
    bool good = *text == (count == 4 ? 'b' : 'h') && strlen(text) == count + 1;
    for (unsigned i = 1; good && i <= count; i++) {
        good = text[i] >= '0' && text[i] < (char)('0' + 2 * count);
        selectors = selectors << 4 | (uint32_t)(text[i] - '0');
    }
    if (!good)
        decode_fail(decoder, "'.%s' does not name %u parts of two registers", text, count);
    return selectors;
}

/* ".h1", ".b320": the parts of d that are written. */
static uint32_t mask_of_selector(struct decoder *decoder, const struct ptx_operand *operand, unsigned count)
{
    const char *text = operand->selector;
    uint32_t mask = 0;
    if (!text)
        return (1u << count) - 1;
    bool good = *text == (count == 4 ? 'b' : 'h') && text[1];
    for (const char *digit = text + 1; good && *digit; digit++) {
        uint32_t bit = *digit >= '0' && *digit < (char)('0' + count) ? 1u << (*digit - '0') : 0;
        good = bit && (!mask || bit < (mask & (0u - mask))); /* falling, each once */
        mask |= bit;
    }
    if (!good)
        decode_fail(decoder, "'.%s' is not a mask of %u parts", text, count);
    return mask;
}

DECODER(video_simd)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    const struct ptx_operand *operands = instruction->operands;
    bool bytes = opcode->form->root[strlen(opcode->form->root) - 1] == '4';
    unsigned count = bytes ? 4 : 2;
    uint32_t a = parts_of_selector(decoder, &operands[1], count, bytes ? 0x3210 : 0x10);
    uint32_t b = parts_of_selector(decoder, &operands[2], count, bytes ? 0x7654 : 0x32);
    uint32_t flags = (uint32_t)operation_of(opcode) | types_of(opcode) | (bytes ? VIDEO_BYTES : 0)
                     | mask_of_selector(decoder, &operands[0], count) << VIDEO_MASK;
    flags |= ptx_has(opcode, MOD_sat) ? VIDEO_SATURATE : 0;
    flags |= ptx_has(opcode, MOD_add) ? VIDEO_ACCUMULATE : 0;
    if (operands[1].minus || operands[2].minus)
        decode_fail(decoder, "only vmad takes a minus sign");
    if (ptx_has(opcode, MOD_sat) && ptx_has(opcode, MOD_add))
        decode_fail(decoder, ".sat and .add exclude each other");
    emit(decoder, instruction, HANDLER_video_simd, flags, a | b << 16);
}
