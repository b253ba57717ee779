#include "runtime/emulator/observe/races/race_relation.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/warp.h"
#include "runtime/emulator/observe/races/race_text.h"

enum {
    MOST_REGISTERS = 256, /* uses that are followed back; beyond, nothing is claimed */
    MOST_DEPTH = 12,      /* of two addresses that are compared */
    MOST_BLOCKS = 256,    /* of a function whose branches are followed; beyond, no store counts as guarded */
};

typedef const struct ptx_instruction *instruction;

/* A function's text with what is asked of it again and again: an unrolled loop has thousands of instructions. */
struct text {
    const struct ptx_function *function;
    struct definition {
        int place, next; /* the instruction; the next one of the same register, further down, -1 none */
    } *definitions;
    int *first; /* [register_count] in definitions; -1: the register is never set */
    int register_count;
    size_t *back_to; /* [instruction_count] how far back the branches from this instruction on lead at most */
};

/* The registers from which a value is made, back to their definitions, and where each is used. */
struct slice {
    const struct text *text;
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

static int top_register(const struct ptx_operand *target)
{
    int top = target->kind == OPERAND_REGISTER ? (target->index > target->second ? target->index : target->second) : -1;
    for (unsigned i = 0; target->kind == OPERAND_VECTOR && i < target->count; i++)
        top = target->elements[i].kind == OPERAND_REGISTER && target->elements[i].index > top ? target->elements[i].index
                                                                                              : top;
    return top;
}

static void text_clear(struct text *text)
{
    free(text->definitions);
    free(text->first);
    free(text->back_to);
}

/* The instruction sets the register: it comes before those further down. */
static void define(struct text *text, int place, int number, int *count)
{
    if (number < 0 || (text->first[number] >= 0 && text->definitions[text->first[number]].place == place))
        return;
    text->definitions[*count] = (struct definition){place, text->first[number]};
    text->first[number] = (*count)++;
}

/* Returns false when out of memory; clear it all the same. */
static bool text_init(struct text *text, const struct ptx_function *function)
{
    size_t count = function->instruction_count, places = 0;
    int top = -1, known = 0;
    for (size_t i = 0; i < count; i++) {
        instruction at = &function->instructions[i];
        if (!at->operand_count || !ptx_form_defines(at->opcode.form))
            continue;
        int highest = top_register(at->operands);
        top = highest > top ? highest : top;
        places += at->operands->kind == OPERAND_VECTOR ? at->operands->count : 2;
    }
    *text = (struct text){.function = function,
                          .definitions = malloc((places + 1) * sizeof *text->definitions),
                          .first = malloc(((size_t)top + 2) * sizeof *text->first),
                          .register_count = top + 1,
                          .back_to = malloc((count + 1) * sizeof *text->back_to)};
    if (!text->definitions || !text->first || !text->back_to)
        return false;
    memset(text->first, 0xff, ((size_t)top + 2) * sizeof *text->first); /* -1 */
    for (size_t i = count; i-- > 0;) {
        instruction at = &function->instructions[i];
        const struct ptx_operand *target = at->operands;
        bool leads = at->opcode.form->id == FORM_BRA && at->operand_count > 0 && target->kind == OPERAND_LABEL
                     && target->label->instruction >= 0;
        size_t behind = i + 1 < count ? text->back_to[i + 1] : SIZE_MAX;
        text->back_to[i] = leads && (size_t)target->label->instruction < behind ? (size_t)target->label->instruction
                                                                                : behind;
        if (!at->operand_count || !ptx_form_defines(at->opcode.form))
            continue;
        if (target->kind == OPERAND_REGISTER) {
            define(text, (int)i, target->index, &known);
            define(text, (int)i, target->second, &known);
        }
        for (unsigned k = 0; target->kind == OPERAND_VECTOR && k < target->count; k++)
            if (target->elements[k].kind == OPERAND_REGISTER)
                define(text, (int)i, target->elements[k].index, &known);
    }
    return true;
}

/* The first definition of a register, or NULL; the next one. */
static const struct definition *first_definition(const struct text *text, int number)
{
    return number >= 0 && number < text->register_count && text->first[number] >= 0 ? &text->definitions[text->first[number]]
                                                                                    : NULL;
}

static const struct definition *next_definition(const struct text *text, const struct definition *definition)
{
    return definition->next >= 0 ? &text->definitions[definition->next] : NULL;
}

static bool reads_memory(instruction at)
{
    unsigned form = at->opcode.form->id;
    return (form == FORM_LD && !ptx_has(&at->opcode, MOD_param)) || form == FORM_ATOM;
}

/* May a definition reach a use? One before it, or one in a loop that holds both: compilers give a variable one register before
 * a loop and in it. Conditions are not looked at. */
static bool reaches(const struct text *text, size_t definition, size_t use)
{
    return definition < use || text->back_to[definition] <= use;
}

/* Follows the registers back; a load ends the way (its address does not make its value), a call or an exchange leaves it
 * open. */
static void follow(struct slice *slice)
{
    const struct text *text = slice->text;
    while (slice->done < slice->count) {
        int number = slice->registers[slice->done];
        size_t use = slice->at[slice->done++];
        for (const struct definition *set = first_definition(text, number); set; set = next_definition(text, set)) {
            instruction from = &text->function->instructions[set->place];
            if (!reaches(text, (size_t)set->place, use))
                continue;
            slice->data |= reads_memory(from);
            slice->other |= from->result_count > 0;
            for (unsigned o = 1; o < from->operand_count && !reads_memory(from); o++)
                add_operand(slice, &from->operands[o], (size_t)set->place);
        }
    }
}

/* A loop's variable ends where a comparison says: what it is compared with counts too. */
static void follow_comparisons(struct slice *slice)
{
    unsigned before;
    do {
        before = slice->count;
        for (size_t i = 0; i < slice->text->function->instruction_count; i++) {
            instruction at = &slice->text->function->instructions[i];
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

static bool is_set_twice(const struct text *text, int number)
{
    const struct definition *first = first_definition(text, number);
    return first && next_definition(text, first);
}

/* ---- addresses ---- */

static const struct ptx_operand *address_of(instruction at)
{
    for (unsigned i = 0; i < at->operand_count; i++)
        if (at->operands[i].kind == OPERAND_ADDRESS)
            return &at->operands[i];
    return NULL;
}

static bool same_operand(const struct text *text, const struct ptx_operand *a, const struct ptx_operand *b, unsigned depth);

/* Have two registers the same value, as far as the text shows? */
static bool same_register(const struct text *text, int a, int b, unsigned depth)
{
    if (a == b)
        return true;
    const struct definition *of_a = first_definition(text, a), *of_b = first_definition(text, b);
    if (!of_a || !of_b || depth == 0 || is_set_twice(text, a) || is_set_twice(text, b))
        return false;
    instruction first = &text->function->instructions[of_a->place];
    instruction second = &text->function->instructions[of_b->place];
    if (reads_memory(first) || first->guard >= 0 || second->guard >= 0 || first->opcode.form != second->opcode.form
        || first->operand_count != second->operand_count || first->result_count > 0)
        return false;
    for (unsigned o = 1; o < first->operand_count; o++)
        if (!same_operand(text, &first->operands[o], &second->operands[o], depth - 1))
            return false;
    return true;
}

static bool same_operand(const struct text *text, const struct ptx_operand *a, const struct ptx_operand *b, unsigned depth)
{
    if (a->kind != b->kind || a->bits != b->bits || a->offset != b->offset || a->variable != b->variable
        || a->special != b->special)
        return false;
    return (a->index < 0 && b->index < 0) || same_register(text, a->index, b->index, depth);
}

static bool same_address(const struct text *text, instruction a, instruction b)
{
    const struct ptx_operand *first = address_of(a), *second = address_of(b);
    return first && second && same_operand(text, first, second, MOST_DEPTH);
}

/* Do the load and then the store, in one turn of whatever loop they are in, use one place in every thread? The register of the
 * address must not be set in between, as where the compiler has moved a turn's load to the end of the turn before. */
static bool updates_place(const struct text *text, instruction load, instruction store)
{
    const struct ptx_operand *read = address_of(load), *written = address_of(store);
    if (load > store || !same_address(text, load, store))
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

static struct slice slice_of_address(const struct text *text, instruction at)
{
    struct slice slice = {.text = text};
    const struct ptx_operand *address = address_of(at);
    if (address)
        add_operand(&slice, address, (size_t)(at - text->function->instructions));
    follow(&slice);
    return slice;
}

static struct race_index index_of(const struct text *text, instruction at)
{
    struct slice slice = slice_of_address(text, at);
    bool loop = false;
    for (unsigned i = 0; i < slice.count; i++)
        loop |= is_set_twice(text, slice.registers[i]);
    follow_comparisons(&slice);
    return (struct race_index){.loop = loop,
                               .known = address_of(at) && !slice.overflow && !slice.other && text->function->is_entry,
                               .thread = slice.thread,
                               .block = slice.block,
                               .data = slice.data};
}

/* Does the address of the load have a variable of a loop that of the store has not? */
static bool is_at_changing_distance(const struct text *text, instruction load, instruction store)
{
    struct slice read = slice_of_address(text, load), written = slice_of_address(text, store);
    for (unsigned i = 0; i < read.count; i++) {
        int number = read.registers[i];
        if (!has(&written, number) && is_set_twice(text, number))
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

/* What the value that is stored is made of. */
static struct slice slice_of_value(const struct text *text, instruction store)
{
    struct slice slice = {.text = text};
    for (unsigned i = 0; i < store->operand_count; i++)
        if (store->operands[i].kind != OPERAND_ADDRESS)
            add_operand(&slice, &store->operands[i], (size_t)(store - text->function->instructions));
    follow(&slice);
    return slice;
}

/* Is what is loaded among it? */
static bool comes_from(const struct slice *value, instruction load)
{
    size_t place = (size_t)(load - value->text->function->instructions);
    for (unsigned i = 0; i < value->count; i++)
        if (sets(load, value->registers[i]) && reaches(value->text, place, value->at[i]))
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
static bool has_other_step(const struct ptx_module *module, const struct text *text, instruction load, instruction store)
{
    const struct ptx_function *function = text->function;
    for (size_t i = 0; i < function->instruction_count; i++) {
        instruction other = &function->instructions[i];
        if (!is_store(other) || same_line(module, other, store) || !same_base(other, store))
            continue;
        struct slice value = slice_of_value(text, other);
        for (size_t k = 0; k < function->instruction_count; k++) {
            instruction at = &function->instructions[k];
            if (reads_memory(at) && same_line(module, at, other) && same_base(at, load) && !same_address(text, at, other)
                && comes_from(&value, at))
                return true;
        }
    }
    return false;
}

/* The relation of a load to the stores of the other line: an unrolled loop has several. */
static enum race_relation relate_load(const struct ptx_module *module, const struct text *text, instruction load,
                                      instruction store, int64_t element)
{
    const struct ptx_function *function = text->function;
    instruction fed = NULL;
    for (size_t i = 0; i < function->instruction_count; i++) {
        instruction at = &function->instructions[i];
        if (!is_store(at) || !same_line(module, at, store))
            continue;
        struct slice value = slice_of_value(text, at);
        if (!comes_from(&value, load))
            continue;
        if (same_line(module, load, at) && updates_place(text, load, at))
            return RELATION_UPDATE;
        if (is_at_changing_distance(text, load, at))
            return RELATION_STEP;
        fed = at;
    }
    /* The turns of an unrolled loop read from other distances. */
    for (size_t i = 0; i < function->instruction_count && fed; i++) {
        instruction at = &function->instructions[i];
        if (reads_memory(at) && at != load && same_line(module, at, load) && same_base(at, load)
            && !same_address(text, at, load) && !same_address(text, at, store))
            return RELATION_STEP;
    }
    if (!fed || !may_be_neighbours(load, fed, element))
        return RELATION_NONE;
    return has_other_step(module, text, load, fed) ? RELATION_STEP : RELATION_CHAIN;
}

static enum race_relation relate_stores(const struct text *text, instruction store)
{
    struct slice value = slice_of_value(text, store);
    for (size_t i = 0; i < text->function->instruction_count; i++) {
        instruction at = &text->function->instructions[i];
        if (reads_memory(at) && updates_place(text, at, store) && comes_from(&value, at))
            return RELATION_UPDATE;
    }
    return RELATION_STORE;
}

/* Is the predicate made of something read from memory? */
static bool is_decided_by_data(const struct text *text, int predicate, size_t at)
{
    struct slice slice = {.text = text};
    add_register(&slice, predicate, at);
    follow(&slice);
    return slice.data && !slice.overflow;
}

/* Does a branch that goes by what was read decide whether the thread comes to the store? */
static bool is_guarded_by_data(const struct text *text, size_t store)
{
    const struct ptx_function *function = text->function;
    struct race_text blocks;
    bool found = function->instructions[store].guard >= 0
                 && is_decided_by_data(text, function->instructions[store].guard, store);
    if (found)
        return true;
    bool known = race_text_init(&blocks, function) && blocks.block_count <= MOST_BLOCKS;
    for (int b = 0; known && b < blocks.block_count && !found; b++) {
        size_t last = (size_t)blocks.first[b + 1] - 1;
        if (function->instructions[last].guard < 0 || blocks.leaving[b + 1] - blocks.leaving[b] < 2
            || !is_decided_by_data(text, function->instructions[last].guard, last))
            continue;
        race_text_region(&blocks, b, race_text_meeting(&blocks, b));
        found = blocks.visited[blocks.block_of[store]];
    }
    race_text_clear(&blocks);
    return found;
}

bool race_sets_flag(const struct launch *launch, const struct operation *operation)
{
    instruction store = operation_instruction(launch, operation);
    const struct ptx_function *function = launch->code->function;
    struct text text;
    bool found = false;
    if (!store || !is_store(store) || store < function->instructions
        || store >= function->instructions + function->instruction_count)
        return false; /* in a function that was called */
    if (text_init(&text, function)) {
        struct slice value = slice_of_value(&text, store), place = slice_of_address(&text, store);
        bool constant = !value.thread && !value.block && !value.data && !value.other && !value.overflow;
        for (unsigned i = 0; i < value.count; i++)
            constant &= !is_set_twice(&text, value.registers[i]);
        found = constant && !place.other && !place.overflow
                && (place.data || is_guarded_by_data(&text, (size_t)(store - function->instructions)));
    }
    text_clear(&text);
    return found;
}

/* ---- turns of a loop ---- */

/* A barrier that all threads of the block wait at, whenever they come to it. */
static bool is_block_barrier(instruction at)
{
    enum ptx_form_id form = at->opcode.form->id;
    bool waits = form == FORM_BAR_RED || form == FORM_BARRIER_RED
                 || ((form == FORM_BAR || form == FORM_BAR_CTA || form == FORM_BARRIER)
                     && !ptx_has(&at->opcode, MOD_arrive));
    return waits && at->guard < 0 && at->operand_count < 2;
}

/* Is it an instruction that the statement of `one` was compiled to, in whichever copy of an unrolled loop? */
static bool is_copy_of(const struct ptx_module *module, instruction at, instruction one)
{
    return at == one || (at->opcode.form == one->opcode.form && same_line(module, at, one));
}

/* A walk over the instructions of a function. */
struct walk {
    struct race_text text;
    bool *seen; /* [instruction_count] */
    int *stack; /* [instruction_count] */
    int depth;
};

static void go_on(struct walk *walk, int at)
{
    const struct race_text *text = &walk->text;
    int block = text->block_of[at], count = (int)text->function->instruction_count;
    bool last = at + 1 == text->first[block + 1];
    for (int e = text->leaving[block]; e < (last ? text->leaving[block + 1] : text->leaving[block] + 1); e++) {
        int next = last ? text->first[text->edges[e].to] : at + 1;
        if (next == count || walk->seen[next])
            continue;
        walk->seen[next] = true;
        walk->stack[walk->depth++] = next;
    }
}

/* Can a thread come from a copy of `from` to one of `to`? With `barrier` only ways without a barrier count, and *barrier becomes
 * one that ends another way; NULL: none does. */
static bool leads_to(struct walk *walk, const struct ptx_module *module, instruction from, instruction to,
                     instruction *barrier)
{
    instruction all = walk->text.function->instructions;
    int count = (int)walk->text.function->instruction_count;
    memset(walk->seen, 0, (size_t)count * sizeof *walk->seen);
    walk->depth = 0;
    for (int i = 0; i < count; i++)
        if (is_copy_of(module, &all[i], from))
            go_on(walk, i);
    while (walk->depth > 0) {
        int at = walk->stack[--walk->depth];
        if (is_copy_of(module, &all[at], to))
            return true;
        if (!barrier || !is_block_barrier(&all[at]))
            go_on(walk, at);
        else if (!*barrier)
            *barrier = &all[at];
    }
    return false;
}

static instruction first_copy(const struct ptx_function *function, const struct ptx_module *module, instruction one)
{
    instruction at = function->instructions;
    while (!is_copy_of(module, at, one))
        at++;
    return at;
}

/* A barrier on every way from `after` to `before`, where there is such a way, and one back without a barrier; NULL: not so. */
static instruction find_turn_barrier(struct walk *walk, const struct ptx_module *module, instruction before,
                                     instruction after)
{
    instruction barrier = NULL, other = NULL;
    bool found = !leads_to(walk, module, after, before, &barrier) && barrier && leads_to(walk, module, after, before, NULL)
                 && leads_to(walk, module, before, after, &other);
    return found ? barrier : NULL;
}

int race_find_turn_barrier(const struct launch *launch, const struct operation *one, const struct operation *other)
{
    instruction first = operation_instruction(launch, one), second = operation_instruction(launch, other);
    const struct ptx_function *function = launch->code->function;
    const struct ptx_module *module = launch->request->function->program->module;
    instruction all = function->instructions, end = all + function->instruction_count, barrier = NULL;
    if (!first || !second || first < all || first >= end || second < all || second >= end
        || is_copy_of(module, first, second))
        return 0;
    size_t count = function->instruction_count;
    struct walk walk = {.seen = calloc(count, sizeof *walk.seen), .stack = calloc(count, sizeof *walk.stack)};
    if (race_text_init(&walk.text, function) && walk.seen && walk.stack) {
        instruction above = first_copy(function, module, first), below = first_copy(function, module, second);
        barrier = above < below ? find_turn_barrier(&walk, module, second, first)
                                : find_turn_barrier(&walk, module, first, second);
    }
    race_text_clear(&walk.text);
    free(walk.seen);
    free(walk.stack);
    return barrier ? place_of_instruction(launch, barrier).line : 0;
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
    struct text text;
    if (!text_init(&text, function)) {
        text_clear(&text);
        return story;
    }
    if (is_store(one) && is_store(other)) {
        story.relation = one == other || story.same_statement ? relate_stores(&text, one) : RELATION_STORE;
        story.index = index_of(&text, one);
    } else if (is_store(one) != is_store(other) && (reads_memory(one) || reads_memory(other))) {
        instruction store = is_store(one) ? one : other, load = is_store(one) ? other : one;
        story.relation = relate_load(module, &text, load, store, first->site->bytes);
        story.index = index_of(&text, store);
        story.read_index = index_of(&text, load);
    }
    text_clear(&text);
    return story;
}
