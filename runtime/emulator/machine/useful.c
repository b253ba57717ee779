#include "runtime/emulator/machine/useful.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/operands.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/warp.h"

/* Shared arrays and variables of the module, one bit each; with more of them, or with an address that is made of other things,
 * any. */
enum { ARRAYS = 64 };
#define ANY_ARRAY UINT64_MAX

/* In code->reached, for a moment: in the launch that ends. */
#define NOW 2

/* What an instruction has done in all executions that were looked at. */
enum effect {
    EFFECT_OWN,    /* something of its own, or it is not known */
    EFFECT_SAME,   /* it gave the same result, whatever it was given, or it wrote and changed no memory */
    EFFECT_PASSES, /* it gave the value of its first source: only that one matters */
    EFFECT_PASSES_SECOND,
    EFFECT_PASSES_THIRD,
};

struct function_use {
    struct code *code;
    const struct ptx_function *function;
    uint8_t *useful;  /* [instruction_count] */
    uint8_t *effects; /* [instruction_count] enum effect */
    uint8_t *wanted;  /* [register_count] a useful instruction reads it */
    uint64_t *arrays; /* [register_count] arrays that its value may point into; 0: none is known */
    uint64_t reads;   /* arrays that its useful instructions read */
    bool results_wanted;
};

struct use {
    const struct program *program;
    struct function_use *functions; /* [function_count] */
    size_t count;
    const struct ptx_variable *array[ARRAYS];
    size_t array_count;
    const struct ptx_variable **wanted; /* [wanted_count] parameters of calls whose value is useful */
    size_t wanted_count, wanted_capacity;
    uint64_t reads, called_reads; /* arrays that useful instructions read: of any function, of those that are called */
    uint64_t globals;             /* those that are not shared */
    uint64_t given;               /* of which others than the instructions that name them know the address */
    bool reads_local, changed, failed;
};

/* ---- arrays --------------------------------------------------------------------------------------------------------- */

/* The host has asked for it, or may use it without asking; or an initial value is its address. */
static bool is_given(const struct program *program, const struct ptx_variable *variable)
{
    const struct ptx_module *module = program->module;
    bool given = variable->is_managed;
    for (size_t v = 0; v < program->variable_count && !given; v++)
        given = program->variables[v].asked_for && strcmp(program->variables[v].name, variable->name) == 0;
    for (size_t v = 0; v < module->variable_count && !given; v++)
        for (const struct ptx_relocation *r = module->variables[v]->relocations; r && !given; r = r->next)
            given = strcmp(r->symbol, variable->name) == 0;
    return given;
}

static uint64_t bit_of(struct use *use, const struct ptx_variable *variable)
{
    bool shared = variable && variable->space == SPACE_SHARED;
    if (!shared && !(variable && variable->space == SPACE_GLOBAL))
        return 0;
    for (size_t i = 0; i < use->array_count; i++)
        if (use->array[i] == variable)
            return UINT64_C(1) << i;
    if (use->array_count == ARRAYS)
        return shared ? ANY_ARRAY : 0;
    uint64_t bit = UINT64_C(1) << use->array_count;
    use->array[use->array_count++] = variable;
    use->globals |= shared ? 0 : bit;
    use->given |= !shared && is_given(use->program, variable) ? bit : 0;
    return bit;
}

static uint64_t arrays_of(struct use *use, const struct function_use *own, const struct ptx_operand *operand)
{
    uint64_t arrays = bit_of(use, operand->variable);
    if ((operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_ADDRESS) && operand->index >= 0)
        arrays |= own->arrays[operand->index];
    for (unsigned i = 0; i < operand->count; i++)
        arrays |= arrays_of(use, own, &operand->elements[i]);
    return arrays;
}

static bool gives(struct function_use *own, const struct ptx_operand *operand, uint64_t arrays)
{
    bool changed = false;
    if (operand->kind == OPERAND_REGISTER && operand->index >= 0 && (arrays & ~own->arrays[operand->index])) {
        own->arrays[operand->index] |= arrays;
        changed = true;
    }
    for (unsigned i = 0; i < operand->count; i++)
        changed |= gives(own, &operand->elements[i], arrays);
    return changed;
}

