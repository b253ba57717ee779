#include "grader/judge/story_order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/story_values.h"

static bool is_code(const struct result_finding *finding, const char *code)
{
    return strcmp(finding->code, code) == 0;
}

static bool is_race(const struct result_finding *finding)
{
    return strncmp(finding->code, "race_", 5) == 0;
}

/* ---- barriers that some threads do not reach ---------------------------------------------------------------------- */

/* The line of a barrier that not all threads reach: of two, the one that more is around. */
static int line_of_barrier(const struct repair_source *source, const struct result_finding *finding, size_t *depth)
{
    size_t first, end;
    int lines[] = {finding->line, finding->line2}, found = 0;
    for (int i = 0; i < 2; i++) {
        if (lines[i] == 0 || !repair_source_find_barrier(source, lines[i], &first, &end))
            continue;
        size_t own = (size_t)repair_source_depth(source, lines[i]);
        if (found == 0 || own > *depth) {
            found = lines[i];
            *depth = own;
        }
    }
    return found;
}

/* How threads can get around it: by an `if` or a loop that it is in, or by a jump before it. */
static void tell_way_around(const struct repair_source *source, struct result_finding *finding)
{
    struct repair_wait wait;
    size_t depth = 0, used = strlen(finding->message);
    if (finding->line2 > 0 && strstr(finding->message, "stay in the loop at line ")
        && repair_source_find_wait(source, finding->line2, "", &wait) && wait.line == finding->line2
        && wait.read_line == 0) {
        snprintf(finding->message + used, sizeof finding->message - used,
                 "%s That loop waits: it ends only when another thread changes what it reads.",
                 finding->message[used - 1] == '.' ? "" : ".");
        snprintf(finding->pattern, sizeof finding->pattern, "waits");
        return;
    }
    const char *word = "", *pattern = "", *dot = used > 0 && finding->message[used - 1] == '.' ? "" : ".";
    char *text = finding->message + used;
    size_t room = sizeof finding->message - used;
    int line = line_of_barrier(source, finding, &depth), around = 0;
    bool is_loop = false;
    if (line == 0)
        return;
    bool held = repair_source_find_around(source, line, &is_loop, &around);
    int jump = !held || is_loop ? repair_source_find_jump(source, line, &word) : 0;
    if (jump > 0 && strcmp(word, "return") == 0) {
        pattern = "return";
        snprintf(text, room, "%s The `return` in line %d ends a thread before it comes to line %d.", dot, jump, line);
    } else if (jump > 0) {
        bool leaves = strcmp(word, "break") == 0;
        pattern = "jump";
        snprintf(text, room, "%s The `%s` in line %d %s.", dot, word, jump,
                 leaves ? "leaves the loop, and with it the barriers of all further turns"
                        : "leaves out the rest of the turn, the barrier with it");
    } else if (held && is_loop) {
        pattern = "loop";
        snprintf(text, room, "%s Line %d is in the loop of line %d: each turn needs every thread.", dot, line, around);
    } else if (held) {
        pattern = "branch";
        snprintf(text, room, "%s Line %d is inside the `if` of line %d.", dot, line, around);
    } else {
        return;
    }
    if (finding->pattern[0] == '\0')
        snprintf(finding->pattern, sizeof finding->pattern, "%s", pattern);
}

/* After threads have met at two barriers or waited in vain, the run goes on without them: that they leave early follows from that. */
static void drop_consequences(struct result_findings *findings)
{
    size_t kept = 0;
    bool waits = false;
    for (size_t i = 0; i < findings->count; i++)
        waits |= result_code_is_barrier(findings->list[i].code) && !is_code(&findings->list[i], "early_exit");
    for (size_t i = 0; i < findings->count; i++)
        if (!waits || !is_code(&findings->list[i], "early_exit"))
            findings->list[kept++] = findings->list[i];
    findings->count = kept;
}

/* ---- races -------------------------------------------------------------------------------------------------------- */

