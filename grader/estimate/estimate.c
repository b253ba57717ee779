#include "grader/estimate/estimate.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LANES = 32, SECTOR_BYTES = 32, SCHEDULERS = 4 };

static const struct estimate_gpu gpus[] = {
#define GPU(...) {__VA_ARGS__},
#include "grader/estimate/gpus.def"
#undef GPU
};
enum { GPU_COUNT = sizeof gpus / sizeof *gpus };

static const char *const limit_keys[] = {
#define LIMIT(id, key, text) key,
#include "grader/estimate/limits.def"
#undef LIMIT
};

static const char *const limit_texts[] = {
#define LIMIT(id, key, text) text,
#include "grader/estimate/limits.def"
#undef LIMIT
};

const struct estimate_gpu *estimate_find_gpu(const char *key)
{
    for (int i = 0; i < GPU_COUNT; i++)
        if (!key || strcasecmp(gpus[i].key, key) == 0)
            return &gpus[i];
    return NULL;
}

void estimate_list_gpus(char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < GPU_COUNT && used < bytes; i++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%s", i > 0 ? ", " : "", gpus[i].key);
}

const char *estimate_limit_key(enum estimate_limit limit)
{
    return limit_keys[limit];
}

/* ---- one launch ---------------------------------------------------------------------------------------------------- */

struct launch {
    const struct estimate_gpu *gpu;
    struct estimate_scale scale;
    const json_t *counters, *cost, *sample;
    double blocks, threads; /* of the larger run; of a block */
    double shared_bytes;    /* of a block */
};

