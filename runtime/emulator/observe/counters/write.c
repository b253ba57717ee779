/* The counters of a launch, summed by source line, as one line of LOCKSTEP_COUNTERS. */
#include "runtime/emulator/observe/counters/counters.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/json.h"
#include "runtime/emulator/arithmetic/matrix.h"
#include "runtime/emulator/machine/barrier_lines.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/roles.h"
#include "runtime/emulator/machine/useful.h"
#include "runtime/emulator/machine/warp.h"
#include "runtime/emulator/observe/counters/chain.h"
#include "runtime/emulator/observe/counters/handoff.h"
#include "runtime/emulator/observe/counters/locality.h"
#include "runtime/emulator/observe/counters/site.h"
#include "runtime/language/demangle.h"

/* Counters of one launch, in the vocabulary of a profiler; exact and deterministic. Definitions: README.md. */
struct counters {
#define COUNTER(name, unit, profiler, title, meaning, aim) uint64_t name;
#define LARGEST(name, unit, profiler, title, meaning, aim) double name;
#define DERIVED(name, unit, profiler, title, meaning, aim, formula)
#include "runtime/tables/counters.def"
#undef COUNTER
#undef LARGEST
#undef DERIVED
};

static uint64_t host_copies, host_copy_bytes; /* since the last launch was written */
static FILE *sink;
static pthread_once_t opened = PTHREAD_ONCE_INIT;

void counters_count_host_copy(uint64_t bytes)
{
    host_copies++;
    host_copy_bytes += bytes;
}

static void open_sink(void)
{
    sink = settings_open_counters();
}

void counters_open(void)
{
    pthread_once(&opened, open_sink);
}

void counters_start(struct launch *launch)
{
    counters_open();
    launch->counts = launch->settings->counters_path != NULL;
    if (!sink)
        return;
    locality_begin();
    handoff_begin();
}

void counters_block_start(struct block *block)
{
    const struct launch *launch = block->warps->launch;
    bool looks = launch->counts && locality_looks_at(block->linear, launch->blocks);
    for (uint32_t i = 0; i < launch->warps_per_block && looks; i++)
        block->warps[i].counts_anew = true;
    handoff_block_start(block);
}

static bool is_shared(const struct memory_site *site)
{
    return site->space == SITE_SHARED || (site->space == SITE_GENERIC && !site->allocation && site->requests);
}

static void add_site(const struct memory_site *site, struct counters *counters)
{
    counters->async_copy_bytes += site->arrived;
    counters->async_exposed_bytes += site->exposed;
    if (is_shared(site)) {
        counters->shared_bank_conflicts += site->conflicts;
        if (site_is_atomic(site)) {
            counters->shared_atomic_requests += site->requests;
            counters->shared_atomic_wavefronts += site->units;
        } else if (site->access == SITE_LOAD) {
            counters->shared_load_requests += site->requests;
            counters->shared_load_wavefronts += site->units;
        } else {
            counters->shared_store_requests += site->requests;
            counters->shared_store_wavefronts += site->units;
        }
    } else if (site_is_atomic(site)) {
        counters->global_atomic_requests += site->requests;
        counters->global_atomic_sectors += site->units;
        counters->global_atomic_serialised += site->serialised;
    } else if (site->access == SITE_LOAD) {
        counters->global_load_requests += site->requests;
        counters->global_load_sectors += site->units;
    } else {
        counters->global_store_requests += site->requests;
        counters->global_store_sectors += site->units;
    }
}

