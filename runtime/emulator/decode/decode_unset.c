/* Registers that may be read before they are written: those that are live where the function begins. A variable in the
 * source without an initial value is one. The poison checker starts with those of a kernel, and none of them can be known
 * before the kernel runs or share a slot (decode_known.c).
 */
#include "runtime/emulator/decode/decode.h"

#include <stdlib.h>
#include <string.h>

/* Sets of registers: one bit each, `words` words per set, three sets per basic block. */
struct live {
    const struct decoder *decoder;
    const struct flow *flow;
    size_t words;
    uint64_t *sets;
};

enum { READ_FIRST, WRITTEN, LIVE, SET_COUNT };

/* Beyond this the sets take too much memory: then nothing is known, and no register counts as unset. */
enum { MAX_SET_WORDS = 1 << 22 };

static uint64_t *set_of(const struct live *live, int block, int which)
{
    return live->sets + ((size_t)block * SET_COUNT + (size_t)which) * live->words;
}

static bool has(const uint64_t *set, int index)
{
    return set[index / 64] >> index % 64 & 1;
}

static void add_read(const struct live *live, int block, int index)
{
    if (index >= 0 && !has(set_of(live, block, WRITTEN), index))
        set_of(live, block, READ_FIRST)[index / 64] |= UINT64_C(1) << index % 64;
}

static void add_write(const struct live *live, int block, int index)
{
    if (index >= 0)
        set_of(live, block, WRITTEN)[index / 64] |= UINT64_C(1) << index % 64;
}

static void add_operand(const struct live *live, int block, const struct ptx_operand *operand,
                        void (*add)(const struct live *, int, int))
{
    if (operand->kind == OPERAND_REGISTER) {
        add(live, block, operand->index);
        add(live, block, operand->second);
    } else if (operand->kind == OPERAND_ADDRESS) {
        add(live, block, operand->index);
    }
    for (unsigned i = 0; i < operand->count; i++)
        add_operand(live, block, &operand->elements[i], add);
}

static void add_step(const struct live *live, const struct flow_step *step)
{
    if (step->instruction < 0)
        return;
    const struct ptx_instruction *instruction = &live->decoder->function->instructions[step->instruction];
    bool defines = ptx_form_defines(instruction->opcode.form);
    add_read(live, step->block, instruction->guard);
    if (step->kind != FLOW_STRAIGHT && step->choice < 0)
        return;
    for (unsigned i = defines; i < instruction->operand_count; i++)
        add_operand(live, step->block, &instruction->operands[i], add_read);
    /* An instruction that its guard may skip may leave the register unset. */
    if (defines && (instruction->guard < 0 || flow_needs_branch(instruction)))
        add_operand(live, step->block, &instruction->operands[0], add_write);
}

/* Live where a block begins: read there first, or live where a next one begins and not written here. */
static bool update(const struct live *live, int block)
{
    const struct flow_block *at = &live->flow->blocks[block];
    const uint64_t *read = set_of(live, block, READ_FIRST), *written = set_of(live, block, WRITTEN);
    uint64_t *own = set_of(live, block, LIVE);
    bool grown = false;
    for (size_t i = 0; i < live->words; i++) {
        uint64_t behind = 0;
        for (int k = 0; k < 2; k++)
            behind |= at->successors[k] >= 0 ? set_of(live, at->successors[k], LIVE)[i] : 0;
        uint64_t set = read[i] | (behind & ~written[i]);
        grown |= set != own[i];
        own[i] = set;
    }
    return grown;
}

bool decode_live(struct decoder *decoder, const struct flow *flow)
{
    const struct ptx_function *function = decoder->function;
    struct live live = {decoder, flow, (function->register_count + 63) / 64, NULL};
    size_t total = (size_t)flow->block_count * SET_COUNT * live.words;
    if (total == 0 || total > MAX_SET_WORDS)
        return true;
    live.sets = calloc(total, sizeof *live.sets);
    decoder->unset = arena_allocate(decoder->arena, live.words * sizeof *decoder->unset);
    if (!live.sets || !decoder->unset) {
        free(live.sets);
        return false;
    }
    for (int i = 0; i < flow->step_count; i++)
        add_step(&live, &flow->steps[i]);
    for (bool grown = true; grown;) {
        grown = false;
        for (int block = flow->block_count - 1; block >= 0; block--)
            grown |= update(&live, block);
    }
    const uint64_t *start = set_of(&live, flow->steps[0].block, LIVE);
    memcpy(decoder->unset, start, live.words * sizeof *decoder->unset);
    free(live.sets);
    return true;
}

bool decode_is_set(const struct decoder *decoder, int index)
{
    return decoder->unset && !has(decoder->unset, index);
}

bool decode_unset(struct decoder *decoder)
{
    const struct ptx_function *function = decoder->function;
    struct code *code = decoder->code;
    size_t count = 0;
    if (!function->is_entry || !decoder->unset)
        return true;
    for (size_t i = 0; i < function->register_count; i++)
        count += has(decoder->unset, (int)i);
    if (count == 0)
        return true;
    code->unset = arena_allocate(decoder->arena, count * sizeof *code->unset);
    for (size_t i = 0; code->unset && i < function->register_count; i++)
        if (has(decoder->unset, (int)i))
            code->unset[code->unset_count++] =
                (struct unset_register){.offset = decoder->register_offset[i],
                                        .is_predicate = function->registers[i].type == PTX_PRED,
                                        .is_wide = decode_is_wide(function->registers[i].type)};
    return code->unset != NULL;
}
