#include "runtime/emulator/counters/observe.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/base/json.h"
#include "runtime/emulator/counters/counters.h"
#include "runtime/emulator/execution/footprint.h"
#include "runtime/emulator/execution/program_internal.h"
#include "runtime/emulator/execution/warp.h"

static uint64_t host_copies, host_copy_bytes;   /* since the last launch was written */
static FILE *sink;
static pthread_once_t opened = PTHREAD_ONCE_INIT;

void counters_count_host_copy(uint64_t bytes)
{
    host_copies++;
    host_copy_bytes += bytes;
}

static void open_sink(void)
{
    const char *path = settings_get()->counters_path;
    if (!path)
        return;
    sink = fopen(path, "ae");
    if (!sink)
        fprintf(stderr, "lockstep: cannot open LOCKSTEP_COUNTERS=%s: %m; nothing is counted\n", path);
}

/* ---- requests ---- */

static bool is_atomic(const struct memory_site *site)
{
    return site->access == SITE_ATOMIC || site->access == SITE_REDUCTION;
}

/* May the allocation's sectors be marked? Not when the host is out of memory. */
static inline bool has_marks(struct memory_allocation *allocation)
{
    if (!allocation->touched)
        allocation->touched = calloc(1, (allocation->bytes + 255) / 256 + 8);
    return allocation->touched != NULL;
}

/* Marks some of 64 sectors. Returns how many are new. */
static inline unsigned mark(uint8_t *at, uint64_t sectors)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    sectors &= ~word;
    if (!sectors)
        return 0;
    word |= sectors;
    memcpy(at, &word, sizeof word);
    return (unsigned)__builtin_popcountll(sectors);
}

/* Marks the sectors [offset, offset + bytes) of an allocation as touched by this launch; bytes <= 1024. */
static inline void touch(struct memory_allocation *allocation, uint64_t offset, uint64_t bytes)
{
    uint64_t first = offset / 32, last = (offset + bytes - 1) / 32;
    uint8_t *at = allocation->touched + first / 64 * 8;   /* 8 bytes of slack were allocated */
    uint64_t head = UINT64_MAX << first % 64, tail = UINT64_MAX >> (63 - last % 64);
    unsigned fresh = first / 64 == last / 64 ? mark(at, head & tail) : mark(at, head) + mark(at + 8, tail);
    if (!fresh)
        return;
    allocation->touched_count += fresh;
    allocation->all_touched = allocation->touched_count == (allocation->bytes + 31) / 32;
}

/* Marks what a request touches. One that met the same sectors the last time, as lanes that walk along rows do, is known. */
static inline void touch_request(struct memory_site *site, uint64_t start)
{
    if (site->allocation->all_touched)
        return;
    const struct shape *shape = footprint_runs(site);
    if (site->touched_version == shape->version
        && (shape->sector_steps ? (start ^ site->touched_start) < 32 : start == site->touched_start))
        return;
    site->touched_version = shape->version;
    site->touched_start = start;
    uint64_t base = start - site->window_address;
    for (unsigned i = 0; i < shape->run_count && has_marks(site->allocation); i++)
        touch(site->allocation, base + shape->runs[i].delta, shape->runs[i].bytes);
}

static void count_shared(struct memory_site *site, const uint64_t offset[WARP_LANES], uint32_t mask, unsigned size)
{
    unsigned ideal;
    unsigned wavefronts = footprint_wavefronts(offset, mask, size, is_atomic(site), &ideal);
    site->shape.wavefronts = (uint8_t)(wavefronts > 255 ? 255 : wavefronts);
    site->shape.wavefronts_ideal = (uint8_t)ideal;
}

/* The window's offset of each lane of a request whose shape is known. */
static void lane_offsets(const struct memory_site *site, uint64_t start, uint64_t offset[WARP_LANES])
{
    uint64_t base = start - site->window_address;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        offset[lane] = base + site->shape.delta[lane];
}

