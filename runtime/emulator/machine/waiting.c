#include "runtime/emulator/machine/waiting.h"

#include <stdio.h>
#include <string.h>

#include "runtime/emulator/machine/cluster.h"
#include "runtime/emulator/machine/device_work.h"
#include "runtime/emulator/machine/mbarrier.h"
#include "runtime/emulator/machine/passing.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/roles.h"
#include "runtime/emulator/machine/turn.h"
#include "runtime/emulator/machine/words.h"
#include "runtime/emulator/machine/work.h"
#include "runtime/language/demangle.h"

enum { MAX_EXITS = 3, TEXT = 160 }; /* how many lines at which threads left are reported */

static const char *plural(uint32_t count)
{
    return count == 1 ? "" : "s";
}

/* "(40,0,0)" */
static const char *thread_name(const struct warp *warp, unsigned lane, char text[40])
{
    snprintf(text, 40, "(%u,%u,%u)", warp->tid[0][lane], warp->tid[1][lane], warp->tid[2][lane]);
    return text;
}

static void fail(struct launch *launch, const struct finding *finding)
{
    finding_collect(launch->findings, finding);
    launch_raise(launch, LAUNCH_FAILED);
}

/* ---- threads that wait ---- */

struct waiting waiting_at(struct block *block, struct launch *launch, uint32_t number)
{
    struct waiting waiting = {.threads = block->barriers[number].waiting, .asked = block->barriers[number].asked};
    int other_line = 0;
    FOR_WAITING(block, launch, number, warp, fragment)
    {
        struct place place = place_of(launch, fragment->at);
        bool elsewhere = waiting.at && fragment->at != waiting.at && (place.line != waiting.place.line || !place.line);
        unsigned lane = (unsigned)__builtin_ctz(fragment->mask);
        bool lower = waiting.at && !elsewhere
                     && (warp->index < waiting.warp->index || (warp == waiting.warp && lane < waiting.lane));
        if (lower) { /* the first is that with the lowest number, not the one that came first */
            waiting.warp = warp;
            waiting.lane = lane;
        }
        if (!waiting.at) {
            waiting.at = fragment->at;
            waiting.place = place;
            waiting.warp = warp;
            waiting.lane = lane;
        } else if (elsewhere && !waiting.other_at) {
            waiting.other_at = fragment->at;
            waiting.other_warp = warp;
            waiting.other_lane = lane;
            other_line = place.line;
        }
        if (elsewhere && place.line == other_line)
            waiting.other_threads += (uint32_t)__builtin_popcount(fragment->mask);
        else if (!elsewhere)
            waiting.first_threads += (uint32_t)__builtin_popcount(fragment->mask);
    }
    return waiting;
}

void waiting_report_mismatch(struct launch *launch, const struct waiting *waiting)
{
    struct finding finding;
    char first[40], other[40];
    launch_finding(waiting->warp, waiting->at, waiting->lane, FINDING_barrier_mismatch, &finding);
    place_describe_second(launch, waiting->other_at, &finding);
    finding_text(&finding,
                 "%u thread%s wait%s at the barrier at %s (the first is %s), %u at the barrier at %s "
                 "(the first is %s)",
                 waiting->first_threads, plural(waiting->first_threads), waiting->first_threads == 1 ? "s" : "",
                 finding.where, thread_name(waiting->warp, waiting->lane, first), waiting->other_threads, finding.where2,
                 thread_name(waiting->other_warp, waiting->other_lane, other));
    fail(launch, &finding);
}

/* ---- threads that have left ---- */

struct leaving {                /* threads that left at one line */
    const struct operation *at; /* the branch that skipped what follows, or the exit */
    struct warp *warp;
    unsigned lane; /* of the first */
    uint32_t threads;
    int line;
};