/* Follows addresses of shared arrays through registers; what was loaded is not a known address. */
static void find_arrays(struct use *use, struct function_use *own)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < own->function->instruction_count; i++) {
            const struct ptx_instruction *instruction = &own->function->instructions[i];
            uint64_t arrays = 0;
            if (!ptx_form_defines(instruction->opcode.form) || (instruction->opcode.form->role & PTX_LOADS))
                continue;
            for (unsigned k = 1; k < instruction->operand_count; k++)
                arrays |= arrays_of(use, own, &instruction->operands[k]);
            if (arrays)
                changed |= gives(own, &instruction->operands[0], arrays);
        }
    }
}

/* ---- memory --------------------------------------------------------------------------------------------------------- */

static bool is_shared(const struct ptx_opcode *opcode)
{
    return ptx_has(opcode, MOD_shared) || ptx_has(opcode, MOD_shared_cta) || ptx_has(opcode, MOD_shared_cluster);
}

static bool is_parameter(const struct ptx_opcode *opcode)
{
    return ptx_has(opcode, MOD_param) || ptx_has(opcode, MOD_param_entry) || ptx_has(opcode, MOD_param_func);
}

/* The address that an instruction accesses: its operand number `which` of those; NULL: none. */
static const struct ptx_operand *address_of(const struct ptx_instruction *instruction, unsigned which)
{
    for (unsigned i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == OPERAND_ADDRESS && which-- == 0)
            return &instruction->operands[i];
    return NULL;
}

static uint64_t touched_arrays(struct use *use, const struct function_use *own, const struct ptx_operand *address)
{
    uint64_t arrays = address ? arrays_of(use, own, address) : 0;
    return arrays ? arrays : ANY_ARRAY;
}

/* An address that is stored, or passed to a function, may be read through from there on. */
static void note_escapes(struct use *use, const struct function_use *own)
{
    for (size_t i = 0; i < own->function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &own->function->instructions[i];
        bool stores = instruction->opcode.form->role & PTX_STORES;
        for (unsigned k = 0; k < instruction->operand_count && (stores || instruction->opcode.form->id == FORM_CALL); k++)
            if (instruction->operands[k].kind != OPERAND_ADDRESS)
                use->given |= arrays_of(use, own, &instruction->operands[k]) & use->globals;
    }
}

/* Does the function do anything but compute its results? */
static bool has_effects(const struct ptx_function *function)
{
    if (!function || !function->has_body)
        return true;
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_opcode *opcode = &function->instructions[i].opcode;
        if (opcode->form->id == FORM_CALL || opcode->form->id == FORM_CP_BULK_OUT)
            return true;
        if ((opcode->form->role & PTX_STORES) && !is_parameter(opcode) && !ptx_has(opcode, MOD_local))
            return true;
    }
    return false;
}

static const struct ptx_function *callee_of(const struct ptx_instruction *instruction)
{
    for (unsigned i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == OPERAND_FUNCTION)
            return instruction->operands[i].function;
    return NULL;
}

/* ---- what has an effect --------------------------------------------------------------------------------------------- */

static bool takes_registers(const struct ptx_instruction *instruction)
{
    for (unsigned i = 1; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == OPERAND_REGISTER)
            return true;
    return false;
}

/* Is source i of the operation operand i + 1 of the instruction, for each of them? */
static bool has_plain_sources(const struct ptx_instruction *instruction, const struct operation *operation)
{
    const struct operands *operands = &operands_of[operation->handler];
    unsigned count = (operands->a != PART_NONE) + (operands->b != PART_NONE) + (operands->c != PART_NONE);
    return instruction->operand_count == count + 1;
}

static enum effect effect_of(const struct ptx_instruction *instruction, const struct operation *operation,
                             const struct outcome *outcome)
{
    const struct ptx_form *form = instruction->opcode.form;
    const struct operands *operands = &operands_of[operation->handler];
    const uint8_t part[] = {operands->a, operands->b, operands->c};
    if (!outcome->seen)
        return EFFECT_OWN;
    if (form->role & PTX_STORES)
        return outcome->changes ? EFFECT_OWN : EFFECT_SAME;
    if (!takes_registers(instruction))
        return EFFECT_OWN;
    if (!outcome->varies)
        return EFFECT_SAME;
    for (unsigned i = 0; i < 3 && has_plain_sources(instruction, operation); i++)
        if (part[i] == operands->d && part[i] != PART_P && !(outcome->differs >> i & 1)
            && instruction->operands[i + 1].kind == OPERAND_REGISTER)
            return (enum effect)(EFFECT_PASSES + i);
    return EFFECT_OWN;
}

