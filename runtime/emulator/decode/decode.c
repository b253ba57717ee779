/* Decoding a function: registers to slots, basic blocks to operations, branches to addresses. */
#include "runtime/emulator/decode/decode.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "runtime/emulator/machine/affine.h"
#include "runtime/emulator/machine/library.h"
#include "runtime/emulator/machine/warp.h"

enum { R_BYTES = 4 * WARP_LANES, Q_BYTES = 8 * WARP_LANES };

void decode_fail(struct decoder *decoder, const char *format, ...)
{
    if (decoder->failed)
        return;
    decoder->failed = true;
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const struct ptx_instruction *instruction = decoder->instruction;
    diagnostic_set_at(decoder->diagnostic, instruction ? instruction->line : decoder->function->line,
                      instruction ? instruction->column : 0, "%s%s%s", instruction ? instruction->spelling : "",
                      instruction ? ": " : "", message);
}

void decode_fail_memory(struct decoder *decoder)
{
    decoder->failed = true;
}

/* The operation reads and writes affine registers. */
static void make_affine(struct decoder *decoder, struct operation *operation)
{
    struct affine_site *site = arena_allocate(decoder->arena, sizeof *site);
    if (!site) {
        decode_fail_memory(decoder);
        return;
    }
    *site = (struct affine_site){.table = decoder->program->shapes};
    operation->run = decoder->executor->affine[operation->handler];
    operation->is_affine = true;
    if (operation->handler != HANDLER_cvta_window) /* which has an immediate, and needs no memory of shapes */
        operation->affine = site;
}

struct operation *decode_emit(struct decoder *decoder, enum handler handler)
{
    static struct operation scratch; /* what an emit writes to after a failure */
    struct operation *grown = arena_grow(decoder->arena, decoder->operations, decoder->count, decoder->count + 1,
                                         &decoder->capacity, sizeof *decoder->operations);
    if (!grown) {
        decode_fail_memory(decoder);
        return &scratch;
    }
    decoder->operations = grown;
    struct operation *operation = &grown[decoder->count++];
    memset(operation, 0, sizeof *operation);
    operation->handler = (uint16_t)handler;
    operation->run = decoder->executor->run[handler];
    operation->instruction = decoder->index;
    if (decoder->reads_affine && decoder->executor->affine[handler])
        make_affine(decoder, operation);
    return operation;
}

/* ---- places of values ---- */

int decode_part_of(enum ptx_type type)
{
    return type == PTX_PRED ? CONSTANT_P : decode_is_wide(type) ? CONSTANT_Q : CONSTANT_R;
}

uint32_t decode_temporary(struct decoder *decoder, int part)
{
    struct code *code = decoder->code;
    uint32_t offset = part == CONSTANT_P ? code->p_words : part == CONSTANT_Q ? code->q_bytes : code->r_bytes;
    if (part == CONSTANT_P)
        code->p_words++;
    else if (part == CONSTANT_Q)
        code->q_bytes += Q_BYTES;
    else
        code->r_bytes += R_BYTES;
    return offset;
}

uint32_t decode_constant(struct decoder *decoder, int part, uint64_t value)
{
    struct code *code = decoder->code;
    for (size_t i = 0; i < code->constant_count; i++)
        if ((int)code->constants[i].part == part && code->constants[i].source == CONSTANT_VALUE
            && code->constants[i].value == value)
            return code->constants[i].offset;
    void *grown = arena_grow(decoder->arena, code->constants, code->constant_count, code->constant_count + 1,
                             &code->constant_capacity, sizeof *code->constants);
    if (!grown) {
        decode_fail_memory(decoder);
        return 0;
    }
    code->constants = grown;
    uint32_t offset = decode_temporary(decoder, part);
    struct constant *constant = &code->constants[code->constant_count++];
    memset(constant, 0, sizeof *constant);
    constant->part = part;
    constant->source = CONSTANT_VALUE;
    constant->offset = offset;
    constant->value = value;
    return offset;
}

