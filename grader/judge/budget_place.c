/* Where a missed budget was spent: the line with the largest share, and what its requests looked like. */
#include "grader/judge/budget.h"

#include <math.h>
#include <stdint.h>
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
    {"global_store_sectors", "global_store_sectors", "global_store_requests", "stores", "sectors",
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
    {"shared_atomic_wavefronts", "shared_atomic_wavefronts", "shared_atomic_requests", "atomic operations", "passes",
     "1 is enough when no two lanes use the same address", 1},
    {"global_read_requests", "global_load_requests", "global_load_requests", "loads", "requests", "", 1},
    {"global_read_requests", "global_atomic_requests", "global_atomic_requests", "atomic operations", "requests", "", 1},
    {"barriers", "barriers", "barriers", "waits", "barriers", "", 1},
    {"matrix_products", "matrix_products", "matrix_products", "tensor-core instructions", "products", "", 1},
    {"busiest_block_loads", "global_load_sectors", "global_load_requests", "loads", "sectors", "", 1},
    {"busiest_block_loads", "global_atomic_sectors", "global_atomic_requests", "atomic operations", "sectors", "", 1},
    {"busiest_block_stores", "global_store_sectors", "global_store_requests", "stores", "sectors", "", 1},
    {"busiest_block_stores", "global_atomic_sectors", "global_atomic_requests", "atomic operations", "sectors", "", 1},
    {"async_copy_bytes", "async_copy_bytes", "async_copy_bytes", "copies", "bytes", "", 1},
    {"async_exposed_bytes", "async_exposed_bytes", "async_copy_bytes", "copies", "bytes", "", 1},
    {"busiest_block_instructions", "warp_instructions", "warp_instructions", "instructions", "lane slots", "", 0},
    {"useful_instructions", "thread_instructions", "warp_instructions", "instructions", "lane slots", "", 0},
    {"issued_lane_slots", "warp_instructions", "warp_instructions", "instructions", "lane slots", "", 0},
    {"warp_instructions", "warp_instructions", "warp_instructions", "instructions", "lane slots", "", 0},
    {"max_thread_share", "warp_instructions", "warp_instructions", "instructions", "lane slots", "", 0},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

/* With few lanes at work a request takes little, and there are many of them. */
static const double FEW_LANES = 24;

/* Another line that has at least this part of the worst line's amount is named beside it. */
static const double AS_MUCH = 0.9;

enum { OTHERS = 3 };

static double amount_of(const struct tally_line *line, const struct kind *kind)
{
    return tally_line_get(line, kind->counter);
}

static bool measures_sectors(const struct kind *kind)
{
    return kind->best[0] != '\0' && strcmp(kind->unit, "sectors") == 0;
}

static bool shows_worst(const struct kind *kind, const struct tally_line *line)
{
    return line->worst.units > 0 && strcmp(line->worst.space, "global") == 0 && line->worst.access[0] != '\0'
           && strncmp(kind->what, line->worst.access, strlen(line->worst.access)) == 0;
}

/* The bytes of an access, where they are fewer than a word's; else 4. */
static int small_bytes_of(const struct kind *kind, const struct tally_line *line)
{
    bool known = measures_sectors(kind) && shows_worst(kind, line) && line->worst.bytes > 0;
    return known && line->worst.bytes < 4 ? line->worst.bytes : 4;
}

/* What a request of the line needs at best: wide accesses need more, bytes less. */
static double least_of(const struct kind *kind, const struct tally_line *line)
{
    int lanes = 0;
    for (int lane = 0; lane < 32; lane++)
        lanes += line->worst.offset[lane] >= 0;
    if (!measures_sectors(kind) || !shows_worst(kind, line))
        return kind->least;
    return fmax(kind->least * small_bytes_of(kind, line) / 4, ceil(lanes * line->worst.bytes / 32.0));
}

/* Is it the work of one thread that is measured? Where that thread does more than the others, their lanes are idle. */
static bool measures_thread(const struct kind *kind)
{
    return strcmp(kind->metric, "max_thread_share") == 0;
}

/* What the line's requests take beyond that. */
static double waste_of(const struct kind *kind, const struct tally_line *line)
{
    if (measures_thread(kind))
        return fmax(tally_line_get(line, "warp_instructions") - tally_line_get(line, "thread_instructions") / 32, 0);
    double waste = amount_of(line, kind) - least_of(kind, line) * tally_line_get(line, kind->requests);
    return kind->best[0] != '\0' ? fmax(waste, 0) : 0;
}

/* Did the lanes of the line's worst request touch neighbouring words, that only begin within a sector? */
static bool is_misaligned(const struct kind *kind, const struct tally_line *line)
{
    const struct tally_request *worst = &line->worst;
    int64_t first = INT64_MAX, last = 0;
    int lanes = 0;
    if (!measures_sectors(kind) || !shows_worst(kind, line))
        return false;
    for (int lane = 0; lane < 32; lane++) {
        int64_t offset = worst->offset[lane];
        if (offset < 0)
            continue;
        for (int other = 0; other < lane; other++)
            if (worst->offset[other] == offset)
                return false;
        lanes++;
        first = offset < first ? offset : first;
        last = offset > last ? offset : last;
    }
    return lanes > 1 && last - first == (int64_t)(lanes - 1) * worst->bytes && first % 32 != 0
           && worst->units == (lanes * worst->bytes + 31) / 32 + 1;
}

/* Adds ", line 5: 3126" for each line that has as much as the worst one. Returns how many. */
static int add_others(const struct kind *kind, const struct tally *tally, const struct tally_line *worst, char *text,
                      size_t text_bytes)
{
    int others = 0;
    for (int i = 0; i < tally->line_count; i++) {
        const struct tally_line *line = &tally->lines[i];
        size_t used = strlen(text);
        if (line == worst || line->line <= 0 || amount_of(line, kind) < AS_MUCH * amount_of(worst, kind))
            continue;
        if (others++ < OTHERS)
            snprintf(text + used, text_bytes - used, ", line %d: %.0f", line->line, tally_line_get(line, kind->requests));
    }
    return others;
}

static const char *describe(const struct kind *kind, const struct tally *tally, const struct tally *reference,
                            const struct tally_line *line, double total, char *text, size_t text_bytes)
{
    double amount = amount_of(line, kind), requests = tally_line_get(line, kind->requests);
    double each = amount / requests, warps = tally_line_get(line, "warp_instructions");
    double lanes = warps > 0 ? tally_line_get(line, "thread_instructions") / warps : 32;
    if (strcmp(kind->unit, "bytes") == 0) {
        bool is_waited_for = strcmp(kind->metric, "async_exposed_bytes") == 0;
        snprintf(text, text_bytes,
                 is_waited_for ? "line %d: %.0f bytes arrive with its copies, and %.0f of them are only waited for"
                               : "line %d: %.0f bytes arrive with its copies",
                 line->line, requests, amount);
        return "";
    }
    if (kind->least == 0) {
        snprintf(text, text_bytes, "line %d executes %.*f %% of the instructions, with %.1f of 32 lanes active", line->line,
                 amount < 0.1 * total, 100 * amount / total, lanes);
        return "";
    }
    snprintf(text, text_bytes, "line %d: %.0f warp %s", line->line, requests, kind->what);
    size_t used = strlen(text);
    if (is_misaligned(kind, line) && each <= least_of(kind, line) + 1) {
        snprintf(
            text + used, text_bytes - used,
            ", %.3g sectors each: the %s of a warp are neighbours, but begin within a sector, so they reach into one more",
            each, small_bytes_of(kind, line) < 4 ? "elements" : "words");
        return "misaligned";
    }
    if (kind->best[0] != '\0' && each > least_of(kind, line)) {
        if (small_bytes_of(kind, line) == 1)
            snprintf(text + used, text_bytes - used, ", %.3g %s each; 32 neighbouring bytes fit in 1", each, kind->unit);
        else if (small_bytes_of(kind, line) == 2)
            snprintf(text + used, text_bytes - used, ", %.3g %s each; 32 neighbours of 2 bytes fit in 2", each, kind->unit);
        else
            snprintf(text + used, text_bytes - used, ", %.3g %s each; %s", each, kind->unit, kind->best);
        return "";
    }
    bool even = lanes >= FEW_LANES && measures_sectors(kind);
    int others = even ? add_others(kind, tally, line, text, text_bytes) : 0;
    double solution = reference && reference->present ? tally_get(reference, kind->requests) : NAN;
    used = strlen(text);
    double all = tally_get(tally, kind->requests);
    if (even && !isnan(solution) && solution < all && all > requests)
        snprintf(
            text + used, text_bytes - used,
            "; with all lines, the kernels have %.0f, and the reference solution %.0f. None takes more than it needs, so "
            "it is their number that counts",
            all, solution);
    else if (even && !isnan(solution) && solution < all)
        snprintf(text + used, text_bytes - used,
                 "; the reference solution has %.0f. None takes more than it needs, so it is their number that counts",
                 solution);
    else if (even)
        snprintf(text + used, text_bytes - used,
                 "%s%.0f %% of all %s; none takes more than it needs, so it is their number that counts",
                 others > 0 ? "; the first is " : ", ", 100 * amount / total, kind->unit);
    else
        snprintf(text + used, text_bytes - used, ", %.0f %% of all %s", 100 * amount / total, kind->unit);
    used = strlen(text);
    if (lanes < FEW_LANES && strcmp(kind->unit, "requests") == 0)
        snprintf(text + used, text_bytes - used,
                 ". In the instructions of this line, %.1f of 32 lanes are active on average: a request costs as much when "
                 "all take part",
                 lanes);
    return even ? "repeated" : "";
}

/* By how much there is more of a kind than in the reference solution. */
static double excess_of(const struct kind *kind, const struct tally *tally, const struct tally *reference)
{
    return tally_get(tally, kind->counter) - tally_get(reference, kind->counter);
}

/* Of the kinds that add to the metric, the one of which there is most more than in the reference; NULL: unknown, any. */
static const struct kind *find_kind(const char *metric, const struct tally *tally, const struct tally *reference)
{
    const struct kind *found = NULL;
    double most = 0;
    for (int i = 0; i < KIND_COUNT && reference && reference->present; i++)
        if (strcmp(kinds[i].metric, metric) == 0 && excess_of(&kinds[i], tally, reference) > most) {
            most = excess_of(&kinds[i], tally, reference);
            found = &kinds[i];
        }
    return found;
}

/* A line wastes something worth naming from this part of all on. */
static const double MUCH = 0.05;

const struct tally_line *budget_place(const char *metric, const struct tally *tally, const struct tally *reference,
                                      const char **pattern, char *text, size_t text_bytes)
{
    const struct kind *chosen = find_kind(metric, tally, reference), *kind_of[2] = {NULL, NULL};
    const struct tally_line *line_of[2] = {NULL, NULL}; /* that takes most; that wastes most */
    double most[2] = {0, 0}, total = 0;
    *pattern = "";
    for (int i = 0; i < KIND_COUNT; i++)
        for (int k = 0; k < tally->line_count && strcmp(kinds[i].metric, metric) == 0; k++) {
            const struct tally_line *line = &tally->lines[k];
            double of[2] = {amount_of(line, &kinds[i]), waste_of(&kinds[i], line)};
            total += of[0];
            for (int which = 0; which < 2; which++)
                if (of[which] > most[which] && line->line > 0 && (!chosen || chosen == &kinds[i])) {
                    most[which] = of[which];
                    line_of[which] = line;
                    kind_of[which] = &kinds[i];
                }
        }
    int which = most[1] > (kind_of[1] && measures_thread(kind_of[1]) ? 0 : MUCH * total) ? 1 : 0;
    if (line_of[which])
        *pattern = describe(kind_of[which], tally, reference, line_of[which], total, text, text_bytes);
    return line_of[which];
}
