/* Loading a module: parse, place variables, decode, resolve addresses. */
#include "runtime/emulator/decode/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/decode/decode.h"
#include "runtime/emulator/decode/repair.h"
#include "runtime/emulator/machine/affine.h"
#include "runtime/emulator/machine/barrier_lines.h"
#include "runtime/emulator/machine/useful.h"
#include "runtime/emulator/machine/warp.h"
#include "runtime/emulator/settings/settings.h"
#include "runtime/language/demangle.h"
#include "runtime/language/source.h"

/* Without ptxas the number of registers is not known; with this many, every block size can run. */
enum { REGISTERS_A_THREAD = 32, PARAMETER_BYTES = 1 << 20, RECURSION_LEVELS = 256, RECURSION_LOCAL = 64 << 10 };
/* Bytes of registers that a warp has for calls whose depth nobody knows: a block of 1024 threads must fit (check_memory). */
enum { RECURSION_REGISTERS = 768 << 10 };

/* ---- variables ---- */

static bool place_variables(struct program *program, struct diagnostic *diagnostic)
{
    struct ptx_module *module = program->module;
    program->variables = arena_allocate(&module->arena, (module->variable_count + 1) * sizeof *program->variables);
    program->parameters = memory_allocate(program->memory, PARAMETER_BYTES, MEMORY_PARAM);
    if (!program->variables || !program->parameters)
        return false;
    for (size_t i = 0; i < module->variable_count; i++) {
        const struct ptx_variable *variable = module->variables[i];
        if (variable->space == SPACE_SHARED)
            continue;
        if (variable->is_extern) {
            diagnostic_set(diagnostic, variable->line, "variable '%s' is declared extern but never defined", variable->name);
            return false;
        }
        enum memory_kind kind = variable->space == SPACE_CONST ? MEMORY_CONST
                                : variable->is_managed         ? MEMORY_HOST /* the host uses the same address */
                                                               : MEMORY_GLOBAL;
        struct memory_allocation *allocation = memory_allocate(program->memory, variable->bytes ? variable->bytes : 1, kind);
        if (!allocation)
            return false;
        if (kind == MEMORY_CONST) /* program_widen_address() finds it again */
            allocation->address += program->variable_count % MOST_NARROW_CONSTANTS * CONST_SPAN + CONST_SPAN / 2;
        demangle_variable(variable->name, allocation->name, sizeof allocation->name);
        if (variable->initial)
            memcpy(allocation->host, variable->initial, variable->initial_bytes);
        memory_mark_written(allocation, 0, allocation->bytes); /* the loader writes zeros or the initial value */
        program->variables[program->variable_count++] =
            (struct program_variable){.name = variable->name, .allocation = allocation, .constant = kind == MEMORY_CONST};
    }
    return true;
}

static bool resolve_relocations(struct program *program, struct diagnostic *diagnostic)
{
    const struct ptx_module *module = program->module;
    for (size_t i = 0, place = 0; i < module->variable_count; i++) {
        const struct ptx_variable *variable = module->variables[i];
        if (variable->space == SPACE_SHARED)
            continue;
        struct memory_allocation *allocation = program->variables[place++].allocation;
        for (const struct ptx_relocation *r = variable->relocations; r; r = r->next) {
            uint64_t address = 0;
            const struct program_variable *target = program_find_variable(program, r->symbol);
            if (target)
                address = target->allocation->address;
            for (size_t f = 0; f < module->function_count && !address; f++)
                if (strcmp(module->functions[f]->name, r->symbol) == 0)
                    address = FUNCTION_WINDOW + 16 * (uint64_t)f;
            if (!address) {
                diagnostic_set(diagnostic, variable->line, "'%s' is initialised with '%s', which is never defined",
                               variable->name, r->symbol);
                return false;
            }
            address += (uint64_t)r->addend;
            if (r->mask)
                allocation->host[r->offset] = (uint8_t)(address >> __builtin_ctzll(r->mask));
            else
                memcpy(allocation->host + r->offset, &address, sizeof address);
        }
    }
    return true;
}

/* ---- what a kernel reaches ---- */

struct depth {
    uint64_t r, q, p, local;
};

