#include "grader/estimate/estimate.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grader/base/allocate.h"
#include "grader/estimate/growth.h"

enum {
    LANES = 32,
    SECTOR_BYTES = 32,
    SCHEDULERS = 4,
    LOCAL_LINES = 3,          /* of local memory that go through level 1 in a cycle: their banks differ */
    FEW_PLACES = 8,           /* of a lock or flag that many ask for: they lie in one sector */
    MANY_PLACES_RATE = 3,     /* several are served by this factor more often than one (measured: 2.9) */
    LOOK_BACK = 4,            /* times as long may it take */
    SHARED_FLOAT_CYCLES = 12, /* of an atomic operation on a float in shared memory, a lane */
};

/* Shares that decide what the note says: one launch or thread has most of something, or nearly all; a multiprocessor is not full; another
 * limit is nearly as long. */
static const double MOST_OF_IT = 0.6, NEARLY_ALL = 0.9, ROOM_LEFT = 0.9, AS_LONG = 0.7;

/* How much of the queue at a lock one turn waits for: measured 0.4 to 1.5, with 1056 to 16384 threads that ask. */
static const double QUEUE = 0.75;

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

enum quantity {
#define QUANTITY(id, part, name, growth) id,
#include "grader/estimate/quantities.def"
#undef QUANTITY
    QUANTITY_COUNT
};

