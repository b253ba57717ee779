/* Decoding calls, barriers and the exchange between lanes. Branches are made from the steps of flow.h. */
#include "runtime/emulator/decode/decode.h"

#include <string.h>

#include "runtime/emulator/machine/library.h"
#include "runtime/emulator/machine/warp.h"

/* Branches are steps. What is left is an index that brx.idx has no target for: undefined, so the kernel ends. */
DECODER(branch)
{
    if (instruction->opcode.form->id == FORM_BRX)
        decode_emit(decoder, HANDLER_trap);
    else
        decode_fail(decoder, "internal: '%s' must be a step", instruction->spelling);
}

DECODER(flow)
{
    (void)instruction;
    enum ptx_form_id form = decoder->instruction->opcode.form->id;
    decode_emit(decoder, form == FORM_EXIT ? HANDLER_exit : HANDLER_trap);
}

DECODER(nothing)
{
    (void)decoder;
    (void)instruction; /* prefetches and profiler events have no effect that a program can see */
}

static bool list_copies(struct decoder *decoder, struct ptx_variable *const *list, unsigned count, uint32_t callee_offset,
                        struct call_copy **copies, uint32_t *total_words)
{
    *total_words = 0;
    *copies = arena_allocate(decoder->arena, (count + 1) * sizeof **copies);
    for (unsigned i = 0; *copies && i < count; i++) {
        uint32_t words = (uint32_t)((list[i]->bytes + 7) / 8);
        (*copies)[i] = (struct call_copy){.from = decode_parameter_slot(decoder, list[i]),
                                          .to = callee_offset + *total_words * 8 * WARP_LANES,
                                          .words = words};
        *total_words += words;
    }
    return *copies != NULL;
}

/* Do the arguments fit the callee's declaration? */
static void check_signature(struct decoder *decoder, const struct ptx_instruction *instruction,
                            const struct ptx_function *callee)
{
    if (callee->parameter_count != instruction->argument_count || callee->result_count != instruction->result_count) {
        decode_fail(decoder, "the call passes %u arguments and takes %u results; the function has %u and %u",
                    instruction->argument_count, instruction->result_count, callee->parameter_count, callee->result_count);
        return;
    }
    for (unsigned i = 0; i < callee->parameter_count; i++)
        if (callee->parameters[i]->bytes != instruction->arguments[i]->bytes)
            decode_fail(decoder, "argument %u has %llu bytes; the function expects %llu", i + 1,
                        (unsigned long long)instruction->arguments[i]->bytes,
                        (unsigned long long)callee->parameters[i]->bytes);
    for (unsigned i = 0; i < callee->result_count; i++)
        if (callee->results[i]->bytes != instruction->results[i]->bytes)
            decode_fail(decoder, "result %u differs in size from the function's", i + 1);
}

/* Older programs wait in a kernel for what it has launched, which CUDA gave up with compute capability 9.0. */
static bool waits_for_launches(const char *name)
{
    return strcmp(name, "cudaDeviceSynchronize") == 0 || strcmp(name, "__cudaDeviceSynchronizeDeprecationAvoidance") == 0;
}

