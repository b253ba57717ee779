#include "runtime/emulator/decode/repair_rewrite.h"

#include <stdio.h>
#include <string.h>

/* ---- one atomic step ---- */

/* What an update does: `old` is what was read, `operand` what it is combined with. */
struct update {
    int load, combine, store;
    const char *operation; /* "add" */
    enum ptx_type type;    /* of the atomic */
    unsigned operand;      /* of the instruction that combines */
    bool negate;           /* it is subtracted */
    bool multiplies;       /* the operand is a product: operands 1 and 2 of a mad or fma */
};

static bool same_place(const struct ptx_operand *a, const struct ptx_operand *b)
{
    return a->index == b->index && a->variable == b->variable && a->offset == b->offset;
}

static int find_definition(const struct repair_editor *editor, int from, int index)
{
    for (int i = from - 1; i >= 0 && editor->block[i] == editor->block[from]; i--)
        if (repair_defines(&editor->function->instructions[i], index))
            return i;
    return -1;
}

/* The instruction that combines the value read with another; NULL: none that an atomic operation does. */
static const char *operation_of(const struct ptx_instruction *instruction)
{
    switch (instruction->opcode.form->id) {
    case FORM_ADD:
    case FORM_ADD_FLOAT:
    case FORM_SUB:
    case FORM_SUB_FLOAT:
    case FORM_MAD_LO:
    case FORM_FMA: return "add";
    case FORM_MIN: return "min";
    case FORM_MAX: return "max";
    case FORM_AND: return "and";
    case FORM_OR: return "or";
    case FORM_XOR: return "xor";
    default: return NULL;
    }
}

/* Atomic operations add .u32, .u64, .f32 and .f64; minima and maxima have a sign. */
static enum ptx_type atomic_type(const char *operation, enum ptx_type type)
{
    if (strcmp(operation, "add") != 0)
        return type;
    return type == PTX_S32 || type == PTX_B32 ? PTX_U32 : type == PTX_S64 || type == PTX_B64 ? PTX_U64 : type;
}

static bool is_register(const struct ptx_operand *operand, int index)
{
    return operand->kind == OPERAND_REGISTER && operand->index == index;
}

/* Which operand is not the value read. */
static bool take_operand(const struct ptx_instruction *combine, int old, struct update *update)
{
    enum ptx_form_id form = combine->opcode.form->id;
    const struct ptx_operand *operands = combine->operands;
    update->multiplies = form == FORM_MAD_LO || form == FORM_FMA;
    update->negate = form == FORM_SUB || form == FORM_SUB_FLOAT;
    if (update->multiplies)
        return is_register(&operands[3], old) && !is_register(&operands[1], old) && !is_register(&operands[2], old);
    bool first = is_register(&operands[1], old), second = is_register(&operands[2], old);
    update->operand = first ? 2 : 1;
    return first != second && !(update->negate && second);
}

static bool is_guarded_alike(const struct ptx_instruction *a, const struct ptx_instruction *b)
{
    return a->guard == b->guard && (a->guard < 0 || a->guard_negated == b->guard_negated);
}

/* Whether instruction `store` is the end of an update of one element within its basic block. */
static bool find_update(const struct repair_editor *editor, int store, struct update *update)
{
    const struct ptx_instruction *list = editor->function->instructions, *end = &list[store];
    if (end->opcode.form->id != FORM_ST || end->opcode.vector != 1 || end->operands[1].kind != OPERAND_REGISTER)
        return false;
    int value = end->operands[1].index, combine = find_definition(editor, store, value);
    if (combine < 0 || !(update->operation = operation_of(&list[combine])) || ptx_has(&list[combine].opcode, MOD_sat))
        return false;
    update->type = atomic_type(update->operation, list[combine].opcode.types[0]);
    if (ptx_type_bytes(update->type) != ptx_type_bytes(end->opcode.types[0]) || ptx_type_bytes(update->type) < 4)
        return false;
    for (int load = combine - 1; load >= 0 && editor->block[load] == editor->block[store]; load--) {
        const struct ptx_instruction *begin = &list[load];
        if (begin->opcode.form->id != FORM_LD || begin->opcode.vector != 1
            || !same_place(&begin->operands[1], &end->operands[0]) || begin->operands[0].kind != OPERAND_REGISTER)
            continue;
        int old = begin->operands[0].index;
        if (find_definition(editor, combine, old) != load || !take_operand(&list[combine], old, update)
            || !is_guarded_alike(begin, end) || !is_guarded_alike(&list[combine], end))
            return false;
        for (int i = load + 1; i < combine; i++) /* what it would have been is not known yet */
            if (ptx_instruction_reads(&list[i], old))
                return false;
        for (int i = load; i < store; i++) /* the element stays the same */
            if (end->operands[0].index >= 0 && repair_defines(&list[i], end->operands[0].index))
                return false;
        update->load = load;
        update->combine = combine;
        update->store = store;
        return true;
    }
    return false;
}

