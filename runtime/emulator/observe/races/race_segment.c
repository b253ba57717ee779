/* Segments: which warp did something, and when, in one number. */
#include "runtime/emulator/observe/races/race.h"

#include <stdlib.h>

#include "runtime/emulator/observe/races/race_pool.h"

enum { FIRST_LIMIT = 1 << 16 }; /* segments before unused ones are looked for */

/* ---- unused ones ---- */

struct renumbering {
    uint32_t *numbers; /* [count + 1]: 1 where it is in use; then its new number */
    uint32_t count;
};

/* Cells that are not in use may hold anything. */
static void mark(void *context, uint32_t *segment)
{
    struct renumbering *renumbering = context;
    if (*segment <= renumbering->count)
        renumbering->numbers[*segment] = 1;
}

static void renumber(void *context, uint32_t *segment)
{
    struct renumbering *renumbering = context;
    *segment = *segment <= renumbering->count ? renumbering->numbers[*segment] : 0;
}

static void visit_all(struct races *races, void (*visit)(void *context, uint32_t *segment), struct renumbering *renumbering)
{
    race_visit_cells(visit, renumbering);
    for (size_t i = 1; i <= races->read_count; i++)
        visit(renumbering, &races->reads[i].segment);
}

static void collect(struct races *races)
{
    struct renumbering renumbering = {.count = (uint32_t)races->segment_count};
    renumbering.numbers = calloc(races->segment_count + 1, sizeof *renumbering.numbers);
    if (!renumbering.numbers)
        return;
    visit_all(races, mark, &renumbering);
    renumbering.numbers[0] = 0;
    races->segment_count = 0;
    for (uint32_t i = 1; i <= renumbering.count; i++) {
        if (!renumbering.numbers[i])
            continue;
        races->segments[++races->segment_count] = races->segments[i];
        renumbering.numbers[i] = (uint32_t)races->segment_count;
    }
    visit_all(races, renumber, &renumbering);
    free(renumbering.numbers);
    for (struct race_block *block = races->blocks; block; block = block->next)
        for (uint32_t i = 0; i < races->warps_per_block; i++)
            block->warps[i].segment = 0;
}

/* ---- new ones ---- */

uint32_t race_new_segment(struct races *races, uint32_t warp, uint32_t time)
{
    if (!race_grow(races, (void **)&races->segments, races->segment_count, &races->segment_capacity,
                   sizeof *races->segments))
        return 0;
    races->segments[++races->segment_count] = (struct race_segment){warp, time};
    return (uint32_t)races->segment_count;
}

uint32_t race_begin_segment(struct races *races, struct race_warp *own)
{
    if (own->segment && races->segments[own->segment].time == races->time)
        return own->segment;
    if (races->segment_limit == 0)
        races->segment_limit = FIRST_LIMIT;
    if (races->segment_count >= races->segment_limit) {
        collect(races);
        if (races->segment_count > races->segment_limit / 2)
            races->segment_limit *= 2;
    }
    own->segment = race_new_segment(races, own->id, races->time);
    return own->segment;
}