/* The reason at the end of a race's first sentence, which `text` replaces. */
static bool replace_reason(struct result_finding *finding, const char *old, const char *text)
{
    char *at = strstr(finding->message, old);
    if (!at)
        return false;
    char *rest = allocate_format("%s%s", text, at + strlen(old));
    snprintf(at, sizeof finding->message - (size_t)(at - finding->message), "%s", rest);
    free(rest);
    return true;
}

static const char no_barrier[] = "no barrier between them";
static const char other_turn[] = "the two belong to different turns of a loop: ";
static const char no_barrier_of_turns[] = "no barrier separates the turns";
static const char within_warp[] = "they are in one warp, and still nothing makes one wait for the other";
static const char no_barrier_in_steps[] = "no barrier separates the reads and the writes of the steps";

/* The driver says of two turns that they are two, from the PTX. The source says more: which loop, or which calls. */
static void forget_turns(struct result_finding *finding)
{
    const char *from = strstr(finding->message, other_turn), *end = from ? strstr(from, no_barrier_of_turns) : NULL;
    if (!end)
        return;
    char *old = allocate_format("%.*s%s", (int)(end - from), from, no_barrier_of_turns);
    replace_reason(finding, old, no_barrier);
    finding->pattern[0] = '\0';
    free(old);
}

/* A __syncwarp() between the two, where they are in two warps, or a fence, which is not a barrier. */
static void tell_warp_barrier(const struct repair_source *source, struct result_finding *finding)
{
    int from = finding->line < finding->line2 ? finding->line : finding->line2;
    int to = finding->line < finding->line2 ? finding->line2 : finding->line;
    int line = from > 0 && from < to ? repair_source_find_warp_barrier(source, from, to) : 0;
    const char *fence;
    char text[200];
    int fenced = line == 0 && from > 0 && from < to && is_code(finding, "race_shared") && finding->remark[0] == '\0'
                         && strstr(finding->message, no_barrier)
                     ? repair_source_find_fence(source, from, to, &fence)
                     : 0;
    if (fenced > 0)
        snprintf(finding->remark, sizeof finding->remark,
                 "Line %d has a %s(), which makes no thread wait: it orders what one thread stores.", fenced, fence);
    if (line == 0)
        return;
    snprintf(text, sizeof text, "line %d has a `__syncwarp()`, which waits for one warp, and these two threads are in two",
             line);
    if (!replace_reason(finding, no_barrier, text))
        replace_reason(finding, no_barrier_in_steps, text);
}

/* A barrier that every turn reaches lies between the two lines, and still they race: they belong to different turns. */
static void tell_turns(const struct repair_source *source, struct result_finding *finding)
{
    static const char *const reasons[] = {no_barrier, within_warp, no_barrier_in_steps};
    bool two = finding->line > 0 && finding->line2 > 0 && finding->line != finding->line2;
    int loop = two ? repair_source_find_turns(source, finding->line, finding->line2) : 0;
    char text[200];
    if (loop == 0)
        return;
    snprintf(text, sizeof text,
             "line %d belongs to one turn of the loop in line %d, line %d to another, and no barrier separates the turns",
             finding->line2, loop, finding->line);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (!replace_reason(finding, reasons[i], text))
            continue;
        if (finding->pattern[0] == '\0' || strcmp(finding->pattern, "step") == 0)
            snprintf(finding->pattern, sizeof finding->pattern, "turns");
        finding->asks = false;
        char name[40];
        int still = finding->remark[0] == '\0'
                        ? repair_source_find_still_index(source, finding->line, finding->array, name, sizeof name)
                        : 0;
        if (still > 0) {
            snprintf(
                finding->remark, sizeof finding->remark,
                "%s, the first index of %s, is set in line %d and never changes: line %d uses the same part in every turn.",
                name, finding->array, still, finding->line);
            snprintf(finding->pattern, sizeof finding->pattern, "same_part");
        }
        int waits = is_code(finding, "race_shared") && finding->remark[0] == '\0'
                        ? repair_source_find_turns_wait(source, finding->line, finding->line2)
                        : 0;
        if (waits > 0)
            snprintf(finding->remark, sizeof finding->remark,
                     "Line %d has a __syncwarp(), which waits for one warp; these two threads are in two.", waits);
        return;
    }
}