static const struct {
    const char *part, *name;
    enum { TOTAL, LONGEST } growth;
} quantities[] = {
#define QUANTITY(id, part, name, growth) {part, name, growth},
#include "grader/estimate/quantities.def"
#undef QUANTITY
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

/* ---- what was counted ------------------------------------------------------------------------------------------------ */

/* A launch that was counted. */
struct counted {
    const struct estimate_launch *geometry;
    json_t *line; /* of LOCKSTEP_COUNTERS; NULL: there is none */
    double depth;
    bool used; /* by a launch of the target, for whose kernel it is */
};

struct counted_run {
    struct counted *launches;
    size_t count;
};

static double number(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static double quantity(const struct counted *counted, enum quantity id)
{
    return number(json_object_get(counted->line, quantities[id].part), quantities[id].name);
}

/* Lines belong to the launches in their order. Returns false where one has no costs. */
static bool read_run(const struct estimate_run *run, struct counted_run *counted)
{
    counted->launches = allocate_zeroed((run->count + 1) * sizeof *counted->launches);
    const char *at = run->text, *end = run->text + run->bytes;
    while (at < end && counted->count < run->count) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((line_end ? line_end : end) - at);
        json_t *line = length > 0 ? json_loadb(at, length, 0, NULL) : NULL;
        if (json_object_get(line, "cost")) {
            counted->launches[counted->count] =
                (struct counted){.geometry = &run->launches[counted->count], .line = line, .depth = run->depth};
            counted->count++;
        } else {
            json_decref(line);
        }
        at += length + 1;
    }
    return counted->count == run->count && run->count > 0;
}

static void free_run(struct counted_run *counted)
{
    for (size_t i = 0; i < counted->count; i++)
        json_decref(counted->launches[i].line);
    free(counted->launches);
    *counted = (struct counted_run){0};
}

static bool same_kernel(const struct estimate_launch *one, const struct estimate_launch *other)
{
    return strcmp(one->kernel, other->kernel) == 0;
}

/* How many launches of the kernel come before: of those with a larger grid all, of those with the same the earlier ones. */
static size_t rank_of(const struct estimate_launch *launch, const struct estimate_launch *launches, size_t count)
{
    size_t rank = 0;
    for (size_t i = 0; i < count; i++)
        rank += same_kernel(&launches[i], launch)
                && (launches[i].blocks > launch->blocks || (launches[i].blocks == launch->blocks && &launches[i] < launch));
    return rank;
}

/* The launch of the run that is nearest to a launch of the target: of the same kernel, with the same rank or the last one.
 * Of later ones that cover too little to show what a full block does, the first. */
static const struct counted *counterpart(const struct counted_run *run, size_t rank, const struct estimate_launch *launch)
{
    const struct counted *found = NULL;
    const struct estimate_launch *all = run->count ? run->launches[0].geometry : NULL;
    size_t found_rank = 0;
    for (size_t i = 0; i < run->count; i++) {
        const struct estimate_launch *other = run->launches[i].geometry;
        size_t own = same_kernel(other, launch) ? rank_of(other, all, run->count) : SIZE_MAX;
        bool tiny = own > 0 && other->items > 0 && other->cover < 4 * other->items;
        if (own <= rank && !tiny && (!found || own > found_rank)) {
            found = &run->launches[i];
            found_rank = own;
        }
    }
    return found;
}

/* ---- one launch of the target ---------------------------------------------------------------------------------------- */

struct launch {
    const struct estimate_gpu *gpu;
    const struct estimate_launch *geometry;
    double value[QUANTITY_COUNT];
    double busy_blocks;              /* that have as much to do as the busiest */
    double shared_bytes;             /* of a block */
    double growth;                   /* of the busiest thread's work, from the largest counted launch */
    double fences, hop_instructions; /* between taking and handing on */
    double asking, places;           /* lanes of a block that ask where many blocks do, and at how many places */
    double handed_on, counted_blocks;
    const json_t *sample;
    double moved_loads;
    double stored_before; /* sectors that earlier launches of the target have stored, and that level 2 still holds */
};

/* The runs along which sizes grow, and the one that has more elements at the same depth. */
struct series {
    const struct counted *point[ESTIMATE_RUNS];
    size_t count;
    const struct counted *wider;
};

static double size_of(const struct estimate_launch *launch, double depth)
{
    return depth > 0 ? depth : launch->cover;
}

static struct series series_for(const struct counted_run *runs, size_t run_count, const struct estimate_run *target,
                                const struct estimate_launch *launch)
{
    struct series series = {.count = 0};
    size_t rank = rank_of(launch, target->launches, target->count);
    for (size_t i = 0; i < run_count; i++) {
        const struct counted *own = counterpart(&runs[i], rank, launch);
        const struct counted *last = series.count ? series.point[series.count - 1] : NULL;
        if (!own)
            continue;
        double size = size_of(own->geometry, own->depth), before = last ? size_of(last->geometry, last->depth) : 0;
        if (size > before)
            series.point[series.count++] = own;
        else if (own->depth > 0 && own->depth == series.point[0]->depth)
            series.wider = own;
        else if (last && size == before)
            series.point[series.count - 1] = own;
    }
    return series;
}

/* By what a number of `quantity` per element, or of one thread, grows with the elements at the same depth. */
static double widened(const struct series *series, enum quantity id, double cover)
{
    const struct counted *narrow = series->point[0], *wide = series->wider;
    if (!wide)
        return 1;
    double more = wide->geometry->cover / narrow->geometry->cover, from = quantity(narrow, id), to = quantity(wide, id);
    double grown = from > 0 ? to / from : 1;
    if (quantities[id].growth == TOTAL)
        grown /= more;
    if (fabs(grown - 1) < 0.1 || grown <= 0)
        return 1;
    double power = fmin(fmax(log(grown) / log(more), -1), 1);
    return pow(cover / narrow->geometry->cover, power);
}

/* A quantity of the target's launch. */
static double followed(const struct series *series, enum quantity id, const struct estimate_launch *launch, double depth)
{
    double sizes[ESTIMATE_RUNS], values[ESTIMATE_RUNS], size = size_of(launch, depth), cover = launch->cover;
    const struct counted *last = series->point[series->count - 1];
    bool total = quantities[id].growth == TOTAL;
    size_t count = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct estimate_launch *own = series->point[i]->geometry;
        if (!total && depth <= 0 && own->cover < own->items && last->geometry->cover >= last->geometry->items)
            continue; /* a block that was not full says nothing of one that is */
        sizes[count] = size_of(own, series->point[i]->depth);
        values[count++] = quantity(series->point[i], id) / (total ? own->cover : 1);
    }
    if (launch->items >= last->geometry->cover) { /* no block has been more than full */
        if (depth > 0 && quantities[id].growth == LONGEST)
            cover = fmin(cover, launch->items);
        else if (depth <= 0)
            size = fmin(size, launch->items);
    } else if (depth > 0 && quantities[id].growth == LONGEST) {
        cover = fmin(cover, last->geometry->cover);
    }
    double value = growth_at(sizes, values, count, size) * widened(series, id, cover);
    return quantities[id].growth == TOTAL ? value * launch->cover : value;
}

