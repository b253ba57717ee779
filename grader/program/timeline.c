#include "grader/program/timeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "runtime/language/demangle.h"

/* Per microsecond, on an H200. Bytes: handouts/host_program.md, "How fast can it be?". Instructions: the schedulers of its 132
 * multiprocessors, 4 each, at 1980 MHz; no kernel is faster. */
static const double pinned_bytes = 55e3, pageable_bytes[] = {[RESULT_TO_DEVICE] = 9.7e3, [RESULT_TO_HOST] = 18e3},
                    warp_instructions = 132 * 4 * 1980;

static bool is_piece(const struct call *call)
{
    return call->result == 0 && (call->to_device > 0 || call->to_host > 0 || call->kind == CALL_launch);
}

static enum result_piece_kind kind_of(const struct call *call)
{
    return call->kind == CALL_launch ? RESULT_KERNEL : call->to_device > 0 ? RESULT_TO_DEVICE : RESULT_TO_HOST;
}

static double duration_us(const struct call *call)
{
    enum result_piece_kind kind = kind_of(call);
    if (kind == RESULT_KERNEL)
        return (double)call->warp_instructions / warp_instructions;
    return (double)(call->to_device + call->to_host) / (call->is_pageable ? pageable_bytes[kind] : pinned_bytes);
}

/* Is that piece of its row among those that are counted? */
static bool counts(const uint64_t (*after)[2], size_t count, const uint64_t piece[2])
{
    for (size_t i = 0; i < count; i++)
        if (after[i][0] == piece[0])
            return after[i][1] >= piece[1];
    return false;
}

/* Are they nodes of one launch of a graph? */
static bool are_nodes(const struct call *one, const struct call *other)
{
    return one->has_branch && other->has_branch && memcmp(one->piece, other->piece, sizeof one->piece) == 0;
}

/* Must the earlier piece have ended before the later one begins? Without a stream, all work is in the order of the calls. */
static bool is_before(const struct call *earlier, const struct call *later)
{
    if (earlier->stream[0] == '\0' || later->stream[0] == '\0')
        return true;
    if (are_nodes(earlier, later))
        return counts(later->branch_after, later->branch_after_count, earlier->branch);
    return counts(later->after, later->after_count, earlier->piece);
}

enum { ROW_BYTES = sizeof((struct call *)NULL)->stream + 32 };

/* What the rows of the timeline are called: a graph has the row of its stream, and one more for each further branch. */
static const char *name_of(const struct call *call, char text[ROW_BYTES])
{
    snprintf(text, ROW_BYTES, "%s", call->stream[0] != '\0' ? call->stream : "the default stream");
    if (call->has_branch && call->branch[0] > 0)
        snprintf(text + strlen(text), 32, ", branch %" PRIu64, call->branch[0] + 1);
    return text;
}

/* Are they in one row? */
static bool share_row(const struct call *one, const struct call *other)
{
    char first[ROW_BYTES], second[ROW_BYTES];
    return strcmp(name_of(one, first), name_of(other, second)) == 0;
}

static struct result_piece describe(const struct call *call)
{
    struct result_piece piece = {.kind = kind_of(call), .line = call->line, .bytes = call->to_device + call->to_host};
    char row[ROW_BYTES];
    snprintf(piece.stream, sizeof piece.stream, "%.*s", (int)sizeof piece.stream - 1, name_of(call, row));
    demangle_function(call->kernel, piece.kernel, sizeof piece.kernel);
    return piece;
}

/* The calls that are pieces, in their order: owned by the caller. */
static const struct call **find_pieces(const struct calls *calls, size_t *count)
{
    const struct call **found = allocate_zeroed((calls->count + 1) * sizeof *found);
    *count = 0;
    for (size_t i = 0; i < calls->count; i++)
        if (is_piece(&calls->list[i]))
            found[(*count)++] = &calls->list[i];
    return found;
}

static void place_pieces(const struct call *const *calls, size_t count, struct result_timeline *timeline)
{
    double free_us[RESULT_PIECE_KINDS] = {0}, host_us = 0;
    timeline->pieces = allocate_zeroed(count * sizeof *timeline->pieces);
    timeline->piece_count = count;
    for (size_t i = 0; i < count; i++) {
        struct result_piece *piece = &timeline->pieces[i];
        *piece = describe(calls[i]);
        double start = free_us[piece->kind] > host_us ? free_us[piece->kind] : host_us, lasts = duration_us(calls[i]);
        for (size_t k = 0; k < i; k++)
            if (timeline->pieces[k].end_us > start && is_before(calls[k], calls[i]))
                start = timeline->pieces[k].end_us;
        piece->start_us = start;
        piece->end_us = free_us[piece->kind] = start + lasts;
        host_us = calls[i]->is_waited_for ? piece->end_us : host_us;
        timeline->us = piece->end_us > timeline->us ? piece->end_us : timeline->us;
        timeline->in_a_row_us += lasts;
    }
}

size_t timeline_draw(const struct calls *calls, const char *the_case, struct result_timeline *timeline)
{
    size_t count;
    const struct call **pieces = find_pieces(calls, &count);
    *timeline = (struct result_timeline){.the_case = NULL};
    if (count > 0 && count <= TIMELINE_MOST && !calls->cut) {
        place_pieces(pieces, count, timeline);
        timeline->the_case = the_case;
    }
    free(pieces);
    return count;
}

/* ---- why nothing runs side by side -------------------------------------------------------------------------------- */