/* The outcome is that of the instruction only where a single operation computes it. Moves are as useful as what needs them. */
static void find_effects(struct function_use *own)
{
    const struct code *code = own->code;
    uint8_t *operations = own->useful; /* for a moment: how many there are of each */
    uint32_t offset;
    for (size_t i = 0; i < code->operation_count; i++) {
        const struct operation *operation = &code->operations[i];
        if (operation->instruction >= 0 && operations[operation->instruction] < 2
            && !operation_is(operation, ROLE_BOOKKEEPING))
            operations[operation->instruction]++;
    }
    for (size_t i = 0; i < code->operation_count; i++) {
        const struct operation *operation = &code->operations[i];
        int32_t number = operation->instruction;
        if (number < 0 || operations[number] > 1)
            continue;
        const struct ptx_instruction *instruction = &own->function->instructions[number];
        enum ptx_form_id id = instruction->opcode.form->id;
        bool writes = instruction->opcode.form->role & PTX_STORES;
        if (id == FORM_MOV || id == FORM_CVTA || (!writes && operands_destination(operation, 0, &offset) == PART_NONE))
            continue;
        own->effects[number] = (uint8_t)effect_of(instruction, operation, &code->outcomes[number]);
    }
    memset(own->useful, 0, own->function->instruction_count);
}

static enum effect effect_at(const struct function_use *own, const struct ptx_instruction *instruction)
{
    return (enum effect)own->effects[instruction - own->function->instructions];
}

/* ---- what is useful ------------------------------------------------------------------------------------------------- */

static void want_register(struct use *use, struct function_use *own, int index)
{
    if (index < 0 || own->wanted[index])
        return;
    own->wanted[index] = 1;
    use->changed = true;
}

static bool is_wanted_variable(const struct use *use, const struct ptx_variable *variable)
{
    for (size_t i = 0; i < use->wanted_count; i++)
        if (use->wanted[i] == variable)
            return true;
    return false;
}

static void want_variable(struct use *use, const struct ptx_variable *variable)
{
    if (!variable || is_wanted_variable(use, variable))
        return;
    if (use->wanted_count == use->wanted_capacity) {
        size_t capacity = use->wanted_capacity ? 2 * use->wanted_capacity : 16;
        const struct ptx_variable **grown = realloc(use->wanted, capacity * sizeof(*grown));
        if (!grown) {
            use->failed = true;
            return;
        }
        use->wanted = grown;
        use->wanted_capacity = capacity;
    }
    use->wanted[use->wanted_count++] = variable;
    use->changed = true;
}

static void want_operand(struct use *use, struct function_use *own, const struct ptx_operand *operand)
{
    if (operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_ADDRESS)
        want_register(use, own, operand->index);
    if (operand->kind == OPERAND_REGISTER)
        want_register(use, own, operand->second);
    for (unsigned i = 0; i < operand->count; i++)
        want_operand(use, own, &operand->elements[i]);
}

static bool is_wanted(const struct function_use *own, const struct ptx_operand *operand)
{
    if (operand->kind == OPERAND_REGISTER
        && ((operand->index >= 0 && own->wanted[operand->index]) || (operand->second >= 0 && own->wanted[operand->second])))
        return true;
    for (unsigned i = 0; i < operand->count; i++)
        if (is_wanted(own, &operand->elements[i]))
            return true;
    return false;
}

static bool is_useful_call(const struct use *use, const struct ptx_instruction *instruction)
{
    for (unsigned i = 0; i < instruction->result_count; i++)
        if (is_wanted_variable(use, instruction->results[i]))
            return true;
    return has_effects(callee_of(instruction));
}

