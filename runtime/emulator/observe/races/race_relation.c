#include "runtime/emulator/observe/races/race_relation.h"

#include <string.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/warp.h"

enum {
    MOST_REGISTERS = 256, /* uses that are followed back; beyond, nothing is claimed */
    MOST_DEPTH = 12,      /* of two addresses that are compared */
};

typedef const struct ptx_instruction *instruction;

/* The registers from which a value is made, back to their definitions, and where each is used. */
struct slice {
    const struct ptx_function *function;
    int registers[MOST_REGISTERS];
    size_t at[MOST_REGISTERS]; /* the instruction that uses it */
    unsigned count, done;
    bool overflow;
    bool thread, block, data, other; /* special registers and loads that are met */
};

static void add_register(struct slice *slice, int number, size_t at)
{
    for (unsigned i = 0; i < slice->count; i++)
        if (slice->registers[i] == number && slice->at[i] == at)
            return;
    if (number < 0)
        return;
    if (slice->count == MOST_REGISTERS) {
        slice->overflow = true;
        return;
    }
    slice->registers[slice->count] = number;
    slice->at[slice->count++] = at;
}

static void add_special(struct slice *slice, enum ptx_special special)
{
    switch (ptx_special_kind(special)) {
    case SPECIAL_THREAD:
    case SPECIAL_LANE: slice->thread = true; break;
    case SPECIAL_BLOCK: slice->block = true; break;
    case SPECIAL_BLOCK_SIZE:
    case SPECIAL_GRID_SIZE: break;
    default: slice->other = true; break;
    }
}

static void add_operand(struct slice *slice, const struct ptx_operand *operand, size_t at)
{
    if (operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_ADDRESS)
        add_register(slice, operand->index, at);
    if (operand->kind == OPERAND_SPECIAL)
        add_special(slice, (enum ptx_special)operand->special);
    for (unsigned i = 0; operand->kind == OPERAND_VECTOR && i < operand->count; i++)
        add_operand(slice, &operand->elements[i], at);
}

static bool sets(instruction at, int number)
{
    const struct ptx_operand *target = at->operands;
    if (!at->operand_count || !ptx_form_defines(at->opcode.form))
        return false;
    bool found = target->kind == OPERAND_REGISTER && (target->index == number || target->second == number);
    for (unsigned i = 0; target->kind == OPERAND_VECTOR && i < target->count; i++)
        found |= target->elements[i].kind == OPERAND_REGISTER && target->elements[i].index == number;
    return found;
}

static bool reads_memory(instruction at)
{
    unsigned form = at->opcode.form->id;
    return (form == FORM_LD && !ptx_has(&at->opcode, MOD_param)) || form == FORM_ATOM;
}

/* May a definition reach a use? One before it, or one in a loop that holds both: compilers give a variable one register before
 * a loop and in it. Conditions are not looked at. */
static bool reaches(const struct ptx_function *function, size_t definition, size_t use)
{
    if (definition < use)
        return true;
    for (size_t i = definition; i < function->instruction_count; i++) {
        instruction branch = &function->instructions[i];
        if (branch->opcode.form->id == FORM_BRA && branch->operand_count > 0 && branch->operands[0].kind == OPERAND_LABEL
            && branch->operands[0].label->instruction >= 0 && (size_t)branch->operands[0].label->instruction <= use)
            return true;
    }
    return false;
}

/* Follows the registers back; a load ends the way (its address does not make its value), a call or an exchange leaves it
 * open. */
static void follow(struct slice *slice)
{
    const struct ptx_function *function = slice->function;
    while (slice->done < slice->count) {
        int number = slice->registers[slice->done];
        size_t use = slice->at[slice->done++];
        for (size_t i = 0; i < function->instruction_count; i++) {
            instruction from = &function->instructions[i];
            if (!sets(from, number) || !reaches(function, i, use))
                continue;
            slice->data |= reads_memory(from);
            slice->other |= from->result_count > 0;
            for (unsigned o = 1; o < from->operand_count && !reads_memory(from); o++)
                add_operand(slice, &from->operands[o], i);
        }
    }
}

/* A loop's variable ends where a comparison says: what it is compared with counts too. */
static void follow_comparisons(struct slice *slice)
{
    unsigned before;
    do {
        before = slice->count;
        for (size_t i = 0; i < slice->function->instruction_count; i++) {
            instruction at = &slice->function->instructions[i];
            bool compares = at->opcode.form->id == FORM_SETP, touches = false;
            for (unsigned o = 1; o < at->operand_count && compares; o++)
                for (unsigned k = 0; k < slice->count; k++)
                    touches |= at->operands[o].kind == OPERAND_REGISTER && at->operands[o].index == slice->registers[k];
            for (unsigned o = 1; o < at->operand_count && touches; o++)
                add_operand(slice, &at->operands[o], i);
        }
        follow(slice);
    } while (slice->count > before && !slice->overflow);
}