/* A loop of the kernel reads what one line behind it replaces: these are not steps. */
static void tell_in_place(const struct repair_source *source, struct result_finding *finding)
{
    const char *read = strstr(finding->message, " read by thread "),
               *write = strstr(finding->message, " written by thread ");
    const char *read_place = read ? strstr(read, "(line ") : NULL, *write_place = write ? strstr(write, "(line ") : NULL;
    if (!read_place || !write_place || strcmp(finding->pattern, "step") != 0
        || strcmp(finding->function, finding->kernel) != 0 || strncmp(finding->message, "shared ", strlen("shared ")) != 0)
        return;
    int read_line = atoi(read_place + strlen("(line ")), write_line = atoi(write_place + strlen("(line "));
    bool is_loop;
    int around;
    char head[80];
    if (read_line >= write_line || !repair_source_find_around(source, read_line, &is_loop, &around) || !is_loop
        || repair_source_find_loop(source, write_line, head, sizeof head) != 0
        || (repair_source_find_around(source, write_line, &is_loop, &around) && is_loop))
        return;
    char text[160];
    snprintf(text, sizeof text, "line %d replaces what other threads still read in line %d", write_line, read_line);
    if (replace_reason(finding, no_barrier_in_steps, text))
        snprintf(finding->pattern, sizeof finding->pattern, "in_place");
}

/* The line in which a race's access is, as its message has it: the compiler often reads before the loop. */
static void move_read(struct result_finding *finding, int from, int to)
{
    char old[24], own[24], *read = strstr(finding->message, " read by thread ");
    snprintf(old, sizeof old, "(line %d)", from);
    snprintf(own, sizeof own, "(line %d)", to);
    char *at = read ? strstr(read, old) : NULL;
    if (!at || from == to)
        return;
    char *rest = allocate_format("%s%s", own, at + strlen(old));
    snprintf(at, sizeof finding->message - (size_t)(at - finding->message), "%s", rest);
    free(rest);
    if (finding->line == from)
        finding->line = to;
    else
        finding->line2 = to;
}

/* A barrier reads nothing: where the compiler has moved a read across lines, the source may tell which one it is. */
static void tell_moved_read(const struct repair_source *source, struct result_finding *finding)
{
    const char *read = strstr(finding->message, " read by thread "), *place = read ? strstr(read, "(line ") : NULL;
    int line = place ? atoi(place + strlen("(line ")) : 0;
    int own = line > 0 && repair_source_is_barrier(source, line) ? repair_source_find_only_read(source, line, finding->array)
                                                                 : 0;
    if (own > 0)
        move_read(finding, line, own);
}

/* A plain read against a store of another thread: is it a loop's condition that asks for the array? */
static void tell_polls(const struct repair_source *source, struct result_finding *finding)
{
    const char *read = strstr(finding->message, " read by thread "), *place = read ? strstr(read, "(line ") : NULL;
    struct repair_wait wait;
    size_t used = strlen(finding->message);
    int line = place ? atoi(place + strlen("(line ")) : read ? finding->line : 0;
    if (line == 0 || !repair_source_find_wait(source, line, finding->array, &wait) || !wait.plain)
        return;
    char *text = finding->message + used;
    size_t room = sizeof finding->message - used;
    const char *dot = used > 0 && finding->message[used - 1] == '.' ? "" : ".";
    if (wait.read_line > 0)
        snprintf(text, room,
                 "%s Line %d reads it once, into %s, and the loop in line %d asks for %s only: it never reads again.", dot,
                 wait.read_line, wait.variable, wait.line, wait.variable);
    else
        snprintf(text, room, "%s The loop in line %d waits for a value that it reads plainly%s.", dot, wait.line,
                 wait.empty ? ", which the compiler may do once only" : ": neither atomically nor through volatile");
    if (wait.read_line == 0)
        move_read(finding, line, wait.line);
    snprintf(finding->pattern, sizeof finding->pattern, "%s", wait.read_line > 0 ? "polls_once" : "polls");
    finding->asks = false;
}

