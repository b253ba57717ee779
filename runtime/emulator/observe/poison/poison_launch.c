/* Where poison is kept: for a launch, and for each slot that blocks run in. */
#include "runtime/emulator/observe/poison/poison.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/backing.h"

struct poison *poison_start(struct launch *launch, size_t site_count)
{
    struct poison *poison = calloc(1, sizeof *poison);
    if (poison)
        poison->origins = calloc(site_count + 3, sizeof *poison->origins);
    if (!poison || !poison->origins) {
        free(poison);
        return NULL;
    }
    poison->launch = launch;
    poison->no_load = (uint32_t)site_count + 1;
    poison->undefined = (uint32_t)site_count + 2;
    struct memory_allocation *allocation;
    for (size_t cursor = 0; (allocation = memory_next_live(launch->request->memory, &cursor));)
        if (allocation->written && !allocation->all_written)
            allocation->all_written = memory_first_poison(allocation, 0, allocation->bytes) == allocation->bytes;
    return poison;
}

void poison_end(struct poison *poison)
{
    poison_flush(poison);
    for (struct poison_block *block = poison->blocks, *next; block; block = next) {
        next = block->next;
        backing_free(block->memory, block->bytes);
        poison_partial_free(&block->partial);
        free(block->warps);
        free(block);
    }
    free(poison->origins);
    free(poison);
}

static uint64_t round_up(uint64_t value)
{
    return (value + 63) / 64 * 64;
}

static uint8_t *take(uint8_t **at, uint64_t bytes)
{
    uint8_t *part = *at;
    *at += round_up(bytes);
    return part;
}

static struct poison_block *create_block(struct poison *poison, struct block *slot)
{
    const struct launch *launch = poison->launch;
    const struct code *code = launch->code;
    uint64_t r = (code->stack_r >> POISON_R_SHIFT) + 1, q = (code->stack_q >> POISON_Q_SHIFT) + 1, p = code->stack_p + 1;
    uint64_t local = (uint64_t)slot->warps->local_stride * WARP_LANES / 8;
    uint64_t each = 2 * (round_up(r * 4) + round_up(q * 4) + round_up(p * 4)) + round_up(r << POISON_R_SHIFT)
                    + round_up(q << POISON_Q_SHIFT) + round_up(local);
    uint64_t shared = round_up(launch->shared_room / 8 + 1);
    struct poison_block *block = calloc(1, sizeof *block);
    if (!block)
        return NULL;
    block->passed_count = POISON_PASSED_LOCAL + launch->shared_room / 4 + 1;
    uint64_t passed = round_up(block->passed_count * sizeof *block->passed);
    block->bytes = shared + passed + each * launch->warps_per_block;
    block->memory = backing_allocate(block->bytes);
    block->warps = calloc(launch->warps_per_block, sizeof *block->warps);
    if (!block->memory || !block->warps) {
        if (block->memory)
            backing_free(block->memory, block->bytes);
        free(block->warps);
        free(block);
        return NULL;
    }
    uint8_t *at = block->memory;
    block->shared_written = take(&at, launch->shared_room / 8 + 1);
    block->passed = (struct poison_passed *)(void *)take(&at, block->passed_count * sizeof *block->passed);
    for (uint32_t i = 0; i < launch->warps_per_block; i++) {
        struct poison_warp *warp = &block->warps[i];
        warp->block = block;
        warp->any_r = (uint32_t *)(void *)take(&at, r * 4);
        warp->any_q = (uint32_t *)(void *)take(&at, q * 4);
        warp->any_p = (uint32_t *)(void *)take(&at, p * 4);
        warp->origin_r = (uint32_t *)(void *)take(&at, r * 4);
        warp->origin_q = (uint32_t *)(void *)take(&at, q * 4);
        warp->origin_p = (uint32_t *)(void *)take(&at, p * 4);
        warp->bits_r = (uint32_t *)(void *)take(&at, r << POISON_R_SHIFT);
        warp->bits_q = (uint64_t *)(void *)take(&at, q << POISON_Q_SHIFT);
        warp->local_written = take(&at, local);
        slot->warps[i].poison = warp;
    }
    block->poison = poison;
    block->next = poison->blocks;
    poison->blocks = block;
    return block;
}