/* Blocks that have as much to do as the busiest. */
static double busy_blocks(const struct launch *launch)
{
    double busiest = launch->value[BUSIEST_BLOCK];
    return busiest > 0 ? fmin(fmax(launch->value[BUSY_BLOCKS] / busiest, 1), launch->geometry->blocks)
                       : launch->geometry->blocks;
}

static bool fill_launch(const struct series *series, const struct estimate_run *target,
                        const struct estimate_launch *geometry, struct launch *launch)
{
    const struct counted *last = series->count ? series->point[series->count - 1] : NULL;
    if (!last)
        return false;
    launch->geometry = geometry;
    for (int id = 0; id < QUANTITY_COUNT; id++)
        launch->value[id] = followed(series, (enum quantity)id, geometry, target->depth);
    const json_t *cost = json_object_get(last->line, "cost");
    double handed = number(cost, "handed_on"), busiest = quantity(last, BUSIEST_THREAD);
    launch->handed_on = handed;
    launch->counted_blocks = last->geometry->blocks;
    launch->busy_blocks = busy_blocks(launch);
    launch->shared_bytes = number(last->line, "shared_bytes");
    launch->growth = busiest > 0 ? fmax(launch->value[BUSIEST_THREAD] / busiest, 1) : 1;
    launch->fences = handed > 0 ? number(cost, "handed_fences") / handed : 0;
    launch->hop_instructions = handed > 0 ? number(cost, "handed_instructions") / handed : 0;
    launch->asking = number(cost, "waiting_lanes") / last->geometry->blocks;
    launch->places = number(cost, "waiting_places");
    launch->sample = json_object_get(cost, "sample");
    return true;
}

/* A ratio of two numbers of the sample; `otherwise` where it saw none. */
static double ratio(const struct launch *launch, const char *part, const char *whole, double otherwise)
{
    double of = number(launch->sample, whole);
    return of > 0 ? number(launch->sample, part) / of : otherwise;
}

/* Multiprocessors with something to do, and by how much the busiest of them has more to do than the mean. */
static double busy(const struct launch *launch)
{
    return fmin(launch->gpu->multiprocessors, launch->busy_blocks);
}

static double uneven(const struct launch *launch)
{
    double rounds = launch->busy_blocks / launch->gpu->multiprocessors;
    return rounds > 1 ? ceil(rounds - 0.01) / rounds : 1;
}

static double cycles_ms(const struct launch *launch, double cycles)
{
    return cycles / busy(launch) * uneven(launch) / (launch->gpu->mhz * 1e3);
}

/* Warps of a block that have as much to do as the busiest. */
static double busy_warps(const struct launch *launch)
{
    double busiest = launch->value[BUSIEST_OF_BLOCKS], all = ceil(launch->geometry->threads / LANES);
    return busiest > 0 ? fmin(fmax(launch->value[BUSIEST_OF_WARPS] / busiest, 1), all) : all;
}

/* How many blocks a multiprocessor holds at once. Warps that have left make room for others, unless a barrier keeps them. */
static double resident(const struct launch *launch)
{
    const struct estimate_gpu *gpu = launch->gpu;
    double all = ceil(launch->geometry->threads / LANES);
    double warps = launch->value[BARRIERS] > 0 ? all : ceil(busy_warps(launch));
    double blocks = fmin(gpu->blocks, floor(gpu->threads / (warps * LANES)));
    if (launch->shared_bytes > 0)
        blocks = fmin(blocks, floor(gpu->shared_kb * 1024 / launch->shared_bytes));
    return fmax(blocks, 1);
}