/* Of two stores in the branches of an `if`, the compiler often makes one, with the line of either. */
static void tell_twin(const struct repair_source *source, struct result_finding *finding)
{
    bool same = strcmp(finding->pattern, "same_element") == 0 && (finding->line2 == 0 || finding->line2 == finding->line);
    int line = same ? repair_source_find_twin(source, finding->line, finding->array) : 0;
    char text[120];
    if (line == 0 || line == finding->line)
        return;
    snprintf(text, sizeof text, "the two branches with lines %d and %d store there",
             line < finding->line ? line : finding->line, line < finding->line ? finding->line : line);
    replace_reason(finding, "one statement stores there from both threads", text);
}

/* An access that the compiler has made of the stores of two branches has the line of one of them, whichever the thread takes. */
static void tell_merged(const struct repair_source *source, struct result_finding *finding)
{
    int line = finding->line2 == 0 ? repair_source_find_same_store(source, finding->line, finding->array) : 0;
    if (line > 0 && line != finding->line) {
        finding->line2 = line > finding->line ? line : finding->line;
        finding->line = line > finding->line ? finding->line : line;
        snprintf(finding->file2, sizeof finding->file2, "%s", finding->file);
        snprintf(finding->remark, sizeof finding->remark,
                 "Lines %d and %d store to %s with the same index, in two branches: it is the one whose branch the thread "
                 "takes.",
                 finding->line, finding->line2, finding->array);
    } else if (repair_source_is_barrier(source, finding->line)) {
        finding->line = 0; /* a barrier has no access */
        finding->mark_count = 0;
    }
}

/* The loop's first instruction may be one of its body. */
static void tell_loop(const struct repair_source *source, struct result_finding *finding)
{
    char old[40], text[40];
    int line = finding->line2 == 0 ? repair_source_find_only_loop(source, finding->line) : 0;
    snprintf(old, sizeof old, "the loop at line %d ", finding->line);
    snprintf(text, sizeof text, "the loop at line %d ", line);
    if (line > 0 && line != finding->line && replace_reason(finding, old, text)) {
        finding->line = line;
        finding->mark_count = 0;
    }
}

/* `id % 2 * i` is (id % 2) * i: seldom what is meant. */
static void tell_remainder(const struct repair_source *source, struct result_finding *finding)
{
    char text[120];
    int line = repair_source_find_remainder(source, finding->line, text, sizeof text);
    if (line > 0 && finding->remark[0] == '\0')
        snprintf(finding->remark, sizeof finding->remark, "In line %d, C reads %s.", line, text);
}

/* `warp << 5 + lane` is warp << (5 + lane): seldom what is meant. */
static void tell_shifted_sum(const struct repair_source *source, struct result_finding *finding)
{
    char text[200];
    int line = repair_source_find_shifted_sum(source, finding->arithmetic, text, sizeof text);
    size_t used = strlen(finding->remark);
    if (line == 0 || used + sizeof text + 40 > sizeof finding->remark)
        return;
    snprintf(finding->remark + used, sizeof finding->remark - used, "%sIn line %d, C reads %s.", used > 0 ? " " : "", line,
             text);
    if (is_code(finding, "out_of_bounds"))
        snprintf(finding->pattern, sizeof finding->pattern, "precedence");
}

/* An access in a function: under which names it got the numbers of its index. */
static void tell_passed(const struct repair_source *source, struct result_finding *finding)
{
    char text[200];
    size_t used = strlen(finding->remark);
    if (finding->called_from_count == 0
        || !repair_source_find_passed(source, finding->function, finding->line, finding->called_from[0].line, text,
                                      sizeof text)
        || used + sizeof text + sizeof finding->function + 40 > sizeof finding->remark)
        return;
    snprintf(finding->remark + used, sizeof finding->remark - used, "%sIn line %d, %s gets %s.", used > 0 ? " " : "",
             finding->called_from[0].line, finding->function, text);
}

