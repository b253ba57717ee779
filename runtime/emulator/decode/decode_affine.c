/* Which registers of a kernel may be affine (affine.h): those that only affine operations define, from operands that are
 * constants, parameters, %tid and similar, or such registers again. Found by assuming it of all and ruling out. */
#include "runtime/emulator/decode/decode.h"

#include <string.h>

#include "runtime/emulator/machine/affine.h"
#include "runtime/emulator/machine/roles.h"
#include "runtime/emulator/machine/warp.h"

static enum ptx_type register_type(const struct decoder *decoder, int index)
{
    return decoder->function->registers[index].type;
}

static int root_of(const struct decoder *decoder, int index)
{
    while (decoder->copy_of[index] >= 0)
        index = decoder->copy_of[index];
    return index;
}

/* Does this type have the width of an affine register? */
static bool has_width(enum ptx_type type)
{
    return type != PTX_PRED && (ptx_type_bytes(type) == 4 || ptx_type_bytes(type) == 8);
}

static bool is_local_variable(const struct ptx_operand *operand)
{
    return operand->kind == OPERAND_VARIABLE && operand->variable->space == SPACE_LOCAL;
}

static bool is_affine_move(const struct ptx_instruction *instruction)
{
    const struct ptx_operand *from = &instruction->operands[1];
    if (from->kind == OPERAND_SPECIAL)
        return ptx_type_bytes(instruction->opcode.types[0]) == 4
               && ptx_special_kind((enum ptx_special)from->special) == SPECIAL_BLOCK;
    return from->kind != OPERAND_VECTOR && instruction->operands[0].kind != OPERAND_VECTOR && !is_local_variable(from);
}

/* Conversions between 32 and 64 bits, with registers of just these widths. */
static bool is_affine_conversion(const struct decoder *decoder, const struct ptx_instruction *instruction)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    for (unsigned i = 0; i < 2; i++) {
        const struct ptx_operand *operand = &instruction->operands[i];
        enum ptx_kind kind = ptx_type_kind(opcode->types[i]);
        if (operand->kind != OPERAND_REGISTER || (kind != KIND_SIGNED && kind != KIND_UNSIGNED)
            || ptx_type_bytes(register_type(decoder, operand->index)) != ptx_type_bytes(opcode->types[i]))
            return false;
    }
    unsigned to = ptx_type_bytes(opcode->types[0]), from = ptx_type_bytes(opcode->types[1]);
    return !ptx_has(opcode, MOD_sat) && ((to == 8 && from == 4) || (to == 4 && from == 8));
}

/* cvta of a whole address: those of other spaces may be lower halves (decode_widened). */
static bool is_affine_cvta(const struct ptx_instruction *instruction)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    return opcode->types[0] == PTX_U64 && !is_local_variable(&instruction->operands[1])
           && (ptx_has(opcode, MOD_global) || ptx_has(opcode, MOD_shared) || ptx_has(opcode, MOD_shared_cta)
               || ptx_has(opcode, MOD_shared_cluster));
}

/* The rule by which the result follows from affine operands; AFFINE_none where the decoder makes other operations too. */
static enum affine_rule rule_of(const struct decoder *decoder, const struct ptx_instruction *instruction)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    enum ptx_type type = opcode->types[0];
    const struct pick *pick = &decoder->picks[instruction - decoder->function->instructions];
    if (!opcode->type_count || !has_width(type))
        return AFFINE_none;
    if (opcode->form->id == FORM_CVT)
        return opcode->type_count == 2 && is_affine_conversion(decoder, instruction) ? AFFINE_widen : AFFINE_none;
    if (opcode->form->id == FORM_CVTA)
        return is_affine_cvta(instruction) ? AFFINE_copy : AFFINE_none;
    if (pick->handler == HANDLER_COUNT || (opcode->form->id == FORM_MOV && !is_affine_move(instruction)))
        return AFFINE_none;
    return (enum affine_rule)operation_affine_rules[pick->handler];
}

/* Comparisons read affine registers, and write none. */
static bool is_affine_comparison(const struct ptx_instruction *instruction)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    return opcode->form->id == FORM_SETP && has_width(opcode->types[0]) && ptx_type_kind(opcode->types[0]) != KIND_FLOAT;
}

/* How much is known about a source: 0 nothing, 1 affine, 2 the same in all lanes. */
static int degree_of(const struct decoder *decoder, const struct ptx_operand *operand)
{
    switch (operand->kind) {
    case OPERAND_REGISTER:
        switch (operand->second < 0 ? decoder->affine[root_of(decoder, operand->index)] : NOT_AFFINE) {
        case MAYBE_AFFINE:
        case ALWAYS_AFFINE: return 1;
        case MAYBE_UNIFORM:
        case ALWAYS_UNIFORM: return 2;
        default: return 0;
        }
    case OPERAND_INTEGER:
    case OPERAND_F32:
    case OPERAND_F64:
    case OPERAND_VARIABLE:
    case OPERAND_FUNCTION: return 2;
    default: return 0;
    }
}

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

