/* Warnings of our own, for what the compiler takes without a word and hardly anybody means. Internal to the runtime. */
#ifndef RUNTIME_ADVICE_WARN_H
#define RUNTIME_ADVICE_WARN_H

#include "runtime/compile/diagnostics.h"

/* Adds the warnings, each with its kind (advice.def): `if (...);`, `if (a = b)`, `0 <= i < n`, `i < n & a[i] > 0`, `2 ^ k`,
 * `x =+ 1`, `x = 2,0 * y`, a pointer that is null and stays so, a comment that takes in the next line, and the like; none
 * where the compiler has warned of the same kind on that line.
 *   text    the source that was compiled, [bytes]
 *   file    its name, as the messages have it
 * Returns false when out of memory. */
bool advice_warn(const char *text, size_t bytes, const char *file, struct diagnostics *diagnostics);

#endif