/* The operand of the atomic operation: computed before it where the instruction combines more than two values. */
static struct ptx_operand operand_of(struct repair_editor *editor, const struct update *update)
{
    const struct ptx_instruction *combine = &editor->function->instructions[update->combine];
    if (!update->negate && !update->multiplies)
        return combine->operands[update->operand];
    bool is_float = ptx_type_kind(update->type) == KIND_FLOAT, wide = ptx_type_bytes(update->type) == 8;
    const char *spelling = update->negate ? (is_float ? (wide ? "neg.f64" : "neg.f32")
                                             : wide   ? "neg.s64"
                                                      : "neg.s32")
                           : is_float     ? (wide ? "mul.rn.f64" : "mul.rn.f32")
                           : wide         ? "mul.lo.s64"
                                          : "mul.lo.s32";
    struct ptx_instruction step = repair_instruction(editor, spelling, update->negate ? 2 : 3, update->combine);
    int made = repair_new_register(editor, update->type);
    if (editor->failed)
        return repair_integer(0);
    combine = &editor->function->instructions[update->combine];
    step.operands[0] = repair_register(made);
    step.operands[1] = combine->operands[update->negate ? update->operand : 1];
    if (update->multiplies)
        step.operands[2] = combine->operands[2];
    repair_insert(editor, update->combine, false, step);
    return repair_register(made);
}

static const char *space_name(const struct ptx_opcode *opcode)
{
    return ptx_has(opcode, MOD_shared) || ptx_has(opcode, MOD_shared_cta) ? ".shared"
           : ptx_has(opcode, MOD_global)                                  ? ".global"
                                                                          : "";
}

bool repair_make_atomic(struct repair_editor *editor, int line)
{
    bool found = false;
    for (int i = 0; i < (int)editor->function->instruction_count && !editor->failed; i++) {
        struct update update = {0};
        if (editor->line[i] != line || !repair_writes(&editor->function->instructions[i]))
            continue;
        if (!find_update(editor, i, &update))
            return false; /* the line has a store that is no such update */
        char spelling[48];
        snprintf(spelling, sizeof spelling, "atom%s.%s.%s", space_name(&editor->function->instructions[i].opcode),
                 update.operation, ptx_type_name(update.type));
        struct ptx_operand operand = operand_of(editor, &update);
        struct ptx_instruction atomic = repair_instruction(editor, spelling, 3, update.combine);
        if (editor->failed)
            return false;
        const struct ptx_instruction *list = editor->function->instructions;
        atomic.operands[0] = list[update.load].operands[0];
        atomic.operands[1] = list[update.store].operands[0];
        atomic.operands[2] = operand;
        atomic.guard = list[update.store].guard;
        atomic.guard_negated = list[update.store].guard_negated;
        repair_insert(editor, update.combine, false, atomic);
        editor->removed[update.load] = editor->removed[update.store] = found = true;
    }
    return found;
}

/* ---- barriers inside of a statement ---- */