enum ptx_type decode_register_type(const struct decoder *decoder, const struct ptx_operand *operand)
{
    return operand->kind == OPERAND_REGISTER ? decoder->function->registers[operand->index].type : PTX_NONE;
}

/* May a register of one type be used where an instruction works on another? Sizes must be equal; integers match
 * whatever their sign; bits match everything, floats only floats (PTX ISA 9.4, Operand Type Checking). */
static bool types_agree(enum ptx_type declared, enum ptx_type needed)
{
    enum ptx_kind own = ptx_type_kind(declared), other = ptx_type_kind(needed);
    if (ptx_type_bytes(declared) != ptx_type_bytes(needed) || (own == KIND_PRED) != (other == KIND_PRED))
        return false;
    return own == KIND_BITS || other == KIND_BITS || (own == KIND_FLOAT) == (other == KIND_FLOAT);
}

static uint32_t register_of(struct decoder *decoder, int index, enum ptx_type needed)
{
    const struct ptx_register *reg = &decoder->function->registers[index];
    if (!types_agree(reg->type, needed)) {
        decode_fail(decoder, "register %s is declared .%s where a .%s is needed", reg->name, ptx_type_name(reg->type),
                    ptx_type_name(needed));
        return 0;
    }
    return decoder->register_offset[index];
}

/* A register that is read: by its lanes, unless the instruction knows affine registers. */
static uint32_t lanes_of(struct decoder *decoder, int index, enum ptx_type needed)
{
    uint32_t offset = register_of(decoder, index, needed);
    if (!decoder->reads_affine && decode_needs_lanes(decoder, index))
        decode_emit(decoder, decode_is_wide(needed) ? HANDLER_expand_q : HANDLER_expand_r)->a = offset;
    return offset;
}

/* The address of a variable as the instruction sees it. */
static uint64_t variable_value(struct decoder *decoder, const struct ptx_operand *operand)
{
    struct ptx_variable *variable = operand->variable;
    if (variable->space == SPACE_SHARED)
        return program_shared_address(decoder->program, variable) + (uint64_t)operand->offset;
    if (variable->space == SPACE_GLOBAL || variable->space == SPACE_CONST)
        return program_variable_address(decoder->program, variable) + (uint64_t)operand->offset;
    if (decoder->function->is_entry && variable->space == SPACE_PARAM)
        return decoder->program->parameters->address + variable->offset + (uint64_t)operand->offset;
    decode_fail(decoder,
                variable->space == SPACE_PARAM
                    ? "the address of '%s', a parameter of a function that is not a kernel, is outside of this kit: copy "
                      "the parameter to a .local variable and take the address of that"
                    : "the address of '%s' is not supported here",
                variable->name);
    return 0;
}

static uint64_t literal_bits(struct decoder *decoder, const struct ptx_operand *operand, enum ptx_type type)
{
    uint64_t bits = operand->bits;
    enum ptx_kind kind = ptx_type_kind(type);
    if (operand->kind != OPERAND_INTEGER && kind != KIND_FLOAT && kind != KIND_BITS)
        decode_fail(decoder, "a floating-point constant where a .%s is needed", ptx_type_name(type));
    if (operand->kind == OPERAND_F64 && ptx_type_bytes(type) == 4) {
        double wide;
        memcpy(&wide, &bits, sizeof wide);
        float narrow = (float)wide;
        uint32_t narrow_bits;
        memcpy(&narrow_bits, &narrow, sizeof narrow);
        return narrow_bits;
    }
    if (operand->kind == OPERAND_F32 && ptx_type_bytes(type) == 8) {
        float narrow;
        uint32_t narrow_bits = (uint32_t)bits;
        memcpy(&narrow, &narrow_bits, sizeof narrow);
        double wide = (double)narrow;
        memcpy(&bits, &wide, sizeof bits);
        return bits;
    }
    if (operand->kind == OPERAND_INTEGER && kind == KIND_FLOAT)
        decode_fail(decoder, "an integer constant where a float is needed: write it with a point, as in 1.0");
    return decode_is_wide(type) ? bits : (uint32_t)bits;
}