static bool is_between_blocks(const struct result_finding *finding)
{
    return finding->has_thread2 && memcmp(finding->block, finding->block2, sizeof finding->block) != 0;
}

/* Blocks change elements of each other, under a condition that does not know the block. */
static void tell_thread_alone(const struct repair_source *source, struct result_finding *finding)
{
    bool one_line = finding->line > 0 && (finding->line2 == 0 || finding->line2 == finding->line);
    int line = is_between_blocks(finding) && one_line && finding->remark[0] == '\0'
                   ? repair_source_find_thread_alone(source, finding->line)
                   : 0;
    if (line > 0)
        snprintf(
            finding->remark, sizeof finding->remark,
            "The condition in line %d has threadIdx in it, but nothing of the block: it is true for the same threads in every "
            "block.",
            line);
}

/* Blocks meet in a variable that exists once for all of them. */
static void tell_outside(const struct repair_source *source, struct result_finding *finding)
{
    bool is_array = false;
    int line = is_between_blocks(finding) && finding->remark[0] == '\0'
                   ? repair_source_find_outside(source, finding->array, &is_array)
                   : 0;
    if (line == 0)
        return;
    snprintf(finding->remark, sizeof finding->remark,
             "Line %d declares %s outside of all functions: it exists once, for all blocks together.", line, finding->array);
    if (strcmp(finding->pattern, "no_block") == 0 && is_array)
        snprintf(finding->pattern, sizeof finding->pattern, "one_array");
}

/* Two threads take one element: does the loop go on by less than the threads of the grid, or is the index in a type that is too
 * small for it? */
static void tell_index(const struct repair_source *source, struct result_finding *finding)
{
    char step[100];
    bool same = strcmp(finding->pattern, "update") == 0 || strcmp(finding->pattern, "same_element") == 0;
    if (!same || finding->line == 0 || (finding->line2 != 0 && finding->line2 != finding->line))
        return;
    if (strstr(finding->arithmetic, "does not fit in")) {
        snprintf(finding->pattern, sizeof finding->pattern, "narrow");
        return;
    }
    bool between = is_between_blocks(finding);
    long apart = (long)finding->thread2[0] - (long)finding->thread[0];
    int loop = between ? repair_source_find_short_step(source, finding->line, step, sizeof step)
               : finding->has_thread2
                   ? repair_source_find_step_in_block(source, finding->line, finding->array, apart, step, sizeof step)
                   : 0;
    if (loop == 0 || finding->remark[0] != '\0')
        return;
    snprintf(finding->remark, sizeof finding->remark,
             "In each turn, the loop in line %d goes on by %s, and the number of %s is not in that.", loop, step,
             between ? "blocks" : "threads of a block");
    snprintf(finding->pattern, sizeof finding->pattern, "short_step");
}

/* The value from before an atomic operation, stored over what the operation has made of it. */
static void tell_old_value(const struct repair_source *source, struct result_finding *finding)
{
    char name[40];
    int line = finding->remark[0] == '\0' ? repair_source_find_old_value(source, name, sizeof name) : 0;
    if (line > 0)
        snprintf(
            finding->remark, sizeof finding->remark,
            "In line %d, %s changes the place itself, and returns the value from before; then the `=` stores there again.",
            line, name);
    if (line > 0 && line == finding->line && is_race(finding))
        snprintf(finding->pattern, sizeof finding->pattern, "returned");
}

/* Wrong values, or elements that only the first run changes, and a sum that goes on from launch to launch. */
static void tell_kept(const struct repair_source *source, struct result_finding *finding)
{
    char name[40], *last = NULL;
    int line = finding->remark[0] == '\0' ? repair_source_find_kept(source, name, sizeof name) : 0;
    size_t used = strlen(finding->message);
    if (line == 0)
        return;
    bool missing = strcmp(finding->pattern, "kept") == 0, asks = finding->asks || missing; /* elements, not values */
    for (char *at = finding->message; asks && (at = strstr(at, ". ")); at += 2)
        last = at;
    if (last && finding->message[used - 1] == '?')
        last[1] = '\0';
    used = strlen(finding->message);
    snprintf(finding->message + used, sizeof finding->message - used,
             "%sLine %d adds to %s, a variable that keeps its value from one launch to the next, and no line sets it again.",
             used > 0 && finding->message[used - 1] != ' ' ? " " : "", line, name);
    snprintf(finding->pattern, sizeof finding->pattern, "kept");
    finding->line = line;
    finding->explained = finding->proven = true;
    finding->asks = finding->open = false;
    finding->weak &= missing; /* of one element, all are missing */
}