/* Groups the threads that have left by line. Returns how many groups: MAX_EXITS at most, the last holds all others. */
static unsigned list_leaving(struct block *block, const struct launch *launch, struct leaving list[MAX_EXITS])
{
    unsigned count = 0;
    for (uint32_t i = 0; i < launch->threads_per_block; i++) {
        struct warp *warp = &block->warps[i / WARP_LANES];
        unsigned lane = i % WARP_LANES, group = 0;
        if (warp->live >> lane & 1)
            continue;
        const struct operation *at = warp->exit_branch[lane] ? warp->exit_branch[lane] : warp->exit_at[lane];
        int line = at ? place_of(launch, at).line : 0;
        while (group < count && group < MAX_EXITS - 1 && list[group].line != line)
            group++;
        if (group == count)
            list[count++] = (struct leaving){.at = at, .warp = warp, .lane = lane, .line = line};
        list[group].threads++;
    }
    return count;
}

/* "24 threads left at line 6 (the first is (40,0,0))" for each line. Returns the text. */
static const char *leaving_words(const struct leaving *list, unsigned count, char text[TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < count && used < TEXT; i++) {
        char name[40], where[WHERE_BYTES];
        used += (size_t)snprintf(text + used, TEXT - used, "%s%u thread%s%s left at %s (%s%s)", i ? ", " : "",
                                 list[i].threads, plural(list[i].threads), i ? "" : " of the block",
                                 place_words(list[i].warp->launch, list[i].at, where),
                                 list[i].threads == 1 ? "" : "the first is ", thread_name(list[i].warp, list[i].lane, name));
    }
    return text;
}

/* Threads that have left without the barrier, but not before it: they went around it and did what comes after it. Within a
 * warp that is an error; of whole warps it is an early exit, which GPUs allow. Returns false where there is none. */
static bool report_gone_around(struct block *block, struct launch *launch, const struct waiting *waiting)
{
    const struct operation *branch = NULL, *on = NULL;
    struct finding finding;
    char first[40], waiter[40], where[WHERE_BYTES];
    uint32_t count = 0;
    bool diverged = false;
    for (uint32_t i = 0; i < launch->threads_per_block; i++) {
        const struct warp *warp = &block->warps[i / WARP_LANES];
        unsigned lane = i % WARP_LANES;
        bool may_have = !(warp->live >> lane & 1) && !block->mismatched;
        const struct operation *went = may_have ? passing_went_on(warp, lane, waiting->at) : NULL;
        if (went && (!on || (!diverged && warp->live))) {
            on = went;
            branch = warp->exit_branch[lane];
            thread_name(warp, lane, first);
        }
        diverged |= went && warp->live;
        count += went != NULL;
    }
    if (!on)
        return false;
    if (!diverged && block->early_exit_reported)
        return true;
    launch_finding(waiting->warp, waiting->at, waiting->lane, diverged ? FINDING_barrier_divergent : FINDING_early_exit,
                   &finding);
    place_describe_second(launch, on, &finding);
    bool at_branch = branch != on && place_of(launch, branch).line > 0;
    finding_text(
        &finding, "%u thread%s wait%s at the barrier at %s (the first is %s), %u went around it%s%s and on to %s (%s is %s)",
        waiting->threads, plural(waiting->threads), waiting->threads == 1 ? "s" : "", finding.where,
        thread_name(waiting->warp, waiting->lane, waiter), count, at_branch ? " at " : "",
        at_branch ? place_words(launch, branch, where) : "", finding.where2, diverged ? "one of them" : "the first", first);
    finding.count = count;
    finding.hint = "Which condition decides that a thread reaches this barrier? Can the barrier follow it, for all "
                   "threads?";
    finding_collect(launch->findings, &finding);
    block->early_exit_reported = true;
    return true;
}

void waiting_report_early_exit(struct block *block, struct launch *launch, const struct waiting *waiting)
{
    block->live_judged = block->live_threads;
    if (report_gone_around(block, launch, waiting) || block->early_exit_reported)
        return;
    struct leaving list[MAX_EXITS];
    struct finding finding;
    char text[TEXT], others[40];
    unsigned count = list_leaving(block, launch, list);
    if (!count)
        return;
    launch_finding(list[0].warp, list[0].at, list[0].lane, FINDING_early_exit, &finding);
    place_describe_second(launch, waiting->at, &finding);
    finding.count = launch->threads_per_block - block->live_threads;
    snprintf(others, sizeof others, block->live_threads == 1 ? "only one goes" : "the other %u go", block->live_threads);
    finding_text(&finding, "%s; %s on to the barrier at %s without %s", leaving_words(list, count, text), others,
                 finding.where2, finding.count == 1 ? "it" : "them");
    finding_collect(launch->findings, &finding);
    block->early_exit_reported = true;
}

