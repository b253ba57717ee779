#include "runtime/emulator/decode/repair_edit.h"

#include <string.h>

#include "runtime/emulator/machine/place.h"

/* ---- what is known of an instruction ---- */

static bool in_parameters(const struct ptx_opcode *opcode)
{
    return ptx_has(opcode, MOD_param) || ptx_has(opcode, MOD_param_entry) || ptx_has(opcode, MOD_param_func);
}

bool repair_reads(const struct ptx_instruction *instruction)
{
    return instruction->opcode.form->role & PTX_LOADS && !in_parameters(&instruction->opcode);
}

bool repair_writes(const struct ptx_instruction *instruction)
{
    return instruction->opcode.form->role & PTX_STORES && !in_parameters(&instruction->opcode);
}

bool repair_is_access(const struct ptx_instruction *instruction)
{
    return repair_reads(instruction) || repair_writes(instruction)
           || (instruction->opcode.form->role & PTX_SHARED && instruction->operand_count > 0);
}

bool repair_defines(const struct ptx_instruction *instruction, int index)
{
    return instruction->operand_count > 0 && ptx_form_defines(instruction->opcode.form)
           && ptx_operand_names(&instruction->operands[0], index);
}

bool repair_ends_line(const struct repair_editor *editor, int i, int line)
{
    const struct ptx_instruction *instructions = editor->function->instructions;
    if (editor->line[i] != line || !repair_is_access(&instructions[i]))
        return false;
    for (int next = i + 1; next < (int)editor->function->instruction_count && editor->block[next] == editor->block[i];
         next++) {
        if (!repair_is_access(&instructions[next]))
            continue;
        return editor->line[next] != line || (repair_writes(&instructions[i]) && !repair_writes(&instructions[next]));
    }
    return true;
}

/* ---- registers that differ among the threads of a block ---- */

static bool is_own_parameter(const struct repair_editor *editor, const struct ptx_variable *variable)
{
    const struct ptx_function *function = editor->function;
    for (unsigned i = 0; function->is_entry && i < function->parameter_count; i++)
        if (function->parameters[i] == variable)
            return true;
    return false;
}

static bool operand_varies(const struct repair_editor *editor, const struct ptx_operand *operand)
{
    enum ptx_special_kind kind;
    switch (operand->kind) {
    case OPERAND_REGISTER:
        return editor->varies[operand->index] || (operand->second >= 0 && editor->varies[operand->second]);
    case OPERAND_ADDRESS: return operand->index >= 0 && editor->varies[operand->index];
    case OPERAND_SPECIAL:
        kind = ptx_special_kind((enum ptx_special)operand->special);
        return kind == SPECIAL_THREAD || kind == SPECIAL_LANE || kind == SPECIAL_OTHER;
    default: break;
    }
    for (unsigned i = 0; i < operand->count; i++)
        if (operand_varies(editor, &operand->elements[i]))
            return true;
    return false;
}

/* May the result differ among the threads of a block? What memory holds may, but for constants and the kernel's own
 * parameters; a value that was set by a branch that only some threads take is not looked for: what depends on it is tried. */
static bool makes_varying(const struct repair_editor *editor, const struct ptx_instruction *instruction)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    bool loads = opcode->form->role & PTX_LOADS;
    if (loads && !ptx_has(opcode, MOD_const_space)
        && !(in_parameters(opcode) && is_own_parameter(editor, instruction->operands[1].variable)))
        return true;
    if (opcode->form->role & PTX_CONVERGES && !(opcode->form->role & PTX_BARRIER))
        return true;
    for (unsigned i = 1; i < instruction->operand_count; i++)
        if (operand_varies(editor, &instruction->operands[i]))
            return true;
    return false;
}

static bool mark(struct repair_editor *editor, const struct ptx_operand *operand)
{
    bool new = false;
    if (operand->kind == OPERAND_REGISTER) {
        new = !editor->varies[operand->index];
        editor->varies[operand->index] = true;
        if (operand->second >= 0) {
            new |= !editor->varies[operand->second];
            editor->varies[operand->second] = true;
        }
    }
    for (unsigned i = 0; operand->kind == OPERAND_VECTOR && i < operand->count; i++)
        new |= mark(editor, &operand->elements[i]);
    return new;
}

static void find_varying(struct repair_editor *editor)
{
    const struct ptx_function *function = editor->function;
    for (bool grown = true; grown;) {
        grown = false;
        for (size_t i = 0; i < function->instruction_count; i++) {
            const struct ptx_instruction *instruction = &function->instructions[i];
            if (instruction->operand_count > 0 && ptx_form_defines(instruction->opcode.form)
                && makes_varying(editor, instruction))
                grown |= mark(editor, &instruction->operands[0]);
        }
    }
}