struct reach {
    struct program *program;
    /* [function_count] each, reused for every kernel: a mark counts when it is the kernel's own number */
    uint32_t number;
    uint32_t *seen;
    uint32_t *open; /* on the current call chain */
    uint32_t *done; /* depth is known: a function with many callers is followed once */
    struct depth *depth;
    struct code *entry;
    size_t shared_capacity;
    bool failed, recursive;
};

static void add_shared(struct reach *reach, struct ptx_variable *variable)
{
    struct code *entry = reach->entry;
    for (size_t i = 0; i < entry->shared_count; i++)
        if (entry->shared[i].variable == variable)
            return;
    void *grown = arena_grow(&reach->program->module->arena, entry->shared, entry->shared_count, entry->shared_count + 1,
                             &reach->shared_capacity, sizeof *entry->shared);
    if (!grown) {
        reach->failed = true;
        return;
    }
    entry->shared = grown;
    bool dynamic = variable->bytes == 0;
    uint32_t slot = program_shared_address(reach->program, variable) >> SHARED_SLOT_BITS;
    if (!dynamic) {
        entry->shared_bytes = (entry->shared_bytes + variable->align - 1) / variable->align * variable->align;
    } else if (entry->shared_align < variable->align) {
        entry->shared_align = variable->align;
    }
    entry->shared[entry->shared_count++] = (struct shared_array){.variable = variable,
                                                                 .slot = slot,
                                                                 .dynamic = dynamic,
                                                                 .offset = entry->shared_bytes,
                                                                 .bytes = (uint32_t)variable->bytes};
    if (variable->bytes > UINT32_MAX / 2 || entry->shared_bytes + variable->bytes > UINT32_MAX / 2)
        entry->shared_bytes = UINT32_MAX / 2; /* no launch will accept it */
    else
        entry->shared_bytes += (uint32_t)variable->bytes;
}

static void add_operand(struct reach *reach, const struct ptx_operand *operand)
{
    if (operand->variable && operand->variable->space == SPACE_SHARED)
        add_shared(reach, operand->variable);
    for (unsigned i = 0; i < operand->count; i++)
        add_operand(reach, &operand->elements[i]);
}

static struct depth deepest(struct depth a, struct depth b)
{
    return (struct depth){a.r > b.r ? a.r : b.r, a.q > b.q ? a.q : b.q, a.p > b.p ? a.p : b.p,
                          a.local > b.local ? a.local : b.local};
}

/* Walks the calls of a function; returns the deepest stack below and including it. */
static struct depth follow(struct reach *reach, int index, int level)
{
    const struct ptx_function *function = reach->program->module->functions[index];
    const struct code *code = &reach->program->code[index];
    struct depth below = {0};
    if (!function->has_body)
        return below;
    if (reach->done[index] == reach->number)
        return reach->depth[index];
    if (reach->open[index] == reach->number || level > 200) {
        reach->recursive = true;
        return below;
    }
    reach->open[index] = reach->number;
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        for (unsigned o = 0; o < instruction->operand_count; o++)
            add_operand(reach, &instruction->operands[o]);
        if (instruction->opcode.form->id != FORM_CALL)
            continue;
        if (instruction->operands[0].kind == OPERAND_REGISTER) {
            reach->recursive = true; /* the address may be that of any function */
            for (size_t f = 0; f < reach->program->module->function_count; f++)
                if (!reach->program->module->functions[f]->is_entry && reach->open[f] != reach->number
                    && reach->seen[f] != reach->number) {
                    reach->seen[f] = reach->number;
                    below = deepest(below, follow(reach, (int)f, level + 1));
                }
        } else {
            below = deepest(below, follow(reach, instruction->operands[0].function->index, level + 1));
        }
    }
    reach->open[index] = 0;
    reach->done[index] = reach->number;
    reach->depth[index] = (struct depth){below.r + code->r_bytes, below.q + code->q_bytes, below.p + code->p_words,
                                         below.local + code->local_bytes};
    return reach->depth[index];
}

