/* Running a grid: limits, resident blocks, the order of blocks, and what is reported afterwards. */
#include "runtime/emulator/machine/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/async.h"
#include "runtime/emulator/machine/cluster.h"
#include "runtime/emulator/machine/device_work.h"
#include "runtime/emulator/machine/endless.h"
#include "runtime/emulator/machine/held.h"
#include "runtime/emulator/machine/hooks.h"
#include "runtime/emulator/machine/interrupt.h"
#include "runtime/emulator/machine/launch_limits.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/run.h"
#include "runtime/emulator/machine/schedule.h"
#include "runtime/emulator/machine/turn.h"
#include "runtime/emulator/machine/useful.h"
#include "runtime/emulator/machine/waiting.h"
#include "runtime/emulator/machine/warp.h"
#include "runtime/emulator/machine/work.h"
#include "runtime/emulator/settings/settings.h"

static const int64_t DEFAULT_FUEL = 400000000; /* warp instructions: one thread adds 2^24 elements in less */
/* When all resident blocks have only polled for this part of the fuel, and no other block can begin, they wait for one
 * that cannot. */
enum { STUCK_SHARE = 8 };
enum { MANY_RESIDENT = 8 }; /* blocks; if so many only wait, others join them several at a time */

/* Some orders have many blocks at work at once. What is refused there is refused everywhere, for any grid. */
static enum launch_status check_memory(struct launch *launch, uint64_t blocks)
{
    enum { MOST_RESIDENT = 16, MB = 1 << 20 };
    static const uint64_t allowed = UINT64_C(1536) * MB;
    uint64_t each = block_bytes(launch), resident = launch->request->cooperative ? blocks : 0;
    if (resident < MOST_RESIDENT)
        resident = MOST_RESIDENT;
    if (each <= allowed / resident)
        return LAUNCH_OK;
    return launch_limits_refuse(
        launch, LAUNCH_OUT_OF_RESOURCES,
        "each block takes %llu MB for the local arrays, calls and registers of its %u threads; this device has "
        "%llu MB for each of the blocks that run at the same time",
        (unsigned long long)(each / MB), launch->threads_per_block, (unsigned long long)(allowed / resident / MB));
}

/* ---- the grid ---- */

static void count_instructions(const struct block *block, struct launch *launch)
{
    uint64_t total = 0, most = 0, useful = 0, most_useful = 0;
    for (uint32_t i = 0; i < launch->warps_per_block; i++) {
        const struct warp *warp = &block->warps[i];
        uint64_t most_of_warp = 0;
        bool even = !warp->uneven && !warp->partial_mask;
        for (unsigned lane = 0; lane < (even ? 1 : WARP_LANES); lane++) {
            uint64_t own = warp->common_instructions;
            if (!even)
                own += warp->lane_instructions[lane] + (warp->partial_mask >> lane & 1 ? warp->partial_instructions : 0);
            uint64_t own_useful = own >> USEFUL_SHIFT, lanes = even ? WARP_LANES : 1;
            own &= (UINT64_C(1) << USEFUL_SHIFT) - 1;
            total += own * lanes;
            useful += own_useful * lanes;
            most_of_warp = own > most_of_warp ? own : most_of_warp;
            most_useful = own_useful > most_useful ? own_useful : most_useful;
        }
        most = most_of_warp > most ? most_of_warp : most;
        launch->warp_busiest[most_of_warp ? 63 - __builtin_clzll(most_of_warp) : 0] += most_of_warp;
    }
    launch->thread_instructions += total;
    launch->busiest_instructions += most;
    launch->busiest_thread = most > launch->busiest_thread ? most : launch->busiest_thread;
    launch->block_work[total ? 63 - __builtin_clzll(total) : 0] += total;
    launch->busiest_block = total > launch->busiest_block ? total : launch->busiest_block;
    launch->useful_instructions += useful;
    double share = useful ? (double)most_useful / (double)useful : 0;
    if (share > launch->max_thread_share && !launch->relearnt)
        launch->max_thread_share = share;
    if (useful > launch->busiest_block_instructions)
        launch->busiest_block_instructions = useful;
    if (block->loaded_bytes > launch->busiest_block_loaded)
        launch->busiest_block_loaded = block->loaded_bytes;
    if (block->stored_bytes > launch->busiest_block_stored)
        launch->busiest_block_stored = block->stored_bytes;
}

