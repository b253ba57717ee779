/* What the race checker keeps for a launch, and for each slot that blocks run in. */
#include "runtime/emulator/observe/races/race.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/modes.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/roles.h"
#include "runtime/emulator/observe/races/race_epoch.h"
#include "runtime/emulator/observe/races/race_need.h"
#include "runtime/emulator/observe/races/race_past.h"
#include "runtime/emulator/observe/races/race_pool.h"

static uint32_t launch_tag; /* of all launches of the process; 0 marks memory that was never checked */

/* Can the operation order threads, or make others able to, in another way than a barrier of all? */
static bool can_order(const struct operation *operation)
{
    if (operation->handler == HANDLER_fence || operation->handler == HANDLER_mbarrier)
        return true;
    if (operation->handler == HANDLER_barrier)
        return !(operation->extra & BARRIER_PLAIN);
    if (!operation_is(operation, ROLE_SITE))
        return false;
    const struct memory_site *site = operation->site;
    return site->release || site->acquire || (operation->handler == HANDLER_atomic && site->atomic == ATOMIC_CAS);
}

/* Does nothing that the kernel can reach order threads but barriers? Then a volatile access is as any other, until it meets
 * a conflict. */
static bool orders_by_barriers(const struct launch *launch)
{
    const struct program *program = launch->request->function->program;
    for (size_t i = 0; i < program->module->function_count; i++) {
        const struct code *code = &program->code[i];
        bool reached = code == launch->code || !program->module->functions[i]->is_entry; /* perhaps */
        for (size_t o = 0; reached && code->operations && o < code->operation_count; o++)
            if (can_order(&code->operations[o]))
                return false;
    }
    return true;
}

/* What an epoch can decide about a memory instruction. Compare-and-swap can take locks, releases order threads. */
static enum race_kind kind_of(const struct races *races, const struct operation *operation, bool by_barriers)
{
    const struct memory_site *site = operation->site;
    if (operation->handler == HANDLER_mbarrier || site->release)
        return RACE_EXACT;
    if (operation->handler == HANDLER_atomic)
        return site->atomic == ATOMIC_CAS || (race_is_swap(site) && races->stores_volatile) ? RACE_EXACT : RACE_ATOMIC;
    if (site->strong && !(site->is_volatile && by_barriers))
        return RACE_EXACT;
    return site->access == SITE_LOAD ? RACE_READ : RACE_WRITE;
}

static bool stores_volatile(const struct program *program)
{
    for (size_t i = 0; i < program->module->function_count; i++) {
        const struct code *code = &program->code[i];
        for (size_t o = 0; code->operations && o < code->operation_count; o++)
            if (operation_is(&code->operations[o], ROLE_SITE) && code->operations[o].site->access == SITE_STORE
                && code->operations[o].site->is_volatile)
                return true;
    }
    return false;
}

/* Numbers the memory instructions of the program. */
static bool list_sites(struct races *races)
{
    const struct program *program = races->launch->request->function->program;
    for (size_t i = 0; i < program->module->function_count; i++)
        races->site_count += program->code[i].operations ? program->code[i].site_count : 0;
    races->sites = calloc(races->site_count + 1, sizeof *races->sites);
    if (!races->sites)
        return false;
    races->stores_volatile = stores_volatile(program);
    uint32_t number = 0;
    const bool by_barriers = orders_by_barriers(races->launch);
    for (size_t i = 0; i < program->module->function_count; i++) {
        const struct code *code = &program->code[i];
        for (size_t o = 0; code->operations && o < code->operation_count; o++) {
            const struct operation *operation = &code->operations[o];
            if (!operation_is(operation, ROLE_SITE))
                continue;
            operation->site->number = ++number;
            races->sites[number] = (struct race_site){.operation = operation,
                                                      .site = operation->site,
                                                      .polls = -1,
                                                      .line_polls = -1,
                                                      .guess = -1,
                                                      .flag = -1,
                                                      .kind = kind_of(races, operation, by_barriers)};
        }
    }
    return true;
}

/* Does the program call the device runtime's functions that launch? */
static bool may_launch(const struct launch *launch)
{
    const struct ptx_module *module = launch->request->function->program->module;
    for (size_t i = 0; i < module->function_count; i++)
        if (!module->functions[i]->has_body && strstr(module->functions[i]->name, "LaunchDevice"))
            return true;
    return false;
}

