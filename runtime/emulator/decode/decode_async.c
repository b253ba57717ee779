/* Decoding asynchronous copies and barrier objects. */
#include "runtime/emulator/decode/decode.h"

#include <string.h>

#include "runtime/emulator/machine/async.h"

enum { BULK_BYTES = 16 }; /* unit of bulk copies */

/* Emits an operation that has a memory site. Returns it; valid until the next append. */
static struct operation *emit_site(struct decoder *decoder, enum handler handler, struct memory_site *site,
                                   const struct ptx_operand *address)
{
    uint32_t place = decode_place(decoder, address, site, false), index = 0;
    for (unsigned i = 0; i < 4; i++)
        site->data[i] = UINT32_MAX;
    struct memory_site *kept = decode_site(decoder, &index);
    site->index = index;
    *kept = *site;
    struct operation *operation = decode_emit(decoder, handler);
    operation->a = place;
    operation->d = operation->b = operation->c = UINT32_MAX;
    operation->immediate = index; /* becomes the site's address in patch() */
    return operation;
}

static struct memory_site copy_site(enum site_space space, enum site_access access, unsigned bytes)
{
    return (struct memory_site){
        .space = space, .access = access, .bytes = 4, .vector = (uint8_t)(bytes / 4), .type = PTX_B32, .scope = 1};
}

/* cp.async [to], [from], cp-size{, src-size}{, cache-policy} or …, ignore-src{, cache-policy} */
DECODER(async_copy)
{
    const struct ptx_operand *operands = instruction->operands;
    unsigned count = instruction->operand_count - ptx_has(&instruction->opcode, MOD_cache_hint);
    uint64_t bytes = operands[2].bits;
    if (operands[2].kind != OPERAND_INTEGER || (bytes != 4 && bytes != 8 && bytes != 16)
        || (ptx_has(&instruction->opcode, MOD_cg) && bytes != 16) || count > 4) {
        decode_fail(decoder, ptx_has(&instruction->opcode, MOD_cg) ? "a copy that bypasses L1 (.cg) must have 16 bytes"
                                                                   : "a copy must have 4, 8 or 16 bytes");
        return;
    }
    uint32_t size = UINT32_MAX, ignore = UINT32_MAX;
    if (count > 3 && decode_register_type(decoder, &operands[3]) == PTX_PRED)
        ignore = decode_predicate(decoder, &operands[3]);
    else if (count > 3)
        size = decode_source(decoder, &operands[3], PTX_U32);
    struct memory_site from = copy_site(SITE_GLOBAL, SITE_LOAD, (unsigned)bytes);
    struct memory_site to = copy_site(SITE_SHARED, SITE_STORE, (unsigned)bytes);
    struct operation *source = emit_site(decoder, HANDLER_async_source, &from, &operands[1]);
    source->b = size;
    source->c = ignore;
    source->negated = count > 3 && operands[3].negated;
    emit_site(decoder, HANDLER_async_copy, &to, &operands[0]);
}

/* cp.async.bulk [to], [from], size, [mbarrier] into shared memory, or without mbarrier into global memory. */
DECODER(bulk_copy)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    const struct ptx_operand *operands = instruction->operands;
    bool out = opcode->form->id == FORM_CP_BULK_OUT, inside = !out && !ptx_has(opcode, MOD_global);
    uint32_t size = decode_source(decoder, &operands[2], PTX_U32);
    struct memory_site from = copy_site(out || inside ? SITE_SHARED : SITE_GLOBAL, SITE_LOAD, BULK_BYTES);
    struct memory_site to = copy_site(out ? SITE_GLOBAL : SITE_SHARED, SITE_STORE, BULK_BYTES);
    struct operation *operation = emit_site(decoder, HANDLER_async_source, &from, &operands[1]);
    operation->b = size;
    operation->extra = ASYNC_BULK;
    operation = emit_site(decoder, HANDLER_async_copy, &to, &operands[0]);
    operation->extra = ASYNC_BULK | (out ? ASYNC_OUT : 0);
    if (out)
        return;
    struct memory_site object = {.space = SITE_SHARED,
                                 .access = SITE_ATOMIC,
                                 .bytes = 8,
                                 .vector = 1,
                                 .type = PTX_B64,
                                 .strong = true,
                                 .release = true};
    emit_site(decoder, HANDLER_mbarrier, &object, &operands[3])->extra = MBARRIER_BULK;
}