DECODER(call)
{
    const struct ptx_operand *target = &instruction->operands[0];
    struct call_site *site = arena_allocate(decoder->arena, sizeof *site);
    uint32_t words;
    /* A callee's frame begins with the return slot, then parameters, then results: see lay_out() in decode.c. */
    uint32_t first = 8 * WARP_LANES;
    if (!site || !list_copies(decoder, instruction->arguments, instruction->argument_count, first, &site->arguments, &words)
        || !list_copies(decoder, instruction->results, instruction->result_count, first + words * 8 * WARP_LANES,
                        &site->results, &words)) {
        decode_fail_memory(decoder);
        return;
    }
    site->caller = decoder->code;
    site->argument_count = instruction->argument_count;
    site->result_count = instruction->result_count;
    enum handler handler = HANDLER_call;
    uint32_t address = 0;
    if (target->kind == OPERAND_REGISTER) {
        if (!instruction->prototype) {
            decode_fail(decoder, "an indirect call needs a .callprototype");
            return;
        }
        check_signature(decoder, instruction, instruction->prototype);
        address = decode_source(decoder, target, PTX_U64);
        handler = HANDLER_call_register;
    } else if (target->function->has_body) {
        check_signature(decoder, instruction, target->function);
        site->callee = &decoder->program->code[target->function->index];
    } else if ((site->provided = library_find(target->function->name)) >= 0) {
        check_signature(decoder, instruction, target->function);
        if (!library_fits(site->provided, target->function))
            decode_fail(decoder, "function '%s' is declared with other parameters than the device runtime's",
                        target->function->name);
        site->external = target->function;
        handler = HANDLER_call_external;
    } else {
        decode_fail(
            decoder, "function '%s' is called but %s", target->function->name,
            waits_for_launches(target->function->name)
                ? "devices of compute capability 9.0 and later do not have it, nor has this kit: a kernel cannot wait for "
                  "what it launches. Launch what needs the result into cudaStreamTailLaunch"
                : "never defined");
        return;
    }
    struct operation *operation = decode_emit(decoder, handler);
    operation->a = address;
    operation->call = site;
    if (handler != HANDLER_call_external)
        decode_emit(decoder, HANDLER_call_done)->call = site;
}

/* ---- barriers ---- */

static void emit_barrier(struct decoder *decoder, const struct ptx_operand *number, const struct ptx_operand *threads,
                         uint32_t d, uint32_t c, uint32_t flags)
{
    bool plain = number->kind == OPERAND_INTEGER && number->bits < BARRIER_COUNT && !threads
                 && !(flags & (BARRIER_AND | BARRIER_OR | BARRIER_POPC));
    uint32_t a = decode_source(decoder, number, PTX_U32);
    uint32_t b = threads ? decode_source(decoder, threads, PTX_U32) : UINT32_MAX;
    struct operation *operation = decode_emit(decoder, HANDLER_barrier);
    operation->d = d;
    operation->a = a;
    operation->b = b;
    operation->c = c;
    operation->extra = flags;
    if (plain) {
        operation->extra |= BARRIER_PLAIN;
        operation->immediate = number->bits;
    }
}

DECODER(barrier)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    bool aligned = opcode->form->id != FORM_BARRIER || ptx_has(opcode, MOD_aligned), arrive = ptx_has(opcode, MOD_arrive);
    const struct ptx_operand *threads = instruction->operand_count > 1 ? &instruction->operands[1] : NULL;
    if (arrive && !threads) {
        decode_fail(decoder, "an arrive needs a thread count");
        return;
    }
    emit_barrier(decoder, &instruction->operands[0], threads, 0, 0,
                 (arrive ? BARRIER_ARRIVE : 0) | (aligned ? BARRIER_ALIGNED : 0));
}

/* bar.red d, a{, b}, {!}c: the predicate is the last operand. */
DECODER(barrier_reduce)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    const struct ptx_operand *last = &instruction->operands[instruction->operand_count - 1];
    bool popc = ptx_has(opcode, MOD_popc);
    uint32_t d = popc ? decode_destination(decoder, &instruction->operands[0], PTX_U32)
                      : decode_predicate(decoder, &instruction->operands[0]);
    uint32_t flags = (popc                       ? BARRIER_POPC
                      : ptx_has(opcode, MOD_and) ? BARRIER_AND
                                                 : BARRIER_OR)
                     | BARRIER_ALIGNED | (last->negated ? BARRIER_NEGATED : 0);
    emit_barrier(decoder, &instruction->operands[1], instruction->operand_count > 3 ? &instruction->operands[2] : NULL, d,
                 decode_predicate(decoder, last), flags);
}

DECODER(cluster_barrier)
{
    bool arrives = instruction->opcode.form->id == FORM_CLUSTER_ARRIVE;
    decode_emit(decoder, arrives ? HANDLER_cluster_arrive : HANDLER_cluster_wait);
}

