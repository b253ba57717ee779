/* Decoding one function: its frame, its blocks, each instruction by its form. */
#include "runtime/emulator/decode/decode.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "runtime/emulator/machine/affine.h"
#include "runtime/emulator/machine/library.h"
#include "runtime/emulator/machine/roles.h"
#include "runtime/emulator/machine/warp.h"

enum { R_BYTES = 4 * WARP_LANES, Q_BYTES = 8 * WARP_LANES };

typedef void decode_form(struct decoder *, const struct ptx_instruction *);

static decode_form *const decoders[FORM_COUNT] = {
#define INSTRUCTION(id, root, pattern, operands, decoder, ...) [FORM_##id] = decode_##decoder,
#include "runtime/language/ptx/instructions.def"
#undef INSTRUCTION
};

/* ---- layout of a frame ---- */

/* Parameters of functions are laid out in words of 8 bytes, each starting a new word. */
static uint32_t word_slots(uint64_t bytes)
{
    return (uint32_t)((bytes + 7) / 8) * Q_BYTES;
}

static void lay_out_parameters(struct ptx_variable *const *list, unsigned count, uint32_t *words_bytes)
{
    uint64_t offset = 0;
    for (unsigned i = 0; i < count; i++) {
        list[i]->offset = offset;
        offset += (list[i]->bytes + 7) / 8 * 8;
    }
    *words_bytes = word_slots(offset);
}

/* Far more than a compiler makes of a hand-written kernel, and half a megabyte per thread. */
#define MOST_REGISTERS (1 << 16)

/* The operations that the instructions mean. */
static bool pick_all(struct decoder *decoder)
{
    const struct ptx_function *function = decoder->function;
    decoder->picks = arena_allocate(decoder->arena, (function->instruction_count + 1) * sizeof *decoder->picks);
    for (size_t i = 0; decoder->picks && i < function->instruction_count; i++)
        decoder->picks[i] = pick_operation(&function->instructions[i].opcode);
    return decoder->picks;
}

static bool lay_out(struct decoder *decoder)
{
    const struct ptx_function *function = decoder->function;
    struct code *code = decoder->code;
    if (function->register_count > MOST_REGISTERS) {
        decode_fail(decoder, "'%s' has %zu registers; the emulator has room for %d per function", function->name,
                    (size_t)function->register_count, MOST_REGISTERS);
        return false;
    }
    decoder->register_offset = arena_allocate(decoder->arena, function->register_count * sizeof(uint32_t) + 1);
    decoder->variable_slot = arena_allocate(decoder->arena, function->variable_count * sizeof(uint32_t) + 1);
    if (!decoder->register_offset || !decoder->variable_slot)
        return false;
    if (!function->is_entry) {
        uint32_t bytes;
        code->return_slot = decode_temporary(decoder, CONSTANT_Q);
        code->parameter_slot = code->q_bytes;
        lay_out_parameters(function->parameters, function->parameter_count, &bytes);
        code->q_bytes += bytes;
        code->result_slot = code->q_bytes;
        lay_out_parameters(function->results, function->result_count, &bytes);
        code->q_bytes += bytes;
    }
    for (size_t i = 0; i < function->register_count; i++)
        decoder->register_offset[i] = decode_temporary(decoder, decode_part_of(function->registers[i].type));
    uint64_t local = 0;
    for (size_t i = 0; i < function->variable_count; i++) {
        struct ptx_variable *variable = function->variables[i];
        if (variable->space == SPACE_PARAM) {
            decoder->variable_slot[i] = code->q_bytes;
            if (variable->bytes > 1 << 16) {
                decode_fail(decoder, "parameter '%s' is larger than 64 KiB", variable->name);
                return false;
            }
            code->q_bytes += word_slots(variable->bytes);
        } else if (variable->space == SPACE_LOCAL) {
            local = (local + variable->align - 1) / variable->align * variable->align;
            variable->offset = local;
            local += variable->bytes;
        }
    }
    if (local > 512 << 10) {
        diagnostic_set(decoder->diagnostic, function->line,
                       "'%s' uses %llu bytes of local memory per thread; the limit is 512 KiB", function->name,
                       (unsigned long long)local);
        decoder->failed = true;
        return false;
    }
    code->local_bytes = (uint32_t)((local + 15) / 16 * 16);
    return true;
}

