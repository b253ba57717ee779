/* Decoding loads, stores and atomics. */
#include "runtime/emulator/decode/decode.h"

#include <string.h>

#include "runtime/emulator/machine/warp.h"

static enum site_space space_of(const struct ptx_opcode *opcode)
{
    if (ptx_has(opcode, MOD_shared) || ptx_has(opcode, MOD_shared_cta) || ptx_has(opcode, MOD_shared_cluster))
        return SITE_SHARED;
    if (ptx_has(opcode, MOD_local))
        return SITE_LOCAL;
    if (ptx_has(opcode, MOD_global) || ptx_has(opcode, MOD_const_space))
        return SITE_GLOBAL;
    return SITE_GENERIC;
}

bool decode_in_param_space(const struct ptx_opcode *opcode)
{
    return ptx_has(opcode, MOD_param) || ptx_has(opcode, MOD_param_entry) || ptx_has(opcode, MOD_param_func);
}

/* What the memory model needs to know about the access. */
static void decode_order(const struct ptx_opcode *opcode, struct memory_site *site)
{
    bool relaxed = ptx_has(opcode, MOD_relaxed), acq_rel = ptx_has(opcode, MOD_acq_rel);
    site->acquire = ptx_has(opcode, MOD_acquire) || acq_rel;
    site->release = ptx_has(opcode, MOD_release) || acq_rel;
    site->is_volatile = ptx_has(opcode, MOD_volatile) || ptx_has(opcode, MOD_cv);
    site->strong = relaxed || site->acquire || site->release || site->is_volatile || ptx_has(opcode, MOD_mmio);
    site->scope = ptx_has(opcode, MOD_cta) ? 0 : ptx_has(opcode, MOD_sys) ? 2 : 1;
    site->read_only_path = ptx_has(opcode, MOD_nc);
}

uint32_t decode_widened(struct decoder *decoder, uint32_t narrow, bool is_wide, bool is_parameter)
{
    if (decoder->program->variable_count > MOST_NARROW_CONSTANTS && !is_parameter)
        decode_fail(decoder, "32-bit addresses of .const memory are supported in modules of at most %d variables",
                    MOST_NARROW_CONSTANTS);
    uint32_t wide = decode_temporary(decoder, CONSTANT_Q);
    if (!is_wide)
        decode_emit_unary(decoder, HANDLER_cvt_u64_u32, wide, narrow);
    struct operation *operation = decode_emit(decoder, HANDLER_widen_address);
    operation->a = is_wide ? narrow : wide;
    operation->d = wide;
    operation->immediate = (uintptr_t)decoder->program;
    operation->extra = is_parameter;
    return wide;
}

/* An address register of 16 bits is zero-extended (6.1.1): returns a register of 32. */
static uint32_t extend_address(struct decoder *decoder, int index)
{
    uint32_t zero = decode_constant(decoder, CONSTANT_R, 0), extended = decode_temporary(decoder, CONSTANT_R);
    uint32_t narrow = decode_source(decoder, &(struct ptx_operand){.kind = OPERAND_REGISTER, .index = index, .second = -1},
                                    PTX_U16);
    struct operation *operation = decode_emit(decoder, HANDLER_pack_b32_b16);
    operation->a = narrow;
    operation->b = zero;
    operation->d = extended;
    return extended;
}

/* The address operand: a register of any width, or a constant. Returns its place. */
uint32_t decode_place(struct decoder *decoder, const struct ptx_operand *operand, struct memory_site *site, bool affine)
{
    site->offset = operand->offset;
    site->address_in_r = site->affine_address = false;
    if (operand->index >= 0) {
        enum ptx_type type = decoder->function->registers[operand->index].type;
        site->address_in_r = !decode_is_wide(type);
        if (type == PTX_PRED || ptx_type_bytes(type) < 2)
            decode_fail(decoder, "an address register must have 16, 32 or 64 bits");
        if (ptx_type_bytes(type) == 2)
            return extend_address(decoder, operand->index);
        site->affine_address = affine && decode_address_is_affine(decoder, operand->index) && site->space != SITE_LOCAL
                               && !site->skips_outside;
        decoder->reads_affine = site->affine_address;
        uint32_t place =
            decode_source(decoder, &(struct ptx_operand){.kind = OPERAND_REGISTER, .index = operand->index, .second = -1},
                          site->address_in_r ? PTX_U32 : PTX_U64);
        decoder->reads_affine = false;
        return place;
    }
    if (!operand->variable) {
        site->offset = 0;
        return decode_constant(decoder, CONSTANT_Q, (uint64_t)operand->offset);
    }
    if (operand->variable->space == SPACE_LOCAL) {
        uint32_t temporary = decode_temporary(decoder, CONSTANT_Q);
        struct operation *operation = decode_emit(decoder, HANDLER_local_address);
        operation->d = temporary;
        operation->immediate = operand->variable->offset;
        return temporary;
    }
    site->affine_address = affine && decode_address_is_affine(decoder, -1) && !site->skips_outside;
    struct ptx_operand base = {.kind = OPERAND_VARIABLE, .variable = operand->variable, .index = -1, .second = -1};
    return decode_source(decoder, &base, PTX_U64);
}