static bool is_useful_store(struct use *use, const struct function_use *own, const struct ptx_instruction *instruction)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    const struct ptx_operand *address = address_of(instruction, 0);
    if (is_parameter(opcode)) { /* of a call, or the function's own result */
        bool result = false;
        for (unsigned i = 0; i < own->function->result_count && address; i++)
            result |= own->function->results[i] == address->variable;
        return result ? own->results_wanted : !address || is_wanted_variable(use, address->variable);
    }
    if (ptx_has(opcode, MOD_local))
        return use->reads_local;
    uint64_t touched = touched_arrays(use, own, address);
    if (touched != ANY_ARRAY && touched & use->globals & (use->reads | use->given))
        return true;
    if (is_shared(opcode) || touched != ANY_ARRAY)
        return touched & (own->function->is_entry ? own->reads | use->called_reads : use->reads);
    return true;
}

static bool gives_wanted(const struct function_use *own, const struct ptx_instruction *instruction)
{
    return ptx_form_defines(instruction->opcode.form) && instruction->operand_count > 0
           && is_wanted(own, &instruction->operands[0]);
}

static bool is_useful(struct use *use, const struct function_use *own, const struct ptx_instruction *instruction)
{
    const struct ptx_form *form = instruction->opcode.form;
    if (form->id == FORM_CALL)
        return is_useful_call(use, instruction);
    if (form->id == FORM_CP_BULK_OUT)
        return true;
    bool same = effect_at(own, instruction) == EFFECT_SAME;
    if ((form->role & PTX_STORES) || (form->role & PTX_SHARED && !ptx_form_defines(form)))
        return (!same && is_useful_store(use, own, instruction)) || gives_wanted(own, instruction);
    return !same && gives_wanted(own, instruction);
}

/* Memory that a useful instruction reads: what has an address, but only writes there, reads none. */
static void follow_reads(struct use *use, struct function_use *own, const struct ptx_instruction *instruction)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    bool out = opcode->form->id == FORM_CP_BULK_OUT, call = opcode->form->id == FORM_CALL;
    const struct ptx_operand *address = address_of(instruction, out);
    if (!call && (!address || (!out && (opcode->form->role & (PTX_LOADS | PTX_STORES)) == PTX_STORES)))
        return;
    if (is_parameter(opcode)) {
        want_variable(use, address ? address->variable : NULL);
        return;
    }
    if (!call && !out && (ptx_has(opcode, MOD_global) || ptx_has(opcode, MOD_const_space))) {
        uint64_t globals = 0;
        for (unsigned i = 0; i < instruction->operand_count; i++)
            if (instruction->operands[i].kind == OPERAND_ADDRESS)
                globals |= arrays_of(use, own, &instruction->operands[i]) & use->globals;
        use->changed |= (globals & ~use->reads) != 0;
        use->reads |= globals;
        return;
    }
    uint64_t reads = ptx_has(opcode, MOD_local) ? 0 : call ? ANY_ARRAY : touched_arrays(use, own, address);
    bool local = ptx_has(opcode, MOD_local) || call || (!is_shared(opcode) && !out && reads == ANY_ARRAY);
    use->changed |= (reads & ~own->reads) || (local && !use->reads_local);
    own->reads |= reads;
    use->reads |= reads;
    use->called_reads |= own->function->is_entry ? 0 : reads;
    use->reads_local |= local;
}

static void follow_call(struct use *use, const struct ptx_instruction *instruction)
{
    const struct ptx_function *callee = callee_of(instruction);
    for (unsigned i = 0; i < instruction->argument_count; i++)
        want_variable(use, instruction->arguments[i]);
    for (size_t i = 0; i < use->count; i++)
        if (!use->functions[i].results_wanted && (!callee || use->functions[i].function == callee)) {
            use->functions[i].results_wanted = true;
            use->changed = true;
        }
}

static void follow(struct use *use, struct function_use *own, const struct ptx_instruction *instruction)
{
    const struct ptx_form *form = instruction->opcode.form;
    enum effect effect = effect_at(own, instruction);
    want_register(use, own, instruction->guard);
    for (unsigned i = ptx_form_defines(form) ? 1 : 0; i < instruction->operand_count; i++)
        if (effect < EFFECT_PASSES || i == effect - EFFECT_PASSES + 1)
            want_operand(use, own, &instruction->operands[i]);
    follow_reads(use, own, instruction);
    if (form->id == FORM_CALL)
        follow_call(use, instruction);
}