/* mapa d, address, rank; getctarank d, address */
DECODER(cluster_address)
{
    const struct ptx_operand *operands = instruction->operands;
    bool maps = instruction->opcode.form->id == FORM_MAPA, wide = instruction->opcode.types[0] == PTX_U64;
    uint32_t a = decode_source(decoder, &operands[1], wide ? PTX_U64 : PTX_U32);
    uint32_t b = maps ? decode_source(decoder, &operands[2], PTX_U32) : 0;
    uint32_t d = decode_destination(decoder, &operands[0], maps && wide ? PTX_U64 : PTX_U32);
    if (wide && ptx_has(&instruction->opcode, MOD_shared_cluster))
        decode_fail(decoder, "addresses of shared memory have 32 bits in the emulated driver: use .u32");
    struct operation *operation = decode_emit(decoder, maps ? (wide ? HANDLER_map_address_b64 : HANDLER_map_address_b32)
                                                            : (wide ? HANDLER_rank_of_b64 : HANDLER_rank_of_b32));
    operation->a = a;
    operation->b = b;
    operation->d = d;
}

DECODER(warp_barrier)
{
    uint32_t members = decode_source(decoder, &instruction->operands[0], PTX_U32);
    decode_emit(decoder, HANDLER_warp_barrier)->a = members;
}

DECODER(fence)
{
    if (instruction->opcode.form->id == FORM_NANOSLEEP) {
        decode_emit(decoder, HANDLER_sleep);
        return;
    }
    const struct ptx_opcode *opcode = &instruction->opcode;
    decode_emit(decoder, HANDLER_fence)->extra = ptx_has(opcode, MOD_cta) ? 0 : ptx_has(opcode, MOD_sys) ? 2 : 1;
}

/* ---- between lanes ---- */

/* The lanes that take part: the operand, or all active lanes without `sync`. */
static uint32_t decode_members(struct decoder *decoder, const struct ptx_instruction *instruction, unsigned operand)
{
    if (ptx_has(&instruction->opcode, MOD_sync))
        return decode_source(decoder, &instruction->operands[operand], PTX_B32);
    uint32_t members = decode_temporary(decoder, CONSTANT_R);
    decode_emit(decoder, HANDLER_activemask)->d = members;
    return members;
}

DECODER(shuffle)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    const struct ptx_operand *operands = instruction->operands;
    uint32_t a = decode_source(decoder, &operands[1], PTX_B32), b = decode_source(decoder, &operands[2], PTX_B32);
    uint32_t c = decode_source(decoder, &operands[3], PTX_B32), members = decode_members(decoder, instruction, 4);
    uint32_t predicate = UINT32_MAX, d = UINT32_MAX;
    if (operands[0].second >= 0)
        predicate = decode_predicate(decoder, &(struct ptx_operand){.kind = OPERAND_REGISTER, .index = operands[0].second});
    if (operands[0].kind != OPERAND_SINK)
        d = decode_destination(decoder, &operands[0], PTX_B32);
    struct operation *operation = decode_emit(decoder, HANDLER_shuffle);
    operation->d = d;
    operation->a = a;
    operation->b = b;
    operation->c = c;
    operation->immediate = (uint64_t)predicate << 32 | members;
    operation->extra = ptx_has(opcode, MOD_up)     ? SHUFFLE_UP
                       : ptx_has(opcode, MOD_down) ? SHUFFLE_DOWN
                       : ptx_has(opcode, MOD_bfly) ? SHUFFLE_BUTTERFLY
                                                   : SHUFFLE_INDEX;
}

