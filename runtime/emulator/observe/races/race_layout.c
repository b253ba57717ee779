/* What the requests of a memory instruction look like to the race checker: see race_epoch.h. */
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/observe/races/race.h"

struct race_layout *race_layout_describe(struct races *races, struct memory_site *site)
{
    struct race_site *known = &races->sites[site->number];
    if (!known->layout && !(known->layout = calloc(1, sizeof *known->layout))) {
        races->gave_up = true;
        return NULL;
    }
    struct race_layout *layout = known->layout;
    layout->version = site->shape.version;
    layout->place_count = 0;
    layout->kept_in = 0;
    layout->unit_shift = UINT8_MAX;
    return layout;
}

/* Neighbours in memory. */
static void list_contiguous(struct race_layout *layout, unsigned units)
{
    for (unsigned i = 0; i < layout->span; i++)
        layout->lane[RACE_LINE_UNITS + i] = (uint16_t)(i / units);
    for (unsigned i = 0; i < layout->span / RACE_LINE_UNITS; i++)
        layout->single[1 + i] = UINT32_MAX;
}

void race_layout_units(struct race_layout *layout, const struct memory_site *site, unsigned unit_shift)
{
    const struct shape *shape = &site->shape;
    unsigned units = site->request_bytes >> unit_shift;
    const unsigned longest = RACE_LINES * RACE_LINE_UNITS;
    uint64_t span = shape->extent >> unit_shift;
    layout->unit_shift = (uint8_t)unit_shift;
    layout->span = span <= longest ? (uint16_t)span : 0;
    layout->low = (int32_t)(shape->low >> unit_shift);
    memset(layout->single, 0, sizeof layout->single);
    memset(layout->several, 0, sizeof layout->several);
    if (layout->span && shape->kind == SHAPE_CONTIGUOUS) {
        list_contiguous(layout, units);
        return;
    }
    for (uint32_t rest = layout->span ? shape->mask : 0; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        unsigned first = RACE_LINE_UNITS + (unsigned)((int64_t)(shape->delta[lane] - (uint64_t)shape->low) >> unit_shift);
        for (unsigned i = first; i < first + units; i++) {
            uint32_t bit = 1u << i % RACE_LINE_UNITS, *single = &layout->single[i / RACE_LINE_UNITS];
            uint32_t *several = &layout->several[i / RACE_LINE_UNITS];
            *several |= bit & (*single | *several);
            *single = (*single | bit) & ~*several;
            layout->lane[i] = (uint16_t)lane;
        }
    }
}