void observe_request(struct warp *warp, const struct operation *operation, uint64_t start)
{
    struct memory_site *site = operation->site;
    struct shape *shape = &site->shape;
    unsigned size = (unsigned)site->bytes * site->vector;
    uint64_t offset[WARP_LANES];
    site->requests++;
    if (!site->allocation) {
        if (!shape->wavefronts) {   /* a shift of all addresses rotates the banks: the count stays */
            lane_offsets(site, start, offset);
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                offset[lane] += (uintptr_t)site->window_host;
            count_shared(site, offset, warp->mask, size);
        }
        site->units += shape->wavefronts;
        site->conflicts += (uint64_t)shape->wavefronts - shape->wavefronts_ideal;
        return;
    }
    uint8_t *sectors = &shape->sectors[start % 32];
    if (!*sectors) {
        lane_offsets(site, start, offset);
        *sectors = (uint8_t)footprint_sectors(offset, warp->mask, size);
    }
    site->units += *sectors;
    if (is_atomic(site)) {
        if (!shape->multiplicity) {
            lane_offsets(site, start, offset);
            shape->multiplicity = (uint8_t)footprint_multiplicity(offset, warp->mask);
        }
        site->serialised += shape->multiplicity;
    }
    touch_request(site, start);
}

void observe_lanes(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t valid)
{
    struct memory_site *site = operation->site;
    struct memory *memory = warp->launch->request->memory;
    unsigned size = (unsigned)site->bytes * site->vector, ideal = 0;
    uint64_t first = address[__builtin_ctz(valid)];
    bool shared = site->space == SITE_SHARED || (site->space == SITE_GENERIC && (first & WINDOW_MASK) == SHARED_WINDOW);
    site->requests++;
    if (shared) {
        uint64_t offset[WARP_LANES];
        for (unsigned lane = 0; lane < WARP_LANES; lane++)   /* slots begin at multiples of 128 bytes: banks are kept */
            offset[lane] = address[lane] + (uintptr_t)site->window_host;
        unsigned wavefronts = footprint_wavefronts(offset, valid, size, is_atomic(site), &ideal);
        site->units += wavefronts;
        site->conflicts += wavefronts - ideal;
        return;
    }
    site->units += footprint_sectors(address, valid, size);
    if (is_atomic(site))
        site->serialised += footprint_multiplicity(address, valid);
    for (uint32_t rest = valid; rest; rest &= rest - 1) {
        uint64_t place = address[__builtin_ctz(rest)];
        struct memory_allocation *allocation = memory_find(memory, place);
        if (allocation && has_marks(allocation))
            touch(allocation, place - allocation->address, size);
    }
}

/* ---- a launch ---- */

bool observe_start(struct launch *launch)
{
    pthread_once(&opened, open_sink);
    (void)launch;
    return true;
}

