/* Warnings about calls that the compiler takes without a word: shuffles that lead out of their lanes, arguments in another
 * order than the parameters of the same names. Internal to the runtime. */
#ifndef RUNTIME_ADVICE_CALLS_H
#define RUNTIME_ADVICE_CALLS_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/language/source.h"

enum { ADVICE_CALLS_BYTES = 240 };

/* What is to be said of a call that begins with token `at`. Returns the kind (advice.def), NULL: nothing. */
const char *advice_calls_judge(const struct source *source, size_t at, char words[ADVICE_CALLS_BYTES]);

#endif