static void finish_block(struct block *block, struct launch *launch)
{
    if (launch->counts)
        count_instructions(block, launch);
    if (launch->relearnt) {
        useful_weigh_again(launch->request->function->program);
        launch->relearnt = false;
    }
    async_block_end(block, launch);
    block->running = false;
    if (!launch->aborted) { /* what is left then shows why */
        launch->fuel = launch->fuel_limit;
        turn_end(launch);
    }
}

static uint64_t block_in_order(const struct launch *launch, uint64_t position, uint64_t blocks)
{
    return launch->schedule->blocks == SCHEDULE_FALLING ? blocks - 1 - position : position;
}

/* Blocks run to their end one after the other; one that only polls lets the next one become resident, and they take turns,
 * which also end at a barrier: so those that wait for a block see what it has done before it does more. */
static bool run_blocks(struct launch *launch, uint64_t blocks)
{
    uint64_t limit = launch->request->cooperative ? blocks : launch->schedule->resident;
    bool turns = launch->schedule->step == SCHEDULE_STEP_TURNS;
    uint64_t together = launch->cluster_blocks; /* a cluster begins as a whole */
    limit = (limit + together - 1) / together * together;
    struct block *resident = calloc(limit < blocks ? limit : blocks, sizeof *resident);
    uint64_t slots = 0, next = 0, running = 0;
    if (!resident)
        return false;
    bool complete = true;
    /* The last block of a cooperative launch begins when all others wait for it: this exposes a block that does not wait
     * for all. */
    uint64_t wanted = turns ? limit : launch->request->cooperative && blocks > 2 ? blocks - 1 : 1;
    struct endless endless = {0};
    uint64_t noted = 0; /* rounds in which what it does is still to be noted, and one */
    while ((next < blocks || running) && !launch->aborted) {
        if (interrupt_signal) {
            launch_abort(launch, LAUNCH_TIMEOUT);
            break;
        }
        if (work_is_spent()) {
            waiting_report_work(launch, next - running);
            break;
        }
        while (next < blocks && (next % together || (running < wanted && running + together <= limit))) {
            uint64_t slot = 0;
            while (slot < slots && resident[slot].running)
                slot++;
            if (slot == slots && (slots == limit || !block_create(&resident[slots], launch))) {
                complete = slots > 0;
                break;
            }
            slots += slot == slots;
            launch->resident = resident;
            launch->slots = slots;
            endless_forget(&endless);
            block_start(&resident[slot], launch, block_in_order(launch, next++, blocks));
            running++;
        }
        if (!running)
            break;
        bool finished = false, only_poll = true;
        launch->yields_at_barriers = running > 1 && !turns;
        for (uint64_t i = 0; i < slots && !launch->aborted; i++) {
            if (!resident[i].running)
                continue;
            if (!block_run(&resident[i], launch)) {
                only_poll &= !resident[i].yields || resident[i].patience >= POLL_PATIENCE;
                continue;
            }
            finish_block(&resident[i], launch);
            endless_forget(&endless);
            running--;
            finished = true;
            if (next < blocks && running < wanted)
                break; /* the place is refilled before the others continue */
        }
        if (!finished && !only_poll)
            continue;
        if (!finished && wanted < limit && next < blocks)
            wanted += wanted < MANY_RESIDENT ? 1 : wanted / 4;
        else if (!finished && schedule_wake_latest(resident, slots, launch))
            continue;
        else if (!finished && noted > 1)
            noted--;
        else if (!finished && noted == 0 && endless_is_proven(&endless, launch, resident, slots)) {
            noted = endless.period + 2;
            turn_begin(launch, NULL);
        } else if (!finished && noted == 1) {
            for (uint64_t i = 0; i < slots; i++)
                if (resident[i].running)
                    block_settle(&resident[i], launch);
            waiting_report_endless(launch, blocks - next);
        } else if (!finished && !turns && next < blocks
                   && launch->fuel < launch->fuel_limit - launch->fuel_limit / STUCK_SHARE)
            for (uint64_t i = 0; i < slots && !launch->aborted; i++)
                if (resident[i].running)
                    waiting_report_stuck(&resident[i], launch, blocks - next);
    }
    endless_clear(&endless);
    turn_end(launch);
    for (uint64_t i = 0; i < slots; i++)
        block_destroy(&resident[i]);
    free(resident);
    return complete;
}

