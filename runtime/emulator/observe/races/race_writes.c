/* Which arrays a kernel cannot write to: nothing needs to be remembered about their readers.
 *
 * Where a pointer can come from is followed through the registers, ignoring the order of instructions: a register has the
 * roots of everything that any instruction computes it from. Roots are 64-bit parameters and variables. Arrays
 * that are not roots of a store's address are not written: pointer arithmetic never leads from one allocation to another
 * (memory.h). A store that does so anyway ends the exemption, with a message.
 */
#include "runtime/emulator/observe/races/race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/roles.h"
#include "runtime/emulator/machine/texture.h"

enum { MAX_ROOTS = RACE_WRITTEN_MOST };
static const uint64_t UNKNOWN = UINT64_C(1) << 63; /* may be any pointer */
static const uint64_t HALF = UINT64_C(1) << 62;    /* 32 bits from memory: with another half, any pointer */

struct root {
    const struct ptx_variable *variable;
    int64_t offset; /* of a parameter */
};

struct writes {
    const struct ptx_function *function;
    uint64_t *sets; /* [register_count] roots of each */
    struct root roots[MAX_ROOTS];
    unsigned root_count;
};

static uint64_t root_of(struct writes *writes, const struct ptx_variable *variable, int64_t offset)
{
    for (unsigned i = 0; i < writes->root_count; i++)
        if (writes->roots[i].variable == variable && writes->roots[i].offset == offset)
            return UINT64_C(1) << i;
    if (writes->root_count == MAX_ROOTS)
        return UNKNOWN;
    writes->roots[writes->root_count] = (struct root){variable, offset};
    return UINT64_C(1) << writes->root_count++;
}

/* Roots of a value, or of what an address is computed from. */
static uint64_t roots_of(struct writes *writes, const struct ptx_operand *operand)
{
    uint64_t set = 0;
    switch (operand->kind) {
    case OPERAND_REGISTER:
        set = writes->sets[operand->index];
        return operand->second >= 0 ? set | writes->sets[operand->second] : set;
    case OPERAND_VARIABLE: return operand->variable->space == SPACE_GLOBAL ? root_of(writes, operand->variable, 0) : 0;
    case OPERAND_ADDRESS:
        if (operand->index >= 0)
            return writes->sets[operand->index];
        return operand->variable && operand->variable->space == SPACE_GLOBAL ? root_of(writes, operand->variable, 0) : 0;
    case OPERAND_VECTOR:
        for (unsigned i = 0; i < operand->count; i++)
            set |= roots_of(writes, &operand->elements[i]);
        return set;
    default: return 0;
    }
}

static bool is_parameter(const struct ptx_function *function, const struct ptx_variable *variable)
{
    for (unsigned i = 0; variable && i < function->parameter_count; i++)
        if (function->parameters[i] == variable)
            return true;
    return false;
}

static bool is_wide(const struct ptx_instruction *instruction)
{
    for (unsigned i = 0; i < instruction->opcode.type_count; i++)
        if (ptx_type_bytes(instruction->opcode.types[i]) == 8)
            return true;
    return false;
}

static const struct ptx_operand *address_of(const struct ptx_instruction *instruction)
{
    for (unsigned i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == OPERAND_ADDRESS)
            return &instruction->operands[i];
    return NULL;
}

static uint64_t roots_of_load(struct writes *writes, const struct ptx_instruction *instruction,
                              const struct ptx_operand *address)
{
    uint64_t set = 0;
    if (!is_wide(instruction))
        return HALF;
    if (instruction->opcode.form->id != FORM_LD || address->index >= 0 || !is_parameter(writes->function, address->variable))
        return UNKNOWN;
    for (unsigned i = 0; i < instruction->opcode.vector; i++)
        set |= root_of(writes, address->variable, address->offset + 8 * (int64_t)i);
    return set;
}

/* Does it compute with 64-bit integers, as with an index, but never put 32 bits above 32 others? */
static bool keeps_halves_apart(const struct ptx_instruction *instruction)
{
    static const uint64_t large = 1 << 16; /* factor that is not the size of an element */
    const struct ptx_operand *operands = instruction->operands;
    const struct ptx_form *form = instruction->opcode.form;
    if (!(form->role & PTX_APART) || (instruction->operand_count > 1 && operands[1].kind == OPERAND_VECTOR))
        return false;
    if (form->id == FORM_SHL)
        return operands[2].kind == OPERAND_INTEGER && operands[2].bits < 16;
    return !(form->role & PTX_SCALES)
           || ((operands[1].kind != OPERAND_INTEGER || operands[1].bits < large)
               && (operands[2].kind != OPERAND_INTEGER || operands[2].bits < large));
}

/* Roots of what the instruction computes. */
static uint64_t roots_of_result(struct writes *writes, const struct ptx_instruction *instruction)
{
    const struct ptx_operand *address = address_of(instruction);
    uint64_t set = address ? roots_of_load(writes, instruction, address) : 0;
    for (unsigned i = 1; i < instruction->operand_count && !address; i++)
        set |= roots_of(writes, &instruction->operands[i]);
    return set & HALF && is_wide(instruction) && !keeps_halves_apart(instruction) ? UNKNOWN : set;
}

static bool add_roots(struct writes *writes, const struct ptx_operand *to, uint64_t set)
{
    bool grew = false;
    for (unsigned i = 0; to->kind == OPERAND_VECTOR && i < to->count; i++)
        grew |= add_roots(writes, &to->elements[i], set);
    if (to->kind != OPERAND_REGISTER || writes->function->registers[to->index].type == PTX_PRED)
        return grew;
    grew = (set & ~writes->sets[to->index]) != 0;
    writes->sets[to->index] |= set;
    return grew;
}

