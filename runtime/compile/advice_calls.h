/* Warnings about what the compiler takes without a word: shuffles that lead out of their lanes, arguments in another order than
 * the parameters of the same names, and what each thread does for itself where the block should do it. Internal to the runtime.
 */
#ifndef RUNTIME_ADVICE_CALLS_H
#define RUNTIME_ADVICE_CALLS_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/language/source.h"

enum { ADVICE_CALLS_BYTES = 240 };

/* What is to be said of a call or an assignment that begins with token `at`. Returns the kind (advice.def), NULL: nothing. */
const char *advice_calls_judge(const struct source *source, size_t at, char words[ADVICE_CALLS_BYTES]);

#endif