/* Windows and counters of the sites are those of one launch. */
static void reset_sites(const struct launch *launch)
{
    const struct program *program = launch->request->function->program;
    for (size_t i = 0; i < program->module->function_count; i++) {
        struct code *code = &program->code[i];
        for (size_t s = 0; s < code->site_count; s++) {
            struct memory_site *site = &code->sites[s];
            access_forget_window(site);
            site->requests = site->units = site->serialised = site->conflicts = site->arrived = site->exposed = 0;
            site->worst.units = 0;
        }
        for (size_t b = 0; b < code->block_count; b++)
            code->block_counters[b].warps = code->block_counters[b].absent = 0;
    }
}

/* The same work takes more instructions when each lane executes them alone, and longer until the first of several blocks
 * ends. */
static int64_t choose_fuel(const struct launch *launch, uint64_t blocks)
{
    int64_t fuel = launch->settings->fuel ? (int64_t)launch->settings->fuel : DEFAULT_FUEL, pieces = 1;
    if (launch->schedule->lanes != SCHEDULE_LANES_TOGETHER)
        pieces = WARP_LANES;
    else if (launch->schedule->step == SCHEDULE_STEP_TURNS)
        pieces = (int64_t)(blocks < launch->schedule->resident ? blocks : launch->schedule->resident);
    return pieces > 1 && fuel > INT64_MAX / pieces ? INT64_MAX : fuel * pieces;
}

static void print_output(struct launch *launch)
{
    if (launch->printf_length) {
        fwrite(launch->printf_text, 1, launch->printf_length, stdout);
        fflush(stdout);
    }
    if (launch->printf_dropped)
        fprintf(stderr,
                "lockstep: %llu printf calls of kernel %s did not fit into the buffer of %u bytes and were dropped\n",
                (unsigned long long)launch->printf_dropped, launch->request->function->name, launch->request->printf_bytes);
    free(launch->printf_text);
}

/* grid.sync() of cooperative groups counts arrivals in memory that the driver provides: its second word. */
static bool create_grid_barrier(struct launch *launch)
{
    enum { GRID_BARRIER_BYTES = 64 };
    if (!launch->request->cooperative)
        return true;
    launch->grid_barrier = memory_allocate(launch->request->memory, GRID_BARRIER_BYTES, MEMORY_GLOBAL);
    if (launch->grid_barrier)
        memory_mark_written(launch->grid_barrier, 0, launch->grid_barrier->bytes); /* the driver clears it */
    return launch->grid_barrier != NULL;
}

static void destroy_grid_barrier(const struct launch *launch)
{
    if (launch->grid_barrier)
        memory_free(launch->request->memory, launch->grid_barrier->address);
}

static struct launch begin(const struct launch_request *request)
{
    const struct program_function *function = request->function;
    struct launch launch = {
        .request = request, .settings = settings_get(), .code = &function->program->code[function->index]};
    launch.schedule = launch.settings->schedule;
    launch.stepped = schedule_is_stepped(launch.schedule);
    launch.executor = request->executor;
    launch.hooks = request->hooks;
    launch.words = request->words;
    launch.apart = launch.schedule->lanes != SCHEDULE_LANES_TOGETHER;
    launch.student_file = place_student_file(&launch);
    return launch;
}