DECODER(vote)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    const struct ptx_operand *operands = instruction->operands;
    if (opcode->form->id == FORM_ACTIVEMASK) {
        uint32_t place = decode_destination(decoder, &operands[0], PTX_B32);
        decode_emit(decoder, HANDLER_activemask)->d = place;
        return;
    }
    bool ballot = ptx_has(opcode, MOD_ballot);
    uint32_t a = decode_predicate(decoder, &operands[1]), b = decode_members(decoder, instruction, 2);
    uint32_t d = ballot ? decode_destination(decoder, &operands[0], PTX_B32) : decode_predicate(decoder, &operands[0]);
    struct operation *operation = decode_emit(decoder, HANDLER_vote);
    operation->d = d;
    operation->a = a;
    operation->b = b;
    operation->negated = operands[1].negated;
    operation->extra = ballot                     ? VOTE_BALLOT
                       : ptx_has(opcode, MOD_all) ? VOTE_ALL
                       : ptx_has(opcode, MOD_any) ? VOTE_ANY
                                                  : VOTE_UNIFORM;
}

DECODER(match)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    const struct ptx_operand *operands = instruction->operands;
    bool wide = decode_is_wide(opcode->types[0]);
    uint32_t a = decode_source(decoder, &operands[1], opcode->types[0]), b = decode_source(decoder, &operands[2], PTX_B32);
    uint32_t d = operands[0].kind == OPERAND_SINK ? UINT32_MAX : decode_destination(decoder, &operands[0], PTX_B32);
    uint32_t c = UINT32_MAX;
    if (operands[0].second >= 0)
        c = decode_predicate(decoder, &(struct ptx_operand){.kind = OPERAND_REGISTER, .index = operands[0].second});
    struct operation *operation = decode_emit(decoder, HANDLER_match);
    operation->d = d;
    operation->a = a;
    operation->b = b;
    operation->c = c;
    operation->negated = wide;
    operation->extra = ptx_has(opcode, MOD_all);
}

/* elect.sync d|p: the lowest of the members leads. All vote yes: the ballot is the set of members. */
DECODER(elect)
{
    const struct ptx_operand *operands = instruction->operands;
    uint32_t members = decode_source(decoder, &operands[1], PTX_B32), yes = decode_constant(decoder, CONSTANT_P, ALL_LANES);
    uint32_t leader = operands[0].kind == OPERAND_SINK ? decode_temporary(decoder, CONSTANT_R)
                                                       : decode_destination(decoder, &operands[0], PTX_B32);
    uint32_t voters = decode_temporary(decoder, CONSTANT_R), lane = decode_temporary(decoder, CONSTANT_R);
    struct operation *operation = decode_emit(decoder, HANDLER_vote);
    operation->d = voters;
    operation->a = yes;
    operation->b = members;
    operation->extra = VOTE_BALLOT;
    decode_emit_unary(decoder, HANDLER_brev_b32, voters, voters);
    decode_emit_unary(decoder, HANDLER_clz_b32, leader, voters);
    if (operands[0].second < 0)
        return;
    decode_emit_special(decoder, lane, SPECIAL_LANEID, false);
    uint32_t leads = decode_predicate(decoder, &(struct ptx_operand){.kind = OPERAND_REGISTER, .index = operands[0].second});
    operation = decode_emit(decoder, HANDLER_eq_b32);
    operation->d = leads;
    operation->a = leader;
    operation->b = lane;
}

DECODER(redux)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    const struct ptx_operand *operands = instruction->operands;
    uint32_t a = decode_source(decoder, &operands[1], PTX_B32), b = decode_source(decoder, &operands[2], PTX_B32);
    uint32_t d = decode_destination(decoder, &operands[0], PTX_B32);
    struct operation *operation = decode_emit(decoder, HANDLER_redux);
    operation->d = d;
    operation->a = a;
    operation->b = b;
    operation->extra = ptx_has(opcode, MOD_add)   ? ATOMIC_ADD
                       : ptx_has(opcode, MOD_min) ? ATOMIC_MIN
                       : ptx_has(opcode, MOD_max) ? ATOMIC_MAX
                       : ptx_has(opcode, MOD_and) ? ATOMIC_AND
                       : ptx_has(opcode, MOD_or)  ? ATOMIC_OR
                                                  : ATOMIC_XOR;
    operation->extra |= opcode->types[0] == PTX_S32 ? 16 : 0;
}
