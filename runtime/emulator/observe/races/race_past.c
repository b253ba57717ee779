#include "runtime/emulator/observe/races/race_past.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/backing.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/words.h"
#include "runtime/emulator/machine/work.h"
#include "runtime/emulator/observe/races/race_epoch.h"
#include "runtime/emulator/observe/races/race_knowledge.h"
#include "runtime/emulator/observe/races/race_pool.h"
#include "runtime/language/demangle.h"

enum { SCOPE_GPU = 2, MOST_PASTS = 8 }; /* grids that launched one another, of which the latest are compared */

struct past {
    unsigned uses;
    struct races *races;  /* of the grid that launches; it counts its pasts */
    uint32_t list;        /* of one link, to what the launching lane knew */
    struct past *earlier; /* of that grid; NULL */
};

static struct past *retain(struct past *past)
{
    if (past)
        past->uses++;
    return past;
}

struct past *race_past_create(struct races *races, struct warp *warp, unsigned lane, bool in_tail)
{
    struct past *earlier = retain(races->launch->request->past);
    struct past *past = in_tail || races->gave_up ? NULL : calloc(1, sizeof *past);
    if (!past)
        return earlier;
    struct race_block *block = warp->block->races;
    struct race_warp *own = race_warp_of(warp);
    race_epoch_make_exact(races, block);
    own->released = true;
    race_advance(races);
    struct race_fence now = race_snapshot(races, block, own, lane, races->time);
    uint32_t node = race_add_node(races, block, own, lane, &now, SCOPE_GPU, 0);
    *past = (struct past){.uses = 1, .races = races, .earlier = earlier};
    race_add_link(races, &past->list,
                  (struct race_link){.node = node, .first_warp = UINT32_MAX, .time = races->time, .scope = SCOPE_GPU});
    races->links[past->list].made = RACE_FOREVER;
    races->pasts++;
    return past;
}

void race_past_release(struct past *past)
{
    while (past && --past->uses == 0) {
        struct past *earlier = past->earlier;
        if (--past->races->pasts == 0 && past->races->is_over)
            race_free(past->races);
        free(past);
        past = earlier;
    }
}

/* ---- the shadow of a grid that has ended ---- */

void race_past_keep(struct races *races)
{
    const struct launch_request *request = races->launch->request;
    struct memory_allocation *allocation;
    for (size_t cursor = 0; (allocation = memory_next_live(request->memory, &cursor));) {
        if (!allocation->races)
            continue;
        if (!race_grow(races, (void **)&races->kept, races->kept_count, &races->kept_capacity, sizeof *races->kept))
            break;
        races->kept[races->kept_count++] = (struct race_kept_lines){allocation, allocation->races, allocation->races_bytes};
        allocation->races = NULL;
        allocation->races_bytes = 0;
    }
    for (int i = 0; i < 3; i++) {
        races->grid[i] = request->grid[i];
        races->block_shape[i] = request->block[i];
    }
    races->kernel = request->function->name;
    races->pools = race_cells_take();
}

void race_past_free(struct races *races)
{
    for (size_t i = 0; i < races->kept_count; i++)
        backing_free((uint8_t *)races->kept[i].lines, races->kept[i].bytes);
    free(races->kept);
    race_cells_free(races->pools);
}

/* ---- accesses ---- */

/* What two kernels do to one array is reported in one launch, with the first two accesses: where one thing that all launches
 * wait for is missing, nothing is ordered. */
struct told {
    uint64_t key, launch;
};
enum { TOLD_LIMIT = 64 };
static struct told told[TOLD_LIMIT];
static size_t told_count;

/* Names are as good as the kernels: they last as long. */
static uint64_t key_of(const struct past *past, const struct launch *launch, const struct memory_allocation *allocation)
{
    uint64_t key = allocation->address * UINT64_C(0x9E3779B97F4A7C15) + (uintptr_t)past->races->kernel;
    return key * UINT64_C(0x9E3779B97F4A7C15) + (uintptr_t)launch->request->function->name;
}

static bool was_told(uint64_t key)
{
    for (size_t i = 0; i < told_count; i++)
        if (told[i].key == key)
            return told[i].launch != finding_launch_count();
    return told_count == TOLD_LIMIT;
}

static void note_told(uint64_t key)
{
    for (size_t i = 0; i < told_count; i++)
        if (told[i].key == key)
            return;
    if (told_count < TOLD_LIMIT)
        told[told_count++] = (struct told){key, finding_launch_count()};
}

