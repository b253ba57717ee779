#include "runtime/emulator/driver/host_wait.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/language/ptx/module.h"

struct search {
    const struct ptx_function *function;
    bool (*is_shared)(const void *data, uint64_t offset);
    const void *data;
    bool *holds; /* [register_count]: what comes from an address in shared memory */
};

static bool begins_with(const struct ptx_instruction *instruction, const char *root)
{
    size_t length = strlen(root);
    char next = strncmp(instruction->spelling, root, length) == 0 ? instruction->spelling[length] : 'x';
    return next == '.' || next == '\0';
}

/* Sees it what the host does while the kernel runs? */
static bool is_strong(const struct ptx_instruction *instruction)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    if (begins_with(instruction, "atom"))
        return ptx_has(opcode, MOD_sys);
    return begins_with(instruction, "ld")
           && (ptx_has(opcode, MOD_volatile) || ptx_has(opcode, MOD_relaxed) || ptx_has(opcode, MOD_acquire)
               || ptx_has(opcode, MOD_mmio) || ptx_has(opcode, MOD_cv))
           && !ptx_has(opcode, MOD_shared) && !ptx_has(opcode, MOD_local);
}

/* Does a later branch lead back to it, or before it? */
static bool is_in_loop(const struct ptx_function *function, size_t at)
{
    for (size_t i = at; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        for (unsigned k = 0; k < instruction->operand_count; k++) {
            const struct ptx_operand *operand = &instruction->operands[k];
            for (unsigned way = 0; way < (operand->kind == OPERAND_TARGETS ? operand->count : 1); way++) {
                const struct ptx_operand *to = operand->kind == OPERAND_TARGETS ? &operand->elements[way] : operand;
                if (to->kind == OPERAND_LABEL && to->label->instruction >= 0 && (size_t)to->label->instruction <= at)
                    return true;
            }
        }
    }
    return false;
}

static bool polls(const struct ptx_function *function, size_t at)
{
    return is_strong(&function->instructions[at]) && is_in_loop(function, at);
}

static bool is_parameter(const struct search *search, const struct ptx_variable *variable)
{
    for (unsigned i = 0; i < search->function->parameter_count; i++)
        if (search->function->parameters[i] == variable)
            return true;
    return false;
}

/* Does the operand stand for an address in shared memory? `element`: of a vector that is loaded from it. */
static bool is_from_shared(const struct search *search, const struct ptx_operand *operand, unsigned element)
{
    if ((operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_ADDRESS) && operand->index >= 0)
        return search->holds[operand->index];
    if (operand->kind != OPERAND_VARIABLE && operand->kind != OPERAND_ADDRESS)
        return false;
    const struct ptx_variable *variable = operand->variable;
    if (!variable || !is_parameter(search, variable))
        return variable && variable->is_managed;
    uint64_t from = variable->offset, to = variable->offset + variable->bytes;
    if (operand->kind == OPERAND_ADDRESS) {
        from += (uint64_t)operand->offset + 8 * (uint64_t)element;
        to = from + 8;
    }
    for (; from + 8 <= to; from += 8) /* of a structure whose address is taken: any of it */
        if (search->is_shared(search->data, from))
            return true;
    return false;
}

/* Marks the register; true when that is news. */
static bool mark(const struct search *search, const struct ptx_operand *operand)
{
    if (operand->kind != OPERAND_REGISTER || operand->index < 0 || search->holds[operand->index]
        || ptx_type_bytes(search->function->registers[operand->index].type) != 8)
        return false;
    return search->holds[operand->index] = true;
}

/* What the instruction makes of its operands. Returns true when that is news. */
static bool spread(const struct search *search, const struct ptx_instruction *instruction)
{
    bool news = false;
    const struct ptx_operand *result = instruction->operands;
    unsigned elements = instruction->operand_count > 1 && result->kind == OPERAND_VECTOR ? result->count : 1;
    for (unsigned element = 0; element < elements && instruction->operand_count > 1; element++) {
        bool from = false;
        for (unsigned i = 1; i < instruction->operand_count && !from; i++)
            from = is_from_shared(search, &instruction->operands[i], element);
        news |= from && mark(search, elements > 1 ? &result->elements[element] : result);
    }
    return news;
}

static bool calls(const struct ptx_function *function)
{
    for (size_t i = 0; i < function->instruction_count; i++)
        if (begins_with(&function->instructions[i], "call"))
            return true;
    return false;
}

static bool is_given_any(const struct search *search)
{
    for (unsigned i = 0; i < search->function->parameter_count; i++) {
        const struct ptx_operand all = {.kind = OPERAND_VARIABLE, .index = -1, .variable = search->function->parameters[i]};
        if (is_from_shared(search, &all, 0))
            return true;
    }
    return false;
}

static bool any_function_polls(const struct ptx_module *module)
{
    for (size_t i = 0; i < module->function_count; i++)
        for (size_t at = 0; !module->functions[i]->is_entry && at < module->functions[i]->instruction_count; at++)
            if (is_strong(&module->functions[i]->instructions[at])) /* the loop may be around its call */
                return true;
    return false;
}

bool host_wait_is_possible(const struct ptx_module *module, const struct ptx_function *kernel,
                           bool (*is_shared)(const void *data, uint64_t offset), const void *data)
{
    struct search search = {kernel, is_shared, data, NULL};
    size_t first = 0;
    while (first < kernel->instruction_count && !polls(kernel, first))
        first++;
    bool found = calls(kernel) && is_given_any(&search) && any_function_polls(module);
    if (found || first == kernel->instruction_count || !(search.holds = calloc(kernel->register_count + 1, 1)))
        return found;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < kernel->instruction_count; i++)
            more |= spread(&search, &kernel->instructions[i]);
    }
    for (size_t i = first; i < kernel->instruction_count && !found; i++)
        found = polls(kernel, i) && is_from_shared(&search, &kernel->instructions[i].operands[1], 0);
    free(search.holds);
    return found;
}
