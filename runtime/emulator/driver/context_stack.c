#include "runtime/emulator/driver/context_stack.h"

enum { STACK_DEPTH = 64 };

static __thread CUcontext stack[STACK_DEPTH];
static __thread int depth;

CUcontext context_stack_top(void)
{
    return depth > 0 ? stack[depth - 1] : NULL;
}

bool context_stack_push(CUcontext handle)
{
    if (depth == STACK_DEPTH)
        return false;
    stack[depth++] = handle;
    return true;
}

CUcontext context_stack_pop(void)
{
    return depth > 0 ? stack[--depth] : NULL;
}

bool context_stack_set(CUcontext handle)
{
    if (!handle) {
        context_stack_pop();
        return true;
    }
    if (depth == 0)
        return context_stack_push(handle);
    stack[depth - 1] = handle;
    return true;
}