/* Wrong values or a race, and an atomic operation that does only a part of the update. */
static void tell_steps(const struct repair_source *source, struct result_finding *finding)
{
    int read_line, line = repair_source_find_steps(source, &read_line);
    /* What the lab has recognised is not a lost count. */
    bool other = is_code(finding, "wrong_value") && finding->by_lab && strcmp(finding->pattern, "lost_updates") != 0;
    bool elsewhere = is_race(finding) && (read_line > 0 || (finding->line != line && finding->line2 != line));
    if (line == 0 || other || elsewhere || finding->remark[0] != '\0')
        return;
    if (read_line == 0)
        snprintf(
            finding->remark, sizeof finding->remark,
            "Nothing looks at the result of the atomicCAS in line %d. Where another thread was faster, it finds another "
            "value than expected and stores nothing.",
            line);
    else
        snprintf(finding->remark, sizeof finding->remark,
                 "Line %d reads the element and line %d replaces it: two steps, and what another thread stores between them "
                 "is lost.",
                 read_line, line);
    finding->line = finding->line > 0 ? finding->line : line;
    snprintf(finding->pattern, sizeof finding->pattern, "atomic_steps");
}

/* A condition that is one answer for a whole warp. */
static void tell_vote(struct result_finding *finding)
{
    size_t used = strlen(finding->remark);
    if (strstr(finding->remark, " asks __any_sync(") && used + 100 < sizeof finding->remark)
        snprintf(finding->remark + used, sizeof finding->remark - used,
                 " __any_sync() is true in all lanes of a warp as soon as its condition is true in one of them.");
}

/* `int i = …; i = i % n;`: an index whose value is not shown, because it is set twice. */
static void tell_set_again(const struct repair_source *source, struct result_finding *finding)
{
    char name[40];
    int second, first = finding->remark[0] == '\0' && finding->arithmetic[0] == '\0'
                            ? repair_source_find_set_again(source, finding->line, finding->array, &second, name, sizeof name)
                            : 0;
    if (first > 0)
        snprintf(finding->remark, sizeof finding->remark, "Line %d gives %s a value, and line %d gives it another one.",
                 first, name, second);
}

/* The other lanes do not come to the shuffle: is there a condition around it? */
static void tell_shuffle(const struct repair_source *source, struct result_finding *finding)
{
    int line = finding->line2 > 0 ? finding->line2 : finding->line, around = 0;
    bool is_loop = false;
    if (finding->remark[0] == '\0' && line > 0 && repair_source_find_around(source, line, &is_loop, &around))
        snprintf(finding->remark, sizeof finding->remark,
                 is_loop
                     ? "The shuffle in line %d is in the loop of line %d, and gets nothing from lanes that are not in it."
                     : "The shuffle in line %d is inside the `if` of line %d, and gets nothing from lanes that do not "
                       "come there.",
                 line, around);
}

/* Threads meet because an atomic operation gave them their index, and somebody else changes its variable meanwhile. */
static void find_ticket(const struct repair_source *source, struct result_findings *findings, struct result_finding *finding)
{
    char name[64];
    if (!is_race(finding) || repair_source_find_ticket(source, finding->line, name, sizeof name) == 0)
        return;
    for (size_t i = 0; i < findings->count; i++)
        if (&findings->list[i] != finding && is_code(&findings->list[i], "race_mixed")
            && strcmp(findings->list[i].array, name) == 0)
            finding->follows = true;
}