/* An earlier access, of the launching grid. */
struct prior {
    uint32_t warp, site, time;
    unsigned lane;
};

static void name_thread(const struct races *races, const struct prior *prior, uint32_t thread[3], uint32_t block[3])
{
    const uint32_t *shape = races->block_shape, *grid = races->grid;
    uint32_t index = prior->warp % races->warps_per_block * WARP_LANES + prior->lane;
    uint32_t linear = prior->warp / races->warps_per_block;
    thread[0] = index % shape[0];
    thread[1] = index / shape[0] % shape[1];
    thread[2] = index / shape[0] / shape[1];
    block[0] = linear % grid[0];
    block[1] = linear / grid[0] % grid[1];
    block[2] = linear / grid[0] / grid[1];
}

static const char *done(const struct memory_site *site)
{
    return site->access == SITE_LOAD ? "read" : site->access == SITE_STORE ? "written" : "changed atomically";
}

static const char *kind_of(const struct memory_site *site)
{
    return site->access == SITE_LOAD ? "read" : site->access == SITE_STORE ? "write" : "atomic";
}

static bool is_atomic(const struct memory_site *site)
{
    return site->access == SITE_ATOMIC || site->access == SITE_REDUCTION;
}

static void report(const struct past *past, const struct warp *warp, const struct operation *operation, unsigned lane,
                   const struct memory_allocation *allocation, uint64_t offset, const struct prior *prior)
{
    struct races *races = past->races;
    const struct race_site *earlier = &races->sites[prior->site];
    const struct memory_site *site = operation->site;
    enum finding_code code = is_atomic(site) != is_atomic(earlier->site) ? FINDING_race_mixed : FINDING_race_global;
    uint64_t key = key_of(past, warp->launch, allocation);
    struct finding finding;
    char name[ELEMENT_BYTES], kernel[128];
    if (finding_repeat(warp->launch->findings, key))
        return;
    note_told(key);
    launch_finding(warp, operation, lane, code, &finding);
    place_describe_second(warp->launch, earlier->operation, &finding);
    access_name_array(warp, allocation, &finding);
    finding.columns = (int64_t)allocation->columns;
    finding.index = (int64_t)(offset / (allocation->element_bytes ? allocation->element_bytes : site->bytes));
    finding.has_index = true;
    name_thread(races, prior, finding.thread2, finding.block2);
    finding.has_thread2 = true;
    finding.access = kind_of(site);
    finding.access2 = kind_of(earlier->site);
    warp->launch->words->explain(warp, operation, &finding);
    demangle_function(races->kernel, kernel, sizeof kernel);
    finding_text(&finding,
                 "%s %s by thread (%u,%u,%u) of block (%u,%u,%u) of kernel %s (%s) and %s by thread (%u,%u,%u) of block "
                 "(%u,%u,%u) of kernel %s (%s), which %s launched: the launch does not wait for the first of the two, so "
                 "nothing orders them",
                 finding_element(&finding, name), done(earlier->site), finding.thread2[0], finding.thread2[1],
                 finding.thread2[2], finding.block2[0], finding.block2[1], finding.block2[2], kernel, finding.where2,
                 done(site), finding.thread[0], finding.thread[1], finding.thread[2], finding.block[0], finding.block[1],
                 finding.block[2], finding.kernel, finding.where,
                 past == warp->launch->request->past ? "it" : "it indirectly");
    finding.hint =
        "What has every thread of the launching grid done by the time of the launch, and what does it do after it?";
    finding_collect_as(warp->launch->findings, key, &finding);
}

static void judge(const struct past *past, const struct warp *warp, const struct operation *operation, unsigned lane,
                  const struct memory_allocation *allocation, uint64_t offset, struct prior prior)
{
    struct races *races = past->races;
    const struct memory_site *earlier = races->sites[prior.site].site;
    if (earlier->strong && operation->site->strong) /* flags and counters */
        return;
    if (!race_list_knows(races, past->list, prior.warp, prior.lane, prior.time))
        report(past, warp, operation, lane, allocation, offset, &prior);
}

/* The lane of a word of a line that is not expanded. */
static unsigned pattern_lane(uint8_t pattern, unsigned word)
{
    return (unsigned)(pattern >> 2) + (word >> (pattern & 3));
}

