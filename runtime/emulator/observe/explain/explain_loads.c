/* Where an address comes from: the loads and atomics whose values it is computed from. */
#include "runtime/emulator/observe/explain/explain.h"

#include <string.h>

#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"

enum { MOST_REGISTERS = 64 }; /* that are followed back */

struct walk {
    int registers[MOST_REGISTERS];
    unsigned count, done;
};

static void add_register(struct walk *walk, int number)
{
    for (unsigned i = 0; i < walk->count; i++)
        if (walk->registers[i] == number)
            return;
    if (number >= 0 && walk->count < MOST_REGISTERS)
        walk->registers[walk->count++] = number;
}

static void add_operand(struct walk *walk, const struct ptx_operand *operand)
{
    if (operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_ADDRESS)
        add_register(walk, operand->index);
    for (unsigned i = 0; operand->kind == OPERAND_VECTOR && i < operand->count; i++)
        add_operand(walk, &operand->elements[i]);
}

static bool sets(const struct ptx_instruction *instruction, int number)
{
    const struct ptx_operand *target = instruction->operands;
    if (!instruction->operand_count || !ptx_form_defines(instruction->opcode.form))
        return false;
    bool found = target->kind == OPERAND_REGISTER && (target->index == number || target->second == number);
    for (unsigned i = 0; target->kind == OPERAND_VECTOR && i < target->count; i++)
        found |= target->elements[i].kind == OPERAND_REGISTER && target->elements[i].index == number;
    return found;
}

static bool reads_memory(const struct ptx_instruction *instruction)
{
    unsigned form = instruction->opcode.form->id;
    return (form == FORM_LD && !ptx_has(&instruction->opcode, MOD_param)) || form == FORM_ATOM;
}

static void add_load(const struct ptx_instruction *load, struct finding *finding)
{
    for (unsigned i = 0; i < FINDING_MAX_LOADS; i++) {
        if (finding->index_loads[i] == load)
            return;
        if (!finding->index_loads[i]) {
            finding->index_loads[i] = load;
            return;
        }
    }
}

void explain_loads(const struct launch *launch, const struct operation *operation, struct finding *finding)
{
    const struct ptx_instruction *instruction = operation_instruction(launch, operation);
    const struct ptx_function *function = launch->code->function;
    struct walk walk = {.count = 0};
    memset(finding->index_loads, 0, sizeof finding->index_loads);
    if (!instruction || instruction < function->instructions
        || instruction >= function->instructions + function->instruction_count)
        return;
    for (unsigned i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == OPERAND_ADDRESS)
            add_operand(&walk, &instruction->operands[i]);
    while (walk.done < walk.count) {
        int number = walk.registers[walk.done++];
        source_add_work(function->instruction_count);
        for (size_t i = 0; i < function->instruction_count; i++) {
            const struct ptx_instruction *from = &function->instructions[i];
            if (!sets(from, number))
                continue;
            if (reads_memory(from))
                add_load(from, finding);
            for (unsigned o = 1; o < from->operand_count; o++)
                add_operand(&walk, &from->operands[o]);
        }
    }
}
