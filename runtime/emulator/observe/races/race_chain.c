/* Happens-before: what is released at a place, or to a barrier object, and acquired from there. See README.md, Order. */
#include "runtime/emulator/observe/races/race_epoch.h"
#include "runtime/emulator/observe/races/race_knowledge.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"

/* ---- places that threads synchronise at ---- */

void race_synchronise(const struct race_access *access, unsigned lane, uint64_t key)
{
    struct races *races = access->races;
    const struct memory_site *site = access->site;
    struct race_warp *own = access->own;
    struct race_block *block = access->block;
    struct race_chain *chain = race_places_find(&races->chains, sizeof *chain, key);
    enum race_reading reading = access->reads && chain ? race_reading_of(races, site->number) : READING_NOTHING;
    bool weak = reading == READING_RELAXED || (race_is_swap(site) && !site->acquire);
    if (reading != READING_NOTHING && race_acquire(races, block, &own->acquired[lane], chain->node, site->scope, weak))
        own->relaxed |= (uint32_t)weak << lane;
    if (!access->write)
        return;
    bool fenced = (own->fences && own->fences[0][lane].time) || own->any_synced || block->any_met;
    uint32_t head = access->atomic && chain ? chain->node : 0; /* an atomic continues the chain,
        a store begins a new one */
    if (!fenced && !site->release) {
        if (chain) {
            chain->node = head;
            chain->ticket = 0;
        }
        return;
    }
    chain = race_places_enter(&races->chains, sizeof *chain, key);
    if (!chain) {
        races->gave_up = true;
        return;
    }
    chain->ticket = access->atomic && site->access == SITE_ATOMIC ? 1 + own->id * WARP_LANES + lane : 0;
    chain->site = site->number;
    own->released = true;
    if (site->release) {
        race_epoch_make_exact(races, access->block);
        race_advance(races);
        struct race_fence now = race_snapshot(races, block, own, lane, races->time);
        head = race_add_node(races, block, own, lane, &now, site->scope, head);
    } else {
        head = race_release_fences(races, block, own, lane, 1, site->scope, head);
        head = race_release_fences(races, block, own, lane, 0, 0, head);
    }
    chain->node = head;
}

/* Does anything in the function look at the result? */
static bool is_looked_at(const struct races *races, const struct operation *operation)
{
    const struct code *code = program_code_of(races->launch->request->function->program, operation);
    const struct ptx_instruction *atomic = operation_instruction(races->launch, operation);
    const struct ptx_function *function = code ? code->function : NULL;
    int result = atomic && atomic->operands[0].kind == OPERAND_REGISTER ? atomic->operands[0].index : -1;
    for (size_t i = 0; result >= 0 && i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        for (unsigned k = instruction->operands[0].kind == OPERAND_REGISTER; k < instruction->operand_count; k++)
            if (instruction->operands[k].index == result
                && (instruction->operands[k].kind == OPERAND_REGISTER || instruction->operands[k].kind == OPERAND_ADDRESS))
                return true;
    }
    return false;
}

bool race_has_last_ticket(const struct race_access *access, unsigned lane, uint64_t key)
{
    const struct races *races = access->races;
    const struct race_chain *chain = race_places_find(&races->chains, sizeof *chain, key);
    return chain && chain->ticket == 1 + access->own->id * WARP_LANES + lane
           && is_looked_at(races, races->sites[chain->site].operation);
}

/* ---- barrier objects ---- */

/* One node for all the lanes: what each did is in its row, unless they are the whole warp. */
void race_release_lanes(struct races *races, struct warp *warp, uint32_t lanes, uint32_t *chain)
{
    struct race_warp *own = race_warp_of(warp);
    const struct race_block *block = warp->block->races;
    unsigned first = (unsigned)__builtin_ctz(lanes);
    if (races->gave_up)
        return;
    race_epoch_make_exact(races, warp->block->races);
    own->released = true;
    uint32_t time = race_advance(races), list = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t other = own->acquired[__builtin_ctz(rest)];
        if (other && other != list && (!list || races->links[list].list != other))
            race_add_link(races, &list, (struct race_link){.list = other});
    }
    struct race_fence now = {.time = time,
                             .barrier_time = block->barrier_time,
                             .sync_time = lanes == warp->live ? time : own->sync_time,
                             .acquired = list,
                             .block_acquired = block->acquired};
    if (lanes != warp->live
        && race_grow(races, (void **)&races->rows, races->row_count, &races->row_capacity, sizeof *races->rows)) {
        uint32_t *row = races->rows[++races->row_count];
        memset(row, 0, sizeof *races->rows);
        for (uint32_t rest = own->knows ? lanes : 0; rest; rest &= rest - 1)
            for (unsigned other = 0; other < WARP_LANES; other++) {
                uint32_t known = own->known[__builtin_ctz(rest)][other];
                row[other] = known > row[other] ? known : row[other];
            }
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            row[__builtin_ctz(rest)] = time;
        now.row = (uint32_t)races->row_count;
    }
    uint32_t before = *chain;
    *chain = race_add_node(races, block, own, first, &now, 0, before);
    if (*chain != before)
        races->nodes[*chain].object = before ? races->nodes[before].object : *chain;
}

/* The chain of an object only grows, so a newer head replaces an older one of the same chain that the lane has. */
void race_acquire_lanes(struct races *races, struct warp *warp, uint32_t lanes, uint32_t chain)
{
    struct race_warp *own = race_warp_of(warp);
    const struct race_block *block = warp->block->races;
    uint32_t before = 0, after = 0;
    if (!chain || races->gave_up)
        return;
    race_epoch_make_exact(races, warp->block->races);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t list = own->acquired[lane];
        if (!after || list != before) { /* lanes that knew the same know the same again: one link for all */
            uint32_t kept = list;
            if (list && races->links[list].node && races->nodes[races->links[list].node].object
                && races->nodes[races->links[list].node].object == races->nodes[chain].object)
                kept = races->links[list].previous;
            before = list;
            after = kept;
            race_acquire(races, block, &after, chain, 0, false);
        }
        own->acquired[lane] = after;
    }
}
