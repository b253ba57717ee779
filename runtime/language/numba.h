/* Names of Numba's kernels: the arguments of a Python function, of which arrays become several parameters in PTX. */
#ifndef EMULATOR_NUMBA_H
#define EMULATOR_NUMBA_H

#include <stdbool.h>
#include <stddef.h>

/* Which argument of the Python function does a parameter of the kernel belong to?
 *   mangled      name of the kernel in PTX; Numba writes the types of the arguments behind it. A number is one parameter, an
 *                array of n dimensions is 5 + 2n: its data is the fifth
 *   parameters   of the kernel in PTX
 *   parameter    one of them, from 0
 * Returns the argument, from 0; -1 when the name is not one of Numba's or holds types whose parameters are unknown here. */
int numba_argument_of(const char *mangled, unsigned parameters, unsigned parameter);

/* The name of an argument in the text of a Python file [bytes]: of `def function(…)`, of several the one nearest to `line`.
 * Returns false when there is none, or it takes no such argument. */
bool numba_argument_name(const char *text, size_t bytes, const char *function, int line, unsigned argument, char *name,
                         size_t name_bytes);

#endif
