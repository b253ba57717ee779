/* Registers whose value is known before the kernel runs, or that only copy another one: they cost nothing at run time.
 *
 * Compilers emit nearly static single assignment. A register with one definition, by an unguarded move, can share the slot
 * of what it copies, which has one definition too; one that is set from a constant, a kernel parameter or a special register
 * that never changes within a launch is filled once, when the block slot is made. The PTX instruction still counts: its
 * basic block counts it.
 *
 * None of these registers may be read before it is written, on any path. Then the definition of what is copied comes before
 * the copy, and a loop never reads the copy of its last iteration after that definition: such a read
 * would be one before the write on the way that enters the loop.
 */
#include "runtime/emulator/decode/decode.h"

#include <string.h>

#include "runtime/emulator/machine/warp.h"

static void count_definition(const struct ptx_operand *operand, uint8_t *definitions)
{
    if (operand->kind == OPERAND_REGISTER && definitions[operand->index] < 2)
        definitions[operand->index]++;
    if (operand->second >= 0 && definitions[operand->second] < 2)
        definitions[operand->second]++;
    for (unsigned i = 0; i < operand->count; i++)
        count_definition(&operand->elements[i], definitions);
}

static uint8_t *count_definitions(struct decoder *decoder)
{
    const struct ptx_function *function = decoder->function;
    uint8_t *definitions = arena_allocate(decoder->arena, function->register_count + 1);
    for (size_t i = 0; definitions && i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        if (ptx_form_defines(instruction->opcode.form))
            count_definition(&instruction->operands[0], definitions);
    }
    return definitions;
}

static enum ptx_type register_type(const struct decoder *decoder, int index)
{
    return decoder->function->registers[index].type;
}

/* Does the instruction only copy its source, whole? */
static bool is_copy(const struct ptx_instruction *instruction)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    if (opcode->form->id == FORM_MOV)
        return opcode->types[0] != PTX_PRED && ptx_type_bytes(opcode->types[0]) >= 4;
    /* an address in the .const or .param space may be a lower half: decode_widened() */
    return opcode->form->id == FORM_CVTA && opcode->types[0] == PTX_U64 && ptx_has(opcode, MOD_global);
}

/* The same in every block of a launch, and for all lanes or by lane. */
static bool is_steady(enum ptx_special special)
{
    enum ptx_special_kind kind = ptx_special_kind(special);
    return kind != SPECIAL_BLOCK && kind != SPECIAL_OTHER;
}

static bool add_known(struct decoder *decoder, struct constant known)
{
    struct code *code = decoder->code;
    void *grown = arena_grow(decoder->arena, code->constants, code->constant_count, code->constant_count + 1,
                             &code->constant_capacity, sizeof *code->constants);
    if (!grown)
        return false;
    code->constants = grown;
    code->constants[code->constant_count++] = known;
    return true;
}

static bool is_parameter(const struct ptx_function *entry, const struct ptx_variable *variable)
{
    for (unsigned i = 0; i < entry->parameter_count; i++)
        if (entry->parameters[i] == variable)
            return true;
    return false;
}

/* d = parameter, special register or constant of an entry: filled when the slot is made. */
static bool make_known(struct decoder *decoder, const struct ptx_instruction *instruction)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    const struct ptx_operand *to = &instruction->operands[0], *from = &instruction->operands[1];
    bool wide = decode_is_wide(register_type(decoder, to->index));
    struct constant known = {.part = wide ? CONSTANT_Q : CONSTANT_R, .offset = decoder->register_offset[to->index]};
    if (opcode->form->id == FORM_LD && decode_in_param_space(opcode) && is_parameter(decoder->function, from->variable)
        && opcode->vector == 1) {
        uint64_t bytes = ptx_type_bytes(opcode->types[0]), offset = (uint64_t)from->offset;
        if (from->offset < 0 || offset % bytes || offset + bytes > from->variable->bytes)
            return false; /* the decoder says what is wrong */
        if (ptx_type_bytes(register_type(decoder, to->index)) < bytes)
            return false;
        known.source = CONSTANT_PARAMETER;
        known.bytes = (uint8_t)bytes;
        known.is_signed = ptx_type_kind(opcode->types[0]) == KIND_SIGNED;
        known.value = from->variable->offset + offset;
    } else if (opcode->form->id == FORM_MOV && from->kind == OPERAND_SPECIAL && is_steady((enum ptx_special)from->special)
               && !wide && ptx_type_bytes(opcode->types[0]) == 4) {
        known.source = CONSTANT_SPECIAL;
        known.value = (uint64_t)from->special;
    } else {
        return false;
    }
    return add_known(decoder, known);
}

static bool share_slot(struct decoder *decoder, const struct ptx_instruction *instruction, const uint8_t *definitions)
{
    const struct ptx_operand *to = &instruction->operands[0], *from = &instruction->operands[1];
    if (!is_copy(instruction) || from->kind != OPERAND_REGISTER || from->second >= 0 || definitions[from->index] != 1
        || !decode_is_set(decoder, from->index))
        return false;
    enum ptx_type a = register_type(decoder, to->index), b = register_type(decoder, from->index);
    if (a == PTX_PRED || b == PTX_PRED || ptx_type_bytes(a) != ptx_type_bytes(b) || ptx_type_bytes(a) < 4
        || ptx_type_bytes(instruction->opcode.types[0]) != ptx_type_bytes(a))
        return false;
    int root = from->index; /* code that is never reached may copy in a circle */
    while (decoder->copy_of[root] >= 0)
        root = decoder->copy_of[root];
    if (root == to->index)
        return false;
    decoder->copy_of[to->index] = root;
    return true;
}

bool decode_known(struct decoder *decoder)
{
    const struct ptx_function *function = decoder->function;
    uint8_t *definitions = count_definitions(decoder);
    decoder->copy_of = arena_allocate(decoder->arena, (function->register_count + 1) * sizeof *decoder->copy_of);
    decoder->known = arena_allocate(decoder->arena, function->instruction_count + 1);
    if (!definitions || !decoder->copy_of || !decoder->known)
        return false;
    for (size_t i = 0; i < function->register_count; i++)
        decoder->copy_of[i] = -1;
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        enum ptx_form_id form = instruction->opcode.form->id;
        if (instruction->guard >= 0 || (form != FORM_MOV && form != FORM_CVTA && form != FORM_LD))
            continue;
        const struct ptx_operand *to = &instruction->operands[0];
        if (to->kind != OPERAND_REGISTER || definitions[to->index] != 1 || register_type(decoder, to->index) == PTX_PRED
            || !decode_is_set(decoder, to->index))
            continue;
        decoder->known[i] = share_slot(decoder, instruction, definitions)
                            || (function->is_entry && make_known(decoder, instruction));
    }
    for (size_t i = 0; i < function->register_count; i++) {
        int root = (int)i;
        while (decoder->copy_of[root] >= 0)
            root = decoder->copy_of[root];
        decoder->register_offset[i] = decoder->register_offset[root];
    }
    return true;
}