static double number(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

/* A counter of the larger run. */
static double scaled(const struct launch *launch, const json_t *object, const char *name)
{
    return number(object, name) * launch->scale.blocks * launch->scale.work;
}

/* A ratio of two numbers of the sample; `otherwise` where it saw none. */
static double ratio(const struct launch *launch, const char *part, const char *whole, double otherwise)
{
    double of = number(launch->sample, whole);
    return of > 0 ? number(launch->sample, part) / of : otherwise;
}

/* Multiprocessors with something to do. */
static double busy(const struct launch *launch)
{
    return fmin(launch->gpu->multiprocessors, launch->blocks);
}

static double cycles_ms(const struct launch *launch, double cycles)
{
    return cycles / busy(launch) / (launch->gpu->mhz * 1e3);
}

static double blocks_ms(const struct launch *launch)
{
    return launch->blocks / (launch->gpu->blocks_g_s * 1e6);
}

static double issue_ms(const struct launch *launch)
{
    return cycles_ms(launch, scaled(launch, launch->cost, "issue_slots") / SCHEDULERS);
}

/* Lines of global memory and passes of shared memory go through one pipe, one a cycle. */
static double level_1_ms(const struct launch *launch)
{
    double requests = scaled(launch, launch->counters, "global_load_requests")
                      + scaled(launch, launch->counters, "global_store_requests")
                      + scaled(launch, launch->counters, "global_atomic_requests");
    double passes = requests * ratio(launch, "lines", "requests", 1)
                    + scaled(launch, launch->counters, "shared_load_wavefronts")
                    + scaled(launch, launch->counters, "shared_store_wavefronts")
                    + scaled(launch, launch->counters, "shared_atomic_wavefronts") * launch->gpu->atomic_shared_cycles;
    return cycles_ms(launch, passes);
}

/* Sectors that loads ask of the level-2 cache: what a block reads again is in level 1. */
static double fetched_sectors(const struct launch *launch)
{
    return scaled(launch, launch->counters, "global_load_sectors") * ratio(launch, "block_load_sectors", "load_sectors", 1);
}

static double atomic_passes(const struct launch *launch)
{
    return scaled(launch, launch->counters, "global_atomic_sectors") * ratio(launch, "atomic_passes", "atomic_sectors", 1);
}

static double level_2_ms(const struct launch *launch)
{
    double sectors = fetched_sectors(launch) + scaled(launch, launch->counters, "global_store_sectors");
    double lines = scaled(launch, launch->counters, "global_store_sectors")
                   * ratio(launch, "store_lines", "store_sectors", 1);
    return fmax(sectors * SECTOR_BYTES / launch->gpu->level_2_gb_s, lines / launch->gpu->level_2_store_g_s) / 1e6;
}

/* What the launch touches, in sectors. */
static double footprint(const struct launch *launch)
{
    return number(launch->counters, "dram_bytes_ideal") / SECTOR_BYTES * launch->scale.blocks;
}

/* Sectors between the level-2 cache and memory: each that is read and each that is written once. One that blocks far apart
 * touch comes again when more lies between them than the cache holds. Memory is read in pairs of sectors; a sector of which
 * a part is written is read first. */
static double moved_sectors(const struct launch *launch, double *loaded)
{
    double touched = footprint(launch), cache = launch->gpu->level_2_mb * 1048576 / SECTOR_BYTES;
    double missing = touched > cache ? 1 - cache / touched : 0;
    double loads = scaled(launch, launch->counters, "global_load_sectors")
                   * ratio(launch, "group_load_sectors", "load_sectors", 1);
    double seen = number(launch->sample, "store_sectors") + number(launch->sample, "atomic_sectors");
    double stores = (scaled(launch, launch->counters, "global_store_sectors")
                     + scaled(launch, launch->counters, "global_atomic_sectors"))
                    * (seen > 0 ? number(launch->sample, "group_store_sectors") / seen : 1);
    double first_loads = fmin(loads, touched), first_stores = fmin(stores, touched);
    *loaded = first_loads + missing * (loads - first_loads);
    double pairs = fmax(2 * ratio(launch, "group_load_pairs", "group_load_sectors", 0.5), 1);
    double partial = ratio(launch, "group_partial_sectors", "group_store_sectors", 0);
    return *loaded * pairs + (first_stores + missing * (stores - first_stores)) * (1 + partial);
}

static double atomic_ms(const struct launch *launch)
{
    double passes = atomic_passes(launch), busiest = passes * number(launch->sample, "busiest_share");
    return fmax(passes / launch->gpu->atomic_g_s, busiest / launch->gpu->atomic_one_g_s) / 1e6;
}

/* How many blocks a multiprocessor holds at once. Warps that have left make room for others, unless a barrier keeps them. */
static double resident(const struct launch *launch, double uneven)
{
    const struct estimate_gpu *gpu = launch->gpu;
    bool stay = number(launch->counters, "barriers") > 0;
    double warps = fmax(ceil(launch->threads / LANES) / (stay ? 1 : uneven), 1);
    double blocks = fmin(gpu->blocks, floor(gpu->threads / (warps * LANES)));
    if (launch->shared_bytes > 0)
        blocks = fmin(blocks, floor(gpu->shared_kb * 1024 / launch->shared_bytes));
    return fmax(blocks, 1);
}

/* As many blocks as fit run at once; each takes what its busiest warp waits for. */
static double latency_ms(const struct launch *launch, double loaded_sectors)
{
    const struct estimate_gpu *gpu = launch->gpu;
    double warps = ceil(launch->threads / LANES) * launch->blocks / launch->scale.blocks;
    double instructions = number(launch->counters, "warp_instructions");
    if (instructions <= 0)
        return 0;
    /* of the busiest warp of a block, against the mean warp */
    double uneven = number(launch->cost, "busiest_instructions") * launch->scale.blocks / launch->blocks
                    / (instructions / warps);
    double fetched = fetched_sectors(launch), loads = scaled(launch, launch->counters, "global_load_sectors");
    double from_memory = fetched > 0 ? fmin(loaded_sectors / fetched, 1) : 1, from_level_2 = loads > 0 ? fetched / loads : 1;
    double read_ns = (1 - from_level_2) * gpu->level_1_ns
                     + from_level_2 * (from_memory * gpu->memory_ns + (1 - from_memory) * gpu->level_2_ns);
    double cycles = fmax(number(launch->cost, "chain_cycles"), number(launch->cost, "issue_slots"))
                    + number(launch->cost, "chain_shared_reads") * gpu->shared_cycles;
    double warp_ns = (cycles / gpu->mhz * 1e3 + number(launch->cost, "chain_global_reads") * read_ns) / warps
                     * launch->scale.work;
    double turns = fmax(launch->blocks / (gpu->multiprocessors * resident(launch, uneven)), 1);
    return turns * uneven * warp_ns / 1e6;
}

/* Limits that are reached together hinder one another: the time is the longest where one stands out, and more where two are
 * as long (26 % at 3, which is what vector_add and doublify show on an H200). */
static const double overlap = 3;

static void add_launch(const struct launch *launch, struct estimate *estimate)
{
    double ms[ESTIMATE_LIMIT_COUNT], loaded, sum = 0, moved = moved_sectors(launch, &loaded);
    ms[ESTIMATE_BLOCKS] = blocks_ms(launch);
    ms[ESTIMATE_ISSUE] = issue_ms(launch);
    ms[ESTIMATE_LEVEL_1] = level_1_ms(launch);
    ms[ESTIMATE_LEVEL_2] = level_2_ms(launch);
    ms[ESTIMATE_MEMORY] = moved * SECTOR_BYTES / (launch->gpu->memory_gb_s * 1e6);
    ms[ESTIMATE_ATOMIC] = atomic_ms(launch);
    ms[ESTIMATE_LATENCY] = latency_ms(launch, loaded);
    for (int i = 0; i < ESTIMATE_LIMIT_COUNT; i++) {
        estimate->limit_ms[i] += ms[i];
        sum += pow(ms[i], overlap);
    }
    estimate->memory_bytes += moved * SECTOR_BYTES;
    estimate->blocks += launch->blocks;
    estimate->instructions += scaled(launch, launch->cost, "issue_slots");
    estimate->launches++;
    estimate->launch_ms += launch->gpu->launch_us / 1e3;
    estimate->ms += launch->gpu->launch_us / 1e3 + pow(sum, 1 / overlap);
}

static double product(const json_t *list)
{
    double result = 1;
    for (size_t i = 0; i < json_array_size(list); i++)
        result *= json_number_value(json_array_get(list, i));
    return result;
}

struct estimate_scale estimate_scale_to(const struct lab *lab, const struct lab_case *counted, const struct lab_case *larger)
{
    double bytes[2] = {0, 0}, operations[2] = {0, 0};
    lab->work(counted, &bytes[0], &operations[0]);
    lab->work(larger, &bytes[1], &operations[1]);
    double more = operations[1] / operations[0], blocks = bytes[0] > 0 ? bytes[1] / bytes[0] : more;
    return (struct estimate_scale){blocks, more / blocks};
}

bool estimate_launches(const char *text, size_t bytes, const struct estimate_gpu *gpu, const struct estimate_scale *scale,
                       struct estimate *estimate)
{
    memset(estimate, 0, sizeof *estimate);
    for (const char *at = text, *end = text + bytes; at < end;) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((line_end ? line_end : end) - at);
        json_t *line = length > 0 ? json_loadb(at, length, 0, NULL) : NULL;
        struct launch launch = {.gpu = gpu,
                                .scale = *scale,
                                .counters = json_object_get(line, "counters"),
                                .cost = json_object_get(line, "cost"),
                                .shared_bytes = number(line, "shared_bytes"),
                                .blocks = product(json_object_get(line, "grid")),
                                .threads = product(json_object_get(line, "block"))};
        launch.sample = json_object_get(launch.cost, "sample");
        if (launch.blocks <= 1) /* one block stays one */
            launch.scale = (struct estimate_scale){1, 1};
        launch.blocks *= launch.scale.blocks;
        if (launch.cost)
            add_launch(&launch, estimate);
        json_decref(line);
        at += length + 1;
    }
    for (int i = 1; i < ESTIMATE_LIMIT_COUNT; i++)
        if (estimate->limit_ms[i] > estimate->limit_ms[estimate->limit])
            estimate->limit = (enum estimate_limit)i;
    if (estimate->launches > 0)
        estimate->gpu = gpu;
    return estimate->gpu != NULL;
}