void decode_emit_unary(struct decoder *decoder, enum handler handler, uint32_t d, uint32_t a)
{
    struct operation *operation = decode_emit(decoder, handler);
    operation->d = d;
    operation->a = a;
}

/* Is the instruction in a loop that can do nothing but look at the time, and compute? Other threads cannot end it. */
static bool waits_for_time(const struct decoder *decoder)
{
    const struct ptx_function *function = decoder->function;
    for (size_t i = (size_t)decoder->index; i < function->instruction_count; i++) {
        const struct ptx_instruction *jump = &function->instructions[i];
        if (jump->opcode.form->role & (PTX_CONVERGES | PTX_LOADS | PTX_STORES | PTX_TEXELS | PTX_BARRIER))
            return false;
        if (jump->opcode.form->id != FORM_BRA || jump->operands[0].label->instruction > decoder->index)
            continue;
        for (int k = jump->operands[0].label->instruction; k < decoder->index; k++)
            if (function->instructions[k].opcode.form->role
                & (PTX_CONVERGES | PTX_LOADS | PTX_STORES | PTX_TEXELS | PTX_BARRIER))
                return false;
        return true;
    }
    return false;
}

static bool tells_time(enum ptx_special special)
{
    switch (special) {
    case SPECIAL_CLOCK:
    case SPECIAL_CLOCK_HI:
    case SPECIAL_CLOCK64:
    case SPECIAL_GLOBALTIMER:
    case SPECIAL_GLOBALTIMER_LO:
    case SPECIAL_GLOBALTIMER_HI: return true;
    default: return false;
    }
}

void decode_emit_special(struct decoder *decoder, uint32_t d, enum ptx_special special, bool wide)
{
    struct operation *operation = decode_emit(decoder, wide ? HANDLER_special_b64 : HANDLER_special_b32);
    operation->d = d;
    operation->a = ptx_special_kind(special);
    operation->b = ptx_special_axis(special);
    operation->extra = special;
    if (tells_time(special) && waits_for_time(decoder))
        operation->extra |= SPECIAL_WAITS;
}

uint32_t decode_source(struct decoder *decoder, const struct ptx_operand *operand, enum ptx_type type)
{
    int part = decode_part_of(type);
    switch (operand->kind) {
    case OPERAND_REGISTER: return lanes_of(decoder, operand->index, type);
    case OPERAND_INTEGER:
    case OPERAND_F32:
    case OPERAND_F64: return decode_constant(decoder, part, literal_bits(decoder, operand, type));
    case OPERAND_VARIABLE: {
        if (ptx_type_kind(type) == KIND_FLOAT)
            decode_fail(decoder, "the address of '%s' is an integer", operand->variable->name);
        uint64_t value = variable_value(decoder, operand);
        return decode_constant(decoder, part, part == CONSTANT_Q ? value : (uint32_t)value);
    }
    case OPERAND_FUNCTION:
        if (part != CONSTANT_Q)
            decode_fail(decoder, "the address of a function needs a 64-bit register");
        return decode_constant(decoder, CONSTANT_Q, FUNCTION_WINDOW + 16 * (uint64_t)operand->function->index);
    case OPERAND_SPECIAL: {
        bool wide = ptx_special_bytes((enum ptx_special)operand->special) == 8;
        if (ptx_type_kind(type) == KIND_FLOAT)
            decode_fail(decoder, "%s is an integer", ptx_special_name((enum ptx_special)operand->special));
        uint32_t temporary = decode_temporary(decoder, part);
        decode_emit_special(decoder, temporary, (enum ptx_special)operand->special, part == CONSTANT_Q);
        if (wide && part != CONSTANT_Q)
            decode_fail(decoder, "%s needs a 64-bit register", ptx_special_name((enum ptx_special)operand->special));
        return temporary;
    }
    default: decode_fail(decoder, "an operand of a kind that is not supported here"); return 0;
    }
}

