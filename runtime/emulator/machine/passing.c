#include "runtime/emulator/machine/passing.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/roles.h"
#include "runtime/emulator/machine/words.h"

static bool is_of(const struct code *code, const struct operation *operation)
{
    return operation >= code->operations && operation < code->operations + code->operation_count;
}

static bool ends(const struct operation *operation)
{
    return operation->handler == HANDLER_exit || operation->handler == HANDLER_ret || operation->handler == HANDLER_trap;
}

unsigned passing_next(const struct operation *at, const struct operation *next[3])
{
    unsigned count = 0;
    if (!ends(at) && at->handler != HANDLER_jump)
        next[count++] = at + 1;
    if (at->handler == HANDLER_jump || at->handler == HANDLER_branch)
        next[count++] = at->target;
    if (at->handler == HANDLER_guard)
        next[count++] = at + at->extra + 2;
    return count;
}

bool *passing_list_following(const struct code *code, const struct operation *from)
{
    size_t count = code->operation_count, depth = 0;
    bool *follows = calloc(count, sizeof *follows);
    const struct operation **stack = malloc((count + 1) * sizeof *stack);
    if (follows && stack)
        stack[depth++] = from;
    while (depth) {
        const struct operation *next[3];
        for (unsigned ways = passing_next(stack[--depth], next); ways-- > 0;) {
            if (!is_of(code, next[ways]) || follows[next[ways] - code->operations])
                continue;
            follows[next[ways] - code->operations] = true;
            stack[depth++] = next[ways];
        }
    }
    free(stack);
    if (!stack) {
        free(follows);
        follows = NULL;
    }
    return follows;
}

/* Does it have an effect beyond the lane's registers? */
static bool is_work(const struct operation *operation)
{
    return operation_is(operation, ROLE_WRITES) || operation_is(operation, ROLE_EXCHANGES)
           || operation->handler == HANDLER_call || operation->handler == HANDLER_call_register
           || operation->handler == HANDLER_call_external || operation->handler == HANDLER_barrier
           || operation->handler == HANDLER_warp_barrier;
}

/* From one side of the lane's last branch to its exit, without another branch: the first work that also follows `around`. */
static const struct operation *walk(const struct code *code, const struct operation *at, const struct operation *around,
                                    const struct operation *exit, const bool *follows)
{
    const struct operation *work = NULL;
    for (size_t steps = 0; steps < code->operation_count && is_of(code, at) && at != around; steps++) {
        if (at == exit)
            return work;
        if (at->handler == HANDLER_branch || ends(at))
            return NULL;
        if (!work && is_work(at) && follows[at - code->operations])
            work = at;
        at = at->handler == HANDLER_jump ? at->target : at + 1;
    }
    return NULL;
}

/* Does the same operation come again? An unrolled loop has several that are one in the source. */
static bool comes_again(const struct launch *launch, const struct operation *around, const bool *follows)
{
    const struct code *code = launch->code;
    int line = place_of(launch, around).line;
    if (follows[around - code->operations])
        return true;
    for (const struct operation *at = code->operations; line && at < code->operations + code->operation_count; at++)
        if (at->handler == around->handler && follows[at - code->operations] && place_of(launch, at).line == line)
            return true;
    return false;
}

static const struct operation *find(const struct launch *launch, const struct operation *around,
                                    const struct operation *branch, const struct operation *exit)
{
    const struct code *code = launch->code;
    const struct operation *found = NULL;
    bool *after = passing_list_following(code, around), *after_branch = passing_list_following(code, branch);
    if (after && after_branch) {
        if (after[branch - code->operations] && !comes_again(launch, around, after_branch))
            found = branch; /* a condition that comes later */
        else if (!launch->words->leaves_at(launch, place_of(launch, branch).line)
                 && !(found = walk(code, branch + 1, around, exit, after)))
            found = walk(code, branch->target, around, exit, after);
    }
    free(after);
    free(after_branch);
    return found;
}

const struct operation *passing_went_on(const struct warp *warp, unsigned lane, const struct operation *around)
{
    const struct operation *branch = warp->exit_branch[lane], *exit = warp->exit_at[lane];
    const struct code *code = warp->launch->code;
    if (!place_of(warp->launch, around)
             .line) /* the compiler makes one of two endings that are alike: only the source tells them apart */
        return NULL;
    if (!branch || !exit || !is_of(code, around) || !is_of(code, branch) || !is_of(code, exit))
        return NULL;
    size_t slot = ((size_t)(around - code->operations) * 31 + (size_t)(branch - code->operations)) % PASSINGS;
    struct passing *known = &warp->launch->passings[slot];
    if (known->around != around || known->branch != branch || known->exit != exit)
        *known = (struct passing){around, branch, exit, find(warp->launch, around, branch, exit)};
    return known->went_on;
}