/* The branch that jumps around the block and nowhere else, so that guards can do its work; -1: there is none. */
static int find_jump_around(const struct repair_editor *editor, int block)
{
    const struct flow *flow = &editor->flow;
    if (block == 0)
        return -1;
    const struct flow_block *before = &flow->blocks[block - 1], *own = &flow->blocks[block];
    const struct flow_step *jump = &flow->steps[before->last];
    int behind = own->successors[0] >= 0 ? own->successors[0] : own->successors[1];
    bool one_way = own->successors[0] < 0 || own->successors[1] < 0;
    if (jump->kind != FLOW_BRANCH || jump->synthetic || jump->choice >= 0 || !one_way || before->successors[0] != behind
        || before->successors[1] != block)
        return -1;
    for (int b = 0; b < flow->block_count; b++) /* nobody else comes in */
        for (int s = 0; s < 2; s++)
            if (b != block - 1 && flow->blocks[b].successors[s] == block)
                return -1;
    return jump->instruction;
}

static bool is_barrier(const struct ptx_instruction *instruction)
{
    return instruction->opcode.form->id == FORM_BAR || instruction->opcode.form->id == FORM_BARRIER;
}

/* Takes away the branch around a block, whose instructions get its condition as a guard; barriers do not. Returns false when
 * that cannot be done. */
static bool open_block(struct repair_editor *editor, int block, int jump)
{
    struct ptx_instruction *list = editor->function->instructions;
    const struct flow_block *own = &editor->flow.blocks[block];
    int first = editor->flow.steps[own->first].instruction, last = editor->flow.steps[own->last].instruction;
    int guard = list[jump].guard;
    if (editor->removed[jump])
        return true;
    if (editor->flow.steps[own->last].kind == FLOW_JUMP)
        last--;
    for (int i = first; i <= last; i++)
        if (list[i].guard >= 0 || (flow_needs_branch(&list[i]) && !is_barrier(&list[i])) || repair_defines(&list[i], guard))
            return false;
    for (int i = first; i <= last; i++) {
        if (is_barrier(&list[i]))
            continue;
        list[i].guard = guard;
        list[i].guard_negated = !list[jump].guard_negated;
    }
    editor->removed[jump] = true;
    return true;
}

/* The accesses of one run of `line` that ends with a write at `end`. Returns false when it does not read before it writes. */
static bool find_middle(const struct repair_editor *editor, int end, int line, int *first_write)
{
    const struct ptx_instruction *list = editor->function->instructions;
    int last_read = -1;
    *first_write = end;
    for (int i = end - 1; i >= 0 && editor->block[i] == editor->block[end] && !repair_ends_line(editor, i, line); i--) {
        if (editor->line[i] == line && repair_writes(&list[i]))
            *first_write = i;
        else if (editor->line[i] == line && repair_reads(&list[i]) && last_read < 0)
            last_read = i;
    }
    return last_read >= 0 && last_read < *first_write;
}

bool repair_split(struct repair_editor *editor, int line, repair_make *make, bool for_all, bool behind)
{
    const struct ptx_instruction *list = editor->function->instructions;
    bool found = false;
    for (int end = 0; end < (int)editor->function->instruction_count && !editor->failed; end++) {
        int first_write;
        if (!repair_ends_line(editor, end, line) || !repair_writes(&list[end]))
            continue;
        if (!find_middle(editor, end, line, &first_write))
            return false;
        int jump = for_all ? find_jump_around(editor, editor->block[end]) : -1;
        bool opens = jump >= 0 && editor->varies[list[jump].guard];
        if (opens && !open_block(editor, editor->block[end], jump))
            return false;
        repair_insert(editor, first_write, false, make(editor, end));
        if (behind && for_all && !opens && !repair_insert_for_all(editor, end + 1, make(editor, end)))
            return false;
        if (behind && (opens || !for_all))
            repair_insert(editor, end + 1, false, make(editor, end));
        found = true;
    }
    return found;
}