/* Registers that the kernel may read before it has written them. */
static void poison_unset(const struct poison *poison, struct warp *of)
{
    struct poison_warp *warp = of->poison;
    const struct code *code = poison->launch->code;
    for (size_t i = 0; i < code->unset_count; i++) {
        const struct unset_register *unset = &code->unset[i];
        uint32_t *any, *origin;
        if (unset->is_predicate) {
            any = &warp->any_p[unset->offset];
            origin = &warp->origin_p[unset->offset];
        } else if (unset->is_wide) {
            any = &warp->any_q[unset->offset >> POISON_Q_SHIFT];
            origin = &warp->origin_q[unset->offset >> POISON_Q_SHIFT];
            memset(warp->bits_q + unset->offset / sizeof *warp->bits_q, 0xff, 1 << POISON_Q_SHIFT);
        } else {
            any = &warp->any_r[unset->offset >> POISON_R_SHIFT];
            origin = &warp->origin_r[unset->offset >> POISON_R_SHIFT];
            memset(warp->bits_r + unset->offset / sizeof *warp->bits_r, 0xff, 1 << POISON_R_SHIFT);
        }
        of->watches += *any == 0;
        *any = UINT32_MAX;
        *origin = poison->no_load;
    }
}

bool poison_block_start(struct poison *poison, struct block *slot)
{
    const struct launch *launch = poison->launch;
    if (!slot->warps->poison && !create_block(poison, slot))
        return false;
    struct poison_block *block = slot->warps->poison->block;
    memset(block->shared_written, 0, launch->shared_room / 8 + 1);
    slot->shared_full = launch->shared_bytes == 0;
    if (block->any_passed)
        memset(block->passed, 0, block->passed_count * sizeof *block->passed);
    block->any_passed = false;
    block->shared_stores = block->local_stores = 0;
    poison_partial_clear(&block->partial);
    for (uint32_t i = 0; i < launch->warps_per_block; i++) {
        struct poison_warp *warp = &block->warps[i];
        if (launch->stack_local)
            memset(warp->local_written, 0, (uint64_t)slot->warps[i].local_stride * WARP_LANES / 8);
        warp->carry = warp->unsure = 0;
        if (slot->warps[i].watches) {
            memset(warp->any_r, 0, ((launch->code->stack_r >> POISON_R_SHIFT) + (size_t)1) * sizeof(uint32_t));
            memset(warp->any_q, 0, ((launch->code->stack_q >> POISON_Q_SHIFT) + (size_t)1) * sizeof(uint32_t));
            memset(warp->any_p, 0, (launch->code->stack_p + (size_t)1) * sizeof(uint32_t));
            slot->warps[i].watches = 0;
        }
        poison_unset(poison, &slot->warps[i]);
    }
    return true;
}

void poison_barrier(struct poison *poison, struct block *slot)
{
    struct poison_block *block = slot->warps->poison->block;
    const struct launch *launch = poison->launch;
    uint32_t bytes = launch->leaves_shared ? launch->shared_room : launch->shared_bytes, whole = bytes / 64 * 8;
    uint64_t missing = 0;
    if (slot->shared_full)
        return;
    for (uint32_t i = 0; i < whole && !missing; i += 8) {
        uint64_t word;
        memcpy(&word, block->shared_written + i, sizeof word);
        missing = ~word;
    }
    for (uint32_t byte = whole * 8; byte < bytes && !missing; byte++)
        missing = !(block->shared_written[byte / 8] >> byte % 8 & 1);
    slot->shared_full = !missing;
}
