#include "runtime/emulator/observe/counters/chain.h"

#include <stdlib.h>
#include <string.h>

/* Latencies in cycles, to find the longest chain; what a chain really takes is the estimate's to say, with the figures of
 * its GPU. SHARED: tests/gpu/measured.md; GLOBAL: between level 2 and memory. Those of the instructions: instructions.def. */
enum { SHARED_CYCLES = 30, GLOBAL_CYCLES = 600 };

/* A point in time on a chain. */
struct moment {
    uint32_t cycles, shared_reads, global_reads;
};

enum memory_kind { SHARED_MEMORY, GLOBAL_MEMORY, OTHER_MEMORY };

struct analysis {
    const struct ptx_function *function;
    struct moment *ready;     /* [register_count] when a register's value is there; all zero between blocks */
    uint8_t *used;            /* [register_count] is it read? */
    struct moment ordered[2]; /* by memory_kind: no load of what may have been stored is issued before */
    struct moment latest;
    uint64_t slots;
};

static uint64_t length(const struct moment *moment)
{
    return moment->cycles + (uint64_t)moment->shared_reads * SHARED_CYCLES + (uint64_t)moment->global_reads * GLOBAL_CYCLES;
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

/* An atomic operation whose result nobody reads becomes one that returns none. */
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

static void step_memory(struct analysis *analysis, const struct ptx_instruction *instruction, struct moment *moment)
{
    enum memory_kind kind = memory_of(instruction);
    bool reads = returns_value(analysis, instruction), writes = instruction->opcode.form->role & PTX_STORES;
    if (kind == OTHER_MEMORY) {
        moment->cycles += instruction->opcode.form->cycles;
    } else {
        bool constant = ptx_has(&instruction->opcode, MOD_nc);
        if (reads && !constant)
            wait_for(moment, &analysis->ordered[kind]);
        if (writes)
            wait_for(&analysis->ordered[kind], moment);
        moment->shared_reads += reads && kind == SHARED_MEMORY;
        moment->global_reads += reads && kind == GLOBAL_MEMORY;
    }
}

static void step(struct analysis *analysis, const struct ptx_instruction *instruction)
{
    struct moment moment = {0};
    const struct ptx_form *form = instruction->opcode.form;
    analysis->slots += form->slots;
    visit_sources(instruction, analysis, read_register, &moment);
    if (form->role & (PTX_LOADS | PTX_STORES)) {
        step_memory(analysis, instruction, &moment);
    } else {
        moment.cycles += form->cycles;
        if (form->role & PTX_BARRIER) {
            wait_for(&moment, &analysis->latest);
            analysis->ordered[SHARED_MEMORY] = analysis->ordered[GLOBAL_MEMORY] = moment;
        }
    }
    if (ptx_form_defines(instruction->opcode.form) && instruction->operand_count)
        each_register(&instruction->operands[0], write_register, analysis, &moment);
    wait_for(&analysis->latest, &moment);
}

/* Adds the basic block of instructions [first, end), which `warps` warps executed. */
static void add_block(struct analysis *analysis, size_t first, size_t end, uint64_t warps, struct chain *chain)
{
    const struct ptx_instruction *instructions = analysis->function->instructions;
    memset(analysis->ordered, 0, sizeof analysis->ordered);
    analysis->latest = (struct moment){0};
    analysis->slots = 0;
    for (size_t i = first; i < end; i++)
        step(analysis, &instructions[i]);
    for (size_t i = first; i < end; i++)
        if (ptx_form_defines(instructions[i].opcode.form) && instructions[i].operand_count)
            each_register(&instructions[i].operands[0], forget_register, analysis, NULL);
    chain->issue_slots += warps * analysis->slots;
    chain->cycles += warps * analysis->latest.cycles;
    chain->shared_reads += warps * analysis->latest.shared_reads;
    chain->global_reads += warps * analysis->latest.global_reads;
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