/* Type of the register that element `operand` is loaded to or stored from. */
static enum ptx_type data_type(const struct decoder *decoder, const struct ptx_operand *operand, enum ptx_type type)
{
    enum ptx_type declared = decode_register_type(decoder, operand);
    return declared == PTX_NONE ? type : declared;
}

static const struct ptx_operand *element_of(const struct ptx_operand *operand, unsigned element)
{
    return operand->kind == OPERAND_VECTOR ? &operand->elements[element] : operand;
}

static bool check_vector(struct decoder *decoder, const struct ptx_instruction *instruction, const struct ptx_operand *data)
{
    unsigned elements = data->kind == OPERAND_VECTOR ? data->count : 1;
    if (elements != instruction->opcode.vector)
        decode_fail(decoder, "the vector has %u elements; the instruction needs %u", elements, instruction->opcode.vector);
    return !decoder->failed;
}

/* Values of one type in registers that are at least as wide (9.4.1, operand size exceeding instruction-type size). */
static enum ptx_type checked_type(struct decoder *decoder, const struct ptx_operand *operand, enum ptx_type type)
{
    enum ptx_type declared = data_type(decoder, operand, type);
    if (declared == PTX_PRED || ptx_type_bytes(declared) < ptx_type_bytes(type))
        decode_fail(decoder, "a register of .%s is too narrow for .%s", ptx_type_name(declared), ptx_type_name(type));
    return declared;
}

static void emit_parameter(struct decoder *decoder, const struct ptx_operand *to, enum ptx_type type, uint64_t offset)
{
    if (to->kind == OPERAND_SINK)
        return;
    enum ptx_type declared = checked_type(decoder, to, type);
    uint32_t d = decode_destination(decoder, to, declared);
    struct operation *operation = decode_emit(decoder,
                                              decode_is_wide(declared) ? HANDLER_parameter_b64 : HANDLER_parameter_b32);
    operation->d = d;
    operation->immediate = offset;
    operation->extra = ptx_type_bytes(type) | (ptx_type_kind(type) == KIND_SIGNED ? 16 : 0);
}

static void emit_slot(struct decoder *decoder, enum handler handler, const struct ptx_operand *data, enum ptx_type type,
                      uint32_t slot, uint64_t offset)
{
    if (data->kind == OPERAND_SINK)
        return;
    enum ptx_type declared = checked_type(decoder, data, type);
    uint32_t place = handler == HANDLER_slot_load ? decode_destination(decoder, data, declared)
                                                  : decode_source(decoder, data, declared);
    struct operation *operation = decode_emit(decoder, handler);
    operation->d = place;
    operation->a = slot;
    operation->immediate = offset;
    operation->extra = ptx_type_bytes(type) | (ptx_type_kind(type) == KIND_SIGNED ? 16 : 0)
                       | (decode_is_wide(declared) ? 32 : 0);
}

static bool is_kernel_parameter(const struct decoder *decoder, const struct ptx_variable *variable)
{
    for (unsigned i = 0; decoder->function->is_entry && i < decoder->function->parameter_count; i++)
        if (decoder->function->parameters[i] == variable)
            return true;
    return false;
}