static bool finish_entry(struct reach *reach, struct code *entry)
{
    reach->number++;
    reach->entry = entry;
    reach->shared_capacity = 0;
    reach->recursive = false;
    entry->shared_align = 16;
    struct depth depth = follow(reach, entry->function->index, 0);
    if (reach->recursive) {
        entry->recursive = true;
        uint64_t once = depth.r + depth.q + depth.p * 4, levels = once > 0 ? RECURSION_REGISTERS / once : RECURSION_LEVELS;
        levels = levels < 2 ? 2 : levels > RECURSION_LEVELS ? RECURSION_LEVELS : levels;
        depth = (struct depth){depth.r * levels, depth.q * levels, depth.p * levels, depth.local * RECURSION_LEVELS};
        if (depth.local > RECURSION_LOCAL)
            depth.local = RECURSION_LOCAL;
    }
    if (depth.r > UINT32_MAX / 4 || depth.q > UINT32_MAX / 4)
        depth.r = depth.q = UINT32_MAX / 4;
    entry->stack_r = (uint32_t)depth.r;
    entry->stack_q = (uint32_t)depth.q;
    entry->stack_p = (uint32_t)depth.p;
    entry->stack_local = (uint32_t)depth.local;
    return !reach->failed;
}

/* ---- functions ---- */

static uint64_t product(const uint32_t dimensions[3])
{
    return (uint64_t)dimensions[0] * dimensions[1] * dimensions[2];
}

static bool describe_kernel(struct program *program, const struct code *code, struct program_function *kernel)
{
    const struct ptx_function *function = code->function;
    struct program_parameter *parameters = arena_allocate(&program->module->arena,
                                                          (function->parameter_count + 1) * sizeof *parameters);
    if (!parameters)
        return false;
    for (unsigned i = 0; i < function->parameter_count; i++) {
        const struct ptx_variable *variable = function->parameters[i];
        parameters[i] = (struct program_parameter){.name = variable->name,
                                                   .offset = (uint32_t)variable->offset,
                                                   .bytes = (uint32_t)variable->bytes,
                                                   .align = variable->align,
                                                   .pointer_sized = variable->bytes == 8
                                                                    && ptx_type_bytes(variable->type) == 8};
    }
    uint64_t max_threads = product(function->max_threads);
    uint32_t shared_bytes = code->shared_bytes;
    for (size_t i = 0; i < code->shared_count; i++) /* what the system reserves does not count */
        shared_bytes -= code->shared[i].variable == program->module->reserved ? code->shared[i].bytes : 0;
    *kernel = (struct program_function){
        .name = function->name,
        .program = program,
        .parameters = parameters,
        .parameter_count = function->parameter_count,
        .parameter_bytes = function->parameter_bytes,
        .target = program->module->target,
        .max_cluster = function->max_cluster,
        .explicit_cluster = function->explicit_cluster,
        .max_threads = max_threads > UINT32_MAX ? UINT32_MAX : (uint32_t)max_threads,
        .register_count = function->max_registers && function->max_registers < REGISTERS_A_THREAD ? function->max_registers
                                                                                                  : REGISTERS_A_THREAD,
        .shared_bytes = shared_bytes,
        .local_bytes = code->stack_local,
        .index = (uint32_t)function->index};
    memcpy(kernel->required_cluster, function->required_cluster, sizeof kernel->required_cluster);
    memcpy(kernel->required_threads, function->required_threads, sizeof kernel->required_threads);
    return true;
}

/* Filled in once every function is decoded. */
static bool finish_kernels(struct program *program)
{
    const struct ptx_module *module = program->module;
    size_t count = module->function_count + 1, kernel = 0;
    struct reach reach = {.program = program};
    reach.seen = arena_allocate(&program->module->arena, 3 * count * sizeof *reach.seen);
    reach.depth = arena_allocate(&program->module->arena, count * sizeof *reach.depth);
    if (!reach.seen || !reach.depth)
        return false;
    reach.open = reach.seen + count;
    reach.done = reach.open + count;
    for (size_t i = 0; i < module->function_count; i++)
        if (module->functions[i]->is_entry && module->functions[i]->has_body
            && (!finish_entry(&reach, &program->code[i])
                || !describe_kernel(program, &program->code[i], &program->kernels[kernel++])))
            return false;
    return true;
}