void story_order_tell(const struct repair_source *source, struct result_findings *findings)
{
    drop_consequences(findings);
    for (size_t i = 0; i < findings->count && source; i++) {
        struct result_finding *finding = &findings->list[i];
        if (is_race(finding))
            forget_turns(finding);
        bool waits = result_code_is_barrier(finding->code)
                     && (!is_code(finding, "early_exit") || strcmp(finding->pattern, "passed_by") == 0);
        if (waits)
            tell_way_around(source, finding);
        else if (is_code(finding, "race_shared"))
            tell_warp_barrier(source, finding);
        else if (is_code(finding, "wrong_value") || is_code(finding, "order_dependent") || is_code(finding, "race_mixed"))
            tell_steps(source, finding);
        else if (is_code(finding, "out_of_bounds") && finding->inside.line == 0)
            tell_merged(source, finding);
        tell_loop(source, finding);
        tell_shifted_sum(source, finding);
        if (is_code(finding, "out_of_bounds"))
            tell_passed(source, finding);
        if (is_code(finding, "out_of_bounds"))
            tell_vote(finding);
        if (is_code(finding, "wrong_value"))
            story_values_tell(source, finding);
        if (is_race(finding) && !is_code(finding, "race_volatile"))
            tell_polls(source, finding);
        if (is_race(finding)) {
            tell_moved_read(source, finding);
            tell_turns(source, finding);
            tell_in_place(source, finding);
            tell_remainder(source, finding);
            tell_thread_alone(source, finding);
            tell_twin(source, finding);
            tell_index(source, finding);
            tell_set_again(source, finding);
            tell_outside(source, finding);
        }
        if (is_code(finding, "uninitialized") && strcmp(finding->pattern, "shuffle") == 0)
            tell_shuffle(source, finding);
        find_ticket(source, findings, finding);
        if (is_race(finding) || is_code(finding, "wrong_value"))
            tell_old_value(source, finding);
        bool first_only = finding->tells_values && strcmp(finding->pattern, "kept") == 0;
        if (is_code(finding, "wrong_value") || first_only)
            tell_kept(source, finding);
    }
}

/* A barrier cures neither a lost update nor two threads that take one element: where it cures, it is the phases that were not
 * kept apart; and where one at the end of a loop's body does by itself, the two accesses belong to different turns. */
void story_order_note_barrier(const struct repair_place *place, bool alone, struct result_finding *finding)
{
    static const char *const reasons[] = {"each thread reads it, changes it and writes it back, so a change can be lost",
                                          no_barrier, within_warp, no_barrier_in_steps};
    char text[200];
    /* A function precedes what calls it, so a line below the loop's body is in no turn of it. */
    bool turns = alone && place->at_body_end && finding->line <= place->line && finding->line2 <= place->line;
    bool is_first = finding->line2 > 0 && finding->line > 0 && finding->line2 != finding->line;
    if (!is_race(finding))
        return;
    if (turns && is_first)
        snprintf(
            text, sizeof text,
            "line %d belongs to one turn of the loop in line %d, line %d to another, and no barrier separates the turns",
            finding->line2, place->loop, finding->line);
    else if (turns)
        snprintf(text, sizeof text,
                 "the two belong to different turns of the loop in line %d, and no barrier separates the turns",
                 place->loop);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if ((turns || i == 0) && replace_reason(finding, reasons[i], turns ? text : no_barrier))
            break;
    bool steps = strcmp(finding->pattern, "step") == 0;
    if (strcmp(finding->pattern, "update") == 0 || (turns && (steps || finding->pattern[0] == '\0')))
        snprintf(finding->pattern, sizeof finding->pattern, "%s", turns ? "turns" : "");
    /* For the same reason what is last in the text may be first in time. */
    int last = finding->line > finding->line2 ? finding->line : finding->line2;
    if (!turns && is_first && alone && finding->pattern[0] == '\0' && place->line >= last) {
        snprintf(finding->pattern, sizeof finding->pattern, "above");
        finding->asks = false;
    }
    if (turns)
        finding->asks = false;
}