/* ld.param and st.param of a named variable: no memory is involved. Returns false when it is a real access. */
static bool decode_parameter_access(struct decoder *decoder, const struct ptx_instruction *instruction, enum handler handler,
                                    const struct ptx_operand *address, const struct ptx_operand *data)
{
    struct ptx_variable *variable = address->variable;
    if (!variable || variable->space != SPACE_PARAM || !decode_in_param_space(&instruction->opcode))
        return false;
    enum ptx_type type = instruction->opcode.types[0];
    unsigned bytes = ptx_type_bytes(type);
    uint64_t offset = (uint64_t)address->offset;
    if (address->offset < 0 || offset % bytes || offset + (uint64_t)bytes * instruction->opcode.vector > variable->bytes) {
        decode_fail(decoder, "the access is outside parameter '%s'", variable->name);
        return true;
    }
    if (!check_vector(decoder, instruction, data))
        return true;
    bool kernel = is_kernel_parameter(decoder, variable);
    uint32_t slot = kernel ? 0 : decode_parameter_slot(decoder, variable);
    for (unsigned i = 0; i < instruction->opcode.vector; i++) {
        if (kernel && handler == HANDLER_slot_load)
            emit_parameter(decoder, element_of(data, i), type, variable->offset + offset + (uint64_t)i * bytes);
        else if (kernel)
            decode_fail(decoder, "kernel parameters cannot be written");
        else
            emit_slot(decoder, handler, element_of(data, i), type, slot, offset + (uint64_t)i * bytes);
    }
    return true;
}

static void describe(struct memory_site *site, const struct ptx_instruction *instruction, enum site_access access)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    enum ptx_type type = opcode->types[0];
    site->access = access;
    site->space = decode_in_param_space(opcode) ? SITE_GENERIC : space_of(opcode);
    site->constant = decode_in_param_space(opcode) || ptx_has(opcode, MOD_const_space);
    site->bytes = (uint8_t)ptx_type_bytes(type);
    site->vector = (uint8_t)opcode->vector;
    site->signed_extend = ptx_type_kind(type) == KIND_SIGNED;
    site->type = type;
    site->skips_outside = instruction->skips_outside;
    decode_order(opcode, site);
}

/* With .L2::cache_hint a policy is the last operand. Returns how many operands the form has without it. */
static unsigned count_without_hint(struct decoder *decoder, const struct ptx_instruction *instruction, unsigned expected)
{
    bool hinted = ptx_has(&instruction->opcode, MOD_cache_hint);
    if (instruction->operand_count != expected + hinted)
        decode_fail(decoder, hinted ? "the cache policy is missing" : "this form has %u operands", expected);
    else if (hinted)
        decode_source(decoder, &instruction->operands[expected], PTX_B64); /* checks the register */
    return expected;
}

void decode_emit_site(struct decoder *decoder, struct memory_site *site, uint32_t place)
{
    bool single = site->vector == 1 && site->space != SITE_LOCAL && !site->strong && site->data[0] != UINT32_MAX;
    bool r4 = single && site->bytes == 4 && !site->wide[0], q8 = single && site->bytes == 8;
    enum handler handler = site->access == SITE_LOAD ? (r4   ? HANDLER_load_r4
                                                        : q8 ? HANDLER_load_q8
                                                             : HANDLER_load)
                                                     : (r4   ? HANDLER_store_r4
                                                        : q8 ? HANDLER_store_q8
                                                             : HANDLER_store);
    uint32_t index = 0;
    struct memory_site *kept = decode_site(decoder, &index);
    site->index = index;
    *kept = *site;
    struct operation *operation = decode_emit(decoder, handler);
    operation->a = place;
    operation->d = site->data[0];
    operation->immediate = index; /* becomes the site's address in patch() */
}

uint32_t decode_memory_base(struct decoder *decoder, const struct ptx_operand *address, const struct ptx_opcode *opcode,
                            struct memory_site *site)
{
    site->space = space_of(opcode);
    return decode_place(decoder, address, site, false);
}

/* In which state spaces an instruction may name a variable: its own; all that have generic addresses, if it has none. */
static bool may_name(const struct memory_site *site, enum ptx_space space)
{
    switch (site->space) {
    case SITE_SHARED: return space == SPACE_SHARED;
    case SITE_LOCAL: return space == SPACE_LOCAL;
    case SITE_GLOBAL: return space == (site->constant ? SPACE_CONST : SPACE_GLOBAL);
    default: return !site->constant && (space == SPACE_GLOBAL || space == SPACE_SHARED || space == SPACE_LOCAL);
    }
}