/* Blocks that a multiprocessor has at work at a time. */
static double working(const struct launch *launch)
{
    return fmin(resident(launch), fmax(launch->busy_blocks / launch->gpu->multiprocessors, 1));
}

/* ---- limits ---------------------------------------------------------------------------------------------------------- */

static double blocks_ms(const struct launch *launch)
{
    return launch->geometry->blocks / (launch->gpu->blocks_g_s * 1e6);
}

/* A scheduler issues one instruction a cycle, and a warp belongs to one scheduler. */
static double issue_ms(const struct launch *launch)
{
    double schedulers = fmin(SCHEDULERS, fmax(busy_warps(launch) * working(launch), 1));
    double doubles = launch->value[DOUBLE_SLOTS] * LANES / launch->gpu->double_lanes;
    double work = launch->value[THREAD_INSTRUCTIONS];
    double share = work > 0 ? fmin(launch->value[BUSY_BLOCKS] / work, 1) : 1; /* others are spread over all */
    return cycles_ms(launch, share * fmax(launch->value[ISSUE_SLOTS] / schedulers, doubles));
}

/* Lines of global and local memory and passes of shared memory go through one pipe, one a cycle. */
static double level_1_ms(const struct launch *launch)
{
    const double *value = launch->value;
    double requests = value[LOAD_REQUESTS] + value[STORE_REQUESTS] + value[ATOMIC_REQUESTS];
    double passes = requests * ratio(launch, "lines", "requests", 1) + value[LOCAL_PASSES] / LOCAL_LINES
                    + value[SHARED_LOADS] - value[SHARED_JOINED] + value[SHARED_STORES]
                    + value[SHARED_ATOMICS] * launch->gpu->atomic_shared_cycles
                    + value[SHARED_FLOATS] * (SHARED_FLOAT_CYCLES - launch->gpu->atomic_shared_cycles);
    return cycles_ms(launch, passes);
}

/* Of requests for global memory, those that the level-1 cache does not serve. What lies between two reads of a place grows
 * with the work of a thread, and so does the cache that would hold it. */
static double near_share(const struct launch *launch)
{
    static const struct {
        double sectors;
        const char *name;
    } sizes[] = {{8192, "near_requests_8192"},
                 {2048, "near_requests_2048"},
                 {512, "near_requests_512"},
                 {128, "near_requests_128"},
                 {32, "near_requests_32"}};
    double sectors = sizes[0].sectors / working(launch) / launch->growth;
    int i = 0;
    while (i < 4 && sizes[i].sectors > 2 * sectors)
        i++;
    return ratio(launch, sizes[i].name, "load_requests", 1);
}

/* Sectors that loads ask of the level-2 cache: what a block reads again is in level 1. */
static double fetched_sectors(const struct launch *launch)
{
    double counted = ratio(launch, "near_requests_8192", "load_requests", 1), near = near_share(launch);
    double share = ratio(launch, "block_load_sectors", "load_sectors", 1);
    return launch->value[LOAD_SECTORS] * fmin(counted > 0 ? share * near / counted : fmax(share, near), 1);
}

static double atomic_passes(const struct launch *launch)
{
    return launch->value[ATOMIC_SECTORS] * ratio(launch, "atomic_passes", "atomic_sectors", 1);
}

static double level_2_ms(const struct launch *launch)
{
    const struct estimate_gpu *gpu = launch->gpu;
    double loads = fetched_sectors(launch), stores = launch->value[STORE_SECTORS];
    double lines = stores * ratio(launch, "store_lines", "store_sectors", 1);
    double bytes_ms = (loads + stores) * SECTOR_BYTES / fmin(gpu->level_2_gb_s, gpu->reader_gb_s * busy(launch)) / 1e6;
    double apart = loads * fmax(2 * ratio(launch, "group_load_pairs", "group_load_sectors", 0.5) - 1, 0);
    return fmax(fmax(bytes_ms, lines / gpu->level_2_store_g_s / 1e6), apart / gpu->level_2_sector_g_s / 1e6);
}

