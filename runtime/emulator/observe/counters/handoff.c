#include "runtime/emulator/observe/counters/handoff.h"

#include <stdlib.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/warp.h"
#include "runtime/emulator/observe/counters/site.h"

enum { TABLE_BITS = 16, TABLE_FULL = 1 << (TABLE_BITS - 1), GLOBAL = 0, SHARED = 1, MANY_BLOCKS = 8 };

/* What was handed over last at an address. An entry of an older launch is free. */
struct handed_place {
    uint64_t address; /* of shared memory: with the block's number */
    uint64_t thread;  /* that wrote last */
    uint32_t launch;
    uint32_t length; /* of the chain up to there */
    uint32_t asked;  /* lanes */
    uint32_t blocks; /* that asked, and another had asked since */
    uint64_t last_block;
    bool published; /* by a store, or an operation whose result is unused */
};

static struct handed_place *table; /* made where it is first needed; kept */
static uint32_t launch_number, used;
static struct handoff_totals totals;

void handoff_begin(void)
{
    launch_number++;
    used = 0;
    totals = (struct handoff_totals){0};
}

void handoff_block_start(struct block *block)
{
    const struct launch *launch = block->warps->launch;
    for (uint32_t i = 0; i < launch->warps_per_block; i++)
        block->warps[i].handed[GLOBAL] = block->warps[i].handed[SHARED] = 0;
    for (int kind = GLOBAL; kind <= SHARED; kind++)
        block->handed.settled[kind] = block->handed.pending[kind] = 0;
    block->handed.at = 0;
    block->handed.taken = false;
}

/* Does any instruction of the function read the result? */
static bool result_is_read(const struct ptx_function *function, const struct ptx_instruction *atomic)
{
    if (!atomic || atomic->operands[0].kind != OPERAND_REGISTER)
        return atomic == NULL;
    int number = atomic->operands[0].index;
    for (size_t i = 0; i < function->instruction_count; i++) {
        if (ptx_instruction_reads(&function->instructions[i], number))
            return true;
    }
    return false;
}

static enum handing handing_of(const struct warp *warp, const struct operation *operation)
{
    const struct memory_site *site = operation->site;
    const struct launch *launch = warp->launch;
    if (site->access == SITE_LOAD || site->access == SITE_STORE)
        return site->strong || site->is_volatile ? HANDS_OVER : HANDS_NOTHING;
    if (site->access == SITE_REDUCTION)
        return HANDS_OVER;
    const struct program *program = launch->request->function->program;
    const struct ptx_instruction *instruction = operation_instruction(launch, operation);
    for (size_t i = 0; instruction && i < program->module->function_count; i++) {
        const struct ptx_function *function = program->code[i].function;
        if (function && instruction >= function->instructions
            && instruction < function->instructions + function->instruction_count)
            return result_is_read(function, instruction) ? HANDS_AND_TAKES : HANDS_OVER;
    }
    return HANDS_AND_TAKES;
}

static struct handed_place *find(uint64_t address)
{
    if (!table)
        table = calloc(1 << TABLE_BITS, sizeof *table);
    uint64_t at = address * UINT64_C(0x9E3779B97F4A7C15) >> (64 - TABLE_BITS);
    for (; table; at = (at + 1) % (1 << TABLE_BITS)) {
        struct handed_place *place = &table[at];
        if (place->launch == launch_number && place->address == address)
            return place;
        if (place->launch == launch_number)
            continue;
        if (used >= TABLE_FULL)
            return NULL;
        used++;
        *place = (struct handed_place){.address = address, .launch = launch_number, .thread = UINT64_MAX};
        return place;
    }
    return NULL;
}

/* The chain up to this warp: what its block knew when it passed its latest barrier, and what it has learnt itself. */
static uint32_t length_of(struct warp *warp, int kind)
{
    struct block *block = warp->block;
    if (block->handed.at != block->barriers_passed) {
        block->handed.at = block->barriers_passed;
        for (int k = GLOBAL; k <= SHARED; k++)
            block->handed.settled[k] = block->handed.pending[k];
    }
    uint32_t own = warp->handed[kind], settled = block->handed.settled[kind];
    return own > settled ? own : settled;
}