/* ---- no thread can move ---- */

void waiting_report_deadlock(struct block *block, struct launch *launch)
{
    struct waiting first = {0}, second = {0};
    uint32_t number = 0, other = 0;
    for (uint32_t i = 0; i < BARRIER_COUNT; i++) {
        struct waiting waiting = waiting_at(block, launch, i);
        if (!waiting.at)
            continue;
        if (!first.at) {
            first = waiting;
            number = i;
        } else if (!second.at) {
            second = waiting;
            other = i;
        }
    }
    if (!first.at)
        return;
    struct finding finding;
    char first_name[40], second_name[40], text[TEXT];
    launch_finding(first.warp, first.at, first.lane, FINDING_deadlock, &finding);
    thread_name(first.warp, first.lane, first_name);
    if (second.at) {
        place_describe_second(launch, second.at, &finding);
        finding_text(&finding,
                     "%u threads wait at barrier %u (%s, the first is %s) and %u at barrier %u (%s, "
                     "the first is %s): neither can complete",
                     first.threads, number, finding.where, first_name, second.threads, other, finding.where2,
                     thread_name(second.warp, second.lane, second_name));
        fail(launch, &finding);
        return;
    }
    struct leaving list[MAX_EXITS];
    unsigned count = list_leaving(block, launch, list);
    if (count)
        place_describe_second(launch, list[0].at, &finding);
    finding_text(&finding,
                 "%u threads wait at barrier %u (%s, the first is %s), which expects %u; no other thread "
                 "can arrive%s%s",
                 first.threads, number, finding.where, first_name, first.asked ? first.asked : block->live_threads,
                 count ? ": " : "", leaving_words(list, count, text));
    fail(launch, &finding);
}

/* A fragment that could continue, for "which loop runs". NULL when none has begun. */
static const struct fragment *running_fragment(struct block *block, struct launch *launch, struct warp **owner)
{
    if (launch->spender && launch->spender->block == block) {
        *owner = launch->spender;
        return launch->spent_at;
    }
    for (uint32_t i = 0; i < launch->warps_per_block; i++)
        for (uint32_t rest = block->warps[i].ready; rest; rest &= rest - 1) {
            const struct fragment *fragment = &block->warps[i].fragments[__builtin_ctz(rest)];
            *owner = &block->warps[i];
            if (fragment->at != launch->code->operations)
                return fragment;
        }
    return NULL;
}

void waiting_report_stuck(struct block *block, struct launch *launch, uint64_t not_begun)
{
    struct warp *warp;
    const struct fragment *fragment = running_fragment(block, launch, &warp);
    if (!fragment)
        return;
    struct finding finding;
    launch_finding(warp, fragment->at, (unsigned)__builtin_ctz(fragment->mask), FINDING_deadlock, &finding);
    finding_text(&finding,
                 "the loop at %s waits for another block, but %llu block%s cannot begin until a running one ends: "
                 "blocks run in no defined order",
                 finding.where, (unsigned long long)not_begun, not_begun == 1 ? "" : "s");
    finding_collect(launch->findings, &finding);
    launch_abort(launch, LAUNCH_TIMEOUT);
}

/* The jump back that closes the innermost loop around an operation: it is at the loop's own line, the operation anywhere
 * inside. Where there is none, or its line is unknown: the operation. */
static const struct operation *find_loop(const struct launch *launch, const struct operation *at)
{
    const struct code *code = program_code_of(launch->request->function->program, at); /* a function's, perhaps */
    for (const struct operation *jump = at; code && jump < code->operations + code->operation_count; jump++) {
        bool jumps = jump->handler == HANDLER_branch || jump->handler == HANDLER_jump;
        if (jumps && jump->target <= at && jump->target >= code->operations)
            return place_of(launch, jump).line > 0 ? jump : at;
    }
    return at;
}

