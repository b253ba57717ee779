/* Where a missed budget was spent: the line with the largest share, and what its requests looked like. */
#include "grader/judge/budget.h"

#include <stdio.h>
#include <string.h>

/* What a metric counts, one row a kind of request that adds to it. `unit` of `requests` requests; `least`: how many a warp
 * needs at best for 32 values of 4 bytes. */
static const struct kind {
    const char *metric, *counter, *requests, *what, *unit, *best;
    double least;
} kinds[] = {
    {"global_sectors", "global_load_sectors", "global_load_requests", "loads", "sectors",
     "32 neighbouring words of 4 bytes fit in 4", 4},
    {"global_sectors", "global_store_sectors", "global_store_requests", "stores", "sectors",
     "32 neighbouring words of 4 bytes fit in 4", 4},
    {"global_sectors", "global_atomic_sectors", "global_atomic_requests", "atomic operations", "sectors",
     "32 neighbouring words of 4 bytes fit in 4", 4},
    {"global_load_sectors", "global_load_sectors", "global_load_requests", "loads", "sectors",
     "32 neighbouring words of 4 bytes fit in 4", 4},
    {"global_load_requests", "global_load_requests", "global_load_requests", "loads", "requests", "", 1},
    {"global_atomic_requests", "global_atomic_requests", "global_atomic_requests", "atomic operations", "requests", "", 1},
    {"global_atomic_serialised", "global_atomic_serialised", "global_atomic_requests", "atomic operations", "turns",
     "1 is enough when no two lanes use the same address", 1},
    {"shared_wavefronts", "shared_load_wavefronts", "shared_load_requests", "loads", "passes",
     "1 is enough when no two lanes need different words of one bank", 1},
    {"shared_wavefronts", "shared_store_wavefronts", "shared_store_requests", "stores", "passes",
     "1 is enough when no two lanes need different words of one bank", 1},
    {"shared_wavefronts", "shared_atomic_wavefronts", "shared_atomic_requests", "atomic operations", "passes",
     "1 is enough when no two lanes use the same address", 1},
    {"global_read_requests", "global_load_requests", "global_load_requests", "loads", "requests", "", 1},
    {"global_read_requests", "global_atomic_requests", "global_atomic_requests", "atomic operations", "requests", "", 1},
    {"busiest_block_loads", "global_load_sectors", "global_load_requests", "loads", "sectors", "", 1},
    {"busiest_block_loads", "global_atomic_sectors", "global_atomic_requests", "atomic operations", "sectors", "", 1},
    {"busiest_block_stores", "global_store_sectors", "global_store_requests", "stores", "sectors", "", 1},
    {"busiest_block_stores", "global_atomic_sectors", "global_atomic_requests", "atomic operations", "sectors", "", 1},
    {"busiest_block_instructions", "warp_instructions", "warp_instructions", "instructions", "lane slots", "", 0},
    {"useful_instructions", "thread_instructions", "warp_instructions", "instructions", "lane slots", "", 0},
    {"issued_lane_slots", "warp_instructions", "warp_instructions", "instructions", "lane slots", "", 0},
    {"max_thread_share", "warp_instructions", "warp_instructions", "instructions", "lane slots", "", 0},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

/* With few lanes at work a request takes little, and there are many of them. */
static const double FEW_LANES = 24;

static void describe(const struct kind *kind, const struct tally_line *line, double total, char *text, size_t text_bytes)
{
    double amount = tally_line_get(line, kind->counter), requests = tally_line_get(line, kind->requests);
    double each = amount / requests, warps = tally_line_get(line, "warp_instructions");
    double lanes = warps > 0 ? tally_line_get(line, "thread_instructions") / warps : 32;
    if (kind->least == 0) {
        snprintf(text, text_bytes, "line %d executes %.0f %% of the instructions, with %.1f of 32 lanes active", line->line,
                 100 * amount / total, lanes);
        return;
    }
    size_t used = (size_t)snprintf(text, text_bytes, "line %d: %.0f warp %s", line->line, requests, kind->what);
    if (kind->best[0] != '\0' && each > kind->least) {
        snprintf(text + used, text_bytes - used, ", %.3g %s each; %s", each, kind->unit, kind->best);
        return;
    }
    used += (size_t)snprintf(text + used, text_bytes - used, ", %.0f %% of all %s", 100 * amount / total, kind->unit);
    bool sectors = kind->best[0] != '\0' && strcmp(kind->unit, "sectors") == 0;
    if (lanes >= FEW_LANES && sectors && used < text_bytes)
        snprintf(text + used, text_bytes - used, "; none takes more than it needs, so it is their number that counts");
    if (lanes < FEW_LANES && strcmp(kind->unit, "requests") == 0 && used < text_bytes)
        snprintf(text + used, text_bytes - used,
                 ", with %.1f of 32 lanes active: a request costs as much when all take part", lanes);
}

const struct tally_line *budget_place(const char *metric, const struct tally *tally, char *text, size_t text_bytes)
{
    const struct tally_line *worst = NULL;
    const struct kind *worst_kind = NULL;
    double most = 0, total = 0;
    for (int i = 0; i < KIND_COUNT; i++)
        for (int k = 0; k < tally->line_count && strcmp(kinds[i].metric, metric) == 0; k++) {
            double amount = tally_line_get(&tally->lines[k], kinds[i].counter);
            total += amount;
            if (amount > most && tally->lines[k].line > 0) {
                most = amount;
                worst = &tally->lines[k];
                worst_kind = &kinds[i];
            }
        }
    if (worst)
        describe(worst_kind, worst, total, text, text_bytes);
    return worst;
}