DECODER(async_group)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    bool waits = instruction->operand_count > 0;
    if (waits && instruction->operands[0].kind != OPERAND_INTEGER) {
        decode_fail(decoder, "the number of groups must be a constant");
        return;
    }
    struct operation *operation = decode_emit(decoder, HANDLER_async_group);
    switch (opcode->form->id) {
    case FORM_CP_BULK_GROUP: operation->extra = ASYNC_BULK_COMMIT; break;
    case FORM_CP_BULK_WAIT: operation->extra = ASYNC_BULK_WAIT; break;
    case FORM_CP_ASYNC_WAIT: operation->extra = ASYNC_WAIT; break;
    default: operation->extra = ptx_has(opcode, MOD_wait_all) ? ASYNC_WAIT_ALL : ASYNC_COMMIT;
    }
    operation->immediate = waits ? instruction->operands[0].bits : 0;
}

/* The object is in shared memory, also where the address is generic. */
static struct memory_site object_site(const struct ptx_opcode *opcode)
{
    bool shared = ptx_has(opcode, MOD_shared) || ptx_has(opcode, MOD_shared_cta) || ptx_has(opcode, MOD_shared_cluster);
    return (struct memory_site){.space = shared ? SITE_SHARED : SITE_GENERIC,
                                .access = SITE_ATOMIC,
                                .bytes = 8,
                                .vector = 1,
                                .type = PTX_B64,
                                .strong = true,
                                .release = !ptx_has(opcode, MOD_relaxed)};
}

DECODER(async_arrive)
{
    struct memory_site object = object_site(&instruction->opcode);
    struct operation *operation = emit_site(decoder, HANDLER_mbarrier, &object, &instruction->operands[0]);
    operation->extra = MBARRIER_COPIES | (ptx_has(&instruction->opcode, MOD_noinc) ? MBARRIER_NO_INCREMENT : 0);
}

static uint32_t operation_of(const struct ptx_opcode *opcode)
{
    switch (opcode->form->id) {
    case FORM_MBARRIER_INIT: return MBARRIER_INIT;
    case FORM_MBARRIER_INVAL: return MBARRIER_INVALIDATE;
    case FORM_MBARRIER_TX: return ptx_has(opcode, MOD_expect_tx) ? MBARRIER_EXPECT : MBARRIER_COMPLETE;
    case FORM_MBARRIER_WAIT: return ptx_has(opcode, MOD_parity) ? MBARRIER_TEST_PARITY : MBARRIER_TEST;
    default:
        return (ptx_has(opcode, MOD_arrive_drop) ? MBARRIER_DROP : MBARRIER_ARRIVE)
               | (ptx_has(opcode, MOD_expect_tx) ? MBARRIER_EXPECTS : 0)
               | (ptx_has(opcode, MOD_no_complete) ? MBARRIER_NO_COMPLETE : 0);
    }
}

DECODER(mbarrier)
{
    const struct ptx_operand *operands = instruction->operands;
    uint32_t kind = operation_of(&instruction->opcode), d = UINT32_MAX, b = UINT32_MAX;
    bool test = kind == MBARRIER_TEST || kind == MBARRIER_TEST_PARITY;
    unsigned address = 0;
    if (operands[0].kind != OPERAND_ADDRESS) { /* the result comes first */
        address = 1;
        if (test)
            d = decode_predicate(decoder, &operands[0]);
        else if (operands[0].kind != OPERAND_SINK)
            d = decode_destination(decoder, &operands[0], PTX_B64);
    }
    bool has_value = instruction->operand_count > address + 1;
    if ((kind & (MBARRIER_EXPECTS | MBARRIER_NO_COMPLETE)) && !has_value)
        decode_fail(decoder, "a count is missing");
    if (has_value)
        b = decode_source(decoder, &operands[address + 1], kind == MBARRIER_TEST ? PTX_B64 : PTX_U32);
    struct memory_site object = object_site(&instruction->opcode);
    if (kind == MBARRIER_INIT) { /* an ordinary write of the object's bytes */
        object.access = SITE_STORE;
        object.strong = false;
    }
    struct operation *operation = emit_site(decoder, HANDLER_mbarrier, &object, &operands[address]);
    operation->d = d;
    operation->b = b;
    operation->extra = kind;
}

DECODER(mbarrier_count)
{
    uint32_t d = decode_destination(decoder, &instruction->operands[0], PTX_U32);
    uint32_t a = decode_source(decoder, &instruction->operands[1], PTX_B64);
    struct operation *operation = decode_emit(decoder, HANDLER_mbarrier_count);
    operation->d = d;
    operation->a = a;
}