/* Runs one grid. work: out: what it asked its device for, to be done next. */
static enum launch_status run_grid(const struct launch_request *request, struct device_work **work)
{
    const struct program_function *function = request->function;
    struct launch launch = begin(request);
    enum launch_status status = launch_limits_apply(&launch);
    uint64_t blocks = launch.blocks;
    if (status != LAUNCH_OK)
        return status;
    struct memory_allocation *parameters = function->program->parameters;
    launch.dynamic_offset = (launch.code->shared_bytes + launch.code->shared_align - 1) / launch.code->shared_align
                            * launch.code->shared_align;
    launch.shared_bytes = launch.dynamic_offset + request->dynamic_shared_bytes;
    launch.shared_room = (uint32_t)launch_limits_shared(launch.shared_bytes);
    launch.stack_local = launch.code->stack_local;
    status = check_memory(&launch, blocks);
    if (status != LAUNCH_OK)
        return status;
    launch.fuel_limit = launch.fuel = choose_fuel(&launch, blocks);
    launch.slice = launch.fuel_limit < SLICE ? launch.fuel_limit : SLICE;
    launch.parameters = parameters->host;
    memcpy(parameters->host, request->parameters, function->parameter_bytes);
    memory_mark_written(parameters, 0, function->parameter_bytes);
    launch.quiet = UINT32_MAX;
    launch.findings = finding_set_create();
    if (!launch.findings || !create_grid_barrier(&launch) || (launch.hooks && !launch.hooks->start(&launch))) {
        destroy_grid_barrier(&launch);
        finding_set_destroy(launch.findings);
        return LAUNCH_OUT_OF_MEMORY;
    }
    if (!launch.watched && !launch.counts)
        launch.hooks = NULL;
    struct interrupt interrupt;
    reset_sites(&launch);
    work_add(WORK_LAUNCH);
    interrupt_begin(&interrupt);
    bool complete = run_blocks(&launch, blocks);
    if (launch.aborted && (launch.fuel <= 0 || work_is_spent()))
        launch_raise(&launch, LAUNCH_TIMEOUT);
    held_end(&launch);
    if (request->executed)
        *request->executed += launch.warp_instructions;
    if (launch.hooks)
        launch.hooks->end(&launch);
    finding_set_flush(launch.findings);
    finding_set_destroy(launch.findings);
    destroy_grid_barrier(&launch);
    print_output(&launch);
    interrupt_end(&interrupt);
    *work = device_works_take(&launch);
    return complete ? launch.status : LAUNCH_OUT_OF_MEMORY;
}

/* A grid that another one launched: what it asks for goes before the rest of the list. */
static enum launch_status run_launched(const struct device_work *work, struct device_work **rest)
{
    struct device_work *own = NULL;
    struct launch_request request = work->request;
    request.parameters = work->buffer ? (const void *)work->buffer->host : "";
    const char *before = finding_set_origin(request.origin);
    work_add(WORK_ALLOCATION * (uint64_t)memory_count(request.memory));
    enum launch_status status = run_grid(&request, &own);
    finding_set_origin(before);
    struct device_work **end = &own;
    while (*end)
        end = &(*end)->next;
    *end = *rest;
    *rest = own;
    return status;
}

/* A copy or a fill beyond an array is a finding of the driver's; the grid has ended, so that its context fails as after an
 * access of a kernel. */
static enum launch_status run_box(const struct device_work *work)
{
    const struct device_port *port = work->request.port;
    int error = work->kind == DEVICE_COPY ? port->copy(work->origin, &work->box) : port->fill(work->origin, &work->box);
    return error == 0 ? LAUNCH_OK : LAUNCH_ILLEGAL_ADDRESS;
}

/* May the program go on after this? */
static bool is_survived(enum launch_status status)
{
    return status == LAUNCH_OK || (status == LAUNCH_ILLEGAL_ADDRESS && settings_get()->continue_after_fault);
}

enum launch_status launch_run(const struct launch_request *request)
{
    struct device_work *work = NULL;
    enum launch_status worst = run_grid(request, &work);
    while (work) {
        struct device_work *first = work;
        work = first->next;
        enum launch_status status = worst;
        if (is_survived(worst))
            status = first->kind == DEVICE_LAUNCH ? run_launched(first, &work) : run_box(first);
        worst = status > worst ? status : worst;
        device_work_destroy(first);
    }
    return worst;
}