/* The degree of what an instruction computes, as the affine rules have it. */
static int degree_of_result(const struct decoder *decoder, const struct ptx_instruction *instruction)
{
    const struct ptx_operand *operands = instruction->operands;
    enum affine_rule rule = rule_of(decoder, instruction);
    if (rule == AFFINE_none)
        return 0;
    if (operands[1].kind == OPERAND_SPECIAL) /* is_affine_move() */
        return 2;
    int a = degree_of(decoder, &operands[1]), b = instruction->operand_count > 2 ? degree_of(decoder, &operands[2]) : 2;
    int product = a + b > 2 ? lesser(a, b) : 0; /* a factor must be uniform */
    switch (rule) {
    case AFFINE_copy:
    case AFFINE_widen:
    case AFFINE_narrow: return a;
    case AFFINE_sum:
    case AFFINE_difference: return lesser(a, b);
    case AFFINE_product:
    case AFFINE_product_wide: return product;
    case AFFINE_mad:
    case AFFINE_mad_wide: return lesser(product, degree_of(decoder, &operands[3]));
    case AFFINE_shift: return b == 2 ? a : 0;
    default: return a + b == 4 ? 2 : 0;
    }
}

/* Lowers what is assumed about the registers that an operand defines. Returns true when that changed something. */
static bool lower(struct decoder *decoder, const struct ptx_operand *operand, int degree)
{
    static const uint8_t affinity[] = {NOT_AFFINE, MAYBE_AFFINE, MAYBE_UNIFORM};
    bool changed = false;
    if (operand->kind == OPERAND_REGISTER) {
        int roots[2] = {root_of(decoder, operand->index), operand->second >= 0 ? root_of(decoder, operand->second) : -1};
        for (unsigned i = 0; i < 2; i++)
            if (roots[i] >= 0 && decoder->affine[roots[i]] > affinity[degree]) {
                decoder->affine[roots[i]] = affinity[degree];
                changed = true;
            }
    }
    for (unsigned i = 0; i < operand->count; i++)
        changed |= lower(decoder, &operand->elements[i], degree);
    return changed;
}

static bool lower_results(struct decoder *decoder)
{
    const struct ptx_function *function = decoder->function;
    bool changed = false;
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        if (ptx_form_defines(instruction->opcode.form) && !decoder->known[i])
            changed |= lower(decoder, &instruction->operands[0], degree_of_result(decoder, instruction));
    }
    return changed;
}

/* Registers that are filled when the launch begins: parameters are the same in all lanes, %tid is not. */
static void set_known(struct decoder *decoder)
{
    const struct ptx_function *function = decoder->function;
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_operand *operands = function->instructions[i].operands;
        if (!decoder->known[i] || decoder->copy_of[operands[0].index] >= 0)
            continue;
        enum ptx_special_kind kind = operands[1].kind == OPERAND_SPECIAL
                                         ? ptx_special_kind((enum ptx_special)operands[1].special)
                                         : SPECIAL_OTHER;
        bool by_lane = kind == SPECIAL_THREAD || kind == SPECIAL_LANE;
        decoder->affine[operands[0].index] = by_lane ? ALWAYS_AFFINE : ALWAYS_UNIFORM;
    }
}

bool decode_affine(struct decoder *decoder)
{
    const struct ptx_function *function = decoder->function;
    decoder->affine = arena_allocate(decoder->arena, function->register_count + 1);
    if (!decoder->affine)
        return false;
    memset(decoder->affine, NOT_AFFINE, function->register_count);
    if (!function->is_entry)
        return true;
    for (size_t i = 0; i < function->register_count; i++)
        if (has_width(register_type(decoder, (int)i)))
            decoder->affine[i] = MAYBE_UNIFORM;
    set_known(decoder);
    while (lower_results(decoder))
        ;
    return true;
}

static bool changes_form(enum decode_affinity affinity)
{
    return affinity == MAYBE_AFFINE || affinity == MAYBE_UNIFORM;
}

bool decode_needs_lanes(const struct decoder *decoder, int index)
{
    return changes_form((enum decode_affinity)decoder->affine[root_of(decoder, index)]);
}

bool decode_reads_affine(const struct decoder *decoder, const struct ptx_instruction *instruction)
{
    if (!decoder->function->is_entry || !instruction->operand_count)
        return false;
    if (is_affine_comparison(instruction))
        return degree_of(decoder, &instruction->operands[1]) && degree_of(decoder, &instruction->operands[2]);
    const struct ptx_operand *to = &instruction->operands[0];
    return to->kind == OPERAND_REGISTER && rule_of(decoder, instruction) != AFFINE_none
           && decode_needs_lanes(decoder, to->index);
}

bool decode_address_is_affine(const struct decoder *decoder, int index)
{
    return decoder->function->is_entry && (index < 0 || decoder->affine[root_of(decoder, index)] != NOT_AFFINE);
}