static void check_whole(const struct past *past, const struct warp *warp, const struct operation *operation, unsigned lane,
                        const struct memory_allocation *allocation, uint64_t at, const struct race_line *line)
{
    unsigned word = (unsigned)(at % RACE_LINE_BYTES / 4);
    if (line->write_time)
        judge(past, warp, operation, lane, allocation, at,
              (struct prior){line->write_warp, line->write_site, line->write_time, pattern_lane(line->write_pattern, word)});
    if (line->read_time && operation->site->access != SITE_LOAD)
        judge(past, warp, operation, lane, allocation, at,
              (struct prior){line->read_warp, line->read_site, line->read_time, pattern_lane(line->read_pattern, word)});
}

static void check_cell(const struct past *past, const struct warp *warp, const struct operation *operation, unsigned lane,
                       const struct memory_allocation *allocation, uint64_t at, const struct race_line *line)
{
    const struct races *races = past->races;
    unsigned index = race_cell_index(line, at);
    const struct race_write *write = line->writes ? &line->writes[index] : NULL;
    if (write && write->segment) {
        const struct race_segment *segment = &races->segments[write->segment];
        judge(past, warp, operation, lane, allocation, at,
              (struct prior){segment->warp, (write->site & ~RACE_READ_ONLY) >> 5, segment->time, write->site & 31});
    }
    const struct race_reader *reader = line->readers && line->readers[index].mask ? &line->readers[index] : NULL;
    if (!reader || (operation->site->access == SITE_LOAD && !(reader->site & RACE_WROTE)))
        return;
    struct race_read read = {reader->segment, reader->site & ~RACE_WROTE, reader->mask, reader->more, 0};
    for (;;) {
        const struct race_segment *segment = &races->segments[read.segment];
        for (uint32_t rest = read.mask; rest; rest &= rest - 1)
            judge(past, warp, operation, lane, allocation, at,
                  (struct prior){segment->warp, read.site, segment->time, (unsigned)__builtin_ctz(rest)});
        if (!read.next || operation->site->access == SITE_LOAD)
            return;
        read = races->reads[read.next];
    }
}

static const struct race_kept_lines *find_kept(const struct races *races, const struct memory_allocation *allocation)
{
    for (size_t i = 0; i < races->kept_count; i++)
        if (races->kept[i].allocation == allocation)
            return &races->kept[i];
    return NULL;
}

static void check_lane(const struct past *past, const struct warp *warp, const struct operation *operation, unsigned lane,
                       const struct memory_allocation *allocation, uint64_t offset, const struct race_kept_lines *kept)
{
    uint64_t end = offset + operation->site->request_bytes;
    for (uint64_t at = offset; at < end && at / RACE_LINE_BYTES < kept->bytes / sizeof *kept->lines;) {
        const struct race_line *line = &kept->lines[at / RACE_LINE_BYTES];
        unsigned step = 4;
        if (line->tag == past->races->tag && line->cell_count == 0)
            check_whole(past, warp, operation, lane, allocation, at, line);
        else if (line->tag == past->races->tag) {
            check_cell(past, warp, operation, lane, allocation, at, line);
            step = RACE_LINE_BYTES / line->cell_count;
        }
        at += step - at % step;
    }
}

void race_past_check(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t lanes)
{
    const struct launch_request *request = warp->launch->request;
    unsigned looked = 0;
    if (operation->site->space == SITE_LOCAL || operation->site->space == SITE_SHARED)
        return;
    for (const struct past *past = request->past; past && looked < MOST_PASTS; past = past->earlier, looked++) {
        const struct memory_allocation *last = NULL;
        const struct race_kept_lines *kept = NULL;
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            uint64_t place = address[lane];
            if (operation->site->space == SITE_GENERIC
                && ((place & WINDOW_MASK) == SHARED_WINDOW || (place & WINDOW_MASK) == LOCAL_WINDOW))
                continue;
            const struct memory_allocation *allocation = memory_find(request->memory, place);
            if (allocation && allocation != last)
                kept = was_told(key_of(past, warp->launch, allocation)) ? NULL : find_kept(past->races, allocation);
            last = allocation;
            if (allocation && kept && place - allocation->address < allocation->bytes) {
                work_add(WORK_SHADOW_LANE);
                check_lane(past, warp, operation, lane, allocation, place - allocation->address, kept);
            }
        }
    }
}
