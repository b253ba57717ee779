/* Where the variables of a program are. */
#include "runtime/emulator/machine/program.h"

uint64_t program_variable_address(const struct program *program, const struct ptx_variable *variable)
{
    for (size_t i = 0, place = 0; i < program->module->variable_count; i++) {
        const struct ptx_variable *other = program->module->variables[i];
        if (other->space == SPACE_SHARED)
            continue;
        if (other == variable)
            return program->variables[place].allocation->address;
        place++;
    }
    return 0;
}

uint64_t program_widen_address(const struct program *program, uint64_t address, bool is_parameter)
{
    if (address > UINT32_MAX)
        return address;
    const struct memory_allocation *found = program->parameters;
    uint64_t place = address / CONST_SPAN;
    if (!is_parameter)
        found = place < program->variable_count && program->variables[place].constant ? program->variables[place].allocation
                                                                                      : NULL;
    return found ? (found->address & ~(uint64_t)UINT32_MAX) + address : address;
}

uint32_t program_shared_address(struct program *program, struct ptx_variable *variable)
{
    if (!variable->offset) /* the slot; 0 is never given */
        variable->offset = variable->bytes || !program->dynamic_slot ? ++program->shared_slots : program->dynamic_slot;
    if (!variable->bytes)
        program->dynamic_slot = (uint32_t)variable->offset;
    return ((uint32_t)variable->offset << SHARED_SLOT_BITS) + SHARED_SLOT_BASE;
}

const struct code *program_code_of(const struct program *program, const struct operation *operation)
{
    for (size_t i = 0; i < program->module->function_count; i++) {
        const struct code *code = &program->code[i];
        if (code->operation_count && operation >= code->operations && operation < code->operations + code->operation_count)
            return code;
    }
    return NULL;
}