/* ---- places that only some threads come to ---- */

static bool may_divide(const struct repair_editor *editor, int block)
{
    const struct flow_step *last = &editor->flow.steps[editor->flow.blocks[block].last];
    if (last->instruction < 0 || last->kind != FLOW_BRANCH)
        return false;
    const struct ptx_instruction *instruction = &editor->function->instructions[last->instruction];
    return last->choice >= 0 || (instruction->guard >= 0 && editor->varies[instruction->guard]);
}

/* Gives the blocks that `branch` decides about this divider, where they have none. Returns whether one had none: those from
 * each side of the branch to where the sides meet, by way of what every thread passes that came so far. */
static bool spread(const struct repair_editor *editor, int branch, int divider)
{
    const struct flow *flow = &editor->flow;
    bool grown = false;
    for (int s = 0; s < 2; s++) {
        int block = flow->blocks[branch].successors[s];
        for (int steps = 0; block >= 0 && block != flow->blocks[branch].meeting && steps < flow->block_count; steps++) {
            grown |= editor->divider[block] < 0;
            if (editor->divider[block] < 0)
                editor->divider[block] = divider;
            block = flow->blocks[block].meeting;
        }
    }
    return grown;
}

static bool find_dividers(struct repair_editor *editor)
{
    const struct flow *flow = &editor->flow;
    editor->divider = arena_allocate(editor->arena, (size_t)flow->block_count * sizeof *editor->divider);
    if (!editor->divider)
        return false;
    for (int b = 0; b < flow->block_count; b++)
        editor->divider[b] = -1;
    for (bool grown = true; grown;) {
        grown = false;
        for (int b = 0; b < flow->block_count; b++) {
            const struct flow_block *block = &flow->blocks[b];
            int divider = may_divide(editor, b) ? b : editor->divider[b];
            if (block->successors[0] >= 0 && block->successors[1] >= 0 && divider >= 0)
                grown |= spread(editor, b, divider);
        }
    }
    return true;
}

/* ---- begin and end ---- */

bool repair_editor_begin(struct repair_editor *editor, struct ptx_module *module, struct ptx_function *function)
{
    size_t count = function->instruction_count;
    *editor = (struct repair_editor){.module = module, .function = function, .arena = &module->arena};
    editor->line = arena_allocate(editor->arena, (count + 1) * sizeof *editor->line);
    editor->block = arena_allocate(editor->arena, (count + 1) * sizeof *editor->block);
    editor->removed = arena_allocate(editor->arena, count + 1);
    editor->varies = arena_allocate(editor->arena, function->register_count + 1);
    if (!editor->line || !editor->block || !editor->removed || !editor->varies
        || !flow_analyse(function, editor->arena, &editor->flow))
        return false;
    for (size_t i = 0; i < count; i++)
        editor->line[i] = place_line(module, function, i);
    for (int i = editor->flow.step_count - 1; i >= 0; i--) /* the first step of an instruction has the last word */
        if (editor->flow.steps[i].instruction >= 0)
            editor->block[editor->flow.steps[i].instruction] = editor->flow.steps[i].block;
    find_varying(editor);
    return find_dividers(editor);
}

/* Labels are shared by their operands: each is moved once, by way of a negative number. */
static void move_labels(struct ptx_operand *operand, const int *place)
{
    if (operand->kind == OPERAND_LABEL && operand->label && operand->label->instruction >= 0)
        operand->label->instruction = -2 - place[operand->label->instruction];
    for (unsigned i = 0; operand->kind == OPERAND_TARGETS && i < operand->count; i++)
        move_labels(&operand->elements[i], place);
}

static void settle_labels(struct ptx_operand *operand)
{
    if (operand->kind == OPERAND_LABEL && operand->label && operand->label->instruction <= -2)
        operand->label->instruction = -2 - operand->label->instruction;
    for (unsigned i = 0; operand->kind == OPERAND_TARGETS && i < operand->count; i++)
        settle_labels(&operand->elements[i]);
}

static void each_operand(struct ptx_function *function, const int *place)
{
    for (size_t i = 0; i < function->instruction_count; i++)
        for (unsigned o = 0; o < function->instructions[i].operand_count; o++) {
            if (place)
                move_labels(&function->instructions[i].operands[o], place);
            else
                settle_labels(&function->instructions[i].operands[o]);
        }
}

