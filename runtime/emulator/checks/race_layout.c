/* What the requests of a memory instruction look like to the race checker: see race_epoch.h. */
#include <stdlib.h>

#include "runtime/emulator/checks/race.h"

unsigned race_runs(const uint64_t *delta, uint32_t mask, unsigned bytes, struct race_run *runs)
{
    unsigned count = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(mask >> lane & 1))
            continue;
        struct race_run *run = &runs[count++];
        *run = (struct race_run){.delta = (uint32_t)delta[lane], .lane = (uint8_t)lane, .count = 1};
        if (lane + 1 == WARP_LANES || !(mask >> (lane + 1) & 1))
            continue;
        uint64_t step = delta[lane + 1] - delta[lane];
        if (step != 0 && (step != bytes || bytes < 4))
            continue;
        run->same = step == 0;
        while (lane + 1 < WARP_LANES && mask >> (lane + 1) & 1 && delta[lane + 1] - delta[lane] == step) {
            run->count++;
            lane++;
        }
    }
    return count;
}

struct race_layout *race_layout(struct races *races, struct memory_site *site)
{
    struct race_site *known = &races->sites[site->number];
    if (!known->layout && !(known->layout = malloc(sizeof *known->layout))) {
        races->gave_up = true;
        return NULL;
    }
    if (known->layout_known && known->layout->version == site->shape.version)
        return known->layout;
    struct race_layout *layout = known->layout;
    known->layout_known = true;
    layout->version = site->shape.version;
    layout->run_count = (uint8_t)race_runs(site->shape.delta, site->shape.mask, (unsigned)site->bytes * site->vector,
                                           layout->runs);
    layout->place_count = 0;
    layout->kept_in = 0;
    layout->align = UINT32_MAX;
    return layout;
}

void race_layout_pieces(struct race_layout *layout, uint32_t align, unsigned bytes)
{
    unsigned count = 0;
    layout->align = align;
    layout->piece_count = 0;
    for (unsigned i = 0; i < layout->run_count; i++) {
        const struct race_run *run = &layout->runs[i];
        int32_t start = (int32_t)(align + run->delta), end = start + (int32_t)(run->same ? bytes : bytes * run->count);
        for (int32_t line = start >> 7; line <= (end - 1) >> 7; line++) {
            int32_t from = start > line * 128 ? start - line * 128 : 0, to = end < line * 128 + 128 ? end - line * 128 : 128;
            unsigned piece = 0;
            while (piece < count && layout->pieces[piece].line != line)
                piece++;
            if (piece == RACE_PIECES)
                return;
            if (piece == count)
                layout->pieces[count++] = (struct race_piece){.line = line};
            uint32_t words = race_words((unsigned)from / 4, (unsigned)(to + 3) / 4 - (unsigned)from / 4);
            layout->pieces[piece].several |= run->same && run->count > 1 ? words : words & layout->pieces[piece].words;
            layout->pieces[piece].words |= words;
        }
    }
    layout->piece_count = (uint8_t)count;
    layout->together = true;
    for (unsigned piece = 0; piece < count; piece++)
        layout->together &= layout->pieces[piece].several == layout->pieces[piece].words;
}