/* Does the loop around an operation look at memory that others can write to: of any kind, without storing anything itself; of
 * the device; of one allocation? */
enum looked_at { LOOKED_ANY, LOOKED_DEVICE, LOOKED_GRID_BARRIER };

static bool loop_looks_at(const struct launch *launch, const struct operation *at, enum looked_at what)
{
    const struct code *code = launch->code;
    if (at < code->operations || at >= code->operations + code->operation_count)
        return what != LOOKED_GRID_BARRIER; /* in a function that is called: not known */
    const struct operation *jump = at;
    while (jump < code->operations + code->operation_count
           && !((jump->handler == HANDLER_branch || jump->handler == HANDLER_jump) && jump->target <= at
                && jump->target >= code->operations))
        jump++;
    if (jump == code->operations + code->operation_count)
        return false;
    for (const struct operation *in = jump->target; in <= jump && what == LOOKED_ANY; in++)
        if (operation_is(in, ROLE_REQUEST) && in->site->access == SITE_STORE) /* it does more than to wait */
            return false;
    for (const struct operation *in = jump->target; in <= jump; in++) {
        if (!operation_is(in, ROLE_REQUEST) || in->site->space == SITE_LOCAL || in->site->access == SITE_STORE)
            continue;
        if (what == LOOKED_ANY || (what == LOOKED_DEVICE && in->site->allocation)
            || (what == LOOKED_GRID_BARRIER && launch->grid_barrier && in->site->allocation == launch->grid_barrier))
            return true;
    }
    return false;
}

/* A fragment of the block that waits for other blocks in grid.sync(); NULL: none does. */
static const struct fragment *at_grid_barrier(const struct launch *launch, struct block *block, struct warp **owner)
{
    for (uint32_t i = 0; block->running && i < launch->warps_per_block; i++)
        for (uint32_t rest = block->warps[i].ready; rest; rest &= rest - 1) {
            const struct fragment *fragment = &block->warps[i].fragments[__builtin_ctz(rest)];
            *owner = &block->warps[i];
            if (loop_looks_at(launch, fragment->at, LOOKED_GRID_BARRIER))
                return fragment;
        }
    return NULL;
}

/* "block (1,0,0) has ended without it" of the first block that does not wait in grid.sync(). */
static void missing_block_words(struct launch *launch, uint64_t missing, char text[TEXT])
{
    const uint32_t *grid = launch->request->grid;
    struct warp *ignored;
    for (uint64_t linear = 0; linear < launch->blocks; linear++) {
        struct block *block = NULL;
        for (uint64_t slot = 0; slot < launch->slots && !block; slot++)
            if (launch->resident[slot].running && launch->resident[slot].linear == linear)
                block = &launch->resident[slot];
        if (block && at_grid_barrier(launch, block, &ignored))
            continue;
        size_t used = (size_t)snprintf(text, TEXT, "block (%u,%u,%u) %s", (unsigned)(linear % grid[0]),
                                       (unsigned)(linear / grid[0] % grid[1]), (unsigned)(linear / grid[0] / grid[1]),
                                       block ? "does not come to it" : "has ended without it");
        if (missing > 1)
            snprintf(text + used, TEXT - used, ", as %llu other%s", (unsigned long long)(missing - 1),
                     missing == 2 ? " has" : "s have");
        return;
    }
}