struct races *race_start(struct launch *launch)
{
    struct races *races = calloc(1, sizeof *races);
    if (!races)
        return NULL;
    if (++launch_tag == 0)
        launch_tag = 1;
    races->launch = launch;
    races->tag = launch_tag;
    races->time = 1;
    races->unit_shift = 2; /* words, until a smaller access is seen */
    races->warps_per_block = launch->warps_per_block;
    uint64_t blocks = (uint64_t)launch->request->grid[0] * launch->request->grid[1] * launch->request->grid[2];
    races->gave_up = blocks * launch->warps_per_block > UINT32_MAX; /* warps are numbered in 32 bits */
    if (!list_sites(races)) {
        free(races);
        return NULL;
    }
    races->gave_up |= races->site_count >> RACE_SITE_BITS != 0;
    if (launch->settings->checks == CHECKS_ALL) {
        bool launches = may_launch(launch);
        if (!launches) /* else another grid may write what it reads */
            race_exempt_arrays(races);
        races->need = launches ? NULL : need_start(races); /* a barrier may be needed for a launch */
        races->follows_need = races->need != NULL;
    }
    return races;
}

static void free_block(struct race_block *block, uint32_t warps)
{
    for (uint32_t i = 0; block->warps && i < warps; i++) {
        free(block->warps[i].known);
        free(block->warps[i].fences);
        free(block->warps[i].locks);
    }
    free(block->warps);
    free(block->shared.lines);
    free(block->shared.kept);
    race_epoch_free(&block->epoch);
    need_block_free(block->need);
    free(block);
}

void race_end(struct races *races)
{
    race_flush(races);
    const struct launch *launch = races->launch;
    need_end(races,
             !races->gave_up && !launch->aborted && launch->status == LAUNCH_OK && finding_set_is_empty(launch->findings));
    if (races->pasts) {
        race_past_keep(races);
        races->is_over = true;
        races->launch = NULL;
    } else {
        race_free(races);
        race_cells_rewind();
    }
}

void race_free(struct races *races)
{
    for (struct race_block *block = races->blocks, *next; block; block = next) {
        next = block->next;
        free_block(block, races->warps_per_block);
    }
    race_past_free(races);
    for (size_t i = 1; i <= races->site_count; i++)
        free(races->sites[i].layout);
    free(races->sites);
    free(races->nodes);
    free(races->links);
    free(races->segments);
    free(races->reads);
    free(races->rows);
    free(races->chains.entries);
    free(races->owners.entries);
    free(races->stack);
    free(races->groups);
    free(races);
}

static struct race_block *create_block(struct races *races)
{
    struct race_block *block = calloc(1, sizeof *block);
    if (block)
        block->warps = calloc(races->warps_per_block, sizeof *block->warps);
    if (!block || !block->warps) {
        free(block);
        races->gave_up = true;
        return NULL;
    }
    block->epoch.keeps_traces = true;
    block->next = races->blocks;
    races->blocks = block;
    return block;
}

void race_block_start(struct races *races, struct block *slot)
{
    if (!slot->races)
        slot->races = create_block(races);
    struct race_block *block = slot->races;
    if (!block)
        return;
    block->first_warp = (uint32_t)slot->linear * races->warps_per_block;
    block->barrier_time = 0;
    block->acquired = 0;
    block->any_gone = block->any_locks = block->fenced = block->any_met = false;
    memset(block->arrived, 0, sizeof block->arrived);
    block->shared.tag++;
    race_epoch_begin(races, block);
    if (races->need)
        need_block_start(races, block);
    for (uint32_t i = 0; i < races->warps_per_block; i++) {
        struct race_warp *own = &block->warps[i];
        own->id = block->first_warp + i;
        own->sync_time = own->segment = 0;
        own->gone = ~slot->warps[i].live;
        own->knows = own->released = own->fenced = own->any_synced = false;
        own->relaxed = 0;
        if (races->node_count) /* else nothing has been acquired yet */
            memset(own->acquired, 0, sizeof own->acquired);
        free(own->fences);
        free(own->locks);
        own->fences = NULL;
        own->locks = NULL;
    }
}
