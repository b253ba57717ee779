/* What is in the code between two accesses of one warp: a shuffle or a vote looks as if it ordered them. */
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/roles.h"
#include "runtime/emulator/observe/races/race.h"

static bool has_exchange(const struct operation *first, const struct operation *end)
{
    for (const struct operation *at = first; at < end; at++)
        if (operation_is(at, ROLE_EXCHANGES))
            return true;
    return false;
}

bool race_exchange_between(const struct races *races, const struct operation *earlier, const struct operation *later)
{
    const struct code *code = program_code_of(races->launch->request->function->program, later);
    if (!code || earlier < code->operations || earlier >= code->operations + code->operation_count)
        return false;
    if (earlier < later)
        return has_exchange(earlier, later);
    const struct operation *end = code->operations + code->operation_count;
    for (const struct operation *back = earlier; back < end; back++) /* round the innermost loop that holds both */
        if ((back->handler == HANDLER_branch || back->handler == HANDLER_jump) && back->target <= later)
            return has_exchange(earlier, back) || has_exchange(back->target, later);
    return false;
}
