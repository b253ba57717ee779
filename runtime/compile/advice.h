/* What a compiler's message means for somebody who writes a first kernel: advice.def. Internal to the runtime. */
#ifndef RUNTIME_ADVICE_H
#define RUNTIME_ADVICE_H

#include "runtime/compile/diagnostics.h"

/* Fills kind and advice of the first error and of the warnings, as far as advice.def has a row that is sure to be true.
 *   text    the source that was compiled, [bytes]
 *   file    its name, as the messages have it: nothing is said about those of headers
 * Errors after the first often follow from it, so nothing is said about them but what the compiler says. */
void advice_give(const char *text, size_t bytes, const char *file, struct diagnostics *diagnostics);

#endif