static void find_useful(struct use *use, struct function_use *own)
{
    for (size_t i = own->function->instruction_count; i-- > 0;)
        if (!own->useful[i] && own->code->reached[i] && is_useful(use, own, &own->function->instructions[i])) {
            own->useful[i] = 1;
            use->changed = true;
            follow(use, own, &own->function->instructions[i]);
        }
}

/* ---- what has been executed, and what it weighs --------------------------------------------------------------------- */

static uint64_t lanes_of(const struct branch_counters *block)
{
    return block->warps * WARP_LANES - block->absent;
}

/* Adds the launch that ends. Until a function runs for the first time, all of it is taken to be executed. */
static void note_reached(struct code *code)
{
    bool ran = false;
    for (size_t b = 0; b < code->block_count && !ran; b++)
        ran = code->block_counters[b].warps;
    if (!ran)
        return;
    if (!code->ran)
        memset(code->reached, 0, code->function->instruction_count);
    code->ran = true;
    for (size_t i = 0; i < code->function->instruction_count; i++)
        if (lanes_of(&code->block_counters[code->block_of_instruction[i]]))
            code->reached[i] |= NOW;
    for (size_t i = 0; i < code->operation_count; i++) {
        const struct operation *operation = &code->operations[i];
        if (operation->handler == HANDLER_guard
            && lanes_of(&code->block_counters[code->block_of_instruction[operation->instruction]])
                   <= operation->counters->absent)
            code->reached[operation->instruction] &= (uint8_t)~NOW;
    }
    for (size_t i = 0; i < code->function->instruction_count; i++)
        code->reached[i] = code->reached[i] > 0;
}

static bool works(const struct function_use *own, size_t instruction)
{
    return own->useful[instruction] && own->effects[instruction] < EFFECT_PASSES;
}

static void weigh(const struct function_use *own)
{
    struct code *code = own->code;
    for (size_t i = 0; i < code->operation_count; i++) {
        const struct operation *operation = &code->operations[i];
        if (operation->handler == HANDLER_guard)
            operation->counters->weight = 1 + ((uint64_t)works(own, (size_t)operation->instruction) << USEFUL_SHIFT);
        else if (operation->handler == HANDLER_block || operation->handler == HANDLER_block_join)
            operation->counters->weight = operation->extra;
    }
    for (size_t i = 0; i < own->function->instruction_count; i++) {
        code->block_counters[code->block_of_instruction[i]].weight += (uint64_t)works(own, i) << USEFUL_SHIFT;
        code->outcomes[i].left_out = own->effects[i] != EFFECT_OWN;
    }
}

static bool begin(struct use *use, const struct program *program, bool ended)
{
    use->functions = calloc(program->module->function_count + 1, sizeof *use->functions);
    for (size_t i = 0; i < program->module->function_count && use->functions; i++) {
        struct code *code = &program->code[i];
        if (!code->operations)
            continue;
        struct function_use *own = &use->functions[use->count++];
        *own = (struct function_use){.code = code, .function = code->function};
        own->useful = calloc(code->function->instruction_count + 1, 1);
        own->wanted = calloc(code->function->register_count + 1, 1);
        own->arrays = calloc(code->function->register_count + 1, sizeof *own->arrays);
        own->effects = calloc(code->function->instruction_count + 1, 1);
        if (!own->useful || !own->wanted || !own->arrays || !own->effects)
            return false;
        if (ended)
            note_reached(code);
        find_arrays(use, own);
        find_effects(own);
    }
    for (size_t i = 0; i < use->count; i++)
        note_escapes(use, &use->functions[i]);
    return use->functions;
}

static void weigh_all(const struct program *program, bool ended)
{
    struct use use = {.program = program, .changed = true};
    bool good = begin(&use, program, ended);
    while (good && use.changed && !use.failed) {
        use.changed = false;
        for (size_t i = 0; i < use.count; i++)
            find_useful(&use, &use.functions[i]);
    }
    for (size_t i = 0; i < use.count; i++) {
        if (good && !use.failed)
            weigh(&use.functions[i]);
        free(use.functions[i].useful);
        free(use.functions[i].wanted);
        free(use.functions[i].arrays);
        free(use.functions[i].effects);
    }
    free(use.functions);
    free(use.wanted);
}

void useful_weigh(const struct program *program)
{
    weigh_all(program, true);
}

void useful_weigh_again(const struct program *program)
{
    weigh_all(program, false);
}