static void add_site(const struct memory_site *site, struct counters *counters)
{
    bool shared = site->space == SITE_SHARED || (site->space == SITE_GENERIC && !site->allocation && site->requests);
    if (shared) {
        counters->shared_bank_conflicts += site->conflicts;
        if (is_atomic(site)) {
            counters->shared_atomic_requests += site->requests;
            counters->shared_atomic_wavefronts += site->units;
        } else if (site->access == SITE_LOAD) {
            counters->shared_load_requests += site->requests;
            counters->shared_load_wavefronts += site->units;
        } else {
            counters->shared_store_requests += site->requests;
            counters->shared_store_wavefronts += site->units;
        }
    } else if (is_atomic(site)) {
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

static void write_counters(struct json_line *line, const struct counters *counters, bool all)
{
#define COUNTER(name)                                                                                                      \
    if (all || counters->name)                                                                                             \
        json_line_integer(line, #name, (int64_t)counters->name);
#include "runtime/emulator/counters/counters.def"
#undef COUNTER
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
};

struct line_list {
    struct line_counters *lines;
    size_t count, capacity;
};

static struct counters *line_of(struct line_list *list, int line)
{
    for (size_t i = list->count; i-- > 0;)
        if (list->lines[i].line == line)
            return &list->lines[i].counters;
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 64;
        struct line_counters *grown = realloc(list->lines, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        list->lines = grown;
        list->capacity = capacity;
    }
    list->lines[list->count] = (struct line_counters){.line = line};
    return &list->lines[list->count++].counters;
}

static void add_function(const struct launch *launch, const struct code *code, struct counters *total,
                         struct line_list *lines)
{
    struct counters *current = NULL;
    int current_location = -2;
    for (size_t i = 0; i < code->operation_count; i++) {
        const struct operation *operation = &code->operations[i];
        if (operation->handler == HANDLER_guard) {   /* lanes whose guard was false did not execute the instruction */
            current = line_of(lines, launch_place(launch, operation).line);
            if (current)
                current->thread_instructions -= operation->counters->absent;
        }
        if (operation->handler < HANDLER_load || operation->handler > HANDLER_atomic)
            continue;
        const struct memory_site *site = operation->site;
        if (!site->requests || site->space == SITE_LOCAL)
            continue;
        add_site(site, total);
        current = line_of(lines, launch_place(launch, operation).line);
        if (current)
            add_site(site, current);
    }
    current = NULL;
    for (size_t i = 0; i < code->function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &code->function->instructions[i];
        const struct branch_counters *block = &code->block_counters[code->block_of_instruction[i]];
        if (!block->warps)
            continue;
        if (instruction->location != current_location || !current) {
            current_location = instruction->location;
            current = line_of(lines, launch_place_of_instruction(launch, instruction).line);
        }
        if (!current)
            continue;
        current->warp_instructions += block->warps;
        current->thread_instructions += block->warps * WARP_LANES - block->absent;
    }
}

static int compare_lines(const void *a, const void *b)
{
    int first = ((const struct line_counters *)a)->line, second = ((const struct line_counters *)b)->line;
    return (first > second) - (first < second);
}

static void write_launch(const struct launch *launch, const struct counters *total, const struct line_list *lines)
{
    struct json_line line;
    char kernel[128];
    program_source_name(launch->request->function->name, kernel, sizeof kernel);
    json_line_begin(&line);
    json_line_text(&line, "kernel", kernel);
    json_line_triple(&line, "grid", launch->request->grid);
    json_line_triple(&line, "block", launch->request->block);
    json_line_integer(&line, "shared_bytes", launch->shared_bytes);
    json_line_open(&line, "counters", '{');
    write_counters(&line, total, true);
    json_line_real(&line, "max_thread_share", total->max_thread_share);
    json_line_close(&line, '}');
    json_line_open(&line, "lines", '[');
    for (size_t i = 0; i < lines->count; i++) {
        json_line_open(&line, NULL, '{');
        json_line_integer(&line, "line", lines->lines[i].line);
        write_counters(&line, &lines->lines[i].counters, false);
        json_line_close(&line, '}');
    }
    json_line_close(&line, ']');
    json_line_end(&line, sink);
}

void observe_end(struct launch *launch)
{
    if (!sink)
        return;
    const struct program *program = launch->request->function->program;
    struct counters total = {.warp_instructions = launch->warp_instructions,
                             .thread_instructions = launch->thread_instructions,
                             .divergent_branches = launch->divergent_branches,
                             .barriers = launch->barrier_arrivals,
                             .max_thread_share = launch->max_thread_share,
                             .launches = 1,
                             .host_copies = host_copies,
                             .host_copy_bytes = host_copy_bytes};
    struct line_list lines = {0};
    for (size_t i = 0; i < program->module->function_count; i++)
        if (program->code[i].operations)
            add_function(launch, &program->code[i], &total, &lines);
    total.dram_bytes_ideal = take_touched(launch);
    if (lines.count)
        qsort(lines.lines, lines.count, sizeof *lines.lines, compare_lines);
    write_launch(launch, &total, &lines);
    free(lines.lines);
    host_copies = host_copy_bytes = 0;
}