/* ---- steps and blocks ---- */

/* brx.idx: a predicate that says whether the index is this one. */
static uint32_t is_chosen(struct decoder *decoder, const struct ptx_instruction *instruction, uint32_t choice)
{
    uint32_t index = decode_source(decoder, &instruction->operands[0], PTX_U32);
    uint32_t other = decode_constant(decoder, CONSTANT_R, choice), predicate = decode_temporary(decoder, CONSTANT_P);
    struct operation *operation = decode_emit(decoder, HANDLER_eq_b32);
    operation->d = predicate;
    operation->a = index;
    operation->b = other;
    return predicate;
}

static void decode_step(struct decoder *decoder, const struct flow_step *step)
{
    uint32_t condition;
    decoder->index = step->instruction;
    decoder->instruction = step->instruction >= 0 ? &decoder->function->instructions[step->instruction] : NULL;
    const struct ptx_instruction *instruction = decoder->instruction;
    struct operation *operation;
    decoder->reads_affine = instruction && decode_reads_affine(decoder, instruction);
    switch (step->kind) {
    case FLOW_RETURN: decode_emit(decoder, decoder->function->is_entry ? HANDLER_exit : HANDLER_ret); break;
    case FLOW_JUMP:
        operation = decode_emit(decoder, HANDLER_jump);
        operation->immediate = (uint64_t)step->target; /* step, until patch() */
        break;
    case FLOW_BRANCH:
        assert(instruction); /* only the last step, a return, has none */
        condition = step->choice >= 0 ? is_chosen(decoder, instruction, (uint32_t)step->choice)
                                      : decoder->register_offset[instruction->guard];
        operation = decode_emit(decoder, HANDLER_branch);
        operation->a = condition;
        operation->negated = step->negated;
        operation->immediate = (uint64_t)step->target;
        break;
    default:
        if (decoder->known[step->instruction])
            break;
        if (instruction->guard >= 0 && !flow_needs_branch(instruction)) {
            size_t guard = decoder->count;
            operation = decode_emit(decoder, HANDLER_guard);
            operation->a = decoder->register_offset[instruction->guard];
            operation->negated = instruction->guard_negated;
            decoders[instruction->opcode.form->id](decoder, instruction);
            decoder->operations[guard].extra = (uint32_t)(decoder->count - guard - 1);
            decode_emit(decoder, HANDLER_unguard);
        } else {
            decoders[instruction->opcode.form->id](decoder, instruction);
        }
    }
}

/* Instructions of the PTX text in a block: what its entry adds to the counters. */
static uint32_t count_instructions(const struct flow *flow, const struct flow_block *block)
{
    uint32_t count = 0;
    for (int i = block->first; i <= block->last; i++)
        count += !flow->steps[i].synthetic && flow->steps[i].instruction >= 0;
    return count;
}

static bool decode_blocks(struct decoder *decoder, const struct flow *flow, size_t *block_start)
{
    struct code *code = decoder->code;
    for (int b = 0; b < flow->block_count && !decoder->failed; b++) {
        const struct flow_block *block = &flow->blocks[b];
        block_start[b] = decoder->count;
        decoder->instruction = NULL;
        decoder->index = flow->steps[block->first].instruction;
        struct operation *operation = decode_emit(decoder, block->is_meeting ? HANDLER_block_join : HANDLER_block);
        operation->extra = count_instructions(flow, block);
        operation->counters = &code->block_counters[b];
        for (int i = block->first; i <= block->last && !decoder->failed; i++) {
            if (flow->steps[i].instruction >= 0 && !flow->steps[i].synthetic)
                code->block_of_instruction[flow->steps[i].instruction] = (uint32_t)b;
            decode_step(decoder, &flow->steps[i]);
        }
    }
    return !decoder->failed;
}

