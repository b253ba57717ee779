#include "runtime/emulator/machine/waiting.h"

#include <stdio.h>
#include <string.h>

#include "runtime/emulator/machine/mbarrier.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"

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
        if (!waiting.at) {
            waiting.at = fragment->at;
            waiting.place = place;
            waiting.warp = warp;
            waiting.lane = (unsigned)__builtin_ctz(fragment->mask);
        } else if (elsewhere && !waiting.other_at) {
            waiting.other_at = fragment->at;
            waiting.other_warp = warp;
            waiting.other_lane = (unsigned)__builtin_ctz(fragment->mask);
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

void waiting_report_early_exit(struct block *block, struct launch *launch, const struct waiting *waiting)
{
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

static void report_divergent(struct launch *launch, const struct waiting *waiting, const struct warp *loop_warp,
                             const struct fragment *loop)
{
    struct finding finding;
    char waiter[40], looper[40];
    launch_finding(waiting->warp, waiting->at, waiting->lane, FINDING_barrier_divergent, &finding);
    place_describe_second(launch, find_loop(launch, loop->at), &finding);
    finding_text(&finding,
                 "%u threads wait at the barrier at %s (the first is %s), others stay in the loop at %s "
                 "(the first is %s)",
                 waiting->threads, finding.where, thread_name(waiting->warp, waiting->lane, waiter), finding.where2,
                 thread_name(loop_warp, (unsigned)__builtin_ctz(loop->mask), looper));
    finding_collect(launch->findings, &finding);
}

void waiting_report_fuel(struct block *block, struct launch *launch)
{
    struct warp *loop_warp;
    if (mbarrier_report_stuck(block, launch))
        return;
    const struct fragment *fragment = running_fragment(block, launch, &loop_warp);
    if (!fragment)
        return;
    struct waiting waiting = {0};
    for (uint32_t number = 0; number < BARRIER_COUNT && !waiting.at; number++)
        waiting = waiting_at(block, launch, number);
    if (waiting.at) {
        report_divergent(launch, &waiting, loop_warp, fragment);
        return;
    }
    struct finding finding;
    launch_finding(loop_warp, find_loop(launch, fragment->at), (unsigned)__builtin_ctz(fragment->mask), FINDING_fuel,
                   &finding);
    finding_text(&finding, "the loop at %s still runs after %lld million warp instructions", finding.where,
                 (long long)(launch->fuel_limit / 1000000));
    finding_collect(launch->findings, &finding);
}

/* ---- masks ---- */

/* Where a lane is that cannot arrive: "has left the kernel at line 12". Sets the finding's second line. */
static const char *absence(const struct warp *warp, unsigned lane, struct finding *finding, char text[TEXT])
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
    if (at) {
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
    if (missing & ~warp->live)
        missing &= ~warp->live;
    unsigned lane = (unsigned)__builtin_ctz(left_out ? left_out : missing ? missing : lanes);
    if (at->handler == HANDLER_matrix_gather)
        finding_text(&finding, "this needs all 32 lanes of a warp; lane %u %s", lane, absence(warp, lane, &finding, text));
    else if (left_out)
        finding_text(&finding, "the mask 0x%08x leaves out lane %u, which executes this line", members, lane);
    else
        finding_text(&finding, "the mask 0x%08x names lane %u, which %s", members, lane,
                     absence(warp, lane, &finding, text));
    fail(warp->launch, &finding);
}
