#include "runtime/emulator/observe/counters/chain.h"

#include <stdlib.h>
#include <string.h>

/* Latencies in cycles, to find the longest chain; the estimate says how long a chain really takes, with the figures of
 * its GPU. SHARED: tests/gpu/measured.md; GLOBAL: between level 2 and memory. Those of the instructions:
 * instructions.def. */
enum { SHARED_CYCLES = 30, GLOBAL_CYCLES = 600, ATOMIC_CYCLES = 1200, SHARED_ATOMIC_CYCLES = 60 };

/* A point in time on a chain. */
struct moment {
    uint32_t cycles, shared_reads, global_reads, atomics, shared_atomics;
};

/* Stores to global memory in a basic block so far: those by one register that keeps its value are known to go elsewhere
 * than a load by the same one at another offset. */
enum { NO_STORE = -1, SEVERAL_STORES = -2, LOAD_BASES = 8 };

enum memory_kind { SHARED_MEMORY, GLOBAL_MEMORY, OTHER_MEMORY };

struct analysis {
    const struct ptx_function *function;
    struct moment *ready;     /* [register_count] when a register's value is there; all zero between blocks */
    uint8_t *used;            /* [register_count] is it read? */
    struct moment ordered[2]; /* by memory_kind: no load of what may have been stored is issued before */
    struct moment copied;     /* when the asynchronous copies so far have arrived */
    struct moment latest;
    int store_base; /* the register of all stores so far, or one of the above */
    uint64_t slots, double_slots, fences, loads, branching;
    int bases[LOAD_BASES]; /* registers that address them: the first few */
    unsigned base_count;
};

static uint64_t length(const struct moment *moment)
{
    return moment->cycles + (uint64_t)moment->shared_reads * SHARED_CYCLES + (uint64_t)moment->global_reads * GLOBAL_CYCLES
           + (uint64_t)moment->atomics * ATOMIC_CYCLES + (uint64_t)moment->shared_atomics * SHARED_ATOMIC_CYCLES;
}

static void wait_for(struct moment *moment, const struct moment *other)
{
    if (length(other) > length(moment))
        *moment = *other;
}

/* Calls `visit` for each register of the operand. */
static void each_register(const struct ptx_operand *operand, void (*visit)(struct analysis *, int, struct moment *),
                          struct analysis *analysis, struct moment *moment)
{
    if (operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_ADDRESS) {
        if (operand->index >= 0)
            visit(analysis, operand->index, moment);
        if (operand->kind == OPERAND_REGISTER && operand->second >= 0)
            visit(analysis, operand->second, moment);
    }
    for (unsigned i = 0; i < operand->count; i++)
        each_register(&operand->elements[i], visit, analysis, moment);
}

static void read_register(struct analysis *analysis, int index, struct moment *moment)
{
    wait_for(moment, &analysis->ready[index]);
}

static void write_register(struct analysis *analysis, int index, struct moment *moment)
{
    analysis->ready[index] = *moment;
    if (analysis->store_base == index)
        analysis->store_base = SEVERAL_STORES;
}

static void use_register(struct analysis *analysis, int index, struct moment *moment)
{
    (void)moment;
    analysis->used[index] = 1;
}

static void forget_register(struct analysis *analysis, int index, struct moment *moment)
{
    (void)moment;
    analysis->ready[index] = (struct moment){0};
}

static void ask_if_used(struct analysis *analysis, int index, struct moment *moment)
{
    if (analysis->used[index])
        moment->global_reads = 1;
}

static void visit_sources(const struct ptx_instruction *instruction, struct analysis *analysis,
                          void (*visit)(struct analysis *, int, struct moment *), struct moment *moment)
{
    if (instruction->guard >= 0)
        visit(analysis, instruction->guard, moment);
    for (unsigned i = ptx_form_defines(instruction->opcode.form); i < instruction->operand_count; i++)
        each_register(&instruction->operands[i], visit, analysis, moment);
}

static enum memory_kind memory_of(const struct ptx_instruction *instruction)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    if (ptx_has(opcode, MOD_shared) || ptx_has(opcode, MOD_shared_cta) || opcode->form->id == FORM_LDMATRIX)
        return SHARED_MEMORY;
    if (ptx_has(opcode, MOD_local) || ptx_has(opcode, MOD_const_space) || ptx_has(opcode, MOD_param)
        || ptx_has(opcode, MOD_param_entry) || ptx_has(opcode, MOD_param_func))
        return OTHER_MEMORY;
    return GLOBAL_MEMORY;
}