/* A wait of the host, between two pieces, and how often that line waits. NULL: none. */
static const struct call *find_wait(const struct calls *calls, size_t *times)
{
    const struct call *found = NULL;
    bool works = false;
    *times = 0;
    for (size_t i = 0, last = calls->count; i < calls->count; i++) {
        works |= is_piece(&calls->list[i]);
        if (!works || calls->list[i].kind != CALL_wait)
            continue;
        for (last = i; last < calls->count && !is_piece(&calls->list[last]);)
            last++;
        if (last == calls->count)
            break;
        found = found ? found : &calls->list[i];
        *times += calls->list[i].line == found->line;
    }
    return found;
}

static const char *times_of(size_t count, char text[32])
{
    snprintf(text, 32, count == 1 ? "once" : count == 2 ? "twice" : "%zu times", count);
    return text;
}

/* What the pieces have in common. */
struct common {
    const struct call *pageable, *waited_for, *in_default, *first, *widest; /* widest: the copy that moves most */
    size_t launches, pageable_times, waited_times;
    uint64_t bytes; /* of all copies */
    bool one_stream;
};

/* The first kernel that waits for several copies to the device which were issued before it in its stream, since the kernel
 * before it there; how many. NULL: none. */
static const struct call *find_queued(const struct call *const *pieces, size_t count, size_t *copies)
{
    for (size_t i = 0; i < count; i++) {
        *copies = 0;
        for (size_t k = i; k-- > 0 && pieces[i]->kind == CALL_launch;) {
            if (!share_row(pieces[k], pieces[i]))
                continue;
            if (pieces[k]->kind == CALL_launch)
                break;
            *copies += pieces[k]->to_device > 0;
        }
        if (*copies > 1)
            return pieces[i];
    }
    return NULL;
}

static struct common look_at(const struct call *const *pieces, size_t count)
{
    struct common common = {.one_stream = true};
    for (size_t i = 0; i < count; i++) {
        const struct call *call = pieces[i];
        uint64_t moved = call->to_device + call->to_host;
        common.first = common.first ? common.first : call;
        common.launches += call->kind == CALL_launch;
        common.bytes += moved;
        common.one_stream &= share_row(call, common.first);
        if (!common.widest || moved > common.widest->to_device + common.widest->to_host)
            common.widest = call;
        if (call->is_pageable)
            common.pageable = common.pageable ? common.pageable : call;
        else if (call->is_waited_for)
            common.waited_for = common.waited_for ? common.waited_for : call;
        if (strncmp(call->stream, "the default", 11) == 0 && !call->has_branch && !common.in_default)
            common.in_default = call;
    }
    for (size_t i = 0; i < count; i++) {
        common.pageable_times += common.pageable && pieces[i]->is_pageable && pieces[i]->line == common.pageable->line;
        common.waited_times += common.waited_for && pieces[i]->is_waited_for && pieces[i]->line == common.waited_for->line;
    }
    return common;
}

void timeline_explain(const struct calls *calls, char *message, size_t message_bytes, int *line, const char **pattern)
{
    size_t count, waits, copies;
    char times[32], row[ROW_BYTES];
    const struct call **pieces = find_pieces(calls, &count), *wait = find_wait(calls, &waits);
    const struct call *queued = find_queued(pieces, count, &copies);
    struct common common = look_at(pieces, count);
    *line = 0;
    *pattern = "";
    if (count == 0) {
        snprintf(message, message_bytes, "Nothing was copied, and no kernel was launched.");
    } else if (common.launches == 1) {
        *pattern = "one_piece";
        *line = common.widest->line;
        snprintf(message, message_bytes,
                 "There is one launch for the whole array, so no copy can run beside a kernel that works on another piece.");
    } else if (common.pageable) {
        *pattern = "pageable";
        *line = common.pageable->line;
        snprintf(message, message_bytes,
                 "Line %d copies memory of the host that is not pinned, %s. Such a copy is slow, and the host waits for it "
                 "before it goes on.",
                 *line, times_of(common.pageable_times, times));
    } else if (common.waited_for) {
        *pattern = "waits";
        *line = common.waited_for->line;
        snprintf(message, message_bytes,
                 "Line %d copies without Async, %s. The host waits for such a copy before it goes on.", *line,
                 times_of(common.waited_times, times));
    } else if (wait) {
        *pattern = "waits";
        *line = wait->line;
        snprintf(message, message_bytes,
                 "Line %d waits %s before the next piece of work is issued, so the device has nothing else to do meanwhile.",
                 *line, times_of(waits, times));
    } else if (common.one_stream) {
        *pattern = "one_stream";
        *line = common.first->line;
        snprintf(message, message_bytes,
                 "All %zu copies and kernels are in one stream, %s. A stream does its work one piece after the other.",
                 count, common.first->stream[0] != '\0' ? common.first->stream : "the default stream");
    } else if (common.in_default) {
        *pattern = "default_stream";
        *line = common.in_default->line;
        snprintf(message, message_bytes,
                 "Line %d works in the default stream. Work there begins when that of all other streams has ended, and they "
                 "wait for it.",
                 *line);
    } else if (queued) {
        *pattern = "order";
        *line = queued->line;
        snprintf(message, message_bytes,
                 "In %s, %zu copies to the device come before the kernel of line %d, which waits for all of them.",
                 name_of(queued, row), copies, *line);
    } else {
        *pattern = "pieces";
        *line = common.widest->line;
        snprintf(
            message, message_bytes,
            "The largest copy, in line %d, moves %" PRIu64 " of the %" PRIu64
            " bytes. Nothing runs beside the first copy to the device, nor beside the last one back: the timeline shows how "
            "long both are, and where else the device waits.",
            *line, common.widest->to_device + common.widest->to_host, common.bytes);
    }
    free(pieces);
}