/* What the launch touches, in sectors. */
static double footprint(const struct launch *launch)
{
    return launch->value[TOUCHED_BYTES] / SECTOR_BYTES;
}

/* Sectors between the level-2 cache and memory: each that is read and each that is written once. One that blocks far apart
 * touch comes again when more lies between them than the cache holds. Memory is read in pairs of sectors; a sector of which
 * a part is written is read first. */
static double moved_sectors(struct launch *launch)
{
    double touched = footprint(launch), cache = launch->gpu->level_2_mb * 1048576 / SECTOR_BYTES;
    double missing = touched > cache ? 1 - cache / touched : 0;
    double loads = launch->value[LOAD_SECTORS] * ratio(launch, "group_load_sectors", "load_sectors", 1);
    double seen = number(launch->sample, "store_sectors") + number(launch->sample, "atomic_sectors");
    double stores = (launch->value[STORE_SECTORS] + launch->value[ATOMIC_SECTORS])
                    * (seen > 0 ? number(launch->sample, "group_store_sectors") / seen : 1);
    double first_loads = fmin(loads, touched), first_stores = fmin(stores, touched);
    launch->moved_loads = first_loads + missing * (loads - first_loads);
    double pairs = fmax(2 * ratio(launch, "group_load_pairs", "group_load_sectors", 0.5), 1);
    double partial = ratio(launch, "group_partial_sectors", "group_store_sectors", 0);
    return launch->moved_loads * pairs + (first_stores + missing * (stores - first_stores)) * (1 + partial);
}

static double atomic_ms(const struct launch *launch)
{
    double passes = atomic_passes(launch), busiest = passes * number(launch->sample, "busiest_share");
    double slower = 1 + (launch->gpu->atomic_float - 1) * ratio(launch, "float_passes", "atomic_passes", 0);
    return fmax(passes / launch->gpu->atomic_g_s, busiest * slower / launch->gpu->atomic_one_g_s) / 1e6;
}

/* ---- waiting --------------------------------------------------------------------------------------------------------- */

/* Of a read that a warp waits for. Loads by one register are mostly of neighbours: of those that wait together, one goes
 * further than the others. */
static double read_ns(const struct launch *launch)
{
    const struct estimate_gpu *gpu = launch->gpu;
    double reads = launch->value[CHAIN_GLOBAL_READS];
    double together = reads > 0 ? fmax(launch->value[CHAIN_NEIGHBOURS] / reads, 1) : 1;
    double near = fmin(near_share(launch) * together, 1);
    double far = fmin(fmin(ratio(launch, "far_requests", "load_requests", 1) * together, near),
                      launch->value[LOAD_SECTORS] > 0 ? footprint(launch) / launch->value[LOAD_SECTORS] * together * 8 : 1);
    /* What other multiprocessors have just stored is read where level 2 keeps it, as far as an atomic operation goes. */
    double touched = footprint(launch), fresh = touched > 0 ? far * fmin(launch->stored_before / touched, 1) : 0;
    return (1 - near) * gpu->level_1_ns + (near - far) * gpu->level_2_ns + fresh * fmin(gpu->atomic_ns, gpu->memory_ns)
           + (far - fresh) * gpu->memory_ns;
}

/* What all warps wait for, one after the other. */
static double waiting_ns(const struct launch *launch)
{
    const struct estimate_gpu *gpu = launch->gpu;
    const double *value = launch->value;
    double cycles = fmax(value[CHAIN_CYCLES], value[ISSUE_SLOTS]) + value[CHAIN_SHARED_READS] * gpu->shared_cycles;
    return cycles / gpu->mhz * 1e3 + value[CHAIN_GLOBAL_READS] * read_ns(launch) + value[CHAIN_ATOMICS] * gpu->atomic_ns
           + value[CHAIN_SHARED_ATOMICS] * gpu->shared_atomic_ns + value[CHAIN_FENCES] * gpu->fence_ns;
}