static bool has(const struct slice *slice, int number)
{
    for (unsigned i = 0; i < slice->count; i++)
        if (slice->registers[i] == number)
            return true;
    return false;
}

static unsigned definitions(const struct ptx_function *function, int number)
{
    unsigned count = 0;
    for (size_t i = 0; i < function->instruction_count; i++)
        count += sets(&function->instructions[i], number);
    return count;
}

/* ---- addresses ---- */

static const struct ptx_operand *address_of(instruction at)
{
    for (unsigned i = 0; i < at->operand_count; i++)
        if (at->operands[i].kind == OPERAND_ADDRESS)
            return &at->operands[i];
    return NULL;
}

static bool same_operand(const struct ptx_function *function, const struct ptx_operand *a, const struct ptx_operand *b,
                         unsigned depth);

/* Have two registers the same value, as far as the text shows? */
static bool same_register(const struct ptx_function *function, int a, int b, unsigned depth)
{
    if (a == b)
        return true;
    if (a < 0 || b < 0 || depth == 0 || definitions(function, a) != 1 || definitions(function, b) != 1)
        return false;
    instruction first = NULL, second = NULL;
    for (size_t i = 0; i < function->instruction_count; i++) {
        first = sets(&function->instructions[i], a) ? &function->instructions[i] : first;
        second = sets(&function->instructions[i], b) ? &function->instructions[i] : second;
    }
    if (reads_memory(first) || first->guard >= 0 || second->guard >= 0 || first->opcode.form != second->opcode.form
        || first->operand_count != second->operand_count || first->result_count > 0)
        return false;
    for (unsigned o = 1; o < first->operand_count; o++)
        if (!same_operand(function, &first->operands[o], &second->operands[o], depth - 1))
            return false;
    return true;
}

static bool same_operand(const struct ptx_function *function, const struct ptx_operand *a, const struct ptx_operand *b,
                         unsigned depth)
{
    if (a->kind != b->kind || a->bits != b->bits || a->offset != b->offset || a->variable != b->variable
        || a->special != b->special)
        return false;
    return (a->index < 0 && b->index < 0) || same_register(function, a->index, b->index, depth);
}

static bool same_address(const struct ptx_function *function, instruction a, instruction b)
{
    const struct ptx_operand *first = address_of(a), *second = address_of(b);
    return first && second && same_operand(function, first, second, MOST_DEPTH);
}

/* Do the load and then the store, in one turn of whatever loop they are in, use one place in every thread? The register of the
 * address must not be set in between, as where the compiler has moved a turn's load to the end of the turn before. */
static bool updates_place(const struct ptx_function *function, instruction load, instruction store)
{
    const struct ptx_operand *read = address_of(load), *written = address_of(store);
    if (load > store || !same_address(function, load, store))
        return false;
    for (instruction at = load; at < store; at++)
        if ((read->index >= 0 && at != load && sets(at, read->index)) || (written->index >= 0 && sets(at, written->index)))
            return false;
    return true;
}

/* Are both addresses in shared memory, or both from one register, at other offsets? */
static bool same_base(instruction a, instruction b)
{
    const struct ptx_operand *first = address_of(a), *second = address_of(b);
    bool shared = ptx_has(&a->opcode, MOD_shared) && ptx_has(&b->opcode, MOD_shared);
    return shared || (first && second && first->index >= 0 && first->index == second->index);
}

static struct slice slice_of_address(const struct ptx_function *function, instruction at)
{
    struct slice slice = {.function = function};
    const struct ptx_operand *address = address_of(at);
    if (address)
        add_operand(&slice, address, (size_t)(at - function->instructions));
    follow(&slice);
    return slice;
}

static struct race_index index_of(const struct ptx_function *function, instruction at)
{
    struct slice slice = slice_of_address(function, at);
    bool loop = false;
    for (unsigned i = 0; i < slice.count; i++)
        loop |= definitions(function, slice.registers[i]) > 1;
    follow_comparisons(&slice);
    return (struct race_index){.loop = loop,
                               .known = address_of(at) && !slice.overflow && !slice.other && function->is_entry,
                               .thread = slice.thread,
                               .block = slice.block,
                               .data = slice.data};
}

/* Does the address of the load have a variable of a loop that of the store has not? */
static bool is_at_changing_distance(const struct ptx_function *function, instruction load, instruction store)
{
    struct slice read = slice_of_address(function, load), written = slice_of_address(function, store);
    for (unsigned i = 0; i < read.count; i++) {
        int number = read.registers[i];
        if (!has(&written, number) && definitions(function, number) > 1)
            return true;
    }
    return false;
}

/* ---- statements ---- */