static void add_insertions(const struct repair_editor *editor, int before, bool behind_label, struct ptx_instruction *list,
                           size_t *count)
{
    for (size_t i = 0; i < editor->insertion_count; i++)
        if (editor->insertions[i].before == before && editor->insertions[i].behind_label == behind_label)
            list[(*count)++] = editor->insertions[i].instruction;
}

bool repair_editor_end(struct repair_editor *editor)
{
    struct ptx_function *function = editor->function;
    size_t old_count = function->instruction_count, capacity = old_count + editor->insertion_count + 1, count = 0;
    struct ptx_instruction *list = arena_allocate(editor->arena, capacity * sizeof *list);
    int *place = arena_allocate(editor->arena, (old_count + 1) * sizeof *place);
    if (editor->failed || !list || !place)
        return false;
    for (size_t i = 0; i <= old_count; i++) {
        add_insertions(editor, (int)i, false, list, &count);
        place[i] = (int)count;
        add_insertions(editor, (int)i, true, list, &count);
        if (i < old_count && !editor->removed[i])
            list[count++] = function->instructions[i];
    }
    each_operand(function, place);
    function->instructions = list;
    function->instruction_count = count;
    function->instruction_capacity = capacity;
    each_operand(function, NULL);
    return true;
}

/* ---- new instructions ---- */

struct ptx_instruction repair_instruction(struct repair_editor *editor, const char *spelling, unsigned operand_count,
                                          int like)
{
    const struct ptx_instruction *model = &editor->function->instructions[like];
    struct ptx_instruction instruction = {
        .spelling = arena_copy_text(editor->arena, spelling, strlen(spelling)),
        .guard = -1,
        .operands = arena_allocate(editor->arena, (operand_count + 1) * sizeof *instruction.operands),
        .operand_count = operand_count,
        .line = model->line,
        .column = model->column,
        .location = model->location};
    bool known_root;
    if (!instruction.spelling || !instruction.operands
        || !ptx_opcode_match(spelling, strlen(spelling), &instruction.opcode, &known_root))
        editor->failed = true;
    return instruction;
}

struct ptx_operand repair_register(int index)
{
    return (struct ptx_operand){.kind = OPERAND_REGISTER, .index = index, .second = -1, .special = -1};
}

struct ptx_operand repair_integer(uint64_t bits)
{
    return (struct ptx_operand){.kind = OPERAND_INTEGER, .bits = bits, .index = -1, .second = -1, .special = -1};
}

int repair_new_register(struct repair_editor *editor, enum ptx_type type)
{
    struct ptx_function *function = editor->function;
    struct ptx_register *grown = arena_grow(editor->arena, function->registers, function->register_count,
                                            function->register_count + 1, &function->register_capacity, sizeof *grown);
    if (!grown) {
        editor->failed = true;
        return 0;
    }
    function->registers = grown;
    grown[function->register_count] = (struct ptx_register){.name = "%repair", .type = type};
    return (int)function->register_count++;
}

void repair_insert(struct repair_editor *editor, int before, bool behind_label, struct ptx_instruction instruction)
{
    struct repair_insertion *grown = arena_grow(editor->arena, editor->insertions, editor->insertion_count,
                                                editor->insertion_count + 1, &editor->insertion_capacity, sizeof *grown);
    if (!grown) {
        editor->failed = true;
        return;
    }
    editor->insertions = grown;
    grown[editor->insertion_count++] = (struct repair_insertion){before, behind_label, instruction};
}

/* ---- places that all threads pass ---- */

bool repair_insert_for_all(struct repair_editor *editor, int before, struct ptx_instruction instruction)
{
    /* The end of a block belongs to what comes before it. */
    int block = editor->block[before > 0 ? before - 1 : 0];
    bool behind_label = false;
    for (int climbed = 0; editor->divider[block] >= 0; climbed++) {
        block = editor->flow.blocks[editor->divider[block]].meeting;
        if (block < 0 || climbed > editor->flow.block_count)
            return false;
        before = editor->flow.steps[editor->flow.blocks[block].first].instruction;
        behind_label = true;
        if (before < 0) /* the end of the function */
            return false;
    }
    for (size_t i = 0; i < editor->insertion_count; i++) {
        const struct repair_insertion *other = &editor->insertions[i];
        if (other->before == before && other->behind_label == behind_label
            && other->instruction.opcode.form == instruction.opcode.form)
            return true;
    }
    repair_insert(editor, before, behind_label, instruction);
    return true;
}