/* Threads of a block that wait for one another in shared memory; the more warps ask all the time, the slower. */
static double shared_handoff_ns(const struct launch *launch)
{
    double warps = ceil(launch->geometry->threads / LANES) * working(launch);
    return launch->gpu->shared_handoff_ns * pow(fmax(warps / 8, 1), 1.35);
}

/* As many blocks as fit run at once; each takes what its busiest warp waits for, and none takes less than the busiest of
 * all. */
static double latency_ms(const struct launch *launch)
{
    double of_warps = launch->value[BUSIEST_OF_WARPS];
    if (of_warps <= 0)
        return 0;
    double each = waiting_ns(launch) / of_warps; /* for an instruction */
    double longest = launch->value[BUSIEST_THREAD] * each;
    double places = launch->gpu->multiprocessors * resident(launch);
    double of_blocks = launch->value[BUSIEST_OF_BLOCKS] * each;
    double at_once = fmax(of_blocks / launch->geometry->blocks, of_blocks / places);
    return fmax(longest, at_once) / 1e6;
}

/* Threads wait for one another, each until it sees what the one before has done; those that ask for the same all the time
 * are in the way. */
static double chain_ms(const struct launch *launch)
{
    const struct estimate_gpu *gpu = launch->gpu;
    double of_warps = launch->value[BUSIEST_OF_WARPS], links = launch->value[HANDOFFS];
    double places = fmin(launch->geometry->blocks, gpu->multiprocessors * resident(launch));
    double in_blocks = launch->value[SHARED_HANDOFFS] * shared_handoff_ns(launch) / places;
    if (links < 1 || of_warps <= 0)
        return in_blocks / 1e6;
    double each = waiting_ns(launch) / of_warps;
    double rate = launch->places > FEW_PLACES ? MANY_PLACES_RATE * gpu->atomic_one_g_s : gpu->atomic_one_g_s;
    double queue = QUEUE * launch->asking * places / rate;
    double link = gpu->handoff_ns + launch->fences * gpu->fence_ns + launch->hop_instructions * each + queue;
    return fmax(links * link, in_blocks) / 1e6;
}

/* Blocks that publish something and then look at what many others have published form no chain that could be counted: how
 * long they look depends on how they happen to run. */
static bool looks_back(const struct launch *launch)
{
    return launch->handed_on > launch->counted_blocks / 2 && launch->value[HANDOFFS] < launch->geometry->blocks / 8;
}

/* Limits that are reached together hinder one another: the time is the longest where one stands out, and more where two are
 * as long (26 % at 3, which is what vector_add and doublify show on an H200). */
static const double overlap = 3;

/* Adds a launch. *stored: sectors that were stored so far, by all launches. */
static void add_launch(struct launch *launch, double *stored, struct estimate *estimate)
{
    const struct estimate_gpu *gpu = launch->gpu;
    launch->stored_before = *stored * SECTOR_BYTES <= gpu->level_2_mb * 1048576 ? *stored : 0;
    *stored += fmin(launch->value[STORE_SECTORS], footprint(launch));
    double ms[ESTIMATE_LIMIT_COUNT], sum = 0, moved = moved_sectors(launch);
    ms[ESTIMATE_BLOCKS] = blocks_ms(launch);
    ms[ESTIMATE_ISSUE] = issue_ms(launch);
    ms[ESTIMATE_LEVEL_1] = level_1_ms(launch);
    ms[ESTIMATE_LEVEL_2] = level_2_ms(launch);
    ms[ESTIMATE_MEMORY] = moved * SECTOR_BYTES / (gpu->memory_gb_s * 1e6);
    ms[ESTIMATE_ATOMIC] = atomic_ms(launch);
    ms[ESTIMATE_LATENCY] = latency_ms(launch);
    ms[ESTIMATE_CHAIN] = chain_ms(launch);
    for (int i = 0; i < ESTIMATE_LIMIT_COUNT; i++) {
        estimate->limit_ms[i] += ms[i];
        sum += pow(ms[i], overlap);
    }
    double work = pow(sum, 1 / overlap);
    bool first = estimate->launches == 0;
    double start = first ? gpu->launch_us / 1e3 : fmax(gpu->gap_us / 1e3, gpu->next_launch_us / 1e3 - work);
    estimate->memory_bytes += moved * SECTOR_BYTES;
    estimate->blocks += launch->geometry->blocks;
    estimate->instructions += launch->value[ISSUE_SLOTS];
    estimate->launches++;
    estimate->launch_ms += start;
    estimate->ms += start + work;
    estimate->high_ms += start + work * (looks_back(launch) ? LOOK_BACK : 1);
    double all = launch->value[BUSY_BLOCKS];
    for (int i = 0; i < ESTIMATE_LIMIT_COUNT; i++) {
        if (ms[i] <= estimate->longest[i].ms)
            continue;
        estimate->longest[i].ms = ms[i];
        estimate->longest[i].kernel = launch->geometry->kernel;
        estimate->longest[i].blocks = launch->geometry->blocks;
        estimate->longest[i].threads = launch->geometry->threads;
        estimate->longest[i].busy = busy(launch);
        estimate->longest[i].share = all > 0 ? fmin(launch->value[BUSIEST_THREAD] / all, 1) : 0;
        estimate->longest[i].at_once = working(launch) * ceil(launch->geometry->threads / LANES) * LANES
                                       / launch->gpu->threads;
        estimate->longest[i].handoffs = launch->value[HANDOFFS];
        estimate->longest[i].shared_handoffs = launch->value[SHARED_HANDOFFS] / launch->geometry->blocks;
    }
}

