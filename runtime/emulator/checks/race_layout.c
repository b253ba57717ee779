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

struct race_layout *race_layout_describe(struct races *races, struct memory_site *site)
{
    struct race_site *known = &races->sites[site->number];
    if (!known->layout && !(known->layout = calloc(1, sizeof *known->layout))) {
        races->gave_up = true;
        return NULL;
    }
    struct race_layout *layout = known->layout;
    layout->version = site->shape.version;
    layout->run_count = (uint8_t)race_runs(site->shape.delta, site->shape.mask, (unsigned)site->bytes * site->vector,
                                           layout->runs);
    layout->place_count = 0;
    layout->kept_in = 0;
    layout->align = UINT32_MAX;
    return layout;
}

/* Adds what a run touches in one line. Returns false when the pieces cannot describe it. */
static bool add_piece(struct race_layout *layout, struct race_piece piece)
{
    for (unsigned i = 0; i < layout->piece_count; i++) {
        struct race_piece *other = &layout->pieces[i];
        if (other->line != piece.line)
            continue;
        if (other->words == piece.words) {
            other->kind = PIECE_SEVERAL;
            return true;
        }
        if (other->words & piece.words)
            return false;
        if (other->kind == PIECE_SEVERAL && piece.kind == PIECE_SEVERAL) {
            other->words |= piece.words;
            return true;
        }
    }
    if (layout->piece_count == RACE_PIECES)
        return false;
    layout->pieces[layout->piece_count++] = piece;
    return true;
}

void race_layout_pieces(struct race_layout *layout, uint32_t align, unsigned bytes)
{
    layout->align = align;
    layout->piece_count = 0;
    for (unsigned i = 0; i < layout->run_count; i++) {
        const struct race_run *run = &layout->runs[i];
        int32_t start = (int32_t)(align + run->delta), end = start + (int32_t)race_run_bytes(run, bytes);
        for (int32_t line = start >> 7; line <= (end - 1) >> 7; line++) {
            if (!add_piece(layout, race_run_piece(run, start, line, bytes))) {
                layout->piece_count = 0;
                return;
            }
        }
    }
}