/* Operations have their final places now: indices become pointers. */
static void patch(struct decoder *decoder, const struct flow *flow, const size_t *block_start)
{
    struct code *code = decoder->code;
    size_t guards = (size_t)flow->block_count;
    for (size_t i = 0; i < decoder->count; i++) {
        struct operation *operation = &decoder->operations[i];
        if (operation->handler == HANDLER_branch || operation->handler == HANDLER_jump) {
            const struct flow_step *target = &flow->steps[operation->immediate];
            operation->target = &decoder->operations[block_start[target->block]];
        } else if (operation->handler == HANDLER_guard) {
            operation->counters = &code->block_counters[guards++];
        } else if (operation_is(operation, ROLE_SITE)) {
            operation->site = &decoder->sites[operation->immediate];
            if (operation->site->affine_address) {
                operation->run = decoder->executor->affine[operation->handler];
                operation->is_affine = true;
            }
        }
    }
    for (int b = 0; b < flow->block_count; b++) {
        const struct flow_block *block = &flow->blocks[b];
        size_t end = b + 1 < flow->block_count ? block_start[b + 1] : decoder->count;
        struct operation *last = &decoder->operations[end - 1];
        if (last->handler == HANDLER_branch && block->meeting >= 0)
            last->reconverge = &decoder->operations[block_start[block->meeting]];
    }
    for (size_t i = 0; i < decoder->site_count; i++)
        decoder->sites[i].request_bytes = (uint8_t)(decoder->sites[i].bytes * decoder->sites[i].vector);
    decoder->executor->fuse(decoder->operations, decoder->count);
    code->operations = decoder->operations;
    code->operation_count = decoder->count;
    code->sites = decoder->sites;
    code->site_count = decoder->site_count;
}

bool decode_function(struct program *program, struct code *code, const struct executor *executor,
                     struct diagnostic *diagnostic)
{
    struct arena *arena = &program->module->arena;
    struct decoder decoder = {.program = program,
                              .code = code,
                              .function = code->function,
                              .arena = arena,
                              .diagnostic = diagnostic,
                              .executor = executor,
                              .index = -1};
    struct flow flow;
    if (!lay_out(&decoder) || !pick_all(&decoder) || !flow_analyse(code->function, arena, &flow)
        || !decode_live(&decoder, &flow) || !decode_known(&decoder) || !decode_affine(&decoder) || !decode_unset(&decoder))
        return false; /* without a message when out of memory */
    size_t guards = 0;
    for (size_t i = 0; i < code->function->instruction_count; i++)
        guards += code->function->instructions[i].guard >= 0;
    code->block_count = (size_t)flow.block_count + guards;
    code->block_counters = arena_allocate(arena, code->block_count * sizeof *code->block_counters);
    code->block_of_instruction = arena_allocate(arena, (code->function->instruction_count + 1) * sizeof(uint32_t));
    size_t *block_start = arena_allocate(arena, (size_t)flow.block_count * sizeof *block_start);
    code->reached = arena_allocate(arena, code->function->instruction_count + 1);
    code->outcomes = arena_allocate(arena, (code->function->instruction_count + 1) * sizeof *code->outcomes);
    if (!code->block_counters || !code->block_of_instruction || !code->reached || !code->outcomes || !block_start) {
        decode_fail_memory(&decoder);
        return false;
    }
    memset(code->block_of_instruction, 0, (code->function->instruction_count + 1) * sizeof(uint32_t));
    memset(code->block_counters, 0, code->block_count * sizeof *code->block_counters);
    memset(code->reached, 1, code->function->instruction_count);
    memset(code->outcomes, 0, (code->function->instruction_count + 1) * sizeof *code->outcomes);
    if (!decode_blocks(&decoder, &flow, block_start))
        return false;
    patch(&decoder, &flow, block_start);
    return true;
}