static bool decode_all(struct program *program, const struct executor *executor, struct diagnostic *diagnostic)
{
    struct ptx_module *module = program->module;
    if (!executor) {
        diagnostic_set(diagnostic, 0, "LOCKSTEP_ISA=%s: this processor does not have that level", settings_get()->isa);
        return false;
    }
    program->code = arena_allocate(&module->arena, (module->function_count + 1) * sizeof *program->code);
    if (!program->code)
        return false;
    for (size_t i = 0; i < module->function_count; i++) {
        program->code[i].function = module->functions[i];
        program->code[i].program = program;
        program->kernel_count += module->functions[i]->is_entry && module->functions[i]->has_body;
    }
    for (size_t i = 0; i < module->function_count; i++)
        if (module->functions[i]->has_body && !decode_function(program, &program->code[i], executor, diagnostic))
            return false;
    useful_weigh(program);
    if (program->shared_slots > SHARED_MAX_SLOTS) {
        diagnostic_set(diagnostic, 0, "the module has more than %d shared arrays", SHARED_MAX_SLOTS);
        return false;
    }
    program->kernels = arena_allocate(&module->arena, (program->kernel_count + 1) * sizeof *program->kernels);
    if (!program->kernels)
        return false;
    return finish_kernels(program);
}

enum program_status program_load(const char *text, size_t length, struct memory *memory, const struct profile *profile,
                                 const struct executor *executor, struct program **result, struct diagnostic *diagnostic)
{
    struct ptx_module *module;
    struct diagnostic own;
    *result = NULL;
    if (!diagnostic)
        diagnostic = &own;
    diagnostic_clear(diagnostic);
    enum ptx_status parsed = ptx_parse(text, length, &module, diagnostic);
    if (parsed != PTX_OK)
        return parsed == PTX_NEWER_VERSION   ? PROGRAM_UNSUPPORTED_VERSION
               : parsed == PTX_NOT_PTX       ? PROGRAM_NOT_PTX
               : parsed == PTX_OUT_OF_MEMORY ? PROGRAM_OUT_OF_MEMORY
                                             : PROGRAM_INVALID_PTX;
    struct program *program = calloc(1, sizeof *program);
    if (!program) {
        ptx_module_destroy(module);
        return PROGRAM_OUT_OF_MEMORY;
    }
    program->module = module;
    program->memory = memory;
    program->shapes = shape_table_create();
    program->profile = profile;
    if (program->shapes && repair_apply(module, settings_get()->repair, diagnostic) && place_variables(program, diagnostic)
        && decode_all(program, executor, diagnostic) && resolve_relocations(program, diagnostic)) {
        *result = program;
        return PROGRAM_OK;
    }
    program_destroy(program);
    return *diagnostic->message ? PROGRAM_INVALID_PTX : PROGRAM_OUT_OF_MEMORY;
}

bool program_set_source(struct program *program, const char *text, size_t bytes)
{
    char *copy = malloc(bytes + 1);
    if (!copy)
        return false;
    memcpy(copy, text, bytes);
    free(program->source_text);
    source_destroy(program->source);
    program->source = NULL;
    program->source_text = copy;
    program->source_bytes = bytes;
    return true;
}

void program_destroy(struct program *program)
{
    if (!program)
        return;
    shape_table_destroy(program->shapes);
    source_destroy(program->source);
    barrier_lines_destroy(program->barriers);
    free(program->source_text);
    for (size_t i = 0; i < program->variable_count; i++)
        memory_free(program->memory, program->variables[i].allocation->address);
    if (program->parameters)
        memory_free(program->memory, program->parameters->address);
    ptx_module_destroy(program->module);
    free(program);
}

const struct program_function *program_find_function(const struct program *program, const char *name)
{
    for (size_t i = 0; i < program->kernel_count; i++)
        if (strcmp(program->kernels[i].name, name) == 0)
            return &program->kernels[i];
    return NULL;
}

struct program_variable *program_find_variable(const struct program *program, const char *name)
{
    for (size_t i = 0; i < program->variable_count; i++)
        if (strcmp(program->variables[i].name, name) == 0)
            return &program->variables[i];
    return NULL;
}

const struct program_function *program_function_at(const struct program *program, size_t position)
{
    return position < program->kernel_count ? &program->kernels[position] : NULL;
}

size_t program_function_count(const struct program *program)
{
    return program->kernel_count;
}