bool repair_open_barrier(struct repair_editor *editor, int line)
{
    const struct ptx_function *function = editor->function;
    bool found = false;
    for (int i = 0; i < (int)function->instruction_count; i++) {
        if (editor->line[i] != line || !is_barrier(&function->instructions[i]))
            continue;
        int jump = find_jump_around(editor, editor->block[i]);
        if (jump < 0 || !editor->varies[function->instructions[jump].guard] || !open_block(editor, editor->block[i], jump))
            return false;
        found = true;
    }
    return found;
}

/* ---- other places of arrays and threads ---- */

static void change_space(struct ptx_opcode *opcode)
{
    if (!ptx_has(opcode, MOD_local))
        return;
    opcode->modifiers.bits[MOD_local / 64] &= ~(UINT64_C(1) << MOD_local % 64);
    opcode->modifiers.bits[MOD_shared / 64] |= UINT64_C(1) << MOD_shared % 64;
    for (unsigned i = 0; i < opcode->written_count; i++)
        if (opcode->written[i] == MOD_local)
            opcode->written[i] = MOD_shared;
}

bool repair_share_local(struct repair_editor *editor)
{
    struct ptx_function *function = editor->function;
    bool found = false;
    for (size_t i = 0; i < function->variable_count && function->is_entry; i++)
        if (function->variables[i]->space == SPACE_LOCAL) {
            function->variables[i]->space = SPACE_SHARED;
            found = true;
        }
    for (size_t i = 0; i < function->instruction_count && found; i++)
        change_space(&function->instructions[i].opcode);
    return found;
}

/* Does a thread that comes to this block leave the kernel without having done anything? */
static bool only_leaves(const struct repair_editor *editor, int block)
{
    const struct flow *flow = &editor->flow;
    for (int steps = 0; block >= 0 && steps <= flow->block_count; steps++) {
        const struct flow_block *own = &flow->blocks[block];
        for (int i = own->first; i <= own->last; i++) {
            const struct flow_step *step = &flow->steps[i];
            if (step->kind == FLOW_RETURN
                || (step->kind == FLOW_EXIT && step->instruction >= 0
                    && editor->function->instructions[step->instruction].opcode.form->id == FORM_EXIT))
                return true;
            if (step->kind == FLOW_BRANCH
                || (step->instruction >= 0
                    && (repair_is_access(&editor->function->instructions[step->instruction])
                        || (step->kind == FLOW_STRAIGHT
                            && flow_needs_branch(&editor->function->instructions[step->instruction])))))
                return false;
        }
        block = own->successors[0] >= 0 ? own->successors[0] : own->successors[1];
    }
    return false;
}

static bool waits_below(const struct repair_editor *editor, int instruction)
{
    for (size_t i = (size_t)instruction; i < editor->function->instruction_count; i++)
        if (editor->function->instructions[i].opcode.form->role & PTX_BARRIER)
            return true;
    return false;
}

bool repair_keep_threads(struct repair_editor *editor)
{
    struct ptx_function *function = editor->function;
    bool found = false;
    for (int b = 0; b < editor->flow.block_count; b++) {
        const struct flow_block *own = &editor->flow.blocks[b];
        const struct flow_step *last = &editor->flow.steps[own->last];
        if (last->kind != FLOW_BRANCH || last->choice >= 0 || last->instruction < 0 || own->successors[0] < 0
            || own->successors[1] < 0 || !waits_below(editor, last->instruction))
            continue;
        bool taken = only_leaves(editor, own->successors[0]), passed = only_leaves(editor, own->successors[1]);
        if (taken == passed || !editor->varies[function->instructions[last->instruction].guard])
            continue;
        enum ptx_form_id form = function->instructions[last->instruction].opcode.form->id;
        if (last->synthetic && form != FORM_RET && form != FORM_EXIT) /* a guarded barrier or call */
            continue;
        if (last->synthetic || taken)
            editor->removed[last->instruction] = true;
        else /* the return follows: always jump over it */
            function->instructions[last->instruction].guard = -1;
        found = true;
    }
    for (size_t i = 0; i < function->instruction_count && found; i++)
        if (repair_is_access(&function->instructions[i]))
            function->instructions[i].skips_outside = -1;
    return found;
}