/* The same for an instruction whose state space `site` says. Only addresses within a window fit in 32 bits: device memory
 * is larger, and so is what generic addresses span. */
static uint32_t decode_checked_place(struct decoder *decoder, const struct ptx_operand *address, struct memory_site *site)
{
    if (address->variable && !may_name(site, address->variable->space))
        decode_fail(decoder, "'%s' is in another state space", address->variable->name);
    bool narrow = address->index >= 0 && ptx_type_bytes(decoder->function->registers[address->index].type) < 8;
    bool in_window = site->space == SITE_SHARED || site->space == SITE_LOCAL;
    uint32_t place = decode_place(decoder, address, site, !narrow || in_window);
    if (!narrow || in_window || decoder->failed)
        return place;
    if (!site->constant)
        decode_fail(decoder, "%s address has 64 bits, and this register has fewer",
                    site->space == SITE_GLOBAL ? "a .global" : "a generic");
    site->address_in_r = false;
    return decode_widened(decoder, place, false, site->space == SITE_GENERIC);
}

static void decode_access(struct decoder *decoder, const struct ptx_instruction *instruction, enum site_access access,
                          const struct ptx_operand *address, const struct ptx_operand *data)
{
    count_without_hint(decoder, instruction, 2);
    if (!check_vector(decoder, instruction, data))
        return;
    enum ptx_type type = instruction->opcode.types[0];
    struct memory_site site = {0};
    if (instruction->opcode.vector * ptx_type_bytes(type) > 32)
        decode_fail(decoder, "a vector has at most 32 bytes");
    describe(&site, instruction, access);
    uint32_t place = decode_checked_place(decoder, address, &site);
    for (unsigned i = 0; i < instruction->opcode.vector && !decoder->failed; i++) {
        const struct ptx_operand *element = element_of(data, i);
        site.data[i] = UINT32_MAX;
        if (element->kind == OPERAND_SINK)
            continue;
        enum ptx_type declared = checked_type(decoder, element, type);
        site.wide[i] = decode_is_wide(declared);
        site.data[i] = access == SITE_LOAD ? decode_destination(decoder, element, declared)
                                           : decode_source(decoder, element, declared);
    }
    decode_emit_site(decoder, &site, place);
}

DECODER(load)
{
    const struct ptx_operand *data = &instruction->operands[0], *address = &instruction->operands[1];
    if (!decode_parameter_access(decoder, instruction, HANDLER_slot_load, address, data))
        decode_access(decoder, instruction, SITE_LOAD, address, data);
}

DECODER(store)
{
    const struct ptx_operand *address = &instruction->operands[0], *data = &instruction->operands[1];
    if (!decode_parameter_access(decoder, instruction, HANDLER_slot_store, address, data))
        decode_access(decoder, instruction, SITE_STORE, address, data);
}

/* prefetch, applypriority, discard: no effect that a program can see, whatever the address. */
DECODER(hint)
{
    (void)decoder;
    (void)instruction;
}

/* createpolicy: an opaque value that no access uses. */
DECODER(policy)
{
    uint32_t zero = decode_constant(decoder, CONSTANT_Q, 0);
    struct operation *operation = decode_emit(decoder, HANDLER_mov_b64);
    operation->a = zero;
    operation->d = decode_destination(decoder, &instruction->operands[0], PTX_B64);
}