/* Blocks wait in grid.sync() for blocks that do not come to it. Returns false where that is not so. */
static bool report_grid_barrier(struct launch *launch)
{
    const struct fragment *first = NULL;
    struct warp *first_warp = NULL;
    uint64_t waiting = 0;
    for (uint64_t slot = 0; launch->grid_barrier && slot < launch->slots; slot++) {
        struct warp *warp;
        const struct fragment *fragment = at_grid_barrier(launch, &launch->resident[slot], &warp);
        if (fragment && (!first || launch->resident[slot].linear < first_warp->block->linear)) {
            first = fragment;
            first_warp = warp;
        }
        waiting += fragment != NULL;
    }
    if (!first || waiting == launch->blocks)
        return false;
    struct finding finding;
    char text[TEXT];
    launch_finding(first_warp, first->at, (unsigned)__builtin_ctz(first->mask), FINDING_barrier_divergent, &finding);
    missing_block_words(launch, launch->blocks - waiting, text);
    finding_text(
        &finding,
        "%llu block%s wait%s at grid.sync() at %s (the first is (%u,%u,%u)), which all %llu blocks of the grid must "
        "reach: %s",
        (unsigned long long)waiting, waiting == 1 ? "" : "s", waiting == 1 ? "s" : "", finding.where,
        first_warp->block->index[0], first_warp->block->index[1], first_warp->block->index[2],
        (unsigned long long)launch->blocks, text);
    finding.hint = "Which blocks come to grid.sync(), and which condition keeps the others away from it?";
    finding_collect(launch->findings, &finding);
    return true;
}

/* Begins the finding about a loop: of the thread whose operations were noted, where there is one. */
static void describe_loop(struct launch *launch, const struct warp *warp, const struct fragment *fragment, bool proven,
                          struct finding *finding)
{
    const struct operation *at = fragment->at, *noted = turn_latest(launch);
    unsigned lane = (unsigned)__builtin_ctz(fragment->mask);
    if (noted) {
        warp = launch->turn.warp;
        at = noted;
        lane = launch->turn.lane;
    }
    launch_finding(warp, find_loop(launch, at), lane, FINDING_fuel, finding);
    if (noted && launch->words)
        launch->words->loop(launch, proven, finding);
}

/* The second line of a finding: that of the loop in which the thread stays, where the source shows it, and why it stays, where
 * that is sure. */
static void take_loop_line(struct launch *launch, const struct warp *warp, const struct fragment *loop,
                           struct finding *finding, char why[REMARK_BYTES])
{
    struct finding found;
    if (launch->turn.warp != warp)
        return;
    describe_loop(launch, warp, loop, false, &found);
    if (found.pattern && strcmp(found.pattern, "narrow") == 0) {
        finding->pattern = found.pattern;
        snprintf(finding->array, sizeof finding->array, "%s", found.array);
        snprintf(why, REMARK_BYTES, ": %.390s", found.remark);
    }
    if (found.line <= 0 || found.line == finding->line)
        return;
    snprintf(finding->file2, sizeof finding->file2, "%s", found.file);
    snprintf(finding->where2, sizeof finding->where2, "%s", found.where);
    finding->line2 = found.line;
}

static void report_divergent(struct launch *launch, const struct waiting *waiting, const struct warp *loop_warp,
                             const struct fragment *loop)
{
    struct finding finding;
    char waiter[40], looper[40], why[REMARK_BYTES] = "";
    launch_finding(waiting->warp, waiting->at, waiting->lane, FINDING_barrier_divergent, &finding);
    place_describe_second(launch, find_loop(launch, loop->at), &finding);
    take_loop_line(launch, loop_warp, loop, &finding, why);
    finding_text(&finding,
                 "%u thread%s wait%s at the barrier at %s (the first is %s), others stay in the loop at %s "
                 "(the first is %s)%s",
                 waiting->threads, plural(waiting->threads), waiting->threads == 1 ? "s" : "", finding.where,
                 thread_name(waiting->warp, waiting->lane, waiter), finding.where2,
                 thread_name(loop_warp, (unsigned)__builtin_ctz(loop->mask), looper), why);
    finding_collect(launch->findings, &finding);
}

/* Work that is spent says nothing about the loop that happens to run: all blocks share it. But a `continue` that skips the
 * only step is a mistake of this loop, however much work the others have cost. */
static void describe_work(struct finding *finding)
{
    bool skips = finding->pattern && strcmp(finding->pattern, "continue") == 0;
    finding->pattern = skips ? finding->pattern : "work";
    finding->line2 = skips ? finding->line2 : 0;
    finding_text(
        finding,
        "stopped at %s, when the run had cost as much work as %llu million warp instructions: that is all that it may cost%s%s",
        finding->where, (unsigned long long)(work_granted / 1000000), skips ? "; " : "", skips ? finding->remark : "");
}

