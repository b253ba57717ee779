/* Which instructions lead to a result: stores and atomic operations, and what computes their addresses and values. Not the
 * control flow, and nothing whose value is dropped. For the counters that say who did the work.
 *
 * Registers, local memory and shared memory are looked at as wholes, without regard to order: a register is useful once a
 * useful instruction reads it anywhere, and a store into shared memory once a useful one reads any of shared memory.
 */
#include "runtime/emulator/decode/decode.h"

#include <string.h>

struct usefulness {
    const struct ptx_function *function;
    uint8_t *wanted; /* [register_count] a useful instruction reads it */
    bool reads_shared, reads_local;
    bool changed;
};

static void want(struct usefulness *all, int index)
{
    if (index < 0 || all->wanted[index])
        return;
    all->wanted[index] = 1;
    all->changed = true;
}

static void want_operand(struct usefulness *all, const struct ptx_operand *operand)
{
    if (operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_ADDRESS)
        want(all, operand->index);
    if (operand->kind == OPERAND_REGISTER)
        want(all, operand->second);
    for (unsigned i = 0; i < operand->count; i++)
        want_operand(all, &operand->elements[i]);
}

static bool is_wanted(const struct usefulness *all, const struct ptx_operand *operand)
{
    if (operand->kind == OPERAND_REGISTER
        && ((operand->index >= 0 && all->wanted[operand->index]) || (operand->second >= 0 && all->wanted[operand->second])))
        return true;
    for (unsigned i = 0; i < operand->count; i++)
        if (is_wanted(all, &operand->elements[i]))
            return true;
    return false;
}

static bool is_shared(const struct ptx_opcode *opcode)
{
    return ptx_has(opcode, MOD_shared) || ptx_has(opcode, MOD_shared_cta) || ptx_has(opcode, MOD_shared_cluster);
}

static bool is_elsewhere(const struct ptx_opcode *opcode)
{
    return ptx_has(opcode, MOD_global) || ptx_has(opcode, MOD_const_space) || ptx_has(opcode, MOD_param)
           || ptx_has(opcode, MOD_param_entry) || ptx_has(opcode, MOD_param_func);
}

static bool is_useful(const struct usefulness *all, const struct ptx_instruction *instruction)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    const struct ptx_form *form = opcode->form;
    if (form->id == FORM_CALL || form->id == FORM_CP_BULK_OUT)
        return true;
    if ((form->role & PTX_STORES) || (form->role & PTX_SHARED && !ptx_form_defines(form)))
        return is_shared(opcode) ? all->reads_shared : ptx_has(opcode, MOD_local) ? all->reads_local : true;
    return ptx_form_defines(form) && instruction->operand_count > 0 && is_wanted(all, &instruction->operands[0]);
}

/* Does it read memory? All that has an address, but what only writes. */
static bool reads_memory(const struct ptx_instruction *instruction)
{
    const struct ptx_form *form = instruction->opcode.form;
    if (form->id == FORM_CALL || form->id == FORM_CP_BULK_OUT)
        return true;
    if ((form->role & (PTX_LOADS | PTX_STORES)) == PTX_STORES)
        return false;
    for (unsigned i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == OPERAND_ADDRESS)
            return true;
    return false;
}

/* What a useful instruction reads is useful. */
static void follow(struct usefulness *all, const struct ptx_instruction *instruction)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    const struct ptx_form *form = opcode->form;
    want(all, instruction->guard);
    for (unsigned i = ptx_form_defines(form) ? 1 : 0; i < instruction->operand_count; i++)
        want_operand(all, &instruction->operands[i]);
    if (reads_memory(instruction) && (form->id == FORM_CP_BULK_OUT || !is_elsewhere(opcode))) {
        bool shared = is_shared(opcode), local = ptx_has(opcode, MOD_local);
        all->changed |= (!local && !all->reads_shared) || (!shared && !all->reads_local);
        all->reads_shared |= !local;
        all->reads_local |= !shared;
    }
}

bool decode_useful(struct decoder *decoder)
{
    const struct ptx_function *function = decoder->function;
    const struct code *code = decoder->code;
    struct usefulness all = {.function = function};
    all.wanted = arena_allocate(decoder->arena, (size_t)function->register_count + 1);
    uint8_t *useful = arena_allocate(decoder->arena, function->instruction_count + 1);
    if (!all.wanted || !useful) {
        decode_fail_memory(decoder);
        return false;
    }
    memset(all.wanted, 0, (size_t)function->register_count + 1);
    memset(useful, 0, function->instruction_count + 1);
    do {
        all.changed = false;
        for (size_t i = function->instruction_count; i-- > 0;) {
            if (useful[i] || !is_useful(&all, &function->instructions[i]))
                continue;
            useful[i] = 1;
            follow(&all, &function->instructions[i]);
        }
    } while (all.changed);
    for (size_t i = 0; i < decoder->count; i++) {
        const struct operation *operation = &decoder->operations[i];
        if (operation->handler == HANDLER_guard)
            operation->counters->weight = 1 + ((uint64_t)useful[operation->instruction] << USEFUL_SHIFT);
        else if (operation->handler == HANDLER_block || operation->handler == HANDLER_block_join)
            operation->counters->weight = operation->extra;
    }
    for (size_t i = 0; i < function->instruction_count; i++)
        code->block_counters[code->block_of_instruction[i]].weight += (uint64_t)useful[i] << USEFUL_SHIFT;
    return true;
}
