/* The current context: each host thread has its own stack of contexts. */
#ifndef EMULATOR_CONTEXT_STACK_H
#define EMULATOR_CONTEXT_STACK_H

#include <stdbool.h>

#include "runtime/cuda/driver_api.h"

/* The current context of the calling thread, live or not; NULL for none. */
CUcontext context_stack_top(void);

/* Replaces the top (NULL removes it), or pushes on an empty stack. Returns false when there is no room. */
bool context_stack_set(CUcontext handle);

/* Returns false when the stack is full (64 deep). */
bool context_stack_push(CUcontext handle);

/* Removes and returns the top; NULL when the stack is empty. */
CUcontext context_stack_pop(void);

#endif