bool estimate_make(const struct estimate_run *runs, size_t run_count, const struct estimate_run *target,
                   const struct estimate_gpu *gpu, struct estimate *estimate)
{
    struct counted_run counted[ESTIMATE_RUNS] = {0};
    bool known = run_count > 1; /* one size says nothing of how it grows */
    memset(estimate, 0, sizeof *estimate);
    for (size_t i = 0; i < run_count && known; i++)
        known = read_run(&runs[i], &counted[i]);
    double stored = 0;
    for (size_t i = 0; i < target->count && known; i++) {
        struct launch launch = {.gpu = gpu};
        struct series series = series_for(counted, run_count, target, &target->launches[i]);
        known = fill_launch(&series, target, &target->launches[i], &launch);
        if (known)
            add_launch(&launch, &stored, estimate);
    }
    for (size_t i = 0; i < run_count; i++)
        free_run(&counted[i]);
    for (int i = 1; i < ESTIMATE_LIMIT_COUNT; i++)
        if (estimate->limit_ms[i] > estimate->limit_ms[estimate->limit])
            estimate->limit = (enum estimate_limit)i;
    if (estimate->high_ms < 1.5 * estimate->ms)
        estimate->high_ms = 0;
    if (known && estimate->launches > 0)
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

/* Why it waits: of the launch in which it waits longest, where that is most of the waiting. What is printed of a launch was
 * counted or is its shape; the note does not say how many threads "do the work", which only an average could tell. */
static void write_width(const struct estimate *estimate, char *text, size_t bytes)
{
    const int limit = estimate->limit;
    double all = estimate->gpu->multiprocessors, busy = fmax(round(estimate->longest[limit].busy), 1);
    double blocks = estimate->longest[limit].blocks, threads = estimate->longest[limit].threads;
    char kernel[80] = "";
    if (estimate->longest[limit].ms < MOST_OF_IT * estimate->limit_ms[limit])
        return;
    if (estimate->launches > 1)
        snprintf(kernel, sizeof kernel, " in %.64s", estimate->longest[limit].kernel);
    if (estimate->longest[limit].share > MOST_OF_IT)
        snprintf(text, bytes, "%s: one thread does %s of the work, on 1 of %.0f multiprocessors", kernel,
                 estimate->longest[limit].share > NEARLY_ALL ? "nearly all" : "most", all);
    else if (blocks <= all / 2)
        snprintf(text, bytes, "%s: %.0f block%s of %.0f thread%s, on %.0f of %.0f multiprocessors", kernel, blocks,
                 blocks > 1 ? "s" : "", threads, threads > 1 ? "s" : "", blocks, all);
    else if (busy <= all / 2)
        snprintf(text, bytes,
                 busy > 1 ? "%s: few of the %.0f blocks do most of the work"
                          : "%s: one of the %.0f blocks does most of the work",
                 kernel, blocks);
    else if (limit == ESTIMATE_LATENCY && estimate->longest[limit].at_once < ROOM_LEFT)
        snprintf(text, bytes, "%s: a multiprocessor has fewer threads at a time than it has room for", kernel);
    else if (limit == ESTIMATE_LATENCY)
        snprintf(text, bytes, "%s: each warp waits for one result after another", kernel);
}

static void write_chain(const struct estimate *estimate, char *text, size_t bytes)
{
    char each[32];
    double links = estimate->longest[ESTIMATE_CHAIN].handoffs, in_block = estimate->longest[ESTIMATE_CHAIN].shared_handoffs;
    if (links > 1 && links > in_block) {
        write_time(estimate->longest[ESTIMATE_CHAIN].ms / links, each, sizeof each);
        snprintf(text, bytes, ": a chain of %.0f, %s each", links, each);
    } else {
        snprintf(text, bytes, ": in each block %.0f, one after the other", in_block);
    }
}

/* What takes longest beside the limit: together they take longer than either. */
static enum estimate_limit find_next(const struct estimate *estimate)
{
    int next = estimate->limit == 0 ? 1 : 0;
    for (int i = 0; i < ESTIMATE_LIMIT_COUNT; i++)
        if (i != (int)estimate->limit && estimate->limit_ms[i] > estimate->limit_ms[next])
            next = i;
    return (enum estimate_limit)next;
}

/* Three digits, and no exponent beside the word. */
static void write_count(double instructions, char *text, size_t bytes)
{
    bool millions = instructions < 999.5e6;
    snprintf(text, bytes, ": warps issue %.3g %s", instructions / (millions ? 1e6 : 1e9), millions ? "million" : "billion");
}

void estimate_describe(const struct estimate *estimate, char *text, size_t bytes)
{
    char time[128], detail[256] = "", alone[32];
    double limit_ms = estimate->limit_ms[estimate->limit];
    write_time(estimate->ms, time, 32);
    if (estimate->high_ms > 0) {
        char high[32];
        write_time(estimate->high_ms, high, sizeof high);
        char low[32];
        memcpy(low, time, sizeof low);
        snprintf(time, sizeof time, "%.31s to %s, as blocks happen to find what others have published", low, high);
    }
    if (estimate->launch_ms > limit_ms) {
        snprintf(text, bytes, "%s, most of it spent on %d launch%s", time, estimate->launches,
                 estimate->launches == 1 ? "" : "es");
        return;
    }
    switch (estimate->limit) {
    case ESTIMATE_MEMORY:
        write_time(limit_ms, alone, sizeof alone);
        snprintf(detail, sizeof detail, ": %.0f MB at %.2f TB/s take %s", estimate->memory_bytes / 1e6,
                 estimate->gpu->memory_gb_s / 1e3, alone);
        break;
    case ESTIMATE_BLOCKS: snprintf(detail, sizeof detail, ": %.0f, each with little to do", estimate->blocks); break;
    case ESTIMATE_ISSUE: write_count(estimate->instructions, detail, sizeof detail); break;
    case ESTIMATE_LATENCY: write_width(estimate, detail, sizeof detail); break;
    case ESTIMATE_CHAIN: write_chain(estimate, detail, sizeof detail); break;
    case ESTIMATE_LEVEL_1: write_width(estimate, detail, sizeof detail); break;
    default: break;
    }
    size_t used = (size_t)snprintf(text, bytes, "%s, limited by %s%s", time, limit_texts[estimate->limit], detail);
    enum estimate_limit next = find_next(estimate);
    if (used >= bytes || estimate->limit_ms[next] < AS_LONG * limit_ms)
        return;
    write_time(estimate->limit_ms[next], alone, sizeof alone);
    snprintf(text + used, bytes - used, "; next, %s (%s)", limit_texts[next], alone);
}