/* A kernel that the grid has launched, and for which its loop may wait. */
static void add_launched(const struct launch *launch, struct finding *finding)
{
    const struct device_works *works = launch->device_works;
    const struct device_work *work = works ? works->first : NULL;
    while (work && work->kind != DEVICE_LAUNCH)
        work = work->next;
    if (!work)
        work = works ? works->tail : NULL;
    if (!work || work->kind != DEVICE_LAUNCH)
        return;
    char name[sizeof finding->kernel];
    size_t used = strlen(finding->message);
    demangle_function(work->request.function->name, name, sizeof name);
    snprintf(
        finding->message + used, sizeof finding->message - used,
        ". Kernel %s, which this grid has launched, has not begun: here it begins when the grid has ended, and CUDA does "
        "not promise that it ever runs beside the grid that launched it. %s",
        name, work->origin);
    finding->hint = "Could what comes after the loop be a kernel of its own, in the tail stream (cudaStreamTailLaunch)?";
}

void waiting_report_fuel(struct block *block, struct launch *launch)
{
    struct warp *loop_warp;
    if (report_grid_barrier(launch) || mbarrier_report_stuck(block, launch))
        return;
    const struct fragment *fragment = running_fragment(block, launch, &loop_warp);
    if (!fragment)
        return;
    struct waiting waiting = {0};
    for (uint32_t number = 0; number < BARRIER_COUNT && !waiting.at; number++)
        waiting = waiting_at(block, launch, number);
    if (waiting.at && !work_is_spent()) {
        report_divergent(launch, &waiting, loop_warp, fragment);
        return;
    }
    struct finding finding;
    bool proven = launch->fuel > 0 && !work_is_spent();
    describe_loop(launch, loop_warp, fragment, proven, &finding);
    const char *between = finding.remark[0] ? ": " : "";
    if (work_is_spent())
        describe_work(&finding);
    else if (proven && !finding.remark[0])
        finding_text(&finding,
                     loop_looks_at(launch, fragment->at, LOOKED_ANY)
                         ? "the loop at %s never ends: it waits for a change, and no thread changes anything any more"
                         : "the loop at %s never ends: nothing that its condition depends on changes any more",
                     finding.where);
    else if (proven)
        finding_text(&finding, "the loop at %s never ends: %s", finding.where, finding.remark);
    else
        finding_text(&finding, "the loop at %s still runs after %s%.3g million warp instructions%s%s", finding.where,
                     launch->fuel_of_copies ? "as much work as " : "", (double)launch->fuel_limit / 1e6, between,
                     finding.remark);
    finding.remark[0] = '\0';
    if (!work_is_spent() && loop_looks_at(launch, fragment->at, LOOKED_ANY))
        add_launched(launch, &finding);
    finding_collect(launch->findings, &finding);
}

void waiting_report_endless(struct launch *launch, uint64_t not_begun)
{
    if (cluster_report_stuck(launch)) {
        launch_abort(launch, LAUNCH_TIMEOUT);
        return;
    }
    for (uint64_t slot = 0; slot < launch->slots && !launch->aborted; slot++) {
        struct block *block = &launch->resident[slot];
        struct warp *warp;
        const struct fragment *fragment = block->running ? running_fragment(block, launch, &warp) : NULL;
        if (!fragment)
            continue;
        if (not_begun && loop_looks_at(launch, fragment->at, LOOKED_DEVICE))
            waiting_report_stuck(block, launch, not_begun);
        else
            waiting_report_fuel(block, launch);
        launch_abort(launch, LAUNCH_TIMEOUT);
    }
}

void waiting_report_work(struct launch *launch, uint64_t finished)
{
    struct finding finding = {.code = FINDING_fuel, .severity = SEVERITY_ERROR, .count = 1, .pattern = "work"};
    demangle_function(launch->request->function->name, finding.kernel, sizeof finding.kernel);
    finding_text(
        &finding,
        "stopped after %llu of %llu blocks, when the run had cost as much work as %llu million warp instructions: that is all that it may cost",
        (unsigned long long)finished, (unsigned long long)launch->blocks, (unsigned long long)(work_granted / 1000000));
    finding_collect(launch->findings, &finding);
    launch_abort(launch, LAUNCH_TIMEOUT);
}