/* The register of the address of a load or store; -1: none. */
static int base_of(const struct ptx_instruction *instruction)
{
    unsigned first = ptx_form_defines(instruction->opcode.form);
    return first < instruction->operand_count && instruction->operands[first].kind == OPERAND_ADDRESS
               ? instruction->operands[first].index
               : -1;
}

/* An atomic operation whose result is never read becomes one that returns none. */
static bool returns_value(struct analysis *analysis, const struct ptx_instruction *instruction)
{
    struct moment asked = {0};
    uint32_t role = instruction->opcode.form->role;
    if (!(role & PTX_STORES))
        return true;
    if (role & PTX_LOADS)
        each_register(&instruction->operands[0], ask_if_used, analysis, &asked);
    return asked.global_reads;
}

static void note_load(struct analysis *analysis, int base)
{
    unsigned i = 0;
    while (i < analysis->base_count && analysis->bases[i] != base)
        i++;
    if (i == analysis->base_count && i < LOAD_BASES)
        analysis->bases[analysis->base_count++] = base;
    analysis->loads++;
}

static void step_memory(struct analysis *analysis, const struct ptx_instruction *instruction, struct moment *moment)
{
    enum memory_kind kind = memory_of(instruction);
    bool reads = returns_value(analysis, instruction), writes = instruction->opcode.form->role & PTX_STORES;
    bool atomic = writes && (instruction->opcode.form->role & PTX_LOADS);
    if (kind == OTHER_MEMORY) {
        moment->cycles += instruction->opcode.form->cycles;
    } else {
        int base = base_of(instruction);
        bool apart = ptx_has(&instruction->opcode, MOD_nc)
                     || (kind == GLOBAL_MEMORY && !atomic && base >= 0 && base == analysis->store_base);
        if (reads && !apart)
            wait_for(moment, &analysis->ordered[kind]);
        if (writes)
            wait_for(&analysis->ordered[kind], moment);
        if (writes && kind == GLOBAL_MEMORY)
            analysis->store_base = !atomic && (analysis->store_base == NO_STORE || analysis->store_base == base)
                                       ? base
                                       : SEVERAL_STORES;
        if (reads && !atomic && kind == GLOBAL_MEMORY)
            note_load(analysis, base);
        moment->shared_reads += reads && !atomic && kind == SHARED_MEMORY;
        moment->global_reads += reads && !atomic && kind == GLOBAL_MEMORY;
        moment->atomics += reads && atomic && kind == GLOBAL_MEMORY;
        moment->shared_atomics += reads && atomic && kind == SHARED_MEMORY;
    }
}

/* Asynchronous copies take as long as a load, but no thread needs them before a wait says so; one that lets some be under
 * way waits for earlier ones, which have had their time. Returns false for other instructions. */
static bool step_copy(struct analysis *analysis, const struct ptx_instruction *instruction, struct moment *moment)
{
    enum ptx_form_id form = instruction->opcode.form->id;
    if (form == FORM_CP_ASYNC) {
        note_load(analysis, -1);
        moment->global_reads++;
        wait_for(&analysis->copied, moment);
        return true;
    }
    bool all = form == FORM_CP_ASYNC_GROUP && ptx_has(&instruction->opcode, MOD_wait_all);
    bool none_left = form == FORM_CP_ASYNC_WAIT && instruction->operands[0].kind != OPERAND_REGISTER
                     && instruction->operands[0].bits == 0;
    if (all || none_left) {
        wait_for(moment, &analysis->copied);
        wait_for(moment, &analysis->latest);
        wait_for(&analysis->ordered[SHARED_MEMORY], moment);
        wait_for(&analysis->ordered[GLOBAL_MEMORY], moment);
        wait_for(&analysis->latest, moment);
    }
    return form == FORM_CP_ASYNC_GROUP || form == FORM_CP_ASYNC_WAIT;
}

/* A fence that waits for global memory. */
static bool is_wide_fence(const struct ptx_instruction *instruction)
{
    enum ptx_form_id form = instruction->opcode.form->id;
    return (form == FORM_MEMBAR || form == FORM_FENCE) && !ptx_has(&instruction->opcode, MOD_cta);
}

/* The code of a rounded division or root has a branch for operands that are out of the common: nothing else of the warp runs
 * beside it. */
static bool branches(const struct ptx_form *form)
{
    return form->id == FORM_DIV_FLOAT || form->id == FORM_DIV_F64 || form->id == FORM_RCP || form->id == FORM_SQRT;
}