static enum atomic_operation atomic_operation_of(const struct ptx_opcode *opcode)
{
    static const struct {
        enum ptx_modifier modifier;
        enum atomic_operation operation;
    } rows[] = {
        {MOD_add, ATOMIC_ADD}, {MOD_inc, ATOMIC_INC}, {MOD_dec, ATOMIC_DEC}, {MOD_min, ATOMIC_MIN},   {MOD_max, ATOMIC_MAX},
        {MOD_and, ATOMIC_AND}, {MOD_or, ATOMIC_OR},   {MOD_xor, ATOMIC_XOR}, {MOD_exch, ATOMIC_EXCH}, {MOD_cas, ATOMIC_CAS},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (ptx_has(opcode, rows[i].modifier))
            return rows[i].operation;
    return ATOMIC_ADD;
}

/* The types of each operation (9.7.13.5). */
static bool atomic_is_defined(enum atomic_operation operation, enum ptx_type type)
{
    enum ptx_kind kind = ptx_type_kind(type);
    unsigned bytes = ptx_type_bytes(type);
    switch (operation) {
    case ATOMIC_ADD: return kind != KIND_BITS;
    case ATOMIC_INC:
    case ATOMIC_DEC: return type == PTX_U32;
    case ATOMIC_MIN:
    case ATOMIC_MAX: return kind == KIND_UNSIGNED || kind == KIND_SIGNED;
    case ATOMIC_CAS: return kind == KIND_BITS || (bytes > 2 && kind != KIND_FLOAT);
    case ATOMIC_EXCH: return bytes > 2 && kind != KIND_FLOAT;
    default: return kind == KIND_BITS && bytes > 2;
    }
}

/* Each element of a vector is an atomic of its own (9.7.13.5). */
DECODER(atomic_vector)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    bool returns = opcode->form->id == FORM_ATOM_VECTOR;
    const struct ptx_operand *to = &instruction->operands[0], *address = to + returns, *data = address + 1;
    enum ptx_type type = opcode->types[0];
    count_without_hint(decoder, instruction, returns + 2u);
    if (!check_vector(decoder, instruction, data) || (returns && !check_vector(decoder, instruction, to)))
        return;
    uint32_t results[8];
    for (unsigned i = 0; i < opcode->vector && !decoder->failed; i++) {
        struct memory_site site = {0};
        describe(&site, instruction, returns ? SITE_ATOMIC : SITE_REDUCTION);
        site.strong = true;
        site.vector = 1;
        site.atomic = ATOMIC_ADD;
        uint32_t place = decode_checked_place(decoder, address, &site);
        site.offset = (int64_t)((uint64_t)site.offset + (uint64_t)i * site.bytes);
        site.data[0] = decode_source(decoder, element_of(data, i), type);
        site.data[1] = UINT32_MAX;
        results[i] = returns ? decode_temporary(decoder, CONSTANT_R) : UINT32_MAX;
        uint32_t index = 0;
        struct memory_site *kept = decode_site(decoder, &index);
        site.index = index;
        *kept = site;
        struct operation *operation = decode_emit(decoder, HANDLER_atomic);
        operation->a = place;
        operation->d = results[i];
        operation->immediate = index;
    }
    for (unsigned i = 0; returns && i < opcode->vector && !decoder->failed; i++) { /* the sources have all been read */
        if (element_of(to, i)->kind == OPERAND_SINK)
            continue;
        uint32_t d = decode_destination(decoder, element_of(to, i), type);
        struct operation *operation = decode_emit(decoder, HANDLER_mov_b32);
        operation->d = d;
        operation->a = results[i];
    }
}

DECODER(atomic)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    bool returns = opcode->form->id == FORM_ATOM || opcode->form->id == FORM_ATOM_HALF;
    const struct ptx_operand *operands = instruction->operands + returns; /* address, b, c */
    enum ptx_type type = opcode->types[0];
    struct memory_site site = {0};
    describe(&site, instruction, returns ? SITE_ATOMIC : SITE_REDUCTION);
    site.strong = true;
    site.atomic = (uint8_t)atomic_operation_of(opcode);
    count_without_hint(decoder, instruction, returns + 2u + (site.atomic == ATOMIC_CAS));
    if (!atomic_is_defined((enum atomic_operation)site.atomic, type))
        decode_fail(decoder, "this atomic is not defined for .%s", ptx_type_name(type));
    if (decoder->failed)
        return;
    uint32_t place = decode_checked_place(decoder, &operands[0], &site);
    site.wide[0] = decode_is_wide(type);
    site.data[0] = decode_source(decoder, &operands[1], type);
    site.data[1] = site.atomic == ATOMIC_CAS ? decode_source(decoder, &operands[2], type) : UINT32_MAX;
    uint32_t d = UINT32_MAX;
    if (returns && instruction->operands[0].kind != OPERAND_SINK)
        d = decode_destination(decoder, &instruction->operands[0], type);
    uint32_t index = 0;
    struct memory_site *kept = decode_site(decoder, &index);
    site.index = index;
    *kept = site;
    struct operation *operation = decode_emit(decoder, HANDLER_atomic);
    operation->a = place;
    operation->d = d;
    operation->immediate = index;
}
