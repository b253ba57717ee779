/* The end of a context: all that it owns is freed with it. Expects the driver's lock to be held. */
#ifndef EMULATOR_CONTEXT_END_H
#define EMULATOR_CONTEXT_END_H

#include "runtime/emulator/driver/context.h"

/* Frees a context that context_create made, and all that it owns. */
void context_destroy(struct context *context);

/* Frees all that a context owns and forgets the failure; the context itself stays. */
void context_clear(struct context *context);

#endif