static void step(struct analysis *analysis, const struct ptx_instruction *instruction)
{
    struct moment moment = {0};
    const struct ptx_form *form = instruction->opcode.form;
    analysis->slots += form->slots;
    analysis->fences += is_wide_fence(instruction);
    analysis->double_slots += instruction->opcode.types[0] == PTX_F64 ? form->slots : 0;
    visit_sources(instruction, analysis, read_register, &moment);
    if (step_copy(analysis, instruction, &moment))
        return;
    if (form->role & (PTX_LOADS | PTX_STORES)) {
        step_memory(analysis, instruction, &moment);
    } else {
        if (form->role & PTX_BARRIER)
            wait_for(&moment, &analysis->latest);
        moment.cycles += form->cycles;
        analysis->branching += branches(form) ? form->cycles : 0;
        if (form->role & PTX_BARRIER) {
            analysis->ordered[SHARED_MEMORY] = analysis->ordered[GLOBAL_MEMORY] = moment;
        }
    }
    if (ptx_form_defines(instruction->opcode.form) && instruction->operand_count)
        each_register(&instruction->operands[0], write_register, analysis, &moment);
    wait_for(&analysis->latest, &moment);
}

/* A loop of one basic block whose loads are under way together: four by the same register were one before the loop was
 * unrolled, and ptxas unrolls it once more by as much (as the times of such loops on an H200 show). */
enum { UNROLLED = 4, UNROLLED_AGAIN = 4 };

static bool is_unrolled_loop(const struct analysis *analysis, size_t first, size_t end)
{
    const struct ptx_instruction *last = &analysis->function->instructions[end - 1];
    if (last->opcode.form->id != FORM_BRA || analysis->latest.global_reads != 1 || !analysis->base_count
        || analysis->loads / analysis->base_count < UNROLLED)
        return false;
    const struct ptx_label *label = last->operands[0].label;
    return label && label->instruction >= 0 && (size_t)label->instruction == first;
}

/* Adds the basic block of instructions [first, end), which `warps` warps executed. */
static void add_block(struct analysis *analysis, size_t first, size_t end, uint64_t warps, struct chain *chain)
{
    const struct ptx_instruction *instructions = analysis->function->instructions;
    memset(analysis->ordered, 0, sizeof analysis->ordered);
    analysis->latest = analysis->copied = (struct moment){0};
    analysis->slots = analysis->double_slots = analysis->fences = analysis->loads = analysis->branching = 0;
    analysis->base_count = 0;
    analysis->store_base = NO_STORE;
    for (size_t i = first; i < end; i++)
        step(analysis, &instructions[i]);
    for (size_t i = first; i < end; i++)
        if (ptx_form_defines(instructions[i].opcode.form) && instructions[i].operand_count)
            each_register(&instructions[i].operands[0], forget_register, analysis, NULL);
    chain->issue_slots += warps * analysis->slots;
    chain->double_slots += warps * analysis->double_slots;
    chain->neighbours += analysis->base_count ? warps * analysis->loads / analysis->base_count : 0;
    chain->fences += warps * analysis->fences;
    chain->atomics += warps * analysis->latest.atomics;
    chain->shared_atomics += warps * analysis->latest.shared_atomics;
    uint64_t cycles = analysis->latest.cycles;
    chain->cycles += warps * (analysis->branching > cycles ? analysis->branching : cycles);
    chain->shared_reads += warps * analysis->latest.shared_reads;
    uint64_t reads = warps * analysis->latest.global_reads;
    chain->global_reads += is_unrolled_loop(analysis, first, end) ? (reads + UNROLLED_AGAIN - 1) / UNROLLED_AGAIN : reads;
}

void chain_add(const struct code *code, struct chain *chain)
{
    const struct ptx_function *function = code->function;
    struct analysis analysis = {.function = function};
    analysis.ready = calloc(function->register_count + 1, sizeof *analysis.ready);
    analysis.used = calloc(function->register_count + 1, sizeof *analysis.used);
    for (size_t i = 0; analysis.ready && analysis.used && i < function->instruction_count; i++)
        visit_sources(&function->instructions[i], &analysis, use_register, NULL);
    for (size_t first = 0, end; analysis.ready && analysis.used && first < function->instruction_count; first = end) {
        uint32_t block = code->block_of_instruction[first];
        for (end = first + 1; end < function->instruction_count && code->block_of_instruction[end] == block;)
            end++;
        if (code->block_counters[block].warps)
            add_block(&analysis, first, end, code->block_counters[block].warps, chain);
    }
    free(analysis.ready);
    free(analysis.used);
}