/* A time with three digits: "4.31 ms", "18.2 us". */
static void write_time(double ms, char *text, size_t bytes)
{
    bool small = ms < 0.1;
    double value = small ? ms * 1e3 : ms;
    snprintf(text, bytes, "%.*f %s", value < 10 ? 2 : value < 100 ? 1 : 0, value, small ? "us" : "ms");
}

void estimate_describe(const struct estimate *estimate, char *text, size_t bytes)
{
    char time[32], detail[96] = "";
    double limit_ms = estimate->limit_ms[estimate->limit];
    write_time(estimate->ms, time, sizeof time);
    if (estimate->launch_ms > limit_ms) {
        snprintf(text, bytes, "%s, most of it spent on %d launch%s", time, estimate->launches,
                 estimate->launches == 1 ? "" : "es");
        return;
    }
    switch (estimate->limit) {
    case ESTIMATE_MEMORY:
        snprintf(detail, sizeof detail, ": %.0f MB at %.2f TB/s", estimate->memory_bytes / 1e6,
                 estimate->gpu->memory_gb_s / 1e3);
        break;
    case ESTIMATE_BLOCKS: snprintf(detail, sizeof detail, ": %.0f, each with little to do", estimate->blocks); break;
    case ESTIMATE_ISSUE: snprintf(detail, sizeof detail, ": warps issue %.3g million", estimate->instructions / 1e6); break;
    case ESTIMATE_LATENCY: snprintf(detail, sizeof detail, ": too few threads at work to hide it"); break;
    default: break;
    }
    snprintf(text, bytes, "%s, limited by %s%s", time, limit_texts[estimate->limit], detail);
}