static void learn(struct warp *warp, int kind, uint32_t length)
{
    warp->handed[kind] = length;
    if (length <= warp->block->handed.pending[kind])
        return;
    if (kind == SHARED)
        totals.in_blocks += length - warp->block->handed.pending[kind];
    else if (length > totals.longest)
        totals.longest = length;
    warp->block->handed.pending[kind] = length;
}

static uint64_t instructions_of(const struct warp *warp, unsigned lane)
{
    uint64_t all = warp->lane_instructions[lane] + warp->common_instructions
                   + (warp->partial_mask >> lane & 1 ? warp->partial_instructions : 0);
    return all & ((UINT64_C(1) << USEFUL_SHIFT) - 1); /* the useful ones are among them */
}

/* What lies between taking and handing on is what the next one waits for. */
static void note_taken(struct warp *warp, unsigned lane)
{
    struct block *block = warp->block;
    block->handed.taken = true;
    block->handed.fences = warp->fences;
    block->handed.instructions = instructions_of(warp, lane);
}

static void note_handed_on(struct warp *warp, unsigned lane)
{
    struct block *block = warp->block;
    uint64_t now = instructions_of(warp, lane);
    totals.published += block->handed.taken;
    totals.instructions += now > block->handed.instructions ? now - block->handed.instructions : 0;
    totals.fences += warp->fences > block->handed.fences ? warp->fences - block->handed.fences : 0;
    note_taken(warp, lane);
    block->handed.taken = false; /* what else it hands on belongs to the same */
}

static void take(struct handed_place *place, uint64_t block)
{
    place->asked++;
    place->blocks += place->last_block != block || !place->blocks;
    place->last_block = block;
}

static void hand(struct handed_place *place, uint64_t thread, uint32_t before, bool publishes)
{
    bool first = place->thread == UINT64_MAX, again = place->published && place->thread >> 10 == thread >> 10;
    if (publishes ? !again || first : before > place->length || first)
        place->length = before;
    place->published = publishes;
    place->thread = thread;
}

void handoff_request(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t mask,
                     bool in_shared)
{
    struct memory_site *site = operation->site;
    if (site->handing == HANDING_UNKNOWN)
        site->handing = (uint8_t)handing_of(warp, operation);
    bool atomic = site_is_atomic(site), takes = atomic ? site->handing == HANDS_AND_TAKES : site->access == SITE_LOAD;
    if (in_shared && (!atomic || (site->atomic == ATOMIC_ADD && !takes))) /* counting hands over nothing */
        site->handing = HANDS_NOTHING;
    if (site->handing == HANDS_NOTHING)
        return;
    int kind = in_shared ? SHARED : GLOBAL;
    bool publishes = site->access != SITE_LOAD && !takes;
    uint32_t before = length_of(warp, kind), after = before;
    uint64_t block = warp->block->linear;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t thread = block << 10 | (warp->index * WARP_LANES + lane);
        struct handed_place *place = find(in_shared ? UINT64_MAX << 40 | address[lane] : address[lane]);
        if (!place)
            return;
        if (in_shared && place->thread >> 10 != block) /* another block's memory */
            place->thread = UINT64_MAX;
        bool waits = takes && place->thread != UINT64_MAX && place->thread != thread && place->length >= before;
        if (waits && place->length + 1 > after)
            after = place->length + 1;
        if (waits && !in_shared && place->length > 0) /* a counter that all advance has no chain: no lane asks twice */
            take(place, block);
        if (site->access != SITE_LOAD)
            hand(place, thread, before, publishes);
    }
    if (after > before) {
        learn(warp, kind, after);
        if (!in_shared)
            note_taken(warp, (unsigned)__builtin_ctz(mask));
    } else if (publishes && !in_shared && before > 0) {
        note_handed_on(warp, (unsigned)__builtin_ctz(mask));
    }
}

void handoff_end(struct handoff_totals *result)
{
    for (unsigned i = 0; table && used && i < 1 << TABLE_BITS; i++)
        if (table[i].launch == launch_number && table[i].blocks >= MANY_BLOCKS) {
            totals.waiting += table[i].asked;
            totals.places++;
        }
    *result = totals;
}