/* ---- masks ---- */

/* Where a lane is that cannot arrive: "has left the kernel at line 12". Sets the finding's second line. */
static const char *absence(const struct warp *warp, const struct operation *around, unsigned lane, struct finding *finding,
                           char text[TEXT])
{
    const struct launch *launch = warp->launch;
    uint32_t threads = launch->threads_per_block;
    if (warp->index * WARP_LANES + lane >= threads) {
        snprintf(text, TEXT, "does not exist: the block has %u threads", threads);
        return text;
    }
    const struct operation *at = NULL;
    if (!(warp->live >> lane & 1))
        at = warp->exit_branch[lane] ? warp->exit_branch[lane] : warp->exit_at[lane];
    for (uint32_t rest = warp->at_barrier | warp->at_warp_barrier; rest && !at; rest &= rest - 1)
        if (warp->fragments[__builtin_ctz(rest)].mask >> lane & 1)
            at = warp->fragments[__builtin_ctz(rest)].at;
    const char *what = warp->live >> lane & 1 ? at ? "waits" : "is elsewhere and cannot arrive" : "has left the kernel";
    bool may_go = warp->live >> lane & 1 || around->handler == HANDLER_matrix_gather;
    const struct operation *on = may_go ? NULL : passing_went_on(warp, lane, around);
    if (on) {
        place_describe_second(launch, on, finding);
        snprintf(text, TEXT, "went around it and on to %s", finding->where2);
    } else if (at) {
        place_describe_second(launch, at, finding);
        snprintf(text, TEXT, "%s at %s", what, finding->where2);
    } else {
        snprintf(text, TEXT, "%s", what);
    }
    return text;
}

void waiting_report_mask(struct warp *warp, const struct operation *at, uint32_t lanes, uint32_t members)
{
    struct finding finding;
    char text[TEXT];
    uint32_t left_out = lanes & ~members, missing = members & ~lanes;
    launch_finding(warp, at, (unsigned)__builtin_ctz(left_out ? left_out : lanes), FINDING_sync_mask, &finding);
    if (missing & warp->live) /* it is these that are waited for */
        missing &= warp->live;
    unsigned lane = (unsigned)__builtin_ctz(left_out ? left_out : missing ? missing : lanes);
    if (at->handler == HANDLER_matrix_gather)
        finding_text(&finding, "this needs all 32 lanes of a warp; lane %u %s", lane,
                     absence(warp, at, lane, &finding, text));
    else if (left_out) {
        finding.pattern = "unnamed";
        finding_text(&finding, "the mask 0x%08x leaves out lane %u, which executes this line", members, lane);
    } else
        finding_text(&finding, "the mask 0x%08x names lane %u, which %s", members, lane,
                     absence(warp, at, lane, &finding, text));
    fail(warp->launch, &finding);
}

void waiting_report_tile(struct warp *warp, const struct operation *at, unsigned lane, bool stride)
{
    struct finding finding;
    launch_finding(warp, at, lane, FINDING_sync_mask, &finding);
    finding.pattern = "tile";
    finding.hint = stride ? "What is the stride made of, and which part of it differs between the lanes of a warp?"
                          : "What is the address made of, and which part of it differs between the lanes of a warp?";
    finding_text(&finding,
                 "the 32 lanes of a warp load or store one tile together, with one address and one stride for all of them; "
                 "lane %u hands over another %s than lane 0",
                 lane, stride ? "stride" : "address");
    fail(warp->launch, &finding);
}

void waiting_report_gone_around(struct warp *warp, const struct operation *at, uint32_t members, unsigned lane)
{
    struct finding finding;
    char text[TEXT];
    launch_finding(warp, at, (unsigned)__builtin_ctz(warp->mask), FINDING_sync_mask, &finding);
    finding_text(&finding, "the mask 0x%08x names lane %u, which %s", members, lane,
                 absence(warp, at, lane, &finding, text));
    finding_collect(warp->launch->findings, &finding);
}