/* `all`: of a launch; else of a line, which has only those that are not 0. */
static void write_counters(struct json_line *line, const struct counters *counters, bool all)
{
#define COUNTER(name, unit, profiler, title, meaning, aim) \
    if (all || counters->name)                             \
        json_line_integer(line, #name, (int64_t)counters->name);
#define LARGEST(name, unit, profiler, title, meaning, aim) \
    if (all)                                               \
        json_line_real(line, #name, counters->name);
#define DERIVED(name, unit, profiler, title, meaning, aim, formula)
#include "runtime/tables/counters.def"
#undef COUNTER
#undef LARGEST
#undef DERIVED
}

/* Bytes that the launch touched, in whole sectors; forgets them for the next launch. */
static uint64_t take_touched(const struct launch *launch)
{
    uint64_t sectors = 0;
    size_t cursor = 0;
    struct memory_allocation *allocation;
    while ((allocation = memory_next_live(launch->request->memory, &cursor))) {
        if (!allocation->touched)
            continue;
        sectors += allocation->touched_count;
        memset(allocation->touched, 0, (allocation->bytes + 255) / 256);
        allocation->touched_count = 0;
        allocation->all_touched = false;
    }
    return sectors * 32;
}

struct line_counters {
    int line;
    struct counters counters;
    struct memory_site *worst; /* whose request took most; NULL: no memory is accessed here */
};

struct line_list {
    struct line_counters *lines;
    size_t count, capacity;
};

static struct line_counters *entry_of(struct line_list *list, int line)
{
    for (size_t i = list->count; i-- > 0;)
        if (list->lines[i].line == line)
            return &list->lines[i];
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 64;
        struct line_counters *grown = realloc(list->lines, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        list->lines = grown;
        list->capacity = capacity;
    }
    list->lines[list->count] = (struct line_counters){.line = line};
    return &list->lines[list->count++];
}

static struct counters *line_of(struct line_list *list, int line)
{
    struct line_counters *entry = entry_of(list, line);
    return entry ? &entry->counters : NULL;
}

/* A site whose shape is unchanged since an earlier launch has recorded nothing new: then its latest request is shown. */
static void complete_worst(struct memory_site *site)
{
    const struct shape *shape = &site->shape;
    uint64_t offset[WARP_LANES], start = site->touched_start;
    if (site->worst.units || shape->kind == SHAPE_NONE)
        return;
    bool shared = is_shared(site);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        offset[lane] = (shared ? 0 : start - site->window_address) + shape->delta[lane];
    site_note_worst(site, shared ? shape->wavefronts : shape->sectors[start % 32], shape->mask, offset);
}

static void keep_worst(struct line_counters *entry, struct memory_site *site)
{
    complete_worst(site);
    if (site->worst.units && (!entry->worst || site->worst.units > entry->worst->worst.units))
        entry->worst = site;
}

/* The multiplications that a matrix instruction makes; 0 for any other instruction. */
static uint64_t products_of(const struct ptx_instruction *instruction)
{
    enum ptx_form_id form = instruction->opcode.form->id;
    if (form != FORM_MMA && form != FORM_WMMA_MMA)
        return 0;
    const struct ptx_opcode *opcode = &instruction->opcode;
    struct matrix_shape shape = matrix_shape_of(opcode);
    unsigned at_once = shape.m == 8 && shape.k == 4 && opcode->types[1] == PTX_F16 ? 4 : 1;
    return (uint64_t)shape.m * shape.n * shape.k * at_once;
}

static void add_function(const struct launch *launch, const struct code *code, struct counters *total,
                         struct line_list *lines)
{
    struct counters *current = NULL;
    int current_location = -2;
    for (size_t i = 0; i < code->operation_count; i++) {
        const struct operation *operation = &code->operations[i];
        if (operation->handler == HANDLER_guard) { /* lanes whose guard was false did not execute the instruction */
            current = line_of(lines, place_of(launch, operation).line);
            if (current)
                current->thread_instructions -= operation->counters->absent;
        }
        if (!operation_is(operation, ROLE_SITE))
            continue;
        struct memory_site *site = operation->site;
        if ((!site->requests && !site->arrived) || site->space == SITE_LOCAL || site->constant)
            continue;
        add_site(site, total);
        struct line_counters *entry = entry_of(lines, place_of(launch, operation).line);
        if (entry) {
            add_site(site, &entry->counters);
            keep_worst(entry, site);
        }
    }
    current = NULL;
    for (size_t i = 0; i < code->function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &code->function->instructions[i];
        const struct branch_counters *block = &code->block_counters[code->block_of_instruction[i]];
        if (!block->warps)
            continue;
        uint64_t products = block->warps * products_of(instruction);
        total->matrix_products += products;
        if (instruction->location != current_location || !current) {
            current_location = instruction->location;
            current = line_of(lines, place_of_instruction(launch, instruction).line);
        }
        if (!current)
            continue;
        current->matrix_products += products;
        current->warp_instructions += block->warps;
        current->thread_instructions += block->warps * WARP_LANES - block->absent;
    }
}

static int compare_lines(const void *a, const void *b)
{
    int first = ((const struct line_counters *)a)->line, second = ((const struct line_counters *)b)->line;
    return (first > second) - (first < second);
}

/* Where the lanes of a request went: byte offsets, null for lanes that took no part. */
static void write_worst(struct json_line *line, const struct memory_site *site)
{
    static const char *const accesses[] = {[SITE_LOAD] = "load", [SITE_STORE] = "store"};
    json_line_open(line, "worst", '{');
    json_line_text(line, "space", is_shared(site) ? "shared" : "global");
    json_line_text(line, "access", site_is_atomic(site) ? "atomic" : accesses[site->access]);
    json_line_integer(line, "bytes", site->request_bytes);
    json_line_integer(line, "units", site->worst.units);
    json_line_open(line, "offsets", '[');
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (site->worst.mask >> lane & 1)
            json_line_integer(line, NULL, (int64_t)site->worst.offset[lane]);
        else
            json_line_null(line, NULL);
    json_line_close(line, ']');
    json_line_close(line, '}');
}

/* Barriers by line: did a conflict need them? */
static void write_barriers(struct json_line *line, const struct barrier_lines *barriers)
{
    static const char *const verdicts[] = {
        [BARRIER_NEEDED] = "needed", [BARRIER_NEEDLESS] = "needless", [BARRIER_UNKNOWN] = "unknown"};
    json_line_open(line, "barriers", '[');
    for (size_t i = 0; barriers && i < barriers->count; i++) {
        const struct barrier_line *barrier = &barriers->lines[i];
        if (barrier->verdict == BARRIER_ABSENT)
            continue;
        json_line_open(line, NULL, '{');
        json_line_text(line, "file", barrier->file ? barrier->file : "");
        json_line_integer(line, "line", barrier->line);
        json_line_text(line, "verdict", verdicts[barrier->verdict]);
        json_line_close(line, '}');
    }
    json_line_close(line, ']');
}

/* The work of those that have at least a quarter to an eighth of what the busiest has to do: others only see that there is
 * nothing for them. sums: by logarithm. */
static uint64_t of_busy_ones(const uint64_t sums[64])
{
    uint64_t sum = 0;
    unsigned found = 0;
    for (unsigned i = 64; i-- > 0 && found < 3;) {
        sum += sums[i];
        found += found > 0 || sums[i] > 0;
    }
    return sum;
}

/* Loads from shared memory that ptxas makes into one: of 16 bytes where a thread loads four neighbouring words by one
 * register, of 8 where it loads two. Returns how many there are in all, 1 when the instruction stays alone. */
static unsigned joined_with(const struct code *code, const struct ptx_instruction *load)
{
    const struct ptx_function *function = code->function;
    const struct ptx_operand *address = load->operand_count > 1 ? &load->operands[1] : NULL;
    size_t at = (size_t)(load - function->instructions);
    uint32_t block = code->block_of_instruction[at], words = 0;
    if (!address || address->kind != OPERAND_ADDRESS || address->index < 0)
        return 1;
    size_t first = at;
    while (first > 0 && code->block_of_instruction[first - 1] == block)
        first--;
    for (size_t i = first; i < function->instruction_count && code->block_of_instruction[i] == block; i++) {
        const struct ptx_instruction *other = &function->instructions[i];
        const struct ptx_operand *place = other->operand_count > 1 ? &other->operands[1] : NULL;
        bool alike = other->opcode.form == load->opcode.form && place && place->kind == OPERAND_ADDRESS
                     && place->index == address->index && ptx_has(&other->opcode, MOD_shared);
        if (alike && (place->offset & ~INT64_C(15)) == (address->offset & ~INT64_C(15)))
            words |= 1u << (place->offset & 15) / 4;
    }
    uint32_t own = 1u << (address->offset & 15) / 4, pair = own & 3 ? 3 : 12;
    return words == 15 ? 4 : (words & pair) == pair ? 2 : 1;
}

/* What the text does not show of passes through shared memory. */
struct passes {
    uint64_t joined; /* that loads save because they are joined: one of 16 bytes takes two at least */
    uint64_t floats; /* atomic operations on floats: the hardware tries until nobody came between */
};

static void add_passes(const struct launch *launch, const struct code *code, struct passes *passes)
{
    for (size_t i = 0; code->operations && i < code->operation_count; i++) {
        const struct operation *operation = &code->operations[i];
        const struct memory_site *site = operation_is(operation, ROLE_SITE) ? operation->site : NULL;
        if (!site || !site->requests || !is_shared(site))
            continue;
        const struct ptx_instruction *instruction = operation_instruction(launch, operation);
        if (site_is_atomic(site)) {
            passes->floats += site->type == PTX_F32 || site->type == PTX_F64 ? site->units : 0;
        } else if (site->access == SITE_LOAD && site->request_bytes == 4 && instruction) {
            unsigned together = joined_with(code, instruction);
            uint64_t fewest = (together == 4 ? 2 : 1) * site->requests / together, units = site->units / together;
            passes->joined += together > 1 ? site->units - (units > fewest ? units : fewest) : 0;
        }
    }
}

/* The input of the time estimate: how busy a warp is, what it waits for, how many fit, and what caches hold. */
static void write_cost(struct json_line *line, const struct launch *launch, const struct chain *chain,
                       const struct passes *passes)
{
    json_line_open(line, "cost", '{');
    json_line_integer(line, "issue_slots", (int64_t)chain->issue_slots);
    json_line_integer(line, "busiest_instructions", (int64_t)launch->busiest_instructions);
    json_line_integer(line, "busy_warps", (int64_t)of_busy_ones(launch->warp_busiest));
    json_line_integer(line, "busiest_thread", (int64_t)launch->busiest_thread);
    json_line_integer(line, "busy_blocks", (int64_t)of_busy_ones(launch->block_work));
    json_line_integer(line, "busiest_block", (int64_t)launch->busiest_block);
    json_line_integer(line, "double_slots", (int64_t)chain->double_slots);
    json_line_integer(line, "chain_cycles", (int64_t)chain->cycles);
    json_line_integer(line, "chain_shared_reads", (int64_t)chain->shared_reads);
    json_line_integer(line, "chain_global_reads", (int64_t)chain->global_reads);
    json_line_integer(line, "chain_neighbours", (int64_t)chain->neighbours);
    json_line_integer(line, "chain_atomics", (int64_t)chain->atomics);
    json_line_integer(line, "chain_shared_atomics", (int64_t)chain->shared_atomics);
    struct handoff_totals handed;
    handoff_end(&handed);
    json_line_integer(line, "handoffs", (int64_t)handed.longest);
    json_line_integer(line, "shared_handoffs", (int64_t)handed.in_blocks);
    json_line_integer(line, "handed_on", (int64_t)handed.published);
    json_line_integer(line, "handed_instructions", (int64_t)handed.instructions);
    json_line_integer(line, "handed_fences", (int64_t)handed.fences);
    json_line_integer(line, "waiting_lanes", (int64_t)handed.waiting);
    json_line_integer(line, "waiting_places", (int64_t)handed.places);
    json_line_integer(line, "local_passes", (int64_t)launch->local_passes);
    json_line_integer(line, "chain_fences", (int64_t)chain->fences);
    json_line_integer(line, "joined_wavefronts", (int64_t)passes->joined);
    json_line_integer(line, "shared_float_atomics", (int64_t)passes->floats);
    json_line_integer(line, "registers", launch->request->function->register_count);
    locality_write(line);
    json_line_close(line, '}');
}

static void write_launch(const struct launch *launch, const struct counters *total, const struct line_list *lines,
                         const struct chain *chain, const struct passes *passes)
{
    struct json_line line;
    char kernel[128];
    demangle_function(launch->request->function->name, kernel, sizeof kernel);
    json_line_begin(&line);
    json_line_text(&line, "kernel", kernel);
    json_line_triple(&line, "grid", launch->request->grid);
    json_line_triple(&line, "block", launch->request->block);
    json_line_integer(&line, "shared_bytes", launch->shared_bytes);
    json_line_open(&line, "counters", '{');
    write_counters(&line, total, true);
    json_line_close(&line, '}');
    write_cost(&line, launch, chain, passes);
    json_line_open(&line, "lines", '[');
    for (size_t i = 0; i < lines->count; i++) {
        json_line_open(&line, NULL, '{');
        json_line_integer(&line, "line", lines->lines[i].line);
        write_counters(&line, &lines->lines[i].counters, false);
        if (lines->lines[i].worst)
            write_worst(&line, lines->lines[i].worst);
        json_line_close(&line, '}');
    }
    json_line_close(&line, ']');
    write_barriers(&line, launch->request->function->program->barriers);
    json_line_end(&line, sink);
}

void counters_end(struct launch *launch)
{
    if (!sink)
        return;
    const struct program *program = launch->request->function->program;
    struct counters total = {.warp_instructions = launch->warp_instructions,
                             .thread_instructions = launch->thread_instructions,
                             .divergent_branches = launch->divergent_branches,
                             .barriers = launch->barrier_arrivals,
                             .max_thread_share = launch->max_thread_share,
                             .useful_instructions = launch->useful_instructions,
                             .busiest_block_instructions = launch->busiest_block_instructions,
                             .busiest_block_loads = launch->busiest_block_loaded / 4,
                             .busiest_block_stores = launch->busiest_block_stored / 4,
                             .launches = 1,
                             .host_copies = host_copies,
                             .host_copy_bytes = host_copy_bytes};
    struct line_list lines = {0};
    struct chain chain = {0};
    struct passes passes = {0};
    for (size_t i = 0; i < program->module->function_count; i++)
        if (program->code[i].operations) {
            add_function(launch, &program->code[i], &total, &lines);
            chain_add(&program->code[i], &chain);
            add_passes(launch, &program->code[i], &passes);
        }
    total.dram_bytes_ideal = take_touched(launch);
    useful_weigh(launch->request->function->program);
    if (lines.count)
        qsort(lines.lines, lines.count, sizeof *lines.lines, compare_lines);
    write_launch(launch, &total, &lines, &chain, &passes);
    locality_end();
    free(lines.lines);
    host_copies = host_copy_bytes = 0;
}
