/* What a program does with the places by which its threads communicate. */
#include "runtime/emulator/observe/races/race.h"

#include <string.h>

#include "runtime/emulator/machine/operands.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"

static bool writes_register(const struct operation *operation, enum operand_part part, uint32_t offset)
{
    for (unsigned element = 0; element < 4; element++) {
        uint32_t written;
        if (operands_destination(operation, element, &written) == part && written == offset)
            return true;
        if (!operation_is(operation, ROLE_LOADS))
            break;
    }
    return false;
}

/* Does the register have the same value in every iteration of the loop [first, last]? It must be computed there by simple
 * operations on such registers only. */
static bool is_invariant(const struct operation *first, const struct operation *last, enum operand_part part,
                         uint32_t offset, unsigned depth)
{
    for (const struct operation *at = first; at < last; at++) {
        if (!writes_register(at, part, offset))
            continue;
        const struct operands *operands = &operands_of[at->handler];
        uint8_t parts[] = {operands->a, operands->b, operands->c};
        const uint32_t sources[] = {at->a, at->b, at->c};
        if (!operands->d || !operands->a || depth == 0)
            return false;
        for (unsigned i = 0; i < 3; i++)
            if (parts[i] && !is_invariant(first, last, (enum operand_part)parts[i], sources[i], depth - 1))
                return false;
    }
    return true;
}

/* ---- whether a loop waits for it ---- */

/* Does the register, set by instruction `from`, decide a branch or an exit in [first, last]? By way of other registers, but not
 * of memory: a count that is read, raised and stored decides nothing. What a call does with it is not looked at. */
static bool decides(const struct ptx_function *function, size_t first, size_t last, int number, unsigned depth)
{
    for (size_t i = first; i <= last && i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        if (!ptx_instruction_reads(instruction, number))
            continue;
        enum ptx_form_id form = instruction->opcode.form->id;
        if (depth == 0 || form == FORM_CALL
            || (instruction->guard == number && (form == FORM_BRA || form == FORM_RET || form == FORM_EXIT)))
            return true;
        bool memory = form == FORM_LD || form == FORM_ST || form == FORM_ATOM;
        bool defines = instruction->operand_count > 0 && ptx_form_defines(instruction->opcode.form);
        if (!defines || memory || instruction->operands[0].kind != OPERAND_REGISTER
            || instruction->operands[0].index == number)
            continue;
        if (decides(function, first, last, instruction->operands[0].index, depth - 1)
            || (instruction->operands[0].second >= 0
                && decides(function, first, last, instruction->operands[0].second, depth - 1)))
            return true;
    }
    return false;
}

/* Does what is read decide whether the loop goes on? */
static bool is_waited_for(const struct launch *launch, const struct code *code, const struct operation *read,
                          const struct operation *first, const struct operation *last)
{
    const struct ptx_instruction *own = operation_instruction(launch, read), *from = operation_instruction(launch, first),
                                 *to = operation_instruction(launch, last);
    const struct ptx_function *function = code->function;
    if (!own || !from || !to || own->operand_count == 0 || own->operands[0].kind != OPERAND_REGISTER)
        return true;
    if (from < function->instructions || to >= function->instructions + function->instruction_count || to < from)
        return true;
    return decides(function, (size_t)(from - function->instructions), (size_t)(to - function->instructions),
                   own->operands[0].index, 8);
}

/* Is it in a loop that has no barrier, never changes the address, and goes on or ends by what is read? */
static bool polls_itself(struct races *races, struct race_site *site)
{
    if (site->polls >= 0)
        return site->polls;
    site->polls = 0;
    const struct code *code = program_code_of(races->launch->request->function->program, site->operation);
    if (!code || site->site->access == SITE_STORE)
        return false;
    enum operand_part part = site->site->address_in_r ? PART_R : PART_Q;
    const struct operation *end = code->operations + code->operation_count;
    for (const struct operation *back = site->operation + 1; back < end && !site->polls; back++) {
        if ((back->handler != HANDLER_branch && back->handler != HANDLER_jump) || back->target > site->operation)
            continue;
        bool same = is_invariant(back->target, back, part, site->operation->a, 6);
        for (const struct operation *at = back->target; at < back && same; at++)
            same = at->handler != HANDLER_barrier;
        site->polls = same && is_waited_for(races->launch, code, site->operation, back->target, back);
        break; /* the innermost loop decides */
    }
    return site->polls;
}

/* The compiler often reads once before the loop: the line counts. */
static bool line_polls(struct races *races, const struct race_site *site)
{
    struct place place = place_of(races->launch, site->operation);
    for (uint32_t i = 1; i <= races->site_count && place.file; i++) {
        struct race_site *other = &races->sites[i];
        if (!other->site->strong || other->site->access == SITE_STORE)
            continue;
        struct place there = place_of(races->launch, other->operation);
        if (there.line == place.line && there.file && strcmp(there.file, place.file) == 0 && polls_itself(races, other))
            return true;
    }
    return false;
}

bool race_polls(struct races *races, uint32_t number)
{
    struct race_site *site = &races->sites[number];
    if (site->site->access == SITE_STORE)
        return false;
    if (site->line_polls < 0)
        site->line_polls = polls_itself(races, site) || line_polls(races, site);
    return site->line_polls;
}

/* ---- what a read is used for ---- */

/* Does anything but moves name the register that the instruction sets? */
static bool is_looked_at(const struct code *code, const struct ptx_instruction *read, unsigned depth)
{
    const struct ptx_function *function = code->function;
    if (read->operand_count == 0 || read->operands[0].kind == OPERAND_SINK)
        return false;
    if (read->operands[0].kind != OPERAND_REGISTER || depth == 0)
        return true;
    int number = read->operands[0].index;
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        bool moves = instruction->opcode.form->id == FORM_MOV;
        if (instruction == read)
            continue;
        if (instruction->guard == number)
            return true;
        for (unsigned o = moves; o < instruction->operand_count; o++)
            if (ptx_operand_names(&instruction->operands[o], number)
                && (!moves || is_looked_at(code, instruction, depth - 1)))
                return true;
    }
    return false;
}

enum race_reading race_reading_of(struct races *races, uint32_t number)
{
    struct race_site *site = &races->sites[number];
    if (site->reading != READING_UNKNOWN)
        return site->reading;
    const struct code *code = program_code_of(races->launch->request->function->program, site->operation);
    const struct ptx_instruction *instruction = operation_instruction(races->launch, site->operation);
    site->reading = READING_ORDERS;
    if (site->site->access == SITE_REDUCTION || (instruction && code && !is_looked_at(code, instruction, 4)))
        site->reading = READING_NOTHING;
    else if (instruction && ptx_has(&instruction->opcode, MOD_relaxed))
        site->reading = READING_RELAXED;
    return site->reading;
}