/* Roots of all addresses that the function writes to; UNKNOWN when they cannot be determined. */
static uint64_t find_writes(struct writes *writes)
{
    const struct ptx_function *function = writes->function;
    uint64_t written = 0;
    for (bool grew = true; grew;) {
        grew = false;
        for (size_t i = 0; i < function->instruction_count; i++) {
            const struct ptx_instruction *instruction = &function->instructions[i];
            if (ptx_form_defines(instruction->opcode.form))
                grew |= add_roots(writes, &instruction->operands[0], roots_of_result(writes, instruction));
        }
    }
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        const struct ptx_opcode *opcode = &instruction->opcode;
        uint32_t role = opcode->form->role;
        if (opcode->form->id == FORM_CALL
            && (instruction->operands[0].kind != OPERAND_FUNCTION || instruction->operands[0].function->has_body))
            return UNKNOWN;
        if ((role & PTX_LOADS && !(role & PTX_STORES)) || role & PTX_SHARED || ptx_has(opcode, MOD_local))
            continue;
        if (role & PTX_STORES
            && (ptx_has(opcode, MOD_shared) || ptx_has(opcode, MOD_shared_cta) || ptx_has(opcode, MOD_param)))
            continue;
        for (unsigned o = 0; o < instruction->operand_count; o++) /* any other instruction with an address may write there */
            if (instruction->operands[o].kind == OPERAND_ADDRESS)
                written |= roots_of(writes, &instruction->operands[o]);
    }
    return written;
}

static uint64_t parameter_value(const struct launch *launch, uint64_t offset)
{
    uint64_t value = 0;
    if (offset + sizeof value <= launch->request->function->parameter_bytes)
        memcpy(&value, launch->parameters + offset, sizeof value);
    return value;
}

/* Only device memory: host memory that was registered can have neighbours. */
static void exempt(struct memory_allocation *allocation, uint32_t tag)
{
    if (allocation && !allocation->freed && (allocation->kind == MEMORY_DEVICE || allocation->kind == MEMORY_GLOBAL))
        allocation->never_written_in = tag;
}

static bool writes_texels(const struct code *code)
{
    for (size_t i = 0; i < code->operation_count; i++) {
        const struct operation *operation = &code->operations[i];
        const struct texel_site *texel = operation_is(operation, ROLE_SITE) ? operation->site->texel : NULL;
        if (texel && (texel->instruction == TEXEL_STORE || texel->instruction == TEXEL_REDUCE))
            return true;
    }
    return false;
}

void race_exempt_texels(const struct races *races, struct memory_allocation *allocation)
{
    if (!races->knows_written)
        return;
    for (unsigned i = 0; i < races->written_count; i++)
        if (races->written[i] == allocation)
            return;
    exempt(allocation, races->tag);
}

void race_exempt_arrays(struct races *races)
{
    const struct launch *launch = races->launch;
    const struct program *program = launch->request->function->program;
    struct memory *memory = launch->request->memory;
    struct writes writes = {.function = launch->code->function};
    writes.sets = calloc(writes.function->register_count + 1, sizeof *writes.sets);
    if (!writes.sets)
        return; /* all arrays are followed then */
    uint64_t written = find_writes(&writes);
    free(writes.sets);
    for (unsigned i = 0; i < writes.root_count; i++) { /* a difference of pointers may lead anywhere */
        const struct root *root = &writes.roots[i];
        if (!(written >> i & 1) || root->variable->space == SPACE_GLOBAL)
            continue;
        int64_t value = (int64_t)parameter_value(launch, root->variable->offset + (uint64_t)root->offset);
        const struct memory_allocation *allocation = memory_find(memory, (uint64_t)value);
        if (!allocation && (value >= (int64_t)MEMORY_ORIGIN / 2 || value <= -(int64_t)MEMORY_ORIGIN / 2))
            written |= UNKNOWN;
    }
    if (written & UNKNOWN)
        return;
    for (uint64_t offset = 0; offset + 8 <= launch->request->function->parameter_bytes; offset += 8)
        exempt(memory_find(memory, parameter_value(launch, offset)), races->tag);
    for (size_t i = 0; i < program->variable_count; i++)
        exempt(program->variables[i].allocation, races->tag);
    for (unsigned i = 0; i < writes.root_count; i++) {
        if (!(written >> i & 1))
            continue;
        const struct root *root = &writes.roots[i];
        uint64_t value = root->variable->space == SPACE_GLOBAL
                             ? program_variable_address(program, root->variable)
                             : parameter_value(launch, root->variable->offset + (uint64_t)root->offset);
        struct memory_allocation *allocation = memory_find(memory, value);
        exempt(allocation, 0);
        races->written[races->written_count++] = allocation;
    }
    races->knows_written = !writes_texels(launch->code);
}

void race_end_exemption(const struct race_access *access, struct memory_allocation *allocation)
{
    static bool told;
    allocation->never_written_in = allocation->quiet_in = 0;
    access->races->knows_written = false;
    if (!told)
        fprintf(stderr,
                "lockstep: kernel %s writes to an array through an address that is not computed from any of its "
                "pointers; earlier reads of that array are not compared with it\n",
                access->races->launch->request->function->name);
    told = true;
}