static bool same_line(const struct ptx_module *module, instruction a, instruction b)
{
    if (a == b)
        return true;
    if (a->location < 0 || b->location < 0)
        return false;
    const struct ptx_location *first = &module->locations[a->location], *second = &module->locations[b->location];
    return first->file == second->file && first->line == second->line;
}

static bool is_store(instruction at)
{
    return at->opcode.form->id == FORM_ST;
}

/* Does the value that is stored come from what is loaded? */
static bool comes_from(const struct ptx_function *function, instruction store, instruction load)
{
    struct slice slice = {.function = function};
    for (unsigned i = 0; i < store->operand_count; i++)
        if (store->operands[i].kind != OPERAND_ADDRESS)
            add_operand(&slice, &store->operands[i], (size_t)(store - function->instructions));
    follow(&slice);
    for (unsigned i = 0; i < slice.count; i++)
        if (sets(load, slice.registers[i]) && reaches(function, (size_t)(load - function->instructions), slice.at[i]))
            return true;
    return false;
}

/* Is the load's element the next one to the store's, as far as the text shows? With a constant distance that is greater, as in
 * the written-out steps of a tree, a barrier between reading and writing says what is meant; a chain needs every element in
 * turn. */
static bool may_be_neighbours(instruction load, instruction store, int64_t element)
{
    const struct ptx_operand *read = address_of(load), *written = address_of(store);
    if (!read || !written || read->index != written->index || read->variable != written->variable)
        return true;
    int64_t distance = read->offset - written->offset;
    return distance == element || distance == -element;
}

/* Is there such a statement on another line too? Then these are the written-out steps of a loop. */
static bool has_other_step(const struct ptx_module *module, const struct ptx_function *function, instruction load,
                           instruction store)
{
    for (size_t i = 0; i < function->instruction_count; i++) {
        instruction other = &function->instructions[i];
        if (!is_store(other) || same_line(module, other, store) || !same_base(other, store))
            continue;
        for (size_t k = 0; k < function->instruction_count; k++) {
            instruction at = &function->instructions[k];
            if (reads_memory(at) && same_line(module, at, other) && same_base(at, load) && !same_address(function, at, other)
                && comes_from(function, other, at))
                return true;
        }
    }
    return false;
}

/* The relation of a load to the stores of the other line: an unrolled loop has several. */
static enum race_relation relate_load(const struct ptx_module *module, const struct ptx_function *function, instruction load,
                                      instruction store, int64_t element)
{
    instruction fed = NULL;
    for (size_t i = 0; i < function->instruction_count; i++) {
        instruction at = &function->instructions[i];
        if (!is_store(at) || !same_line(module, at, store) || !comes_from(function, at, load))
            continue;
        if (same_line(module, load, at) && updates_place(function, load, at))
            return RELATION_UPDATE;
        if (is_at_changing_distance(function, load, at))
            return RELATION_STEP;
        fed = at;
    }
    /* The turns of an unrolled loop read from other distances. */
    for (size_t i = 0; i < function->instruction_count && fed; i++) {
        instruction at = &function->instructions[i];
        if (reads_memory(at) && at != load && same_line(module, at, load) && same_base(at, load)
            && !same_address(function, at, load) && !same_address(function, at, store))
            return RELATION_STEP;
    }
    if (!fed || !may_be_neighbours(load, fed, element))
        return RELATION_NONE;
    return has_other_step(module, function, load, fed) ? RELATION_STEP : RELATION_CHAIN;
}

static enum race_relation relate_stores(const struct ptx_function *function, instruction store)
{
    for (size_t i = 0; i < function->instruction_count; i++) {
        instruction at = &function->instructions[i];
        if (reads_memory(at) && updates_place(function, at, store) && comes_from(function, store, at))
            return RELATION_UPDATE;
    }
    return RELATION_STORE;
}

struct race_story race_relate(const struct launch *launch, const struct operation *first, const struct operation *second)
{
    instruction one = operation_instruction(launch, first), other = operation_instruction(launch, second);
    const struct ptx_function *function = launch->code->function;
    const struct ptx_module *module = launch->request->function->program->module;
    struct race_story story = {.relation = RELATION_NONE};
    if (!one || !other || one < function->instructions || one >= function->instructions + function->instruction_count
        || other < function->instructions || other >= function->instructions + function->instruction_count)
        return story; /* in a function that was called */
    story.same_statement = same_line(module, one, other);
    if (is_store(one) && is_store(other)) {
        story.relation = one == other || story.same_statement ? relate_stores(function, one) : RELATION_STORE;
        story.index = index_of(function, one);
    } else if (is_store(one) != is_store(other) && (reads_memory(one) || reads_memory(other))) {
        instruction store = is_store(one) ? one : other, load = is_store(one) ? other : one;
        story.relation = relate_load(module, function, load, store, first->site->bytes);
        story.index = index_of(function, store);
        story.read_index = index_of(function, load);
    }
    return story;
}
