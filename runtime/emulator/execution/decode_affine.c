/* Which registers of a kernel may be affine (affine.h): those that only affine operations define, from operands that are
 * constants, parameters, %tid and relatives, or such registers again. Found by assuming it of all and striking out. */
#include "runtime/emulator/execution/decode.h"

#include "runtime/emulator/execution/affine.h"
#include "runtime/emulator/execution/warp.h"

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

/* Has this type the width that affine registers have? */
static bool has_width(enum ptx_type type)
{
    return type != PTX_PRED && (ptx_type_bytes(type) == 4 || ptx_type_bytes(type) == 8);
}

static bool is_shared_by_lanes(enum ptx_special special)
{
    return special >= SPECIAL_CTAID_X && special <= SPECIAL_CTAID_Z;
}

static bool is_affine_move(const struct ptx_instruction *instruction)
{
    const struct ptx_operand *from = &instruction->operands[1];
    if (from->kind == OPERAND_SPECIAL)
        return ptx_type_bytes(instruction->opcode.types[0]) == 4 && is_shared_by_lanes((enum ptx_special)from->special);
    return from->kind != OPERAND_VECTOR && instruction->operands[0].kind != OPERAND_VECTOR
           && !(from->kind == OPERAND_VARIABLE && from->variable->space == SPACE_LOCAL);
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

/* Will the decoder make only operations of affine.def from it? */
static bool is_affine_form(const struct decoder *decoder, const struct ptx_instruction *instruction)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    enum ptx_type type = opcode->types[0];
    bool narrow = ptx_type_bytes(type) == 4;
    if (!opcode->type_count || !has_width(type) || ptx_has(opcode, MOD_sat))
        return false;
    switch (opcode->form->id) {
    case FORM_ADD: case FORM_SUB: case FORM_SHL: case FORM_SHR: case FORM_AND: case FORM_OR:
        return true;
    case FORM_XOR: case FORM_MIN: case FORM_MAX: case FORM_DIV: case FORM_REM:
        return narrow;
    case FORM_MUL: case FORM_MAD:
        return !ptx_has(opcode, MOD_hi) && (narrow || !ptx_has(opcode, MOD_wide));
    case FORM_MOV:
        return is_affine_move(instruction);
    case FORM_CVT:
        return opcode->type_count == 2 && is_affine_conversion(decoder, instruction);
    case FORM_CVTA:
        return type == PTX_U64 && !ptx_has(opcode, MOD_local)
               && !(instruction->operands[1].kind == OPERAND_VARIABLE
                    && instruction->operands[1].variable->space == SPACE_LOCAL);
    default:
        return false;
    }
}

/* Comparisons read affine registers, and write none. */
static bool is_affine_comparison(const struct ptx_instruction *instruction)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    return opcode->form->id == FORM_SETP && has_width(opcode->types[0]) && ptx_type_kind(opcode->types[0]) != KIND_FLOAT;
}

static bool is_affine_source(const struct decoder *decoder, const struct ptx_operand *operand)
{
    switch (operand->kind) {
    case OPERAND_REGISTER:
        return operand->second < 0 && decoder->affine[root_of(decoder, operand->index)] != NOT_AFFINE;
    case OPERAND_INTEGER: case OPERAND_F32: case OPERAND_F64: case OPERAND_VARIABLE: case OPERAND_FUNCTION:
        return true;
    default:
        return false;
    }
}

/* Strikes out what the instruction defines, unless it is affine. Returns true when that changed something. */
static bool strike(struct decoder *decoder, const struct ptx_operand *operand)
{
    bool changed = false;
    if (operand->kind == OPERAND_REGISTER) {
        int roots[2] = {root_of(decoder, operand->index), operand->second >= 0 ? root_of(decoder, operand->second) : -1};
        for (unsigned i = 0; i < 2; i++)
            if (roots[i] >= 0 && decoder->affine[roots[i]] == MAYBE_AFFINE) {
                decoder->affine[roots[i]] = NOT_AFFINE;
                changed = true;
            }
    }
    for (unsigned i = 0; i < operand->count; i++)
        changed |= strike(decoder, &operand->elements[i]);
    return changed;
}

static bool defines_affine(const struct decoder *decoder, const struct ptx_instruction *instruction)
{
    if (!is_affine_form(decoder, instruction))
        return false;
    if (instruction->opcode.form->id == FORM_MOV && instruction->operands[1].kind == OPERAND_SPECIAL)
        return true;
    for (unsigned i = 1; i < instruction->operand_count; i++)
        if (!is_affine_source(decoder, &instruction->operands[i]))
            return false;
    return true;
}

static bool strike_out(struct decoder *decoder)
{
    const struct ptx_function *function = decoder->function;
    bool changed = false;
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        char first = *instruction->opcode.form->operands;
        if ((first == 'd' || first == 'v') && !decoder->known[i] && !defines_affine(decoder, instruction))
            changed |= strike(decoder, &instruction->operands[0]);
    }
    return changed;
}

bool decode_affine(struct decoder *decoder)
{
    const struct ptx_function *function = decoder->function;
    decoder->affine = arena_allocate(decoder->arena, function->register_count + 1);
    if (!decoder->affine)
        return false;
    for (size_t i = 0; i < function->register_count; i++)
        decoder->affine[i] =
            function->is_entry && has_width(register_type(decoder, (int)i)) ? MAYBE_AFFINE : NOT_AFFINE;
    while (function->is_entry && strike_out(decoder))
        ;
    for (size_t i = 0; i < function->instruction_count; i++)
        if (decoder->known[i] && decoder->copy_of[function->instructions[i].operands[0].index] < 0)
            decoder->affine[function->instructions[i].operands[0].index] = ALWAYS_AFFINE;
    return true;
}

bool decode_reads_affine(const struct decoder *decoder, const struct ptx_instruction *instruction)
{
    if (!decoder->function->is_entry)
        return false;
    if (is_affine_comparison(instruction)) {
        for (unsigned i = 1; i < 3; i++)
            if (!is_affine_source(decoder, &instruction->operands[i]))
                return false;
        return true;
    }
    const struct ptx_operand *to = &instruction->operands[0];
    return instruction->operand_count && to->kind == OPERAND_REGISTER && is_affine_form(decoder, instruction)
           && decoder->affine[root_of(decoder, to->index)] == MAYBE_AFFINE;
}

bool decode_address_is_affine(const struct decoder *decoder, int index)
{
    return decoder->function->is_entry && (index < 0 || decoder->affine[root_of(decoder, index)] != NOT_AFFINE);
}