uint32_t decode_destination(struct decoder *decoder, const struct ptx_operand *operand, enum ptx_type type)
{
    int part = decode_part_of(type);
    if (operand->kind == OPERAND_SINK)
        return decode_temporary(decoder, part);
    if (operand->kind != OPERAND_REGISTER) {
        decode_fail(decoder, "the destination must be a register");
        return 0;
    }
    return register_of(decoder, operand->index, type);
}

uint32_t decode_predicate(struct decoder *decoder, const struct ptx_operand *operand)
{
    if (operand->kind == OPERAND_INTEGER)
        return decode_constant(decoder, CONSTANT_P, operand->bits ? ALL_LANES : 0);
    if (operand->kind == OPERAND_SPECIAL && operand->special == SPECIAL_IS_EXPLICIT_CLUSTER) {
        uint32_t value = decode_temporary(decoder, CONSTANT_R), zero = decode_constant(decoder, CONSTANT_R, 0);
        uint32_t predicate = decode_temporary(decoder, CONSTANT_P);
        decode_emit_special(decoder, value, SPECIAL_IS_EXPLICIT_CLUSTER, false);
        struct operation *operation = decode_emit(decoder, HANDLER_ne_b32);
        operation->d = predicate;
        operation->a = value;
        operation->b = zero;
        return predicate;
    }
    if (operand->kind != OPERAND_REGISTER) {
        decode_fail(decoder, "a predicate is needed");
        return 0;
    }
    return register_of(decoder, operand->index, PTX_PRED);
}

uint32_t decode_parameter_slot(struct decoder *decoder, const struct ptx_variable *variable)
{
    const struct ptx_function *function = decoder->function;
    for (unsigned i = 0; i < function->parameter_count; i++)
        if (function->parameters[i] == variable)
            return decoder->code->parameter_slot + (uint32_t)(variable->offset / 8) * Q_BYTES;
    for (unsigned i = 0; i < function->result_count; i++)
        if (function->results[i] == variable)
            return decoder->code->result_slot + (uint32_t)(variable->offset / 8) * Q_BYTES;
    for (size_t i = 0; i < function->variable_count; i++)
        if (function->variables[i] == variable)
            return decoder->variable_slot[i];
    decode_fail(decoder, "'%s' is not a parameter that can be used here", variable->name);
    return 0;
}

struct memory_site *decode_site(struct decoder *decoder, uint32_t *index)
{
    static struct memory_site scratch;
    struct memory_site *grown = arena_grow(decoder->arena, decoder->sites, decoder->site_count, decoder->site_count + 1,
                                           &decoder->site_capacity, sizeof *decoder->sites);
    if (!grown) {
        decode_fail_memory(decoder);
        return &scratch;
    }
    decoder->sites = grown;
    *index = (uint32_t)decoder->site_count;
    struct memory_site *site = &grown[decoder->site_count++];
    memset(site, 0, sizeof *site);
    site->index = *index;
    return site;
}

/* ---- operations of one instruction ---- */

void decode_emit_sources(struct decoder *decoder, const struct ptx_instruction *instruction, enum handler handler,
                         enum ptx_type to, const enum ptx_type *from, uint32_t extra)
{
    uint32_t source[3] = {0};
    unsigned count = instruction->operand_count - 1;
    for (unsigned i = 0; i < count && i < 3; i++)
        source[i] = decode_source(decoder, &instruction->operands[i + 1], from[i]);
    struct operation *operation = decode_emit(decoder, handler);
    operation->d = decode_destination(decoder, &instruction->operands[0], to);
    operation->a = source[0];
    operation->b = source[1];
    operation->c = source[2];
    operation->extra = extra;
}
